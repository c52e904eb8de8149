#pragma once
// Formulas whose stages are solved one after the other, as numbers: linear multistep (LMS) and stiffly accurate diagonally implicit
// Runge-Kutta formulas (ESDIRK), in one form.
//
//   yₖ = Σⱼ aⱼ yⱼ + h (Σⱼ bⱼ ẏⱼ + bₖ ẏₖ)
// j = 0 is the newest accepted point, 1 … past the older ones, then the earlier stages of this step. The last stage is the end of
// the step. A table is made by a function below and proven by conditions() (conditions.hpp).
//
// Sources: H. Zhang, R. Zhang, A. Zanoni, P. Masarati, Multibody Syst. Dyn. 54 (2022) 263-301, its references 21, 24, 35, 36; the γ of
// MSSTH(3) is not that of its Table 7, which repeats MSSTC(3)'s and is unstable.

#include <array>
#include <string>

namespace trunnion::formulas {

inline constexpr int kMostStages = 6;  // implicit ones
inline constexpr int kMostPast = 4;    // points of the past beside the newest

struct StageRow {
  double c = 1;                                          // time of the stage after the newest point, in steps
  std::array<double, kMostPast + kMostStages> a{}, b{};  // of the points before it
  double implicit = 0;                                   // bₖ, of its own rate
};

struct StagedTable {
  std::string name;
  int order = 0;
  int past = 0;  // older points needed beside the newest
  int stages = 1;
  double rho = 0;  // spectral radius at infinity
  std::array<StageRow, kMostStages> rows{};
  // Where there is an embedded solution: its weights of ẏ₀ and of the stages' rates; the error is h Σ (b − b̂) ẏ.
  bool embedded = false;
  int embedded_order = 0;
  std::array<double, kMostStages + 1> embedded_weights{};
  bool fixed_step = false;  // a change of step restarts

  // Where stage k, from 0, stands in a and b of the rows after it.
  int place(int k) const { return 1 + past + k; }
  const StageRow& last() const { return rows[stages - 1]; }
  // b − b̂ of ẏ₀ (k = 0) and of stage k − 1.
  double error_weight(int k) const {
    const double full = k == 0 ? last().b[0] : k == stages ? last().implicit : last().b[place(k - 1)];
    return full - embedded_weights[k];
  }
};

// y₁ = y₀ + h/2 (ẏ₀ + ẏ₁): what starts a multistep formula.
StagedTable trapezoidal_table();

// Two, three or four steps, order 2, 0 ≤ ρ < 1 (at ρ = 1 they are the trapezoidal rule times a factor with multiple roots −1).
StagedTable lms_table(int steps, double rho);
// LMS2 where this step is `ratio` times as long as the one before it, of order 2 for any ratio; b in units of this step.
StageRow lms2_row(double rho, double ratio);

// The others: 0 ≤ ρ ≤ 1. Bathe's two substeps, and n = 3, 4, 5 substeps: MSSTC(n) of order 2, MSSTH(n) of order n.
StagedTable bathe_table(double rho);
StagedTable msstc_table(int n, double rho);
StagedTable mssth_table(int n, double rho);

// Kennedy and Carpenter's, L-stable (ρ = 0) with embedded rows: ESDIRK3(2)4L[2]SA, ESDIRK3(2)5L[2]SA, ESDIRK4(3)6L[2]SA₂.
StagedTable esdirk34_table();
StagedTable esdirk35_table();
StagedTable esdirk46_table();

}  // namespace trunnion::formulas
