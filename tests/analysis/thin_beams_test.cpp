// Soft modes beside very stiff or fast ones: thin wires, columns and shafts, whose own bending must not be lost in the rounding of their
// shear, nor a force without a potential beside the stiffness of a neighbour.

#include <cmath>
#include <numbers>

#include <Eigen/LU>
#include <gmock/gmock.h>

#include "analysis/flexible_beam.hpp"
#include "analysis/linear/linear.hpp"

namespace trunnion::test {
namespace {

using analysis::Stability;
using std::numbers::pi;

// A steel wire of a rectangular section, width by 0.7 width.
FlexibleBeam wire(const char* type, int elements, double width, double length) {
  const double E = 2.07e11, G = E / 2.6, rho = 7800, height = 0.7 * width, A = width * height;
  const double Iy = width * std::pow(height, 3) / 12, Iz = height * std::pow(width, 3) / 12;
  FlexibleBeam beam;
  beam.type = type;
  beam.elements = elements;
  beam.length = length;
  beam.K = {E * A, G * A / 1.2, G * A / 1.2, G * 0.2 * width * std::pow(height, 3), E * Iy, E * Iz};
  beam.mass = rho * A;
  beam.J = {rho * (Iy + Iz), rho * Iy, rho * Iz};
  return beam;
}

// Euler-Bernoulli's clamped and free beam: cos β cosh β = −1. Shear and rotary inertia take (r/L)² of it, 1e-7 and less here.
constexpr double kFirst = 1.8751040687119611, kSecond = 4.694091132974175;
double bending(const FlexibleBeam& beam, int axis, double beta) {
  const double EI = beam.K[static_cast<std::size_t>(3 + axis)];
  return beta * beta * std::sqrt(EI / beam.mass) / (beam.length * beam.length) / (2 * pi);
}

// Of the square, by the rounding of the stiffness: 16 ε of its parts GA/h beside EI/L³ (StiffnessDoubt).
double rounding(const FlexibleBeam& beam, double EI, double beta) {
  const double nodes = beam.type == "3DBEAM" ? beam.elements : 2 * beam.elements;
  return 16 * 2.2e-16 * beam.K[1] * std::pow(nodes * beam.length, 2) / (EI * std::pow(beta, 4));
}
// Errors of elements fall with (β h)⁴ for two nodes, (β h)⁶ for three, and are some hundredth of that.
double allowed(const FlexibleBeam& beam, double EI, double beta) {
  const double order = beam.type == "3DBEAM" ? 4 : 6;
  return std::pow(beta / beam.elements, order) / 100 + rounding(beam, EI, beta) / 2 + 1e-6;
}

TEST(ThinBeams, AWireKeepsItsLowestModes) {
  struct Case {
    const char* type;
    int elements;
    double width, length;
  };
  for (const Case& c : {Case{"3DBEAM3", 12, 1e-3, 1.0}, Case{"3DBEAM", 12, 1e-3, 1.0},
                        Case{"3DBEAM3", 8, 1e-4, 10.0}, Case{"3DBEAM", 16, 1e-4, 10.0}}) {
    const FlexibleBeam beam = wire(c.type, c.elements, c.width, c.length);
    for (const char* damping : {"", ", CRATIO=1E-4"}) {
      FlexibleBeam damped = beam;
      damped.more = damping;
      Mechanism m(damped.clamped(""));
      ASSERT_TRUE(m.assembled.ok) << m.messages();
      const auto found = analysis::modes(*m.system, m.assembled, {});
      ASSERT_TRUE(found.ok);
      EXPECT_TRUE(found.messages.empty()) << found.messages.front();
      ASSERT_GE(found.modes.size(), 4u);
      for (const int axis : {1, 2}) {
        const double EI = beam.K[static_cast<std::size_t>(3 + axis)];
        const double first = bending(beam, axis, kFirst), second = bending(beam, axis, kSecond);
        const auto k = static_cast<std::size_t>(axis - 1);
        const std::string what =
            fmt::format("{} x {}, {} m, axis {}{}", c.type, c.elements, c.length, axis, damping);
        EXPECT_NEAR(found.modes[k].frequency(), first, allowed(beam, EI, kFirst) * first) << what;
        EXPECT_NEAR(found.modes[k + 2].frequency(), second, allowed(beam, EI, kSecond) * second) << what;
        // Stiffness-proportional damping gives ζ = ω CRATIO / 2, and λ is known to half of what its square is.
        const double ratio = *damping ? 1e-4 * pi * first : 0.0, known = rounding(beam, EI, kFirst) / 2;
        EXPECT_NEAR(found.modes[k].damping(), ratio, *damping ? 1e-3 * ratio + known : 0.0) << what;
      }
    }
  }
}

TEST(ThinBeams, AClampedWireIsStableWhateverItsMesh) {
  for (const char* type : {"3DBEAM3", "3DBEAM"}) {
    for (const int elements : {2, 8, 12, 24, 32}) {
      Mechanism m(wire(type, elements, 1e-3, 1.0).clamped(""));
      EXPECT_EQ(analysis::judge_stability(*m.system, m.assembled).stability, Stability::stable)
          << type << elements;
    }
  }
}

// A free wire has six free motions and no more.
TEST(ThinBeams, AFreeWireHasSixFreeMotions) {
  for (const char* type : {"3DBEAM3", "3DBEAM"}) {
    Mechanism m(wire(type, 12, 1e-3, 1.0).text(""));
    const auto found = analysis::modes(*m.system, m.assembled, {});
    ASSERT_TRUE(found.ok);
    int zero = 0;
    for (const auto& mode : found.modes) zero += mode.value == 0.0;
    EXPECT_EQ(zero, 12) << type;
    const auto verdict = analysis::judge_stability(*m.system, m.assembled);
    EXPECT_EQ(verdict.stability, Stability::neutral) << type;
    EXPECT_EQ(verdict.neutral, 12) << type;
  }
}

// Beck's column: a load along the end of a cantilever makes it flutter above 20.05 EI/L².
std::string beck(const char* type, int elements, double slenderness, double load) {
  FlexibleBeam beam;
  beam.type = type;
  beam.elements = elements;
  const double r2 = slenderness * slenderness;
  beam.K = {1 / r2, 1 / (3 * r2), 1 / (3 * r2), 0.77, 1, 1};
  beam.mass = 1;
  beam.J = {2 * r2, r2, r2};
  return beam.clamped(
      fmt::format("GFORCE/1, I=22, JFLOAT=99, RM=22, FX={:.17g}\\FY=0\\FZ=0\\TX=0\\TY=0\\TZ=0\n", -load));
}

Stability verdict(Mechanism& m) {
  analysis::StaticSettings settings = analysis::static_settings(m.read.model);
  const auto result = analysis::statics(*m.system, m.assembled, settings);
  EXPECT_TRUE(result.ok);
  return result.stability;
}

TEST(ThinBeams, BecksColumnFluttersAboveItsLoad) {
  struct Case {
    const char* type;
    int elements;
    double slenderness;
  };
  for (const Case& c : {Case{"2DBEAMXY3", 20, 1e-4}, Case{"2DBEAMXY3", 60, 1e-4}, Case{"2DBEAMXY", 60, 1e-4},
                        Case{"3DBEAM3", 20, 3e-4}}) {
    Mechanism below(beck(c.type, c.elements, c.slenderness, 19)),
        above(beck(c.type, c.elements, c.slenderness, 30));
    EXPECT_EQ(verdict(below), Stability::stable) << c.type << " x " << c.elements;
    EXPECT_EQ(verdict(above), Stability::unstable) << c.type << " x " << c.elements;
  }
}

// A shaft on two bearings with a seal that pushes across: q of a few hundredths of the bearings' stiffness and a hundred-millionth of
// the shaft's. It whirls where q/(2 m ω) exceeds c/m.
std::string shaft_with_seal(const char* type, int elements, double across, double damping) {
  FlexibleBeam beam;
  const double E = 2.07e11, d = 0.1, A = pi * d * d / 4, I = pi * std::pow(d, 4) / 64, rho = 7800,
               G = E / 2.6;
  beam.type = type;
  beam.elements = elements;
  beam.K = {E * A, 0.9 * G * A, 0.9 * G * A, 2 * G * I, E * I, E * I};
  beam.mass = rho * A;
  beam.J = {2 * rho * I, rho * I, rho * I};
  std::string rest = "MARKER/12, PART=1, QP=1,0,0\nMARKER/98, PART=1, FLOATING\n";
  for (const char* ends : {"1, I=21, J=1", "2, I=22, J=12"})
    rest += fmt::format("BUSHING/{0}, K=1E5,1E5,1E5, C={1},{1},{1}, KT=100,100,100, CT={1},{1},{1}\n", ends,
                        damping);
  rest += fmt::format(
      "GFORCE/1, I=21, JFLOAT=98, RM=1, FX=0\\FY={0}*DZ(21,1)\\FZ=-{0}*DY(21,1)\\TX=0\\TY=0\\TZ=0\n", across);
  return beam.text(rest);
}

TEST(LargeStability, ACrossCoupledSealWhateverTheMesh) {
  for (const auto& [type, elements] :
       {std::pair{"3DBEAM", 10}, {"3DBEAM", 26}, {"3DBEAM3", 8}, {"3DBEAM3", 13}, {"3DBEAM", 120}}) {
    Mechanism seal(shaft_with_seal(type, elements, 2000, 1)), none(shaft_with_seal(type, elements, 0, 1));
    EXPECT_EQ(analysis::judge_stability(*seal.system, seal.assembled).stability, Stability::unstable)
        << type << elements;
    EXPECT_EQ(analysis::judge_stability(*none.system, none.assembled).stability, Stability::stable)
        << type << elements;
  }
  // Dampers that outweigh the seal; and none at all.
  Mechanism damped(shaft_with_seal("3DBEAM", 26, 2000, 100)), undamped(shaft_with_seal("3DBEAM", 26, 500, 0));
  EXPECT_EQ(analysis::judge_stability(*damped.system, damped.assembled).stability, Stability::stable);
  EXPECT_EQ(analysis::judge_stability(*undamped.system, undamped.assembled).stability, Stability::unstable);
  // More states than all eigenvalues are found of: none of the slowest grows, which is no verdict.
  Mechanism large(shaft_with_seal("3DBEAM", 120, 2000, 100));
  const auto open = analysis::judge_stability(*large.system, large.assembled);
  EXPECT_EQ(open.stability, Stability::unknown);
  EXPECT_THAT(open.messages.front(), testing::HasSubstr("not judged"));
}

// Rods on stiff bushings with springs between their turns, under a load that follows the last: Beck's column of rods.
std::string follower_chain(int rods, double stiff, double load) {
  const double l = 1.0 / rods, J = l * l * l / 12;
  std::string t = "chain\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/99, PART=1, FLOATING\n", before = "1";
  for (int k = 0; k < rods; ++k) {
    const int id = k + 2;
    t += fmt::format("PART/{0}, MASS={1:.17g}, CM={0}1, IP={2:.17g},{2:.17g},{2:.17g}, QG={3:.17g},0,0\n", id,
                     l, J, k * l);
    t += fmt::format(
        "MARKER/{0}1, PART={0}, QP={1:.17g},0,0\nMARKER/{0}2, PART={0}\nMARKER/{0}3, PART={0}, "
        "QP={2:.17g},0,0\n",
        id, l / 2, l);
    t += fmt::format("BUSHING/{0}, I={0}2, J={1}, K={2},{2},{2}, C=0,0,0, KT={3},{3},{3}, CT=0,0,0\n", id,
                     before, stiff, (k == 0 ? 2.0 : 1.0) * rods);
    before = fmt::format("{}3", id);
  }
  return t + fmt::format("GFORCE/1, I={0}, JFLOAT=99, RM={0}, FX={1}\\FY=0\\FZ=0\\TX=0\\TY=0\\TZ=0\nEND\n",
                         before, -load);
}

TEST(LargeStability, AFollowerLoadOnStiffBushings) {
  for (const int rods : {12, 30}) {
    for (const double stiff : {1e8, 1e9, 1e10}) {
      Mechanism below(follower_chain(rods, stiff, 15)), above(follower_chain(rods, stiff, 30));
      EXPECT_EQ(verdict(below), Stability::stable) << rods << " " << stiff;
      EXPECT_EQ(verdict(above), Stability::unstable) << rods << " " << stiff;
    }
  }
}

}  // namespace
}  // namespace trunnion::test
