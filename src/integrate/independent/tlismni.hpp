#pragma once
// INTEGRATOR/TLISMNI: the two-loop method of A. A. Shabana, D. Zhang, G. Wang (TLISMNI/Adams). Of ORDER p
//   4            predictor of Bashforth through 3 points, corrector of Moulton of order 4
//   3            through 2 points, corrector of order 3
//   TRAPEZOIDAL  the midpoint rule, corrector of order 2
// with weights for the steps as they are. The outer loop repeats the corrector, the inner one (solve::IndependentMotion) satisfies the constraints.
//   e = y¹ − yᴾ, then yᵏ − yᵏ⁻¹; |e| ≤ ERROR ends the outer loop; after MAXIT iterations the step is repeated with a shorter one.
// How the paper's rules for error and step are read stands in docs/theory/independent.md. The past is made by Runge-Kutta steps.

#include "integrate/independent/adams.hpp"

namespace trunnion::integrate {

struct TlismniSettings {
  int order = 4;  // 2, 3, 4
  int outer = 3;  // iterations
};

class Tlismni final : public Adams {
 public:
  Tlismni(const assembly::Layout& layout, const TlismniSettings& settings, double error);

  double error(const assembly::State& trial) override;
  double next_step(double error, double largest) override;
  double smaller_step(double error, Rejection why) override;
  int order() const override { return settings_.order; }

 private:
  void fit() override;
  solve::Outcome attempt(double h, const Place& place) override;
  void midpoint();
  double change_of(const Change& from);  // of the last correction, over ERROR

  TlismniSettings settings_;
  bool by_starter_ = false;
  double left_ = 0, truncation_ = 0;  // e and the local error, over ERROR
  Change last_;
  Eigen::VectorXd first_d_, first_v_;  // of the last evaluation but one
};

}  // namespace trunnion::integrate
