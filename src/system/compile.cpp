#include "system/compile.hpp"

#include <algorithm>

#include "model/validate.hpp"
#include "system/compiler.hpp"

namespace trunnion::system {

bool Inactive::has(model::Kind kind, int id) const {
  return std::any_of(statements.begin(), statements.end(),
                     [&](const auto& s) { return s.first == kind && s.second == id; });
}

Compiler::Compiler(const model::Model& model, const Inactive& inactive, core::Diagnostics& diagnostics,
                   double time)
    : model_(model),
      inactive_(inactive),
      diagnostics_(diagnostics),
      time_(time),
      frames_(model, diagnostics),
      system_(std::make_shared<System>()) {}

std::shared_ptr<const System> Compiler::run() {
  const std::size_t before = diagnostics_.error_count();
  system_->units_ = model::units_of(model_);
  tables();
  bodies();
  markers();
  declare_states();
  constraints();
  forces();
  equations();
  readings();
  collect_counted_angles();
  if (diagnostics_.error_count() > before) return nullptr;
  set_start();
  return system_;
}

std::shared_ptr<const System> compile(const model::Model& model, const Inactive& inactive,
                                      core::Diagnostics& diagnostics, double time) {
  // A model built in C++ may never have been checked; what follows trusts its references.
  const std::size_t before = diagnostics.error_count();
  model::validate(model, diagnostics);
  if (diagnostics.error_count() > before) return nullptr;
  return Compiler(model, inactive, diagnostics, time).run();
}

}  // namespace trunnion::system
