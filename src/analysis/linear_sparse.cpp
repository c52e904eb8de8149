// The slowest modes of a large model. About a real shift σ the inverse of A − σ, with s = (q, v, z) and the constraints in place, is
//   A(σ) (y_q, y_z, w; λ) = −(A_a (σ x_q + x_v) + A_v (x_q, x_z)),   y_v = σ y_q + x_q,   A(σ) = σ² A_a + σ A_v + A_q
// one sparse solve with the matrix that a time step would have. Arnoldi's method (Spectra) finds its largest eigenvalues θ; those
// of the mechanism are σ + 1/θ.

#include <algorithm>
#include <cmath>

#include <Spectra/GenEigsSolver.h>
#include <fmt/format.h>

#include "analysis/linear_levels.hpp"
#include "solve/ordering.hpp"
#include "solve/pattern.hpp"
#include "sparse/lu.hpp"

namespace trunnion::analysis {

namespace {

using Matrix = LinearLevels::Matrix;

class ShiftedInverse {
 public:
  using Scalar = double;

  // `order`: of elimination; empty: KLU's own choice.
  ShiftedInverse(const LinearLevels& at, std::vector<int> order)
      : at_(at), n_(static_cast<int>(at.mechanical.size())), order_(std::move(order)) {}

  bool factor(double shift) {
    shift_ = shift;
    std::vector<Eigen::Triplet<double>> entries;
    const auto put = [&](const Matrix& m, int c, double factor) {
      for (Matrix::InnerIterator it(m, c); it; ++it)
        entries.emplace_back(static_cast<int>(it.row()), c, factor * it.value());
    };
    // In unknowns of the highest level, as a time step is: the matrix is then near that of accelerations for a large shift.
    scale_ = Eigen::VectorXd::Constant(n_, 1 / (shift * shift));
    for (const int i : at_.states) scale_[i] = 1 / shift;
    for (const int i : at_.variables) scale_[i] = 1;
    for (int c = 0; c < n_; ++c) {
      put(at_.q, c, scale_[c]);
      put(at_.v, c, shift * scale_[c]);
      put(at_.a, c, shift * shift * scale_[c]);
      for (Matrix::InnerIterator it(at_.G, c); it; ++it)
        entries.emplace_back(n_ + static_cast<int>(it.row()), c, shift * shift * scale_[c] * it.value());
    }
    for (int c = 0; c < at_.L.outerSize(); ++c) {
      for (Matrix::InnerIterator it(at_.L, c); it; ++it)
        entries.emplace_back(static_cast<int>(it.row()), n_ + c, it.value());
    }
    const auto size = n_ + static_cast<int>(at_.G.rows());
    Matrix m(size, size);
    m.setFromTriplets(entries.begin(), entries.end());
    const sparse::CscMatrix csc = to_csc(std::move(m));
    b_.resize(size);
    return (order_.empty() ? lu_.analyse(csc) : lu_.analyse(csc, order_)) &&
           lu_.factor(csc) != sparse::FactorStatus::singular;
  }

  Eigen::Index rows() const { return 2 * n_; }
  Eigen::Index cols() const { return 2 * n_; }
  void perform_op(const double* in, double* out) const {
    const Eigen::Map<const Eigen::VectorXd> xq(in, n_), xv(in + n_, n_);
    Eigen::Map<Eigen::VectorXd> yq(out, n_), yv(out + n_, n_);
    b_.setZero();
    a_ = shift_ * xq + xv;
    for (int i = 0; i < n_; ++i) {
      if (!at_.mechanical[static_cast<std::size_t>(i)]) a_[i] = 0;
    }
    b_.head(n_) = -(at_.a * a_) - at_.v * xq;
    lu_.solve(b_);
    yq = b_.head(n_).cwiseProduct(scale_);
    yv.setZero();
    for (int i = 0; i < n_; ++i) {
      if (at_.mechanical[static_cast<std::size_t>(i)]) yv[i] = shift_ * yq[i] + xq[i];
    }
    for (const int i : at_.variables) yq[i] = 0;
  }
  double shift() const { return shift_; }
  // √(qᵀKq / qᵀMq) of the positions in a state: how fast the modes are that it consists of.
  double pace(const Eigen::VectorXd& state) const {
    const auto q = state.head(n_);
    const double k = std::abs(q.dot(at_.q * q)), m = std::abs(q.dot(at_.a * q));
    return m > 0 ? std::sqrt(k / m) : 0.0;
  }

 private:
  const LinearLevels& at_;
  int n_;
  std::vector<int> order_;
  double shift_ = 0;
  Eigen::VectorXd scale_;
  sparse::SparseLu lu_;
  mutable Eigen::VectorXd b_, a_;
};

// The matrix has the pattern of a time step's, and is eliminated in the same order.
std::vector<int> step_order(const system::System& system, const AssemblyResult& at) {
  system::LevelMaps maps;
  maps.body = {1, 1, 1};
  maps.state = {1, 1, 0};
  system::System::Workspace work(system);
  system::StageSink sink(system.layout(), at.active, system::StageSink::Rows::position);
  solve::find_pattern(system, at.state, maps, work, sink);
  return solve::elimination_order(system.layout(), sink);
}

// Some part of the fastest rate the diagonals show; the slowest of a large model are that much slower or more.
double first_shift(const LinearLevels& at) {
  constexpr double kPart = 1e-3;
  double fastest = 0;
  const Eigen::VectorXd k = at.q.diagonal(), m = at.a.diagonal();
  for (Eigen::Index i = 0; i < k.size(); ++i) {
    if (m[i] > 0) fastest = std::max(fastest, std::abs(k[i]) / m[i]);
  }
  return fastest > 0 ? kPart * std::sqrt(fastest) : 1.0;
}

}  // namespace

bool inverse_about_shift(const LinearLevels& at, const Eigen::MatrixXd& basis, double& shift,
                         Eigen::MatrixXd& images) {
  ShiftedInverse inverse(at, {});
  shift = first_shift(at);
  if (!inverse.factor(shift)) return false;
  images.resize(basis.rows(), basis.cols());
  for (Eigen::Index k = 0; k < basis.cols(); ++k)
    inverse.perform_op(basis.col(k).data(), images.col(k).data());
  return images.allFinite();
}

ModesResult slowest_modes(const system::System& system, const AssemblyResult& assembled,
                          const ModesOptions& options) {
  ModesResult out;
  out.all = false;
  LinearLevels at(system, assembled);
  if (!options.damping) at.leave_out_damping();
  constexpr int kDefault = 20;
  const int count = options.count > 0 ? options.count : kDefault;
  ShiftedInverse inverse(at, step_order(system, assembled));
  double first = first_shift(at);
  constexpr int kTries = 4;
  for (int k = 0; k < kTries && !inverse.factor(first); ++k) first *= 10;
  if (!inverse.factor(first)) {
    out.messages.push_back("the linear equations are singular here");
    return out;
  }
  const auto size = inverse.rows();
  const auto wanted = std::min<Eigen::Index>(2 * count + 2, size - 2);
  const auto room = std::min<Eigen::Index>(std::max<Eigen::Index>(2 * wanted + 20, 40), size);
  // A start that satisfies the constraints and is the same in every run.
  Eigen::VectorXd start(size), projected(size);
  for (Eigen::Index i = 0; i < size; ++i) start[i] = std::sin(1.0 + 0.7 * static_cast<double>(i % 9973));
  // The shift goes down to where the slowest modes are: from afar they all look alike. Rigid motions have no pace; the least shift
  // keeps them apart from a singular matrix.
  const double least = 1e-3 * inverse.shift();
  constexpr int kApproaches = 6, kPowers = 4;
  for (int k = 0; k < kApproaches; ++k) {
    for (int p = 0; p < kPowers; ++p) {
      inverse.perform_op(start.data(), projected.data());
      start = projected.normalized();
    }
    const double next = std::max(0.5 * inverse.pace(start), least);
    if (next > 0.5 * inverse.shift()) break;
    const double before = inverse.shift();
    if (inverse.factor(next)) continue;
    if (inverse.factor(before)) break;
    out.messages.push_back("the linear equations are singular here");
    return out;
  }
  projected = start;
  Spectra::GenEigsSolver<ShiftedInverse> solver(inverse, wanted, room);
  solver.init(projected.data());
  constexpr int kRestarts = 300;
  constexpr double kAccuracy = 1e-10;
  const auto found = solver.compute(Spectra::SortRule::LargestMagn, kRestarts, kAccuracy);
  if (found == 0) {
    out.messages.push_back("the slowest modes do not converge");
    return out;
  }
  const Eigen::VectorXcd theta = solver.eigenvalues();
  Eigen::MatrixXcd vectors;
  if (options.vectors) vectors = solver.eigenvectors();
  for (Eigen::Index k = 0; k < theta.size(); ++k) {
    Mode mode;
    mode.value = inverse.shift() + 1.0 / theta[k];
    if (mode.value.imag() < 0) continue;
    if (options.vectors) {
      mode.shape = vectors.col(k).head(static_cast<Eigen::Index>(at.mechanical.size()));
      Eigen::Index largest = 0;
      if (mode.shape.cwiseAbs().maxCoeff(&largest) > 0) mode.shape /= mode.shape[largest];
    }
    out.modes.push_back(std::move(mode));
  }
  std::stable_sort(out.modes.begin(), out.modes.end(),
                   [](const Mode& a, const Mode& b) { return std::abs(a.value) < std::abs(b.value); });
  if (static_cast<int>(out.modes.size()) > count) out.modes.resize(static_cast<std::size_t>(count));
  out.states = static_cast<int>(size);
  out.messages.push_back(fmt::format("a large model: the {} slowest modes only", out.modes.size()));
  out.ok = true;
  return out;
}

}  // namespace trunnion::analysis
