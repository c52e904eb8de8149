// Mechanisms driven through their range against closed forms: positions, rates, accelerations, reactions.

#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <gmock/gmock.h>

#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"

namespace trunnion::test {
namespace {

using Eigen::Vector2d;
using std::numbers::pi;

analysis::KinematicResult move(Mechanism& m, double end, int steps,
                               const std::function<void(const assembly::State&)>& at) {
  std::vector<double> times;
  for (int k = 1; k <= steps; ++k) times.push_back(end * k / steps);
  return analysis::kinematics(*m.system, m.assembled, times, {}, at);
}

std::string lines(const analysis::KinematicResult& result) {
  std::string out;
  for (const std::string& line : result.messages) out += line + "\n";
  return out;
}

// An angle with its rates, and the direction it gives.
struct Angle {
  double value = 0, rate = 0, acceleration = 0;
  Vector2d along() const { return {std::cos(value), std::sin(value)}; }
  Vector2d across() const { return {-std::sin(value), std::cos(value)}; }
};

// Crank a, coupler b, rocker c on ground pins (0, 0) and (d, 0).
struct FourBar {
  double a = 1, b = 3, c = 2.5, d = 3.5;

  void solve(const Angle& crank, Angle& coupler, Angle& rocker) const {
    const Vector2d pin = a * crank.along(), to = Vector2d(d, 0) - pin;
    const double f = to.norm();
    coupler.value = std::atan2(to.y(), to.x()) + std::acos((b * b + f * f - c * c) / (2 * b * f));
    const Vector2d end = pin + b * coupler.along() - Vector2d(d, 0);
    rocker.value = std::atan2(end.y(), end.x());
    // The loop, differentiated once and twice.
    Eigen::Matrix2d A;
    A.col(0) = b * coupler.across();
    A.col(1) = -c * rocker.across();
    const Vector2d rates = A.inverse() * (-a * crank.rate * crank.across());
    coupler.rate = rates[0];
    rocker.rate = rates[1];
    const auto centripetal = [](double r, const Angle& angle) -> Vector2d {
      return -r * angle.rate * angle.rate * angle.along();
    };
    const Vector2d known = a * crank.acceleration * crank.across() + centripetal(a, crank) +
                           centripetal(b, coupler) - centripetal(c, rocker);
    const Vector2d accelerations = A.inverse() * -known;
    coupler.acceleration = accelerations[0];
    rocker.acceleration = accelerations[1];
  }
};

TEST(ClosedForm, FourBarThroughOneTurn) {
  const FourBar bar;
  const double start = 0.3, omega = 2 * pi, g = 9.81;
  const double mass[3] = {1, 2, 1.5}, inertia[3] = {0.1, 0.8, 0.4};
  Angle crank{start, omega, 0}, coupler, rocker;
  bar.solve(crank, coupler, rocker);
  const auto centre = [&](int k) -> Vector2d {
    if (k == 0) return bar.a / 2 * crank.along();
    if (k == 1) return bar.a * crank.along() + bar.b / 2 * coupler.along();
    return Vector2d(bar.d, 0) + bar.c / 2 * rocker.along();
  };
  Planar text;
  text.marker(1, 1, 0, 0).marker(2, 1, bar.d, 0);
  const double length[3] = {bar.a, bar.b, bar.c};
  const Angle* angles[3] = {&crank, &coupler, &rocker};
  for (int k = 0; k < 3; ++k) {
    const int id = k + 2;
    text.part(id, mass[k], inertia[k], centre(k).x(), centre(k).y(), angles[k]->value);
    text.marker(10 * id + 1, id, -length[k] / 2, 0).marker(10 * id + 2, id, length[k] / 2, 0);
  }
  text.revolute(1, 21, 1).revolute(2, 31, 22).revolute(3, 32, 42).revolute(4, 41, 2);
  text.line("MOTION/1, JOINT=1, FUNCTION=0.3+360D*TIME").line("ACCGRAV/JGRAV=-9.81");
  Mechanism m(text.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_EQ(m.assembled.freedoms, 0);
  EXPECT_EQ(m.assembled.redundant.size(), 3u);  // a plane mechanism on hinges in space

  int frames = 0;
  const auto result = move(m, 1.0, 72, [&](const assembly::State& state) {
    ++frames;
    const auto got = m.sample(state);
    crank.value = start + omega * state.t;
    bar.solve(crank, coupler, rocker);
    // Mass centres with their rates.
    const auto rate = [](double r, const Angle& x) -> Vector2d { return r * x.rate * x.across(); };
    const auto acceleration = [](double r, const Angle& x) -> Vector2d {
      return r * x.acceleration * x.across() - r * x.rate * x.rate * x.along();
    };
    const Vector2d v[3] = {rate(bar.a / 2, crank), rate(bar.a, crank) + rate(bar.b / 2, coupler),
                           rate(bar.c / 2, rocker)};
    const Vector2d a[3] = {acceleration(bar.a / 2, crank),
                           acceleration(bar.a, crank) + acceleration(bar.b / 2, coupler),
                           acceleration(bar.c / 2, rocker)};
    double power = 0;
    for (int k = 0; k < 3; ++k) {
      const std::string part = fmt::format("PART/{}.", k + 2);
      const auto at = [&](const char* name) { return got.at(part + name); };
      EXPECT_NEAR(at("X"), centre(k).x(), 1e-10);
      EXPECT_NEAR(at("Y"), centre(k).y(), 1e-10);
      EXPECT_NEAR(at("VX"), v[k].x(), 1e-10 * omega);
      EXPECT_NEAR(at("VY"), v[k].y(), 1e-10 * omega);
      EXPECT_NEAR(at("WZ"), angles[k]->rate, 1e-10 * omega);
      EXPECT_NEAR(at("ACCX"), a[k].x(), 1e-10 * omega * omega);
      EXPECT_NEAR(at("ACCY"), a[k].y(), 1e-10 * omega * omega);
      EXPECT_NEAR(at("WDZ"), angles[k]->acceleration, 1e-10 * omega * omega);
      power +=
          mass[k] * v[k].dot(a[k] + Vector2d(0, g)) + inertia[k] * angles[k]->rate * angles[k]->acceleration;
    }
    // What the drive puts in is what masses and weights take up. The scale is that of m a r.
    EXPECT_NEAR(got.at("MOTION/1.TZ"), power / omega, 1e-10 * 10 * omega * omega);
  });
  EXPECT_TRUE(result.ok) << lines(result);
  EXPECT_EQ(frames, 72);
  EXPECT_TRUE(result.messages.empty()) << lines(result);
}

// The primer's §7.4: x − R₁ = C sin αt of the mass centre of a pendulum on a pin at R₁ = 4.
TEST(ClosedForm, KinematicPendulumOfThePrimer) {
  const double l = 1, C = 0.5, alpha = 3, mass = 2, inertia = 0.3, g = 9.81;
  Planar text;
  text.marker(1, 1, 4, 0).part(2, mass, inertia, 4, -l).marker(21, 2, 0, l).revolute(1, 21, 1);
  text.line("MOTION/1, X, I=20, J=1, FUNCTION=0.5*SIN(3*TIME)").line("ACCGRAV/JGRAV=-9.81");
  Mechanism m(text.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  ASSERT_EQ(m.assembled.freedoms, 0);
  const auto result = move(m, 2.2, 44, [&](const assembly::State& state) {
    const auto got = m.sample(state);
    const double x = C * std::sin(alpha * state.t), dx = C * alpha * std::cos(alpha * state.t);
    const double ddx = -alpha * alpha * x;
    const double y = -std::sqrt(l * l - x * x);
    // x = l sin θ from the vertical.
    const double theta = std::asin(x / l), dtheta = dx / (l * std::cos(theta));
    const double ddtheta = (ddx + l * std::sin(theta) * dtheta * dtheta) / (l * std::cos(theta));
    EXPECT_NEAR(got.at("PART/2.X"), 4 + x, 1e-10);
    EXPECT_NEAR(got.at("PART/2.Y"), y, 1e-10);
    EXPECT_NEAR(got.at("PART/2.WZ"), dtheta, 1e-10);
    EXPECT_NEAR(got.at("PART/2.WDZ"), ddtheta, 1e-9);
    // Moments about the pin: (I + m l²) θ̈ = −y F − m g x.
    const double force = -((inertia + mass * l * l) * ddtheta + mass * g * x) / y;
    EXPECT_NEAR(got.at("MOTION/1.FX"), force, 1e-8);
    EXPECT_NEAR(got.at("JOINT/1.FX"), mass * ddx - force, 1e-8);
  });
  EXPECT_TRUE(result.ok) << lines(result);
}

// Six legs between a base of radius 2 and a platform of radius 1 that rises as z and turns about z as ψ.
TEST(ClosedForm, StewartPlatform) {
  const double R = 2, r = 1, z0 = 1.5;
  using math::Vec3;
  std::string text = "stewart\nPART/1, GROUND\n";
  const auto point = [](const Vec3& p) {
    return fmt::format("{:.17g},{:.17g},{:.17g}", p.x(), p.y(), p.z());
  };
  text += fmt::format("PART/2, MASS=5, CM=20, IP=1,1,2, QG=0,0,{0}\nMARKER/20, PART=2\n", z0);
  for (int k = 0; k < 6; ++k) {
    const double at_base = (k / 2) * 2 * pi / 3 + (k % 2 ? 0.25 : -0.25);
    const double at_top = (k / 2) * 2 * pi / 3 + (k % 2 ? pi / 3 - 0.25 : -pi / 3 + 0.25);
    const Vec3 B(R * std::cos(at_base), R * std::sin(at_base), 0);
    const Vec3 P(r * std::cos(at_top), r * std::sin(at_top), z0);
    const Vec3 u = (P - B).normalized(), arm = u.cross(Vec3::UnitZ()).normalized(), other = u.cross(arm);
    const int tube = 10 + 2 * k, rod = tube + 1, id = 1000 + 20 * k;
    // Bodies share the ground's frame, so that points are what they are in space.
    text += fmt::format("MARKER/{}, PART=1, QP={}, ZP={}\n", id, point(B), point(B + arm));
    text += fmt::format("PART/{0}, MASS=1, CM={1}, IP=0.1,0.1,0.1\nMARKER/{1}, PART={0}, QP={2}\n", tube,
                        id + 1, point(B + 0.3 * u));
    text += fmt::format("MARKER/{}, PART={}, QP={}, ZP={}\n", id + 2, tube, point(B), point(B + other));
    text += fmt::format("MARKER/{}, PART={}, QP={}, ZP={}, XP={}\n", id + 3, tube, point(B), point(B + u),
                        point(B + arm));
    text += fmt::format("PART/{0}, MASS=1, CM={1}, IP=0.1,0.1,0.1\nMARKER/{1}, PART={0}, QP={2}\n", rod,
                        id + 5, point(P - 0.3 * u));
    text += fmt::format("MARKER/{}, PART={}, QP={}, ZP={}, XP={}\n", id + 6, rod, point(P), point(P + u),
                        point(P + arm));
    text += fmt::format("MARKER/{}, PART=2, QP={}\n", id + 7, point(P - Vec3(0, 0, z0)));
    text += fmt::format("JOINT/{}, UNIVERSAL, I={}, J={}\n", 100 + k, id + 2, id);
    text += fmt::format("JOINT/{}, TRANSLATIONAL, I={}, J={}\n", 200 + k, id + 6, id + 3);
    text += fmt::format("JOINT/{}, SPHERICAL, I={}, J={}\n", 300 + k, id + 6, id + 7);
    text += fmt::format(
        "MOTION/{}, JOINT={}, FUNCTION=SQRT({:.17g}-{:.17g}*COS({:.17g}+0.3*SIN(2*TIME))\n"
        ",+(1.5+0.2*SIN(TIME))**2)\n",
        400 + k, 200 + k, R * R + r * r, 2 * R * r, at_top - at_base);
  }
  Mechanism m(text + "ACCGRAV/KGRAV=-9.81\nEND\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  ASSERT_EQ(m.assembled.freedoms, 0);
  EXPECT_TRUE(m.assembled.redundant.empty());
  const auto result = move(m, 4, 40, [&](const assembly::State& state) {
    const auto got = m.sample(state);
    const double t = state.t;
    EXPECT_NEAR(got.at("PART/2.X"), 0, 1e-9);
    EXPECT_NEAR(got.at("PART/2.Y"), 0, 1e-9);
    EXPECT_NEAR(got.at("PART/2.Z"), z0 + 0.2 * std::sin(t), 1e-9);
    EXPECT_NEAR(got.at("PART/2.VZ"), 0.2 * std::cos(t), 1e-9);
    EXPECT_NEAR(got.at("PART/2.ACCZ"), -0.2 * std::sin(t), 1e-8);
    EXPECT_NEAR(std::sin(got.at("PART/2.PSI") + got.at("PART/2.PHI")), std::sin(0.3 * std::sin(2 * t)), 1e-9);
    EXPECT_NEAR(got.at("PART/2.WZ"), 0.6 * std::cos(2 * t), 1e-9);
    EXPECT_NEAR(got.at("PART/2.WDZ"), -1.2 * std::sin(2 * t), 1e-8);
  });
  EXPECT_TRUE(result.ok) << lines(result);
}

// The pin of a crank runs in the straight slot of a Geneva wheel: tan θ = r sin φ / (d − r cos φ).
TEST(ClosedForm, GenevaSlotByPointOnCurve) {
  const double d = 2, r = 1, omega = 1.5, start = -1.0, mass_inertia = 0.7;
  const auto wheel = [&](double phi) { return -std::atan2(r * std::sin(phi), d - r * std::cos(phi)); };
  Planar text;
  text.marker(1, 1, 0, 0).marker(2, 1, d, 0);
  text.part(2, 0, 0, 0, 0, start).marker(21, 2, r, 0);
  text.part(3, 1, mass_inertia, d, 0, wheel(start));
  text.line("MARKER/39, PART=3, FLOATING").line("CURVE/1, MATRIX=1, CURVE_POINTS, ORDER=4");
  text.line("MATRIX/1, FULL=RORDER, ROWS=5, COLUMNS=3, VALUES=-2,0,0, -1.5,0,0, -1,0,0, -0.5,0,0, 0,0,0");
  text.revolute(1, 20, 1).revolute(2, 30, 2);
  text.line("PTCV/1, I=21, JFLOAT=39, CURVE=1, RM=30").line("MOTION/1, JOINT=1, FUNCTION=-1.0+1.5*TIME");
  Mechanism m(text.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  ASSERT_EQ(m.assembled.freedoms, 0);
  const auto result = move(m, 1.3, 26, [&](const assembly::State& state) {
    const auto got = m.sample(state);
    const double phi = start + omega * state.t, c = std::cos(phi), s = std::sin(phi);
    const double n = d * d + r * r - 2 * d * r * c;
    const double rate = -(r * (d * c - r)) / n;
    const double second = (r * d * s * (d * d - r * r)) / (n * n);
    EXPECT_NEAR(got.at("PART/3.WZ"), rate * omega, 1e-9);
    EXPECT_NEAR(got.at("PART/3.WDZ"), second * omega * omega, 1e-8);
    EXPECT_NEAR(std::sin(got.at("PART/3.PSI") + got.at("PART/3.PHI")), std::sin(wheel(phi)), 1e-10);
    // A slot without friction pushes across itself: the drive's power turns the wheel.
    const double torque = mass_inertia * second * omega * omega;
    EXPECT_NEAR(got.at("MOTION/1.TZ"), torque * rate, 1e-8);
    const double force = std::hypot(got.at("PTCV/1.FX"), got.at("PTCV/1.FY"));
    EXPECT_NEAR(force, std::abs(torque) / std::sqrt(n), 1e-8);
  });
  EXPECT_TRUE(result.ok) << lines(result);
}

// Sun of radius 1, planet 1/2, fixed ring 2 (Willis): the sun turns three times as fast as the carrier.
TEST(ClosedForm, PlanetaryGearTrain) {
  Planar text;
  text.marker(1, 1, 0, 0);
  text.part(2, 1, 0.5, 0, 0)
      .marker(22, 2, 1, 0, kZtoY)
      .marker(23, 2, 2, 0, kZtoY)
      .marker(24, 2, 1.5, 0);                           // carrier
  text.part(3, 1, 0.4, 0, 0).part(4, 0, 0.01, 1.5, 0);  // sun, planet
  text.revolute(1, 1, 20).revolute(2, 30, 20).revolute(3, 40, 24);
  text.line("GEAR/1, JOINTS=2,3, CV=22").line("GEAR/2, JOINTS=3,1, CV=23");
  text.line("MOTION/1, I=20, J=1, B3, FUNCTION=0.4*TIME**2").line("REQUEST/1, F2=AZ(30,1)\\F3=AZ(40,1)");
  Mechanism m(text.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  ASSERT_EQ(m.assembled.freedoms, 0);
  const auto result = move(m, 2.5, 25, [&](const assembly::State& state) {
    const auto got = m.sample(state);
    const double rate = 0.8 * state.t;
    EXPECT_NEAR(got.at("PART/2.WZ"), rate, 1e-10);
    EXPECT_NEAR(got.at("PART/3.WZ"), 3 * rate, 1e-9);
    EXPECT_NEAR(got.at("PART/4.WZ"), -3 * rate, 1e-9);
    EXPECT_NEAR(got.at("REQUEST/1.F2"), 1.2 * state.t * state.t, 1e-8);
    // Power: T ω_c = Σ J ω α; the planet has no mass, its mass centre goes round with the carrier for nothing.
    EXPECT_NEAR(got.at("MOTION/1.TZ"), 0.8 * (0.5 + 9 * 0.4 + 9 * 0.01), 1e-8);
    // The sun is turned by its gear alone.
    EXPECT_NEAR(got.at("GEAR/1.TZ"), 0.4 * 3 * 0.8, 1e-8);
  });
  EXPECT_TRUE(result.ok) << lines(result);
}

// A spindle of pitch p pushes a rack, the rack turns a pinion of radius ρ: x = p φ/2π, |θ| = x/ρ.
TEST(ClosedForm, ScrewRackAndPinion) {
  const double pitch = 0.5, rho = 0.25;
  std::string text = "screw\nPART/1, GROUND\n";
  text += "MARKER/1, PART=1, QP=0,0,0, REULER=90D,90D,0D\nMARKER/2, PART=1, QP=1,0.25,0\n";
  text += "PART/2, MASS=1, CM=20, IP=0.2,0.2,0.2\nMARKER/20, PART=2, REULER=90D,90D,0D\n";  // spindle along x
  text += "PART/3, MASS=2, CM=30, IP=0.2,0.2,0.2\nMARKER/30, PART=3, REULER=90D,90D,0D\n";  // rack
  text += "MARKER/31, PART=3, QP=1,0,0, REULER=90D,90D,0D\n";
  text += "PART/4, MASS=1, CM=40, IP=0.3,0.3,0.3, QG=1,0.25,0\nMARKER/40, PART=4\n";  // pinion above it
  text += "JOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, TRANSLATIONAL, I=30, J=1\nJOINT/3, REVOLUTE, I=40, J=2\n";
  text += "JOINT/4, SCREW, I=30, J=20, PITCH=0.5\nJOINT/5, RACKPIN, I=40, J=31, PD=0.5\n";
  text += "MOTION/1, JOINT=1, FUNCTION=3*TIME**2\nEND\n";
  Mechanism m(text);
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  ASSERT_EQ(m.assembled.freedoms, 0);
  const auto result = move(m, 2.0, 40, [&](const assembly::State& state) {
    const auto got = m.sample(state);
    const double phi = 3 * state.t * state.t, rate = 6 * state.t;
    // Right-handed: the nut does not turn, so relative to the spindle it turns by −φ and goes along −x.
    const double lead = -pitch / (2 * pi);
    EXPECT_NEAR(got.at("PART/3.X"), lead * phi, 1e-9);
    EXPECT_NEAR(got.at("PART/3.VX"), lead * rate, 1e-9);
    // The pinion rolls on the rack below it.
    EXPECT_NEAR(got.at("PART/4.WZ"), lead * rate / rho, 1e-9);
    EXPECT_NEAR(got.at("PART/4.WDZ"), lead * 6 / rho, 1e-8);
    const double torque = 6 * (0.2 + 2 * lead * lead + 0.3 * lead * lead / (rho * rho));
    EXPECT_NEAR(got.at("MOTION/1.TX"), torque, 1e-8);
    EXPECT_NEAR(std::abs(got.at("JOINT/5.TZ")), std::abs(0.3 * lead * 6 / rho), 1e-8);
  });
  EXPECT_TRUE(result.ok) << lines(result);
}

}  // namespace
}  // namespace trunnion::test
