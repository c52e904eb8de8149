#pragma once
// The one Newton loop. What is iterated, a stage, accelerations, positions and velocities that constraints hold, a mechanism that
// follows its motions, an assembly, says what its residual and its correction are and when it is done. (Searches for equilibria are
// no Newton iterations but globalised: analysis/statics.)

#include <cstdint>

namespace trunnion::solve {

enum class Verdict : std::uint8_t { again, done, failed };

// it.evaluate(k): the residual at iterate k, and factors where they are due; done where it is small enough.
// it.correct(k):  the correction, found, judged and added; done where it was the last one.
// After `limit` corrections the last residual is looked at once more: evaluate(limit) decides, `again` being a failure.
template <class Iteration> Verdict newton(Iteration&& it, int limit) {
  for (int k = 0;; ++k) {
    const Verdict here = it.evaluate(k);
    if (here != Verdict::again) return here;
    if (k == limit) return Verdict::failed;
    const Verdict there = it.correct(k);
    if (there != Verdict::again) return there;
  }
}

}  // namespace trunnion::solve
