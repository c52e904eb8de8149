// write → read → compare, field by field through the schema, for everything the table holds.

#include <gtest/gtest.h>

#include "lang/writer.hpp"
#include "support/random_statements.hpp"
#include "support/reading.hpp"
#include "support/same.hpp"

namespace trunnion::lang {
namespace {

constexpr int kModels = 300;

TEST(RoundTrip, RandomModels) {
  for (int seed = 0; seed < kModels; ++seed) {
    const model::Model before = test::RandomStatements(static_cast<std::uint64_t>(seed)).model();
    const std::string text = write_model(before);
    const test::Read after = test::read_adm(text);
    ASSERT_EQ(after.messages(), "") << "seed " << seed << "\n" << text;
    ASSERT_EQ(test::difference(before, after.model), "") << "seed " << seed << "\n" << text;
    ASSERT_EQ(write_model(after.model), text) << "seed " << seed;
  }
}

TEST(RoundTrip, RandomScripts) {
  for (int seed = 0; seed < kModels; ++seed) {
    const model::Script before = test::RandomStatements(static_cast<std::uint64_t>(seed)).script();
    const std::string text = write_script(before);
    const test::Read after = test::read_acf(text);
    ASSERT_EQ(after.messages(), "") << "seed " << seed << "\n" << text;
    ASSERT_EQ(test::difference(before, after.script), "") << "seed " << seed << "\n" << text;
    ASSERT_EQ(write_script(after.script), text) << "seed " << seed;
  }
}

// Both found by fuzzing.
TEST(RoundTrip, ATitleWithControlBytes) {
  const test::Read first = test::read_adm(std::string("t\0\0\1\2 title\nPART/1, GROUND\nEND\n", 31));
  EXPECT_EQ(first.model.title, "t???? title");
  const std::string text = write_model(first.model);
  const test::Read second = test::read_adm(text);
  EXPECT_EQ(second.messages(), "");
  EXPECT_EQ(write_model(second.model), text);
}

TEST(RoundTrip, AScriptOfSeparatorsIsEmpty) {
  EXPECT_EQ(test::read_acf("\n ;\n").messages(), "run.acf:1:1: error: the file is empty\n");
}

TEST(RoundTrip, EveryStatementWithEveryArgumentAlone) {
  test::RandomStatements random(7);
  for (const model::Schema& schema : model::all_schemas()) {
    if (schema.where == model::Where::command) continue;
    for (std::size_t only = 0; only < schema.arguments.size(); ++only) {
      model::Model before;
      before.title = "t";
      model::Statement& s = before.add(schema.kind, schema.has_id ? 5 : 0);
      random.set(schema.arguments[only], s);
      const std::string text = write_model(before);
      const test::Read after = test::read_adm(text);
      ASSERT_EQ(after.messages(), "") << text;
      ASSERT_EQ(test::difference(before, after.model), "") << text;
    }
  }
}

TEST(Same, SeesEveryField) {
  // The comparison itself must be able to fail: each argument changed alone is found, by name.
  test::RandomStatements random(3);
  for (const model::Schema& schema : model::all_schemas()) {
    for (const model::Argument& a : schema.arguments) {
      model::Command empty(schema.kind);
      model::Command filled(schema.kind);
      random.set(a, model::statement_of(filled));
      const std::string found =
          test::difference(schema, model::statement_of(empty), model::statement_of(filled));
      EXPECT_TRUE(found.ends_with(std::string(a.name))) << schema.keyword << " " << a.name << ": " << found;
    }
  }
}

TEST(Writer, LinesAreAtMostEightyColumnsWhereTheyCanBeBroken) {
  model::Model m;
  m.title = "t";
  model::Matrix& matrix = m.add(model::Matrix{});
  matrix.id = 1;
  for (int i = 0; i < 200; ++i) matrix.values.push_back(i / 7.0);
  model::Variable& variable = m.add(model::Variable{});
  variable.id = 1;
  std::string sum = "TIME";
  for (int i = 0; i < 60; ++i) sum += "+VARVAL(" + std::to_string(i) + ")";
  variable.function = sum;
  const std::string text = write_model(m);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 80u) << text.substr(at, end - at);
    at = end + 1;
  }
}

TEST(Writer, ExactText) {
  const test::Read read = test::read_adm(
      "t\n"
      "! adams_view_name='hinge'\n"
      "j/3,re , i=0021,j=10 ! why\n"
      "var/1,ic=2,fun= 1.0*( TIME - 2 )\\ , routine=a::b\n"
      "M/10,p=1,q=1.0,0.50,1e-3,reu=90d,0,0\n"
      "PART/1,GROUND\n"
      "accg/k=-9806.65\n"
      "outp/req,grs\n"
      "END");
  ASSERT_EQ(read.messages(), "");
  EXPECT_EQ(write_model(read.model),
            "t\n"
            "! why\n"
            "! adams_view_name='hinge'\n"
            "JOINT/3, REVOLUTE, I = 21, J = 10\n"
            "VARIABLE/1, FUNCTION = 1.0*(TIME-2)\\, IC = 2, ROUTINE = a::b\n"
            "MARKER/10, PART = 1, QP = 1, 0.5, 0.001, REULER = 90D, 0, 0\n"
            "PART/1, GROUND\n"
            "ACCGRAV/KGRAV = -9806.65\n"
            "OUTPUT/REQSAVE, GRSAVE\n"
            "END\n");
}

// A pendulum built in C++, as the README of the library would show it.
model::Model pendulum() {
  using namespace model;
  Model m;
  m.title = "pendulum";
  Units& units = m.add(Units{});
  units.force = Units::Force::newton;
  units.mass = Units::Mass::kilogram;
  units.length = Units::Length::meter;
  units.time = Units::Time::second;
  Accgrav& gravity = m.add(Accgrav{});
  gravity.kgrav = -9.80665;
  Part ground;
  ground.id = 1;
  ground.name = "ground";
  ground.ground = true;
  m.add(ground);
  Marker pivot;
  pivot.id = 1;
  pivot.part = ground;
  pivot.reuler = {0, 1.5707963267948966, 0};
  m.add(pivot);
  Part bob;
  bob.id = 2;
  bob.name = "bob's arm";
  bob.mass = 1.5;
  bob.cm = 3;
  bob.ip = {0.1, 0.1, 0.002};
  bob.qg = {0.3, 0, -0.4};
  m.add(bob);
  for (const int id : {2, 3}) {
    Marker marker;
    marker.id = id;
    marker.part = bob;
    if (id == 2) marker.qp = {-0.3, 0, 0.4};
    marker.reuler = {0, 1.5707963267948966, 0};
    m.add(marker);
  }
  Joint hinge;
  hinge.id = 1;
  hinge.type = Joint::Type::revolute;
  hinge.i = 2;
  hinge.j = pivot;
  m.add(hinge);
  Sforce friction;
  friction.id = 1;
  friction.type = Freedom::rotation;
  friction.i = 2;
  friction.j = pivot;
  friction.function = "-0.02 * WZ(2, 1, 1)";
  m.add(friction);
  return m;
}

TEST(RoundTrip, PendulumBuiltInCpp) {
  const model::Model before = pendulum();
  core::Diagnostics diagnostics;
  api::check(before, diagnostics);
  EXPECT_EQ(core::render(diagnostics, core::SourceSet{}), "");
  const std::string text = write_model(before);
  const test::Read after = test::check_adm(text);
  EXPECT_EQ(after.messages(), "") << text;
  EXPECT_EQ(test::difference(before, after.model), "") << text;
  EXPECT_EQ(write_model(after.model), text);
}

}  // namespace
}  // namespace trunnion::lang
