#include <Eigen/LU>
#include <fmt/format.h>

#include "analysis/initial/independent_rows.hpp"
#include "analysis/linear/coordinates.hpp"
#include "analysis/linear/eigen.hpp"
#include "analysis/linear/freedom.hpp"
#include "analysis/linear/pstate.hpp"

namespace trunnion::analysis {

using Levels = LinearLevels;

namespace {

// Variables solved for: r_m − q_mw q_ww⁻¹ r_w of columns r.
class Condensed {
 public:
  explicit Condensed(const Levels& at) : at_(at) {
    const auto count = static_cast<Eigen::Index>(at.variables.size());
    Eigen::MatrixXd square(count, count);
    for (Eigen::Index j = 0; j < count; ++j) {
      for (Eigen::Index i = 0; i < count; ++i) square(i, j) = at.q.coeff(entry(i), entry(j));
    }
    if (count > 0) lu_.compute(square);
    ok_ = count == 0 || lu_.isInvertible();
  }
  bool ok() const { return ok_; }
  Eigen::MatrixXd of(Eigen::MatrixXd r) const {
    const auto count = static_cast<Eigen::Index>(at_.variables.size());
    if (count == 0) return r;
    Eigen::MatrixXd w(count, r.cols());
    for (Eigen::Index k = 0; k < count; ++k) w.row(k) = r.row(entry(k));
    w = lu_.solve(w);
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(r.rows(), r.cols());
    for (Eigen::Index k = 0; k < count; ++k) all.row(entry(k)) = w.row(k);
    return r - at_.q * all;
  }

 private:
  int entry(Eigen::Index k) const { return at_.variables[static_cast<std::size_t>(k)]; }
  const Levels& at_;
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;
  bool ok_ = false;
};

core::Words why_not(const Levels& at, Freedom& freedom) {
  if (!at.trouble.empty()) return at.trouble;
  if (!at.strange.empty()) return at.strange + ": it has no place in M, K, B; try LINEAR/STATEMAT";
  if (at.has_velocity_rows())
    return "a velocity-level constraint has no place in M, K, B; try LINEAR/STATEMAT";
  if (!freedom.find(at, at.position_rows))
    return "the constraints are dependent here: no independent coordinates can be chosen";
  return {};
}

// ν = N u + S y, ν̇ = N u̇ + Tu u + Ty y
struct Motion {
  Eigen::MatrixXd N, S, Tu, Ty;

  Motion(const Levels& at, const Freedom& freedom) : N(freedom.N()), S(N), Tu(N), Ty(N) {
    for (Eigen::Index j = 0; j < N.cols(); ++j) {
      S.col(j) = freedom.particular(-(at.B * N.col(j)));
      Tu.col(j) = freedom.particular(-(at.C * N.col(j)));
      Ty.col(j) = freedom.particular(-(at.C * S.col(j) + at.D * N.col(j)));
    }
  }
};

// M ÿ + B ẏ + K y in the coordinates of PSTATE: p = Y y, ṗ = Y u + Y₁ y, p̈ = Y u̇ + V₁ u + V₀ y solved for y, u, u̇; balances
// along p.
bool change_coordinates(const system::System& system, const AssemblyResult& assembled, const Freedom& freedom,
                        const Motion& m, const std::vector<assembly::BlockId>& coordinates,
                        StructuralMatrices& out) {
  LinearColumns columns;
  columns.positions = columns.velocities = freedom.entries();
  columns.xi = m.N;
  columns.nu.resize(m.N.rows(), 2 * m.N.cols());
  columns.nu << m.S, m.N;
  const ChosenCoordinates chosen = choose_coordinates(system, assembled, coordinates, columns);
  out.messages.insert(out.messages.end(), chosen.messages.begin(), chosen.messages.end());
  if (!chosen.trouble.empty()) {
    out.messages.push_back(chosen.trouble);
    return false;
  }
  const CoordinateRows& p = chosen.positions;
  const Eigen::MatrixXd X = (p.P * m.N).inverse();
  const Eigen::MatrixXd Y1 = p.P * m.S + p.P1 * m.N, V1 = p.P * m.Tu + 2 * p.P1 * m.N,
                        V0 = p.P * m.Ty + 2 * p.P1 * m.S + p.P2 * m.N;
  const Eigen::MatrixXd MX = out.M * X, B = out.B - MX * V1;
  out.K = X.transpose() * (out.K - MX * V0 - B * X * Y1) * X;
  out.B = X.transpose() * B * X;
  out.M = X.transpose() * MX;
  out.names = p.names;
  return true;
}

}  // namespace

StructuralMatrices structural_matrices(const system::System& system, const AssemblyResult& given,
                                       const LinearFrame& frame,
                                       const std::vector<assembly::BlockId>& coordinates, bool damping) {
  StructuralMatrices out;
  core::Words dead;
  const AssemblyResult assembled = with_independent_rows(system, given, dead);
  if (!dead.empty()) {
    out.messages.push_back(dead);
    return out;
  }
  if (const core::Words large = too_large(system, assembled, "M, K and B"); !large.empty()) {
    out.messages.push_back(large);
    return out;
  }
  const Levels at(system, assembled, frame.rm, damping);
  Freedom freedom;
  if (const core::Words trouble = why_not(at, freedom); !trouble.empty()) {
    out.messages.push_back(trouble);
    return out;
  }
  freedom.find_basis();
  const Eigen::MatrixXd& N = freedom.N();
  const Condensed condensed(at);
  if (!condensed.ok()) {
    out.messages.push_back("the equations of the VARIABLEs are singular here");
    return out;
  }
  const Motion m(at, freedom);
  out.M = N.transpose() * condensed.of(at.a * N);
  out.B = N.transpose() * condensed.of(at.v * N + at.a * m.Tu);
  out.K = N.transpose() * condensed.of(at.q * N + at.v * m.S + at.a * m.Ty);
  const Eigen::MatrixXd reactions =
      at.variables.empty() ? Eigen::MatrixXd(N.transpose() * at.L)
                           : Eigen::MatrixXd(N.transpose() * condensed.of(Eigen::MatrixXd(at.L)));
  constexpr double kRounding = 1e-9;
  if (reactions.size() > 0 && reactions.cwiseAbs().maxCoeff() > kRounding)
    out.messages.push_back(
        "warning: forces that read reactions are left out of M, K, B; LINEAR/STATEMAT has them");
  if (!at.states.empty())
    out.messages.push_back(
        "M, K, B hold the states of DIFF, LSE, TFSISO and GSE still; LINEAR/STATEMAT has them");
  for (const int i : freedom.entries()) out.names.push_back(coordinate_name(system, i, frame.name));
  out.ok = coordinates.empty() || change_coordinates(system, assembled, freedom, m, coordinates, out);
  return out;
}

}  // namespace trunnion::analysis
