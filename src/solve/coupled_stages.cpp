#include "solve/coupled_stages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/newton.hpp"
#include "solve/past_corrections.hpp"
#include "solve/stage_solver.hpp"

namespace trunnion::solve {

namespace {

double largest_row(const Eigen::MatrixXd& m) { return m.cwiseAbs().rowwise().sum().maxCoeff(); }

// φ, ψ and φ̇ themselves.
LevelMaps unit_maps() {
  LevelMaps maps;
  maps.body = maps.state = maps.variable = {1, 1, 1};
  return maps;
}

}  // namespace

class StageSolver::CoupledIteration {
 public:
  CoupledIteration(StageSolver& solver, CoupledStages& stages, Workspace& work)
      : s_(solver),
        stages_(stages),
        work_(work),
        equations_(solver.stage_.equations),
        past_(s_.settings_.by_past ? in_accelerations() : Eigen::VectorXd()) {
    s_.residuals_.resize(equations_.size(), stages.count());
    s_.apart_.resize(equations_.size(), stages.count());
    s_.corrections_.resize(equations_.size(), stages.count());
  }

  Outcome outcome = Outcome::converged;
  int limit() const {
    constexpr int kByPast = 2;  // first they are gathered
    if (s_.settings_.exactly > 0) return s_.settings_.exactly;
    return s_.settings_.by_past ? kByPast * s_.settings_.maxit : s_.settings_.maxit;
  }

  Verdict evaluate(int k) {
    s_.last_iterations_ = k + 1;
    const std::vector<char>& pattern = s_.settings_.pattern;
    const bool asked = !pattern.empty() && pattern[static_cast<std::size_t>(k) % pattern.size()] != 0;
    if (!asked && s_.fresh_wanted_ < 0 && another_step()) s_.renew(NewMatrix::cheaper);
    fresh_ = s_.fresh_wanted_ >= 0 || asked;
    if (fresh_) {
      const auto why =
          s_.fresh_wanted_ >= 0 ? static_cast<NewMatrix>(s_.fresh_wanted_) : NewMatrix::asked_for;
      ++s_.counts_.matrices[static_cast<int>(why)];
      s_.fresh_wanted_ = -1;
      const bool evaluated = s_.levels_old_ || asked || (why != NewMatrix::slow && why != NewMatrix::cheaper);
      if (!build(evaluated) && !(s_.combined_ && build(true))) {
        s_.renew(NewMatrix::failed);
        return end(equations_.not_finite().empty() ? Outcome::singular : Outcome::not_finite);
      }
    }
    residuals();
    return Verdict::again;
  }

  Verdict correct(int k) {
    solve();
    const double delta = stages_.size(s_.corrections_);
    if (!std::isfinite(delta) || !s_.corrections_.allFinite()) return end(Outcome::not_finite);
    tell(k);
    if (s_.settings_.by_past) past_.improve(s_.corrections_);
    add();
    return judge(k, delta);
  }

 private:
  // Multipliers over σ, as the matrix' unknowns are.
  Eigen::VectorXd in_accelerations() const {
    Eigen::VectorXd weight = Eigen::VectorXd::Ones(equations_.size());
    weight.segment(equations_.lambda_offset(), equations_.active_count()).setConstant(1 / equations_.sigma());
    return weight;
  }

  // Matrices of a step this much longer or shorter converge slowly, and new sums cost little.
  bool another_step() const {
    constexpr double kOther = 1.2;
    const double ratio = stages_.maps(false).body.q / s_.coupled_map_;
    return ratio > kOther || ratio < 1 / kOther;
  }

  bool build(bool evaluated) {
    State& last = stages_.trial(stages_.count() - 1);
    if (!s_.build(stages_, last, work_, evaluated)) return false;
    s_.coupled_map_ = stages_.maps(false).body.q;
    return !stages_.has_pair() || s_.pair_.factor(equations_, stages_.pair_maps());
  }

  void residuals() {
    static const LevelMaps unit = unit_maps();
    for (int k = 0; k < stages_.count(); ++k) {
      s_.stage_.evaluate(stages_.trial(k), work_, unit, false, stages_.y_of(k), stages_.choice());
      ++s_.counts_.evaluations;
      s_.residuals_.col(k) = equations_.residual();
    }
  }

  void solve() {
    ++s_.counts_.iterations;
    ++s_.counts_.solves;
    Eigen::MatrixXd& w = s_.apart_;
    w.noalias() = s_.residuals_.lazyProduct(stages_.from_stages().transpose());
    int column = 0;
    if (stages_.has_real()) {
      s_.x_ = -w.col(0);
      equations_.scale_rows<double>(stages_.maps(false), s_.x_);
      s_.stage_.solve(s_.x_);
      w.col(column++) = s_.x_;
    }
    if (stages_.has_pair()) {
      Eigen::VectorXcd& z = s_.pair_correction_;
      z.resize(w.rows());
      z.real() = w.col(column);
      z.imag() = w.col(column + 1);
      s_.pair_.solve(equations_, stages_.pair_maps(), z);
      w.col(column) = z.real();
      w.col(column + 1) = z.imag();
    }
    s_.corrections_.noalias() = w.lazyProduct(stages_.to_stages().transpose());
  }

  // Of the stage that ends the step.
  void tell(int k) {
    if (!s_.listener) return;
    note_worst();
    const int last = stages_.count() - 1;
    s_.x_ = s_.corrections_.col(last);
    s_.listener({k + 1, s_.worst_residual_, s_.x_[s_.worst_variable_], s_.worst_equation_, s_.worst_variable_,
                 fresh_, fresh_ && s_.new_pivots_, fresh_ ? s_.lu().left_pivot() : std::nullopt,
                 stages_.trial(last), s_.x_});
  }

  void add() {
    stages_.add(s_.corrections_);
    for (int k = 0; k < stages_.count(); ++k) {
      State& trial = stages_.trial(k);
      for (int i = 0; i < equations_.active_count(); ++i) {
        const int row = equations_.row_of_active(i);
        trial.lambda[row] += s_.corrections_(equations_.lambda_offset() + i, k);
        if (equations_.stabilised()) trial.mu[row] += s_.corrections_(equations_.mu_offset() + i, k);
      }
    }
  }

  // As of a single stage: the error that is left, by the rate at which corrections shrink, is a small part of what is allowed.
  Verdict judge(int k, double delta) {
    const double c = s_.settings_.c;
    constexpr double kAged = 0.05, kFirst = 1e-3, kDiverges = 2;
    double rate = s_.rate_ > 0 ? std::max(2 * s_.rate_, kAged) : 0.0;
    if (k > 0) {
      rate = before_ > 0 ? delta / before_ : 0.0;
      if (rate > kDiverges && k > patience() && delta > std::max(c, stages_.rounding()) &&
          !is_rounding(delta))
        return end(Outcome::diverged);
      s_.rate_ = std::max({rate, 0.5 * (k > 1 ? s_.rate_ : 0.0), 1e-6});
    }
    before_ = delta;
    if (s_.settings_.exactly > 0) return k + 1 == limit() ? Verdict::done : Verdict::again;
    const double left = rate >= 1 ? std::numeric_limits<double>::infinity() : rate / (1 - rate) * delta;
    const bool small =
        ((k > 0 || s_.rate_ > 0) ? left <= c : delta <= kFirst * c) || delta <= stages_.rounding();
    constexpr double kStill = 1e-6;
    const double factor = rate > 0 && rate < 1 ? std::min(1.0, rate / (1 - rate)) : 1.0;
    if (small && (!s_.settings_.all_variables || others_converged(factor, rate < kStill)))
      return Verdict::done;
    constexpr double kStands = 0.3;  // as of a single stage
    if (k > 1 && rate > kStands && is_rounding(delta)) {
      s_.renew(NewMatrix::slow);
      return Verdict::done;
    }
    if (k + 1 < limit()) return Verdict::again;
    if (!small) return end(Outcome::slow);
    s_.renew(NewMatrix::slow);  // reactions that are not unique never settle
    return Verdict::done;
  }

  // CORRECTOR=ORIGINAL: reactions of the stage that ends the step, variables of all, which forces there read.
  bool others_converged(double factor, bool still) const {
    constexpr double kDigits = 1e-3;
    const int last = stages_.count() - 1, n = equations_.tangent_size(), m = equations_.active_count();
    const State& end = stages_.trial(last);
    if (m > 0) {
      const double change = factor * s_.corrections_.col(last).segment(n, m).lpNorm<Eigen::Infinity>();
      if (!(change <= kDigits * s_.forces_of(end))) return false;
    }
    // An old matrix corrects VARIABLEs later than coordinates, which may stand still while a force does not know them yet: then they must, too.
    constexpr double kLater = 0.05;
    const double share = still ? 1 / kDigits : std::max(factor, kLater);
    const assembly::Segment& w = s_.system_.layout().variables();
    for (int k = 0; k < stages_.count(); ++k) {
      for (int i = 0; i < w.size; ++i) {
        const double size = std::abs(stages_.trial(k).q[w.pose_offset + i]);
        if (!(share * std::abs(s_.corrections_(w.offset + i, k)) <= kDigits * std::max(size, 1.0)))
          return false;
      }
    }
    return true;
  }

  // Whether corrections are no larger than rounding makes them in every stage.
  bool is_rounding(double delta) {
    if (noise_ < 0) {
      const Eigen::VectorXd& noise =
          s_.noise_correction(stages_.trial(stages_.count() - 1), stages_.maps(false));
      noise_ = stages_.size(noise.replicate(1, stages_.count()));
      // Rounding of one stage comes to all by T⁻¹ and T.
      if (s_.settings_.by_past)
        noise_ *= largest_row(stages_.from_stages()) * largest_row(stages_.to_stages());
    }
    return delta <= noise_;
  }

  // Corrections by those before may grow on the way.
  int patience() const { return s_.settings_.by_past ? limit() : s_.settings_.patience; }

  void note_worst() {
    if (s_.residuals_.size() == 0) return;
    Eigen::Index row = 0, column = 0;
    s_.residuals_.cwiseAbs().maxCoeff(&row, &column);
    s_.worst_residual_ = s_.residuals_(row, column) / equations_.row_scale(static_cast<int>(row));
    s_.worst_equation_ = static_cast<int>(row);
    s_.corrections_.cwiseAbs().maxCoeff(&row, &column);
    s_.worst_variable_ = static_cast<int>(row);
  }
  Verdict end(Outcome how) {
    note_worst();
    outcome = how;
    return Verdict::failed;
  }

  StageSolver& s_;
  CoupledStages& stages_;
  Workspace& work_;
  const StageEquations& equations_;
  PastCorrections past_;
  bool fresh_ = false;
  double before_ = 0, noise_ = -1;
};

Outcome StageSolver::solve(CoupledStages& stages, Workspace& work) {
  const bool fresh = begin();
  CoupledIteration iteration(*this, stages, work);
  newton(iteration, iteration.limit());
  for (int k = 0; k < stages.count() && iteration.outcome == Outcome::converged; ++k)
    share_reactions(stage_, stages.trial(k));
  if (settings_.by_past && iteration.outcome == Outcome::converged)
    renew(NewMatrix::slow);  // the rate at which these shrink tells nothing of others
  return finish(fresh, iteration.outcome);
}

}  // namespace trunnion::solve
