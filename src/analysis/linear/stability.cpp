// Stable, unstable or neutral. A small model: all eigenvalues. A large one whose forces have a potential, and whose dampers take
// energy: it is stable where K is positive along all that the constraints allow (Lagrange, Kelvin), and grows in as many directions
// as K is negative in, which the pivots of
//   [ K ± c ε |K|₁   Gᵀ ]
//   [ G              0  ]
// tell beside one negative pivot for each row of G. Both signs must agree: what rounding of the stiffness could turn is neutral.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

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

core::Words largest_coordinate(const assembly::Layout& layout, const Eigen::VectorXd& shape) {
  Eigen::Index entry = 0;
  if (shape.size() == 0 || shape.cwiseAbs().maxCoeff(&entry) == 0) return {};
  return layout.column_name(static_cast<int>(entry));
}

core::Words eigenvalue(std::complex<double> value) {
  return value.imag() == 0 ? core::words("{:.4g}", value.real())
                           : core::words("{:.4g} ± {:.5g} i", value.real(), std::abs(value.imag()));
}

void tell_free(const assembly::Layout& layout, const std::vector<int>& entries, StabilityResult& out) {
  constexpr std::size_t kShown = 6;
  for (std::size_t k = 0; k < std::min(kShown, entries.size()); ++k)
    out.messages.push_back("  free to move: " + layout.column_name(entries[k]));
  if (entries.size() > kShown) out.messages.push_back(core::words("  and {} more", entries.size() - kShown));
}

void tell(const assembly::Layout& layout, bool any, const core::Words& fastest,
          const std::vector<int>& free_entries, StabilityResult& out) {
  if (out.growing > 0) {
    out.stability = Stability::unstable;
    out.messages.push_back(core::words("unstable equilibrium: {} eigenvalue{} with positive real part",
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

StabilityResult refused(const core::Words& why) {
  StabilityResult out;
  out.messages.push_back("stability not judged: " + why);
  return out;
}

StabilityResult by_eigenvalues(const system::System& system, const AssemblyResult& at, double force) {
  const assembly::Layout& layout = system.layout();
  Spectrum found;
  std::vector<core::Words> why;
  if (!eigen_of(system, at, {}, found, why)) return refused(why.empty() ? core::Words() : why.front());
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
  core::Words growing;
  if (worst >= 0)
    growing = core::words("{}, largest in {}", eigenvalue(values[worst]),
                          largest_coordinate(layout, found.vectors.col(worst).cwiseAbs()));
  tell(layout, values.size() > 0, growing, telling_entries(found.vectors, zero), out);
  return out;
}

// --- large models

// Whether Nᵀ (A − Aᵀ) N z is nothing but rounding. What is not small beside a soft mode may be so beside a stiff neighbour in its own
// row, so nothing but the last digits of the row's parts is let pass, and what forces known to `force` only leave unknown. That noise is
// carried to the free coordinates as the forces are, with signs at random.
bool symmetric_along(const LinearLevels& at, const Matrix& A, const Freedom& freedom, double force) {
  constexpr int kProbes = 3, kNoises = 4;
  constexpr double kParts = 64, kEntries = 8;
  const std::vector<int>& entries = freedom.entries();
  const Matrix turned = A.transpose(), parts = A.cwiseAbs(), turned_parts = turned.cwiseAbs();
  Eigen::VectorXd free(static_cast<Eigen::Index>(entries.size())), x(A.cols());
  std::minstd_rand random(1);
  for (int k = 0; k < kProbes; ++k) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      free[static_cast<Eigen::Index>(i)] = (1.5 + std::sin(1.0 + (k + 1) * 0.37 * static_cast<double>(i))) /
                                           at.unit[static_cast<std::size_t>(entries[i])];
    freedom.complete(free.data(), x);
    const Eigen::VectorXd off = freedom.reduced(A * x - turned * x);
    Eigen::VectorXd noise = kParts * kUnitRoundoff * (parts * x.cwiseAbs() + turned_parts * x.cwiseAbs());
    for (Eigen::Index i = 0; i < noise.size(); ++i)
      noise[i] += kEntries * force * at.unit[static_cast<std::size_t>(i)] / at.length;
    Eigen::VectorXd allowed(off.size());
    for (std::size_t i = 0; i < entries.size(); ++i)
      allowed[static_cast<Eigen::Index>(i)] = noise[entries[i]];
    for (int j = 0; j < kNoises; ++j) {
      Eigen::VectorXd signs = noise;
      for (double& entry : signs) entry = random() & 16 ? entry : -entry;
      allowed = allowed.cwiseMax(freedom.reduced(signs).cwiseAbs());
    }
    if (!(off.cwiseAbs().array() <= allowed.array()).all()) return false;
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

// Nothing where dampers feed energy in; or where velocities act across their own direction, which may hold up what has no stiffness.
std::optional<StabilityResult> by_pivots(const system::System& system, const LinearLevels& at,
                                         const Freedom& freedom, double force) {
  constexpr double kParts = 64;
  const Bordered bordered(at);
  // What dampers leave undamped is no growth.
  const Eigen::VectorXd dampers = kParts * kUnitRoundoff * bordered.sums(at.v);
  const auto damped = bordered.inertia(at.v, dampers);
  if (!damped || damped->negative > 0) return {};
  Eigen::VectorXd small = kParts * kUnitRoundoff * bordered.sums(at.q);
  for (Eigen::Index i = 0; i < small.size(); ++i) {
    const double unit = at.unit[static_cast<std::size_t>(i)];
    small[i] += force * unit * unit / at.length;
  }
  const auto above = bordered.inertia(at.q, small), below = bordered.inertia(at.q, -small);
  if (!above || !below) return refused("the stiffness cannot be factored");
  StabilityResult out;
  out.growing = above->negative;
  if (out.growing > 0 && !symmetric_along(at, at.v, freedom, 0)) return {};
  out.neutral = below->negative + below->zero - above->negative;
  core::Words growing;
  if (out.growing > 0) {
    Eigen::VectorXd shape;
    const double mu = steepest(at, bordered, shape);
    const Eigen::VectorXd moved = at.E * shape;
    growing = core::words("about {:.4g} but for dampers, largest in {}", std::sqrt(std::max(0.0, -mu)),
                          largest_coordinate(system.layout(), moved));
    if (moved.norm() > 0) out.away = moved.normalized();
  }
  std::vector<int> free;
  if (out.neutral > 0 && out.growing == 0) free = free_entries(at, bordered, small, out.neutral);
  const int names = static_cast<int>(free.size());
  tell(system.layout(), true, growing, free, out);
  if (out.neutral > names && names > 0)
    out.messages.push_back(core::words("  {} free directions in all", out.neutral));
  return out;
}

// With K = S + W, S positive and W without symmetry: of any mode x with xᴴSx = 1 it is λ² xᴴMx = −(1 + i w), |w| ≤ η = ‖S^-½ W S^-½‖.
// So none grows by more than η/2 in a radian, dampers or not. Nothing where S is not positive, or η not small.
std::optional<StabilityResult> nearly_with_potential(const system::System& system, const LinearLevels& at,
                                                     const Freedom& freedom, double force) {
  constexpr int kIterations = 30;
  constexpr double kSlowGrowth = 1e-7, kMargin = 2;  // the iteration comes from below
  std::optional<StabilityResult> out = by_pivots(system, at, freedom, force);
  if (!out || out->stability != Stability::stable || !symmetric_along(at, at.v, freedom, 0)) return {};
  const Bordered bordered(at);
  const Matrix turned = at.q.transpose(), W = 0.5 * (at.q - turned), S = 0.5 * (at.q + turned);
  const sparse::CscMatrix A = bordered.matrix(at.q, Eigen::VectorXd::Zero(bordered.size()));
  sparse::Factorisation lu;
  if (!lu.analyse(A) || lu.factor(A) == sparse::FactorStatus::singular) return {};
  Eigen::VectorXd x(bordered.size()), b(A.rows);
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + 0.7 * static_cast<double>(i % 9973));
  double eta = 0;
  for (int k = 0; k < kIterations; ++k) {
    b.setZero();
    b.head(x.size()) = k == 0 ? x : Eigen::VectorXd(W * x);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      if (!at.mechanical[static_cast<std::size_t>(i)]) b[i] = 0;
    }
    lu.solve(b);
    x = b.head(x.size());
    const double energy = std::sqrt(std::abs(x.dot(S * x)));
    if (!(energy > 0) || !std::isfinite(energy)) return {};
    if (k > 0) eta = std::max(eta, energy);
    x /= energy;
  }
  if (!(kMargin * eta <= kSlowGrowth)) return {};
  out->messages.push_back(core::words(
      "  but for a growth by less than {:.1g} in a radian that forces without a potential could cause",
      kMargin * eta / 2));
  return out;
}

// One mode that grows decides. Where none of the slowest does, nothing is said of the others.
std::optional<StabilityResult> by_slowest_modes(const system::System& system, const AssemblyResult& at) {
  constexpr double kSure = 1e3;  // times what an eigenvalue is known to
  ModesOptions options;
  options.dense_up_to = 0;
  const ModesResult found = slowest_modes(system, at, options);
  StabilityResult out;
  const Mode* fastest = nullptr;
  for (const Mode& mode : found.modes) {
    if (!(mode.value.real() > kSure * mode.doubt)) continue;
    out.growing += mode.value.imag() != 0 ? 2 : 1;
    if (!fastest || mode.value.real() > fastest->value.real()) fastest = &mode;
  }
  if (!fastest) return {};
  tell(system.layout(), true,
       core::words("{}, largest in {}; of the {} slowest modes", eigenvalue(fastest->value),
                   largest_coordinate(system.layout(), fastest->shape.cwiseAbs()), found.modes.size()),
       {}, out);
  return out;
}

}  // namespace

StabilityResult judge_stability(const system::System& system, const AssemblyResult& given, double force) {
  core::Words trouble;
  const AssemblyResult at = with_independent_rows(system, given, trouble);
  if (!trouble.empty()) return refused(trouble);
  const int states = count_states(system, at);
  if (states <= kAllEigenvalues) return by_eigenvalues(system, at, force);
  const LinearLevels levels(system, at, {}, true);
  Freedom freedom;
  const bool positions = positions_alone(levels) && freedom.find(levels, levels.position_rows) &&
                         symmetric_along(levels, levels.a, freedom, 0);
  if (positions && symmetric_along(levels, levels.q, freedom, force)) {
    if (const auto found = by_pivots(system, levels, freedom, force)) return *found;
  }
  if (states <= kDenseModes) return by_eigenvalues(system, at, force);
  if (positions) {
    if (const auto found = nearly_with_potential(system, levels, freedom, force)) return *found;
  }
  if (const auto found = by_slowest_modes(system, at)) return *found;
  return refused(
      core::words("{} freedoms, and forces without a potential, dampers that feed energy in, or states among "
                  "them. None of "
                  "the slowest modes grows, which does not decide it: try a DYNAMIC simulation from a place "
                  "beside this, or "
                  "a coarser model (up to {} states all eigenvalues are found)",
                  at.freedoms, kDenseModes));
}

}  // namespace trunnion::analysis
