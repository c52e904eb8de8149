// A mechanism without a script: what C++ code, tests and benches do with a model.

#include "api/session/session.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "support/reading.hpp"

namespace trunnion {
namespace {

using api::Session;
using model::kind_of;
using testing::ElementsAre;

// 1 kg on a slide along x with a spring of 100 N/m, pulled out by 0.1 m: x = 1 + 0.1 cos 10 t.
Session slide() {
  const test::Read read = test::check_adm(
      "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
      "INTEGRATOR/SI2, ERROR=1E-8\n"
      "PART/1, GROUND\nMARKER/1, PART=1, REULER=90D,90D,0\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1, QG=1.1,0,0\nMARKER/20, PART=2, REULER=90D,90D,0\n"
      "JOINT/1, TRANSLATIONAL, I=20, J=1\n"
      "SPRINGDAMPER/1, I=20, J=1, TRANSLATION, K=100, LENGTH=1\n"
      "END\n");
  EXPECT_FALSE(read.diagnostics.has_errors()) << read.messages();
  return Session(read.model);
}

// 2 kg on a ball joint, hanging still under gravity.
Session hanging() {
  const test::Read read = test::check_adm(
      "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
      "ACCGRAV/KGRAV=-10\n"
      "PART/1, GROUND\nMARKER/1, PART=1\n"
      "PART/2, MASS=2, CM=20, IP=1,1,1, QG=0,0,-1\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=0,0,1\n"
      "JOINT/1, SPHERICAL, I=21, J=1\n"
      "END\n");
  EXPECT_FALSE(read.diagnostics.has_errors()) << read.messages();
  return Session(read.model);
}

TEST(Session, SimulatesAndRecords) {
  Session s = slide();
  s.record("PART/2.X,ENERGY.BALANCE");
  const auto result = s.simulate(0.5, math::OutputTimes::parts(5, 0, 0.5));
  ASSERT_TRUE(result.ok);
  EXPECT_DOUBLE_EQ(s.time(), 0.5);
  ASSERT_EQ(s.recordings().size(), 1u);
  const auto x = s.recordings()[0].column("PART/2.X").value();
  ASSERT_EQ(x.size(), 6u);  // the start, and each output time
  // ERROR = 1e-8 a step, in some hundred steps.
  for (std::size_t k = 0; k < x.size(); ++k)
    EXPECT_NEAR(x[k], 1 + 0.1 * std::cos(10 * 0.1 * static_cast<double>(k)), 1e-5) << k;
  EXPECT_NEAR(s.value("PART/2.X").value(), x.back(), 1e-12);
  EXPECT_FALSE(s.value("PART/3.X"));
  EXPECT_FALSE(s.recordings()[0].column("PART/2.Y"));  // not asked for
}

TEST(Session, GoesOnWithAChangedModel) {
  Session s = slide();
  ASSERT_TRUE(s.simulate(0.2).ok);
  const double x = s.value("PART/2.X").value(), v = s.value("PART/2.VX").value();
  ASSERT_TRUE(s.activate({kind_of<model::SpringDamper>(), 1}, false));
  ASSERT_TRUE(s.simulate(0.4).ok);
  // Nothing acts any more: it goes on as fast as it was.
  EXPECT_NEAR(s.value("PART/2.X").value(), x + 0.2 * v, 1e-9);
  EXPECT_NEAR(s.value("PART/2.VX").value(), v, 1e-9);
  EXPECT_FALSE(s.activate({kind_of<model::SpringDamper>(), 7}, false));
  model::SpringDamper softer;
  softer.id = 1;
  softer.k = 50.0;
  ASSERT_TRUE(s.activate({kind_of<model::SpringDamper>(), 1}, true));
  ASSERT_TRUE(s.change(softer));
  const auto at_rest = s.equilibrium();
  ASSERT_TRUE(at_rest.ok);
  EXPECT_NEAR(s.value("PART/2.X").value(), 1, 1e-6);
  const auto modes = s.modes();
  ASSERT_TRUE(modes.ok);
  ASSERT_EQ(modes.modes.size(), 1u);
  EXPECT_NEAR(std::abs(modes.modes[0].value), std::sqrt(50.0), 1e-9);
}

TEST(Session, GoesBackToWhatWasSaved) {
  Session s = slide();
  ASSERT_TRUE(s.simulate(0.1).ok);
  const auto saved = s.save();
  ASSERT_TRUE(s.simulate(0.3).ok);
  const Eigen::VectorXd once = s.place().state.q;
  ASSERT_TRUE(s.load(saved));
  EXPECT_DOUBLE_EQ(s.time(), 0.1);
  ASSERT_TRUE(s.simulate(0.3).ok);
  EXPECT_EQ(s.place().state.q, once);  // the same numbers, bit for bit
}

// −λ g is what the equations x, y, z of I = x, y, z of J exert on I along x, y, z of ground.
TEST(Session, MultipliersAreChannels) {
  Session s = hanging();
  ASSERT_TRUE(s.equilibrium().ok);
  EXPECT_NEAR(s.value("JOINT/1.FZ").value(), 20, 1e-9);
  EXPECT_NEAR(s.value("JOINT/1.LAMBDA3").value(), -20, 1e-9);
  EXPECT_NEAR(s.value("JOINT/1.LAMBDA1").value(), 0, 1e-9);
  EXPECT_FALSE(s.value("JOINT/1.LAMBDA4"));
  s.record("JOINT/1.LAMBDA*,JOINT/1.FZ");
  ASSERT_TRUE(s.equilibrium().ok);
  std::vector<std::string> names;
  for (const results::Channel& c : s.recordings().at(0).channels) names.push_back(c.name + " " + c.unit);
  EXPECT_THAT(names, ElementsAre("time second", "JOINT/1.FZ newton", "JOINT/1.LAMBDA1 newton",
                                 "JOINT/1.LAMBDA2 newton", "JOINT/1.LAMBDA3 newton"));
  s.record("JOINT/*");  // they are there where a pattern spells them
  ASSERT_TRUE(s.equilibrium().ok);
  EXPECT_EQ(s.recordings().at(0).channels.size(), 7u);
}

TEST(Session, SaysWhatIsWrongWithAModelByItsStatement) {
  const test::Read read = test::read_adm(
      "PART/1, GROUND\nMARKER/1, PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1, QG=1,0,0\nMARKER/20, PART=2\n"
      "JOINT/1, FIXED, I=20, J=1\nJPRIM/2, PERPENDICULAR, I=20, J=1\nEND\n");
  Session s(read.model);
  EXPECT_FALSE(s.assemble());
  const auto result = s.simulate(1);
  EXPECT_FALSE(result.ok);
  core::Words all;
  for (const core::Words& line : result.loop.messages) all.mention(line);
  EXPECT_THAT(all.about(), testing::Contains(core::Subject{kind_of<model::Jprim>(), 2}));
}

}  // namespace
}  // namespace trunnion
