// Values of tables and spectra against what was published or has a closed form.

#include <numbers>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formulas/amplification.hpp"

namespace trunnion::formulas {
namespace {

using Complex = std::complex<double>;

double gamma_of(const StagedTable& table) { return table.rows[0].implicit; }

// H. Zhang and others (2022), Table 7, and (2020); MSSTH(3) as recomputed.
TEST(Tables, GammasAreThePublishedOnes) {
  const double msstc[3][3] = {{0.18042530642939856, 0.17124861859069151, 1.0 / 6},
                              {0.13137873673046613, 0.12713926590208381, 1.0 / 8},
                              {0.10355710892021488, 0.10119611507318120, 1.0 / 10}};
  const double mssth[3][3] = {{0.43586652150845900, 0.36614281010334743, 1.0 / 3},
                              {0.5728160624821350133, 0.4541307850365287058, 0.3943375672974065438},
                              {0.2780538411364499307, 0.2574960298566747463, 0.2465051931428201559}};
  const double rho[] = {0, 0.6, 1};
  for (int n = 3; n <= 5; ++n)
    for (int k = 0; k < 3; ++k) {
      // The paper's own digits of MSSTH end at 3e-15.
      EXPECT_NEAR(gamma_of(msstc_table(n, rho[k])), msstc[n - 3][k], 2e-15) << "MSSTC" << n;
      EXPECT_NEAR(gamma_of(mssth_table(n, rho[k])), mssth[n - 3][k], 4e-15) << "MSSTH" << n;
    }
}

TEST(Tables, ESDIRKsAreThePublishedOnes) {
  const StagedTable t = esdirk35_table();
  EXPECT_NEAR(t.rows[1].b[0], 0.271599025766973, 1e-15);
  EXPECT_NEAR(t.rows[2].b[0], 0.223743686707646, 1e-15);
  EXPECT_NEAR(t.rows[2].b[2], -0.072487373415292, 1e-15);
  EXPECT_NEAR(t.rows[3].b[1], 0.1755455021294, 1e-13);
  EXPECT_NEAR(t.rows[3].b[2], -0.346858200026006, 1e-15);
  EXPECT_NEAR(t.rows[3].b[3], 5827.0 / 7560, 2e-15);
  const StagedTable u = esdirk34_table();
  EXPECT_NEAR(u.rows[2].b[0], 0.1876410243467238251612921, 1e-15);
  EXPECT_NEAR(u.rows[2].b[2], 0.9717899277217721234705114, 2e-15);
}

TEST(Tables, SingleStepGammasAreThePublishedOnes) {
  const SingleStepTable t = single_step_table(4, 0.5);
  EXPECT_NEAR(t.gamma[1].real(), (1.3423840948583692 - 0.34238409485836922 * 0.5) / 1.5, 1e-15);
  EXPECT_NEAR(t.gamma[3].real(), (1.0788079525708154 - 0.078807952570815413 * 0.5) / 1.5, 1e-15);
  EXPECT_NEAR(t.gamma[3].imag(), 0.37393064543361015 * 0.5 / 1.5, 1e-15);
  EXPECT_EQ(t.gamma[5], std::conj(t.gamma[3]));
}

struct Row {
  StagedTable table;
  double cells[9];  // decay, elongation, radius at 0.02, 0.05, 0.1
  double at_1, at_10;
};

TEST(Spectrum, TheTableOfTheDigest) {
  const Row rows[] = {
      {lms_table(2, 0), {.0480, .5182, .99994, .6415, 3.0154, .99805, 3.4406, 10.141, .98056}, .4025, .1011},
      {lms_table(3, 0), {.0003, .2640, 1, .0218, 1.6708, .99993, .4447, 6.7060, .99738}, .5394, .1808},
      {lms_table(4, 0), {.0000, .2105, 1, .0006, 1.3148, 1, .0513, 5.2584, .99969}, .6284, .2457},
      {bathe_table(0), {.0058, .2548, .99999, .0868, 1.5714, .99946, .6048, 6.0191, .99286}, .3644, .0384},
      {msstc_table(3, 0), {.0000, .1731, 1, .0012, 1.0786, .99999, .0308, 4.2618, .99944}, .4693, .0509},
      {msstc_table(4, 0), {0, .1548, 1, .0000, .9629, 1, .0019, 3.7874, .99995}, .5441, .0605},
      {msstc_table(5, 0), {0, .1471, 1, 0, .9143, 1, .0001, 3.5909, 1}, .6027, .0686},
      {lms_table(2, .6), {.0008, .1561, 1, .0118, .9689, .99996, .0868, 3.7881, .99947}, .8713, .6854},
      {lms_table(3, .6), {0, .1397, 1, .0000, .8683, 1, .0007, 3.4096, 1}, .9472, .7496},
      {lms_table(4, .6), {0, .1364, 1, 0, .8477, 1, .0000, 3.3276, 1}, .9767, .7921},
      {bathe_table(.6), {.0024, .1740, .99999, .0369, 1.0766, .99977, .2613, 4.1620, .99685}, .6799, .6010},
      {msstc_table(3, .6), {.0000, .1458, 1, .0006, .9074, .99999, .0148, 3.5756, .99973}, .7168, .6015},
      {mssth_table(3, 0),
       {.1306, .0292, .99951, 1.5530, .8545, .98559, 6.4934, 6.9513, .89186},
       .1511,
       .0152},
      {esdirk34_table(), {.1306, .0292, .99951, 1.5530, .8545, .98559, 6.4934, 6.9513, .89186}, .1511, .0152},
      {mssth_table(4, 0),
       {.1022, -.1093, .99949, 3.1607, .0172, .96107, 12.937, 9.943, .74398},
       .0879,
       .0088},
      {mssth_table(5, 0), {.0045, .0017, .99997, .2401, .2423, .99624, 1.7811, 4.388, .94781}, .2150, .0219},
      {esdirk35_table(), {.0064, .0074, .99997, .0674, .2551, .99915, .1704, 2.8741, .99585}, .3737, .0390},
      {esdirk46_table(), {.0001, .0135, 1, .0008, .4765, .99999, .0399, 5.2043, .99881}, .2943, .0302},
  };
  const double x[] = {0.02, 0.05, 0.1, 1, 10};
  for (const Row& row : rows) {
    const std::vector<SpectrumPoint> found = spectrum(row.table, row.table.stages, x);
    // half of the last digit that the table gives, three places for what is above 10
    const auto half = [](double cell) { return std::abs(cell) > 9.9 ? 5.1e-4 : 5.1e-5; };
    for (int k = 0; k < 3; ++k) {
      const double* cell = row.cells + 3 * k;
      EXPECT_NEAR(found[k].decay_percent, cell[0], half(cell[0])) << row.table.name << " at " << x[k];
      EXPECT_NEAR(found[k].elongation_percent, cell[1], cell[1] == 4.388 ? 5.1e-4 : half(cell[1]))
          << row.table.name << " at " << x[k];
      EXPECT_NEAR(found[k].radius, cell[2], 5.1e-6) << row.table.name << " at " << x[k];
    }
    EXPECT_NEAR(found[3].radius, row.at_1, 5.1e-5) << row.table.name;
    EXPECT_NEAR(found[4].radius, row.at_10, 5.1e-5) << row.table.name;
  }
}

TEST(Spectrum, ClosedForms) {
  for (const double y : {0.01, 0.3, 1.0, 4.0, 30.0}) {
    const Complex z(0, y);
    EXPECT_LT(std::abs(amplification(trapezoidal_table(), z) - (1.0 + z / 2.0) / (1.0 - z / 2.0)), 1e-14);
    // BDF2: (3/2 − z) ξ² − 2 ξ + 1/2 = 0
    EXPECT_LT(
        std::abs(amplification(lms_table(2, 0), z) - (2.0 + std::sqrt(1.0 + 2.0 * z)) / (3.0 - 2.0 * z)),
        1e-14);
    for (const double rho : {0.0, 0.5, 1.0}) {
      const double g = rho == 1 ? 0.25 : (2 - std::sqrt(2 * (1 + rho))) / (2 * (1 - rho));
      const Complex first = (1.0 + g * z) / (1.0 - g * z);
      const Complex bathe =
          (1.0 + z * (-(4 * g * g - 6 * g + 1) / (4 * g) + (1 - 2 * g) / (4 * g) * first)) / (1.0 - g * z);
      EXPECT_LT(std::abs(amplification(bathe_table(rho), z) - bathe), 1e-13);
    }
    const Complex pade = (1.0 + z / 3.0) / (1.0 - 2.0 * z / 3.0 + z * z / 6.0);
    EXPECT_LT(std::abs(amplification(radau_table(2), z) - pade), 1e-13);
    EXPECT_LT(std::abs(amplification(energy_decaying_table(0), z) - pade), 1e-13);
    const Complex gauss = (1.0 + z / 2.0 + z * z / 12.0) / (1.0 - z / 2.0 + z * z / 12.0);
    EXPECT_LT(std::abs(amplification(gauss_table(2), z) - gauss), 1e-13);
    EXPECT_LT(std::abs(amplification(energy_decaying_table(1), z) - gauss), 1e-13);
    EXPECT_LT(std::abs(amplification(gauss_table(1), z) - (1.0 + z / 2.0) / (1.0 - z / 2.0)), 1e-14);
  }
}

TEST(Spectrum, SingleStepIsMultistep) {
  const double x[] = {0.01, 0.05, 0.1, 0.3, 1};
  for (int steps = 2; steps <= 4; ++steps)
    for (const double rho : {0.0, 0.25, 0.6, 0.9}) {
      const auto multi = spectrum(lms_table(steps, rho), 1, x),
                 single = spectrum(single_step_table(steps, rho), 1, x);
      for (std::size_t k = 0; k < std::size(x); ++k) {
        EXPECT_NEAR(multi[k].decay_percent, single[k].decay_percent, 1e-11) << steps << " " << rho;
        EXPECT_NEAR(multi[k].elongation_percent, single[k].elongation_percent, 1e-11) << steps << " " << rho;
        EXPECT_NEAR(multi[k].radius, single[k].radius, 1e-12) << steps << " " << rho;
      }
    }
}

// The short form of a step, with weights for what is known, is the chain of filters.
TEST(SingleStep, WeightsAreTheFiltersPutTogether) {
  for (int steps = 2; steps <= 4; ++steps) {
    const SingleStepTable t = single_step_table(steps, 0.35);
    std::vector<Complex> before = {0.7, -0.3, Complex(0.2, 0.9), Complex(-1.1, 0.4)}, after = {1.3, 0, 0, 0};
    for (int m = 1; m < steps; ++m) {
      const SingleStepTable::Filter f = t.filter(m);
      after[m] = f.newer * after[m - 1] + f.older * before[m - 1] + f.kept * before[m];
    }
    const Complex chain = (1.0 - t.gamma[0]) * before[steps - 1] + t.gamma[0] * after[steps - 1];
    const SingleStepTable::Weights w = t.weights();
    Complex sum = w.implicit * after[0] + w.old * before[0];
    for (int m = 1; m < steps; ++m) sum += w.auxiliary[m] * before[m];
    EXPECT_LT(std::abs(sum - chain), 1e-15) << steps;
  }
}

TEST(Collocation, OneRealAndOneComplexSystemSolveTheStages) {
  for (const CollocationTable& t :
       {radau_table(2), radau_table(3), gauss_table(1), gauss_table(2), energy_decaying_table(0.3)}) {
    EXPECT_EQ(t.stages, int(t.has_real) + 2 * int(t.has_pair)) << t.name;
    Eigen::MatrixXd blocks = Eigen::MatrixXd::Zero(t.stages, t.stages);
    if (t.has_real) blocks(0, 0) = t.real;
    if (t.has_pair) {
      const double a = t.pair.real(), b = t.pair.imag();
      blocks.bottomRightCorner<2, 2>() << a, b, -b, a;
    }
    EXPECT_LT((t.T * blocks * t.T_inverse * t.A - Eigen::MatrixXd::Identity(t.stages, t.stages)).norm(),
              1e-13)
        << t.name;
    // (A⁻¹ − J) Y = r for a scalar J, as the header says
    if (!t.has_pair) continue;
    const double J = -0.7;
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(t.stages, 1, 2);
    Eigen::VectorXd w = t.T_inverse * right;
    if (t.has_real) w[0] /= t.real - J;
    const Complex pair = Complex(w[t.stages - 2], w[t.stages - 1]) / (std::conj(t.pair) - J);
    w[t.stages - 2] = pair.real(), w[t.stages - 1] = pair.imag();
    const Eigen::MatrixXd full = t.A.inverse() - J * Eigen::MatrixXd::Identity(t.stages, t.stages);
    EXPECT_LT((full * (t.T * w) - right).norm(), 1e-13) << t.name;
  }
  EXPECT_NEAR(radau_table(3).real, 3 + std::cbrt(3.0) * (std::cbrt(3.0) - 1),
              1e-13);  // 3 − 3^(1/3) + 3^(2/3)
}

// The error that an embedded row sees is that of its own order: in one step of ẏ = t², y = t³/3, only order 2 has one.
TEST(Staged, EmbeddedRowsSeeTheErrorOfTheirOrder) {
  for (const StagedTable& t : {esdirk34_table(), esdirk35_table(), esdirk46_table()})
    for (int power = 0; power <= t.embedded_order; ++power) {
      double error = power == 0 ? t.error_weight(0) : 0;
      for (int k = 1; k <= t.stages; ++k) error += t.error_weight(k) * std::pow(t.rows[k - 1].c, power);
      if (power < t.embedded_order) EXPECT_NEAR(error, 0, 1e-14) << t.name << " t^" << power;
      else EXPECT_GT(std::abs(error), 1e-4) << t.name << " t^" << power;
    }
}

}  // namespace
}  // namespace trunnion::formulas
