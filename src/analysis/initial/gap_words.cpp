#include "analysis/initial/gap_words.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "analysis/extent.hpp"
#include "assembly/chart.hpp"
#include "elements/joint.hpp"
#include "system/excerpt.hpp"

namespace trunnion::analysis {

using assembly::RowId;

namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

// The constraint whose I and J a row of a JOINT or JPRIM speaks of.
const system::Constraint* pair_of(const system::System& system, RowId id) {
  const core::Subject owner = system.layout().row(id).owner.subject();
  const bool joint =
      owner.kind == model::kind_of<model::Joint>() || owner.kind == model::kind_of<model::Jprim>();
  return joint ? system.find_constraint(owner) : nullptr;
}

// What I and J of a row's equation stand for: the markers of a JOINT or JPRIM; themselves where there is no such pair.
struct Sides {
  std::string i = "I", j = "J";
};
Sides sides_of(const system::System& system, RowId id) {
  const system::Constraint* constraint = pair_of(system, id);
  if (!constraint) return {};
  return {fmt::format("MARKER/{}", system.id_of(constraint->i)),
          fmt::format("MARKER/{}", system.id_of(constraint->j))};
}

// The row that keeps an axis of I perpendicular to one of J; null for all other rows.
const elements::PrimitiveRow* axes_of(const system::System& system, int row) {
  if (row < 0 || row >= system.layout().row_count()) return nullptr;
  const system::Constraint* constraint = pair_of(system, RowId{row});
  if (!constraint || constraint->element != system::Constraint::Element::joint) return nullptr;
  const elements::Joint& joint = system::Excerpt::joints(system)[constraint->index];
  const int k = row - joint.first_row.index;
  const auto rows = elements::joint_rows(joint.type);
  if (k < 0 || k >= static_cast<int>(rows.size())) return nullptr;
  const elements::PrimitiveRow& primitive = rows[static_cast<std::size_t>(k)];
  return primitive.kind == elements::Primitive::dot1 ? &primitive : nullptr;
}

constexpr int kXAxis = 0, kYAxis = 1, kZAxis = 2;

// The other of the two rows that hold z of I parallel to z of J: that against the other axis.
double partner(const system::System& system, const Eigen::VectorXd& phi, int row, int other_axis) {
  const core::Subject owner = system.layout().row(RowId{row}).owner.subject();
  for (const int r : {row - 1, row + 1}) {
    const elements::PrimitiveRow* axes = axes_of(system, r);
    if (axes && axes->a == kZAxis && axes->b == other_axis &&
        system.layout().row(RowId{r}).owner.subject() == owner)
      return phi[r];
  }
  return 0;
}

struct Move {
  double travel = 0, turn = 0;  // length, radians
  const core::Words* owner = nullptr;
};

}  // namespace

std::string equation_words(const system::System& system, RowId id) {
  std::string equation = system.layout().row(id).equation;
  const Sides sides = sides_of(system, id);
  for (const auto& [side, marker] : {std::pair(" of I", sides.i), std::pair(" of J", sides.j)}) {
    const std::size_t at = equation.find(side);
    if (at != std::string::npos) equation.replace(at + 4, 1, marker);
  }
  return equation;
}

core::Words gap_words(const system::System& system, const Eigen::VectorXd& phi, RowId id) {
  const assembly::Row& row = system.layout().row(id);
  const double gap = phi[id.index];
  const auto axes = [&](const char* first, const char* second, const char* must, double degrees) {
    const Sides sides = sides_of(system, id);
    return core::words("{}: {} of {} and {} of {} must be {}; they are {:.3g}° apart", row.owner, first,
                       sides.i, second, sides.j, must, degrees);
  };
  const auto angle = [](double cosine) { return std::acos(std::clamp(cosine, -1.0, 1.0)) * kDegrees; };
  const auto parallel = [&](int other) {
    const double sine = std::hypot(gap, partner(system, phi, id.index, other));
    return axes("z", "z", "parallel", std::asin(std::min(1.0, sine)) * kDegrees);
  };
  if (const elements::PrimitiveRow* primitive = axes_of(system, id.index)) {
    constexpr const char* kNames[] = {"x", "y", "z"};
    if (primitive->a == kZAxis && primitive->b != kZAxis)
      return parallel(primitive->b == kXAxis ? kYAxis : kXAxis);
    return axes(kNames[primitive->a], kNames[primitive->b], "perpendicular", angle(gap));
  }
  return core::words("{} ({}): constraint violation {:.3g} [{}]", row.owner, equation_words(system, id),
                     std::abs(gap), row.residual.unit);
}

std::vector<core::Words> moved_words(const system::System& system, const assembly::State& before,
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
  std::vector<core::Words> words;
  for (const Move& m : moves) {
    core::Words text = *m.owner + " by";
    if (m.travel > kSmall * size) text += core::words(" {:.3g} [length]", m.travel);
    if (m.turn > kSmall)
      text += core::words("{} {:.3g}°", m.travel > kSmall * size ? " and" : "", m.turn * kDegrees);
    words.push_back(std::move(text));
  }
  return words;
}

std::vector<RowId> worst_rows(const system::System& system, const Eigen::VectorXd& values, double tolerance) {
  std::map<core::Subject, std::pair<double, int>> worst;  // by owner: size and row
  for (int r = 0; r < values.size(); ++r) {
    const double gap = std::abs(values[r]);
    if (!(gap > tolerance)) continue;
    auto& entry = worst[system.layout().row(RowId{r}).owner.subject()];
    if (gap > entry.first) entry = {gap, r};
  }
  std::vector<std::pair<double, int>> order;
  for (const auto& [owner, entry] : worst) order.push_back(entry);
  std::sort(order.rbegin(), order.rend());
  std::vector<RowId> rows;
  constexpr std::size_t kShown = 5;
  for (std::size_t k = 0; k < order.size() && k < kShown; ++k) rows.push_back(RowId{order[k].second});
  return rows;
}

namespace {

// Of the joint whose worst gap is a length: the axes that are not where they must be. In millimetres a length is the larger number,
// and the wrong axis is what was meant to be found.
std::optional<RowId> crooked_axes(const system::System& system, const Eigen::VectorXd& phi, RowId worst) {
  const assembly::Layout& layout = system.layout();
  constexpr double kCrooked = 1e-3;  // the sine of what joints are printed to
  constexpr double kAlongFirst = 2;  // z is what a joint is along: where it is off, the turn about it follows
  const assembly::Row& joint = layout.row(worst);
  std::optional<RowId> found;
  double most = kCrooked;
  for (int r = 0; r < phi.size(); ++r) {
    const elements::PrimitiveRow* axes = axes_of(system, r);
    if (r == worst.index || !axes || !(layout.row(RowId{r}).owner.subject() == joint.owner.subject()))
      continue;
    const double gap = (axes->a == kZAxis ? kAlongFirst : 1.0) * std::abs(phi[r]);
    if (gap > most) {
      most = gap;
      found = RowId{r};
    }
  }
  return joint.residual.quantity == assembly::Quantity::length ? found : std::nullopt;
}

}  // namespace

std::vector<core::Words> describe_gaps(const system::System& system, const Eigen::VectorXd& phi,
                                       double tolerance) {
  std::vector<core::Words> lines;
  for (const RowId row : worst_rows(system, phi, tolerance)) {
    lines.push_back(gap_words(system, phi, row));
    if (const auto axes = crooked_axes(system, phi, row)) lines.push_back(gap_words(system, phi, *axes));
  }
  return lines;
}

}  // namespace trunnion::analysis
