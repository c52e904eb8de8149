#include "system/compile/compile.hpp"

#include <algorithm>

#include "model/validate.hpp"
#include "system/compile/compiler.hpp"

namespace trunnion::system {

namespace {

std::string library_path(const model::Model& model) {
  const auto* preferences = model.single<model::Preferences>();
  return preferences ? preferences->libpath.value_or("") : "";
}

}  // namespace

bool can_be_inactive(model::Kind kind) {
  using model::kind_of;
  const model::Kind kinds[] = {
      kind_of<model::Joint>(),        kind_of<model::Jprim>(),   kind_of<model::Coupler>(),
      kind_of<model::Gear>(),         kind_of<model::Gcon>(),    kind_of<model::Ptcv>(),
      kind_of<model::Cvcv>(),         kind_of<model::Motion>(),  kind_of<model::Sforce>(),
      kind_of<model::Vforce>(),       kind_of<model::Vtorque>(), kind_of<model::Gforce>(),
      kind_of<model::SpringDamper>(), kind_of<model::Bushing>(), kind_of<model::Field>(),
      kind_of<model::Beam>(),         kind_of<model::Nforce>(),  kind_of<model::Friction>(),
      kind_of<model::Contact>(),      kind_of<model::Mforce>(),  kind_of<model::Sensor>()};
  return std::find(std::begin(kinds), std::end(kinds), kind) != std::end(kinds);
}

Compiler::Compiler(const model::Model& model, const Inactive& inactive, core::Diagnostics& diagnostics,
                   double time, const UserCode& user)
    : model_(model),
      diagnostics_(diagnostics),
      time_(time),
      frames_(model, diagnostics),
      system_(std::make_shared<System>()),
      libraries_(user, library_path(model)) {
  system_->troubles_ = std::make_shared<elements::Troubles>();
  for (const auto& [kind, id] : inactive.statements) inactive_.emplace(kind.index, id);
  for (const model::Motion& motion : model.all<model::Motion>()) {
    if (active(motion) && motion.joint.given()) driven_joints_.insert(motion.joint.id);
  }
}

std::shared_ptr<const System> Compiler::run() {
  const std::size_t before = diagnostics_.error_count();
  system_->units_ = model::units_of(model_);
  tables();
  bodies();
  markers();
  find_user_code();
  curve_tables();
  declare_states();
  constraints();
  forces();
  equations();
  index();
  readings();
  collect_counted_angles();
  gather_outlines();
  count_resting();
  if (diagnostics_.error_count() > before) return nullptr;
  set_start();
  return system_;
}

void Compiler::index() {
  const auto each = [](const auto& list, auto& places) {
    for (std::size_t k = 0; k < list.size(); ++k)
      places.emplace(std::pair{list[k].kind.index, list[k].id}, k);
  };
  each(system_->constraints_, system_->constraint_places_);
  each(system_->forces_, system_->force_places_);
}

std::shared_ptr<const System> compile(const model::Model& model, const Inactive& inactive,
                                      core::Diagnostics& diagnostics, double time, const UserCode& user) {
  // A model built in C++ may never have been checked; what follows trusts its references.
  const std::size_t before = diagnostics.error_count();
  model::validate(model, diagnostics);
  if (diagnostics.error_count() > before) return nullptr;
  return Compiler(model, inactive, diagnostics, time, user).run();
}

}  // namespace trunnion::system
