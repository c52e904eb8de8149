// The rotating shaft of Bauchau et al. 2016 with the data of the authors' input: a slender shaft with an unbalanced disk runs through its
// critical speed. Values of another program (field notes B: two-node elements, lumped masses, extrapolated in both steps, within 6e-6 m);
// it starts at rest under its weight.

#include <cmath>

#include <gtest/gtest.h>

#include "analysis/dynamics/dynamics.hpp"
#include "analysis/flexible_beam.hpp"

namespace trunnion::test {
namespace {

std::string shaft(int elements) {
  std::string text = "shaft\nPART/1, GROUND\nACCGRAV/KGRAV=-9.81\n";
  // z along the shaft.
  text += "MARKER/1, PART=1, REULER=90D,90D,0D\nMARKER/2, PART=1, QP=6,0,0, REULER=90D,90D,0D\n";
  text += diagonal_matrix(1, {313.4e6, 60.5e6, 60.5e6, 272.7e3, 354.5e3, 354.5e3}) + "\n";
  text += diagonal_matrix(2, {11.64, 11.64, 11.64, 26.34e-3, 13.17e-3, 13.17e-3}) + "\n";
  text += fmt::format(
      "FE_PART/2, TYPE=3DBEAM, NODE_LABELS=1,2, COORDINATES=1,0,0,0,0,0,0,2,6,0,0,0,0,0\n"
      ", SECTION_STIFFNESS=1, SECTION_INERTIA=2, SUBDIVIDE={}\nFE_NODE/1, FE_PART=2, LABEL=9, S=0.5\n",
      elements);
  text +=
      "MARKER/21, FE_PART=2, NODE_LABEL=1, REULER=90D,90D,0D\n"
      "MARKER/22, FE_PART=2, NODE_LABEL=2, QP=6,0,0, REULER=90D,90D,0D\nMARKER/29, FE_PART=2, NODE_LABEL=9\n";
  text +=
      "PART/3, MASS=70.573, CM=30, IP=2.0325,1.0163,1.0163, QG=3,0,0\nMARKER/30, PART=3, QP=0,0,0.05\n"
      "MARKER/31, PART=3\n";
  text += "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, CYLINDRICAL, I=22, J=2\nJOINT/3, FIXED, I=31, J=29\n";
  // The integral of the speed, Eq. 25 of the paper.
  text +=
      "MOTION/1, JOINT=1, ROTATION, FUNCTION=IF(TIME-0.5: 24*(TIME-0.5/PI*SIN(2*PI*TIME)),12,\n"
      ", IF(TIME-1: 12+48*(TIME-0.5),36,\n"
      ", IF(TIME-1.25: 36+48*(TIME-1)+12*(TIME-1-0.25/PI*SIN(4*PI*(TIME-1))),51,51+72*(TIME-1.25))))\n";
  return text + "INTEGRATOR/RADAU5, ERROR=1e-6, HMAX=2e-3\nEND\n";
}

TEST(RotatingShaft, ThroughItsCriticalSpeed) {
  Mechanism mech(shaft(16));
  ASSERT_TRUE(mech.system && mech.assembled.ok) << mech.messages();
  analysis::StaticSettings settings = analysis::static_settings(mech.read.model);
  settings.error = 1e-9;
  settings.judge = false;
  ASSERT_TRUE(analysis::statics(*mech.system, mech.assembled, settings).ok);
  // m g L⁴/384EI + M g L³/192EI and shear m g L²/8GA + M g L/4GA; what is of second order is 4e-9.
  EXPECT_NEAR(mech.sample().at("FE_PART/2.9.Z"), -0.003309853321, 1e-8);
  const struct {
    double t, y, z, slides;
  } expected[] = {{0.50, 0.075928, 0.029211, -0.002640},
                  {1.00, 0.055370, 0.023778, -0.001448},
                  {1.50, -0.092161, 0.048381, -0.004322},
                  {2.00, 0.014654, -0.108936, -0.004821}};
  std::vector<double> times;
  for (const auto& e : expected) times.push_back(e.t);
  std::vector<std::map<std::string, double>> rows;
  analysis::DynamicHooks hooks;
  hooks.output = [&](const assembly::State& s) {
    rows.push_back(mech.sample(s));
    return true;
  };
  const auto result = analysis::dynamics(*mech.system, mech.assembled, 2.0, times,
                                         analysis::dynamic_settings(mech.read.model), hooks);
  ASSERT_TRUE(result.ok) << (result.loop.messages.empty() ? "" : result.loop.messages.back());
  ASSERT_EQ(rows.size(), times.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_NEAR(rows[k].at("FE_PART/2.9.Y"), expected[k].y, 3e-5) << expected[k].t;
    EXPECT_NEAR(rows[k].at("FE_PART/2.9.Z"), expected[k].z, 3e-5) << expected[k].t;
    EXPECT_NEAR(rows[k].at("FE_PART/2.2.X") - 6, expected[k].slides, 1e-5) << expected[k].t;
  }
}

}  // namespace
}  // namespace trunnion::test
