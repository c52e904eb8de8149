#pragma once
// Formulas whose stages are solved together.
//
//   Yₖ = yₙ + h (startₖ ẏₙ + Σⱼ Aₖⱼ Ẏⱼ),   yₙ₊₁ = yₙ + h Σ bⱼ Ẏⱼ (stiffly accurate: the last stage)
// To solve with one real and one complex matrix instead of one of all stages: A⁻¹ = T Λ T⁻¹ with Λ = diag(real, [α β; −β α]). Of
// W = T⁻¹ Y, the pair (w₁, w₂) with right sides (r₁, r₂) solves ((α − iβ) M/h − J)(w₁ + i w₂) = r₁ + i r₂.

#include <complex>
#include <string>

#include <Eigen/Core>

namespace trunnion::formulas {

struct CollocationTable {
  std::string name;
  int order = 0;         // of any problem
  int linear_order = 0;  // of linear ones with constant coefficients
  int stages = 1;
  double rho = 0;
  Eigen::VectorXd c;
  Eigen::MatrixXd A;
  Eigen::VectorXd start;  // of the rate at the start
  Eigen::VectorXd b;
  bool stiffly_accurate = true;

  // A second solution of lower order over (ẏₙ, Ẏ); the error is h (Σ (b − b̂) Ẏ − b̂₀ ẏₙ).
  bool embedded = false;
  int embedded_order = 0;
  double embedded_start = 0;  // b̂₀
  Eigen::VectorXd embedded_b;

  // Of A⁻¹: the real eigenvalue's column of T comes first, then real and imaginary part of the pair's vector.
  bool has_real = false, has_pair = false;
  double real = 0;
  std::complex<double> pair;  // α + iβ, β > 0
  Eigen::MatrixXd T, T_inverse;
};

// Two stages (order 3) or three (order 5); embedded rows of the order of the number of stages.
CollocationTable radau_table(int stages);
// One stage is the midpoint rule (order 2), two have order 4. Not stiffly accurate: |R| = 1 on the imaginary axis.
CollocationTable gauss_table(int stages);
// Linear in time with a jump at the start of the step, stages (j, f) at the two ends (time-discontinuous Galerkin):
//   y_f = y + h/2 (ẏ_j + ẏ_f),   y_j = y − h/6 (ẏ_f − α ẏ_j − (1 − α) ẏ),   α = (1 − ρ)/(1 + ρ)
// ρ = 0 is the energy-decaying scheme, with the R(z) of Radau IIA of order 3; ρ = 1 preserves the energy of linear vibration, with the
// R(z) of Gauss' order 4. For motion that is not linear the order is 2, as that of the trapezoidal sum of the rates.
CollocationTable energy_decaying_table(double rho);

}  // namespace trunnion::formulas
