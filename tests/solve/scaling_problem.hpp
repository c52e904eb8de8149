#pragma once
// Problem II of Bottasso, Dopico and Trainelli (On the optimal scaling of index three DAEs in multibody dynamics): a mass on a circle, and an
// angle φ without inertia that a spring k holds and a constraint ties to the mass.
//   M q̈ + Bᵀλ = F,  M = diag(m, m, 0),  C₁ = q·q − ℓ²,  C₂ = q₁ cos φ + q₂ sin φ,  the spring in φ's equation
// By the mid-point rule in coordinates q̂ = q/ℓ and time τ = t/h, with multipliers λ̂ = h²λ/s and constraints s C:
//   2M (q_f − q_i − v_i) + s Bᵀ(λ̂ + ρC) − h²F = 0,   s C = 0          at the middle of the step
// Initial conditions are not in the paper: φ = 0.3 at rest here. For tests and for bench/scaling.cpp.

#include <cmath>

#include <Eigen/Dense>

namespace trunnion::test {

struct ScalingProblem {
  using Vector = Eigen::Matrix<double, 5, 1>;  // q₁, q₂, φ, λ̂₁, λ̂₂
  using Matrix = Eigen::Matrix<double, 5, 5>;

  double m = 1, k = 10, h = 1e-2, s = 1, rho = 0;
  Eigen::Vector3d q{-std::sin(0.3), std::cos(0.3), 0.3}, v = Eigen::Vector3d::Zero();  // v̂ = h q̇
  Eigen::Vector2d lambda = Eigen::Vector2d::Zero();                                    // λ̂

  // The factor of the paper's Eq. 6 with mean diagonals; there is no damping.
  static double physical(double m, double k, double h) { return 2 * m / 3 + h * h * k / 3; }
  void set_scale(double scale) {
    lambda *= s / scale;
    s = scale;
  }

  Eigen::Matrix<double, 2, 3> B(const Eigen::Vector3d& at) const {
    Eigen::Matrix<double, 2, 3> b;
    b << 2 * at[0], 2 * at[1], 0, std::cos(at[2]), std::sin(at[2]),
        -at[0] * std::sin(at[2]) + at[1] * std::cos(at[2]);
    return b;
  }
  Eigen::Vector2d C(const Eigen::Vector3d& at) const {
    return {at[0] * at[0] + at[1] * at[1] - 1, at[0] * std::cos(at[2]) + at[1] * std::sin(at[2])};
  }
  Eigen::Vector3d M() const { return {m, m, 0}; }

  // At the state x = (q_f, λ̂).
  Vector residual(const Vector& x) const {
    const Eigen::Vector3d end = x.head<3>(), middle = 0.5 * (q + end);
    Vector r;
    Eigen::Vector3d spring(0, 0, h * h * k * middle[2]);
    r.head<3>() = 2 * M().cwiseProduct(end - q - v) +
                  s * B(middle).transpose() * (x.tail<2>() + rho * C(middle)) + spring;
    r.tail<2>() = s * C(end);
    return r;
  }
  // Taken where B and C are the same at both points, as at the end of a step that is short: symmetric.
  Matrix jacobian(const Vector& x) const {
    const Eigen::Vector3d at = x.head<3>();
    const Eigen::Vector2d mu = x.tail<2>() + rho * C(at);
    const double c = std::cos(at[2]), n = std::sin(at[2]);
    Eigen::Matrix3d curvature;  // (Bᵀμ)_q
    curvature << 2 * mu[0], 0, -mu[1] * n, 0, 2 * mu[0], mu[1] * c, -mu[1] * n, mu[1] * c,
        -mu[1] * (at[0] * c + at[1] * n);
    const Eigen::Matrix<double, 2, 3> b = B(at);
    Matrix J = Matrix::Zero();
    J.topLeftCorner<3, 3>() = s * (curvature + rho * b.transpose() * b);
    J.diagonal().head<3>() += 2 * M();
    J(2, 2) += h * h * k;
    J.topRightCorner<3, 2>() = s * b.transpose();
    J.bottomLeftCorner<2, 3>() = s * b;
    return J;
  }

  // One step by Newton's method, corrections by `solve(J, r, x)`, which says false where it cannot. The iterations it took; −1: did not
  // converge; −2: no factors. The Jacobian is that of the step's end; the middle's place differs by the motion of half a step.
  template <class Solve> int step(const Solve& solve, double tolerance = 1e-12, int most = 60) {
    Vector x;
    x << q + v, lambda;
    for (int iteration = 1; iteration <= most; ++iteration) {
      Vector dx;
      if (!solve(jacobian(x), Vector(-residual(x)), dx)) return -2;
      if (!dx.allFinite()) return -1;
      x += dx;
      if (dx.lpNorm<Eigen::Infinity>() > tolerance) continue;
      v = 2 * (x.head<3>() - q) - v;
      q = x.head<3>();
      lambda = x.tail<2>();
      return iteration;
    }
    return -1;
  }

  static bool pivoted(const Matrix& J, const Vector& r, Vector& dx) {
    dx = J.fullPivLu().solve(r);
    return true;
  }

  // κ∞ of the iteration matrix with the scale `scale`, or (0) without any: balance over h², constraints and multipliers as they are.
  // The inverse is taken of the matrix at hand, which must be scaled well, and the scale put into both.
  double condition(double scale) const {
    Vector x, rows, cols;
    x << q, lambda;
    const double balance = scale > 0 ? 1 : 1 / (h * h), constraint = (scale > 0 ? scale : 1) / s;
    rows << balance, balance, balance, constraint, constraint;
    const double multiplier = constraint / balance;
    cols << 1, 1, 1, multiplier, multiplier;
    const Matrix J = jacobian(x), inverse = J.fullPivLu().inverse();
    const auto norm = [](const Matrix& A) { return A.cwiseAbs().rowwise().sum().maxCoeff(); };
    return norm(rows.asDiagonal() * J * cols.asDiagonal()) *
           norm(cols.cwiseInverse().asDiagonal() * inverse * rows.cwiseInverse().asDiagonal());
  }
};

// Five significant decimal digits, the rest cut off.
inline double chopped(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(x))) - 4);
  // Short decimals are no short binaries, and what is left of a difference of two of them is less so: they must not lose a unit.
  constexpr double kBinary = 1e-9;
  return std::trunc(x / unit * (1 + kBinary)) * unit;
}

// LU without pivoting in five digits. False at a zero pivot.
template <class Matrix, class Vector> bool solve_chopped(const Matrix& A, const Vector& b, Vector& x) {
  Matrix U = A.unaryExpr([](double a) { return chopped(a); });
  x = b.unaryExpr([](double a) { return chopped(a); });
  const Eigen::Index n = A.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    if (U(k, k) == 0) return false;
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const double l = chopped(U(i, k) / U(k, k));
      for (Eigen::Index j = k + 1; j < n; ++j) U(i, j) = chopped(U(i, j) - chopped(l * U(k, j)));
      x[i] = chopped(x[i] - chopped(l * x[k]));
    }
  }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    for (Eigen::Index j = i + 1; j < n; ++j) x[i] = chopped(x[i] - chopped(U(i, j) * x[j]));
    x[i] = chopped(x[i] / U(i, i));
  }
  return true;
}

}  // namespace trunnion::test
