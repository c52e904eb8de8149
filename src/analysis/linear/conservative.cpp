#include "analysis/linear/conservative.hpp"

#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "analysis/linear/inverse.hpp"
#include "analysis/linear/refine.hpp"

namespace trunnion::analysis {

namespace {

using Matrix = LinearLevels::Matrix;
constexpr double kEps = std::numeric_limits<double>::epsilon();

bool is_zero(const Matrix& m) {
  for (int c = 0; c < m.outerSize(); ++c) {
    for (Matrix::InnerIterator it(m, c); it; ++it) {
      if (it.value() != 0) return false;
    }
  }
  return true;
}

// Nᵀ A N, made symmetric where it differs from that by no more than the rounding of its parts. A mass matrix is positive: what its
// diagonal is made of bounds the parts of all other entries, of which many vanish but for rounding.
bool projected(const Matrix& A, const Eigen::MatrixXd& N, bool positive, Eigen::MatrixXd& out) {
  constexpr double kParts = 64;
  const Eigen::MatrixXd AN = A * N;
  out.noalias() = N.transpose() * AN;
  const Eigen::MatrixXd size = N.cwiseAbs(), half = Matrix(A.cwiseAbs()) * size;
  const Eigen::MatrixXd parts = size.transpose() * half;
  Eigen::MatrixXd allowed = kParts * kEps * (parts + parts.transpose());
  if (positive) {
    const Eigen::VectorXd root = parts.diagonal().cwiseSqrt();
    allowed += kParts * kEps * root * root.transpose();
  }
  if (((out - out.transpose()).cwiseAbs().array() > allowed.array()).any()) return false;
  out = (0.5 * (out + out.transpose())).eval();
  return true;
}

// By entry: whether its equation reads nothing but itself, as that of a VARIABLE of the time alone.
std::vector<char> reading_nothing(const LinearLevels& at) {
  std::vector<char> out(at.mechanical.size(), 1);
  for (const Matrix* m : {&at.q, &at.v, &at.a}) {
    for (int c = 0; c < m->outerSize(); ++c) {
      for (Matrix::InnerIterator it(*m, c); it; ++it) {
        if (it.value() != 0 && it.row() != c) out[static_cast<std::size_t>(it.row())] = 0;
      }
    }
  }
  return out;
}

bool read_by_forces(const LinearLevels& at, int variable) {
  for (const Matrix* m : {&at.q, &at.v, &at.a}) {
    for (Matrix::InnerIterator it(*m, variable); it; ++it) {
      if (it.value() != 0 && at.mechanical[static_cast<std::size_t>(it.row())]) return true;
    }
  }
  return false;
}

// Freedoms from which on a matrix of half the size without symmetry is worth its own way: 50 take 10 ms at twice the size.
constexpr Eigen::Index kWorthHalving = 50;

Spectrum symmetric_spectrum(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  const double unknown = static_cast<double>(A.rows()) * kEps * solver.eigenvalues().cwiseAbs().maxCoeff();
  Spectrum out;
  out.values = solver.eigenvalues().cast<std::complex<double>>();
  out.vectors = solver.eigenvectors().cast<std::complex<double>>();
  out.doubt = Eigen::VectorXd::Constant(A.rows(), unknown);
  return out;
}

// μ of K x = μ M x in coordinates u = Lᵀ y, M = L Lᵀ along the free coordinates y.
class Squares final : public InvertedProblem {
 public:
  Squares(const LinearLevels& at, const Freedom& freedom, const Eigen::LLT<Eigen::MatrixXd>& mass)
      : n_(static_cast<Eigen::Index>(at.mechanical.size())),
        freedom_(freedom),
        mass_(mass),
        inverse_(make_inverse(at, {})) {}

  bool factor(double shift) override { return shift < 0 && inverse_ && inverse_->factor(std::sqrt(-shift)); }

  Eigen::VectorXd unit() const override {
    return Eigen::VectorXd::Ones(static_cast<Eigen::Index>(freedom_.entries().size()));
  }

  // An inverse about σ takes velocities x to displacements −(K + σ² M)⁻¹ M x.
  Eigen::MatrixXd inverse(const Eigen::MatrixXd& columns) const override {
    const Eigen::MatrixXd y = mass_.matrixU().solve(columns);
    const std::vector<int>& entries = freedom_.entries();
    Eigen::VectorXd in = Eigen::VectorXd::Zero(2 * n_), out(2 * n_);
    Eigen::MatrixXd images(columns.rows(), columns.cols());
    for (Eigen::Index k = 0; k < columns.cols(); ++k) {
      in.tail(n_) = freedom_.N() * y.col(k);
      inverse_->apply(in.data(), out.data());
      for (std::size_t i = 0; i < entries.size(); ++i)
        images(static_cast<Eigen::Index>(i), k) = -out[entries[i]];
    }
    return mass_.matrixU() * images;
  }

 private:
  Eigen::Index n_;
  const Freedom& freedom_;
  const Eigen::LLT<Eigen::MatrixXd>& mass_;
  std::unique_ptr<LinearInverse> inverse_;
};

// Whether M has a Cholesky factor to be trusted, in whatever units its coordinates are.
bool positive(const Eigen::MatrixXd& M) {
  if (!(M.diagonal().minCoeff() > 0)) return false;
  const Eigen::VectorXd unit = M.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LLT<Eigen::MatrixXd> scaled(unit.asDiagonal() * M * unit.asDiagonal());
  return scaled.info() == Eigen::Success && scaled.rcond() > static_cast<double>(M.rows()) * kEps;
}

}  // namespace

bool positions_alone(const LinearLevels& at) {
  if (at.moving || !at.trouble.empty() || !at.strange.empty() || at.has_velocity_rows() || !at.states.empty())
    return false;
  if (at.variables.empty()) return true;
  const std::vector<char> constant = reading_nothing(at);
  for (const int w : at.variables) {
    if (read_by_forces(at, w) && !constant[static_cast<std::size_t>(w)]) return false;
  }
  return true;
}

std::optional<Spectrum> conservative_spectrum(const LinearLevels& at) {
  Freedom freedom;
  if (!positions_alone(at) || !is_zero(at.v) || !freedom.find(at, at.position_rows)) return {};
  freedom.find_basis();
  const Eigen::MatrixXd& N = freedom.N();
  const Eigen::Index n = N.cols();
  if (n == 0) {
    Spectrum none;
    none.vectors.resize(N.rows(), 0);
    return none;
  }
  constexpr double kReactions = 1e-9;  // forces that read reactions
  const Eigen::MatrixXd reactions = N.transpose() * at.L;
  if (reactions.size() > 0 && reactions.cwiseAbs().maxCoeff() > kReactions) return {};
  Eigen::MatrixXd M, K;
  if (!projected(at.a, N, true, M)) return {};
  const bool symmetric = projected(at.q, N, false, K);
  if (!symmetric && n < kWorthHalving) return {};
  if (!positive(M)) return {};
  const Eigen::LLT<Eigen::MatrixXd> mass(M);
  mass.matrixL().solveInPlace(K);
  K = K.transpose().eval();
  mass.matrixL().solveInPlace(K);
  Spectrum squares = symmetric ? symmetric_spectrum(K) : spectrum(K.transpose());
  const auto shapes_of = [&](const Eigen::MatrixXd& inner) {
    return Eigen::MatrixXd(at.E * (N * mass.matrixU().solve(inner)));
  };
  const StiffnessDoubt doubt(at);
  Squares problem(at, freedom, mass);
  const auto least = [&](const Eigen::VectorXcd& u) {
    Eigen::VectorXcd shape = shapes_of(u.real()).cast<std::complex<double>>();
    if (!symmetric) shape.imag() = shapes_of(u.imag());
    return doubt.of(shape);
  };
  refine(problem, {.symmetric = symmetric, .side = -1, .unknown = least}, squares);
  Eigen::MatrixXcd shapes = shapes_of(squares.vectors.real()).cast<std::complex<double>>();
  if (!symmetric) shapes.imag() = shapes_of(squares.vectors.imag());
  Spectrum out;
  out.values.resize(2 * n);
  out.doubt.resize(2 * n);
  out.vectors.resize(shapes.rows(), 2 * n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const std::complex<double> mu = squares.values[k];
    const std::complex<double> value = std::sqrt(mu.imag() == 0 ? std::complex<double>(-mu.real(), 0) : -mu);
    const double unknown = squares.doubt[k];
    out.values[2 * k] = value;
    out.values[2 * k + 1] = -value;
    for (const Eigen::Index j : {2 * k, 2 * k + 1}) {
      out.doubt[j] = std::min(std::sqrt(unknown), unknown / std::abs(value));
      out.vectors.col(j) = shapes.col(k);
    }
  }
  return out;
}

}  // namespace trunnion::analysis
