#pragma once
// Corrections of an iteration whose matrix suits only a part of what is solved for, made better by the ones before (Anderson 1965; for a
// linear problem what GMRES does). With f the correction that is asked for at an iterate and c the one that is taken,
//   γ: least ‖f_k − Σ γⱼ (fⱼ₊₁ − fⱼ)‖,    c_k = f_k − Σ γⱼ (cⱼ + fⱼ₊₁ − fⱼ)
// Errors that a plain iteration multiplies by one of m factors, slow ones or such that grow, are gone after m corrections.

#include <cstddef>
#include <vector>

#include <Eigen/Core>

namespace trunnion::solve {

class PastCorrections {
 public:
  // `weight`: of each row of a correction, in the norm above.
  explicit PastCorrections(Eigen::VectorXd weight) : weight_(std::move(weight)) {}

  // The correction asked for, a column for each of what is solved together, becomes the one to take.
  void improve(Eigen::MatrixXd& correction);

 private:
  static constexpr std::size_t kMost = 6;
  Eigen::VectorXd weight_;
  std::vector<Eigen::MatrixXd> asked_, taken_;
};

}  // namespace trunnion::solve
