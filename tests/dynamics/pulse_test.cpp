// Forces that act for a part of a step only.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dynamics/simulate.hpp"

namespace trunnion::test {
namespace {

// 1 kg is pushed along x; ten rows a second, so that steps may be 0.1 s long.
double speed_after(const std::string& statements, const std::string& integrator) {
  Mechanism m(fmt::format(
      "pulse\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nSPLINE/1, X=0,0.5123,0.5124,0.5129,0.5130,1, "
      "Y=0,0,1000,1000,0,0\n{}INTEGRATOR/{}\nEND\n",
      statements, integrator));
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  const Motion motion = simulate(m, every(0.1, 1.0));
  EXPECT_TRUE(motion.result.ok) << motion.messages();
  return motion.at(1.0, "PART/2.VX");
}
std::string force(const std::string& function) {
  return "VFORCE/1, I=20, JFLOAT=99, RM=1, FX=" + function + "\\FY=0\\FZ=0\nMARKER/99, PART=1, FLOATING\n";
}

TEST(Pulse, IsNotSteppedOverWhateverItIsWrittenWith) {
  struct Case {
    const char* what;
    std::string statements;
    double impulse;
  };
  const double bell = 1000 * 3e-4 * std::sqrt(M_PI);
  for (const Case& c :
       {Case{"INTERP", force("INTERP(TIME,1,1)"), 0.6},
        Case{"EXP", force("1000*EXP(-((TIME-.5128)/3E-4)**2)"), bell},
        Case{"MAX and ABS", force("MAX(0,5E-4-ABS(TIME-.5128))*1E6"), 0.25},
        Case{"VARVAL",
             "VARIABLE/1, FUNCTION=TIME\n" +
                 force("STEP(VARVAL(1),.5123,0,.5124,1000)-STEP(VARVAL(1),.5129,0,.5130,1000)"),
             0.6},
        Case{"beside another reading", force("INTERP(TIME,1,1)*(1+0*VX(20,1))"), 0.6}}) {
    // Passed over it would be nothing at all; ERROR of places over steps of a millisecond leaves some percents of the speed.
    for (const char* integrator : {"GSTIFF", "HHT", "RADAU5", "ABAM"})
      EXPECT_NEAR(speed_after(c.statements, integrator), c.impulse, 0.05 * c.impulse)
          << c.what << " " << integrator;
    EXPECT_NEAR(speed_after(c.statements, "GSTIFF, SI2, ERROR=1E-7"), c.impulse, 1e-4 * c.impulse) << c.what;
  }
}

// 1 kg at 10 m/s along x meets a layer of a millimetre that takes 10 J of its 50; rows are 0.02 s apart, in which it goes 20 cm.
TEST(Pulse, OfAPlaceIsNotPassedOver) {
  const std::string x = "(DX(20,1)-5.1305)";
  struct Case {
    const char* what;
    std::string statements;
  };
  for (const Case& c :
       {Case{"STEP", force("-2E4*STEP(DX(20,1),5.13,0,5.1305,1)*STEP(DX(20,1),5.1305,1,5.131,0)")},
        Case{"ABS and MAX", force("-4E7*MAX(0,5E-4-ABS" + x + ")")},
        Case{"IF in IF", force("IF(DX(20,1)-5.13: 0,0,IF(DX(20,1)-5.1305: "
                               "-4E7*(DX(20,1)-5.13),-2E4,IF(DX(20,1)-5.131: -4E7*(5.131-DX(20,1)),0,0)))")},
        Case{"VARVAL", "VARIABLE/1, FUNCTION=DX(20,1)-5.1305\n" +
                           force("-2E4*STEP(VARVAL(1),-5E-4,0,0,1)*STEP(VARVAL(1),0,1,5E-4,0)")}}) {
    for (const char* integrator :
         {"GSTIFF, SI2, ERROR=1E-6", "HHT, ERROR=1E-7", "RADAU5, SI2, ERROR=1E-7", "DOP853"}) {
      Mechanism m(
          fmt::format("layer\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, "
                      "GROUND\nMARKER/1, PART=1\n"
                      "PART/2, MASS=1, CM=20, IP=1,1,1, VX=10\nMARKER/20, PART=2\n{}INTEGRATOR/{}\nEND\n",
                      c.statements, integrator));
      ASSERT_TRUE(m.assembled.ok) << m.messages();
      const Motion motion = simulate(m, every(0.02, 1.0));
      ASSERT_TRUE(motion.result.ok) << motion.messages();
      EXPECT_NEAR(motion.at(1.0, "PART/2.VX"), std::sqrt(80.0), 0.05 * (10 - std::sqrt(80.0)))
          << c.what << " " << integrator;
    }
  }
}

// Two points of 1 kg that act on each other within 0.1 m, one of them at 100 m/s; rows are 10 m apart.
Motion passing(double beside, const char* integrator) {
  Mechanism m(fmt::format(
      "points\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1, VX=100\nMARKER/20, PART=2\n"
      "PART/3, MASS=1, CM=30, IP=1,1,1, QG=3.3,{},0\nMARKER/30, PART=3\n"
      "SFORCE/1, TRANSLATIONAL, I=30, J=20, FUNCTION=IMPACT(DM(30,20),VR(30,20),0.1,1E8,1.5,0,1E-5)\n"
      "INTEGRATOR/{}\nEND\n",
      beside, integrator));
  EXPECT_TRUE(m.assembled.ok) << m.messages();
  Motion motion = simulate(m, every(0.1, 1.0));
  EXPECT_TRUE(motion.result.ok) << motion.messages();
  return motion;
}

TEST(Pulse, PointsThatPassWithinAStepTouch) {
  for (const char* integrator : {"GSTIFF", "GSTIFF, SI2", "HHT", "RADAU5", "DOP853", "ABAM"}) {
    const Motion meeting = passing(0, integrator), missing = passing(0.2, integrator);
    // Like masses without loss exchange their speeds.
    EXPECT_NEAR(meeting.at(1.0, "PART/2.VX"), 0, 0.5) << integrator;
    EXPECT_NEAR(meeting.at(1.0, "PART/3.VX"), 100, 0.5) << integrator;
    EXPECT_NEAR(missing.at(1.0, "PART/2.VX"), 100, 1e-9) << integrator;
    EXPECT_LT(missing.result.loop.counts.steps, 200) << integrator;
  }
}

}  // namespace
}  // namespace trunnion::test
