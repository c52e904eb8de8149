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

}  // namespace
}  // namespace trunnion::test
