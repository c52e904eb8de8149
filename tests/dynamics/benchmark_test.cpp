// The IFToMM benchmarks and their like against values from outside (shared/reference-values.md).
// Tolerances: an index-3 run lets positions err by ERROR a step; over n steps of a swinging mechanism these add up to some
// n·ERROR, more where it is sensitive. HHT at ERROR = 1e-9 has global errors of h² with h ≈ 1e-3.

#include <cmath>

#include "dynamics/mechanisms.hpp"
#include "dynamics/simulate.hpp"

namespace trunnion {
namespace {

using test::energy_drift;
using test::every;
using test::Mechanism;
using test::Motion;

class Methods : public testing::TestWithParam<const char*> {
 protected:
  bool hht() const { return std::string(GetParam()).starts_with("HHT"); }
};
// HHT: within a swing its energy errs by h² of the steps; at 1e-9 by 5.3e-5, of which ERROR^(2/3) is left at 7e-10. (It was 3.7e-5 at 1e-9 as long as the
// filter did not move with the step: that error had the other sign.)
INSTANTIATE_TEST_SUITE_P(Benchmark, Methods,
                         testing::Values("GSTIFF, ERROR=1e-8", "GSTIFF, SI2, ERROR=1e-8",
                                         "WSTIFF, ERROR=1e-8", "HHT, ERROR=7e-10",
                                         "GSTIFF, ERROR=1e-8, INTERPOLATE=ON"));

TEST_P(Methods, SimplePendulum) {
  Mechanism m(test::simple_pendulum(GetParam()));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Motion motion = simulate(m, every(0.1, 10));
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  const double near = hht() ? 2e-4 : 2e-5;
  EXPECT_NEAR(motion.at(1, "PART/2.X"), 0.986291751131875, near);
  EXPECT_NEAR(motion.at(1, "PART/2.Y"), -0.165010853125541, near);
  EXPECT_NEAR(motion.at(10, "PART/2.X"), -0.275087462576117, near);
  EXPECT_NEAR(motion.at(10, "PART/2.Y"), -0.961419205099125, near);
  EXPECT_LT(energy_drift(motion), 5e-5);  // what IFToMM asks for
}

TEST_P(Methods, TwoFourBars) {
  Mechanism m(test::four_bars(2, GetParam()));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_EQ(m.assembled.freedoms, 1);
  const Motion motion = simulate(m, every(0.1, 10));
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  const double near = hht() ? 1e-3 : 1e-4;
  EXPECT_NEAR(2 * motion.at(1, "PART/10.X"), -0.195020301950, near);
  EXPECT_NEAR(2 * motion.at(1, "PART/10.Y"), -0.980799205662, near);
  EXPECT_NEAR(2 * motion.at(1, "PART/10.VX"), -6.676678036881, 10 * near);
  EXPECT_NEAR(2 * motion.at(10, "PART/10.X"), 0.328458111535, near);
  EXPECT_NEAR(2 * motion.at(10, "PART/10.Y"), 0.944518538181, near);
}

TEST_P(Methods, HeavyTop) {
  Mechanism m(test::heavy_top(GetParam()));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_NEAR(m.sample()["JOINT/1.FY"], -319.52598817, 1e-6);
  EXPECT_NEAR(m.sample()["JOINT/1.FZ"], -317.26246154, 1e-6);
  const Motion motion = simulate(m, every(0.1, 1));
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  EXPECT_NEAR(motion.energy.front(), 5435.6967908655, 1e-6);
  EXPECT_NEAR(motion.at(0.1, "PART/2.X"), 0.421296658925, 1e-4);
  EXPECT_NEAR(motion.at(0.5, "PART/2.X"), -0.702468297057, 1e-4);
  EXPECT_NEAR(motion.at(0.5, "PART/2.Z"), -0.711400257652, 1e-4);
  EXPECT_NEAR(motion.at(1, "PART/2.X"), 0.173343964098, 1e-4);
}

TEST_P(Methods, Bricard) {
  Mechanism m(test::bricard(GetParam()));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_EQ(m.assembled.freedoms, 1);
  EXPECT_EQ(m.assembled.redundant.size(), 1u);
  const Motion motion = simulate(m, every(0.1, 5));
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  const double near = hht() ? 1e-4 : 1e-5;
  EXPECT_NEAR(motion.at(0.5, "REQUEST/1.F2"), 0.7747178080, near);
  EXPECT_NEAR(motion.at(2, "REQUEST/1.F2"), -0.7781353730, near);
  EXPECT_NEAR(motion.at(2, "REQUEST/1.F4"), -0.1972526706, near);
  EXPECT_NEAR(motion.at(5, "REQUEST/1.F2"), 0.9999327422, near);
}

TEST_P(Methods, Governor) {
  Mechanism m(test::governor(GetParam()));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Motion motion = simulate(m, every(0.1, 2));
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  const double near = hht() ? 1e-4 : 1e-5;
  const auto angle = [&](double t) {
    return std::asin((1 - motion.at(t, "PART/4.Z")) / test::kGovernorBallArm);
  };
  EXPECT_NEAR(motion.at(0.1, "PART/3.Z"), 0.523836475570, near);
  EXPECT_NEAR(angle(0.1), 0.496173869076, near);
  EXPECT_NEAR(motion.at(0.1, "PART/2.WZ"), 6.103717808831, 10 * near);
  EXPECT_NEAR(motion.at(1, "PART/3.Z"), 0.501420922380, near);
  EXPECT_NEAR(motion.at(1, "PART/2.WZ"), 6.271125741877, 10 * near);
  EXPECT_NEAR(motion.at(2, "PART/3.Z"), 0.505909294297, near);
  EXPECT_NEAR(motion.at(2, "PART/2.WZ"), 6.236223614436, 10 * near);
}

TEST(Benchmark, Andrews) {
  for (const char* integrator : {"GSTIFF, ERROR=1e-11", "GSTIFF, SI2, ERROR=1e-9"}) {
    Mechanism m(test::andrews(integrator));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    EXPECT_EQ(m.assembled.freedoms, 1);
    const Motion motion = simulate(m, every(0.001, 0.05));
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    EXPECT_NEAR(motion.at(0.03, "REQUEST/1.F2"), 15.8107711951537071, 1e-7 * 15.81) << integrator;
    // Rates of the crank β̇, of K2 (β̇ + Θ̇) and of K3 (γ̇); reactions at E are the multipliers of the three loops.
    const double rate = 1139.92030225910606;
    EXPECT_NEAR(motion.at(0.03, "REQUEST/2.F2") / rate, 1, 1e-6) << integrator;
    EXPECT_NEAR(motion.at(0.03, "REQUEST/2.F3"), rate - 1424.37929517754007, 1e-6 * rate) << integrator;
    EXPECT_NEAR(motion.at(0.03, "REQUEST/2.F4"), 11.0329119106185937, 1e-6 * rate) << integrator;
    const double lambda[] = {199.175348104538628, -29.7553099749717633, 23.0665436116221511,
                             31.4527252757711371, 22.6424947863943786,  11.6173923526112559};
    const char* reaction[] = {"JOINT/9.FX", "JOINT/9.FY", "JOINT/4.FX",
                              "JOINT/4.FY", "JOINT/3.FX", "JOINT/3.FY"};
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_NEAR(motion.at(0.03, reaction[k]), lambda[k], 1e-5 * lambda[0]) << integrator << reaction[k];
    EXPECT_NEAR(motion.at(0.05, "REQUEST/1.F2"), 33.825867766954517, 1e-5) << integrator;
    EXPECT_NEAR(motion.at(0.05, "REQUEST/1.F3"), -0.0052085047222967, 1e-7) << integrator;
    EXPECT_NEAR(motion.at(0.05, "REQUEST/1.F4"), 0.0046766952603107, 1e-7) << integrator;
  }
}

TEST(Benchmark, CarAxis) {
  // HHT's error falls with the power 2/3 of ERROR only.
  for (const auto& [integrator, loose] : {std::pair("GSTIFF, ERROR=1e-11", 1.0),
                                          {"GSTIFF, SI2, ERROR=1e-10", 1.0},
                                          {"HHT, ERROR=1e-10", 100.0}}) {
    Mechanism m(test::car_axis(integrator));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    const Motion motion = simulate(m, every(0.1, 3));
    ASSERT_TRUE(motion.result.ok) << motion.messages();
    const double position[] = {0.0493455784275402809, 0.496989460230171154, 1.04174252488542152,
                               0.373911027265361257};
    const double velocity[] = {-0.0770583684040972358, 0.00744686658723778553, 0.0175568157537232222,
                               0.770341043779251976};
    const char* component[] = {"F2", "F3", "F4", "F6"};
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(motion.at(3, std::string("REQUEST/1.") + component[k]), position[k], loose * 1e-7)
          << integrator;
      EXPECT_NEAR(motion.at(3, std::string("REQUEST/2.") + component[k]), velocity[k], loose * 1e-5)
          << integrator;
    }
    // λ₁ of g = xₗ x_b + yₗ y_b, whose gradient by the left end is a unit vector.
    EXPECT_NEAR(std::hypot(motion.at(3, "JPRIM/1.FX"), motion.at(3, "JPRIM/1.FY")), 0.00473688659084893325,
                loose * 1e-8)
        << integrator;
  }
}

TEST(Benchmark, FreeBodyOverTenTurns) {
  Mechanism m(R"(free body
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=1, CM=20, IP=1,2,3, WX=1, WZ=0.5
MARKER/20, PART=2
REQUEST/1, F2=WX(20,0,20)\F3=WY(20,0,20)\F4=WZ(20,0,20)
INTEGRATOR/GSTIFF, ERROR=1e-10
END
)");
  ASSERT_TRUE(m.assembled.ok);
  const double period = 14.9407786751467;
  const Motion motion = simulate(m, {5, 10 * period});
  ASSERT_TRUE(motion.result.ok) << motion.messages();
  EXPECT_NEAR(motion.at(5, "REQUEST/1.F2"), 0.59833537578703, 1e-6);
  EXPECT_NEAR(motion.at(5, "REQUEST/1.F3"), 0.80124576634251, 1e-6);
  EXPECT_NEAR(motion.at(5, "REQUEST/1.F4"), -0.18974124654224, 1e-6);
  EXPECT_NEAR(motion.at(10 * period, "REQUEST/1.F2"), 1, 1e-5);
  EXPECT_NEAR(motion.at(10 * period, "REQUEST/1.F4"), 0.5, 1e-5);
  EXPECT_LT(energy_drift(motion), 1e-6);
}

}  // namespace
}  // namespace trunnion
