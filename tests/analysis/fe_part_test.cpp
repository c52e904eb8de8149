// FE_PART at rest: small deflections, and the large ones that others have published or computed.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "analysis/flexible_beam.hpp"
#include "analysis/linear/linear.hpp"

namespace trunnion::test {
namespace {

using std::numbers::pi;

std::string number(double x) { return fmt::format("{:.17g}", x); }
std::string growing(double x) { return fmt::format("{:.17g}*TIME", x); }

// Nodes are exact in small bending, however few: w = P L³/3EI + P L/GA, turned by P L²/2EI. The deflection is 1e-6 of the length.
TEST(FePart, SmallDeflectionsAreTimoshenkosAtAnyNode) {
  for (const int elements : {1, 3}) {
    FlexibleBeam beam;
    beam.elements = elements;
    beam.length = 0.7;
    beam.K = {50, 40, 30, 2, 5, 3};
    const double P = 1e-5, L = beam.length, T = 2e-5;
    const auto at = at_rest(beam.clamped(beam.load({"0", number(P), number(P), number(T), "0", "0"})), P);
    ASSERT_FALSE(at.empty());
    const double w_y = P * L * L * L / (3 * 3) + P * L / 40, w_z = P * L * L * L / (3 * 5) + P * L / 30;
    // The torque turns the deflections by T L/GJ ~ 7e-6.
    EXPECT_NEAR(at.at("FE_PART/2.2.Y"), w_y, 2e-5 * w_y) << elements;
    EXPECT_NEAR(at.at("FE_PART/2.2.Z"), w_z, 2e-5 * w_z) << elements;
  }
}

// Rolled up by M = 2π E I/L it closes, exactly: the element's shape is the circle's.
TEST(FePart, RolledUpToACircle) {
  FlexibleBeam beam;
  beam.elements = 8;
  beam.length = 3;
  beam.K = {1e4, 1e4, 1e4, 2, 2, 2};
  const double M = 2 * pi * 2 / 3;
  const auto at = followed(beam.clamped(beam.load({"0", "0", "0", "0", "0", growing(M)})), M, 20);
  ASSERT_FALSE(at.empty());
  EXPECT_NEAR(at.at("FE_PART/2.2.X"), 0, 1e-9);
  EXPECT_NEAR(at.at("FE_PART/2.2.Y"), 0, 1e-9);
  EXPECT_NEAR(at.at("FE_PART/2.1_4.Y"), 3 / pi, 1e-9);
  EXPECT_NEAR(at.at("FE_PART/2.1_3-1_4.TZ"), M, 1e-9);
  EXPECT_NEAR(at.at("FE_PART/2.1_3-1_4.KZ"), M / 2, 1e-9);
}

// P L²/EI = 1 and 5 (reference-values: the elastica without stretch and shear, to ten digits). In the plane the error falls with h⁴; what
// is left is P/EA = 1e-6 P.
TEST(FePart, Elastica) {
  const struct {
    double load, x, y, turn;
  } cases[] = {{1, 0.9435667637, 0.3017207738, 0.4613519497}, {5, 0.6123716393, 0.7137915236, 1.2153681176}};
  for (const auto& c : cases) {
    double error[3];
    int k = 0;
    for (const int n : {4, 8, 16}) {
      FlexibleBeam beam;
      beam.elements = n;
      beam.K = {1e7, 1e7, 1e7, 1, 1, 1};
      const auto at =
          followed(beam.clamped(beam.load({"0", growing(c.load), "0", "0", "0", "0"})), c.load, 5);
      ASSERT_FALSE(at.empty());
      error[k++] = std::hypot(at.at("FE_PART/2.2.X") - c.x, at.at("FE_PART/2.2.Y") - c.y);
      if (n < 16) continue;
      EXPECT_NEAR(at.at("FE_PART/2.2.X"), c.x, 2e-6 * c.load);
      EXPECT_NEAR(at.at("FE_PART/2.2.Y"), c.y, 2e-6 * c.load);
      EXPECT_NEAR(at.at("FE_PART/2.2.PSI"), c.turn, 2e-6 * c.load);
    }
    EXPECT_GT(std::log2(error[0] / error[1]), 3.7) << c.load;
  }
}

// What 16 and 32 elements give, extrapolated for an error in h², and by how much the error fell.
struct Extrapolated {
  double value, ratio;
};
Extrapolated extrapolated(double coarse, double fine, double exact) {
  return {(4 * fine - coarse) / 3, (coarse - exact) / (fine - exact)};
}

// Princeton beam at 45 degrees: reference-values. Soft bending about z, stiff about y; the soft deflection is along y. In space the
// error falls with h²: 16 elements are within 5e-4 of the smallest component, and two meshes give the reference's digits.
TEST(FePart, PrincetonBeam) {
  const struct {
    double load, soft, stiff;
  } cases[] = {{4.448, 0.05605600486, 0.003965164595}, {13.345, 0.1565898721, 0.01534234846}};
  for (const auto& c : cases) {
    std::map<std::string, double> at[2];
    for (const int n : {16, 32}) {
      FlexibleBeam beam;
      beam.elements = n;
      beam.length = 0.508;
      beam.K = {2.84191e6, 6.40131e5, 9.03881e5, 3.10338, 36.2794, 2.42873};
      const double P = c.load / std::sqrt(2);
      at[n == 32] = followed(beam.clamped(beam.load({"0", growing(P), growing(P), "0", "0", "0"})), P, 5);
      ASSERT_FALSE(at[n == 32].empty());
    }
    const char* y = "FE_PART/2.2.Y";
    const char* z = "FE_PART/2.2.Z";
    EXPECT_NEAR(at[0].at(y), c.soft, 3e-5 * c.soft);
    EXPECT_NEAR(at[0].at(z), c.stiff, 5e-4 * c.stiff);
    const Extrapolated soft = extrapolated(at[0].at(y), at[1].at(y), c.soft);
    const Extrapolated stiff = extrapolated(at[0].at(z), at[1].at(z), c.stiff);
    EXPECT_NEAR(soft.value, c.soft, 2e-7 * c.soft);
    EXPECT_NEAR(stiff.value, c.stiff, 2e-6 * c.stiff);
    EXPECT_NEAR(soft.ratio, 4, 0.05);
    EXPECT_NEAR(stiff.ratio, 4, 0.05);
  }
}

// Bathe and Bolourchi's bend: an eighth of a circle of radius 100, pushed out of its plane by 600. The unstressed arc is exact; torsion
// constant J = Iy + Iz, shear area that of the section.
TEST(FePart, BendOf45Degrees) {
  std::map<std::string, double> at[2];
  for (const int n : {8, 16}) {
    FlexibleBeam beam;
    beam.elements = n;
    const double E = 1e7, I = 1.0 / 12;
    beam.K = {E, E / 2, E / 2, E / 2 * 2 * I, E * I, E * I};
    beam.end = fmt::format("{:.17g},{:.17g},0,{:.17g},0,0", 100 * std::sin(pi / 4),
                           100 * (1 - std::cos(pi / 4)), pi / 4);
    at[n == 16] = followed(beam.clamped(beam.load({"0", "0", growing(600), "0", "0", "0"})), 600, 4);
    ASSERT_FALSE(at[n == 16].empty());
  }
  const struct {
    const char* channel;
    double value;
  } tip[] = {
      {"FE_PART/2.2.X", 47.150438574}, {"FE_PART/2.2.Y", 15.684800534}, {"FE_PART/2.2.Z", 53.474858792}};
  for (const auto& c : tip) {
    EXPECT_NEAR(at[1].at(c.channel), c.value, 2e-3) << c.channel;
    const Extrapolated e = extrapolated(at[0].at(c.channel), at[1].at(c.channel), c.value);
    EXPECT_NEAR(e.value, c.value, 2e-4) << c.channel;
  }
}

// A column gives way at Euler's load, π² E I/(4 L²): straight, it is stable just below and not just above.
TEST(FePart, AColumnGivesWayAtEulersLoad) {
  for (const double part : {0.9999, 1.0001}) {
    FlexibleBeam beam;
    beam.elements = 16;
    beam.K = {1e7, 1e7, 1e7, 1, 1, 2};
    const double P = part * pi * pi / 4;
    Mechanism mech(beam.clamped(beam.load({number(-P), "0", "0", "0", "0", "0"})));
    ASSERT_TRUE(mech.system && mech.assembled.ok) << mech.messages();
    ASSERT_TRUE(analysis::statics(*mech.system, mech.assembled, tight(mech, P)).ok);
    const auto found = analysis::modes(*mech.system, mech.assembled, {});
    ASSERT_TRUE(found.ok && !found.modes.empty());
    double fastest = 0;  // that runs away
    for (const analysis::Mode& mode : found.modes) fastest = std::max(fastest, mode.value.real());
    EXPECT_EQ(fastest > 1e-3, part > 1) << fastest;
  }
}

// Frequencies of a slender cantilever, ω √(m L⁴/EI): roots of 1 + cos x cosh x; of a rod that stretches or twists, (2k−1)π/2. Relative
// errors fall with the fourth power of the element's length.
TEST(FePart, CantileverFrequencies) {
  const auto errors = [](int n, const std::array<double, 3>& J, const std::vector<double>& exact) {
    FlexibleBeam beam;
    beam.elements = n;
    beam.K = {1e2, 1e9, 1e9, 1, 1, 1};
    beam.J = J;
    Mechanism mech(beam.clamped(""));
    EXPECT_TRUE(mech.system && mech.assembled.ok) << mech.messages();
    const auto found = analysis::modes(*mech.system, mech.assembled, {});
    EXPECT_TRUE(found.ok);
    std::vector<double> out;
    for (const double w : exact) {
      double nearest = HUGE_VAL;
      for (const analysis::Mode& mode : found.modes)
        nearest = std::min(nearest, std::abs(std::abs(mode.value.imag()) / w - 1));
      out.push_back(nearest);
    }
    return out;
  };
  const struct {
    std::array<double, 3> J;
    std::vector<double> exact;
  } cases[] = {{{2e-9, 1e-9, 1e-9}, {3.5160152685, 22.0344915646, 10 * pi / 2}},
               {{0.2, 0.1, 0.1}, {std::sqrt(5.0) * pi / 2}}};
  for (const auto& c : cases) {
    const auto coarse = errors(4, c.J, c.exact), fine = errors(8, c.J, c.exact);
    for (std::size_t k = 0; k < c.exact.size(); ++k) {
      EXPECT_GT(std::log2(coarse[k] / fine[k]), 3.5) << c.exact[k];
      EXPECT_LT(fine[k], 3e-4) << c.exact[k];
    }
    EXPECT_LT(fine[0], 7e-6);
  }
}

// Where sections change along the beam: w = ∫ P (L−s)²/EI ds + ∫ P/GA ds by Simpson's rule.
TEST(FePart, Taper) {
  const double L = 0.8, P = 1e-5;
  const auto text = [&](int elements) {
    std::string out = "taper\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/99, PART=1, FLOATING\n";
    out += diagonal_matrix(1, {50, 40, 40, 2, 6, 6}) + "\n" +
           diagonal_matrix(2, {1, 1, 1, 2e-3, 1e-3, 1e-3}) + "\n";
    out += diagonal_matrix(3, {20, 15, 15, 1, 2, 2}) + "\n" +
           diagonal_matrix(4, {.4, .4, .4, 1e-3, 5e-4, 5e-4}) + "\n";
    out += fmt::format(
        "FE_PART/2, TYPE=3DBEAM, NODE_LABELS=1,2, COORDINATES=1,0,0,0,0,0,0,2,{},0,0,0,0,0\n"
        ", SECTION_STIFFNESS=1,3, SECTION_INERTIA=2,4, SUBDIVIDE={}\n",
        L, elements);
    out +=
        fmt::format("MARKER/21, FE_PART=2, NODE_LABEL=1\nMARKER/22, FE_PART=2, NODE_LABEL=2, QP={},0,0\n", L);
    return out + "JOINT/1, FIXED, I=21, J=1\n" + FlexibleBeam::load({"0", number(P), "0", "0", "0", "0"}) +
           "END\n";
  };
  double exact = 0;
  constexpr int kParts = 2000;
  for (int k = 0; k <= kParts; ++k) {
    const double x = static_cast<double>(k) / kParts, weight = k == 0 || k == kParts ? 1 : k % 2 == 1 ? 4 : 2;
    const double EI = 6 - 4 * x, GA = 40 - 25 * x;
    exact += weight * (P * std::pow(L * (1 - x), 2) / EI + P / GA) * L / kParts / 3;
  }
  for (const int n : {1, 4}) {
    const auto at = at_rest(text(n), P);
    ASSERT_FALSE(at.empty());
    EXPECT_NEAR(at.at("FE_PART/2.2.Y"), exact, (n == 1 ? 3e-3 : 2e-6) * exact) << n;
  }
}

// A load along the beam: q L⁴/8EI at the tip, 17 q L⁴/384EI half-way, and the clamp takes q L and q L²/2. Weight does the same.
TEST(FePart, LoadsAlongTheBeam) {
  const double q = 1e-4;
  for (const bool weight : {false, true}) {
    FlexibleBeam beam;
    beam.elements = 2;
    beam.K = {1e5, 1e5, 1e5, 1, 1, 1};
    beam.mass = weight ? 2.0 : 1e-9;
    const std::string load =
        weight ? "ACCGRAV/JGRAV=" + number(q / 2) + "\n" : "FE_LOAD/1, FE_PART=2, FY=" + number(q) + "\n";
    const auto at = at_rest(beam.clamped(load), q);
    ASSERT_FALSE(at.empty());
    const double w = q / 8 + q / 2 / 1e5;  // bending and shear
    EXPECT_NEAR(at.at("FE_PART/2.2.Y"), w, 1e-5 * w) << weight;
    EXPECT_NEAR(at.at("FE_PART/2.1_1.Y"), 17 * q / 384 + 3 * q / 8 / 1e5, 1e-5 * w) << weight;
    EXPECT_NEAR(std::abs(at.at("JOINT/1.FY")), q, 1e-6 * q) << weight;
    EXPECT_NEAR(std::abs(at.at("JOINT/1.TZ")), q / 2, 1e-6 * q) << weight;
  }
}

// A node that an FE_NODE puts somewhere carries markers; the beam is no other for it.
TEST(FePart, NodesBetween) {
  FlexibleBeam beam;
  beam.elements = 1;
  beam.K = {1e3, 1e3, 1e3, 1, 1, 1};
  const double P = 1e-4, a = 0.3;
  const auto at =
      at_rest(beam.clamped("FE_NODE/1, FE_PART=2, LABEL=7, S=0.3\nMARKER/30, FE_PART=2, NODE_LABEL=7\n"
                           "SFORCE/1, I=30, J=31, TRANSLATIONAL, ACTIONONLY, FUNCTION=" +
                           number(P) + "\nMARKER/31, PART=1, REULER=180D,90D,180D\n"),
              P);
  ASSERT_FALSE(at.empty());
  const double w = P * a * a * a / 3 + P * a / 1e3;
  EXPECT_NEAR(at.at("FE_PART/2.7.Y"), w, 1e-5 * w);
  EXPECT_NEAR(at.at("FE_PART/2.2.Y"), w + P * a * a / 2 * (1 - a), 1e-5 * w);
}

}  // namespace
}  // namespace trunnion::test
