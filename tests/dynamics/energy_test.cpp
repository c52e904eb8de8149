// Kinetic + potential + dissipated − work is constant: as far as ERROR lets it, for every kind of force.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dynamics/simulate.hpp"

namespace trunnion::test {
namespace {

// The largest change of the balance, over the largest of its parts.
double drift(const Motion& motion) {
  double largest = 0, scale = 0;
  for (const auto& row : motion.rows) {
    largest =
        std::max(largest, std::abs(row.at("ENERGY.BALANCE") - motion.rows.front().at("ENERGY.BALANCE")));
    for (const char* part : {"ENERGY.KINETIC", "ENERGY.DISSIPATED", "ENERGY.WORK"})
      scale = std::max(scale, std::abs(row.at(part)));
  }
  return largest / scale;
}

Motion run(const std::string& text, const std::string& integrator, const std::vector<double>& times) {
  Mechanism m(text + "INTEGRATOR/" + integrator + "\nEND\n");
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  Motion motion = simulate(m, times);
  EXPECT_TRUE(motion.result.ok) << integrator << motion.messages();
  return motion;
}

// A formula of order k whose steps err by ERROR each goes astray by ERROR^(k/(k+1)) in all; the worst, order 1 at the start, by the
// root. What is wrongly counted or left out would not fall at all.
void falls_with_error(const std::string& text, const std::vector<double>& times) {
  for (const char* method : {"GSTIFF", "GSTIFF, SI2", "WSTIFF", "HHT"}) {
    double coarse = 0, last = 0;
    for (const double error : {1e-4, 1e-6, 1e-8}) {
      last = drift(run(text, fmt::format("{}, ERROR={:g}", method, error), times));
      EXPECT_LE(last, std::sqrt(error)) << method << " " << error;
      if (coarse == 0) coarse = last;
    }
    EXPECT_LE(last, 0.3 * coarse) << method;
  }
}

const std::string kHead = "energy\nACCGRAV/JGRAV=-9.81\nPART/1, GROUND\nMARKER/1, PART=1\n";

TEST(EnergyBalance, DampedPendulum) {
  const std::string text =
      kHead +
      "PART/2, QG=1,0,0, MASS=2, CM=20, IP=0.1,0.1,0.1\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=-1,0,0\n"
      "JOINT/1, REVOLUTE, I=21, J=1\n"
      "SPRINGDAMPER/1, ROTATION, I=21, J=1, KT=3, CT=0.8, ANGLE=0.3, TORQUE=0.5\n";
  falls_with_error(text, every(0.05, 4));
  const Motion motion = run(text, "GSTIFF, ERROR=1E-6", every(0.05, 4));
  for (std::size_t k = 1; k < motion.rows.size(); ++k) {
    EXPECT_EQ(motion.rows[k].at("ENERGY.WORK"), 0.0);
    EXPECT_GE(motion.rows[k].at("ENERGY.DISSIPATED"), motion.rows[k - 1].at("ENERGY.DISSIPATED"));
  }
  EXPECT_GT(motion.rows.back().at("ENERGY.DISSIPATED"), 1.0);
}

// A crank turned by a motion drives a slider against a spring and a damper.
TEST(EnergyBalance, DrivenSliderCrank) {
  const std::string text =
      kHead +
      "PART/2, QG=0.1,0,0, MASS=1, CM=20, IP=0.01,0.01,0.01\nMARKER/20, PART=2\nMARKER/21, PART=2, "
      "QP=-0.1,0,0\n"
      "MARKER/22, PART=2, QP=0.1,0,0\n"
      "PART/3, QG=0.45,0,0, MASS=1, CM=30, IP=0.02,0.02,0.02\nMARKER/30, PART=3\nMARKER/31, PART=3, "
      "QP=-0.25,0,0\n"
      "MARKER/32, PART=3, QP=0.25,0,0\n"
      "PART/4, QG=0.7,0,0, MASS=2, CM=40, IP=0.1,0.1,0.1\nMARKER/40, PART=4\nMARKER/41, PART=4, "
      "REULER=90D,90D,0D\n"
      "MARKER/2, PART=1, QP=0.7,0,0, REULER=90D,90D,0D\nMARKER/3, PART=1, QP=1.5,0,0\n"
      "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22\nJOINT/3, REVOLUTE, I=32, J=40\n"
      "JOINT/4, TRANSLATIONAL, I=41, J=2\nMOTION/1, JOINT=1, FUNCTION=5*TIME+0.5*SIN(4*TIME)\n"
      "SPRINGDAMPER/1, TRANSLATION, I=40, J=3, K=200, C=10, LENGTH=0.6\n";
  // A motion leaves no freedom: one more part, on a spring, to be dynamic.
  const std::string free =
      "PART/5, QG=0.7,0.5,0, MASS=0.5, CM=50, IP=0.1,0.1,0.1\nMARKER/50, PART=5\n"
      "MARKER/51, PART=5, REULER=0,90D,0\nMARKER/42, PART=4, REULER=0,90D,0\nJOINT/5, TRANSLATIONAL, I=51, "
      "J=42\n"
      "SPRINGDAMPER/2, TRANSLATION, I=50, J=40, K=150, C=1, LENGTH=0.5\n";
  falls_with_error(text + free, every(0.02, 3));
}

// What is lost in friction is force times way; what a constant force gives is too.
TEST(EnergyBalance, FrictionAndAForce) {
  const std::string text =
      kHead +
      "MARKER/2, PART=1, REULER=90D,90D,0D\nPART/2, MASS=2, CM=20, IP=1,1,1\nMARKER/20, PART=2, "
      "REULER=90D,90D,0D\n"
      "JOINT/1, TRANSLATIONAL, I=20, J=2\n"
      "FRICTION/1, JOINT=1, MU_STATIC=0.3, MU_DYNAMIC=0.2, STICTION_TRANSITION_VELOCITY=0.01\n"
      ", MAX_STICTION_DEFORMATION=1E-5\n"
      "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=2, FUNCTION=12*STEP(TIME,0,0,0.2,1)*STEP(TIME,1,1,1.2,0)\n";
  falls_with_error(text, every(0.02, 4));
  Mechanism m(text + "REQUEST/1, F2=DZ(20,2,2)\nINTEGRATOR/GSTIFF, ERROR=1E-7\nEND\n");
  const Motion motion = simulate(m, every(0.02, 4));
  // It slides from before 0.2 s on and rests again at the end: all that was put in is lost, μd m g on all of the way but the first
  // and the last of it, where the coefficient is that of rest.
  const double way = motion.at(4, "REQUEST/1.F2");
  EXPECT_GT(way, 1.0);
  EXPECT_NEAR(motion.at(4, "ENERGY.DISSIPATED"), 0.2 * 2 * 9.81 * way, 1e-3 * way);
  EXPECT_NEAR(motion.at(4, "ENERGY.WORK"), motion.at(4, "ENERGY.DISSIPATED"), std::sqrt(1e-7) * way);
}

// A pendulum on a crank that a motor turns against a torque of 1e11: what both do is work on the one velocity the joint has, so that
// only their sum's counts.
TEST(EnergyBalance, MotorAgainstALargeTorque) {
  falls_with_error(
      kHead +
          "PART/2, QG=1,0,0, MASS=2, CM=20, IP=0.1,0.1,0.1\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=-1,0,0\n"
          "MARKER/22, PART=2, QP=1,0,0\nPART/3, QG=3,0,0, MASS=1, CM=30, IP=0.1,0.1,0.1\nMARKER/30, PART=3\n"
          "MARKER/31, PART=3, QP=-1,0,0\nJOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22\n"
          "MOTION/1, JOINT=1, FUNCTION=0.3*TIME\nSFORCE/1, ROTATION, I=21, J=1, "
          "FUNCTION=1E11*(1+SIN(TIME))\n",
      every(0.05, 2));
}

// Two bodies turning freely, joined by one force each time, at large rotations: nothing of it is lost from the balance, whether the
// law has a potential or not.
TEST(EnergyBalance, EveryForce) {
  const std::string bodies =
      "force\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "PART/2, MASS=2, CM=20, IP=0.3,0.2,0.25, VX=0.3, WX=1.1, WZ=0.4\nMARKER/20, PART=2\nMARKER/21, PART=2, "
      "QP=0.1,0.2,0\n"
      "PART/3, QG=0.8,0.1,0, MASS=1, CM=30, IP=0.1,0.2,0.15, VY=-0.4, WY=0.9\nMARKER/30, PART=3\nMARKER/31, "
      "PART=3, QP=0,0.1,0.1\n";
  std::string K;
  for (int k = 0; k < 36; ++k) K += fmt::format("\n, {:g}", k % 7 == 0 ? 9.0 : 0.1 * ((5 * k) % 11));
  K = K.substr(2);
  const std::string section =
      "LENGTH=0.8, IXX=0.1, IYY=0.2, IZZ=0.15, AREA=0.3, EMODULUS=20, GMODULUS=9, CRATIO=0.02";
  const std::string forces[] = {
      "SPRINGDAMPER/1, TRANSLATION, I=31, J=21, K=20, C=0.5, LENGTH=0.5, FORCE=1\n",
      "BUSHING/1, I=31, J=21, K=9,8,7, KT=2,3,4, C=0.1,0.1,0.1, CT=0.1,0.1,0.1, FORCE=1,2,3, "
      "TORQUE=0.1,0.2,0.3\n",
      "FIELD/1, I=31, J=21, CRATIO=0.02, LENGTH=0.5,0,0,0,0,0, FORCE=1,0,0,0,0,0.1, KMATRIX=" + K + "\n",
      "FIELD/1, I=31, J=21, FORMULATION=NONLINEAR, CRATIO=0.02, LENGTH=0.5,0,0,0,0,0, FORCE=1,0,0,0,0,0.1, "
      "KMATRIX=" +
          K + "\n",
      "BEAM/1, I=31, J=21, " + section + "\n",
      "BEAM/1, I=31, J=21, FORMULATION=STRING, " + section + "\n",
      "BEAM/1, I=31, J=21, FORMULATION=NONLINEAR, " + section + "\n",
      "MATRIX/1, FULL=CORDER, ROWS=6, COLUMNS=6, VALUES=" + K +
          "\nNFORCE/1, IMARKERS=31, J=21, KMATRIX=1, CRATIO=0.02\n",
      "MARKER/2, PART=2, FLOATING\nGFORCE/1, I=31, JFLOAT=2, RM=21, "
      "FX=-5*DX(31,21,21)\\FY=TIME\\FZ=-VZ(31,21,21)\n"
      ", \\TX=-WX(31,21,21)\\TY=0\\TZ=SIN(TIME)\n",
      "SFORCE/1, ROTATION, ACTIONONLY, I=31, J=21, FUNCTION=2*SIN(3*TIME)\n",
      "GCON/1, FUNCTION=VX(31,21,21)*DX(31,21,21)+VY(31,21,21)*DY(31,21,21)-0.1*SIN(TIME)\n"};
  for (const std::string& force : forces) {
    const double coarse = drift(run(bodies + force, "GSTIFF, SI2, ERROR=1E-5", every(0.02, 2)));
    const double fine = drift(run(bodies + force, "GSTIFF, SI2, ERROR=1E-8", every(0.02, 2)));
    EXPECT_LE(coarse, std::sqrt(1e-5)) << force;
    EXPECT_LE(fine, 0.1 * std::sqrt(1e-8)) << force;
    EXPECT_LE(fine, std::max(0.5 * coarse, 1e-7)) << force;  // ten times ERROR is as small as need be
  }
}

// A force of 20 kN over 1.5 mm of the way takes 30 J of 50, and reads the place through VARIABLEs: what the balance says is missing is what
// the motion has too little of, and no more. Between the ends of a step VARIABLEs are what they are there.
TEST(EnergyBalance, OfAThinLayerThroughVariables) {
  for (const char* integrator : {"RADAU5", "RADAU5, ERROR=1E-6", "DOP853", "ABAM, ERROR=1E-6"}) {
    const Motion motion =
        run("layer\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
            "PART=1\n"
            "MARKER/98, PART=1, REULER=90D,90D,0\nPART/2, MASS=1, CM=20, IP=1,1,1, VX=10\nMARKER/20, PART=2\n"
            "VARIABLE/1, FUNCTION=DX(20)\n"
            "VARIABLE/2, FUNCTION=-2E4*(STEP(VARVAL(1),5,0,5.0005,1)-STEP(VARVAL(1),5.0015,0,5.002,1))\n"
            "SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=98, FUNCTION=VARVAL(2)\n",
            integrator, every(0.1, 1));
    const double off = motion.rows.back().at("ENERGY.KINETIC") - 20;
    const double told = motion.rows.back().at("ENERGY.BALANCE") - motion.rows.front().at("ENERGY.BALANCE");
    EXPECT_NEAR(told, off, 0.01 * 30) << integrator;
  }
}

}  // namespace
}  // namespace trunnion::test
