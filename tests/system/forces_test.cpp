// Forces and states from model text to residuals: closed forms, balance, messages.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "elements/beam.hpp"
#include "elements/dense_sink.hpp"
#include "results/channels/channels.hpp"
#include "support/reading.hpp"
#include "system/compile/compile.hpp"

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
    system::System::Workspace work(*system, assembly::AnalysisMode::dynamics);
    DenseSink sink(system->layout(), state);
    system->evaluate(state, work, sink);
    return sink;
  }
  elements::Wrench wrench(model::Kind kind, int id, const assembly::State& state, bool on_j = false) const {
    system::System::Workspace work(*system, assembly::AnalysisMode::dynamics);
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
  channels.sample(s, assembly::AnalysisMode::dynamics, values);
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

// One marker: the same law as a FIELD.
TEST(Nforce, OfOneMarkerIsAField) {
  std::string K = "1", half;
  for (int k = 2; k <= 36; ++k) K += fmt::format(",\n, {}", (7 * k) % 11);
  const std::string text =
      kStart + part(2, "0.5,0.1,0.2, REULER=0.1,0.2,0.2") + part(3, "0.4,0.2,0.1, REULER=0.1,0.1,0.1") +
      "MATRIX/1, FULL=CORDER, ROWS=6, COLUMNS=6, VALUES=" + K +
      "\nMATRIX/2, FULL=RORDER, ROWS=6, COLUMNS=1, VALUES=0.1,0.2,0.3,0.1,0.2,0.3\n"
      "MATRIX/3, FULL=RORDER, ROWS=6, COLUMNS=1, VALUES=1,2,3,4,5,6\n"
      "NFORCE/1, IMARKERS=200, J=300, KMATRIX=1, CRATIO=0.1, LENGTH=2, FORCE=3\n"
      "FIELD/1, I=200, J=300, CRATIO=0.1, LENGTH=0.1,0.2,0.3,0.1,0.2,0.3, FORCE=1,2,3,4,5,6\n, KMATRIX=" +
      K + "\nVARIABLE/1, FUNCTION=NFORCE(1,200,3)-FIELD(1,0,3)+NFORCE(1,300,7)-FIELD(1,1,7)\nEND\n";
  const Compiled c(text);
  ASSERT_NE(c.system, nullptr) << c.read.messages();
  assembly::State s = c.system->start();
  for (Eigen::Index k = 0; k < 12; ++k) s.v[k] = 0.1 * static_cast<double>(k);
  for (const bool on_j : {false, true}) {
    const elements::Wrench a = c.wrench(kind_of<model::Nforce>(), 1, s, on_j);
    const elements::Wrench b = c.wrench(kind_of<model::Field>(), 1, s, on_j);
    EXPECT_GT(a.force.norm(), 1.0);
    EXPECT_LE((a.force - b.force).norm() + (a.torque - b.torque).norm(), 1e-12 * a.force.norm());
  }
}

// A block of 2 kg on an incline: its joint's reaction across the incline is given, the friction force is μ times that.
TEST(Friction, IsTheCoefficientTimesTheLoad) {
  const auto force = [](double speed, const std::string& more) {
    const Compiled c(kStart + "MARKER/2, PART=1, REULER=0,90D,0\n" + part(2, "0,0,0, REULER=0,90D,0", 2.0) +
                     "JOINT/1, TRANSLATIONAL, I=200, J=2\n"
                     "FRICTION/1, JOINT=1, MU_STATIC=0.5, MU_DYNAMIC=0.3, STICTION_TRANSITION_VELOCITY=0.01" +
                     more + "\nEND\n");
    EXPECT_NE(c.system, nullptr) << c.read.messages();
    assembly::State s = c.system->start();
    const assembly::Layout& layout = c.system->layout();
    s.v[1] = -speed;  // z of the joint is −y of ground
    for (int b = 0; b < layout.block_count(); ++b) {
      const assembly::Block& block = layout.block({b});
      if (block.owner == "reading JOINT(1,0,3,2)") s.q[block.pose_offset] = 20.0;
    }
    return c.wrench(kind_of<model::Friction>(), 1, s).force.y();
  };
  EXPECT_NEAR(force(1.0, ""), 0.3 * 20.0, 1e-12);    // sliding
  EXPECT_NEAR(force(-1.0, ""), -0.3 * 20.0, 1e-12);  // either way
  EXPECT_NEAR(force(0.01, ""), 0.5 * 20.0, 1e-12);   // about to stick
  EXPECT_EQ(force(0.0, ""), 0.0);
  EXPECT_NEAR(force(1.0, ", INPUTS=PRELOAD, FRICTION_FORCE_PRELOAD=7"), 7.0, 1e-12);
  EXPECT_NEAR(force(0.01, ", EFFECT=SLIDING"), 0.3 * 20.0, 1e-12);
}

TEST(Sensors, WatchAndKeepExpressions) {
  const Compiled c(kStart + part(2, "0.5,0,0") +
                   "VARIABLE/1, FUNCTION=SENVAL(1)+TIME\n"
                   "SENSOR/1, FUNCTION=DX(200,1), VALUE=0.25, GE, EVALUATE=2*DX(200,1)\\HALT\nEND\n");
  ASSERT_NE(c.system, nullptr) << c.read.messages();
  ASSERT_EQ(c.system->sensors().size(), 1u);
  const system::Sensor& sensor = c.system->sensors()[0];
  system::System::Workspace work(*c.system, assembly::AnalysisMode::dynamics);
  const assembly::State s = c.system->start();
  c.system->update(s, work);
  EXPECT_DOUBLE_EQ(c.system->watch(sensor, s, work), 0.5);
  EXPECT_DOUBLE_EQ(c.system->evaluate(sensor, s, work), 1.0);
  EXPECT_TRUE(sensor.statement.halt && sensor.statement.comparison == model::Sensor::Comparison::ge);
  ASSERT_GE(sensor.memory, 0);
}

// Many states: the partials are A, entry by entry, as they are of few.
TEST(Forces, PartialsOfManyStatesAreTheMatrix) {
  constexpr int kStates = 80;
  std::string values;
  for (int k = 0; k < kStates * kStates; ++k)
    values += (k == 0 ? "" : k % 8 == 0 ? "\n, " : ",") + std::to_string((k * 7919) % 101 - 50);
  Compiled c(
      "many\nPART/1, GROUND\nMARKER/1, PART=1\nARRAY/1, X\nMATRIX/1, FULL=RORDER, ROWS=80, COLUMNS=80, "
      "VALUES=" +
      values + "\nLSE/1, X=1, A=1\nEND\n");
  ASSERT_NE(c.system, nullptr) << c.read.messages();
  const DenseSink sink = c.evaluate(c.system->start());
  for (int i = 0; i < kStates; ++i) {
    for (int j = 0; j < kStates; ++j) {
      ASSERT_EQ(sink.D[0](i, j), -((((i * kStates + j) * 7919) % 101) - 50)) << i << " " << j;
      ASSERT_EQ(sink.D[1](i, j), i == j ? 1 : 0);
    }
  }
}

// LSE and TFSISO of the same system have the same equations.
TEST(StateSpace, TransferFunctionAndMatricesAgree) {
  const Compiled c(kStart + part(2, "0,0,0") +
                   "VARIABLE/1, IC=2, FUNCTION=TIME\n"
                   "ARRAY/1, U, VARIABLES=1\nARRAY/2, X\nARRAY/3, Y\nARRAY/4, X\nARRAY/5, Y\nARRAY/6, IC, "
                   "NUMBERS=0.5,0.25\n"
                   "TFSISO/1, X=2, U=1, Y=3, NUMERATOR=1,2,0.5, DENOMINATOR=3,4,5\n"
                   "MATRIX/1, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=0,1,-0.6,-0.8\n"
                   "MATRIX/2, FULL=RORDER, ROWS=2, COLUMNS=1, VALUES=0,0.2\n"
                   "MATRIX/3, FULL=RORDER, ROWS=1, COLUMNS=2, VALUES=0.7,1.6\n"
                   "MATRIX/4, FULL=RORDER, ROWS=1, COLUMNS=1, VALUES=0.1\n"
                   "LSE/1, X=4, U=1, Y=5, IC=6, A=1, B=2, C=3, D=4\n"
                   "VARIABLE/2, FUNCTION=ARYVAL(3,1)-ARYVAL(5,1)+ARYVAL(6,2)\nEND\n");
  ASSERT_NE(c.system, nullptr) << c.read.messages();
  const assembly::Layout& layout = c.system->layout();
  const system::StateInfo* t = c.system->find_states(kind_of<model::Tfsiso>(), 1);
  const system::StateInfo* l = c.system->find_states(kind_of<model::Lse>(), 1);
  ASSERT_TRUE(t && l);
  assembly::State s = c.system->start();
  EXPECT_EQ(s.q[layout.block(l->states).pose_offset + 1], 0.25);
  s.q.segment(layout.block(t->states).pose_offset, 2) << 0.5, 0.25;
  const DenseSink sink = c.evaluate(s);
  EXPECT_LE((sink.force.segment(layout.block(t->states).offset, 2) -
             sink.force.segment(layout.block(l->states).offset, 2))
                .norm(),
            1e-15);
  EXPECT_NEAR(sink.force[layout.block(t->outputs).offset], -(0.7 * 0.5 + 1.6 * 0.25 + 0.1 * 2.0), 1e-15);
  EXPECT_NEAR(sink.force[layout.block(t->outputs).offset], sink.force[layout.block(l->outputs).offset],
              1e-15);
}

TEST(Messages, NameWhatIsWrongAndGoOn) {
  const Compiled c(kStart + part(2, "0,0,0") +
                   "ARRAY/1, X\nARRAY/2, U, VARIABLES=1\nARRAY/3, Y\nVARIABLE/1, FUNCTION=ARYVAL(2,4)\n"
                   "TFSISO/1, X=1, U=2, Y=3, NUMERATOR=1,2, DENOMINATOR=3\n"
                   "SFORCE/1, TRANSLATION, I=200, J=1, FUNCTION=USER(1,2)\n"
                   "END\n");
  EXPECT_EQ(c.system, nullptr);
  const std::string text = c.read.messages();
  EXPECT_THAT(text, ::testing::HasSubstr("the order of NUMERATOR exceeds that of DENOMINATOR"));
  EXPECT_THAT(text, ::testing::HasSubstr("component 4 does not exist: ARRAY/2 has 1"));
  EXPECT_THAT(text, ::testing::HasSubstr(
                        "SFORCE/1: its user code is not there: no library is given in which to find sfosub"));
}

TEST(Messages, AnArrayHasOneStatementThatFillsIt) {
  const Compiled c(
      kStart + part(2, "0,0,0") +
      "ARRAY/1, X\nMATRIX/1, FULL=RORDER, ROWS=1, COLUMNS=1, VALUES=-1\nLSE/1, X=1, A=1\nLSE/2, X=1, A=1\n"
      "END\n");
  EXPECT_EQ(c.system, nullptr);
  EXPECT_THAT(c.read.messages(), ::testing::HasSubstr("LSE/2: ARRAY/1 is already used by LSE/1"));
}

// What a formulation does not know is said at compile time.
TEST(Formulation, SaysWhatItDoesNotKnow) {
  const std::string head =
      "limits\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, QG=1,0,0, MASS=1, CM=20, IP=1,1,1\nMARKER/20, "
      "PART=2\n"
      "MARKER/21, PART=2, QP=-1,0,0\n";
  const auto messages = [&](const std::string& text) {
    Read read = check_adm(head + text + "END\n");
    const auto system = system::compile(read.model, {}, read.diagnostics);
    return std::pair{system != nullptr, read.messages()};
  };
  const auto [beam, warned] = messages(
      "BEAM/1, I=20, J=1, LENGTH=1, IXX=2, IYY=1, IZZ=1, AREA=1, ASY=1.2, EMODULUS=9, GMODULUS=4, "
      "FORMULATION=NONLINEAR\n");
  EXPECT_TRUE(beam);
  EXPECT_NE(warned.find("FORMULATION=NONLINEAR knows no shear: ASY and ASZ have no effect"),
            std::string::npos)
      << warned;
  const auto [friction, refused] =
      messages("JOINT/1, REVOLUTE, I=21, J=1\nFRICTION/1, JOINT=1, MU_STATIC=0.5, FORMULATION=LUGRE\n");
  EXPECT_FALSE(friction);
  EXPECT_NE(refused.find("FRICTION/1: the LuGre formulation needs friction while sliding"), std::string::npos)
      << refused;
  EXPECT_NE(refused.find("give MU_DYNAMIC a value above zero"), std::string::npos) << refused;
}

}  // namespace
}  // namespace trunnion::test
