#include "solve/independent_choice.hpp"

#include <algorithm>
#include <cmath>

#include "sparse/rank.hpp"

namespace trunnion::solve {

namespace {

// The farthest that two bodies are apart along an axis; 1 where there is but one place.
double extent_of(const system::System& system, const system::System::Workspace& work) {
  double size = 0;
  for (const system::BodyInfo& a : system.bodies()) {
    for (const system::BodyInfo& b : {system.bodies().front(), system.bodies().back()}) {
      const math::Vec3 apart = work.kinematics.body(a.block).x - work.kinematics.body(b.block).x;
      size = std::max(size, apart.lpNorm<Eigen::Infinity>());
    }
  }
  return size > 0 ? size : 1.0;
}

}  // namespace

double turn_measure(const system::System& system, const system::System::Workspace& work) {
  return 4 * extent_of(system, work);
}

std::optional<std::vector<int>> independent_columns(const system::System& system,
                                                    const system::System::Workspace& work,
                                                    const sparse::CscMatrix& G,
                                                    const std::vector<int>& rows) {
  const assembly::Layout& layout = system.layout();
  const int n = layout.mechanical_size();
  const double turn = turn_measure(system, work);
  std::vector<int> position(static_cast<std::size_t>(G.rows), -1);
  for (std::size_t k = 0; k < rows.size(); ++k)
    position[static_cast<std::size_t>(rows[k])] = static_cast<int>(k);
  sparse::CscMatrix measured;
  measured.rows = static_cast<int>(rows.size());
  measured.cols = n;
  measured.start.push_back(0);
  for (int c = 0; c < n; ++c) {
    for (int k = G.start[static_cast<std::size_t>(c)]; k < G.start[static_cast<std::size_t>(c) + 1]; ++k) {
      const int row = position[static_cast<std::size_t>(G.row[static_cast<std::size_t>(k)])];
      if (row < 0) continue;
      measured.row.push_back(row);
      measured.value.push_back(G.value[static_cast<std::size_t>(k)] / (layout.is_turn(c) ? turn : 1.0));
    }
    measured.start.push_back(measured.nonzeros());
  }
  std::vector<int> free = sparse::free_columns(measured);
  std::sort(free.begin(), free.end());
  if (static_cast<int>(free.size() + rows.size()) != n) return std::nullopt;
  return free;
}

}  // namespace trunnion::solve
