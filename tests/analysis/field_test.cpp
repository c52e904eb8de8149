// A linear FIELD that is twisted at rest has no potential, though KMATRIX is symmetric: by hand.
//
// The torques are K times the projected angles AX, AY, AZ, along the axes of J. At a free twist ψ about x a small turn ε of I
// changes them by (εx, εy + εz tan ψ, εz): AY is read from the z axis of I, which is no longer that of J. So the stiffness is
// K (1 + tan ψ e_y e_zᵀ), with K symmetric and tan ψ ≠ 0 not symmetric, as in the blades of a wind turbine (nrel-test14, 2°).

#include <cmath>
#include <complex>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/linear/linear.hpp"
#include "analysis/mechanism.hpp"

namespace trunnion::test {
namespace {

constexpr double kTwist = 0.2, kK = 400, kInertia = 0.25;

// A body of equal inertias. About y and z: k, and −½ k tan ψ between them.
std::string twisted(const std::string& formulation) {
  std::string K;
  for (int column = 0; column < 6; ++column) {
    for (int row = 0; row < 6; ++row) {
      const bool bends = row + column == 9 && row != column;
      const double value = row == column ? (row < 3 ? 900.0 : kK) : bends ? -0.5 * kK * std::tan(kTwist) : 0;
      K += fmt::format("{}{:.17g}", row + column == 0 ? "" : row == 0 ? "\n, " : ",", value);
    }
  }
  return fmt::format(
      "twisted\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP={0},{0},{0}\nMARKER/20, PART=2\n"
      "MARKER/21, PART=2, REULER=0,{1},0\nFIELD/1, I=21, J=1, LENGTH=0,0,0,{1},0,0, {2}KMATRIX={3}\nEND\n",
      kInertia, kTwist, formulation, K);
}

double fastest(Mechanism& m, std::complex<double>* value = nullptr) {
  const auto found = analysis::modes(*m.system, m.assembled, {});
  EXPECT_TRUE(found.ok);
  double most = -1;
  for (const analysis::Mode& mode : found.modes) {
    if (mode.value.real() <= most) continue;
    most = mode.value.real();
    if (value) *value = mode.value;
  }
  return most;
}

// k [[1, t/2], [−t/2, 1 − t²/2]] about y and z, t = tan ψ: eigenvalues k (d ± i √(d (1 − d))), d = 1 − t²/4, of size k √d. Hence
// λ² = −that/J, (Re λ)² = k (√d − d)/(2J), (Im λ)² = k (√d + d)/(2J).
TEST(TwistedField, FluttersAsByHand) {
  Mechanism m(twisted(""));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  std::complex<double> value;
  fastest(m, &value);
  const double t = std::tan(kTwist), d = 1 - t * t / 4, omega2 = kK / kInertia;
  EXPECT_NEAR(value.real(), std::sqrt(omega2 * (std::sqrt(d) - d) / 2), 1e-9);
  EXPECT_NEAR(std::abs(value.imag()), std::sqrt(omega2 * (std::sqrt(d) + d) / 2), 1e-9);
}

// |t/2 + t/2|/√(1 · (1 − t²/2)), in the same block.
TEST(TwistedField, IsMeasured) {
  Mechanism m(twisted(""));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  system::System::Workspace work(*m.system, assembly::AnalysisMode::statics);
  m.system->update(m.assembled.state, work);
  const double t = std::tan(kTwist);
  EXPECT_NEAR(m.system->asymmetry(m.system->forces().front(), m.assembled.state, work),
              t / std::sqrt(1 - t * t / 2), 1e-12);
}

// The law for large rotations has a potential: nothing grows.
TEST(TwistedField, WithAPotentialDoesNot) {
  Mechanism m(twisted("FORMULATION=NONLINEAR, "));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_NEAR(fastest(m), 0, 1e-6);
}

}  // namespace
}  // namespace trunnion::test
