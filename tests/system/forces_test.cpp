// Forces and states from model text to residuals: closed forms, balance, messages.

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "elements/beam.hpp"
#include "elements/dense_sink.hpp"
#include "results/channels.hpp"
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

// A reading's equation is w = the reaction or force it names, in the model's unit of force.
TEST(Readings, AreTheForcesTheyName) {
  const std::string readings[] = {"JOINT(1,0,2)",  "JOINT(1,1,7,200)",  "JOINT(1,0,5)",      "SFORCE(1,0,1)",
                                  "SFORCE(1,1,4)", "GFORCE(1,1,6,300)", "BUSH(1,1,8)",       "FY(300,2)",
                                  "TX(2,300,200)", "MOTION(1,0,8)",     "VFORCE(9,0,2,200)", "FZ(310,21)"};
  std::string text =
      kStart + "MARKER/2, PART=1, QP=0.3,0.2,0.1, REULER=0.3,0.4,0.5\n" +
      part(2, "0.5,0.1,0.2\n, REULER=0.1,0.7,0.2") + part(3, "0.3,0.2,0.1\n, REULER=0.3,0.4,0.5") +
      "MARKER/310, PART=3, QP=0.1,0,0\n"
      "MARKER/20, PART=1, FLOATING\nMARKER/21, PART=2, FLOATING\n"
      "JOINT/1, REVOLUTE, I=300, J=2\n"
      "MOTION/1, JOINT=1, ROTATION, FUNCTION=TIME\n"
      "SFORCE/1, TRANSLATION, I=200, J=300, FUNCTION=-3*DM(200,300)\n"
      "GFORCE/1, I=310, JFLOAT=21, RM=200, FX=1\\FY=2\\FZ=DX(310,200)\\TX=4\\TY=5\\TZ=WX(310)\n"
      "VFORCE/9, I=200, JFLOAT=20, RM=300, FX=1\\FY=2\\FZ=DX(310,200)\n"
      "BUSHING/1, I=300, J=2, K=1,2,3, KT=4,5,6, FORCE=1,2,3, TORQUE=4,5,6\n";
  int id = 0;
  for (const std::string& reading : readings)
    text += fmt::format("VARIABLE/{}, FUNCTION={}\n", ++id, reading);
  id = 0;
  for (const std::string& reading : readings) text += fmt::format("REQUEST/{}, F2={}\n", ++id, reading);
  text += "END\n";
  text.replace(text.find("NEWTON"), 6, "KNEWTON");
  Compiled c(text);
  ASSERT_NE(c.system, nullptr) << c.read.messages();
  assembly::State s = c.system->start();
  for (Eigen::Index k = 0; k < s.lambda.size(); ++k) s.lambda[k] = 100.0 + 37.0 * static_cast<double>(k);
  results::Channels channels(c.system, c.read.model, c.read.diagnostics);
  std::vector<double> values;
  channels.sample(s, values);
  const DenseSink sink = c.evaluate(s);
  const assembly::Layout& layout = c.system->layout();
  int found = 0;
  for (int b = 0; b < layout.block_count(); ++b) {
    const assembly::Block& block = layout.block({b});
    for (std::size_t r = 0; r < std::size(readings); ++r) {
      if (block.owner != "reading " + readings[r]) continue;
      ++found;
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (channels.list()[k].name != fmt::format("REQUEST/{}.F2", r + 1)) continue;
        EXPECT_NEAR(-sink.force[block.offset], values[k], 1e-12 * (1 + std::abs(values[k]))) << readings[r];
        EXPECT_NE(values[k], 0.0) << readings[r];
      }
    }
  }
  EXPECT_EQ(found, static_cast<int>(std::size(readings)));
}

// Every model of the corpus becomes a System, or the messages name what cannot act.
TEST(Corpus, CompilesOrSaysWhatIsMissing) {
  const std::string folder = std::string(TRUNNION_CORPUS_DIR) + "/models";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no corpus at " << folder;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".adm") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    const Read read = check_adm(text.str());
    if (read.diagnostics.has_errors()) continue;  // damaged on purpose
    const Compiled c(text.str());
    EXPECT_EQ(c.system == nullptr, c.read.diagnostics.has_errors()) << entry.path();
    for (const core::Diagnostic& d : c.read.diagnostics.all()) {
      if (d.severity != core::Severity::error) continue;
      EXPECT_FALSE(d.subject.empty()) << d.message;
      EXPECT_THAT(d.message, ::testing::HasSubstr("yet")) << d.subject;
    }
  }
}

}  // namespace
}  // namespace trunnion::test
