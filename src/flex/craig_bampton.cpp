#include "flex/craig_bampton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <fmt/format.h>

#include "flex/input_error.hpp"
#include "flex/orthonormal.hpp"
#include "flex/symmetric_factor.hpp"

namespace trunnion::flex {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

Eigen::MatrixXd rigid_coordinates(const FeModel& model, const Coupling& coupling) {
  Eigen::MatrixXd R(static_cast<Eigen::Index>(coupling.coordinates.size()), 6);
  for (std::size_t k = 0; k < coupling.coordinates.size(); ++k) {
    const Dof& dof = coupling.coordinates[k];
    R.row(static_cast<Eigen::Index>(k)) =
        rigid_motion_of(model.nodes[static_cast<std::size_t>(dof.node)].position).row(dof.direction);
  }
  return R;
}

Eigen::MatrixXd rows_of(const Eigen::MatrixXd& A, const std::vector<int>& rows) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()), A.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) out.row(static_cast<Eigen::Index>(k)) = A.row(rows[k]);
  return out;
}

// How many rigid motions are left when the boundary is held.
int left_free(const Eigen::MatrixXd& R_b) {
  Eigen::MatrixXd S = R_b;
  for (Eigen::Index k = 0; k < 6; ++k) {
    const double size = S.col(k).norm();
    if (size > 0) S.col(k) /= size;
  }
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(S);
  constexpr double kNothing = 1e-9;
  svd.setThreshold(kNothing);
  return 6 - static_cast<int>(svd.rank());
}

class Reducer {
 public:
  Reducer(const FeModel& model, const Coupling& coupling, const ReductionRequest& request)
      : model_(model), coupling_(coupling), request_(request), b_(coupling.boundary) {
    const SparseMatrix& T = coupling.T;
    K_ = T.transpose() * model.K * T;
    M_ = T.transpose() * model.M * T;
    R_ = rigid_coordinates(model, coupling);
    std::vector<char> held(coupling.coordinates.size(), 0);
    for (const int k : b_) held[static_cast<std::size_t>(k)] = 1;
    for (std::size_t k = 0; k < held.size(); ++k) {
      if (!held[k]) i_.push_back(static_cast<int>(k));
    }
  }

  Reduction reduce() {
    if (b_.empty()) return free_body();
    split();
    hold();
    find_modes();
    assemble();
    Reduction out = orthonormal();
    judge(out);
    return out;
  }

 private:
  void split() {
    K_ii_ = part_of(K_, i_, i_);
    K_ib_ = part_of(K_, i_, b_);
    M_ii_ = part_of(M_, i_, i_);
    M_ib_ = part_of(M_, i_, b_);
    R_b_ = rows_of(R_, b_);
    R_i_ = rows_of(R_, i_);
  }

  // Ψ, and whether the interfaces hold the body.
  void hold() {
    if (const int left = left_free(R_b_); left > 0)
      throw InputError(
          fmt::format("the interfaces leave {} rigid motion{} of the body free", left, left == 1 ? "" : "s"),
          "three nodes that are not in a line hold a body of solid elements; so does one --rbe2 or --rbe3 "
          "group");
    const bool factored = factor_.factor(K_ii_);
    if (factored && factor_.negative() == 0) Psi_ = -factor_.solve(Eigen::MatrixXd(K_ib_));
    // With the boundary moved rigidly the inside must follow: what stays behind, or flies off, hangs on nothing.
    constexpr double kFollows = 1e-5;
    const double miss =
        Psi_.size() == 0 && !i_.empty() ? 1 : (Psi_ * R_b_ - R_i_).norm() / std::max(R_i_.norm(), 1e-300);
    if (!i_.empty() && !(miss < kFollows))
      throw InputError(
          "a part of the body is loose: held at its interfaces, the stiffness matrix is singular",
          "are all pieces of the mesh connected (*TIE, shared nodes)?");
  }

  int kept() const {
    if (request_.highest <= 0) return request_.modes;
    return count_below(K_ii_, M_ii_, request_.highest * request_.highest);
  }
  int ahead(int modes) const {
    return request_.looked_ahead > 0 ? request_.looked_ahead : std::max(4, modes / 4);
  }

  void find_modes() {
    const int wanted = std::min<int>(kept(), static_cast<int>(i_.size()));
    Modes all = lowest_modes(K_ii_, M_ii_, 0.0, factor_, wanted + ahead(wanted));
    kept_ = std::min<Eigen::Index>(wanted, all.values.size());
    modes_ = std::move(all);
  }

  // The reduced pair over b and all modes found, those ahead behind the others.
  void assemble() {
    const auto nb = static_cast<Eigen::Index>(b_.size()), all = modes_.values.size();
    P_ = M_ii_ * Psi_ + Eigen::MatrixXd(M_ib_);
    C_ = modes_.vectors.transpose() * P_;
    K_r_ = Eigen::MatrixXd::Zero(nb + all, nb + all);
    M_r_ = K_r_;
    const Eigen::MatrixXd K_bb = Eigen::MatrixXd(part_of(K_, b_, b_)) + K_ib_.transpose() * Psi_;
    const Eigen::MatrixXd M_bb =
        Eigen::MatrixXd(part_of(M_, b_, b_)) + Psi_.transpose() * P_ + M_ib_.transpose() * Psi_;
    K_r_.topLeftCorner(nb, nb) = (K_bb + K_bb.transpose()) / 2;
    M_r_.topLeftCorner(nb, nb) = (M_bb + M_bb.transpose()) / 2;
    K_r_.bottomRightCorner(all, all).diagonal() = modes_.values;
    M_r_.bottomRightCorner(all, all).diagonal().setOnes();
    M_r_.bottomLeftCorner(all, nb) = C_;
    M_r_.topRightCorner(nb, all) = C_.transpose();
  }

  Orthonormal solve_small(Eigen::Index modes) const {
    const auto nb = static_cast<Eigen::Index>(b_.size());
    Eigen::MatrixXd R = Eigen::MatrixXd::Zero(nb + modes, 6);
    R.topRows(nb) = R_b_;
    return without_rigid(K_r_.topLeftCorner(nb + modes, nb + modes),
                         M_r_.topLeftCorner(nb + modes, nb + modes), R);
  }

  Reduction orthonormal() {
    const auto nb = static_cast<Eigen::Index>(b_.size());
    const Orthonormal found = solve_small(kept_);
    const Eigen::MatrixXd inside =
        Psi_ * found.vectors.topRows(nb) + modes_.vectors.leftCols(kept_) * found.vectors.bottomRows(kept_);
    Eigen::MatrixXd coordinates(R_.rows(), found.vectors.cols());
    for (std::size_t k = 0; k < b_.size(); ++k)
      coordinates.row(b_[k]) = found.vectors.row(static_cast<Eigen::Index>(k));
    for (std::size_t k = 0; k < i_.size(); ++k)
      coordinates.row(i_[k]) = inside.row(static_cast<Eigen::Index>(k));
    return finish(found.eigenvalues, std::move(coordinates), static_cast<int>(nb), static_cast<int>(kept_));
  }

  Reduction finish(const Eigen::VectorXd& eigenvalues, Eigen::MatrixXd coordinates, int constraint,
                   int fixed) const {
    constexpr double kNothing = 1e-13;  // of the highest: what rounding leaves of zero
    if (eigenvalues.size() > 0 && !(eigenvalues[0] > kNothing * eigenvalues.cwiseAbs().maxCoeff()))
      throw InputError(
          "the body has motions besides the six rigid ones that cost no energy: a part of it is loose",
          "are all pieces of the mesh connected (*TIE, shared nodes)?");
    Reduction out;
    out.eigenvalues = eigenvalues;
    out.coordinates = std::move(coordinates);
    out.shapes = coupling_.T * out.coordinates;
    fix_signs(out.shapes, out.coordinates);
    out.constraint_modes = constraint;
    out.fixed_modes = fixed;
    return out;
  }

  Reduction free_body() {
    // Of the order of the highest frequency, far down: above the six zeros, below what bends.
    const Eigen::VectorXd k = K_.diagonal(), m = M_.diagonal();
    double highest = 0;
    for (Eigen::Index at = 0; at < k.size(); ++at) {
      if (m[at] > 0) highest = std::max(highest, k[at] / m[at]);
    }
    constexpr double kFarDown = 1e-7;
    const double shift = kFarDown * highest;
    if (!(shift > 0) || !factor_.factor(K_ + shift * M_))
      throw InputError("the stiffness matrix of the free body cannot be factored");
    int wanted = request_.modes;
    if (request_.highest > 0)
      wanted = std::max(0, count_below(K_, M_, request_.highest * request_.highest) - 6);
    const Modes modes = lowest_modes(K_, M_, shift, factor_, wanted + 6);
    const Eigen::MatrixXd R = modes.vectors.transpose() * (M_ * R_);
    const Eigen::MatrixXd Mr = modes.vectors.transpose() * (M_ * modes.vectors);
    const Eigen::MatrixXd Kr = modes.vectors.transpose() * (K_ * modes.vectors);
    const Orthonormal found = without_rigid(Kr, Mr, R);
    Reduction out = finish(found.eigenvalues, modes.vectors * found.vectors, 0,
                           static_cast<int>(found.eigenvalues.size()));
    out.check.fixed = out.eigenvalues;
    return out;
  }

  // What the kept modes have of the mass that the interfaces move, of the body's own weight, and of loads on the interfaces.
  void judge(Reduction& out) const {
    SetOfModes& check = out.check;
    const auto nb = static_cast<Eigen::Index>(b_.size());
    for (const int k : b_) {
      const Dof& dof = coupling_.coordinates[static_cast<std::size_t>(k)];
      check.nodes.push_back(model_.nodes[static_cast<std::size_t>(dof.node)].id);
      check.directions.push_back(dof.direction);
    }
    check.stiffness = K_r_.diagonal().head(nb);
    check.mass = M_r_.diagonal().head(nb);
    check.fixed = modes_.values.head(kept_);
    check.ahead = modes_.values.tail(modes_.values.size() - kept_);
    const Eigen::MatrixXd C = C_.topRows(kept_), R = R_b_.leftCols<3>();
    check.coupled = C.colwise().squaredNorm().transpose();
    check.moved = (C * R).colwise().squaredNorm().transpose();
    const Eigen::MatrixXd total = coupled_total();
    check.coupled_total = total.diagonal();
    check.moved_total = (R.transpose() * total * R).diagonal();
    own_weight(check);
    check.richer = solve_small(modes_.values.size()).eigenvalues;
    check.static_error = static_error(out);
  }

  // (M_iiΨ + M_ib)ᵀ M_ii⁻¹ (M_iiΨ + M_ib), over what has mass.
  Eigen::MatrixXd coupled_total() const {
    std::vector<int> massive;
    const Eigen::VectorXd m = M_ii_.diagonal();
    for (Eigen::Index k = 0; k < m.size(); ++k) {
      if (m[k] > 0) massive.push_back(static_cast<int>(k));
    }
    SymmetricFactor factor;
    if (!factor.factor(part_of(M_ii_, massive, massive)) || factor.negative() > 0)
      return Eigen::MatrixXd::Constant(P_.cols(), P_.cols(), kUnknown);
    const Eigen::MatrixXd P = rows_of(P_, massive);
    return P.transpose() * factor.solve(P);
  }

  void own_weight(SetOfModes& check) const {
    const Eigen::MatrixXd f = M_ii_ * R_i_.leftCols<3>() + M_ib_ * R_b_.leftCols<3>();
    check.weight_total = (f.transpose() * factor_.solve(f)).diagonal();
    const Eigen::MatrixXd p = modes_.vectors.leftCols(kept_).transpose() * f;
    check.weight =
        (p.cwiseAbs2().array().colwise() / modes_.values.head(kept_).array()).colwise().sum().transpose();
  }

  // Loads on b that are in balance, one for each b: u = Σ φ φᵀf / ω² must be what K_bb asks for.
  double static_error(const Reduction& out) const {
    const auto nb = static_cast<Eigen::Index>(b_.size());
    const Eigen::MatrixXd K = K_r_.topLeftCorner(nb, nb);
    const Eigen::VectorXd d = K.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd S = d.cwiseInverse().asDiagonal() * R_b_;
    const Eigen::MatrixXd Q = S * (S.transpose() * S).ldlt().solve(S.transpose());
    const Eigen::MatrixXd g = Eigen::MatrixXd::Identity(nb, nb) - Q;  // loads over d
    const Eigen::MatrixXd phi = d.cwiseInverse().asDiagonal() * rows_of(out.coordinates, b_);
    const Eigen::MatrixXd u = phi * out.eigenvalues.cwiseInverse().asDiagonal() * (phi.transpose() * g);
    return (d.asDiagonal() * K * d.asDiagonal() * u - g).norm() / std::max(g.norm(), 1e-300);
  }

  const FeModel& model_;
  const Coupling& coupling_;
  const ReductionRequest& request_;
  std::vector<int> b_, i_;
  SparseMatrix K_, M_, K_ii_, K_ib_, M_ii_, M_ib_;
  Eigen::MatrixXd R_, R_b_, R_i_, Psi_, P_, C_, K_r_, M_r_;
  SymmetricFactor factor_;
  Modes modes_;
  Eigen::Index kept_ = 0;
};

}  // namespace

Reduction reduce(const FeModel& model, const Coupling& coupling, const ReductionRequest& request) {
  return Reducer(model, coupling, request).reduce();
}

}  // namespace trunnion::flex
