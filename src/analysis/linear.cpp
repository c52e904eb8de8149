#include "analysis/linear.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "analysis/linear_levels.hpp"
#include "sparse/lu.hpp"
#include "sparse/rank.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;
using assembly::BlockKind;
using assembly::State;
using Matrix = LinearLevels::Matrix;
using Levels = LinearLevels;

namespace {

// Rounding moves a double root at zero by the square root of its size, 1e-8 of the largest: what is below this part of it is zero.
constexpr double kZero = 1e-7;

// The displacements that some rows of G allow: columns N with G N = 0, the free coordinates being the identity.
struct Freedom {
  std::vector<int> entries;  // tangent entries
  Eigen::MatrixXd N;
};

bool find_freedom(const Levels& at, const std::vector<int>& rows, Freedom& out) {
  const auto n = static_cast<int>(at.mechanical.size());
  std::vector<int> columns, place(static_cast<std::size_t>(n), -1);
  for (int i = 0; i < n; ++i) {
    if (!at.mechanical[static_cast<std::size_t>(i)]) continue;
    place[static_cast<std::size_t>(i)] = static_cast<int>(columns.size());
    columns.push_back(i);
  }
  std::vector<int> row_place(static_cast<std::size_t>(at.G.rows()), -1);
  for (std::size_t k = 0; k < rows.size(); ++k)
    row_place[static_cast<std::size_t>(rows[k])] = static_cast<int>(k);
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < at.G.outerSize(); ++c) {
    for (Matrix::InnerIterator it(at.G, c); it; ++it) {
      const int r = row_place[static_cast<std::size_t>(it.row())];
      if (r >= 0 && place[static_cast<std::size_t>(c)] >= 0)
        entries.emplace_back(r, place[static_cast<std::size_t>(c)], it.value());
    }
  }
  const auto m = static_cast<int>(rows.size()), width = static_cast<int>(columns.size());
  Matrix G(m, width);
  G.setFromTriplets(entries.begin(), entries.end());
  std::vector<int> free = sparse::row_rank(to_csc(G)).free_columns;
  std::sort(free.begin(), free.end());
  if (static_cast<int>(free.size()) != width - m) return false;
  std::vector<int> dependent;
  for (int c = 0, k = 0; c < width; ++c) {
    if (k < static_cast<int>(free.size()) && free[static_cast<std::size_t>(k)] == c) ++k;
    else dependent.push_back(c);
  }
  Matrix Gd(m, m);
  std::vector<Eigen::Triplet<double>> square;
  for (int c = 0; c < m; ++c) {
    for (Matrix::InnerIterator it(G, dependent[static_cast<std::size_t>(c)]); it; ++it)
      square.emplace_back(static_cast<int>(it.row()), c, it.value());
  }
  Gd.setFromTriplets(square.begin(), square.end());
  const sparse::CscMatrix csc = to_csc(Gd);
  sparse::SparseLu lu;
  if (m > 0 && (!lu.analyse(csc) || lu.factor(csc) == sparse::FactorStatus::singular)) return false;
  out.N = Eigen::MatrixXd::Zero(n, static_cast<Eigen::Index>(free.size()));
  out.entries.clear();
  for (std::size_t k = 0; k < free.size(); ++k) {
    const auto col = static_cast<Eigen::Index>(k);
    Eigen::VectorXd b = -Eigen::VectorXd(G.col(free[k]));
    if (m > 0) lu.solve(b);
    for (int j = 0; j < m; ++j)
      out.N(columns[static_cast<std::size_t>(dependent[static_cast<std::size_t>(j)])], col) = b[j];
    const int entry = columns[static_cast<std::size_t>(free[k])];
    out.N(entry, col) = 1;
    out.entries.push_back(entry);
  }
  return true;
}

// [ A_a  A_v,z  A_q,w  L ; G 0 ], an input's own equation replaced by w = i.
Matrix highest_levels(const Levels& at, const std::vector<char>& input) {
  const auto n = static_cast<int>(at.mechanical.size());
  std::vector<char> kind(static_cast<std::size_t>(n), 'a');
  for (const int i : at.states) kind[static_cast<std::size_t>(i)] = 'v';
  for (const int i : at.variables) kind[static_cast<std::size_t>(i)] = 'q';
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < n; ++c) {
    const Matrix& from = kind[static_cast<std::size_t>(c)] == 'a'   ? at.a
                         : kind[static_cast<std::size_t>(c)] == 'v' ? at.v
                                                                    : at.q;
    for (Matrix::InnerIterator it(from, c); it; ++it) {
      if (!input[static_cast<std::size_t>(it.row())])
        entries.emplace_back(static_cast<int>(it.row()), c, it.value());
    }
    if (input[static_cast<std::size_t>(c)]) entries.emplace_back(c, c, 1.0);
    for (Matrix::InnerIterator it(at.G, c); it; ++it) {
      if (at.mechanical[static_cast<std::size_t>(c)])
        entries.emplace_back(n + static_cast<int>(it.row()), c, it.value());
    }
  }
  for (int c = 0; c < at.L.outerSize(); ++c) {
    for (Matrix::InnerIterator it(at.L, c); it; ++it) {
      if (!input[static_cast<std::size_t>(it.row())])
        entries.emplace_back(static_cast<int>(it.row()), n + c, it.value());
    }
  }
  const auto size = n + static_cast<int>(at.G.rows());
  Matrix E(size, size);
  E.setFromTriplets(entries.begin(), entries.end());
  return E;
}

std::string massless(const assembly::Layout& layout, const sparse::SparseLu& lu) {
  const auto at = lu.singular();
  if (at && at->col >= 0 && at->col < layout.size())
    return fmt::format("{} has no mass and nothing that holds it: the linear equations cannot be made",
                       layout.column_name(at->col));
  return "the linear equations are singular here";
}

}  // namespace

LinearSystem linearise(const system::System& system, const AssemblyResult& assembled,
                       const LinearOptions& options) {
  const assembly::Layout& layout = system.layout();
  const int n = layout.size();
  LinearSystem out;
  Levels at(system, assembled);
  if (!options.damping) at.leave_out_damping();
  Freedom positions, velocities;
  if (!find_freedom(at, at.position_rows, positions)) {
    out.messages.push_back("the constraints are dependent here: no independent coordinates can be chosen");
    return out;
  }
  velocities = positions;
  if (at.position_rows.size() != at.all_rows.size() && !find_freedom(at, at.all_rows, velocities)) {
    out.messages.push_back("the velocity-level constraints are dependent here");
    return out;
  }
  std::vector<char> input(static_cast<std::size_t>(n), 0);
  std::vector<int> inputs, outputs;
  for (const BlockId id : options.inputs) {
    inputs.push_back(layout.block(id).offset);
    input[static_cast<std::size_t>(inputs.back())] = 1;
  }
  for (const BlockId id : options.outputs) outputs.push_back(layout.block(id).offset);

  const sparse::CscMatrix E = to_csc(highest_levels(at, input));
  sparse::SparseLu lu;
  constexpr double kSingular = 1e-14;
  if (E.cols > 0 &&
      (!lu.analyse(E) || lu.factor(E) == sparse::FactorStatus::singular || lu.rcond() < kSingular)) {
    out.messages.push_back(massless(layout, lu));
    return out;
  }
  const auto ny = positions.N.cols(), nu = velocities.N.cols(),
             nz = static_cast<Eigen::Index>(at.states.size());
  out.positions = static_cast<int>(ny);
  out.velocities = static_cast<int>(nu);
  out.states = static_cast<int>(nz);
  const Eigen::Index ns = ny + nu + nz, ni = static_cast<Eigen::Index>(inputs.size()),
                     no = static_cast<Eigen::Index>(outputs.size());
  out.A = Eigen::MatrixXd::Zero(ns, ns);
  out.B = Eigen::MatrixXd::Zero(ns, ni);
  out.C = Eigen::MatrixXd::Zero(no, ns);
  out.D = Eigen::MatrixXd::Zero(no, ni);
  out.shape = Eigen::MatrixXd::Zero(n, ns);
  out.shape.leftCols(ny) = positions.N;
  for (Eigen::Index k = 0; k < nz; ++k) out.shape(at.states[static_cast<std::size_t>(k)], ny + nu + k) = 1;
  // What the highest levels do, into a column of (A; C) or (B; D).
  const auto respond = [&](Eigen::VectorXd& b, Eigen::MatrixXd& dynamics, Eigen::MatrixXd& readings,
                           Eigen::Index column) {
    lu.solve(b);
    for (Eigen::Index k = 0; k < nu; ++k)
      dynamics(ny + k, column) = b[velocities.entries[static_cast<std::size_t>(k)]];
    for (Eigen::Index k = 0; k < nz; ++k)
      dynamics(ny + nu + k, column) = b[at.states[static_cast<std::size_t>(k)]];
    for (Eigen::Index k = 0; k < no; ++k) readings(k, column) = b[outputs[static_cast<std::size_t>(k)]];
  };
  Eigen::VectorXd b(E.cols);
  for (Eigen::Index j = 0; j < ns; ++j) {
    b.setZero();
    if (j < ny) b.head(n) = -(at.q * positions.N.col(j));
    else if (j < ny + nu) b.head(n) = -(at.v * velocities.N.col(j - ny));
    else b.head(n) = -Eigen::VectorXd(at.q.col(at.states[static_cast<std::size_t>(j - ny - nu)]));
    for (const int i : inputs) b[i] = 0;
    respond(b, out.A, out.C, j);
  }
  for (Eigen::Index j = 0; j < nu; ++j) {
    for (Eigen::Index k = 0; k < ny; ++k)
      out.A(k, ny + j) = velocities.N(positions.entries[static_cast<std::size_t>(k)], j);
  }
  for (Eigen::Index j = 0; j < ni; ++j) {
    b.setZero();
    b[inputs[static_cast<std::size_t>(j)]] = 1;
    respond(b, out.B, out.D, j);
  }
  for (const int i : positions.entries) out.names.push_back(layout.column_name(i));
  for (const int i : velocities.entries) out.names.push_back("rate of " + layout.column_name(i));
  for (const int i : at.states) out.names.push_back(layout.column_name(i));
  out.free_positions = positions.entries;
  out.N = std::move(positions.N);
  out.ok = out.A.allFinite();
  if (!out.ok) out.messages.push_back("the linear equations contain values that are not numbers");
  return out;
}

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

StructuralMatrices structural_matrices(const system::System& system, const AssemblyResult& assembled) {
  StructuralMatrices out;
  const Levels at(system, assembled);
  Freedom freedom;
  if (!find_freedom(at, at.position_rows, freedom)) return out;
  out.M = freedom.N.transpose() * (at.a * freedom.N);
  out.K = freedom.N.transpose() * (at.q * freedom.N);
  out.B = freedom.N.transpose() * (at.v * freedom.N);
  for (const int i : freedom.entries) out.names.push_back(system.layout().column_name(i));
  out.ok = true;
  return out;
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
bool eigen_by_inverse(const system::System& system, const AssemblyResult& assembled, bool damping,
                      Eigen::VectorXcd& values, Eigen::MatrixXcd& shapes) {
  Levels at(system, assembled);
  if (!damping) at.leave_out_damping();
  Freedom free;
  if (at.position_rows.size() != at.all_rows.size() || !find_freedom(at, at.all_rows, free)) return false;
  const Eigen::Index n = system.layout().size(), f = free.N.cols(),
                     nz = static_cast<Eigen::Index>(at.states.size());
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(2 * n, 2 * f + nz), images;
  basis.topLeftCorner(n, f) = free.N;
  basis.block(n, f, n, f) = free.N;
  for (Eigen::Index k = 0; k < nz; ++k) basis(at.states[static_cast<std::size_t>(k)], 2 * f + k) = 1;
  double shift = 0;
  if (!inverse_about_shift(at, basis, shift, images)) return false;
  Eigen::MatrixXd T(2 * f + nz, 2 * f + nz);
  for (Eigen::Index k = 0; k < f; ++k) {
    T.row(k) = images.row(free.entries[static_cast<std::size_t>(k)]);
    T.row(f + k) = images.row(n + free.entries[static_cast<std::size_t>(k)]);
  }
  for (Eigen::Index k = 0; k < nz; ++k) T.row(2 * f + k) = images.row(at.states[static_cast<std::size_t>(k)]);
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
    values[k] = shift + 1.0 / theta[finite[static_cast<std::size_t>(k)]];
    shapes.col(k) =
        basis.topRows(n).cast<std::complex<double>>() * vectors.col(finite[static_cast<std::size_t>(k)]);
  }
  return true;
}

// … of all that is finite, by whichever way there is.
bool eigen_of(const system::System& system, const AssemblyResult& at, bool damping, Eigen::VectorXcd& values,
              Eigen::MatrixXcd& shapes, std::vector<std::string>& messages) {
  LinearOptions options;
  options.damping = damping;
  const LinearSystem found = linearise(system, at, options);
  if (!found.ok) {
    if (eigen_by_inverse(system, at, damping, values, shapes)) return true;
    messages.insert(messages.end(), found.messages.begin(), found.messages.end());
    return false;
  }
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

}  // namespace

ModesResult modes(const system::System& system, const AssemblyResult& at, const ModesOptions& options) {
  ModesResult out;
  if (count_states(system, at) > options.dense_up_to) return slowest_modes(system, at, options);
  Eigen::VectorXcd values;
  Eigen::MatrixXcd shapes;
  if (!eigen_of(system, at, options.damping, values, shapes, out.messages)) return out;
  out.states = static_cast<int>(values.size());
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
  if (!eigen_of(system, at, true, values, shapes, why)) {
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
