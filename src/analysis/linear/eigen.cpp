#include "analysis/linear/eigen.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analysis/linear/conservative.hpp"
#include "analysis/linear/freedom.hpp"
#include "analysis/linear/inverse.hpp"
#include "analysis/linear/refine.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;

namespace {

// λ² is known to `square` only.
void raise(double square, Eigen::Index k, Spectrum& spectrum) {
  const double apart = square / std::abs(spectrum.values[k]);
  spectrum.doubt[k] = std::max(spectrum.doubt[k], std::min(std::sqrt(square), apart));
}

void doubt_of_stiffness(const LinearLevels& at, Spectrum& spectrum) {
  const StiffnessDoubt doubt(at);
  for (Eigen::Index k = 0; k < spectrum.values.size(); ++k)
    raise(doubt.of(spectrum.vectors.col(k)), k, spectrum);
}

// Eigenvalues and shapes (over tangent entries) through the inverse, which exists where parts without mass have no accelerations:
// what moves infinitely fast has the eigenvalue zero there, and is left out.
bool eigen_by_inverse(const LinearLevels& at, Spectrum& out) {
  Freedom positions, velocities;
  if (!at.trouble.empty() || !at.strange.empty() || !positions.find(at, at.position_rows) ||
      !velocities.find(at, at.all_rows))
    return false;
  // Where each entry of s = (y, u, z) stands among positions and velocities one after the other.
  const auto n = static_cast<int>(at.mechanical.size());
  std::vector<int> entries = positions.entries();
  for (const int i : velocities.entries()) entries.push_back(n + i);
  entries.insert(entries.end(), at.states.begin(), at.states.end());
  const auto count = static_cast<Eigen::Index>(entries.size());
  positions.find_basis();
  velocities.find_basis();
  const Eigen::Index ny = positions.N().cols(), nu = velocities.N().cols();
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(2 * n, count), images;
  basis.topLeftCorner(n, ny) = positions.N();
  basis.block(n, ny, n, nu) = velocities.N();
  for (Eigen::Index k = ny + nu; k < count; ++k) basis(entries[static_cast<std::size_t>(k)], k) = 1;
  double shift = 0;
  if (!inverse_about_shift(at, basis, shift, images)) return false;
  Eigen::MatrixXd T(count, count);
  for (Eigen::Index k = 0; k < count; ++k) T.row(k) = images.row(entries[static_cast<std::size_t>(k)]);
  const Spectrum inverse = spectrum(T);
  const Eigen::VectorXcd& theta = inverse.values;
  const double largest = theta.size() > 0 ? theta.cwiseAbs().maxCoeff() : 0.0;
  std::vector<Eigen::Index> finite;
  for (Eigen::Index k = 0; k < theta.size(); ++k) {
    if (std::abs(theta[k]) > kInfinitelyFast * largest) finite.push_back(k);
  }
  out.values.resize(static_cast<Eigen::Index>(finite.size()));
  out.doubt.resize(out.values.size());
  out.vectors.resize(n, out.values.size());
  for (Eigen::Index k = 0; k < out.values.size(); ++k) {
    // An image is θ times its vector, and holds all entries.
    const Eigen::Index found = finite[static_cast<std::size_t>(k)];
    out.values[k] = shift + 1.0 / theta[found];
    out.doubt[k] = inverse.doubt[found] / std::norm(theta[found]);
    out.vectors.col(k) =
        (at.E * images.topRows(n)).cast<std::complex<double>>() * inverse.vectors.col(found) / theta[found];
  }
  doubt_of_stiffness(at, out);
  return true;
}

// λ of A in the coordinates (y, u, z) of LinearSystem. A velocity counts as much as its displacement in a time 1/σ: measured as the fast
// modes ask for, slow ones would have none.
class States final : public InvertedProblem {
 public:
  States(const LinearLevels& at, const LinearSystem& system, const Eigen::VectorXd& scale)
      : n_(static_cast<Eigen::Index>(at.mechanical.size())), scale_(scale), states_(at.states) {
    if (!positions_.find(at, at.position_rows) || !velocities_.find(at, at.all_rows)) return;
    // Where there is a way of its own to the coordinates, they may be others.
    if (positions_.entries() != system.free_positions || velocities_.entries() != system.free_velocities)
      return;
    inverse_ = make_inverse(at, {});
  }
  bool ok() const { return inverse_ != nullptr; }
  bool factor(double shift) override { return inverse_->factor(shift); }

  Eigen::VectorXd unit() const override {
    const std::vector<int>&p = positions_.entries(), &v = velocities_.entries();
    Eigen::VectorXd out = scale_;
    for (std::size_t j = 0; j < v.size(); ++j) {
      const auto place = std::lower_bound(p.begin(), p.end(), v[j]);
      if (place == p.end() || *place != v[j]) continue;
      out[static_cast<Eigen::Index>(p.size() + j)] = inverse_->shift() * out[place - p.begin()];
    }
    return out;
  }

  Eigen::MatrixXd inverse(const Eigen::MatrixXd& columns) const override {
    const std::vector<int>&p = positions_.entries(), &v = velocities_.entries();
    Eigen::MatrixXd images(columns.rows(), columns.cols());
    Eigen::VectorXd in(2 * n_), out(2 * n_);
    for (Eigen::Index k = 0; k < columns.cols(); ++k) {
      const double* from = columns.col(k).data();
      positions_.complete(from, in.head(n_));
      from += p.size();
      velocities_.complete(from, in.tail(n_));
      from += v.size();
      for (const int i : states_) in[i] = *from++;
      inverse_->apply(in.data(), out.data());
      Eigen::Index row = 0;
      for (const int i : p) images(row++, k) = out[i];
      for (const int i : v) images(row++, k) = out[n_ + i];
      for (const int i : states_) images(row++, k) = out[i];
    }
    return images;
  }

 private:
  Eigen::Index n_;
  Eigen::VectorXd scale_;
  std::vector<int> states_;
  Freedom positions_, velocities_;
  std::unique_ptr<LinearInverse> inverse_;
};

// The slow ones among all eigenvalues of A, as they are without the rounding of the fast ones.
void refine_slow(const LinearLevels& at, const LinearSystem& system, Spectrum& spectrum) {
  if (!at.strange.empty()) return;
  States problem(at, system, spectrum.scale);
  if (!problem.ok()) return;
  const StiffnessDoubt doubt(at);
  const auto unknown = [&](const Eigen::VectorXcd& x) { return std::sqrt(doubt.of(system.shape * x)); };
  refine(problem, {.unknown = unknown}, spectrum);
}

}  // namespace

bool eigen_of(const system::System& system, const AssemblyResult& at, const LinearOptions& options,
              Spectrum& out, std::vector<core::Words>& messages, bool* moving) {
  const LinearLevels levels(system, at, options.frame.rm, options.damping);
  if (moving) *moving = levels.moving;
  if (options.coordinates.empty()) {
    if (std::optional<Spectrum> found = conservative_spectrum(levels)) {
      out = std::move(*found);
      doubt_of_stiffness(levels, out);
      return true;
    }
  }
  const LinearSystem found = linearise(system, at, options);
  if (!found.ok && options.coordinates.empty() && eigen_by_inverse(levels, out)) return true;
  messages.insert(messages.end(), found.messages.begin(), found.messages.end());
  if (!found.ok) return false;
  out = spectrum(found.A);
  if (options.coordinates.empty()) refine_slow(levels, found, out);
  out.vectors = found.shape.cast<std::complex<double>>() * out.vectors;
  doubt_of_stiffness(levels, out);
  return true;
}

void doubt_of_forces(const LinearLevels& at, double force, Spectrum& spectrum) {
  const LinearLevels::Matrix back = at.E.transpose();
  for (Eigen::Index k = 0; k < spectrum.values.size() && force > 0; ++k) {
    const Eigen::VectorXcd xi = back * spectrum.vectors.col(k);
    double stiffness = 0;
    for (Eigen::Index i = 0; i < xi.size(); ++i) {
      const auto entry = static_cast<std::size_t>(i);
      if (at.mechanical[entry]) stiffness += std::norm(at.unit[entry] * xi[i]) * force / at.length;
    }
    const double mass = std::abs(xi.dot(at.a * xi));
    if (mass > 0) raise(stiffness / mass, k, spectrum);
  }
}

int count_states(const system::System& system, const AssemblyResult& at) {
  const assembly::Layout& layout = system.layout();
  return 2 * (layout.mechanical_size() - static_cast<int>(at.active.size())) + layout.states().size;
}

core::Words too_large(const system::System& system, const AssemblyResult& at, const char* what) {
  constexpr double kMost = 3e9;  // bytes
  const int states = count_states(system, at);
  const double bytes = 24.0 * states * (system.layout().size() + system.layout().row_count());
  if (bytes <= kMost) return {};
  return core::words(
      "{} for {} states would take {:.0f} GB; LINEAR/EIGENSOL finds the slowest modes of models as large as "
      "this",
      what, states, bytes / 1e9);
}

}  // namespace trunnion::analysis
