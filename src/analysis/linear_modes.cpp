#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "analysis/accelerations.hpp"
#include "analysis/extent.hpp"
#include "analysis/linear_freedom.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;
using assembly::BlockKind;

namespace {

// Rounding moves a double root at zero by the square root of its size, 1e-8 of the largest: what is below this part of it is zero.
constexpr double kZero = 1e-7;

}  // namespace

void balanced_eigen(const Eigen::MatrixXd& given, bool vectors, Eigen::VectorXcd& values,
                    Eigen::MatrixXcd& shapes) {
  // Similar by a diagonal of powers of two, until rows and columns are about as long as each other (Osborne, Parlett, Reinsch).
  Eigen::MatrixXd A = given;
  const Eigen::Index n = A.rows();
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(n);
  constexpr int kSweeps = 50;
  bool changed = n > 0;
  for (int sweep = 0; sweep < kSweeps && changed; ++sweep) {
    changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double c = A.col(i).cwiseAbs().sum() - std::abs(A(i, i));
      const double r = A.row(i).cwiseAbs().sum() - std::abs(A(i, i));
      if (c == 0 || r == 0) continue;
      const double f = std::exp2(std::round(std::log2(std::sqrt(r / c))));
      if (!((c * f + r / f) < 0.95 * (c + r))) continue;
      changed = true;
      scale[i] *= f;
      A.col(i) *= f;
      A.row(i) /= f;
    }
  }
  if (n == 0) {
    values.resize(0);
    shapes.resize(0, 0);
    return;
  }
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A, vectors);
  values = solver.eigenvalues();
  if (vectors) shapes = scale.cast<std::complex<double>>().asDiagonal() * solver.eigenvectors();
}

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

// Eigenvalues and shapes (over tangent entries) through the inverse, which exists where parts without mass have no accelerations:
// what moves infinitely fast has the eigenvalue zero there, and is left out.
bool eigen_by_inverse(const system::System& system, const AssemblyResult& assembled,
                      const LinearOptions& options, Eigen::VectorXcd& values, Eigen::MatrixXcd& shapes) {
  const LinearLevels at(system, assembled, options.frame.rm, options.damping);
  Freedom positions, velocities;
  if (!at.trouble.empty() || !positions.find(at, at.position_rows) || !velocities.find(at, at.all_rows))
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
  Eigen::VectorXcd theta;
  Eigen::MatrixXcd vectors;
  balanced_eigen(T, true, theta, vectors);
  const double largest = theta.size() > 0 ? theta.cwiseAbs().maxCoeff() : 0.0;
  std::vector<Eigen::Index> finite;
  for (Eigen::Index k = 0; k < theta.size(); ++k) {
    if (std::abs(theta[k]) > kZero * largest) finite.push_back(k);
  }
  values.resize(static_cast<Eigen::Index>(finite.size()));
  shapes.resize(n, values.size());
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    // An image is θ times its vector, and holds all entries.
    const Eigen::Index found = finite[static_cast<std::size_t>(k)];
    values[k] = shift + 1.0 / theta[found];
    shapes.col(k) =
        (at.E * images.topRows(n)).cast<std::complex<double>>() * vectors.col(found) / theta[found];
  }
  return true;
}

// … of all that is finite, by whichever way there is.
bool eigen_of(const system::System& system, const AssemblyResult& at, const LinearOptions& options,
              Eigen::VectorXcd& values, Eigen::MatrixXcd& shapes, std::vector<std::string>& messages,
              bool* moving = nullptr) {
  const LinearSystem found = linearise(system, at, options);
  if (moving) *moving = found.moving;
  if (!found.ok && eigen_by_inverse(system, at, options, values, shapes)) return true;
  messages.insert(messages.end(), found.messages.begin(), found.messages.end());
  if (!found.ok) return false;
  Eigen::MatrixXcd vectors;
  balanced_eigen(found.A, true, values, vectors);
  shapes = found.shape.cast<std::complex<double>>() * vectors;
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
  Eigen::VectorXcd then;
  Eigen::MatrixXcd shapes;
  std::vector<std::string> messages;
  if (!eigen_of(system, later, about, then, shapes, messages)) return false;
  for (Eigen::Index k = 0; k < now.size(); ++k) {
    const double nearest = (then.array() - now[k]).abs().minCoeff();
    if (!(nearest < kAhead * kChange * std::max(std::abs(now[k]), fastest))) return false;
  }
  return true;
}

}  // namespace

ModesResult modes(const system::System& system, const AssemblyResult& at, const ModesOptions& options) {
  ModesResult out;
  if (count_states(system, at) > options.dense_up_to) return slowest_modes(system, at, options);
  Eigen::VectorXcd values;
  Eigen::MatrixXcd shapes;
  LinearOptions about;
  about.damping = options.damping;
  about.frame = options.frame;
  if (!eigen_of(system, at, about, values, shapes, out.messages, &out.moving)) return out;
  out.states = static_cast<int>(values.size());
  if (out.moving && !steady(system, at, about, values))
    out.messages.push_back(
        "warning: the linear equations change along this motion; their eigenvalues describe this moment "
        "only. Try RM, a marker that turns with the motion, or a place where the motion is steady");
  const double largest_value = values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0.0;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (std::abs(values[k]) <= kZero * largest_value) values[k] = 0;
    if (values[k].imag() < 0) continue;
    Mode mode;
    mode.value = values[k];
    if (options.vectors) {
      mode.shape = shapes.col(k);
      Eigen::Index largest = 0;
      if (mode.shape.size() > 0 && mode.shape.cwiseAbs().maxCoeff(&largest) > 0)
        mode.shape /= mode.shape[largest];
    }
    out.modes.push_back(std::move(mode));
  }
  std::stable_sort(out.modes.begin(), out.modes.end(),
                   [](const Mode& a, const Mode& b) { return std::abs(a.value) < std::abs(b.value); });
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
  Eigen::VectorXcd values;
  Eigen::MatrixXcd shapes;
  std::vector<std::string> why;
  if (!eigen_of(system, at, {}, values, shapes, why)) {
    out.messages.push_back("stability not judged: " + (why.empty() ? std::string() : why.front()));
    return out;
  }
  const double largest = values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0.0;
  std::vector<std::string> free;
  double fastest = 0;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (values[k].imag() < 0) continue;
    if (std::abs(values[k]) <= kZero * largest || largest == 0) {
      ++out.neutral;
      Eigen::Index entry = 0;
      const Eigen::VectorXd shape = shapes.col(k).cwiseAbs();
      if (shape.size() == 0 || shape.maxCoeff(&entry) == 0) continue;
      const std::string name = layout.column_name(static_cast<int>(entry));
      if (std::find(free.begin(), free.end(), name) == free.end()) free.push_back(name);
      continue;
    }
    if (values[k].real() <= kZero * largest) continue;
    out.growing += values[k].imag() > 0 ? 2 : 1;
    if (values[k].imag() != 0 || values[k].real() < fastest) continue;
    fastest = values[k].real();
    out.away = shapes.col(k).real();
    out.away.normalize();
  }
  if (out.growing > 0) {
    out.stability = Stability::unstable;
    out.messages.push_back(fmt::format("unstable equilibrium: {} eigenvalue{} with positive real part",
                                       out.growing, out.growing == 1 ? "" : "s"));
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
