#pragma once
// SENSORs along a path of equilibria.

#include <functional>
#include <vector>

#include "integrate/step_loop.hpp"

namespace trunnion::analysis {

class PathEvents {
 public:
  PathEvents(const system::System& system, const std::vector<integrate::Event>& events)
      : system_(system), events_(events), work_(system, assembly::AnalysisMode::quasi_statics) {}

  void start(const assembly::State& state) { sense(state, before_); }
  // The equilibrium at a time within the step; false where it cannot be found.
  using At = std::function<bool(double t, assembly::State& state)>;
  // The first event since `begin`, or −1. The state then goes back to it.
  int happened(assembly::State& state, double begin, const At& at);

 private:
  void sense(const assembly::State& state, std::vector<double>& values);
  // A state at or just after the crossing.
  assembly::State locate(std::size_t which, double begin, const assembly::State& end, const At& at);

  const system::System& system_;
  const std::vector<integrate::Event>& events_;
  system::System::Workspace work_;
  std::vector<double> before_, after_;
};

}  // namespace trunnion::analysis
