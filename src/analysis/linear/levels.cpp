#include "analysis/linear/levels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "analysis/extent.hpp"
#include "analysis/linear/coordinates.hpp"
#include "assembly/chart.hpp"
#include "elements/beam_element.hpp"
#include "elements/body.hpp"
#include "math/so3.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;
using assembly::RowId;
using assembly::RowLevel;
using assembly::State;
using Matrix = LinearLevels::Matrix;

namespace {

// Velocities, and accelerations as a part of gravity, below this are the noise of an equilibrium.
constexpr double kMoving = 1e-9;

double largest(const Matrix& m) {
  double out = 0;
  for (int c = 0; c < m.outerSize(); ++c) {
    for (Matrix::InnerIterator it(m, c); it; ++it) out = std::max(out, std::abs(it.value()));
  }
  return out;
}

// --- rates along the motion

struct Rows {
  Matrix G, B;
};

class Along {
 public:
  Along(const system::System& system, const AssemblyResult& at, assembly::MarkerId rm)
      : system_(system),
        at_(at),
        rm_(rm),
        work_(system, assembly::AnalysisMode::linear),
        levels_(system.layout()) {
    if (const double found = analysis::pace(system, at.state, work_); found > 0) pace_ = found;
  }

  // The rows at a time h later, in the coordinates there.
  Rows at(double h) {
    const State state = assembly::advanced(system_.layout(), at_.state, h);
    levels_.evaluate_rows(system_, state, work_, true);
    const LinearCoordinates c(system_, work_.kinematics, rm_);
    const Matrix G = levels_.G(at_.active);
    return {G * c.E, levels_.B(at_.active) * c.E + G * c.E1};
  }

  // Turns, or lengths of the mechanism, in a unit of time.
  double pace() const { return pace_; }

 private:
  const system::System& system_;
  const AssemblyResult& at_;
  assembly::MarkerId rm_;
  system::System::Workspace work_;
  system::Levels levels_;
  double pace_ = 1;
};

// Central differences of sixth and eighth order: their difference is an estimate of the sixth's error, far above the eighth's.
void rates(Along& along, double h, double rows, Rows& rate, double& error) {
  constexpr std::array<double, 4> kEighth = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  constexpr std::array<double, 4> kSixth = {3.0 / 4, -3.0 / 20, 1.0 / 60, 0};
  Rows low;
  for (std::size_t k = 0; k < kEighth.size(); ++k) {
    const double step = h * static_cast<double>(k + 1);
    const Rows after = along.at(step), before = along.at(-step);
    const Matrix dG = (after.G - before.G) / h, dB = (after.B - before.B) / h;
    if (k == 0) {
      rate = {kEighth[k] * dG, kEighth[k] * dB};
      low = {kSixth[k] * dG, kSixth[k] * dB};
      continue;
    }
    rate = {rate.G + kEighth[k] * dG, rate.B + kEighth[k] * dB};
    low = {low.G + kSixth[k] * dG, low.B + kSixth[k] * dB};
  }
  const double size = along.pace() * rows;
  error = std::max(largest(rate.G - low.G), largest(rate.B - low.B) / along.pace()) / size;
}

// The best of a few steps, from a twentieth of a radian down: functions of time may be faster than the parts.
Rows best_rates(Along& along, double rows, double& error) {
  constexpr double kPart = 0.05, kGood = 1e-9;
  constexpr int kTries = 5;
  double h = kPart / along.pace();
  Rows best;
  error = HUGE_VAL;
  for (int k = 0; k < kTries && error > kGood; ++k, h /= 4) {
    Rows rate;
    double found = 0;
    rates(along, h, rows, rate, found);
    if (!(found < error)) continue;
    best = std::move(rate);
    error = found;
  }
  return best;
}

}  // namespace

sparse::CscMatrix to_csc(Matrix c) {
  c.makeCompressed();
  sparse::CscMatrix out;
  out.rows = static_cast<int>(c.rows());
  out.cols = static_cast<int>(c.cols());
  out.start.assign(c.outerIndexPtr(), c.outerIndexPtr() + c.cols() + 1);
  out.row.assign(c.innerIndexPtr(), c.innerIndexPtr() + c.nonZeros());
  out.value.assign(c.valuePtr(), c.valuePtr() + c.nonZeros());
  return out;
}

void LinearLevels::sort_entries(const assembly::Layout& layout, const std::vector<int>& active) {
  mechanical.assign(static_cast<std::size_t>(layout.size()), 0);
  constexpr double kTurn = 4;  // see linear/freedom.hpp
  unit.assign(mechanical.size(), 1);
  for (int k = 0; k < layout.size(); ++k) {
    if (layout.states().has(k)) states.push_back(k);
    else if (layout.variables().has(k)) variables.push_back(k);
    else mechanical[static_cast<std::size_t>(k)] = 1;
    if (layout.is_turn(k)) unit[static_cast<std::size_t>(k)] = kTurn * length;
  }
  for (std::size_t k = 0; k < active.size(); ++k) {
    all_rows.push_back(static_cast<int>(k));
    if (layout.row(RowId{active[k]}).level == RowLevel::position)
      position_rows.push_back(static_cast<int>(k));
  }
}

// A row that reads a state or a variable would need that one's rates as well.
core::Words LinearLevels::strange_row(const assembly::Layout& layout, const std::vector<int>& active) const {
  for (const Matrix* rows : {&G, &B}) {
    for (int col = 0; col < rows->outerSize(); ++col) {
      if (mechanical[static_cast<std::size_t>(col)]) continue;
      for (Matrix::InnerIterator it(*rows, col); it; ++it) {
        const RowId row{active[static_cast<std::size_t>(it.row())]};
        if (it.value() != 0)
          return core::words("{} depends on {}", layout.row_name(row), layout.column_name(col));
      }
    }
  }
  return {};
}

// A root at zero has a slope without end.
static core::Words not_a_number(const assembly::Layout& layout, const Matrix& m) {
  for (int c = 0; c < m.outerSize(); ++c) {
    for (Matrix::InnerIterator it(m, c); it; ++it) {
      if (!std::isfinite(it.value()))
        return core::words(
            "a function in {} has no slope by {} here (a root of zero, a division by zero): linear equations "
            "cannot be made at this place",
            layout.balance_name(static_cast<int>(it.row())), layout.column_name(c));
    }
  }
  return {};
}

bool LinearLevels::moves(const assembly::State& state, double gravity) const {
  const double noise = kMoving * (1 + gravity);
  for (Eigen::Index k = 0; k < state.v.size(); ++k) {
    if (mechanical[static_cast<std::size_t>(k)] &&
        (std::abs(state.v[k]) > kMoving || std::abs(state.a[k]) > noise))
      return true;
  }
  // Position rows that change with the time alone.
  std::vector<char> position(static_cast<std::size_t>(B.rows()), 0);
  for (const int row : position_rows) position[static_cast<std::size_t>(row)] = 1;
  for (int col = 0; col < B.outerSize(); ++col) {
    for (Matrix::InnerIterator it(B, col); it; ++it) {
      if (position[static_cast<std::size_t>(it.row())] && std::abs(it.value()) > kMoving) return true;
    }
  }
  return false;
}

LinearLevels::LinearLevels(const system::System& system, const AssemblyResult& at, assembly::MarkerId rm,
                           bool damping) {
  const assembly::Layout& layout = system.layout();
  system::System::Workspace work(system, assembly::AnalysisMode::linear);
  system::Levels levels(layout);
  levels.start(at.state, {});
  system.evaluate(at.state, work, levels);
  levels.finish();
  using assembly::Level;
  length = extent(system, work.kinematics);
  sort_entries(layout, at.active);
  const LinearCoordinates c(system, work.kinematics, rm);
  const Matrix by_acceleration = levels.level(Level::a);
  Matrix by_velocity = levels.level(Level::v), by_place = levels.level(Level::q);
  if (!damping) {
    by_place -= system.damping_by_place(at.state, work);
    by_velocity.prune([&](int, int col, double) { return !mechanical[static_cast<std::size_t>(col)]; });
    by_velocity += system.gyroscopic(at.state, work);
  }
  for (const Matrix& level : {levels.level(Level::q), levels.level(Level::v), levels.level(Level::a)}) {
    if (trouble.empty()) trouble = not_a_number(layout, level);
  }
  if (!trouble.empty()) {
    for (const core::Words& cause : system.not_finite(at.state, work)) trouble += "; " + cause;
  }
  E = c.E;
  E1 = c.E1;
  const Matrix turned = c.E.transpose();
  a = turned * by_acceleration * c.E;
  v = turned * Matrix(by_velocity * c.E + by_acceleration * c.F1);
  q = turned * Matrix(by_place * c.E + by_velocity * c.E1 + by_acceleration * c.F0);
  L = turned * levels.L(at.active);
  const Matrix gradient = levels.G(at.active);
  G = gradient * c.E;
  B = levels.B(at.active) * c.E + gradient * c.E1;
  C = B;
  D = Matrix(B.rows(), B.cols());
  if (!c.trouble.empty()) trouble = c.trouble;
  strange = strange_row(layout, at.active);
  double gravity = 0;
  for (const elements::Body& body : system.body_elements()) gravity = std::max(gravity, body.gravity.norm());
  moving = trouble.empty() && moves(at.state, gravity);
  if (moving && !strange.empty())
    trouble =
        strange +
        ": there are linear equations for such a constraint at rest only; try SIMULATE/STATICS before, or an "
        "expression of displacements and velocities in its place";
  if (!moving || G.rows() == 0 || !trouble.empty()) return;
  Along along(system, at, rm);
  const Rows rate = best_rates(along, largest(G), rate_error);
  C = B + rate.G;
  D = rate.B;
}

StiffnessDoubt::StiffnessDoubt(const LinearLevels& at)
    : at_(at), parts_(at.q.cwiseAbs()), turned_(at.E.transpose()) {
  // Roundings that one part has seen, one behind another: a pose made a matrix (4), a marker's axes and arm (6), a law turned there and
  // back (6), its pull to both bodies (10), sums over what meets in an entry (6).
  constexpr double kPlace = 32, kRates = 1024;
  rounding_ = (at.moving ? kRates : kPlace) * std::numeric_limits<double>::epsilon();
}

double StiffnessDoubt::of(const Eigen::VectorXcd& shape) const {
  Eigen::VectorXcd xi = turned_ * shape;
  for (Eigen::Index i = 0; i < xi.size(); ++i) {
    if (!at_.mechanical[static_cast<std::size_t>(i)]) xi[i] = 0;
  }
  const Eigen::VectorXd size = xi.cwiseAbs();
  const double mass = std::abs(xi.dot(at_.a * xi));
  return mass > 0 ? rounding_ * size.dot(parts_ * size) / mass : 0.0;
}

}  // namespace trunnion::analysis
