// Linear multistep formulas of order 2, A-stable, whose roots at infinity are all −ρ: βⱼ = β₀ C(r, j) ρʲ, and α such that the
// amplitude error has the highest order that this allows (3, 5, 7).

#include <cmath>

#include <fmt/format.h>

#include "formulas/staged_table.hpp"

namespace trunnion::formulas {

namespace {

struct Leading {
  std::array<double, 4> alpha{};
  double beta = 0;  // β₀
};

Leading three_steps(double r) {
  const double d = r * r - 5 * r + 10;
  return {{3 * (2 * r * r - 9 * r + 5) / d, -3 * (5 * r * r - 9 * r + 2) / d, (10 * r * r - 5 * r + 1) / d},
          6 / ((1 + r) * d)};
}

Leading four_steps(double r) {
  const double r2 = r * r, r3 = r2 * r, d = -r3 + 7 * r2 - 21 * r + 35;
  return {{4 * (-2 * r3 + 13 * r2 - 35 * r + 14) / d, -4 * (1 - r) * (7 * r2 - 34 * r + 7) / d,
           -4 * (14 * r3 - 35 * r2 + 13 * r - 2) / d, (35 * r3 - 21 * r2 + 7 * r - 1) / d},
          20 / ((1 + r) * d)};
}

StageRow fixed_step_row(int steps, double rho) {
  const Leading leading = steps == 3 ? three_steps(rho) : four_steps(rho);
  StageRow row;
  row.implicit = leading.beta;
  double beta = leading.beta;
  for (int j = 0; j < steps; ++j) {
    beta *= rho * (steps - j) / (j + 1);  // the next of β₀ C(steps, j) ρʲ
    row.a[j] = leading.alpha[j];
    row.b[j] = beta;
  }
  return row;
}

}  // namespace

StagedTable trapezoidal_table() {
  StagedTable table;
  table.name = "TRAPEZOIDAL";
  table.order = 2;
  table.rho = 1;
  table.rows[0].a[0] = 1;
  table.rows[0].b[0] = table.rows[0].implicit = 0.5;
  return table;
}

StageRow lms2_row(double rho, double ratio) {
  const double loss = (1 - rho) * (1 - rho), grown = 1 + ratio;
  const double d = 2 * grown - loss;
  const double older = ratio * (loss * (1 + grown) + 2 * (2 * rho - 1) * grown) / d;
  const double delta = 0.5 * ratio * ratio * loss / d;
  StageRow row;
  row.a[0] = 1 - older;
  row.a[1] = older;
  // The published weights are in units of the step before.
  row.implicit = (delta / ratio + ratio / 2) / ratio;
  row.b[0] = (older / 2 + ratio / 2 - delta / ratio * grown) / ratio;
  row.b[1] = (older / 2 + delta) / ratio;
  return row;
}

StagedTable lms_table(int steps, double rho) {
  StagedTable table;
  table.name = fmt::format("LMS{}", steps);
  table.order = 2;
  table.past = steps - 1;
  table.rho = rho;
  table.rows[0] = steps == 2 ? lms2_row(rho, 1) : fixed_step_row(steps, rho);
  table.fixed_step = steps > 2;
  return table;
}

}  // namespace trunnion::formulas
