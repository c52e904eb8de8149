#pragma once
// SENSORs along a path of equilibria, or of places of a mechanism that its motions lead.

#include <functional>
#include <vector>

#include "integrate/event_finder.hpp"

namespace trunnion::analysis {

class PathEvents {
 public:
  PathEvents(const system::System& system, const std::vector<integrate::Event>& events,
             assembly::AnalysisMode mode)
      : system_(system), events_(events), work_(system, mode) {}

  void start(const assembly::State& state) { sense(state, before_); }
  // The state at a time within the step; false where it cannot be found.
  using At = std::function<bool(double t, assembly::State& state)>;
  // The first events since `begin`, those of one time together. The state then goes back to it.
  std::vector<int> happened(assembly::State& state, double begin, const At& at);

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
