#include "integrate/rank_watch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace trunnion::integrate {

std::optional<core::Words> RankWatch::passed(double t) {
  constexpr double kSuspicious = 0.2;  // pivots of a body with its joint hide most of what a row loses
  const long matrices = corrector_.counts().factorisations + corrector_.counts().refactorisations;
  if (matrices == matrices_seen_ || corrector_.lu().rcond() == 0) return {};
  matrices_seen_ = matrices;
  const double pivots = corrector_.lu().rcond();
  best_pivots_ = std::max(best_pivots_, pivots);
  double now = 0;
  if (usual_ == 0) {
    usual_ = condition();
    usual_cancellation_ = cancellation(nearly_null());
  } else if (pivots < kSuspicious * best_pivots_) {
    now = condition();
  }
  bool close = now > kClose * usual_;
  if (close && now > dip_) {
    const Eigen::VectorXd x = nearly_null();
    close = rows_depend(x);
    if (close) {
      dip_ = now;
      dip_time_ = t;
      dip_rows_ = owners_of(x);
    }
  }
  if (close || dip_ == 0) return {};
  const double worst = std::exchange(dip_, 0.0);
  const int times = ++told_[dip_rows_];
  if (times > kOften) return core::Words();
  return core::words(
      "t = {:.6g}: nearly singular configuration: condition number {:.1e} × normal; constraints involved: "
      "{}{}",
      dip_time_, worst / usual_, dip_rows_, times == kOften ? " (further ones of these are not listed)" : "");
}

core::Words RankWatch::here() const {
  if (usual_ == 0 || !corrector_.lu().factored()) return {};
  if (!(condition() > kClose * usual_)) return {};
  const Eigen::VectorXd x = nearly_null();
  return rows_depend(x) ? owners_of(x) : core::Words();
}

// By inverse iteration on the factors.
Eigen::VectorXd RankWatch::nearly_null() const {
  Eigen::VectorXd x = Eigen::VectorXd::Ones(corrector_.equations().size());
  for (int k = 0; k < 2; ++k) {
    corrector_.lu().solve(x);
    x /= std::max(x.lpNorm<Eigen::Infinity>(), 1e-300);
  }
  return x;
}

// Forces are weighed by the inertia that they meet, whose unit and size every entry of the matrix has.
double RankWatch::cancellation(const Eigen::VectorXd& x) const {
  const auto& sink = corrector_.equations();
  using Entries = Eigen::Map<const Eigen::SparseMatrix<double>>;
  const Entries A = sink.matrix().view();
  const int n = sink.tangent_size();
  Eigen::VectorXd weight = Eigen::VectorXd::Ones(n), sum = Eigen::VectorXd::Zero(n);
  for (int c = 0; c < n; ++c) {
    for (Entries::InnerIterator entry(A, c); entry; ++entry) {
      if (entry.row() == c && entry.value() != 0) weight[c] = 1 / std::sqrt(std::abs(entry.value()));
    }
  }
  double apart = 0;
  for (int c = n; c < n + sink.active_count(); ++c) {
    for (Entries::InnerIterator entry(A, c); entry && entry.row() < n; ++entry) {
      const double force = weight[entry.row()] * entry.value() * x[c];
      sum[entry.row()] += force;
      apart += force * force;
    }
  }
  return apart > 0 ? sum.norm() / std::sqrt(apart) : 1;
}

// The owners of the reactions that a vanishing row would leave undetermined.
core::Words RankWatch::owners_of(const Eigen::VectorXd& x) const {
  const auto& sink = corrector_.equations();
  constexpr double kPart = 0.3;
  std::vector<core::Words> owners;
  for (int k = 0; k < sink.active_count(); ++k) {
    double part = std::abs(x[sink.lambda_offset() + k]);
    if (sink.stabilised()) part = std::max(part, std::abs(x[sink.mu_offset() + k]));
    if (part < kPart) continue;
    const core::Words& owner = system_.layout().row(assembly::RowId{sink.row_of_active(k)}).owner;
    if (std::find(owners.begin(), owners.end(), owner) == owners.end()) owners.push_back(owner);
  }
  // A motion is what a user can change most easily.
  std::stable_partition(owners.begin(), owners.end(), [](const core::Words& o) {
    return o.subject().kind == model::kind_of<model::Motion>();
  });
  constexpr std::size_t kShown = 4;
  const std::size_t shown = std::min(owners.size(), kShown);
  core::Words list =
      core::words("{}", fmt::join(owners.begin(), owners.begin() + static_cast<long>(shown), ", "));
  if (owners.size() > shown) list += core::words(" and {} more", owners.size() - shown);
  return list;
}

}  // namespace trunnion::integrate
