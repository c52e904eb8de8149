#include "system/turned.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "system/compile/compiler.hpp"

namespace trunnion::system {

double second_turn(const System& system, const Force& force, const System::Workspace& work) {
  constexpr int kComponents = 6;
  const elements::Load& load = Compiler::elements_of(system).loads[force.load];
  if (!load.spring || load.spring->K.rows() != kComponents || load.spring->K.cols() != kComponents) return 0;
  if (load.spring->K.bottomRightCorner<3, 3>().isZero()) return 0;
  // Columns: the axes of I along those of J.
  const math::Mat3 R =
      work.kinematics.marker(load.j.marker).R.transpose() * work.kinematics.marker(load.i.marker).R;
  std::array<double, 3> turns = {std::atan2(-R(1, 2), R(2, 2)), std::atan2(R(0, 2), R(2, 2)),
                                 std::atan2(R(1, 0), R(0, 0))};
  for (std::size_t k = 0; k < turns.size(); ++k)
    turns[k] =
        std::abs(std::remainder(turns[k] - load.spring->free[3 + static_cast<Eigen::Index>(k)], 2 * M_PI));
  std::sort(turns.begin(), turns.end());
  return turns[1];
}

}  // namespace trunnion::system
