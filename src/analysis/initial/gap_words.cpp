#include "analysis/initial/gap_words.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "analysis/extent.hpp"
#include "assembly/chart.hpp"

namespace trunnion::analysis {

using assembly::RowId;

namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

// The other of the two rows that hold an axis parallel to another.
double partner(const assembly::Layout& layout, const Eigen::VectorXd& phi, int row, const char* equation) {
  const std::string& owner = layout.row(RowId{row}).owner;
  for (const int r : {row - 1, row + 1}) {
    if (r < 0 || r >= layout.row_count()) continue;
    const assembly::Row& other = layout.row(RowId{r});
    if (other.owner == owner && other.equation == equation) return phi[r];
  }
  return 0;
}

struct Move {
  double travel = 0, turn = 0;  // length, radians
  const std::string* owner = nullptr;
};

}  // namespace

std::string gap_words(const assembly::Layout& layout, const Eigen::VectorXd& phi, RowId id) {
  const assembly::Row& row = layout.row(id);
  const double gap = phi[id.index];
  const auto axes = [&](const char* first, const char* second, const char* must, double degrees) {
    return fmt::format("{}: {} of I and {} of J must be {}; they are {:.3g}° apart", row.owner, first, second,
                       must, degrees);
  };
  const auto angle = [](double cosine) { return std::acos(std::clamp(cosine, -1.0, 1.0)) * kDegrees; };
  const auto parallel = [&](const char* other) {
    const double sine = std::hypot(gap, partner(layout, phi, id.index, other));
    return axes("z", "z", "parallel", std::asin(std::min(1.0, sine)) * kDegrees);
  };
  if (row.equation == "z_I·x_J = 0") return parallel("z_I·y_J = 0");
  if (row.equation == "z_I·y_J = 0") return parallel("z_I·x_J = 0");
  if (row.equation == "z_I·z_J = 0") return axes("z", "z", "perpendicular", angle(gap));
  if (row.equation == "x_I·y_J = 0") return axes("x", "y", "perpendicular", angle(gap));
  return fmt::format("{} ({}): constraint violation {:.3g} [{}]", row.owner, row.equation, std::abs(gap),
                     row.unit);
}

std::vector<std::string> moved_words(const system::System& system, const assembly::State& before,
                                     const assembly::State& after) {
  assembly::Kinematics kinematics(system.layout(), system.markers());
  kinematics.update(after, assembly::Level::q);
  const double size = extent(system, kinematics);
  constexpr double kSmall = 1e-3;
  Eigen::VectorXd d(system.layout().size());
  assembly::difference(system.layout(), before.q, after.q, d);
  std::vector<Move> moves;
  for (int b = 0; b < system.layout().block_count(); ++b) {
    const assembly::Block& block = system.layout().block(assembly::BlockId{b});
    if (!block.is_body()) continue;
    const assembly::Moved by = assembly::move_of(system.layout(), block, d);
    const Move move{by.travel, by.turn, &block.owner};
    if (move.travel > kSmall * size || move.turn > kSmall) moves.push_back(move);
  }
  const auto far = [&](const Move& m) { return std::max(m.travel / size, m.turn); };
  std::stable_sort(moves.begin(), moves.end(), [&](const Move& a, const Move& b) { return far(a) > far(b); });
  std::vector<std::string> words;
  for (const Move& m : moves) {
    std::string text = *m.owner + " by";
    if (m.travel > kSmall * size) text += fmt::format(" {:.3g} [length]", m.travel);
    if (m.turn > kSmall)
      text += fmt::format("{} {:.3g}°", m.travel > kSmall * size ? " and" : "", m.turn * kDegrees);
    words.push_back(std::move(text));
  }
  return words;
}

std::vector<assembly::RowId> worst_rows(const system::System& system, const Eigen::VectorXd& values,
                                        double tolerance) {
  std::map<std::string, std::pair<double, int>> worst;  // by owner: size and row
  for (int r = 0; r < values.size(); ++r) {
    const double gap = std::abs(values[r]);
    if (!(gap > tolerance)) continue;
    auto& entry = worst[system.layout().row(assembly::RowId{r}).owner];
    if (gap > entry.first) entry = {gap, r};
  }
  std::vector<std::pair<double, int>> order;
  for (const auto& [owner, entry] : worst) order.push_back(entry);
  std::sort(order.rbegin(), order.rend());
  std::vector<assembly::RowId> rows;
  constexpr std::size_t kShown = 5;
  for (std::size_t k = 0; k < order.size() && k < kShown; ++k)
    rows.push_back(assembly::RowId{order[k].second});
  return rows;
}

std::vector<std::string> describe_gaps(const system::System& system, const Eigen::VectorXd& phi,
                                       double tolerance) {
  std::vector<std::string> lines;
  for (const assembly::RowId row : worst_rows(system, phi, tolerance))
    lines.push_back(gap_words(system.layout(), phi, row));
  return lines;
}

}  // namespace trunnion::analysis
