// Chains of BEAM and FIELD elements with FORMULATION=NONLINEAR against the elastica and the circle.

#include <numbers>

#include "analysis/cantilever.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;

// The elastica under a dead load across it, P L²/(E I) → tip: turn, deflection, shortening over the length. Mattiasson 1981 has five
// digits of the elliptic integrals; the others are a quadrature of ∫ dθ/√(2 P/(E I) (sin θ_tip − sin θ)) at 15 digits.
struct Elastica {
  double load, turn, deflection, shortening;
};
constexpr Elastica kElastica[] = {{1, 0.46135195, 0.301720774, 0.0564332363},
                                  {5, 1.21536812, 0.713791524, 0.387628361},
                                  {10, 1.43028554, 0.810609025, 0.554995598}};

constexpr double kSlender = 1e-3;  // width over length

double elastica_error(const Elastica& exact, bool fields, int n) {
  Cantilever beam;
  beam.n = n;
  beam.fields = fields;
  beam.formulation = "NONLINEAR";
  beam.width = kSlender * beam.length;
  const double L = beam.length;
  beam.force = exact.load * beam.EI() / (L * L);
  beam.bent = exact.turn;
  const Tip tip = tip_of(beam);
  return std::max({std::abs(tip.turn - exact.turn), std::abs(tip.y / L - exact.deflection),
                   std::abs(1 - tip.x / L - exact.shortening)});
}

// A FIELD keeps the length of its chord: second order in the elements' turn, load/n at most. A BEAM shortens its chord as it bends,
// fourth order: what is left at 50 is its strain, P/(E A).
TEST(BeamChain, LargeDeflectionsAreTheElastica) {
  for (const Elastica& exact : kElastica) {
    const double strain = exact.load * kSlender * kSlender / 12;
    const double beam = elastica_error(exact, false, 50);
    EXPECT_LE(beam, strain + 1e-8) << exact.load;
    const double coarse = elastica_error(exact, true, 25), fine = elastica_error(exact, true, 50);
    EXPECT_NEAR(fine / coarse, 0.25, 0.02) << exact.load;
    EXPECT_LE(fine, 0.1 * std::pow(exact.load / 50, 2)) << exact.load;
  }
}

// Under a moment at the tip alone, M = π E I/L, the beam is half a circle: tip at (0, 2L/π), turned by π. A BEAM's chord is that of
// its arc to (π/n)⁴/1920; a FIELD keeps its length, (π/n)²/24 too long.
TEST(BeamChain, AMomentBendsItToACircle) {
  for (const bool fields : {false, true}) {
    Cantilever beam;
    beam.fields = fields;
    beam.formulation = "NONLINEAR";
    beam.width = kSlender * beam.length;
    const double L = beam.length, phi = 0.9 * pi;
    beam.moment = phi * beam.EI() / L;
    beam.bent = 0.5 * phi;
    const Tip tip = tip_of(beam);
    const double each = phi / beam.n, tolerance = fields ? 1.01 * each * each / 24 : 1e-7;
    EXPECT_NEAR(tip.turn, phi, 1e-8);
    EXPECT_NEAR(tip.x / L, std::sin(phi) / phi, tolerance) << fields;
    EXPECT_NEAR(tip.y / L, (1 - std::cos(phi)) / phi, tolerance) << fields;
  }
}

}  // namespace
}  // namespace trunnion::test
