#pragma once
// Explicit Runge-Kutta formulas, for motion over independent coordinates (integrate/independent).
//
//   Yₖ = yₙ + h Σ_{j<k} Aₖⱼ Ẏⱼ,   yₙ₊₁ = yₙ + h Σ bⱼ Ẏⱼ,   error = h Σ eⱼ Ẏⱼ
// The first stage is the last accepted point itself. Of two error rows the second tempers the first (Hairer, Nørsett, Wanner, Solving
// Ordinary Differential Equations I, §II.10): e₁²/√(e₁² + 0.01 e₂²).

#include <string>
#include <vector>

#include <Eigen/Core>

namespace trunnion::formulas {

struct ExplicitTable {
  std::string name;
  int order = 0, stages = 0;
  Eigen::MatrixXd A;  // lower triangle
  Eigen::VectorXd b, c;
  // b less the weights of an embedded solution; the second may be empty.
  Eigen::VectorXd error, second_error;
  int embedded_order = 0, second_order = 0;
  // Which stage is at the end of the step, as the end itself is: what the two differ by tells how stiff the motion is.
  int stage_at_end = -1;
  double stiff_from = 0;  // h times a frequency at which the step is held by stability and not by accuracy
};

// E. Fehlberg, NASA TR R-315 (1969), Table III; the solution of order 5 is taken, as L. F. Shampine and H. A. Watts have it.
ExplicitTable rkf45_table();
// P. J. Prince and J. R. Dormand (1981) with E. Hairer's error rows of orders 5 and 3.
ExplicitTable dop853_table();

// The conditions that it fails, in words: every rooted tree up to its order, and those of the embedded solutions.
std::vector<std::string> conditions(const ExplicitTable& table);

}  // namespace trunnion::formulas
