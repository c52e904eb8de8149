#pragma once
// A model's text, run to its end, with what that cost.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <set>
#include <string>
#include <vector>

#include "api/session/session.hpp"
#include "core/diagnostics.hpp"
#include "lang/reader.hpp"

namespace trunnion::bench {

struct Outcome {
  bool ok = false;
  std::vector<math::Vec3> places;  // of the mass centres at the end
  double seconds = 0;              // CPU
  analysis::DynamicResult result;
};

// What a model is warned of, once however often it is run with other settings.
inline void tell_once(const core::Diagnostics& diagnostics) {
  static std::set<std::string> told;
  for (const core::Diagnostic& d : diagnostics.all()) {
    if (told.insert(d.subject + ": " + d.message).second)
      std::fprintf(stderr, "%s: %s\n", d.subject.c_str(), d.message.c_str());
  }
}

inline Outcome run(const std::string& text, double end) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const auto model = lang::read_model(sources, sources.add("model", text), diagnostics);
  api::Session session(model);
  Outcome out;
  const bool assembled = session.assemble();
  tell_once(diagnostics);
  tell_once(session.diagnostics());
  if (!assembled) return out;
  session.count_energy(false);  // what is timed is the motion
  const std::clock_t began = std::clock();
  out.result = session.simulate(end);
  out.seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  out.ok = out.result.ok;
  const system::System& system = *session.system();
  for (const system::BodyInfo& b : system.bodies())
    out.places.push_back(assembly::pose(system.layout(), b.block, session.place().state.q).x);
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
