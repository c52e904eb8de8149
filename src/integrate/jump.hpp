#pragma once
// Which expression is discontinuous, after steps failed again and again at one place.
//
// Forces, the equations of states and variables, and the rows of motions are evaluated along two ways on which everything that
// is an unknown moves smoothly: straight to where the failed step led, and where the method predicts. What jumps there jumps by
// itself and not because something else did. A jump is told from a steep slope by halving the interval: a slope's change halves
// with it, a jump stays.

#include <optional>
#include <string>

#include "integrate/formula.hpp"

namespace trunnion::integrate {

struct Jump {
  core::Words who;
  double t = 0;
  double from = 0, to = 0;
  bool values = false;  // false: only the difference of the two means something
};
core::Words describe(const Jump& jump);

// `from`: the last accepted state; `failed`: where the failed step of length h led. `cut`: longer ones failed before. Calls
// formula.predict(): the trial the method holds is lost.
std::optional<Jump> find_jump(const system::System& system, const assembly::State& from,
                              const assembly::State& failed, Formula& formula, double h, bool cut,
                              system::System::Workspace& work);

}  // namespace trunnion::integrate
