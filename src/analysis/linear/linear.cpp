#include "analysis/linear/linear.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "analysis/initial/independent_rows.hpp"
#include "analysis/linear/coordinates.hpp"
#include "analysis/linear/eigen.hpp"
#include "analysis/linear/freedom.hpp"
#include "analysis/linear/pstate.hpp"
#include "sparse/factorisation.hpp"

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

// Why the highest levels do not follow.
std::string massless(const assembly::Layout& layout, const Levels& at) {
  constexpr std::size_t kShown = 3;
  std::vector<int> entries;
  for (int i = 0; i < layout.size(); ++i) {
    if (at.mechanical[static_cast<std::size_t>(i)] && at.a.coeff(i, i) == 0) entries.push_back(i);
  }
  std::string names;
  for (std::size_t k = 0; k < std::min(kShown, entries.size()); ++k)
    names += (k ? ", " : "") + layout.column_name(entries[k]);
  if (entries.size() > kShown) names += fmt::format(" and {} more", entries.size() - kShown);
  if (names.empty()) return "the linear equations are singular here: accelerations do not follow from forces";
  return fmt::format("accelerations do not follow from forces: {} {} no mass", names,
                     entries.size() == 1 ? "has" : "have");
}

// A matrix with rows and columns about as long as one another, so that small pivots mean what they seem to.
class Equilibrated {
 public:
  bool factor(Matrix E) {
    rows_ = Eigen::VectorXd::Ones(E.rows());
    columns_ = Eigen::VectorXd::Ones(E.cols());
    constexpr int kSweeps = 3;
    for (int k = 0; k < kSweeps; ++k) {
      Eigen::VectorXd row = Eigen::VectorXd::Zero(E.rows()), column = Eigen::VectorXd::Zero(E.cols());
      for (int c = 0; c < E.outerSize(); ++c) {
        for (Matrix::InnerIterator it(E, c); it; ++it) {
          row[it.row()] = std::max(row[it.row()], std::abs(it.value()));
          column[c] = std::max(column[c], std::abs(it.value()));
        }
      }
      row = row.unaryExpr(&inverse_root);
      column = column.unaryExpr(&inverse_root);
      E = row.asDiagonal() * E * column.asDiagonal();
      rows_.array() *= row.array();
      columns_.array() *= column.array();
    }
    const sparse::CscMatrix csc = to_csc(std::move(E));
    constexpr double kSingular = 1e-15;
    return csc.cols == 0 ||
           (lu_.analyse(csc) && lu_.factor(csc) != sparse::FactorStatus::singular && lu_.rcond() > kSingular);
  }
  void solve(Eigen::VectorXd& b) const {
    if (b.size() == 0) return;
    b.array() *= rows_.array();
    lu_.solve(b);
    b.array() *= columns_.array();
  }

 private:
  static double inverse_root(double x) { return x > 0 ? std::exp2(-std::round(std::log2(x) / 2)) : 1.0; }
  Eigen::VectorXd rows_, columns_;
  sparse::Factorisation lu_;
};

// The responses of the highest levels to anything below them.
class Responses {
 public:
  Responses(const assembly::Layout& layout, const Levels& at, const std::vector<int>& inputs)
      : layout_(layout), at_(at), inputs_(inputs) {
    std::vector<char> input(static_cast<std::size_t>(layout.size()), 0);
    for (const int i : inputs) input[static_cast<std::size_t>(i)] = 1;
    trouble_ = prepare(input);
  }

  const Freedom& positions() const { return positions_; }
  const Freedom& velocities() const { return at_.has_velocity_rows() ? all_ : positions_; }
  const std::string& trouble() const { return trouble_; }

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
    return lu_.factor(highest_levels(at_, input)) ? std::string() : massless(layout_, at_);
  }

  const assembly::Layout& layout_;
  const Levels& at_;
  const std::vector<int>& inputs_;
  Freedom positions_, all_;
  Equilibrated lu_;
  std::string trouble_;
};

// The rows of `columns` that belong to entries.
Eigen::MatrixXd rows_of(const Eigen::MatrixXd& columns, const std::vector<int>& entries) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(entries.size()), columns.cols());
  for (std::size_t k = 0; k < entries.size(); ++k)
    out.row(static_cast<Eigen::Index>(k)) = columns.row(entries[k]);
  return out;
}

Eigen::MatrixXd stacked(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, const Eigen::MatrixXd& c) {
  Eigen::MatrixXd out(a.rows() + b.rows() + c.rows(), a.cols());
  out << a, b, c;
  return out;
}

void add_names(const system::System& system, const LinearColumns& c, const std::string& frame,
               LinearSystem& out) {
  for (const int i : c.positions) out.names.push_back(coordinate_name(system, i, frame));
  for (const int i : c.velocities) out.names.push_back("rate of " + coordinate_name(system, i, frame));
  for (const int i : c.states) out.names.push_back(system.layout().column_name(i));
}

// s̃ = W s in the coordinates of PSTATE, and their rates.
bool change_coordinates(const system::System& system, const AssemblyResult& at, const LinearOptions& options,
                        const LinearColumns& c, LinearSystem& out) {
  const ChosenCoordinates chosen = choose_coordinates(system, at, options.coordinates, c);
  out.messages.insert(out.messages.end(), chosen.messages.begin(), chosen.messages.end());
  if (!chosen.trouble.empty()) {
    out.messages.push_back(chosen.trouble);
    return false;
  }
  constexpr double kNone = 1e-9;
  if (c.xi_of_input.size() > 0 && c.xi_of_input.cwiseAbs().maxCoeff() > kNone) {
    out.messages.push_back(
        "PSTATE: inputs that move constraints leave no states of displacements alone; try without PSTATE");
    return false;
  }
  const CoordinateRows &p = chosen.positions, &v = chosen.velocities;
  const Eigen::MatrixXd top = c.top.topRows(c.xi.rows());
  const Eigen::MatrixXd W = stacked(p.P * c.xi, v.P * c.nu + v.P1 * c.xi, rows_of(c.xi, c.states));
  const Eigen::MatrixXd rate =
      stacked(p.P * c.nu + p.P1 * c.xi, v.P * top + 2 * v.P1 * c.nu + v.P2 * c.xi, rows_of(c.top, c.states));
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(W.transpose());
  const auto by_new = [&](const Eigen::MatrixXd& m) -> Eigen::MatrixXd {
    return lu.solve(m.transpose()).transpose();
  };
  out.A = by_new(rate);
  out.B.middleRows(out.positions, out.velocities) = v.P * c.top_of_input.topRows(c.xi.rows());
  out.C = by_new(out.C);
  out.shape = by_new(out.shape);
  out.speeds = by_new(out.speeds);
  for (int k = 0; k < out.positions; ++k)
    out.names[static_cast<std::size_t>(k)] = p.names[static_cast<std::size_t>(k)];
  for (int k = 0; k < out.velocities; ++k)
    out.names[static_cast<std::size_t>(out.positions + k)] =
        "rate of " + v.names[static_cast<std::size_t>(k)];
  return true;
}

}  // namespace

LinearColumns regular_columns(const assembly::Layout& layout, const Levels& at,
                              const std::vector<int>& inputs) {
  LinearColumns c;
  const Responses r(layout, at, inputs);
  c.trouble = r.trouble();
  if (!c.trouble.empty()) return c;
  const Eigen::MatrixXd &N = r.positions().N(), &Nv = r.velocities().N();
  const Eigen::Index ny = N.cols(), nu = Nv.cols(), nz = static_cast<Eigen::Index>(at.states.size());
  const Eigen::Index ns = ny + nu + nz, n = layout.size();
  c.xi = c.nu = Eigen::MatrixXd::Zero(n, ns);
  c.xi.leftCols(ny) = N;
  c.nu.middleCols(ny, nu) = Nv;
  for (Eigen::Index k = 0; k < nz; ++k) c.xi(at.states[static_cast<std::size_t>(k)], ny + nu + k) = 1;
  for (Eigen::Index j = 0; j < ny; ++j) c.nu.col(j) = r.velocities().particular(-(at.B * N.col(j)));
  c.top.resize(n + at.G.rows(), ns);
  for (Eigen::Index j = 0; j < ns; ++j) c.top.col(j) = r.to(c.xi.col(j), c.nu.col(j));
  c.xi_of_input = c.nu_of_input = Eigen::MatrixXd::Zero(n, static_cast<Eigen::Index>(inputs.size()));
  c.top_of_input.resize(c.top.rows(), static_cast<Eigen::Index>(inputs.size()));
  for (std::size_t j = 0; j < inputs.size(); ++j)
    c.top_of_input.col(static_cast<Eigen::Index>(j)) = r.to_input(inputs[j]);
  c.positions = r.positions().entries();
  c.velocities = r.velocities().entries();
  c.states = at.states;
  return c;
}

namespace {

// What has no mass has no accelerations of its own: at rest it follows the rest at once, which the general way finds.
LinearColumns columns_or_descriptor(const assembly::Layout& layout, const Levels& at,
                                    const std::vector<int>& inputs, const std::vector<int>& outputs) {
  LinearColumns c = regular_columns(layout, at, inputs);
  if (c.trouble.empty() || at.moving) return c;
  LinearColumns general = descriptor_columns(layout, at, inputs, outputs);
  return general.trouble.empty() ? general : c;
}

}  // namespace

LinearSystem linearise(const system::System& system, const AssemblyResult& given,
                       const LinearOptions& options) {
  const assembly::Layout& layout = system.layout();
  LinearSystem out;
  std::string trouble;
  const AssemblyResult assembled = with_independent_rows(system, given, trouble);
  if (!trouble.empty()) {
    out.messages.push_back(trouble);
    return out;
  }
  if (const std::string large = too_large(system, assembled, "A"); !large.empty()) {
    out.messages.push_back(large);
    return out;
  }
  std::vector<int> inputs, outputs;
  for (const BlockId id : options.inputs) inputs.push_back(layout.block(id).offset);
  for (const BlockId id : options.outputs) outputs.push_back(layout.block(id).offset);
  const Levels at(system, assembled, options.frame.rm, options.damping);
  out.moving = at.moving;
  LinearColumns c;
  if (!at.trouble.empty()) c.trouble = at.trouble;
  else if (!at.strange.empty()) c = descriptor_columns(layout, at, inputs, outputs);
  else c = columns_or_descriptor(layout, at, inputs, outputs);
  if (!c.trouble.empty()) {
    out.messages.push_back(c.trouble);
    return out;
  }
  out.positions = static_cast<int>(c.positions.size());
  out.velocities = static_cast<int>(c.velocities.size());
  out.states = static_cast<int>(c.states.size());
  out.A = stacked(rows_of(c.nu, c.positions), rows_of(c.top, c.velocities), rows_of(c.top, c.states));
  out.B = stacked(rows_of(c.nu_of_input, c.positions), rows_of(c.top_of_input, c.velocities),
                  rows_of(c.top_of_input, c.states));
  out.C = rows_of(c.top, outputs);
  out.D = rows_of(c.top_of_input, outputs);
  add_names(system, c, options.frame.name, out);
  out.free_positions = c.positions;
  out.free_velocities = c.velocities;
  out.shape = at.E * c.xi;
  out.speeds = at.E * c.nu + at.E1 * c.xi;
  if (!options.coordinates.empty() && !change_coordinates(system, assembled, options, c, out)) return out;
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
