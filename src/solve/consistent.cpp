// Consistent states: accelerations, and positions and velocities that the constraints allow.

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "elements/body.hpp"
#include "solve/newton.hpp"
#include "solve/stage_solver.hpp"

namespace trunnion::solve {

using assembly::Segment;
using system::System;

namespace {

// The statements whose equations need each other, `column` among them: what is reached from it and reaches it through entries
// between states and variables. Equation k of a tangent entry is the one that gives unknown k.
core::Words loop_through(const StageEquations& equations, int column) {
  const sparse::CscMatrix& A = equations.matrix();
  const assembly::Layout& layout = equations.layout();
  const auto n = static_cast<std::size_t>(equations.tangent_size());
  const auto scalar = [&](int k) {
    return k < equations.tangent_size() && !layout.block(layout.block_of(k)).is_body();
  };
  std::vector<std::vector<int>> readers(n), reads(n);
  for (int c = 0; c < equations.tangent_size(); ++c) {
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
  for (int k = 0; k < equations.tangent_size(); ++k) {
    const core::Words& owner = layout.block(layout.block_of(k)).owner;
    const bool within = there[static_cast<std::size_t>(k)] && back[static_cast<std::size_t>(k)];
    if (within && (owners.empty() || owners.back() != owner)) owners.push_back(owner);
  }
  return core::words("{}", fmt::join(owners, ", "));
}

}  // namespace

bool StageSolver::factor_motion(const State& state, Workspace& work, const Choice& choice) {
  motion_.evaluate(state, work, motion_maps_, true, nullptr, choice);
  return motion_.factor() != sparse::FactorStatus::singular || singular(state, work);
}

// The same factors, φ and φ̇ without the residual of accelerations; with `rates` how φ̇ changes with the positions too.
bool StageSolver::factor_masses(const State& state, Workspace& work, bool rates) {
  motion_.evaluate_matrix(state, work, motion_maps_, rates);
  return motion_.factor() != sparse::FactorStatus::singular || singular(state, work);
}

bool StageSolver::singular(const State& state, Workspace& work) {
  if (const core::Words bad = motion_.equations.not_finite(); !bad.empty())
    return not_finite(bad + " is not a finite number", state, work);
  const auto at = motion_.factors.singular();
  const int n = motion_.equations.tangent_size();
  if (at && at->col >= 0 && at->col < n) {
    if (!system_.layout().block(system_.layout().block_of(at->col)).is_body())
      return fail(
          core::words("{} cannot be found: its equations do not determine it (an algebraic loop through {})",
                      motion_.equations.column_name(at->col), loop_through(motion_.equations, at->col)));
    return fail(core::words("{} has no mass and is unconstrained, so its acceleration is undetermined",
                            motion_.equations.column_name(at->col)));
  }
  if (at && at->col >= n)
    return fail(core::words("the {} cannot be found: its equation depends on others here",
                            motion_.equations.column_name(at->col)));
  return fail("the accelerations are undetermined: the equations of motion are singular");
}

double StageSolver::largest_active(const Eigen::VectorXd& values) const {
  double size = 0;
  for (const int r : active_) {
    if (!(std::abs(values[r]) <= size)) size = std::abs(values[r]);
  }
  return size;
}

// φ, of rows that hold places, or φ̇.
double StageSolver::largest_off(bool velocities) const {
  const StageEquations& equations = motion_.equations;
  if (velocities) return largest_active(equations.rate());
  double size = 0;
  for (int k = 0; k < equations.active_count(); ++k) {
    const double here = std::abs(equations.phi()[equations.row_of_active(k)]);
    if (!equations.holds_velocity(k) && !(here <= size)) size = here;
  }
  return size;
}

// What counts as zero of φ and of φ̇: rounding of the farthest place and of the greatest speed.
double StageSolver::close_to_zero(const State& state, bool velocities) const {
  constexpr double kClose = 1e-12;
  const double far = velocities ? (state.v.size() > 0 ? state.v.lpNorm<Eigen::Infinity>() : 0.0)
                                : assembly::farthest_place(system_.layout(), state.q);
  return kClose * std::max(1.0, far);
}

// The expression behind it says more than the equation it spoils.
bool StageSolver::not_finite(const core::Words& what, const State& state, Workspace& work) {
  const std::vector<core::Words> causes = system_.not_finite(state, work);
  return fail(causes.empty() ? what : core::words("{}", fmt::join(causes, "; ")));
}

// Before corrections spread it over all rows: the row that has no finite value or rate.
bool StageSolver::rows_finite(const Eigen::VectorXd& values, const char* what, const State& state,
                              Workspace& work) {
  for (const int r : active_) {
    if (!std::isfinite(values[r]))
      return not_finite(
          core::words("{}: {} is not a finite number", system_.layout().row_name(assembly::RowId{r}), what),
          state, work);
  }
  return true;
}

// Forces that read neither accelerations nor reactions leave equations that are linear in both.
bool StageSolver::linear_in_accelerations() const {
  const assembly::Layout& layout = system_.layout();
  const system::Levels& levels = motion_.equations.levels();
  return layout.size() == layout.mechanical_size() && levels.readings().empty() &&
         levels.inertia_terms() == static_cast<int>(system_.body_elements().size());
}

// Newton with the factors at hand; they are renewed where it does not go fast. Of linear equations the residual after a correction is
// known without another evaluation, also by factors of a state that has moved since.
class StageSolver::AccelerationIteration {
 public:
  AccelerationIteration(StageSolver& solver, State& state, Workspace& work)
      : s_(solver), state_(state), work_(work), equations_(solver.motion_.equations) {}

  // The residual at the start is there already.
  Verdict evaluate(int k) {
    if (renew_) {
      if (!s_.factor_motion(state_, work_)) return Verdict::failed;
    } else if (k > 0) {
      // Rows are those of the positions and velocities, which stay, unless they read what is iterated here too.
      const bool bodies_only = equations_.layout().size() == equations_.layout().mechanical_size();
      if (known_) s_.motion_.equations.advance_linear(s_.x_);
      else if (bodies_only) s_.motion_.evaluate_forces(state_, work_, s_.motion_maps_);
      else s_.motion_.evaluate(state_, work_, s_.motion_maps_, false);
    }
    return Verdict::again;
  }

  Verdict correct(int k) {
    constexpr double kConverged = 1e-11, kFast = 0.1;
    s_.x_ = -equations_.residual();
    s_.motion_.solve(s_.x_);
    const double size = s_.x_.size() > 0 ? s_.x_.lpNorm<Eigen::Infinity>() : 0.0;
    if (!s_.x_.allFinite()) {  // the norm may overlook what is not a number
      const core::Words bad = equations_.not_finite();
      s_.not_finite(bad.empty() ? "the accelerations are not finite numbers" : bad + " is not a number",
                    state_, work_);
      return Verdict::failed;
    }
    add();
    const double scale = std::max({1.0, state_.a.size() > 0 ? state_.a.lpNorm<Eigen::Infinity>() : 0.0,
                                   state_.lambda.size() > 0 ? state_.lambda.lpNorm<Eigen::Infinity>() : 0.0});
    // What is left after a linear solve is rounding, and stays as large however often it is repeated.
    constexpr double kRounding = 1e-7;
    if (size <= kConverged * scale || (k > 1 && size <= kRounding * scale && size >= 0.5 * before_))
      return Verdict::done;
    renew_ = k > 0 && size > kFast * before_;
    known_ = !renew_ && s_.linear_in_accelerations();
    // The next correction would be as much smaller as this one is. (What a VARIABLE lacks is not to be judged by the accelerations beside it.)
    if (k > 0 && known_ && size * (size / before_) <= kConverged * scale) return Verdict::done;
    before_ = size;
    return Verdict::again;
  }

 private:
  void add() {
    const assembly::Layout& layout = equations_.layout();
    const Segment &q = layout.coordinates(), &z = layout.states(), &w = layout.variables();
    state_.a.head(q.size) += s_.x_.head(q.size);
    state_.v.segment(z.offset, z.size) += s_.x_.segment(z.offset, z.size);
    state_.q.segment(w.pose_offset, w.size) += s_.x_.segment(w.offset, w.size);
    for (int k = 0; k < equations_.active_count(); ++k)
      state_.lambda[equations_.row_of_active(k)] += s_.x_[equations_.lambda_offset() + k];
  }

  StageSolver& s_;
  State& state_;
  Workspace& work_;
  const StageEquations& equations_;
  bool renew_ = false;
  bool known_ = false;  // the next residual, without an evaluation
  double before_ = 0;
};

bool StageSolver::refine(State& state, Workspace& work) {
  constexpr int kIterations = 50;
  for (const int r : inactive_) state.lambda[r] = 0;
  if (newton(AccelerationIteration(*this, state, work), kIterations) == Verdict::done) {
    share_reactions(motion_, state);
    return true;
  }
  if (!message_.empty()) return false;
  Eigen::Index worst = 0;
  x_.cwiseAbs().maxCoeff(&worst);
  return fail(core::words("the accelerations do not converge: {} still changes by {:.3g}",
                          motion_.equations.column_name(static_cast<int>(worst)), x_[worst]));
}

bool StageSolver::accelerations(State& state, Workspace& work) {
  message_.clear();
  if (!factor_motion(state, work) || !refine(state, work)) return false;
  system_.update(state, work);
  return true;
}

// δ of least change in the masses that takes `off` from the active rows, on the factors at hand. False where it is no number.
bool StageSolver::least_change(const Eigen::VectorXd& off, bool velocities) {
  const StageEquations& equations = motion_.equations;
  const assembly::Layout& layout = equations.layout();
  x_.setZero(equations.size());
  for (int k = 0; k < equations.active_count(); ++k) {
    if (!velocities && equations.holds_velocity(k)) continue;  // what it holds, ψ, is no place
    const int equation = equations.lambda_offset() + k;
    x_[equation] = -equations.row_scale(equation) * off[equations.row_of_active(k)];
  }
  motion_.solve(x_);
  d_ = x_.head(layout.size());
  d_.tail(layout.size() - layout.mechanical_size()).setZero();
  return d_.allFinite() ||
         fail(velocities ? "the velocities are not finite numbers" : "the positions are not finite numbers");
}

// Positions or velocities, on the factors at hand: of the masses with G, or of G by the coordinates that are not held. They are renewed
// where it does not go fast.
class StageSolver::ProjectionIteration {
 public:
  ProjectionIteration(StageSolver& solver, State& state, Workspace& work, bool velocities, bool held)
      : s_(solver),
        state_(state),
        work_(work),
        velocities_(velocities),
        held_(held),
        close_(solver.close_to_zero(state, velocities)) {}

  Verdict evaluate(int k) {
    constexpr double kFast = 0.1;
    if (k > 0) s_.motion_.evaluate_rows(state_, work_);
    if (!s_.rows_finite(off(), velocities_ ? "its rate" : "its value", state_, work_)) return Verdict::failed;
    const double size = s_.largest_off(velocities_);
    if (size <= close_) return Verdict::done;
    const bool slow = k > 0 && size > kFast * before_;
    // Rounding leaves nothing better.
    constexpr double kRounding = 1e3;
    if (slow && size <= kRounding * close_ && size > 0.5 * before_) return Verdict::done;
    before_ = size;
    return slow && !renew() ? Verdict::failed : Verdict::again;
  }

  Verdict correct(int) {
    if (held_) {
      s_.dependent_.solve(off(), s_.d_);
      s_.d_ = -s_.d_;
      if (!s_.d_.allFinite()) {
        s_.fail(velocities_ ? "the velocities are not finite numbers"
                            : "the positions are not finite numbers");
        return Verdict::failed;
      }
    } else if (!s_.least_change(off(), velocities_)) {
      return Verdict::failed;
    }
    if (velocities_) state_.v += s_.d_;
    else assembly::retract(s_.system_.layout(), state_.q, s_.d_, state_.q);
    return Verdict::again;
  }

 private:
  const Eigen::VectorXd& off() const {
    return velocities_ ? s_.motion_.equations.rate() : s_.motion_.equations.phi();
  }
  bool renew() {
    if (!held_) return s_.factor_masses(state_, work_);
    return s_.dependent_.factor(s_.motion_.equations.levels().gradient()) ||
           s_.fail("the constraints do not determine the coordinates that are not held");
  }

  StageSolver& s_;
  State& state_;
  Workspace& work_;
  bool velocities_, held_;
  double close_, before_ = 0;
};

Verdict StageSolver::project(State& state, Workspace& work, bool velocities, bool held) {
  constexpr int kIterations = 8;
  return newton(ProjectionIteration(*this, state, work, velocities, held), kIterations);
}

// One correction each of positions and velocities by one evaluation: B says how rates change with the positions, so that what is left of
// both is of the second order. Gives the rates that were there to be taken away.
bool StageSolver::project_once(State& state, Workspace& work, double& rate_before) {
  if (!factor_masses(state, work, true)) return false;
  const StageEquations& equations = motion_.equations;
  if (!rows_finite(equations.phi(), "its value", state, work) ||
      !rows_finite(equations.rate(), "its rate", state, work))
    return false;
  rate_ahead_ = equations.rate();
  if (largest_off(false) > close_to_zero(state, false)) {
    if (!least_change(equations.phi(), false)) return false;
    for (const int r : active_) rate_ahead_[r] += equations.levels().along_B(r, d_);
    assembly::retract(system_.layout(), state.q, d_, state.q);
  }
  rate_before = largest_active(rate_ahead_);
  if (rate_before <= close_to_zero(state, true)) return true;
  if (!least_change(rate_ahead_, true)) return false;
  state.v += d_;
  return true;
}

// Rows evaluated, and the factors that a projection needs.
bool StageSolver::prepare(const State& state, Workspace& work, const Held& held) {
  message_.clear();
  if (held.empty()) return factor_masses(state, work);
  const assembly::Layout& layout = system_.layout();
  not_solved_for_.assign(static_cast<std::size_t>(layout.size()), 1);
  for (int i = 0; i < layout.mechanical_size(); ++i)
    not_solved_for_[static_cast<std::size_t>(i)] = held[static_cast<std::size_t>(i)];
  motion_.evaluate_rows(state, work);
  const sparse::CscMatrix& G = motion_.equations.levels().gradient();
  if (!dependent_.chosen_for(active_, not_solved_for_)) dependent_.choose(G, active_, not_solved_for_);
  if (!dependent_.square())
    return fail(core::words("{} coordinates are held, which leaves {} to be found from {} constraints",
                            layout.mechanical_size() - dependent_.size(), dependent_.size(), active_.size()));
  return dependent_.factor(G) || fail("the constraints do not determine the coordinates that are not held");
}

bool StageSolver::onto_positions(State& state, Workspace& work, const Held& held) {
  if (!prepare(state, work, held)) return false;
  if (project(state, work, false, !held.empty()) == Verdict::done) return true;
  return !message_.empty() ? false : fail("the positions do not converge onto the constraints");
}

bool StageSolver::onto_velocities(State& state, Workspace& work, const Held& held) {
  if (!prepare(state, work, held)) return false;
  if (project(state, work, true, !held.empty()) == Verdict::done) return true;
  return !message_.empty() ? false : fail("the velocities do not converge onto the constraints");
}

// The evaluation that accelerations need shows whether one correction was enough. What does not quite converge is as good as it gets;
// accelerations are found there.
bool StageSolver::reconcile(State& state, Workspace& work, double left) {
  message_.clear();
  double rate_before = 0;
  if (!project_once(state, work, rate_before)) return false;
  motion_.evaluate(state, work, motion_maps_, false);
  const double close_rate = std::max(close_to_zero(state, true), left * rate_before);
  if (!(largest_off(false) <= close_to_zero(state, false)) || !(largest_off(true) <= close_rate)) {
    project(state, work, false, false);
    if (message_.empty()) project(state, work, true, false);
    if (!message_.empty()) return false;
    motion_.evaluate(state, work, motion_maps_, false);
  }
  return refine(state, work);
}

}  // namespace trunnion::solve
