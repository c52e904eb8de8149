// Linear equations about moving states: against closed forms, and against the nonlinear equations.

#include <cmath>
#include <random>

#include <gmock/gmock.h>

#include "analysis/linear/linear.hpp"
#include "analysis/mechanism.hpp"
#include "analysis/nearby.hpp"
#include "analysis/planar.hpp"
#include "support/static_models.hpp"

namespace trunnion::test {
namespace {

using Complex = std::complex<double>;
constexpr Complex kI{0, 1};

analysis::ModesResult modes_of(Mechanism& m, int rm = 0) {
  analysis::ModesOptions options;
  if (rm > 0) options.frame = {*m.system->find_marker(rm), fmt::format("MARKER/{}", rm)};
  auto found = analysis::modes(*m.system, m.assembled, options);
  EXPECT_TRUE(found.ok) << (found.messages.empty() ? "" : found.messages.front());
  return found;
}

bool warned(const analysis::ModesResult& found) {
  for (const std::string& line : found.messages) {
    if (line.find("change along this motion") != std::string::npos) return true;
  }
  return false;
}

bool told_to_turn(const analysis::ModesResult& found) {
  for (const std::string& line : found.messages) {
    if (line.find("turn along with this motion") != std::string::npos) return true;
  }
  return false;
}

// Whether a root lies at `wanted` (or its conjugate: one of a pair is kept).
::testing::AssertionResult has_root(const analysis::ModesResult& found, Complex wanted, double tolerance) {
  if (wanted.imag() < 0) wanted = std::conj(wanted);
  double nearest = HUGE_VAL;
  for (const analysis::Mode& m : found.modes) nearest = std::min(nearest, std::abs(m.value - wanted));
  if (nearest <= tolerance) return ::testing::AssertionSuccess();
  auto failure = ::testing::AssertionFailure() << wanted << " is missed by " << nearest << " among";
  for (const analysis::Mode& m : found.modes) failure << " " << m.value;
  return failure;
}

// --- closed forms

// A rotor in a housing on springs that do not turn: kx on the housing's centre, kt against tilting, the rotor's centre d above it.
struct Rotor {
  double m = 3, mh = 0.5, Ip = 0.2, Id = 0.13, Ih = 0.02, k = 4000, kt = 900, d = 0.3, spin = 200;

  std::string text() const {
    std::string t = "rotor\nPART/1, GROUND\nMARKER/1, PART=1\n";
    t += rigid_part(2, mh, Ih, 0, 0, 0) + on_part(21, 2, 0, 0, 0);
    // Turned about its axis anyhow: nothing may depend on that.
    t += fmt::format(
        "PART/3, MASS={}, CM=30, IP={},{},{}, QG=0,0,{}, REULER=0.7,0,0, WZ={}\nMARKER/30, PART=3\n"
        "MARKER/31, PART=3, QP=0,0,{}\n",
        m, Id, Id, Ip, d, spin, -d);
    t += "JOINT/1, REVOLUTE, I=31, J=21\n";
    t += fmt::format("BUSHING/1, I=21, J=1, K={0},{0},{0}, KT={1},{1},{1}, C=0,0,0, CT=0,0,0\n", k, kt);
    return t + "END\n";
  }
  // Displacement r of the housing and slope b of the axis (both x + i y): the rotor is at r + d b. Slope b turns by φ = i b, and the
  // spin's moment of momentum Ip Ω leans with it: torque balance in the plane of b, for motions exp(s t):
  //   (m + mh) s² r + m d s² b + k r = 0
  //   m d s² r + (Id + Ih + m d²) s² b − i Ip Ω s b + kt b = 0
  Complex determinant(Complex s) const {
    const Complex a = (m + mh) * s * s + k, b = m * d * s * s,
                  c = (Id + Ih + m * d * d) * s * s - kI * Ip * spin * s + kt;
    return a * c - b * b;
  }
};

TEST(LinearMotion, WhirlingRotorInASpringyHousing) {
  for (const double spin : {0.0, 20.0, 200.0, 2000.0}) {
    Rotor rotor;
    rotor.spin = spin;
    Mechanism mech(rotor.text());
    ASSERT_TRUE(mech.assembled.ok) << mech.messages();
    const auto found = modes_of(mech);
    EXPECT_FALSE(warned(found) || told_to_turn(found)) << spin;
    ASSERT_EQ(found.modes.size(), 4u + 2 + 2);  // whirling, along and about the axis, and the free spin
    int forward = 0, backward = 0, along = 0, free = 0;
    for (const analysis::Mode& mode : found.modes) {
      const Complex s = mode.value;
      // Scale: what the terms of the determinant amount to.
      const double size = std::abs(rotor.k * rotor.kt) + std::pow(std::abs(s), 4) * rotor.m * rotor.Id +
                          std::pow(std::abs(s), 3) * rotor.m * rotor.Ip * spin;
      const bool f = std::abs(rotor.determinant(s)) < 1e-9 * size,
                 b = std::abs(rotor.determinant(std::conj(s))) < 1e-9 * size;
      const double z = std::sqrt(rotor.k / (rotor.m + rotor.mh));
      if (std::abs(s) < 1e-6) ++free;
      else if (std::abs(s - kI * z) < 1e-8 * z) ++along;
      else if (std::abs(s - kI * std::sqrt(rotor.kt / rotor.Ih)) < 1e-6) ++along;
      else if (f && !b) ++forward;
      else if (b && !f) ++backward;
      else if (f && b) ++forward, ++backward;  // spin 0: both alike
    }
    EXPECT_EQ(free, 2) << spin;
    EXPECT_EQ(along, 2) << spin;
    EXPECT_EQ(forward, spin == 0 ? 4 : 2) << spin;
    EXPECT_EQ(backward, spin == 0 ? 4 : 2) << spin;
  }
}

// A top upright on a ball joint: A s² − i C Ω s − m g l = 0, stable above C Ω = 2 √(A m g l).
TEST(LinearMotion, SleepingTop) {
  const double m = 1.5, l = 0.2, g = 9.81, A0 = 0.02, C = 0.03, A = A0 + m * l * l;
  const double critical = 2 * std::sqrt(A * m * g * l) / C;
  for (const double factor : {0.5, 0.99, 1.01, 3.0}) {
    const double spin = factor * critical;
    std::string t = "top\nPART/1, GROUND\nMARKER/1, PART=1\n";
    t += fmt::format(
        "PART/2, MASS={}, CM=20, IP={},{},{}, QG=0,0,{}, REULER=1.1,0,0, WZ={:.17g}\nMARKER/20, PART=2\n"
        "MARKER/21, PART=2, QP=0,0,{}\nJOINT/1, SPHERICAL, I=21, J=1\nACCGRAV/KGRAV=-9.81\nEND\n",
        m, A0, A0, C, l, spin, -l);
    Mechanism mech(t);
    ASSERT_TRUE(mech.assembled.ok) << mech.messages();
    const auto found = modes_of(mech);
    EXPECT_FALSE(warned(found) || told_to_turn(found));
    const Complex root = std::sqrt(Complex(-C * C * spin * spin + 4 * A * m * g * l));
    for (const double sign : {1.0, -1.0}) {
      // Near the critical spin the roots are close to each other, and each is known to the square root of rounding.
      EXPECT_TRUE(has_root(found, (kI * C * spin + sign * root) / (2 * A), 1e-6)) << factor;
    }
    double growth = 0;
    for (const analysis::Mode& mode : found.modes) growth = std::max(growth, mode.value.real());
    EXPECT_EQ(growth > 1e-3, factor < 1) << factor << " " << growth;
  }
}

// A blade on a hub that turns, its hinge at distance e, in the axes of the hub. Flapping: ω² = Ω² ((C − A) + m r (e + r)) / (B + m r²);
// lagging: ω² = Ω² m r e / (C + m r²). A along the blade, B about the flap axis, C about the third.
std::string blade(double turn, const char* hinge, double speed, bool velocities = true) {
  // The hub turns about z, blade along its x; `hinge` turns z of the markers to the hinge's axis.
  const double c = std::cos(turn), s = std::sin(turn);
  std::string t = "blade\nPART/1, GROUND\nMARKER/1, PART=1\n";
  t += fmt::format("PART/2, MASS=5, CM=20, IP=1,1,1, REULER={:.17g},0,0\nMARKER/20, PART=2\n", turn);
  t += fmt::format("MARKER/21, PART=2, QP=0.3,0,0{}\n", hinge);
  t += fmt::format("PART/3, MASS=2, CM=30, IP=0.05,0.2,0.23, QG={:.17g},{:.17g},0, REULER={:.17g},0,0", c, s,
                   turn);
  if (velocities) t += fmt::format(", WZ={:.17g}, VX={:.17g}, VY={:.17g}", speed, -speed * s, speed * c);
  t += "\nMARKER/30, PART=3\n";
  t += fmt::format("MARKER/31, PART=3, QP=-0.7,0,0{}\n", hinge);
  t += "JOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, REVOLUTE, I=31, J=21\n";
  t += fmt::format("MOTION/1, JOINT=1, ROTATION, FUNCTION={:.17g}+{:.17g}*TIME\nEND\n", turn, speed);
  return t;
}

TEST(LinearMotion, BladeInTheAxesOfItsHub) {
  const double m = 2, r = 0.7, e = 0.3, A = 0.05, B = 0.2, C = 0.23, speed = 30;
  const double flap = speed * std::sqrt(((C - A) + m * r * (e + r)) / (B + m * r * r));
  const double lag = speed * std::sqrt(m * r * e / (C + m * r * r));
  for (const double turn : {0.0, 0.4, 2.1}) {
    Mechanism flapping(blade(turn, kZtoY, speed)), lagging(blade(turn, "", speed));
    ASSERT_TRUE(flapping.assembled.ok) << flapping.messages();
    ASSERT_TRUE(lagging.assembled.ok) << lagging.messages();
    const auto up = modes_of(flapping, 20), across = modes_of(lagging, 20);
    ASSERT_EQ(up.modes.size(), 1u);
    ASSERT_EQ(across.modes.size(), 1u);
    EXPECT_LT(std::abs(up.modes[0].value - kI * flap), 1e-9 * flap) << up.modes[0].value;
    EXPECT_LT(std::abs(across.modes[0].value - kI * lag), 1e-9 * lag) << across.modes[0].value;
    EXPECT_FALSE(warned(up));
    EXPECT_FALSE(warned(across));
    // In ground axes the flapping blade's turn is about another axis every moment; the lagging one's is about z.
    EXPECT_TRUE(warned(modes_of(flapping)));
    const auto ground = modes_of(lagging);
    EXPECT_FALSE(warned(ground) || told_to_turn(ground));
    EXPECT_LT(std::abs(ground.modes.at(0).value - kI * lag), 1e-9 * lag) << ground.modes.at(0).value;
  }
}

// A disc held by unlike springs in a driven frame, K = 1e4 and 4e4. In the axes of the frame
// λ⁴ + (a + b + 2Ω²) λ² + (a − Ω²)(b − Ω²) = 0, which grows for a < Ω² < b. In ground axes the stiffness turns: its eigenvalues are those
// of the springs at any moment, tell nothing, and are warned of. Like springs make no difference between the axes.
TEST(LinearMotion, UnlikeSpringsThatTurn) {
  const auto disc = [](double kx, double ky) {
    return fmt::format(
        "disc\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
        "PART/3, MASS=1, CM=30, IP=1,1,1, WZ=150\nMARKER/30, PART=3\nJOINT/1, REVOLUTE, I=20, J=1\n"
        "MOTION/1, JOINT=1, ROTATION, FUNCTION=150*TIME\n"
        "BUSHING/1, I=30, J=20, K={},{},1E5, C=0,0,0, KT=1E6,1E6,1E6, CT=0,0,0\nEND\n",
        kx, ky);
  };
  Mechanism unlike(disc(1e4, 4e4)), like(disc(2e4, 2e4));
  ASSERT_TRUE(unlike.assembled.ok) << unlike.messages();
  EXPECT_TRUE(told_to_turn(modes_of(unlike)));
  EXPECT_FALSE(told_to_turn(modes_of(like)));
  const auto turning = modes_of(unlike, 20);
  EXPECT_FALSE(warned(turning) || told_to_turn(turning));
  const double square = 150.0 * 150, a = 1e4, b = 4e4, half = (a + b + 2 * square) / 2;
  const double growth = std::sqrt(-half + std::sqrt(half * half - (a - square) * (b - square)));
  double fastest = 0;
  for (const auto& mode : turning.modes) fastest = std::max(fastest, mode.value.real());
  EXPECT_NEAR(fastest, growth, 1e-9 * growth);
}

// A pendulum on an axle that turns freely, in steady rotation: Routh's potential V = p²/2J(θ) − m g l cos θ, p = J Ω.
TEST(LinearMotion, PendulumOnAFreeAxle) {
  const double m = 1.2, l = 0.8, j = 0.05, axle = 0.3, g = 9.81, theta = 0.9;
  // Steady: p² J'/(2 J²) = m g l sin θ with J = axle + j + m l² sin² θ.
  const double s = std::sin(theta), c = std::cos(theta);
  const double J = axle + j + m * l * l * s * s, J1 = 2 * m * l * l * s * c,
               J2 = 2 * m * l * l * (c * c - s * s);
  const double spin = std::sqrt(2 * m * g * l * s / J1), p = J * spin;
  const double stiffness = p * p * (J1 * J1 / (J * J * J) - J2 / (2 * J * J)) + m * g * l * c;
  const double omega = std::sqrt(stiffness / (m * l * l + j));
  std::string t = "governor\nPART/1, GROUND\nMARKER/1, PART=1\n";
  t += fmt::format("PART/2, MASS=4, CM=20, IP={0},{0},{0}, REULER=0.3,0,0, WZ={1:.17g}\nMARKER/20, PART=2\n",
                   axle, spin);
  t += fmt::format("MARKER/21, PART=2{}\n", kZtoY);
  const double x = l * s * std::cos(0.3), y = l * s * std::sin(0.3);
  t += fmt::format(
      "PART/3, MASS={0}, CM=30, IP={1},{1},{1}, QG={2:.17g},{3:.17g},{4:.17g}, REULER=0.3,0,0, WZ={5:.17g}, "
      "VX={6:.17g}, VY={7:.17g}\n",
      m, j, x, y, -l * c, spin, -spin * y, spin * x);
  t += fmt::format("MARKER/30, PART=3\nMARKER/31, PART=3, QP={:.17g},0,{:.17g}{}\n", -l * s, l * c, kZtoY);
  t += "JOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, REVOLUTE, I=31, J=21\nACCGRAV/KGRAV=-9.81\nEND\n";
  Mechanism mech(t);
  ASSERT_TRUE(mech.assembled.ok) << mech.messages();
  const auto found = modes_of(mech, 20);
  EXPECT_FALSE(warned(found) || told_to_turn(found));
  ASSERT_EQ(found.modes.size(), 3u);  // the free turn twice
  EXPECT_LT(std::abs(found.modes[2].value - kI * omega), 1e-8 * omega) << found.modes[2].value << omega;
  EXPECT_LT(std::abs(found.modes[1].value), 1e-6);
}

// A disc rolling upright on a plane without slipping: s² = (m g r − Ω² C (C + m r²) / A) / (A + m r²), A about a diameter, C about its
// axis. Stable above Ω² = g/(3 r) for a disc, g/(4 r) for a hoop.
std::string rolling_disc(double A, double C, double spin) {
  const double r = 0.4;
  std::string t = "disc\nPART/1, GROUND\nMARKER/1, PART=1\n";
  // Its axis z along the ground's −y: rolling towards +x is a turn about +y, that is −spin about its own z.
  t += fmt::format("PART/2, MASS=3, CM=20, IP={0:.17g},{0:.17g},{1:.17g}, QG=0,0,{2}, REULER=0,90D,0", A, C,
                   r);
  if (spin != 0) t += fmt::format(", WY={:.17g}, VX={:.17g}", spin, spin * r);
  t += "\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=0,0,1\n";
  // n from two markers on the axis; the lowest point is at −r (z − (z·n) n)/|…| from the centre.
  const std::string nx = "DX(21,20)", ny = "DY(21,20)", nz = "DZ(21,20)", s = "SQRT(1-DZ(21,20)**2)";
  t += fmt::format("GCON/1, FUNCTION=DZ(20)-{}*{}\n", r, s);
  t += fmt::format("GCON/2, FUNCTION=VX(20)-{}/{}*(WY(20)-{}*(WY(20)*{}-WZ(20)*{}))\n", r, s, nz, nz, ny);
  t += fmt::format("GCON/3, FUNCTION=VY(20)-{}/{}*(-WX(20)-{}*(WZ(20)*{}-WX(20)*{}))\n", r, s, nz, nx, nz);
  return t + "ACCGRAV/KGRAV=-9.81\nEND\n";
}

TEST(LinearMotion, RollingDiscAndHoop) {
  const double m = 3, r = 0.4, g = 9.81;
  for (const bool hoop : {false, true}) {
    const double C = (hoop ? 1.0 : 0.5) * m * r * r, A = C / 2;
    const double critical = std::sqrt(g / ((hoop ? 4 : 3) * r));
    for (const double factor : {0.3, 0.98, 1.02, 4.0}) {
      const double spin = factor * critical;
      Mechanism mech(rolling_disc(A, C, spin));
      ASSERT_TRUE(mech.assembled.ok) << mech.messages();
      ASSERT_EQ(mech.assembled.freedoms, 3);  // of velocities: 6 less 1 position row and 2 velocity rows
      const auto found = modes_of(mech);
      EXPECT_FALSE(warned(found));
      const Complex s =
          std::sqrt(Complex((m * g * r - spin * spin * C * (C + m * r * r) / A) / (A + m * r * r)));
      EXPECT_TRUE(has_root(found, s, 1e-6)) << hoop << factor;
      double growth = 0;
      for (const analysis::Mode& mode : found.modes) growth = std::max(growth, mode.value.real());
      EXPECT_EQ(growth > 1e-3, factor < 1) << factor << " " << growth;
    }
  }
}

// --- the nonlinear equations

// Mechanisms in motion with all that the linear equations must bring in.
struct Moving {
  const char* name;
  std::string text;
  int rm = 0;
};

std::vector<Moving> moving_mechanisms() {
  std::vector<Moving> all;
  {
    // Two rods on ball and universal joints, a spring with a damper, a filtered force, tumbling.
    std::string t = "tumbling\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=1,2,-1\n";
    t +=
        "PART/2, MASS=2, CM=20, IP=0.3,0.2,0.1, QG=0.5,0.2,0.1, REULER=0.3,0.7,-0.4, WX=1.3, WY=-2, WZ=0.7\n";
    t += "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-0.4,0.1,-0.2\nMARKER/22, PART=2, QP=0.5,0,0.1, "
         "REULER=0.2,1,0\n";
    t += "PART/3, MASS=1, CM=30, IP=0.1,0.15,0.2, QG=1.3,0.1,0.4, REULER=1,0.2,0.5, WX=-1, WY=0.4, WZ=2.2\n";
    t += "MARKER/30, PART=3\nMARKER/31, PART=3, QP=-0.3,0.2,0, REULER=1.2,0.4,0.3\nMARKER/32, PART=3, "
         "QP=0.4,0,0\n";
    t += "JOINT/1, SPHERICAL, I=21, J=1\nJOINT/2, UNIVERSAL, I=31, J=22\n";
    t += "SPRINGDAMPER/1, TRANSLATION, I=32, J=2, K=40, C=3, LENGTH=1\n";
    t += "DIFF/1, IC=0.3, FUNCTION=-4*DIF(1)+VM(30,1)\nVARIABLE/1, FUNCTION=DIF(1)*DX(30,1)+WZ(20,1,1)\n";
    t += "SFORCE/1, ROTATION, ACTIONONLY, I=30, J=1, FUNCTION=-0.7*VARVAL(1)\nACCGRAV/KGRAV=-9.81\nEND\n";
    all.push_back({"tumbling rods", t});
    all.push_back({"tumbling rods in the axes of one of them", t, 22});
  }
  {
    // A slider-crank driven by a torque, and one more part on a guide that turns: TRANSLATIONAL, INPLANE, a DM constraint.
    std::string t = hanging_chain(2, 0.8, false) + on_part(2, 1, 0.9, 0.3, -0.5);
    t += "MARKER/33, PART=3, QP=0.1,0.1,0, REULER=0.4,1.1,0.2\nMARKER/34, PART=3, QP=0.1,0.1,0, "
         "REULER=0.4,1.1,0.2\n";
    t += "PART/5, MASS=0.4, CM=50, IP=0.02,0.03,0.01, QG=0.3,0,0.4\nMARKER/50, PART=5\nMARKER/51, PART=5\n";
    t += "GCON/1, FUNCTION=DM(50,2)-0.8\nGCON/2, FUNCTION=DX(50,34,34)+0.2*SIN(2*TIME)\n";
    t += "GCON/3, FUNCTION=VY(50,1)-0.3*WZ(50,1)*DX(50,1)-0.1*VZ(30,1)\n";
    all.push_back({"moving and velocity-level constraints", t + "END\n"});
    all.push_back({"the same in the axes of a part", t + "END\n", 33});
  }
  // These without velocities of their own: those given with a part are kept with such weight that what is nearest to them jumps.
  all.push_back({"rolling disc", rolling_disc(0.12, 0.24, 0)});
  all.push_back({"blade", blade(0.4, kZtoY, 3, false), 20});
  return all;
}

// Two consistent states near one another, on either side: how their difference changes must be A times it.
TEST(LinearMotion, AgainstTheNonlinearEquations) {
  for (const Moving& example : moving_mechanisms()) {
    SCOPED_TRACE(example.name);
    Mechanism m(example.text);
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const assembly::Layout& layout = m.system->layout();
    const int n = layout.size();
    std::mt19937_64 random(7);
    const auto uniform = [&](double size) {
      Eigen::VectorXd x(n);
      for (int i = 0; i < n; ++i) x[i] = size * (static_cast<double>(random() >> 11) * 0x1p-53 * 2 - 1);
      return x;
    };
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(n);
    analysis::AssemblyResult at = nearby(*m.system, m.assembled.state, none, uniform(0.5));
    ASSERT_TRUE(at.ok);
    analysis::LinearOptions options;
    if (example.rm > 0) options.frame.rm = *m.system->find_marker(example.rm);
    const auto linear = analysis::linearise(*m.system, at, options);
    ASSERT_TRUE(linear.ok) << linear.messages.front();
    EXPECT_TRUE(linear.messages.empty());
    EXPECT_TRUE(linear.moving);
    const Departure departure(*m.system, at.state, options.frame.rm);
    const auto& c = departure.c;
    const double h = 1e-5;
    for (int trial = 0; trial < 6; ++trial) {
      const Eigen::VectorXd dq = uniform(h), dv = uniform(h);
      const auto plus = nearby(*m.system, at.state, dq, dv), minus = nearby(*m.system, at.state, -dq, -dv);
      ASSERT_TRUE(plus.ok && minus.ok);
      const Eigen::VectorXd x = (departure.of(plus.state) - departure.of(minus.state)) / (2 * h);
      Eigen::VectorXd s, rate;
      read_states(layout, linear, x, s, rate);
      // Second order of the differences: h² times third derivatives, which are some 10⁴ here.
      const Eigen::VectorXd predicted = linear.A * s;
      EXPECT_LT((predicted - rate).norm(), 1e-6 * rate.norm()) << trial;
      // … and so must all that follows from the free coordinates.
      EXPECT_LT((linear.shape * s - c.E * x.head(n)).head(layout.mechanical_size()).norm(), 1e-6 * s.norm());
      EXPECT_LT((linear.speeds * s - c.E * x.segment(n, n) - c.E1 * x.head(n))
                    .head(layout.mechanical_size())
                    .norm(),
                1e-6 * s.norm());
    }
  }
}

// The inverse that large models and massless parts use finds the same eigenvalues about a moving state.
TEST(LinearMotion, SparseFindsTheSameModes) {
  for (const Moving& example : moving_mechanisms()) {
    SCOPED_TRACE(example.name);
    if (example.name == std::string("rolling disc")) continue;  // at rest
    Mechanism m(example.text);
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const auto dense = modes_of(m, example.rm);
    analysis::ModesOptions options;
    if (example.rm > 0) options.frame.rm = *m.system->find_marker(example.rm);
    options.dense_up_to = 0;
    options.count = 2;
    const auto sparse = analysis::modes(*m.system, m.assembled, options);
    ASSERT_TRUE(sparse.ok) << sparse.messages.front();
    EXPECT_TRUE(sparse.moving);
    double largest = 0;
    for (const analysis::Mode& mode : dense.modes) largest = std::max(largest, std::abs(mode.value));
    ASSERT_FALSE(sparse.modes.empty());
    // Multiple roots at zero are known to the square root of rounding.
    for (const analysis::Mode& mode : sparse.modes)
      EXPECT_TRUE(has_root(dense, mode.value, 1e-6 * largest)) << mode.value;
  }
}

TEST(LinearMotion, NoDampingKeepsTheGyroscopicForces) {
  Rotor rotor;
  std::string text = rotor.text();
  text.replace(text.find("C=0,0,0"), 7, "C=9,9,9");
  Mechanism mech(text);
  ASSERT_TRUE(mech.assembled.ok) << mech.messages();
  analysis::ModesOptions options;
  options.damping = false;
  const auto left_out = analysis::modes(*mech.system, mech.assembled, options);
  Mechanism undamped(rotor.text());
  const auto none = modes_of(undamped), damped = modes_of(mech);
  ASSERT_EQ(left_out.modes.size(), none.modes.size());
  for (const analysis::Mode& mode : none.modes) EXPECT_TRUE(has_root(left_out, mode.value, 1e-7));
  double decay = 0;
  for (const analysis::Mode& mode : damped.modes) decay = std::min(decay, mode.value.real());
  EXPECT_LT(decay, -0.1);
}

}  // namespace
}  // namespace trunnion::test
