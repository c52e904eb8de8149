#include "analysis/linear/pstate.hpp"

#include <array>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "analysis/extent.hpp"
#include "analysis/initial/accelerations.hpp"
#include "analysis/linear/coordinates.hpp"
#include "assembly/chart.hpp"

namespace trunnion::analysis {

using assembly::BlockId;
using Matrix = LinearLevels::Matrix;

namespace {

constexpr double kNone = 1e-10;  // a partial below this part of the largest is none

// The partials of VARIABLEs with all others solved for: w = −q_ww⁻¹ (what the equations of the variables hold besides).
class VariableRows {
 public:
  VariableRows(const system::System& system, const std::vector<int>& active, const assembly::State& state,
               const std::vector<int>& chosen)
      : work_(system, assembly::AnalysisMode::linear), levels_(system.layout()), active_(active) {
    levels_.start(state, {});
    system.evaluate(state, work_, levels_);
    levels_.finish();
    const assembly::Layout& layout = system.layout();
    const assembly::Segment& w = layout.variables();
    for (int k = w.offset; k < w.offset + w.size; ++k) variables_.push_back(k);
    solve(chosen);
  }

  bool ok() const { return ok_; }
  system::System::Workspace& work() { return work_; }
  // By tangent entries of a level, or by multipliers.
  Eigen::MatrixXd by_q() const { return of(levels_.level(assembly::Level::q)); }
  Eigen::MatrixXd by_v() const { return of(levels_.level(assembly::Level::v)); }
  Eigen::MatrixXd by_a() const { return of(levels_.level(assembly::Level::a)); }
  Eigen::MatrixXd by_reactions() const { return of(levels_.L(active_)); }

 private:
  // Rows of weights, one for each chosen variable, by which its total partials are sums of the equations'.
  void solve(const std::vector<int>& chosen) {
    const auto count = static_cast<Eigen::Index>(variables_.size());
    const Matrix q = levels_.level(assembly::Level::q);
    Eigen::MatrixXd square(count, count);
    for (Eigen::Index j = 0; j < count; ++j) {
      for (Eigen::Index i = 0; i < count; ++i) square(i, j) = q.coeff(entry(i), entry(j));
    }
    Eigen::MatrixXd units = Eigen::MatrixXd::Zero(count, static_cast<Eigen::Index>(chosen.size()));
    for (Eigen::Index j = 0; j < units.cols(); ++j) {
      for (Eigen::Index i = 0; i < count; ++i)
        units(i, j) = entry(i) == chosen[static_cast<std::size_t>(j)] ? 1 : 0;
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(square.transpose());
    ok_ = lu.isInvertible();
    if (ok_) weights_ = -lu.solve(units).transpose();
  }
  Eigen::MatrixXd of(const Matrix& m) const {
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(variables_.size()), m.cols());
    const Eigen::SparseMatrix<double, Eigen::RowMajor> by_rows = m;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) rows.row(i) = Eigen::RowVectorXd(by_rows.row(entry(i)));
    return weights_ * rows;
  }
  int entry(Eigen::Index k) const { return variables_[static_cast<std::size_t>(k)]; }

  system::System::Workspace work_;
  system::Levels levels_;
  std::vector<int> active_;
  std::vector<int> variables_;
  Eigen::MatrixXd weights_;
  bool ok_ = false;
};

// Why a VARIABLE is no coordinate of positions; empty where it is one.
core::Words unfit(const assembly::Layout& layout, const VariableRows& rows, Eigen::Index k,
                  const core::Words& name) {
  const Eigen::MatrixXd by_q = rows.by_q();
  double positions = 0, states = 0;
  for (int i = 0; i < layout.size(); ++i) {
    if (layout.states().has(i)) states = std::max(states, std::abs(by_q(k, i)));
    else if (layout.is_mechanical(i)) positions = std::max(positions, std::abs(by_q(k, i)));
  }
  const auto largest = [&](const Eigen::MatrixXd& m) {
    return m.cols() > 0 ? m.row(k).cwiseAbs().maxCoeff() : 0.0;
  };
  const char* reads = states > kNone * positions                         ? "a state"
                      : largest(rows.by_v()) > kNone * positions         ? "velocities"
                      : largest(rows.by_a()) > kNone * positions         ? "accelerations"
                      : largest(rows.by_reactions()) > kNone * positions ? "reactions"
                                                                         : nullptr;
  if (reads)
    return core::words("{} reads {}: a coordinate of PSTATE is an expression of displacements alone", name,
                       reads);
  if (positions == 0)
    return core::words("{} does not change with any displacement here: it is no coordinate", name);
  return {};
}

// P at the state a time h later, in ground axes.
bool rows_later(const system::System& system, const AssemblyResult& at, const std::vector<int>& chosen,
                double h, Eigen::MatrixXd& P) {
  assembly::State state = assembly::advanced(system.layout(), at.state, h);
  if (h != 0) {
    // Variables as they are there; they need not be linear in one another.
    system::System::Workspace work(system, assembly::AnalysisMode::linear);
    core::Words message;
    if (!solve_accelerations(system, at.active, state, work, message)) return false;
  }
  VariableRows rows(system, at.active, state, chosen);
  if (!rows.ok()) return false;
  const LinearCoordinates c(system, rows.work().kinematics, {});
  P = rows.by_q() * c.E;
  P.rightCols(system.layout().size() - system.layout().mechanical_size()).setZero();
  return true;
}

bool rates(const system::System& system, const AssemblyResult& at, const std::vector<int>& chosen,
           CoordinateRows& out) {
  constexpr double kPart = 0.05;
  constexpr std::array<double, 4> kFirst = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  constexpr std::array<double, 4> kSecond = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  constexpr double kMiddle = -205.0 / 72;
  system::System::Workspace work(system, assembly::AnalysisMode::linear);
  const double pace = analysis::pace(system, at.state, work);
  const double h = kPart / (pace > 0 ? pace : 1.0);
  out.P2 = kMiddle / (h * h) * out.P;
  for (std::size_t k = 0; k < kFirst.size(); ++k) {
    const double step = h * static_cast<double>(k + 1);
    Eigen::MatrixXd after, before;
    if (!rows_later(system, at, chosen, step, after) || !rows_later(system, at, chosen, -step, before))
      return false;
    out.P1 += kFirst[k] / h * (after - before);
    out.P2 += kSecond[k] / (h * h) * (after + before);
  }
  return true;
}

// Rows in their order as far as they are independent over the columns of `basis`, and unit rows for the rest of `entries`.
CoordinateRows complete(const system::System& system, const CoordinateRows& given,
                        const Eigen::MatrixXd& basis, const std::vector<int>& entries,
                        std::vector<core::Words>& left_out) {
  constexpr double kIndependent = 1e-8;
  Eigen::MatrixXd rest = given.P * basis;
  std::vector<Eigen::Index> kept;
  std::vector<char> taken(entries.size(), 0);
  const Eigen::VectorXd size = rest.rowwise().norm();
  for (Eigen::Index i = 0; i < rest.rows(); ++i) {
    Eigen::Index column = 0;
    if (rest.cols() == 0 || rest.row(i).cwiseAbs().maxCoeff(&column) <= kIndependent * size[i]) {
      left_out.push_back(given.names[static_cast<std::size_t>(i)]);
      continue;
    }
    kept.push_back(i);
    taken[static_cast<std::size_t>(column)] = 1;
    for (Eigen::Index j = i + 1; j < rest.rows(); ++j)
      rest.row(j) -= rest(j, column) / rest(i, column) * rest.row(i);
  }
  CoordinateRows out;
  const auto count = static_cast<Eigen::Index>(entries.size());
  out.P = Eigen::MatrixXd::Zero(count, given.P.cols());
  out.P1 = out.P2 = out.P;
  Eigen::Index row = 0;
  for (const Eigen::Index i : kept) {
    out.P.row(row) = given.P.row(i);
    out.P1.row(row) = given.P1.row(i);
    out.P2.row(row++) = given.P2.row(i);
    out.names.push_back(given.names[static_cast<std::size_t>(i)]);
  }
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (taken[k]) continue;
    out.P(row++, entries[k]) = 1;
    out.names.push_back(coordinate_name(system, entries[k], {}));
  }
  return out;
}

}  // namespace

ChosenCoordinates choose_coordinates(const system::System& system, const AssemblyResult& at,
                                     const std::vector<BlockId>& chosen, const LinearColumns& columns) {
  ChosenCoordinates out;
  const assembly::Layout& layout = system.layout();
  std::vector<int> entries;
  CoordinateRows given;
  for (const BlockId id : chosen) {
    entries.push_back(layout.block(id).offset);
    given.names.push_back(layout.block(id).owner);
  }
  const VariableRows rows(system, at.active, at.state, entries);
  if (!rows.ok()) {
    out.trouble = "the equations of the VARIABLEs are singular here";
    return out;
  }
  for (Eigen::Index k = 0; k < static_cast<Eigen::Index>(entries.size()) && out.trouble.empty(); ++k)
    out.trouble = unfit(layout, rows, k, given.names[static_cast<std::size_t>(k)]);
  if (!out.trouble.empty()) return out;
  rows_later(system, at, entries, 0, given.P);
  given.P1 = given.P2 = Eigen::MatrixXd::Zero(given.P.rows(), given.P.cols());
  const bool still = at.state.v.isZero(0) && at.state.a.isZero(0);
  if (!still && !rates(system, at, entries, given)) {
    out.trouble = "PSTATE: the rates of its coordinates along the motion cannot be found";
    return out;
  }
  std::vector<core::Words> left_out, again;
  const auto ny = static_cast<Eigen::Index>(columns.positions.size()),
             nu = static_cast<Eigen::Index>(columns.velocities.size());
  out.positions = complete(system, given, columns.xi.leftCols(ny), columns.positions, left_out);
  out.velocities = complete(system, given, columns.nu.middleCols(ny, nu), columns.velocities, again);
  for (const core::Words& name : left_out)
    out.messages.push_back(core::words(
        "PSTATE: {} is left out: here constraints hold it, or it follows from the coordinates before it",
        name));
  return out;
}

}  // namespace trunnion::analysis
