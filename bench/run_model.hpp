#pragma once
// A model's text, run to its end, with what that cost.

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "analysis/dynamics/dynamics.hpp"
#include "lang/reader.hpp"
#include "system/compile/compile.hpp"

namespace trunnion::bench {

struct Outcome {
  bool ok = false;
  std::vector<math::Vec3> places;  // of the mass centres at the end
  double seconds = 0;              // CPU
  analysis::DynamicResult result;
};

inline Outcome run(const std::string& text, double end) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const auto model = lang::read_model(sources, sources.add("model", text), diagnostics);
  const auto system = system::compile(model, {}, diagnostics);
  Outcome out;
  if (!system) return out;
  auto from = analysis::initial_conditions(*system, system->start(), analysis::assembly_settings(model),
                                           analysis::Upto::accelerations);
  if (!from.ok) return out;
  const std::clock_t began = std::clock();
  out.result = analysis::dynamics(*system, from, end, {end}, analysis::dynamic_settings(model), {});
  out.seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  out.ok = out.result.ok;
  for (const system::BodyInfo& b : system->bodies())
    out.places.push_back(assembly::pose(system->layout(), b.block, from.state.q).x);
  return out;
}

// The largest difference of any mass centre.
inline double difference(const Outcome& a, const Outcome& b) {
  double worst = 0;
  for (std::size_t k = 0; k < std::min(a.places.size(), b.places.size()); ++k)
    worst = std::max(worst, (a.places[k] - b.places[k]).norm());
  return worst;
}

}  // namespace trunnion::bench
