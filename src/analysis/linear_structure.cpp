#include <Eigen/LU>
#include <fmt/format.h>

#include "analysis/linear_coordinates.hpp"
#include "analysis/linear_freedom.hpp"

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

}  // namespace

StructuralMatrices structural_matrices(const system::System& system, const AssemblyResult& assembled,
                                       const LinearFrame& frame) {
  StructuralMatrices out;
  const Levels at(system, assembled, frame.rm, true);
  Freedom freedom;
  if (!at.trouble.empty() || at.has_velocity_rows() || !freedom.find(at, at.position_rows)) {
    out.messages.push_back(
        !at.trouble.empty() ? at.trouble
        : at.has_velocity_rows()
            ? "a velocity-level constraint has no place in M, K, B; try LINEAR/STATEMAT"
            : "the constraints are dependent here: no independent coordinates can be chosen");
    return out;
  }
  freedom.find_basis();
  const Eigen::MatrixXd& N = freedom.N();
  const Condensed condensed(at);
  if (!condensed.ok()) {
    out.messages.push_back("the equations of the VARIABLEs are singular here");
    return out;
  }
  // ν = N u + S y, ν̇ = N u̇ + Tu u + Ty y
  Eigen::MatrixXd S(N.rows(), N.cols()), Tu = S, Ty = S;
  for (Eigen::Index j = 0; j < N.cols(); ++j) {
    S.col(j) = freedom.particular(-(at.B * N.col(j)));
    Tu.col(j) = freedom.particular(-(at.C * N.col(j)));
    Ty.col(j) = freedom.particular(-(at.C * S.col(j) + at.D * N.col(j)));
  }
  out.M = N.transpose() * condensed.of(at.a * N);
  out.B = N.transpose() * condensed.of(at.v * N + at.a * Tu);
  out.K = N.transpose() * condensed.of(at.q * N + at.v * S + at.a * Ty);
  const Eigen::MatrixXd reactions = N.transpose() * condensed.of(Eigen::MatrixXd(at.L));
  constexpr double kRounding = 1e-9;
  if (reactions.size() > 0 && reactions.cwiseAbs().maxCoeff() > kRounding)
    out.messages.push_back(
        "warning: forces that read reactions are left out of M, K, B; LINEAR/STATEMAT has them");
  if (!at.states.empty())
    out.messages.push_back(
        "M, K, B hold the states of DIFF, LSE, TFSISO and GSE still; LINEAR/STATEMAT has them");
  for (const int i : freedom.entries()) out.names.push_back(coordinate_name(system, i, frame.name));
  out.ok = true;
  return out;
}

}  // namespace trunnion::analysis
