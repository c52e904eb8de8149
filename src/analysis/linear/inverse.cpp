#include "analysis/linear/inverse.hpp"

#include "analysis/linear/freedom.hpp"
#include "sparse/factorisation.hpp"

namespace trunnion::analysis {

using Matrix = LinearLevels::Matrix;

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

// At rest, without velocity-level rows, with x = (x_q, x_v):
//   A(σ) (y_q, y_z, w; λ) = −(a (σ x_q + x_v) + v (x_q, x_z)),   G y_q = 0,   y_v = σ y_q + x_q,   A(σ) = σ² a + σ v + q
// the matrix that a time step would have.
class InverseAtRest final : public LinearInverse {
 public:
  InverseAtRest(const LinearLevels& at, std::vector<int> order)
      : at_(at), n_(static_cast<int>(at.mechanical.size())), order_(std::move(order)) {}

  bool factor(double shift) override {
    shift_ = shift;
    ++factorisations_;
    Triplets entries;
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

  void apply(const double* in, double* out) const override {
    const Eigen::Map<const Eigen::VectorXd> xq(in, n_), xv(in + n_, n_);
    Eigen::Map<Eigen::VectorXd> yq(out, n_), yv(out + n_, n_);
    b_.setZero();
    a_ = shift_ * xq + xv;
    for (int i = 0; i < n_; ++i) {
      if (!at_.mechanical[static_cast<std::size_t>(i)]) a_[i] = 0;
    }
    b_.head(n_) = -(at_.a * a_) - at_.v * xq;
    lu_.solve(b_);
    ++solutions_;
    yq = b_.head(n_).cwiseProduct(scale_);
    yv.setZero();
    for (int i = 0; i < n_; ++i) {
      if (at_.mechanical[static_cast<std::size_t>(i)]) yv[i] = shift_ * yq[i] + xq[i];
    }
    for (const int i : at_.variables) yq[i] = 0;
  }

 private:
  const LinearLevels& at_;
  int n_;
  std::vector<int> order_;
  Eigen::VectorXd scale_;
  sparse::Factorisation lu_;
  mutable Eigen::VectorXd b_, a_;
};

// Where the constraints move along, ξ, ν and ν̇ are not multiples of one another but in the free coordinates f:
//   q ξ + v ν + a ν̇ + L λ = 0,   G ξ = 0,   G ν + B ξ = 0,   G ν̇ + C ν + D ξ = 0
//   ν_f = σ ξ_f + x_q,   ν̇_f = σ ν_f + x_v,   ż = σ z + x_z
// all of them unknowns: (ξ, z, w), (ν, ż), ν̇ and λ.
class InverseInMotion final : public LinearInverse {
 public:
  explicit InverseInMotion(const LinearLevels& at) : at_(at), n_(static_cast<int>(at.mechanical.size())) {}

  bool prepare() { return positions_.find(at_, at_.position_rows) && velocities_.find(at_, at_.all_rows); }

  bool factor(double shift) override {
    shift_ = shift;
    ++factorisations_;
    entries_.clear();
    row_ = 0;
    const int m = static_cast<int>(at_.G.rows());
    put(at_.q, 0);
    put(at_.v, n_);
    put(at_.a, 2 * n_);
    put(at_.L, 3 * n_);
    row_ = n_;
    // Position rows among the first of the three levels of G only.
    std::vector<int> place(static_cast<std::size_t>(m), -1);
    for (std::size_t k = 0; k < at_.position_rows.size(); ++k)
      place[static_cast<std::size_t>(at_.position_rows[k])] = static_cast<int>(k);
    for (int c = 0; c < at_.G.outerSize(); ++c) {
      for (Matrix::InnerIterator it(at_.G, c); it; ++it) {
        const int k = place[static_cast<std::size_t>(it.row())];
        if (k >= 0) entries_.emplace_back(row_ + k, c, it.value());
      }
    }
    row_ += static_cast<int>(at_.position_rows.size());
    put(at_.B, 0);
    put(at_.G, n_);
    row_ += m;
    put(at_.D, 0);
    put(at_.C, n_);
    put(at_.G, 2 * n_);
    row_ += m;
    first_input_ = row_;
    for (const int i : positions_.entries()) follow(n_ + i, i);
    for (const int i : velocities_.entries()) follow(2 * n_ + i, n_ + i);
    for (const int i : at_.states) follow(n_ + i, i);
    // Levels that states and variables do not have.
    for (const int i : at_.states) entries_.emplace_back(row_++, 2 * n_ + i, 1.0);
    for (const int i : at_.variables) {
      entries_.emplace_back(row_++, n_ + i, 1.0);
      entries_.emplace_back(row_++, 2 * n_ + i, 1.0);
    }
    Matrix matrix(row_, 3 * n_ + m);
    matrix.setFromTriplets(entries_.begin(), entries_.end());
    const sparse::CscMatrix csc = to_csc(std::move(matrix));
    b_.resize(row_);
    return csc.rows == csc.cols && lu_.analyse(csc) && lu_.factor(csc) != sparse::FactorStatus::singular;
  }

  void apply(const double* in, double* out) const override {
    b_.setZero();
    int k = first_input_;
    for (const int i : positions_.entries()) b_[k++] = in[i];
    for (const int i : velocities_.entries()) b_[k++] = in[n_ + i];
    for (const int i : at_.states) b_[k++] = in[i];
    lu_.solve(b_);
    ++solutions_;
    Eigen::Map<Eigen::VectorXd> y(out, 2 * n_);
    y = b_.head(2 * n_);
    for (const int i : at_.variables) y[i] = 0;
    for (const int i : at_.states) y[n_ + i] = 0;
  }

 private:
  void put(const Matrix& m, int column) {
    for (int c = 0; c < m.outerSize(); ++c) {
      for (Matrix::InnerIterator it(m, c); it; ++it)
        entries_.emplace_back(row_ + static_cast<int>(it.row()), column + c, it.value());
    }
  }
  void follow(int rate, int what) {
    entries_.emplace_back(row_, rate, 1.0);
    entries_.emplace_back(row_, what, -shift_);
    ++row_;
  }

  const LinearLevels& at_;
  int n_;
  Freedom positions_, velocities_;
  Triplets entries_;
  int row_ = 0, first_input_ = 0;
  sparse::Factorisation lu_;
  mutable Eigen::VectorXd b_;
};

}  // namespace

std::unique_ptr<LinearInverse> make_inverse(const LinearLevels& at, std::vector<int> order) {
  if (!at.moving && !at.has_velocity_rows()) return std::make_unique<InverseAtRest>(at, std::move(order));
  auto inverse = std::make_unique<InverseInMotion>(at);
  if (!inverse->prepare()) return nullptr;
  return inverse;
}

}  // namespace trunnion::analysis
