// The slowest modes of a large model. Arnoldi's method (Spectra) finds the largest eigenvalues θ of (A − σ)⁻¹; those of the mechanism
// are σ + 1/θ.

#include <algorithm>
#include <cmath>
#include <limits>

#include <Spectra/GenEigsSolver.h>
#include <fmt/format.h>

#include "analysis/linear/freedom.hpp"
#include "analysis/linear/inverse.hpp"
#include "analysis/linear/spectrum.hpp"
#include "solve/ordering.hpp"

namespace trunnion::analysis {

namespace {

// Vectors that the constraints allow, by their free coordinates alone. Arnoldi's method spends its time on the products of some
// hundred such vectors with one another, which no cache holds: a chain of hinged rods has 12 numbers for each rod in full, 2 so.
class FreeVectors {
 public:
  explicit FreeVectors(const LinearLevels& at)
      : at_(at), n_(static_cast<Eigen::Index>(at.mechanical.size())) {}

  // Rows that read states or variables leave no free coordinates of bodies alone, and few coordinates no room for Arnoldi's method:
  // all entries then.
  bool find() {
    whole_ = !at_.strange.empty();
    if (whole_) return true;
    if (!positions_.find(at_, at_.position_rows) ||
        (at_.has_velocity_rows() && !velocities_.find(at_, at_.all_rows)))
      return false;
    constexpr Eigen::Index kFew = 46;
    most_ = static_cast<int>(size());
    whole_ = size() < kFew;
    if (!whole_) most_ = static_cast<int>(size() - kRoom) / 2;
    return true;
  }
  // Modes that can be asked for: Arnoldi's method wants room for a few vectors more than eigenvalues.
  int most() const { return most_; }
  Eigen::Index size() const {
    if (whole_) return 2 * n_;
    return static_cast<Eigen::Index>(positions_.entries().size() + rates().entries().size() +
                                     at_.states.size());
  }
  // (ξ and states; ν). In motion ν also follows from ξ, which the inverse sees to.
  void expand(const double* in, Eigen::VectorXd& full) const {
    full.resize(2 * n_);
    if (whole_) {
      full = Eigen::Map<const Eigen::VectorXd>(in, 2 * n_);
      return;
    }
    positions_.complete(in, full.head(n_));
    in += positions_.entries().size();
    rates().complete(in, full.tail(n_));
    in += rates().entries().size();
    for (const int i : at_.states) full[i] = *in++;
  }
  void pick(const Eigen::VectorXd& full, double* out) const {
    if (whole_) {
      Eigen::Map<Eigen::VectorXd>(out, 2 * n_) = full;
      return;
    }
    for (const int i : positions_.entries()) *out++ = full[i];
    for (const int i : rates().entries()) *out++ = full[n_ + i];
    for (const int i : at_.states) *out++ = full[i];
  }

 private:
  const Freedom& rates() const { return at_.has_velocity_rows() ? velocities_ : positions_; }

  const LinearLevels& at_;
  Eigen::Index n_;
  static constexpr Eigen::Index kRoom = 6;
  bool whole_ = false;
  int most_ = std::numeric_limits<int>::max();
  Freedom positions_, velocities_;
};

// As Spectra asks for it.
class Operator {
 public:
  using Scalar = double;
  Operator(const LinearInverse& inverse, const FreeVectors& vectors) : inverse_(inverse), vectors_(vectors) {}
  Eigen::Index rows() const { return vectors_.size(); }
  Eigen::Index cols() const { return vectors_.size(); }
  void perform_op(const double* in, double* out) const { vectors_.pick(image(in), out); }
  // (A − σ)⁻¹ of it, all entries.
  const Eigen::VectorXd& image(const double* in) const {
    vectors_.expand(in, full_);
    image_.resize(full_.size());
    inverse_.apply(full_.data(), image_.data());
    return image_;
  }

 private:
  const LinearInverse& inverse_;
  const FreeVectors& vectors_;
  mutable Eigen::VectorXd full_, image_;
};

// The entries of bodies, states and variables in an eigenvector given by its free coordinates; θ its eigenvalue.
Eigen::VectorXcd shape_of(const Operator& op, const LinearLevels& at, const Eigen::VectorXcd& free,
                          std::complex<double> theta) {
  const auto n = static_cast<Eigen::Index>(at.mechanical.size());
  const Eigen::VectorXd real = free.real(), imaginary = free.imag();
  Eigen::VectorXcd full = op.image(real.data()).head(n).cast<std::complex<double>>();
  full += std::complex<double>(0, 1) * op.image(imaginary.data()).head(n);
  Eigen::VectorXcd shape = at.E * (full / theta);
  Eigen::Index largest = 0;
  if (shape.cwiseAbs().maxCoeff(&largest) > 0) shape /= shape[largest];
  return shape;
}

// √(ξᵀKξ / ξᵀMξ) of the positions in a state: how fast the modes are that it consists of.
double pace(const LinearLevels& at, const Eigen::VectorXd& state) {
  const auto x = state.head(state.size() / 2);
  const double k = std::abs(x.dot(at.q * x)), m = std::abs(x.dot(at.a * x));
  return m > 0 ? std::sqrt(k / m) : 0.0;
}

// The matrix has the pattern of a time step's, and is eliminated in the same order.
std::vector<int> step_order(const system::System& system, const AssemblyResult& at) {
  solve::LevelMaps maps;
  maps.body = {1, 1, 1};
  maps.state = {1, 1, 0};
  system::System::Workspace work(system, assembly::AnalysisMode::linear);
  solve::StageEquations stage(system.layout(), at.active, solve::StageEquations::Rows::position);
  stage.evaluate(system, at.state, work, maps, true);
  return solve::elimination_order(system.layout(), stage);
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

// At rest a constraint that reads a state or variable is a row like others here, and eigenvalues do not depend on the coordinates.
core::Words why_not(const LinearLevels& at, const ModesOptions& options) {
  if (!at.trouble.empty()) return at.trouble;
  if (!at.strange.empty() && at.has_velocity_rows())
    return at.strange +
           ": such a constraint beside velocity-level ones has no modes in a model as large as this";
  if (at.moving && !options.coordinates.empty())
    return "PSTATE about a motion is not in this version for models as large as this; try RM";
  return {};
}

}  // namespace

bool inverse_about_shift(const LinearLevels& at, const Eigen::MatrixXd& basis, double& shift,
                         Eigen::MatrixXd& images) {
  const auto inverse = make_inverse(at, {});
  shift = first_shift(at);
  if (!inverse || !inverse->factor(shift)) return false;
  images.resize(basis.rows(), basis.cols());
  for (Eigen::Index k = 0; k < basis.cols(); ++k) inverse->apply(basis.col(k).data(), images.col(k).data());
  return images.allFinite();
}

ModesResult slowest_modes(const system::System& system, const AssemblyResult& assembled,
                          const ModesOptions& options) {
  ModesResult out;
  out.all = false;
  const LinearLevels at(system, assembled, options.frame.rm, options.damping);
  out.moving = at.moving;
  constexpr int kDefault = 20;
  int count = options.count > 0 ? options.count : kDefault;
  const core::Words trouble = why_not(at, options);
  const auto made = trouble.empty() ? make_inverse(at, step_order(system, assembled)) : nullptr;
  if (!made) {
    out.messages.push_back(trouble.empty() ? "the constraints are dependent here" : trouble);
    return out;
  }
  LinearInverse& inverse = *made;
  double first = first_shift(at);
  constexpr int kTries = 4;
  for (int k = 0; k < kTries && !inverse.factor(first); ++k) first *= 10;
  if (!inverse.factor(first)) {
    out.messages.push_back("the linear equations are singular here");
    return out;
  }
  FreeVectors free(at);
  if (!free.find()) {
    out.messages.push_back("the constraints are dependent here");
    return out;
  }
  count = std::min(count, free.most());
  const Eigen::Index size = 2 * static_cast<Eigen::Index>(at.mechanical.size());
  const auto wanted = std::min<Eigen::Index>(2 * count + 2, free.size() - 2);
  const auto room = std::min<Eigen::Index>(std::max<Eigen::Index>(2 * wanted + 20, 40), free.size());
  // A start that satisfies the constraints and is the same in every run.
  Eigen::VectorXd start(size), projected(size);
  for (Eigen::Index i = 0; i < size; ++i) start[i] = std::sin(1.0 + 0.7 * static_cast<double>(i % 9973));
  // The shift goes down to where the slowest modes are: from afar they all look alike. Rigid motions have no pace; the least shift
  // keeps them apart from a singular matrix.
  const double least = 1e-3 * inverse.shift();
  constexpr int kApproaches = 6, kPowers = 4;
  for (int k = 0; k < kApproaches; ++k) {
    for (int p = 0; p < kPowers; ++p) {
      inverse.apply(start.data(), projected.data());
      start = projected.normalized();
    }
    const double next = std::max(0.5 * pace(at, start), least);
    if (next > 0.5 * inverse.shift()) break;
    const double before = inverse.shift();
    if (inverse.factor(next)) continue;
    if (inverse.factor(before)) break;
    out.messages.push_back("the linear equations are singular here");
    return out;
  }
  projected.resize(free.size());
  free.pick(start, projected.data());
  Operator op(inverse, free);
  Spectra::GenEigsSolver<Operator> solver(op, wanted, room);
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
  const double slowest = theta.cwiseAbs().maxCoeff();
  // A double root at zero comes apart by the root of what θ is found to.
  const double known = std::sqrt(kAccuracy);
  const StiffnessDoubt doubt(at);
  int rigid = 0;
  std::vector<core::Words> names;
  for (Eigen::Index k = 0; k < theta.size(); ++k) {
    if (std::abs(theta[k]) < kInfinitelyFast * slowest) continue;
    Mode mode;
    mode.value = inverse.shift() + 1.0 / theta[k];
    mode.doubt = kAccuracy / std::abs(theta[k]);
    if (options.vectors) mode.shape = shape_of(op, at, vectors.col(k), theta[k]);
    const double unknown =
        std::max(known * inverse.shift(), options.vectors ? std::sqrt(doubt.of(mode.shape)) : 0.0);
    if (std::abs(mode.value) <= unknown) {
      mode.value = 0;
      ++rigid;
      Eigen::Index largest = 0;
      if (options.vectors && mode.shape.cwiseAbs().maxCoeff(&largest) > 0)
        names.push_back(system.layout().column_name(static_cast<int>(largest)));
    }
    if (mode.value.imag() < 0) continue;
    out.modes.push_back(std::move(mode));
  }
  std::stable_sort(out.modes.begin(), out.modes.end(),
                   [](const Mode& a, const Mode& b) { return std::abs(a.value) < std::abs(b.value); });
  if (static_cast<int>(out.modes.size()) > count) out.modes.resize(static_cast<std::size_t>(count));
  out.states = static_cast<int>(free.size());
  if (rigid > 0) out.messages.push_back(free_motions(rigid, names));
  if (found < wanted && static_cast<int>(out.modes.size()) < count)
    out.messages.push_back(
        core::words("warning: {} of {} modes asked for did not converge", count - out.modes.size(), count));
  out.messages.push_back(core::words("a large model: the {} slowest modes only", out.modes.size()));
  out.factorisations = inverse.factorisations();
  out.solutions = inverse.solutions();
  out.ok = true;
  return out;
}

}  // namespace trunnion::analysis
