#include "dynamics/mechanisms.hpp"

#include <cmath>

#include <fmt/format.h>

namespace trunnion::test {

namespace {

constexpr const char* kUnits = "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n";

struct Point {
  double x, y;
};

// A link lying in the plane: its frame at `from` with x towards `angle`; markers at local points.
std::string link(int id, double mass, double inertia, Point from, double angle, Point cm,
                 std::initializer_list<Point> points) {
  std::string text = fmt::format(
      "PART/{0}, MASS={1:.17g}, CM={0}9, IP={2:.17g},{2:.17g},{2:.17g}, QG={3:.17g},{4:.17g},0, "
      "REULER={5:.17g},0,0\n",
      id, mass, inertia, from.x, from.y, angle);
  text += fmt::format("MARKER/{0}9, PART={0}, QP={1:.17g},{2:.17g},0\n", id, cm.x, cm.y);
  int k = 1;
  for (const Point& p : points)
    text += fmt::format("MARKER/{0}{1}, PART={0}, QP={2:.17g},{3:.17g},0\n", id, k++, p.x, p.y);
  return text;
}

}  // namespace

std::string andrews(const std::string& integrator) { return andrews_at(-0.0617138900142764496, integrator); }

std::string andrews_at(double beta, const std::string& integrator) {
  const Point A{-0.06934, -0.00227}, B{-0.03635, 0.03273}, C{0.014, 0.072};
  const double theta = 0, delta = 0.487364979543842551, epsilon = 1.23054744454982119;
  const Point F{0.007 * std::cos(beta), 0.007 * std::sin(beta)};
  const Point E{F.x - 0.028 * std::cos(beta + theta), F.y - 0.028 * std::sin(beta + theta)};
  const Point G{A.x + 0.04 * std::cos(delta), A.y + 0.04 * std::sin(delta)};
  const Point H{A.x + 0.04 * std::sin(epsilon), A.y - 0.04 * std::cos(epsilon)};
  const auto angle = [](Point from, Point to) { return std::atan2(to.y - from.y, to.x - from.x); };
  std::string text = fmt::format("Andrews squeezer\n{}PART/1, GROUND\n", kUnits);
  text += "MARKER/1, PART=1\n";
  text += fmt::format("MARKER/2, PART=1, QP={:.17g},{:.17g},0\nMARKER/3, PART=1, QP={:.17g},{:.17g},0\n", A.x,
                      A.y, B.x, B.y);
  text += fmt::format("MARKER/4, PART=1, QP={:.17g},{:.17g},0\n", C.x, C.y);
  std::string crank = link(11, 0.04325, 2.194e-6, {0, 0}, beta, {0.00092, 0}, {{0, 0}, {0.007, 0}});
  text += crank.insert(crank.find(", CM="), ", EXACT=X:Y:PSI");
  text += link(12, 0.00365, 4.410e-7, E, angle(E, F), {0.0165, 0}, {{0, 0}, {0.028, 0}});
  text += link(13, 0.00706, 5.667e-7, H, angle(H, E), {0.00579, 0}, {{0, 0}, {0.02, 0}});
  text += link(14, 0.00706, 5.667e-7, G, angle(G, E), {0.00579, 0}, {{0, 0}, {0.02, 0}});
  text += link(15, 0.07050, 1.169e-5, A, angle(A, G), {0.02308, 0.00916}, {{0, 0}, {0.04, 0}});
  text += link(16, 0.05498, 1.912e-5, A, angle(A, H), {0.01228, -0.00449}, {{0, 0}, {0.04, 0}});
  text += link(17, 0.02373, 5.255e-6, E, angle(E, B) - M_PI / 2, {0.01043, 0.01626},
               {{0, 0}, {0, 0.035}, {0.02, 0.017}});
  const int joints[][2] = {{111, 1},   {122, 112}, {132, 121}, {142, 121}, {151, 2},
                           {141, 152}, {161, 2},   {131, 162}, {171, 121}, {172, 3}};
  int k = 0;
  for (const auto& j : joints) text += fmt::format("JOINT/{}, REVOLUTE, I={}, J={}\n", ++k, j[0], j[1]);
  text += "SPRINGDAMPER/1, TRANSLATION, I=173, J=4, K=4530, LENGTH=0.07785\n";
  text += "SFORCE/1, ROTATIONAL, ACTIONONLY, I=111, J=1, FUNCTION=0.033\n";
  text += "REQUEST/1, F2=AZ(111,1)\\F3=DX(112)\\F4=DY(112)\n";
  text += "REQUEST/2, F2=WZ(111)\\F3=WZ(121)\\F4=WZ(171)\n";
  return text + fmt::format("INTEGRATOR/{}\nEND\n", integrator);
}

std::string car_axis(const std::string& integrator) {
  const double mass = 0.01 * 0.01 * 10 / 2;  // of each end: ε² M / 2
  std::string text = fmt::format("car axis\n{}PART/1, GROUND\nMARKER/1, PART=1\n", kUnits);
  text += "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=1,0,0\n";
  text += "MARKER/22, PART=2, REULER=90D,90D,0D\n";  // z along the axle
  text += fmt::format(
      "PART/3, MASS={0:.17g}, CM=30, IP=1E-5,{1:.17g},{1:.17g}, QG=0.5,0.5,0, VX=-0.5\n"
      "MARKER/30, PART=3\nMARKER/31, PART=3, QP=-0.5,0,0\nMARKER/32, PART=3, QP=0.5,0,0\n",
      2 * mass, mass / 2);
  text += "JOINT/1, REVOLUTE, I=20, J=1\nMOTION/1, JOINT=1, ROTATION, FUNCTION=ASIN(0.1*SIN(10*TIME))\n";
  text += "JPRIM/1, INPLANE, I=31, J=22\n";
  text += "SPRINGDAMPER/1, TRANSLATION, I=31, J=1, K=1, LENGTH=0.5\n";
  text += "SPRINGDAMPER/2, TRANSLATION, I=32, J=21, K=1, LENGTH=0.5\n";
  text += "REQUEST/1, F2=DX(31)\\F3=DY(31)\\F4=DX(32)\\F6=DY(32)\n";
  text += "REQUEST/2, F2=VX(31)\\F3=VY(31)\\F4=VX(32)\\F6=VY(32)\n";
  return text + fmt::format("ACCGRAV/JGRAV=-1\nINTEGRATOR/{}\nEND\n", integrator);
}

const double kGovernorBallArm = (0.3 * 0.5 + 5) / 5.3;

std::string governor(const std::string& integrator) {
  const double c = kGovernorBallArm;
  const double I = 0.3 * (1 + 1e-4) / 12 + 0.3 * (c - 0.5) * (c - 0.5) + 5 * (1 - c) * (1 - c);
  const double axial = 0.3 * 2e-4 / 12;
  std::string text = fmt::format("flyball governor\n{}PART/1, GROUND\nMARKER/1, PART=1\n", kUnits);
  text += fmt::format("PART/2, MASS=0.3, CM=20, IP={0:.17g},{0:.17g},{1:.17g}, QG=0,0,0.5, WZ={2:.17g}\n",
                      0.3 * (1 + 1e-4) / 12, axial, 2 * M_PI);
  text += "MARKER/20, PART=2\nMARKER/21, PART=2, QP=0,0,-0.5\n";
  text += fmt::format("PART/3, MASS=3, CM=30, IP=0.005,0.005,0.005, QG=0,0,0.5, WZ={:.17g}\n", 2 * M_PI);
  text += "MARKER/30, PART=3\nMARKER/31, PART=3, QP=0.05,0,0\nMARKER/32, PART=3, QP=-0.05,0,0\n";
  text += "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, TRANSLATIONAL, I=30, J=20\n";
  for (int side : {0, 1}) {
    const int p = 4 + side;
    const double sign = side == 0 ? 1 : -1, down = M_PI / 6;
    // x of the rod along it; hinge axis y.
    text += fmt::format("MARKER/2{0}, PART=2, QP={1},0,0.5, REULER=0D,90D,0D\n", p, 0.05 * sign);
    text += fmt::format("PART/{0}, MASS=5.3, CM={0}0, IP={1:.17g},{2:.17g},{2:.17g}, WZ={3:.17g}\n", p, axial,
                        I, 2 * M_PI);
    const double x = sign * std::cos(down), z = -std::sin(down);
    const auto at = [&](double r) {
      return fmt::format("{:.17g},0,{:.17g}", 0.05 * sign + r * x, 1 + r * z);
    };
    // Axes of CM: x down the rod, z across the plane.
    const std::string axes = fmt::format("ZP={:.17g},1,{:.17g}, XP={:.17g},0,{:.17g}, USEXP",
                                         0.05 * sign + c * x, 1 + c * z, 0.05 * sign + 2 * x, 1 + 2 * z);
    text += fmt::format("MARKER/{0}0, PART={0}, QP={1}, {2}\n", p, at(c), axes);
    text += fmt::format("MARKER/{0}1, PART={0}, QP={1}, REULER=0D,90D,0D\nMARKER/{0}2, PART={0}, QP={2}\n", p,
                        at(0), at(0.5));
    text += fmt::format("JOINT/{}, REVOLUTE, I={}1, J=2{}\n", 3 + side, p, p);
    text += fmt::format("SPRINGDAMPER/{}, TRANSLATION, I={}2, J=3{}, K=8E5, C=4E4, LENGTH=0.5\n", side + 1, p,
                        side + 1);
  }
  return text + fmt::format("ACCGRAV/KGRAV=-9.81\nINTEGRATOR/{}\nEND\n", integrator);
}

std::string four_bars(int n, const std::string& integrator) {
  std::string text = fmt::format("{} windows\n{}PART/1, GROUND\n", n, kUnits);
  const double I = 1.0 / 12;
  int joint = 0;
  for (int k = 0; k <= n; ++k) {
    const int p = 10 + k;  // standing rods
    text += fmt::format("MARKER/{}, PART=1, QP={},0,0\n", 90000 + k, k);
    text += fmt::format("PART/{0}, MASS=1, CM={0}0, IP={1},1e-3,{1}, QG={2},0.5,0, WZ=-1\n", p, I, k);
    text += fmt::format(
        "MARKER/{0}0, PART={0}\nMARKER/{0}1, PART={0}, QP=0,-0.5,0\nMARKER/{0}2, PART={0}, QP=0,0.5,0\n", p);
    text += fmt::format("JOINT/{}, REVOLUTE, I={}1, J={}\n", ++joint, p, 90000 + k);
  }
  for (int k = 0; k < n; ++k) {
    const int p = 200 + k;  // the top row
    text += fmt::format("PART/{0}, MASS=1, CM={0}0, IP=1e-3,{1},{1}, QG={2},1,0, VX=1\n", p, I, k + 0.5);
    text += fmt::format(
        "MARKER/{0}0, PART={0}\nMARKER/{0}1, PART={0}, QP=-0.5,0,0\nMARKER/{0}2, PART={0}, QP=0.5,0,0\n", p);
    text += fmt::format("JOINT/{}, REVOLUTE, I={}1, J={}2\n", ++joint, p, 10 + k);
    text += fmt::format("JOINT/{}, REVOLUTE, I={}2, J={}2\n", ++joint, p, 11 + k);
  }
  return text + fmt::format("ACCGRAV/JGRAV=-9.81\nINTEGRATOR/{}\nEND\n", integrator);
}

std::string bricard(const std::string& integrator) {
  const double P[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const char* axis[6] = {"0D,90D,0D", "0D,0D,0D", "90D,90D,0D", "0D,90D,0D", "0D,0D,0D", "90D,90D,0D"};
  std::string text = fmt::format("Bricard\n{}PART/1, GROUND\n", kUnits);
  text +=
      fmt::format("MARKER/1, PART=1, REULER={}\nMARKER/6, PART=1, QP=0,0,1, REULER={}\n", axis[0], axis[5]);
  const double along = 2 * 0.01 / 12, across = 1.01 / 12;
  for (int k = 0; k < 5; ++k) {
    const int p = k + 2;
    double ip[3], c[3];
    for (int i = 0; i < 3; ++i) {
      ip[i] = P[k][i] != P[k + 1][i] ? along : across;
      c[i] = (P[k][i] + P[k + 1][i]) / 2;
    }
    text += fmt::format("PART/{0}, MASS=1, CM={0}0, IP={1},{2},{3}\nMARKER/{0}0, PART={0}, QP={4},{5},{6}\n",
                        p, ip[0], ip[1], ip[2], c[0], c[1], c[2]);
    for (int end : {0, 1})
      text += fmt::format("MARKER/{0}{1}, PART={0}, QP={2},{3},{4}, REULER={5}\n", p, end + 1, P[k + end][0],
                          P[k + end][1], P[k + end][2], axis[k + end]);
    text += fmt::format("JOINT/{}, REVOLUTE, I={}1, J={}\n", k + 1, p,
                        k == 0 ? std::string("1") : fmt::format("{}2", p - 1));
  }
  return text + fmt::format(
                    "JOINT/6, REVOLUTE, I=62, J=6\nREQUEST/1, F2=DX(32)\\F3=DY(32)\\F4=DZ(32)\n"
                    "ACCGRAV/JGRAV=-9.81\nINTEGRATOR/{}\nEND\n",
                    integrator);
}

double DeltaRobot::arm_angle(double rods) const {
  return std::acos((rod * std::cos(rods) + platform - base) / arm);
}
double DeltaRobot::height(double rods) const {
  return -arm * std::sin(arm_angle(rods)) - rod * std::sin(rods);
}

std::vector<double> DeltaRobot::heights(double step, int count) const {
  const double rod_inertia = rod_mass * rod * rod / 12;
  // Twice the kinetic energy over φ'², and the potential.
  const auto inertia = [&](double p) {
    const double th = arm_angle(p), turn = rod * std::sin(p) / (arm * std::sin(th));  // dθ/dφ
    const double down = -arm * std::cos(th) * turn, in = -arm * std::sin(th) * turn;  // of the elbow
    const double fall = down - rod * std::cos(p);
    const double middle = (down + fall) * (down + fall) / 4 + in * in / 4;
    return platform_mass * fall * fall + 3 * (arm_inertia + arm_mass * arm * arm / 4) * turn * turn +
           6 * (rod_mass * middle + rod_inertia);
  };
  const auto potential = [&](double p) {
    const double elbow = -arm * std::sin(arm_angle(p));
    return 9.81 * (platform_mass * height(p) + 1.5 * arm_mass * elbow + 3 * rod_mass * (elbow + height(p)));
  };
  const auto rate = [&](const auto& of, double p) {
    constexpr double kNear = 1e-4;
    return (8 * (of(p + kNear) - of(p - kNear)) - (of(p + 2 * kNear) - of(p - 2 * kNear))) / (12 * kNear);
  };
  struct Phase {
    double p, w;
  };
  const auto f = [&](Phase s) {
    return Phase{s.w, (-0.5 * rate(inertia, s.p) * s.w * s.w - rate(potential, s.p)) / inertia(s.p)};
  };
  const auto along = [](Phase s, double h, Phase d) { return Phase{s.p + h * d.p, s.w + h * d.w}; };
  constexpr int kParts = 100;
  const double h = step / kParts;
  Phase s{phi, 0};
  std::vector<double> all;
  for (int k = 0; k < count * kParts; ++k) {
    const Phase a = f(s), b = f(along(s, h / 2, a)), c = f(along(s, h / 2, b)), d = f(along(s, h, c));
    s = {s.p + h / 6 * (a.p + 2 * b.p + 2 * c.p + d.p), s.w + h / 6 * (a.w + 2 * b.w + 2 * c.w + d.w)};
    if ((k + 1) % kParts == 0) all.push_back(height(s.p));
  }
  return all;
}

std::string delta_robot(const DeltaRobot& d, const std::string& integrator) {
  const double th = d.arm_angle(d.phi), elbow = d.base + d.arm * std::cos(th), low = -d.arm * std::sin(th),
               z = d.height(d.phi), I = d.rod_mass * d.rod * d.rod / 12;
  std::string text = fmt::format("delta robot\n{}PART/1, GROUND\n", kUnits);
  text += fmt::format("PART/2, MASS={}, CM=20, IP=1E-3,1E-3,2E-3, QG=0,0,{:.17g}\nMARKER/20, PART=2\n",
                      d.platform_mass, z);
  int joint = 0;
  for (int i = 0; i < 3; ++i) {
    const double turned = 2 * M_PI * i / 3, c = std::cos(turned), s = std::sin(turned);
    const auto at = [&](double out, double across, double up) {
      return fmt::format("{:.17g},{:.17g},{:.17g}", out * c - across * s, out * s + across * c, up);
    };
    const int arm = 11 + 3 * i;
    const std::string hinge =
        fmt::format("QP={}, ZP={}, XP={}", at(d.base, 0, 0), at(d.base, 1, 0), at(d.base + 1, 0, 0));
    text += fmt::format("MARKER/{}, PART=1, {}\n", 900 + i, hinge);
    text += fmt::format("PART/{0}, MASS={1}, CM={0}0, IP={2},{2},1E-4\n", arm, d.arm_mass, d.arm_inertia);
    const double out = (d.base + elbow) / 2;
    text += fmt::format("MARKER/{0}0, PART={0}, QP={1}, ZP={2}, XP={3}\nMARKER/{0}1, PART={0}, {4}\n", arm,
                        at(out, 0, low / 2), at(elbow, 0, low), at(out, 1, low / 2), hinge);
    text += fmt::format("JOINT/{}, REVOLUTE, I={}1, J={}\n", ++joint, arm, 900 + i);
    for (int k = 0; k < 2; ++k) {
      const int rod = arm + 1 + k, below = 920 + 2 * i + k;
      const double y = (k - 0.5) * d.apart, middle = (elbow + d.platform) / 2, up = (low + z) / 2;
      text += fmt::format("MARKER/{0}{1}, PART={0}, QP={2}\n", arm, 2 + k, at(elbow, y, low));
      text += fmt::format("MARKER/{}, PART=2, QP={}\n", below, at(d.platform, y, 0));
      text += fmt::format("PART/{0}, MASS={1}, CM={0}0, IP={2:.17g},{2:.17g},1E-5\n", rod, d.rod_mass, I);
      text += fmt::format(
          "MARKER/{0}0, PART={0}, QP={1}, ZP={2}, XP={3}\nMARKER/{0}1, PART={0}, QP={4}\nMARKER/{0}2, "
          "PART={0}, QP={2}\n",
          rod, at(middle, y, up), at(d.platform, y, z), at(middle, y + 1, up), at(elbow, y, low));
      text += fmt::format("JOINT/{}, SPHERICAL, I={}1, J={}{}\n", ++joint, rod, arm, 2 + k);
      text += fmt::format("JOINT/{}, SPHERICAL, I={}2, J={}\n", ++joint, rod, below);
    }
  }
  return text + fmt::format("ACCGRAV/KGRAV=-9.81\nINTEGRATOR/{}\nEND\n", integrator);
}

std::string simple_pendulum(const std::string& integrator) {
  return fmt::format(R"(simple pendulum
{}PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=1, CM=20, QG=-1,0,0
MARKER/20, PART=2
MARKER/21, PART=2, QP=1,0,0
JOINT/1, REVOLUTE, I=21, J=1
ACCGRAV/JGRAV=-9.81
INTEGRATOR/{}
END
)",
                     kUnits, integrator);
}

std::string heavy_top(const std::string& integrator) {
  return fmt::format(R"(heavy top
{}PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=15, CM=20, IP=0.234375,0.46875,0.234375, QG=0,1,0, WY=150, WZ=-4.61538
MARKER/20, PART=2
MARKER/21, PART=2, QP=0,-1,0
JOINT/1, SPHERICAL, I=21, J=1
ACCGRAV/KGRAV=-9.81
INTEGRATOR/{}
END
)",
                     kUnits, integrator);
}

}  // namespace trunnion::test
