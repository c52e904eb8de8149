#include "solve/consistent.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "solve/ordering.hpp"

namespace trunnion::solve {

using assembly::Segment;
using assembly::State;
using system::System;

Consistent::Consistent(const System& system, std::vector<int> active_rows)
    : system_(system),
      active_(std::move(active_rows)),
      equations_(system.layout(), active_, StageEquations::Rows::acceleration),
      d_(Eigen::VectorXd::Zero(system.layout().size())) {
  const assembly::Layout& layout = system.layout();
  std::vector<char> active(static_cast<std::size_t>(layout.row_count()), 0);
  for (const int r : active_) active[static_cast<std::size_t>(r)] = 1;
  for (int r = 0; r < layout.row_count(); ++r) {
    if (!active[static_cast<std::size_t>(r)]) inactive_.push_back(r);
  }
}

bool Consistent::factor(const State& state, System::Workspace& work) {
  equations_.evaluate(system_, state, work, maps_, true);
  if (equations_.new_pattern()) analysed_ = false;
  if (!analysed_) {
    if (!lu_.analyse(equations_.matrix(), elimination_order(system_.layout(), equations_)))
      return singular(state, work);
    analysed_ = true;
    return lu_.factor(equations_.matrix()) != sparse::FactorStatus::singular || singular(state, work);
  }
  return lu_.update(equations_.matrix()) != sparse::FactorStatus::singular || singular(state, work);
}

// The statements whose equations need each other, `column` among them: what is reached from it and reaches it through entries
// between states and variables. Equation k of a tangent entry is the one that gives unknown k.
core::Words Consistent::loop_through(int column) const {
  const sparse::CscMatrix& A = equations_.matrix();
  const assembly::Layout& layout = system_.layout();
  const auto n = static_cast<std::size_t>(equations_.tangent_size());
  const auto scalar = [&](int k) {
    return k < equations_.tangent_size() && !layout.block(layout.block_of(k)).is_body();
  };
  std::vector<std::vector<int>> readers(n), reads(n);
  for (int c = 0; c < equations_.tangent_size(); ++c) {
    if (!scalar(c)) continue;
    for (int e = A.start[static_cast<std::size_t>(c)]; e < A.start[static_cast<std::size_t>(c) + 1]; ++e) {
      const int r = A.row[static_cast<std::size_t>(e)];
      if (!scalar(r) || A.value[static_cast<std::size_t>(e)] == 0) continue;
      readers[static_cast<std::size_t>(c)].push_back(r);
      reads[static_cast<std::size_t>(r)].push_back(c);
    }
  }
  const auto reached = [&](const std::vector<std::vector<int>>& next) {
    std::vector<char> seen(n, 0);
    std::vector<int> open{column};
    while (!open.empty()) {
      const auto k = static_cast<std::size_t>(open.back());
      open.pop_back();
      if (std::exchange(seen[k], 1)) continue;
      open.insert(open.end(), next[k].begin(), next[k].end());
    }
    return seen;
  };
  const std::vector<char> there = reached(readers), back = reached(reads);
  std::vector<core::Words> owners;
  for (int k = 0; k < equations_.tangent_size(); ++k) {
    const core::Words& owner = layout.block(layout.block_of(k)).owner;
    const bool within = there[static_cast<std::size_t>(k)] && back[static_cast<std::size_t>(k)];
    if (within && (owners.empty() || owners.back() != owner)) owners.push_back(owner);
  }
  return core::words("{}", fmt::join(owners, ", "));
}

bool Consistent::singular(const State& state, System::Workspace& work) {
  if (const core::Words bad = equations_.not_finite(); !bad.empty())
    return not_finite(bad + " is not a finite number", state, work);
  const auto at = lu_.singular();
  const int n = equations_.tangent_size();
  if (at && at->col >= 0 && at->col < n) {
    if (!system_.layout().block(system_.layout().block_of(at->col)).is_body())
      return fail(
          core::words("{} cannot be found: its equations do not determine it (an algebraic loop through {})",
                      equations_.column_name(at->col), loop_through(at->col)));
    return fail(core::words("{} has no mass and is unconstrained, so its acceleration is undetermined",
                            equations_.column_name(at->col)));
  }
  if (at && at->col >= n)
    return fail(core::words("the {} cannot be found: its equation depends on others here",
                            equations_.column_name(at->col)));
  return fail("the accelerations are undetermined: the equations of motion are singular");
}

void Consistent::add(State& state) const {
  const assembly::Layout& layout = system_.layout();
  const Segment &q = layout.coordinates(), &z = layout.states(), &w = layout.variables();
  state.a.head(q.size) += x_.head(q.size);
  state.v.segment(z.offset, z.size) += x_.segment(z.offset, z.size);
  state.q.segment(w.pose_offset, w.size) += x_.segment(w.offset, w.size);
  for (int k = 0; k < equations_.active_count(); ++k)
    state.lambda[equations_.row_of_active(k)] += x_[equations_.lambda_offset() + k];
}

// Residual only; the factors stay.
void Consistent::evaluate(const State& state, System::Workspace& work) {
  equations_.evaluate(system_, state, work, maps_, false);
}

double Consistent::largest_active(const Eigen::VectorXd& values) const {
  double size = 0;
  for (const int r : active_) {
    if (!(std::abs(values[r]) <= size)) size = std::abs(values[r]);
  }
  return size;
}

bool Consistent::accelerations(State& state, System::Workspace& work) {
  message_.clear();
  return factor(state, work) && refine(state, work);
}

// Newton with the factors at hand; they are renewed where it does not go fast. Linear equations need one iteration and one
// that shows it.
bool Consistent::refine(State& state, System::Workspace& work) {
  for (const int r : inactive_) state.lambda[r] = 0;
  constexpr int kIterations = 50;
  constexpr double kConverged = 1e-11, kFast = 0.1;
  double before = 0;
  for (int k = 0; k < kIterations; ++k) {
    if (k > 0) evaluate(state, work);
    x_ = -equations_.residual();
    lu_.solve(x_);
    const double size = x_.size() > 0 ? x_.lpNorm<Eigen::Infinity>() : 0.0;
    if (!x_.allFinite()) {  // the norm may overlook what is not a number
      const core::Words bad = equations_.not_finite();
      return not_finite(bad.empty() ? "the accelerations are not finite numbers" : bad + " is not a number",
                        state, work);
    }
    add(state);
    const double scale = std::max({1.0, state.a.size() > 0 ? state.a.lpNorm<Eigen::Infinity>() : 0.0,
                                   state.lambda.size() > 0 ? state.lambda.lpNorm<Eigen::Infinity>() : 0.0});
    // What is left after a linear solve is rounding, and stays as large however often it is repeated.
    constexpr double kRounding = 1e-7;
    if (size <= kConverged * scale || (k > 1 && size <= kRounding * scale && size >= 0.5 * before)) {
      system_.update(state, work);
      return true;
    }
    if (k > 0 && size > kFast * before && !factor(state, work)) return false;
    before = size;
  }
  Eigen::Index worst = 0;
  x_.cwiseAbs().maxCoeff(&worst);
  return fail(core::words("the accelerations do not converge: {} still changes by {:.3g}",
                          equations_.column_name(static_cast<int>(worst)), x_[worst]));
}

// The expression behind it says more than the equation it spoils.
bool Consistent::not_finite(const core::Words& what, const State& state, System::Workspace& work) {
  const std::vector<core::Words> causes = system_.not_finite(state, work);
  return fail(causes.empty() ? what : core::words("{}", fmt::join(causes, "; ")));
}

// Before corrections spread it over all rows: the row that has no finite value or rate.
bool Consistent::rows_finite(const Eigen::VectorXd& values, const char* what, const State& state,
                             System::Workspace& work) {
  for (const int r : active_) {
    if (!std::isfinite(values[r]))
      return not_finite(
          core::words("{}: {} is not a finite number", system_.layout().row_name(assembly::RowId{r}), what),
          state, work);
  }
  return true;
}

// δ of the coordinates that takes `off` away, into d_.
void Consistent::solve_for(const Eigen::VectorXd& off) {
  const assembly::Layout& layout = system_.layout();
  x_.setZero(equations_.size());
  for (int k = 0; k < equations_.active_count(); ++k)
    x_[layout.size() + k] = -off[equations_.row_of_active(k)];
  lu_.solve(x_);
  d_ = x_.head(layout.size());
  d_.tail(layout.size() - layout.mechanical_size()).setZero();
}

bool Consistent::reconcile(State& state, System::Workspace& work) {
  message_.clear();
  constexpr int kIterations = 8;
  constexpr double kClose = 1e-12;
  if (!factor(state, work) || !rows_finite(equations_.phi(), "its value", state, work)) return false;
  double size = 1;
  for (const system::BodyInfo& b : system_.bodies())
    size = std::max(size, work.kinematics.body(b.block).x.lpNorm<Eigen::Infinity>());
  double before = largest_active(equations_.phi());
  for (int k = 0; k < kIterations && before > kClose * size; ++k) {
    solve_for(equations_.phi());
    assembly::retract(system_.layout(), state.q, d_, state.q);
    if (!state.q.allFinite()) return fail("the positions are not finite numbers");
    evaluate(state, work);
    const double off = largest_active(equations_.phi());
    if (off > 0.1 * before && off > kClose * size && !factor(state, work)) return false;
    before = off;
  }
  const double speed = std::max(1.0, state.v.size() > 0 ? state.v.lpNorm<Eigen::Infinity>() : 0.0);
  for (int k = 0; k < kIterations && largest_active(equations_.rate()) > kClose * speed; ++k) {
    if (!rows_finite(equations_.rate(), "its rate", state, work)) return false;
    solve_for(equations_.rate());
    state.v += d_;
    evaluate(state, work);
  }
  return refine(state, work);
}

}  // namespace trunnion::solve
