#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analysis/accelerations.hpp"
#include "analysis/extent.hpp"
#include "analysis/linear_freedom.hpp"
#include "analysis/linear_spectrum.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;
using assembly::BlockKind;

namespace {

// Of the inverse's eigenvalues: rounding moves a double root at zero by the square root of its size, 1e-8 of the largest. What is
// below this part of it moves infinitely fast.
constexpr double kInfinite = 1e-7;

// The coordinate in which a mode is largest.
std::string largest_coordinate(const assembly::Layout& layout, const Eigen::VectorXcd& shape) {
  Eigen::Index entry = 0;
  if (shape.size() == 0 || shape.cwiseAbs().maxCoeff(&entry) == 0) return {};
  return layout.column_name(static_cast<int>(entry));
}

std::string eigenvalue(std::complex<double> value) {
  return value.imag() == 0 ? fmt::format("{:.4g}", value.real())
                           : fmt::format("{:.4g} ± {:.5g} i", value.real(), std::abs(value.imag()));
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

std::vector<double> kinetic_shares(const system::System& system, const Mode& mode) {
  std::vector<double> shares;
  double sum = 0;
  for (const system::BodyInfo& info : system.bodies()) {
    double energy = 0;
    for (const elements::Body& body : system.body_elements()) {
      if (!info.block.valid() || body.block != info.block) continue;
      const Block& block = system.layout().block(body.block);
      const auto v = mode.shape.segment(block.offset, block.size);
      energy += body.mass * v.head(block.translations).squaredNorm();
      if (block.kind == BlockKind::rigid)
        energy += (v.tail(3).adjoint() * body.J.cast<std::complex<double>>() * v.tail(3))(0).real();
      if (block.kind == BlockKind::planar) {
        const math::Vec3 axis = system.layout().plane(block).normal_B;
        energy += axis.dot(body.J * axis) * std::norm(v[2]);
      }
    }
    shares.push_back(energy);
    sum += energy;
  }
  for (double& e : shares) e = sum > 0 ? e / sum : 0;
  return shares;
}

namespace {

void doubt_of_stiffness(const LinearLevels& at, Spectrum& spectrum) {
  const StiffnessDoubt doubt(at);
  for (Eigen::Index k = 0; k < spectrum.values.size(); ++k) {
    const double square = doubt.of(spectrum.vectors.col(k)), apart = square / std::abs(spectrum.values[k]);
    spectrum.doubt[k] = std::max(spectrum.doubt[k], std::min(std::sqrt(square), apart));
  }
}

// Eigenvalues and shapes (over tangent entries) through the inverse, which exists where parts without mass have no accelerations:
// what moves infinitely fast has the eigenvalue zero there, and is left out.
bool eigen_by_inverse(const system::System& system, const AssemblyResult& assembled,
                      const LinearOptions& options, Spectrum& out) {
  const LinearLevels at(system, assembled, options.frame.rm, options.damping);
  Freedom positions, velocities;
  if (!at.trouble.empty() || !at.strange.empty() || !positions.find(at, at.position_rows) ||
      !velocities.find(at, at.all_rows))
    return false;
  // Where each entry of s = (y, u, z) stands among positions and velocities one after the other.
  const int n = system.layout().size();
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
    if (std::abs(theta[k]) > kInfinite * largest) finite.push_back(k);
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

// … of all that is finite, by whichever way there is.
// Vectors are shapes over tangent entries.
bool eigen_of(const system::System& system, const AssemblyResult& at, const LinearOptions& options,
              Spectrum& out, std::vector<std::string>& messages, bool* moving = nullptr) {
  const LinearSystem found = linearise(system, at, options);
  if (moving) *moving = found.moving;
  if (!found.ok && options.coordinates.empty() && eigen_by_inverse(system, at, options, out)) return true;
  messages.insert(messages.end(), found.messages.begin(), found.messages.end());
  if (!found.ok) return false;
  out = spectrum(found.A);
  out.vectors = found.shape.cast<std::complex<double>>() * out.vectors;
  doubt_of_stiffness(LinearLevels(system, at, options.frame.rm, options.damping), out);
  return true;
}

int count_states(const system::System& system, const AssemblyResult& at) {
  int states = 0, scalars = 0;
  for (int b = 0; b < system.layout().block_count(); ++b) {
    const Block& block = system.layout().block(BlockId{b});
    if (block.kind == BlockKind::first_order) states += block.size;
    if (block.kind == BlockKind::first_order || block.kind == BlockKind::algebraic) scalars += block.size;
  }
  return 2 * (system.layout().size() - scalars - static_cast<int>(at.active.size())) + states;
}

// Whether the eigenvalues a hundredth of a radian later are the same.
bool steady(const system::System& system, const AssemblyResult& at, const LinearOptions& about,
            const Eigen::VectorXcd& now) {
  constexpr double kAhead = 0.01, kChange = 0.01;  // change: of eigenvalues, per radian
  system::System::Workspace work(system);
  const double fastest = pace(system, at.state, work);
  if (!(fastest > 0)) return true;
  AssemblyResult later = at;
  later.state = advanced(system.layout(), at.state, kAhead / fastest);
  std::string message;
  if (!solve_accelerations(system, at.active, later.state, work, message)) return true;
  Spectrum ahead;
  std::vector<std::string> messages;
  if (!eigen_of(system, later, about, ahead, messages)) return false;
  for (Eigen::Index k = 0; k < now.size(); ++k) {
    const double nearest = (ahead.values.array() - now[k]).abs().minCoeff();
    if (!(nearest < kAhead * kChange * std::max(std::abs(now[k]), fastest))) return false;
  }
  return true;
}

}  // namespace

ModesResult modes(const system::System& system, const AssemblyResult& at, const ModesOptions& options) {
  ModesResult out;
  if (count_states(system, at) > options.dense_up_to) return slowest_modes(system, at, options);
  Spectrum found;
  LinearOptions about;
  about.damping = options.damping;
  about.frame = options.frame;
  about.coordinates = options.coordinates;
  if (!eigen_of(system, at, about, found, out.messages, &out.moving)) return out;
  const Eigen::VectorXcd& values = found.values;
  out.states = static_cast<int>(values.size());
  if (out.moving && !steady(system, at, about, values))
    out.messages.push_back(
        "warning: the linear equations change along this motion; their eigenvalues describe this moment "
        "only. Try RM, a marker that turns with the motion, or a place where the motion is steady");
  int rigid = 0;
  std::vector<std::string> free;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const bool zero = found.is_zero(k);
    if (zero) {
      ++rigid;
      add_once(free, largest_coordinate(system.layout(), found.vectors.col(k)));
    }
    // A pair about zero that rounding made of two zeros is two modes.
    if (values[k].imag() < 0 && !zero) continue;
    Mode mode;
    mode.value = zero ? 0.0 : values[k];
    mode.doubt = found.doubt[k];
    if (options.vectors) {
      mode.shape = found.vectors.col(k);
      Eigen::Index largest = 0;
      if (mode.shape.size() > 0 && mode.shape.cwiseAbs().maxCoeff(&largest) > 0)
        mode.shape /= mode.shape[largest];
    }
    out.modes.push_back(std::move(mode));
  }
  std::stable_sort(out.modes.begin(), out.modes.end(),
                   [](const Mode& a, const Mode& b) { return std::abs(a.value) < std::abs(b.value); });
  if (rigid > 0) out.messages.push_back(free_motions(rigid, free.empty() ? "" : free.front()));
  out.ok = true;
  return out;
}

StabilityResult judge_stability(const system::System& system, const AssemblyResult& at) {
  StabilityResult out;
  const assembly::Layout& layout = system.layout();
  if (count_states(system, at) > kDenseModes) {
    out.messages.push_back(fmt::format(
        "stability not judged: {} freedoms; LINEAR/EIGENSOL finds the slowest modes", at.freedoms));
    return out;
  }
  Spectrum found;
  std::vector<std::string> why;
  if (!eigen_of(system, at, {}, found, why)) {
    out.messages.push_back("stability not judged: " + (why.empty() ? std::string() : why.front()));
    return out;
  }
  const Eigen::VectorXcd& values = found.values;
  std::vector<std::string> free;
  double fastest = 0;
  Eigen::Index worst = -1;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (found.is_zero(k)) {
      ++out.neutral;
      add_once(free, largest_coordinate(layout, found.vectors.col(k)));
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
  if (out.growing > 0) {
    out.stability = Stability::unstable;
    out.messages.push_back(fmt::format("unstable equilibrium: {} eigenvalue{} with positive real part",
                                       out.growing, out.growing == 1 ? "" : "s"));
    out.messages.push_back(fmt::format("  fastest growing: {}, largest in {}", eigenvalue(values[worst]),
                                       largest_coordinate(layout, found.vectors.col(worst))));
  } else if (out.neutral > 0) {
    out.stability = Stability::neutral;
    out.messages.push_back("neutral equilibrium: nothing holds or moves the mechanism in some directions");
  } else {
    out.stability = Stability::stable;
    out.messages.push_back(values.size() > 0 ? "stable equilibrium"
                                             : "no freedom left: the constraints alone hold it");
  }
  constexpr std::size_t kShown = 6;
  for (std::size_t k = 0; k < std::min(kShown, free.size()); ++k)
    out.messages.push_back("  free to move: " + free[k]);
  if (free.size() > kShown) out.messages.push_back(fmt::format("  and {} more", free.size() - kShown));
  return out;
}

}  // namespace trunnion::analysis
