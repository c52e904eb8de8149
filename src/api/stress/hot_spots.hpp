#pragma once
// `trunnion stress`: where a flexible body was stressed most in a run. Stresses are sums of stress modes (S_MODE) with the modal
// coordinates that the results hold: nothing is simulated again.

#include <optional>
#include <string>
#include <vector>

#include "results/read/history.hpp"
#include "system/system.hpp"

namespace trunnion::api {

// The row at which the von Mises stress of one node was largest.
struct HotSpot {
  std::string body;  // "FLEX_BODY/2"
  int node = 0;
  math::Vec3 place = math::Vec3::Zero();  // undeformed, in the body's frame
  double t = 0;
  double von_mises = 0;
  Eigen::Matrix<double, 6, 1> stress = Eigen::Matrix<double, 6, 1>::Zero();  // xx, yy, zz, xy, yz, zx
};

// √(½[(xx − yy)² + (yy − zz)² + (zz − xx)²] + 3(xy² + yz² + zx²))
double von_mises(const Eigen::Matrix<double, 6, 1>& stress);

// The `top` hottest nodes of all bodies with stress modes, hottest first. Nothing, with `why`, where there are none or the results do
// not hold their modal coordinates.
std::optional<std::vector<HotSpot>> hot_spots(const system::System& system, results::History& history,
                                              std::size_t top, std::string& why);

// A table, and the same for other programs.
std::string hot_spot_table(const std::vector<HotSpot>& spots, const std::string& stress_unit,
                           const std::string& time_unit);
std::string hot_spot_csv(const std::vector<HotSpot>& spots);

}  // namespace trunnion::api
