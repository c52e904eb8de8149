#include "analysis/linear.hpp"

#include <cmath>

#include <fmt/format.h>

#include "analysis/linear_coordinates.hpp"
#include "analysis/linear_freedom.hpp"
#include "sparse/lu.hpp"

namespace trunnion::analysis {

using assembly::BlockId;
using Matrix = LinearLevels::Matrix;
using Levels = LinearLevels;

namespace {

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

// The equations about one state, and the responses of the highest levels to anything below them.
class Responses {
 public:
  Responses(const system::System& system, const AssemblyResult& at, const LinearOptions& options)
      : layout_(system.layout()), at_(system, at, options.frame.rm, options.damping) {
    std::vector<char> input(static_cast<std::size_t>(layout_.size()), 0);
    for (const BlockId id : options.inputs) {
      inputs_.push_back(layout_.block(id).offset);
      input[static_cast<std::size_t>(inputs_.back())] = 1;
    }
    if (at_.trouble.empty()) at_.trouble = prepare(input);
  }

  const Levels& levels() const { return at_; }
  const Freedom& positions() const { return positions_; }
  const Freedom& velocities() const { return at_.has_velocity_rows() ? all_ : positions_; }
  const std::string& trouble() const { return at_.trouble; }
  const std::vector<int>& inputs() const { return inputs_; }

  // (ν̇, ż, w, λ) for displacements (and states) ξ and velocities ν.
  Eigen::VectorXd to(const Eigen::VectorXd& xi, const Eigen::VectorXd& nu) const {
    Eigen::VectorXd b(layout_.size() + at_.G.rows());
    b << -(at_.q * xi + at_.v * nu), -(at_.C * nu + at_.D * xi);
    for (const int i : inputs_) b[i] = 0;
    lu_.solve(b);
    return b;
  }
  Eigen::VectorXd to_input(int input) const {
    Eigen::VectorXd b = Eigen::VectorXd::Unit(layout_.size() + at_.G.rows(), input);
    lu_.solve(b);
    return b;
  }

 private:
  std::string prepare(const std::vector<char>& input) {
    if (!positions_.find(at_, at_.position_rows))
      return "the constraints are dependent here: no independent coordinates can be chosen";
    if (at_.has_velocity_rows() && !all_.find(at_, at_.all_rows))
      return "the velocity-level constraints are dependent here";
    positions_.find_basis();
    if (at_.has_velocity_rows()) all_.find_basis();
    const sparse::CscMatrix E = to_csc(highest_levels(at_, input));
    constexpr double kSingular = 1e-14;
    if (E.cols > 0 &&
        (!lu_.analyse(E) || lu_.factor(E) == sparse::FactorStatus::singular || lu_.rcond() < kSingular))
      return massless(layout_, lu_);
    return {};
  }

  const assembly::Layout& layout_;
  Levels at_;
  Freedom positions_, all_;
  std::vector<int> inputs_;
  sparse::SparseLu lu_;
};

void add_names(const system::System& system, const Responses& r, const std::string& frame,
               LinearSystem& out) {
  for (const int i : r.positions().entries()) out.names.push_back(coordinate_name(system, i, frame));
  for (const int i : r.velocities().entries())
    out.names.push_back("rate of " + coordinate_name(system, i, frame));
  for (const int i : r.levels().states) out.names.push_back(system.layout().column_name(i));
}

}  // namespace

LinearSystem linearise(const system::System& system, const AssemblyResult& assembled,
                       const LinearOptions& options) {
  const assembly::Layout& layout = system.layout();
  const int n = layout.size();
  LinearSystem out;
  const Responses r(system, assembled, options);
  out.moving = r.levels().moving;
  if (!r.trouble().empty()) {
    out.messages.push_back(r.trouble());
    return out;
  }
  const Levels& at = r.levels();
  const Eigen::MatrixXd &N = r.positions().N(), &Nv = r.velocities().N();
  const Eigen::Index ny = N.cols(), nu = Nv.cols(), nz = static_cast<Eigen::Index>(at.states.size());
  const Eigen::Index ns = ny + nu + nz, ni = static_cast<Eigen::Index>(options.inputs.size()),
                     no = static_cast<Eigen::Index>(options.outputs.size());
  out.positions = static_cast<int>(ny);
  out.velocities = static_cast<int>(nu);
  out.states = static_cast<int>(nz);
  out.A = Eigen::MatrixXd::Zero(ns, ns);
  out.B = Eigen::MatrixXd::Zero(ns, ni);
  out.C = Eigen::MatrixXd::Zero(no, ns);
  out.D = Eigen::MatrixXd::Zero(no, ni);
  // What the highest levels do, into a column of (A; C) or (B; D).
  const auto place = [&](const Eigen::VectorXd& top, Eigen::MatrixXd& dynamics, Eigen::MatrixXd& readings,
                         Eigen::Index column) {
    for (Eigen::Index k = 0; k < nu; ++k)
      dynamics(ny + k, column) = top[r.velocities().entries()[static_cast<std::size_t>(k)]];
    for (Eigen::Index k = 0; k < nz; ++k)
      dynamics(ny + nu + k, column) = top[at.states[static_cast<std::size_t>(k)]];
    for (Eigen::Index k = 0; k < no; ++k)
      readings(k, column) = top[layout.block(options.outputs[static_cast<std::size_t>(k)]).offset];
  };
  Eigen::MatrixXd xi = Eigen::MatrixXd::Zero(n, ns), nu_of = Eigen::MatrixXd::Zero(n, ns);
  xi.leftCols(ny) = N;
  nu_of.middleCols(ny, nu) = Nv;
  for (Eigen::Index k = 0; k < nz; ++k) xi(at.states[static_cast<std::size_t>(k)], ny + nu + k) = 1;
  for (Eigen::Index j = 0; j < ny; ++j) nu_of.col(j) = r.velocities().particular(-(at.B * N.col(j)));
  for (Eigen::Index j = 0; j < ns; ++j) {
    place(r.to(xi.col(j), nu_of.col(j)), out.A, out.C, j);
    for (Eigen::Index k = 0; k < ny; ++k)
      out.A(k, j) = nu_of(r.positions().entries()[static_cast<std::size_t>(k)], j);
  }
  for (Eigen::Index j = 0; j < ni; ++j)
    place(r.to_input(r.inputs()[static_cast<std::size_t>(j)]), out.B, out.D, j);
  add_names(system, r, options.frame.name, out);
  out.free_positions = r.positions().entries();
  out.free_velocities = r.velocities().entries();
  out.shape = at.E * xi;
  out.speeds = at.E * nu_of + at.E1 * xi;
  out.ok = out.A.allFinite();
  if (!out.ok) out.messages.push_back("the linear equations contain values that are not numbers");
  constexpr double kRough = 1e-6;
  if (at.rate_error > kRough)
    out.messages.push_back(fmt::format(
        "warning: constraints do not change smoothly along the motion here; what depends on their second "
        "rates has a relative error of about {:.1g}",
        at.rate_error));
  return out;
}

}  // namespace trunnion::analysis
