#include "assembly/steady_spin.hpp"

#include <cmath>

namespace trunnion::assembly {

bool turns_known(const Layout& layout, const State& from, const State& to) {
  constexpr double kDoubt = 1.0;
  const double h = to.t - from.t;
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block({b});
    if (block.kind == BlockKind::rigid) {
      const Vec3 w0 = from.v.segment<3>(block.offset + 3), w1 = to.v.segment<3>(block.offset + 3);
      const SteadySpin spin{pose(layout, {b}, from.q).R, w0, from.t};
      const Vec3 turn = spin.turn(pose(layout, {b}, to.q).R, to.t);
      const Vec3 expected = 0.5 * h * spin_rate(turn, w1, w0);
      if (!(turn.norm() <= kLargestTurn && (turn - expected).norm() <= kDoubt)) return false;
    } else if (block.kind == BlockKind::planar) {
      const int p = block.pose_offset + 2, v = block.offset + 2;
      if (!(std::abs(to.q[p] - from.q[p] - h * from.v[v]) <= kLargestTurn)) return false;
    }
  }
  return true;
}

}  // namespace trunnion::assembly
