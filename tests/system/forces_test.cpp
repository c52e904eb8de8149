// Forces and states from model text to residuals: closed forms, balance, messages.

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "elements/beam.hpp"
#include "elements/dense_sink.hpp"
#include "support/reading.hpp"
#include "system/compile.hpp"

namespace trunnion::test {
namespace {

using elements::test::DenseSink;
using math::Vec3;
using model::kind_of;

// Rounding of sums of a few terms of the sizes that occur here.
constexpr double kRounding = 1e-12;

struct Compiled {
  Read read;
  std::shared_ptr<const system::System> system;

  explicit Compiled(const std::string& text) : read(check_adm(text)) {
    system = system::compile(read.model, {}, read.diagnostics);
  }
  DenseSink evaluate(const assembly::State& state) const {
    system::System::Workspace work(*system);
    DenseSink sink(system->layout(), state);
    system->evaluate(state, work, sink);
    return sink;
  }
  elements::Wrench wrench(model::Kind kind, int id, const assembly::State& state, bool on_j = false) const {
    system::System::Workspace work(*system);
    system->update(state, work);
    return system->wrench(*system->find_force(kind, id), state, work, on_j);
  }
};

std::string part(int id, const std::string& place, double mass = 1.0) {
  return fmt::format("PART/{0}, QG={1}, MASS={2}, CM={0}00, IP=0.1,0.2,0.3\nMARKER/{0}00, PART={0}\n", id,
                     place, mass);
}

const std::string kStart =
    "a test\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
    "ACCGRAV/KGRAV=-10\nPART/1, GROUND\nMARKER/1, PART=1\n";

// Each link carries the weight of all below it: springs of stiffness k and free length 0.5 under a load W are 0.5 + W/k long.
TEST(HungChain, IsInBalance) {
  const int links = 8;
  const double k = 2000.0, mass = 3.0, g = 10.0;
  std::string text = kStart;
  double z = 0.0;
  for (int n = 0; n < links; ++n) {
    const double load = (links - n) * mass * g;
    const bool bushing = n % 2 == 1;
    z -= bushing ? load / k : 0.5 + load / k;
    const int id = n + 2, above = n == 0 ? 1 : (n + 1) * 100;
    text += part(id, fmt::format("0,0,{:.17g}", z), mass);
    text += bushing ? fmt::format("BUSHING/{0}, I={1}, J={2}, K=100,100,{3}, KT=10,10,10, C=5,5,5\n", id,
                                  id * 100, above, k)
                    : fmt::format("SPRINGDAMPER/{0}, TRANSLATION, I={1}, J={2}, K={3}, C=7, LENGTH=0.5\n", id,
                                  id * 100, above, k);
  }
  const Compiled c(text + "END\n");
  ASSERT_NE(c.system, nullptr) << c.read.messages();
  const DenseSink sink = c.evaluate(c.system->start());
  EXPECT_LE(sink.force.cwiseAbs().maxCoeff(), kRounding * links * mass * g);
  // The first spring carries the whole chain; the force on the chain's side is upwards.
  EXPECT_NEAR(c.wrench(kind_of<model::SpringDamper>(), 2, c.system->start()).force.z(), links * mass * g,
              1e-9);
}

TEST(Units, ForcesAreInTheModelsUnit) {
  std::string text =
      kStart + part(2, "0,0,0") + "SFORCE/1, TRANSLATION, ACTIONONLY, I=200, J=1, FUNCTION=0.01\nEND\n";
  text.replace(text.find("NEWTON"), 6, "KNEWTON");
  const Compiled c(text);
  ASSERT_NE(c.system, nullptr) << c.read.messages();
  EXPECT_NEAR(c.evaluate(c.system->start()).force[2], 0.0, kRounding);  // 0.01 kN lift 1 kg at 10 m/s²
}

TEST(States, StartFromTheirInitialValuesAndAreKnownByName) {
  const Compiled c(kStart + part(2, "0,0,0") +
                   "VARIABLE/1, IC=3, FUNCTION=VARVAL(1)-DIF(1)**2+2\n"
                   "DIFF/1, IC=2,5, STATIC_HOLD, FUNCTION=-VARVAL(1)*DIF(1)\n"
                   "DIFF/2, IC=4, IMPLICIT, FUNCTION=DIF1(2)-DIF(1)\n"
                   "END\n");
  ASSERT_NE(c.system, nullptr) << c.read.messages();
  const assembly::Layout& layout = c.system->layout();
  const system::StateInfo* variable = c.system->find_states(kind_of<model::Variable>(), 1);
  const system::StateInfo* diff = c.system->find_states(kind_of<model::Diff>(), 1);
  const system::StateInfo* implicit = c.system->find_states(kind_of<model::Diff>(), 2);
  ASSERT_TRUE(variable && diff && implicit);
  EXPECT_TRUE(diff->static_hold && !diff->implicit && implicit->implicit);
  const assembly::State s = c.system->start();
  const auto residual = [&, sink = c.evaluate(s)](const system::StateInfo* info) {
    return sink.force[layout.block(info->states).offset];
  };
  EXPECT_EQ(layout.column_name(layout.block(diff->states).offset), "DIFF/1 state");
  EXPECT_DOUBLE_EQ(residual(variable), 3.0 - (3.0 - 4.0 + 2.0));
  EXPECT_DOUBLE_EQ(residual(diff), 5.0 + 3.0 * 2.0);
  EXPECT_DOUBLE_EQ(residual(implicit), -(0.0 - 2.0));
}

}  // namespace
}  // namespace trunnion::test
