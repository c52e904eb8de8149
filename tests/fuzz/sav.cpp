// RELOAD of any file: the text behind the first line of a .sav, as the checksum is no defence against an author. What is taken as good
// is evaluated and moved on by a short step.

#include <cstdint>
#include <set>
#include <string>

#include "analysis/dynamics/dynamics.hpp"
#include "api/session/snapshot.hpp"
#include "system/compile/compile.hpp"

using namespace trunnion;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  api::Snapshot saved;
  if (!api::parse_snapshot(std::string(reinterpret_cast<const char*>(data), size), saved).empty()) return 0;
  model::Model model;
  std::set<core::Subject> off;
  if (!api::model_of(saved, model, off).empty()) return 0;
  system::Inactive inactive;
  for (const auto& [kind, id] : off) inactive.statements.emplace_back(model::Kind{kind}, id);
  system::UserCode none;
  none.ignore = true;
  none.look_only = true;
  core::Diagnostics diagnostics;
  const auto system = system::compile(model, inactive, diagnostics, 0, none);
  if (!system || !saved.assembled || !api::misfit(saved, *system).empty()) return 0;
  constexpr int kLargest = 64;  // unknowns: the solver's cost is no subject here
  if (system->layout().size() > kLargest) return 0;
  analysis::DynamicSettings settings = analysis::dynamic_settings(model);
  const double t = saved.from.state.t, h = 1e-6;
  if (!settings.unsupported.empty() || !(t + h > t)) return 0;
  settings.hmax = settings.hinit = h;
  settings.hmin = h / 8;
  analysis::DynamicHooks hooks;
  int steps = 0;
  hooks.interrupted = [&] { return ++steps > 4; };
  analysis::dynamics(*system, saved.from, t + h, {t + h}, settings, hooks);
  return 0;
}
