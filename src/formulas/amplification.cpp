#include "formulas/amplification.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

namespace trunnion::formulas {

namespace {

using Complex = std::complex<double>;

Roots eigenvalues(const Eigen::MatrixXcd& matrix) {
  const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> eigen(matrix, false);
  return {eigen.eigenvalues().begin(), eigen.eigenvalues().end()};
}

// The end of the step as weights of the points before it. At infinity only the rates count.
Eigen::RowVectorXcd end_of_step(const StagedTable& table, Complex z, bool at_infinity) {
  const int kept = 1 + table.past;
  Eigen::MatrixXcd points = Eigen::MatrixXcd::Zero(kept + table.stages, kept);
  points.topRows(kept).setIdentity();
  for (int k = 0; k < table.stages; ++k) {
    const StageRow& row = table.rows[k];
    auto stage = points.row(kept + k);
    for (int j = 0; j < kept + k; ++j) {
      const Complex weight = at_infinity ? Complex(-row.b[j]) : row.a[j] + z * row.b[j];
      stage += weight * points.row(j);
    }
    stage /= at_infinity ? Complex(row.implicit) : 1.0 - z * row.implicit;
  }
  return points.row(kept + table.stages - 1);
}

Roots staged_roots(const StagedTable& table, Complex z, bool at_infinity) {
  const Eigen::RowVectorXcd end = end_of_step(table, z, at_infinity);
  if (table.past == 0) return {end[0]};
  Eigen::MatrixXcd step = Eigen::MatrixXcd::Zero(1 + table.past, 1 + table.past);
  step.row(0) = end;
  for (int j = 0; j < table.past; ++j) step(j + 1, j) = 1;
  return eigenvalues(step);
}

// b A⁻¹
Eigen::RowVectorXd weights_of_stages(const CollocationTable& table) {
  return table.A.transpose().fullPivLu().solve(table.b).transpose();
}

double largest(const Roots& roots) {
  double radius = 0;
  for (const Complex& root : roots) radius = std::max(radius, std::abs(root));
  return radius;
}

// Follows one root as it moves, and the angle that it has turned by. Where two conjugate roots meet near −1, the one that goes on turning
// as before is ours.
class Follower {
 public:
  // ξ = e^(slope × length) near the start
  explicit Follower(Complex slope) : slope_(slope) {}
  void go_to(double place, const Roots& roots) {
    const double way = place - place_;
    const Complex expected = root_ * std::exp(slope_ * way);
    const Complex next = *std::min_element(
        roots.begin(), roots.end(),
        [&](const Complex& p, const Complex& q) { return std::abs(p - expected) < std::abs(q - expected); });
    const Complex change = std::log(next / root_);
    angle_ += change.imag();
    if (way > 1e-6 * place) slope_ = change / way;
    place_ = place;
    root_ = next;
  }
  Complex root() const { return root_; }
  double angle() const { return angle_; }

 private:
  Complex slope_, root_ = 1;
  double place_ = 0, angle_ = 0;
};

// The next place on the way to `end`: steps of equal relative length after a fine beginning.
double next_place(double at, double end) { return std::min(end, at + 0.04 + 0.04 * at); }

}  // namespace

Roots amplification_roots(const StagedTable& table, Complex z) { return staged_roots(table, z, false); }

Roots amplification_roots(const SingleStepTable& table, Complex z) {
  // of (y, h p¹ … h pʳ⁻¹), with h p⁰ = z y
  const int r = table.steps;
  Eigen::MatrixXcd after = Eigen::MatrixXcd::Zero(r, r), before = after;
  after(0, 0) = before(0, 0) = 1;
  after(0, r - 1) -= table.gamma[0];
  before(0, r - 1) += 1.0 - table.gamma[0];
  for (int m = 1; m < r; ++m) {
    const SingleStepTable::Filter f = table.filter(m);
    const Complex below = m == 1 ? z : 1.0;
    after(m, m) += 1.0;
    before(m, m) += f.kept;
    after(m, m - 1) -= f.newer * below;
    before(m, m - 1) += f.older * below;
  }
  return eigenvalues(after.fullPivLu().solve(before));
}

Roots amplification_roots(const CollocationTable& table, Complex z) {
  const int s = table.stages;
  const Eigen::MatrixXcd matrix = Eigen::MatrixXcd::Identity(s, s) - z * table.A.cast<Complex>();
  const Eigen::VectorXcd right = Eigen::VectorXcd::Ones(s) + z * table.start.cast<Complex>();
  const Eigen::VectorXcd stages = matrix.fullPivLu().solve(right);
  if (table.stiffly_accurate) return {stages[s - 1]};
  // h times the rates, z Y = A⁻¹ (Y − right), without the loss of digits that z Y has where z is large
  return {1.0 + (weights_of_stages(table).cast<Complex>() * (stages - right)).value()};
}

double radius_at_infinity(const StagedTable& table) { return largest(staged_roots(table, 0, true)); }

double radius_at_infinity(const CollocationTable& table) {
  if (!table.stiffly_accurate) return std::abs(1 - weights_of_stages(table).sum());
  return std::abs(table.A.fullPivLu().solve(table.start)[table.stages - 1]);
}

Complex principal_root(const std::function<Roots(Complex z)>& roots, Complex z) {
  const double length = std::abs(z);
  if (length == 0) return 1;
  Follower follower(z / length);
  for (double at = 0; at < length;) {
    at = next_place(at, length);
    follower.go_to(at, roots(z * (at / length)));
  }
  return follower.root();
}

std::vector<SpectrumPoint> spectrum_of(const std::function<Roots(double omega_h)>& roots, int stages,
                                       std::span<const double> x) {
  std::vector<SpectrumPoint> points;
  Follower follower(Complex(0, 1));
  double at = 0, radius = 1;
  for (const double place : x) {
    const double end = 2 * std::numbers::pi * stages * place;
    while (at < end) {
      at = next_place(at, end);
      const Roots here = roots(at);
      follower.go_to(at, here);
      radius = largest(here);
    }
    SpectrumPoint point{place, 0, 0, radius};
    if (end > 0) {
      const double a = std::log(std::abs(follower.root())), size = std::hypot(a, follower.angle());
      point.decay_percent = -100 * a / size;
      point.elongation_percent = 100 * (end / size - 1);
    }
    points.push_back(point);
  }
  return points;
}

}  // namespace trunnion::formulas
