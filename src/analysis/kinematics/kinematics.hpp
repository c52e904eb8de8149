#pragma once
// SIMULATE/KINEMATICS: a mechanism without freedom is moved through its motions (primer §4).
//   positions      Newton from a predicted place, Eq. 44, with the step cut where it does not converge
//   velocities     G v = −φ_t          accelerations   G a = γ, Eq. 21          multipliers   Gᵀλ = −r, Eq. 45
// Redundant rows are watched: they must go on holding. Where the sign of det G changes, or its smallest singular value
// touches zero, the mechanism has passed a toggle point: it is sought out between the steps and reported. A step that
// would end in one leads across it; where none does, the mechanism locks up.

#include <functional>
#include <string>
#include <vector>

#include "analysis/initial/initial_conditions.hpp"
#include "analysis/kinematics/place.hpp"
#include "integrate/step_loop.hpp"
#include "math/output_times.hpp"

namespace trunnion::analysis {

struct KinematicResult {
  bool ok = false;
  int steps = 0;
  int iterations = 0;
  std::vector<int> events = {};       // which ones stopped it; the state is at their time
  std::vector<core::Words> messages;  // toggle points, what went wrong
};

// From an assembled state over the given output times, in order; `output` is called at each with an accepted state, and
// `go_on`, where there is one, asked before. SENSORs are
// events: the motion stops where one acts. The state is left at the last time reached.
KinematicResult kinematics(const system::System& system, AssemblyResult& from, const math::OutputTimes& times,
                           const KinematicSettings& settings,
                           const std::function<void(const assembly::State&)>& output,
                           const std::function<bool()>& go_on = {},
                           const std::vector<integrate::Event>& events = {});

// Names of coordinates that nothing fixes, for a system that has freedom left.
std::vector<core::Words> free_coordinates(const system::System& system, const AssemblyResult& assembled);

}  // namespace trunnion::analysis
