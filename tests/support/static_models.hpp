#pragma once
// Mechanisms whose equilibria are sought from far away, and where to start them; for tests and bench/statics.

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/initial/initial_conditions.hpp"
#include "system/system.hpp"

namespace trunnion::test {

inline std::string rigid_part(int id, double mass, double inertia, double x, double y, double z,
                              const std::string& turn = "") {
  return fmt::format(
      "PART/{0}, MASS={1:.17g}, CM={2}, IP={3:.17g},{3:.17g},{3:.17g}, QG={4:.17g},{5:.17g},{6:.17g}{7}\n"
      "MARKER/{2}, PART={0}\n",
      id, mass, 10 * id, inertia, x, y, z, turn);
}
inline std::string on_part(int id, int part, double x, double y, double z, const std::string& more = "") {
  return fmt::format("MARKER/{}, PART={}, QP={:.17g},{:.17g},{:.17g}{}\n", id, part, x, y, z, more);
}

// A body on four wheels; each wheel moves along the body's z on a spring, its tyre is a force that only pushes, from the ground.
// A soft bushing keeps it from sliding away.
struct CarModel {
  double mass = 1200, wheel = 30, g = 9.81;
  double spring = 25000, free = 0.5, tyre = 200000, radius = 0.3,
         drop = 0.2;  // drop: wheel guide below the body

  // Height of the body's mass centre above the road at rest.
  double height() const {
    const double carried = (mass / 4 + wheel) * g;  // by a tyre
    const double axle = radius - carried / tyre;    // of the wheel centre above the road
    return axle + free -
           mass / 4 * g / spring;  // spring from wheel up to the body's guide at its mass centre's height
  }
  std::string text(double lifted, double roll) const {
    std::string t = "car\nPART/1, GROUND\nMARKER/1, PART=1\n";
    const double z = radius + free + lifted;
    const std::string turn = fmt::format(", REULER=0,{:.17g},0", roll);  // about x
    t += rigid_part(2, mass, 600, 0, 0, z, turn);
    const double c = std::cos(roll), s = std::sin(roll);
    for (int k = 0; k < 4; ++k) {
      const double x = k < 2 ? 1.3 : -1.3, y = k % 2 ? 0.75 : -0.75, down = -free;
      const int id = 3 + k;
      t += on_part(100 + k, 2, x, y, 0);
      t += rigid_part(id, wheel, 1, x, c * y - s * down, z + s * y + c * down, turn);
      t += on_part(200 + k, id, 0, 0, 0);
      t += fmt::format("JOINT/{0}, TRANSLATIONAL, I={1}, J={2}\n", id, 200 + k, 100 + k);
      t += fmt::format("SPRINGDAMPER/{0}, TRANSLATION, I={1}, J={2}, K={3}, C=1500, LENGTH={4}\n", id,
                       200 + k, 100 + k, spring, free);
      t += fmt::format("MARKER/{}, PART=1, FLOATING\n", 300 + k);
      t += fmt::format("VFORCE/{0}, I={1}, JFLOAT={2}, RM=1, FX=0\\FY=0\\FZ={3}*MAX(0,{4}-DZ({1},1))\n", id,
                       200 + k, 300 + k, tyre, radius);
    }
    return t + "ACCGRAV/KGRAV=-9.81\nEND\n";
  }
};

struct StaticModel {
  std::string name;
  std::string text;
  double length = 1;
};

// Rods on spherical joints from the ground on, hanging under gravity.
inline std::string hanging_chain(int links, double length, bool level = true) {
  std::string t = "chain\nPART/1, GROUND\nMARKER/1, PART=1\n";
  double x = 0, z = 0;
  for (int k = 0; k < links; ++k) {
    const int id = k + 2;
    const double up = level ? 0.0 : 0.3 * std::sin(1.7 * k);
    const double dx = length * std::cos(up), dz = length * std::sin(up);
    t += rigid_part(id, 1, length * length / 12, x + dx / 2, 0, z + dz / 2,
                    fmt::format(", REULER=90D,{:.17g},-90D", -up));
    t += on_part(10 * id + 1, id, -length / 2, 0, 0) + on_part(10 * id + 2, id, length / 2, 0, 0);
    t += fmt::format("JOINT/{}, SPHERICAL, I={}, J={}\n", id, 10 * id + 1, k == 0 ? 1 : 10 * (id - 1) + 2);
    x += dx;
    z += dz;
  }
  return t + "ACCGRAV/KGRAV=-9.81\n";
}

// Rods on hinges about y, hanging straight down: small motions are those of a hanging chain, ω_k → j₀ₖ/2 √(g/L), j₀ₖ the zeros of J₀.
inline std::string plumb_chain(int links, double length) {
  const std::string y_axis = ", REULER=180D,90D,180D";
  std::string t = "chain\nPART/1, GROUND\n" + on_part(1, 1, 0, 0, 0, y_axis);
  for (int k = 0; k < links; ++k) {
    const int id = k + 2;
    t += rigid_part(id, length, length * length * length / 12, 0, 0, -(k + 0.5) * length);
    t += on_part(10 * id + 1, id, 0, 0, length / 2, y_axis) +
         on_part(10 * id + 2, id, 0, 0, -length / 2, y_axis);
    t += fmt::format("JOINT/{}, REVOLUTE, I={}, J={}\n", id, 10 * id + 1, k == 0 ? 1 : 10 * (id - 1) + 2);
  }
  return t + "ACCGRAV/KGRAV=-9.81\nEND\n";
}

// Two rods with hinges and springs on a table, pushed along the second by a force that follows it: Ziegler's column. Unit stiffness
// and length, masses 2 and 1 at the ends of the rods, hardly any inertia of their own.
inline std::string ziegler(double load) {
  std::string t = "column\nPART/1, GROUND\nMARKER/1, PART=1\n";
  t += rigid_part(2, 2, 1e-9, 1, 0, 0) + rigid_part(3, 1, 1e-9, 2, 0, 0);
  t += on_part(21, 2, -1, 0, 0) + on_part(22, 2, 0, 0, 0) + on_part(31, 3, -1, 0, 0);
  t += on_part(32, 3, 0, 0, 0);
  t += "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22\n";
  t += "SPRINGDAMPER/1, ROTATION, I=21, J=1, KT=1, CT=0, ANGLE=0\n";
  t += "SPRINGDAMPER/2, ROTATION, I=31, J=22, KT=1, CT=0, ANGLE=0\n";
  t += "MARKER/99, PART=1, FLOATING\n";
  t += fmt::format("VFORCE/1, I=32, JFLOAT=99, RM=32, FX=-{:.17g}\\FY=0\\FZ=0\n", load);
  return t + "END\n";
}

inline std::vector<StaticModel> static_models() {
  std::vector<StaticModel> all;
  all.push_back({"chain of 8 rods", hanging_chain(8, 0.5) + "END\n", 4});
  // A rod on a ball joint, held by a spring to a point above.
  {
    std::string t = hanging_chain(1, 1.0) + on_part(2, 1, 1, 0.5, 1);
    t += "SPRINGDAMPER/1, TRANSLATION, I=22, J=2, K=20, C=1, LENGTH=0.4\n";
    all.push_back({"rod and spring", t + "END\n", 1});
  }
  // A slider-crank in the x-z plane under gravity, with a spring on the slider.
  {
    const std::string y_axis = ", REULER=180D,90D,180D", x_axis = ", REULER=90D,90D,0D";
    std::string t =
        "slider crank\nPART/1, GROUND\n" + on_part(1, 1, 0, 0, 0, y_axis) + on_part(2, 1, 0, 0, 0, x_axis);
    t += rigid_part(2, 1, 0.02, 0.5, 0, 0) + on_part(21, 2, -0.5, 0, 0, y_axis) +
         on_part(22, 2, 0.5, 0, 0, y_axis);
    t += rigid_part(3, 2, 0.1, 2, 0, 0) + on_part(31, 3, -1, 0, 0) + on_part(32, 3, 1, 0, 0);
    t += rigid_part(4, 1, 0.1, 3, 0, 0) + on_part(41, 4, 0, 0, 0) + on_part(42, 4, 0, 0, 0, x_axis);
    t += "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, SPHERICAL, I=31, J=22\nJOINT/3, SPHERICAL, I=32, J=41\n"
         "JOINT/4, TRANSLATIONAL, I=42, J=2\nSPRINGDAMPER/1, TRANSLATION, I=42, J=2, K=30, C=1, LENGTH=2\n";
    all.push_back({"slider crank", t + "ACCGRAV/KGRAV=-9.81\nEND\n", 1});
  }
  // A platform on six springs.
  {
    std::string t = "platform\nPART/1, GROUND\n" + rigid_part(2, 5, 0.5, 0, 0, 1);
    for (int k = 0; k < 6; ++k) {
      const double low = 1.0471975511965976 * (k - k % 2) + (k % 2 ? 0.4 : -0.4) + 1.0,
                   high = 1.0471975511965976 * (k - k % 2) + (k % 2 ? 0.8 : -0.8) + 1.0;
      t += on_part(100 + k, 1, 1.2 * std::cos(low), 1.2 * std::sin(low), 0);
      t += on_part(200 + k, 2, 0.6 * std::cos(high), 0.6 * std::sin(high), 0);
      t += fmt::format("SPRINGDAMPER/{0}, TRANSLATION, I={1}, J={2}, K=400, C=1, LENGTH=1.1\n", k + 1,
                       200 + k, 100 + k);
    }
    all.push_back({"platform on six springs", t + "ACCGRAV/KGRAV=-9.81\nEND\n", 1});
  }
  // Three struts held apart by springs only: a tensegrity prism, standing on ground points.
  {
    std::string t = "tensegrity\nPART/1, GROUND\n";
    const double third = 2.0943951023931953, twist = 2.6;
    for (int k = 0; k < 3; ++k) {
      const double a = third * k, b = a + twist;
      const double x0 = std::cos(a), y0 = std::sin(a), x1 = std::cos(b), y1 = std::sin(b);
      const int id = k + 2;
      t += on_part(k + 1, 1, x0, y0, 0);
      t += rigid_part(id, 1, 0.3, (x0 + x1) / 2, (y0 + y1) / 2, 0.75);
      t += on_part(10 * id + 1, id, (x0 - x1) / 2, (y0 - y1) / 2, -0.75) +
           on_part(10 * id + 2, id, (x1 - x0) / 2, (y1 - y0) / 2, 0.75);
      t += fmt::format("JOINT/{}, SPHERICAL, I={}, J={}\n", id, 10 * id + 1, k + 1);
    }
    for (int k = 0; k < 3; ++k) {
      const int id = k + 2, next = (k + 1) % 3 + 2;
      t += fmt::format("SPRINGDAMPER/{}, TRANSLATION, I={}, J={}, K=200, C=1, LENGTH=1.2\n", k + 1,
                       10 * id + 2, 10 * next + 2);
      t += fmt::format("SPRINGDAMPER/{}, TRANSLATION, I={}, J={}, K=200, C=1, LENGTH=1.0\n", k + 4,
                       10 * id + 2, (k + 1) % 3 + 1);
    }
    all.push_back({"tensegrity", t + "ACCGRAV/KGRAV=-9.81\nEND\n", 1});
  }
  all.push_back({"car", CarModel{}.text(0.1, 0), 1});
  return all;
}

// Every part anywhere within ±length of where it is, turned anyhow, then assembled.
inline analysis::AssemblyResult random_start(const system::System& system,
                                             const analysis::AssemblyResult& assembled, double length,
                                             int number) {
  std::mt19937_64 random(static_cast<std::uint64_t>(number) + 1);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 * 2 - 1; };
  assembly::State start = assembled.state;
  Eigen::VectorXd d = Eigen::VectorXd::Zero(system.layout().size());
  for (int b = 0; b < system.layout().block_count(); ++b) {
    const assembly::Block& block = system.layout().block(assembly::BlockId{b});
    if (!block.is_body()) continue;
    for (int i = 0; i < block.size; ++i)
      d[block.offset + i] = uniform() * (i < block.translations ? length : 1.8);
  }
  assembly::retract(system.layout(), start.q, d, start.q);
  start.v.setZero();
  analysis::AssemblySettings settings;
  settings.first = false;
  settings.maxit = 200;
  return analysis::initial_conditions(system, start, settings, analysis::Upto::accelerations);
}

}  // namespace trunnion::test
