// Stable, unstable or neutral. A small model: all eigenvalues. A large one whose forces have a potential, and whose dampers take
// energy: it is stable where K is positive along all that the constraints allow (Lagrange, Kelvin), and grows in as many directions
// as K is negative in, which the pivots of
//   [ K ± c ε |K|₁   Gᵀ ]
//   [ G              0  ]
// tell beside one negative pivot for each row of G. Both signs must agree: what rounding of the stiffness could turn is neutral.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "analysis/initial/independent_rows.hpp"
#include "analysis/linear/conservative.hpp"
#include "analysis/linear/eigen.hpp"
#include "sparse/factorisation.hpp"
#include "sparse/inertia.hpp"

namespace trunnion::analysis {

namespace {

using Matrix = LinearLevels::Matrix;
constexpr int kAllEigenvalues = 300;  // states; under half a second
constexpr double kUnitRoundoff = std::numeric_limits<double>::epsilon();

std::string largest_coordinate(const assembly::Layout& layout, const Eigen::VectorXd& shape) {
  Eigen::Index entry = 0;
  if (shape.size() == 0 || shape.cwiseAbs().maxCoeff(&entry) == 0) return {};
  return layout.column_name(static_cast<int>(entry));
}

std::string eigenvalue(std::complex<double> value) {
  return value.imag() == 0 ? fmt::format("{:.4g}", value.real())
                           : fmt::format("{:.4g} ± {:.5g} i", value.real(), std::abs(value.imag()));
}

void tell_free(const assembly::Layout& layout, const std::vector<int>& entries, StabilityResult& out) {
  constexpr std::size_t kShown = 6;
  for (std::size_t k = 0; k < std::min(kShown, entries.size()); ++k)
    out.messages.push_back("  free to move: " + layout.column_name(entries[k]));
  if (entries.size() > kShown) out.messages.push_back(fmt::format("  and {} more", entries.size() - kShown));
}

void tell(const assembly::Layout& layout, bool any, const std::string& fastest,
          const std::vector<int>& free_entries, StabilityResult& out) {
  if (out.growing > 0) {
    out.stability = Stability::unstable;
    out.messages.push_back(fmt::format("unstable equilibrium: {} eigenvalue{} with positive real part",
                                       out.growing, out.growing == 1 ? "" : "s"));
    out.messages.push_back("  fastest growing: " + fastest);
  } else if (out.neutral > 0) {
    out.stability = Stability::neutral;
    out.messages.push_back(
        "neutral equilibrium: to first order nothing holds or moves the mechanism in some directions");
  } else {
    out.stability = Stability::stable;
    out.messages.push_back(any ? "stable equilibrium"
                               : "no degree of freedom: the constraints alone hold it");
  }
  tell_free(layout, free_entries, out);
}

StabilityResult refused(const std::string& why) {
  StabilityResult out;
  out.messages.push_back("stability not judged: " + why);
  return out;
}

StabilityResult by_eigenvalues(const system::System& system, const AssemblyResult& at, double force) {
  const assembly::Layout& layout = system.layout();
  Spectrum found;
  std::vector<std::string> why;
  if (!eigen_of(system, at, {}, found, why)) return refused(why.empty() ? std::string() : why.front());
  const LinearLevels levels(system, at, {}, true);
  doubt_of_forces(levels, force, found);
  StabilityResult out;
  const Eigen::VectorXcd& values = found.values;
  std::vector<Eigen::Index> zero;
  double fastest = 0;
  Eigen::Index worst = -1;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (found.is_zero(k)) {
      zero.push_back(k);
      continue;
    }
    if (values[k].imag() < 0 || !found.grows(k)) continue;
    out.growing += values[k].imag() > 0 ? 2 : 1;
    if (worst < 0 || values[k].real() > values[worst].real()) worst = k;
    if (values[k].imag() != 0 || values[k].real() < fastest) continue;
    fastest = values[k].real();
    out.away = found.vectors.col(k).real();
    out.away.normalize();
  }
  out.neutral = static_cast<int>(zero.size());
  std::string growing;
  if (worst >= 0)
    growing = fmt::format("{}, largest in {}", eigenvalue(values[worst]),
                          largest_coordinate(layout, found.vectors.col(worst).cwiseAbs()));
  tell(layout, values.size() > 0, growing, telling_entries(found.vectors, zero), out);
  return out;
}

// --- large models

// Nᵀ (A − Aᵀ) N z against what each free coordinate's own row is made of: a stiff part elsewhere hides no follower force. A row that is
// soft beside those of the parts it carries may look asymmetric by their rounding, and is then judged by eigenvalues instead.
bool symmetric_along(const LinearLevels& at, const Matrix& A, const Freedom& freedom) {
  constexpr int kProbes = 3;
  constexpr double kKnown = 1e-7;
  const std::vector<int>& entries = freedom.entries();
  const Matrix turned = A.transpose(), parts = A.cwiseAbs(), turned_parts = turned.cwiseAbs();
  Eigen::VectorXd free(static_cast<Eigen::Index>(entries.size())), x(A.cols());
  for (int k = 0; k < kProbes; ++k) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      free[static_cast<Eigen::Index>(i)] = (1.5 + std::sin(1.0 + (k + 1) * 0.37 * static_cast<double>(i))) /
                                           at.unit[static_cast<std::size_t>(entries[i])];
    freedom.complete(free.data(), x);
    const Eigen::VectorXd off = freedom.reduced(A * x - turned * x);
    const Eigen::VectorXd own = parts * x.cwiseAbs() + turned_parts * x.cwiseAbs();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (!(std::abs(off[static_cast<Eigen::Index>(i)]) <= kKnown * own[entries[i]])) return false;
    }
  }
  return true;
}

class Bordered {
 public:
  explicit Bordered(const LinearLevels& at) : at_(at), n_(static_cast<int>(at.mechanical.size())) {}

  // (A + Aᵀ)/2 + D bordered by G; entries that are not of bodies are held.
  sparse::CscMatrix matrix(const Matrix& A, const Eigen::VectorXd& D) const {
    std::vector<Eigen::Triplet<double>> entries;
    for (int c = 0; c < n_; ++c) {
      if (!body(c)) {
        entries.emplace_back(c, c, 1.0);
        continue;
      }
      entries.emplace_back(c, c, D[c]);
      for (Matrix::InnerIterator it(A, c); it; ++it) {
        const auto r = static_cast<int>(it.row());
        if (!body(r)) continue;
        entries.emplace_back(r, c, 0.5 * it.value());
        entries.emplace_back(c, r, 0.5 * it.value());
      }
      for (Matrix::InnerIterator it(at_.G, c); it; ++it) {
        entries.emplace_back(n_ + static_cast<int>(it.row()), c, it.value());
        entries.emplace_back(c, n_ + static_cast<int>(it.row()), it.value());
      }
    }
    const int size = n_ + static_cast<int>(at_.G.rows());
    Matrix m(size, size);
    m.setFromTriplets(entries.begin(), entries.end());
    return to_csc(std::move(m));
  }
  // How many directions that G allows A + D is negative in, and zero.
  std::optional<sparse::Inertia> inertia(const Matrix& A, const Eigen::VectorXd& D) const {
    auto found = sparse::inertia(matrix(A, D));
    if (found) found->negative -= static_cast<int>(at_.G.rows());
    return found;
  }
  // |A| summed by rows, which is what rounding is measured by.
  Eigen::VectorXd sums(const Matrix& A) const { return Matrix(A.cwiseAbs()) * Eigen::VectorXd::Ones(n_); }
  int size() const { return n_; }

 private:
  bool body(int entry) const { return at_.mechanical[static_cast<std::size_t>(entry)] != 0; }
  const LinearLevels& at_;
  int n_;
};

// The direction in which K + s M is first negative as s falls, and μ there: inverse iteration beside it.
double steepest(const LinearLevels& at, const Bordered& bordered, Eigen::VectorXd& shape) {
  const Eigen::VectorXd mass = at.a.diagonal(), stiffness = bordered.sums(at.q);
  double high = 0;
  for (Eigen::Index i = 0; i < mass.size(); ++i) {
    if (mass[i] > 0) high = std::max(high, stiffness[i] / mass[i]);
  }
  const auto negative_at = [&](double s) {
    const auto found = bordered.inertia(Matrix(at.q + s * at.a), Eigen::VectorXd::Zero(bordered.size()));
    return found && found->negative > 0;
  };
  constexpr int kHalvings = 14, kIterations = 6;
  double low = kUnitRoundoff * high;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = std::sqrt(low * high);
    (negative_at(middle) ? low : high) = middle;
  }
  sparse::Factorisation lu;
  const sparse::CscMatrix A =
      bordered.matrix(Matrix(at.q + high * at.a), Eigen::VectorXd::Zero(bordered.size()));
  shape = Eigen::VectorXd::Zero(bordered.size());
  if (!lu.analyse(A) || lu.factor(A) == sparse::FactorStatus::singular) return 0;
  Eigen::VectorXd b(A.rows);
  for (Eigen::Index i = 0; i < shape.size(); ++i) shape[i] = std::sin(1.0 + 0.7 * static_cast<double>(i));
  for (int k = 0; k < kIterations; ++k) {
    b.setZero();
    b.head(shape.size()) = at.a * shape;
    lu.solve(b);
    shape = b.head(shape.size()).normalized();
  }
  const double m = shape.dot(at.a * shape);
  return m > 0 ? shape.dot(at.q * shape) / m : 0.0;
}

// What a small stiffness everywhere leaves to forces of any kind: along free directions, which then are all there is.
std::vector<int> free_entries(const LinearLevels& at, const Bordered& bordered, const Eigen::VectorXd& small,
                              int count) {
  constexpr int kVectors = 8, kIterations = 3;
  sparse::Factorisation lu;
  Eigen::VectorXd weak = small;
  for (Eigen::Index i = 0; i < weak.size(); ++i) weak[i] += small.maxCoeff() * 1e-3;
  const sparse::CscMatrix A = bordered.matrix(at.q, weak);
  if (!lu.analyse(A) || lu.factor(A) == sparse::FactorStatus::singular) return {};
  Eigen::MatrixXd columns(bordered.size(), std::min(kVectors, count));
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    Eigen::VectorXd x(bordered.size()), b(A.rows);
    for (Eigen::Index i = 0; i < x.size(); ++i)
      x[i] = std::sin(1.0 + 0.7 * static_cast<double>((j + 1) * i % 9973));
    for (int k = 0; k < kIterations; ++k) {
      b.setZero();
      b.head(x.size()) = at.a * x;
      lu.solve(b);
      x = b.head(x.size()).normalized();
    }
    columns.col(j) = at.E * x;
  }
  return telling_entries(std::move(columns));
}

StabilityResult by_pivots(const system::System& system, const LinearLevels& at, double force) {
  constexpr double kParts = 64;
  const Bordered bordered(at);
  // What dampers leave undamped is no growth.
  const Eigen::VectorXd dampers = kParts * kUnitRoundoff * bordered.sums(at.v);
  const auto damped = bordered.inertia(at.v, dampers);
  if (!damped || damped->negative > 0) return refused("some damping feeds energy in, and the model is large");
  Eigen::VectorXd small = kParts * kUnitRoundoff * bordered.sums(at.q);
  for (Eigen::Index i = 0; i < small.size(); ++i) {
    const double unit = at.unit[static_cast<std::size_t>(i)];
    small[i] += force * unit * unit / at.length;
  }
  const auto above = bordered.inertia(at.q, small), below = bordered.inertia(at.q, -small);
  if (!above || !below) return refused("the stiffness cannot be factored");
  StabilityResult out;
  out.growing = above->negative;
  out.neutral = below->negative + below->zero - above->negative;
  std::string growing;
  if (out.growing > 0) {
    Eigen::VectorXd shape;
    const double mu = steepest(at, bordered, shape);
    const Eigen::VectorXd moved = at.E * shape;
    growing = fmt::format("about {:.4g} but for dampers, largest in {}", std::sqrt(std::max(0.0, -mu)),
                          largest_coordinate(system.layout(), moved));
    if (moved.norm() > 0) out.away = moved.normalized();
  }
  std::vector<int> free;
  if (out.neutral > 0 && out.growing == 0) free = free_entries(at, bordered, small, out.neutral);
  const int names = static_cast<int>(free.size());
  tell(system.layout(), true, growing, free, out);
  if (out.neutral > names && names > 0)
    out.messages.push_back(fmt::format("  {} free directions in all", out.neutral));
  return out;
}

}  // namespace

StabilityResult judge_stability(const system::System& system, const AssemblyResult& given, double force) {
  std::string trouble;
  const AssemblyResult at = with_independent_rows(system, given, trouble);
  if (!trouble.empty()) return refused(trouble);
  const int states = count_states(system, at);
  if (states <= kAllEigenvalues) return by_eigenvalues(system, at, force);
  const LinearLevels levels(system, at, {}, true);
  Freedom freedom;
  if (positions_alone(levels) && freedom.find(levels, levels.position_rows) &&
      symmetric_along(levels, levels.q, freedom) && symmetric_along(levels, levels.a, freedom))
    return by_pivots(system, levels, force);
  if (states <= kDenseModes) return by_eigenvalues(system, at, force);
  return refused(
      fmt::format("{} freedoms, and forces without a potential or states among them; the slowest modes that "
                  "LINEAR/EIGENSOL finds do not decide it: try a DYNAMIC simulation from a place beside this",
                  at.freedoms));
}

}  // namespace trunnion::analysis
