#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/present/help.hpp"
#include "api/present/summary.hpp"
#include "support/reading.hpp"

namespace trunnion::api {
namespace {

TEST(Summary, CountsASmallModel) {
  const test::Read read = test::check_adm(
      "crank\n"
      "UNITS/FORCE=KNEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
      "! adams_view_name='ground'\n"
      "PART/1, GROUND\nMARKER/10\nMARKER/11\n"
      "! adams_view_name='arm'\n"
      "PART/2, MASS=1.5, CM=20, IP=1,1,1\nMARKER/20\nMARKER/21\n"
      "PART/3, MASS=2, CM=30, IP=1,1,1\nMARKER/30\n"
      "POINT_MASS/4, MASS=0.25, CM=40\nMARKER/40\n"
      "! adams_view_name='pin'\n"
      "JOINT/1, REVOLUTE, I=20, J=10\n"
      "JOINT/2, SPHERICAL, I=40, J=11\n"
      "JPRIM/1, INPLANE, I=30, J=21\n"
      "MOTION/1, JOINT=1, FUNCTION=TIME\n"
      "END\n");
  ASSERT_EQ(read.messages(), "");
  const Summary s = summarise(read.model);
  EXPECT_EQ(s.title, "crank");
  EXPECT_EQ(s.units.ucf, 1000);
  EXPECT_EQ(s.mass, 3.75);
  EXPECT_EQ(s.freedoms, 6 + 6 + 3);
  EXPECT_EQ(s.equations, 5 + 3 + 1 + 1);
  EXPECT_EQ(s.gruebler(), 5);
  ASSERT_EQ(s.bodies.size(), 4u);
  EXPECT_EQ(s.bodies[0].kind, "ground");
  EXPECT_EQ(s.bodies[1].label, "PART/2 'arm'");
  EXPECT_EQ(s.bodies[1].mass, 1.5);
  EXPECT_EQ(s.bodies[3].kind, "point mass");
  ASSERT_EQ(s.constraints.size(), 4u);
  EXPECT_EQ(s.constraints[0].label, "JOINT/1 'pin'");
  EXPECT_EQ(s.constraints[0].type, "REVOLUTE");
  EXPECT_EQ(s.constraints[0].between, "PART/2 'arm' – PART/1 'ground'");
  EXPECT_EQ(s.constraints[2].rows, 1);
  std::string counts;
  for (const CountSummary& c : s.counts)
    counts += std::string(c.keyword) + " " + std::to_string(c.count) + ", ";
  EXPECT_EQ(counts, "PART 3, POINT_MASS 1, MARKER 6, JOINT 2, JPRIM 1, MOTION 1, UNITS 1, ");
}

// Scalar equations by textbook: what is left of six freedoms between two bodies.
TEST(Summary, EquationsOfEveryJoint) {
  const std::pair<const char*, int> cases[] = {
      {"REVOLUTE", 1},  {"TRANSLATIONAL", 1},  {"CYLINDRICAL", 2},  {"SPHERICAL", 3},
      {"UNIVERSAL", 2}, {"HOOKE", 2},          {"FIXED", 0},        {"PLANAR", 3},
      {"CONVEL", 2},    {"SCREW, PITCH=1", 5}, {"RACKPIN, PD=1", 5}};
  for (const auto& [type, freedoms] : cases) {
    const test::Read read = test::read_adm(
        std::string("t\nPART/1, GROUND\nMARKER/1\nPART/2\nMARKER/2\nJOINT/1, ") + type + ", I=2, J=1\nEND\n");
    ASSERT_EQ(read.messages(), "") << type;
    EXPECT_EQ(summarise(read.model).gruebler(), freedoms) << type;
  }
  const std::pair<const char*, int> primitives[] = {{"ATPOINT", 3},       {"INLINE", 4},
                                                    {"INPLANE", 5},       {"ORIENTATION", 3},
                                                    {"PARALLEL_AXES", 4}, {"PERPENDICULAR", 5}};
  for (const auto& [type, freedoms] : primitives) {
    const test::Read read = test::read_adm(
        std::string("t\nPART/1, GROUND\nMARKER/1\nPART/2\nMARKER/2\nJPRIM/1, ") + type + ", I=2, J=1\nEND\n");
    ASSERT_EQ(read.messages(), "") << type;
    EXPECT_EQ(summarise(read.model).gruebler(), freedoms) << type;
  }
}

TEST(Summary, FlexibleBodiesCountAsRigidOnes) {
  const test::Read read = test::read_adm("t\nPART/1, GROUND\nFLEX_BODY/2, MNF_FILE=x.mnf\nEND\n");
  const Summary s = summarise(read.model);
  EXPECT_EQ(s.flexible_bodies, 1);
  EXPECT_EQ(s.freedoms, 6);
}

TEST(Summary, WhatIsNotActedOnIsListedOnce) {
  const test::Read read = test::read_adm("t\nPART/1, GROUND\nTIRE/1\nTIRE/2\nEND\n");
  int tires = 0;
  for (const CountSummary& c : summarise(read.model).not_acted_on)
    tires += c.keyword == "TIRE" ? static_cast<int>(c.count) : 0;
  EXPECT_EQ(tires, 2);
}

TEST(Help, EveryStatementNamesAllItsArguments) {
  for (const model::Schema& schema : model::all_schemas()) {
    const std::string text = statement_help(schema);
    EXPECT_NE(topic_help(schema.keyword).find(text), std::string::npos) << schema.keyword;
    EXPECT_NE(text.find(schema.help), std::string::npos) << schema.keyword;
    for (const model::Argument& a : schema.arguments) {
      EXPECT_NE(text.find(a.help), std::string::npos) << schema.keyword << " " << a.name;
    }
    EXPECT_NE(topic_list().find(schema.help), std::string::npos) << schema.keyword;
  }
}

TEST(Help, EveryFunction) {
  for (const expr::FunctionInfo& f : expr::functions()) {
    const std::string text = topic_help(f.name);
    EXPECT_NE(text.find(f.signature), std::string::npos) << f.name;
    EXPECT_NE(text.find(f.help), std::string::npos) << f.name;
    EXPECT_FALSE(f.help.empty()) << f.name;
    EXPECT_NE(topic_list().find(f.name), std::string::npos) << f.name;
  }
}

TEST(Help, Topics) {
  EXPECT_NE(topic_help("joint").find("JOINT"), std::string::npos);          // any case
  EXPECT_NE(topic_help("equil").find("EQU[ILIBRIUM]"), std::string::npos);  // shortened
  // A statement and a function of one name: both.
  EXPECT_NE(topic_help("BEAM").find("E[MODULUS]"), std::string::npos);
  EXPECT_NE(topic_help("BEAM").find("function in expressions"), std::string::npos);
  EXPECT_EQ(topic_help("NONSENSE"), "");
  EXPECT_EQ(nearest_topic("JIONT"), "JOINT");
  EXPECT_EQ(nearest_topic("EIGENSLO"), "EIGENSOL");
  EXPECT_EQ(nearest_topic("REVOLUT"), "REVOLUTE");
  EXPECT_EQ(nearest_topic("QQQQQQQQ"), "");
}

TEST(Help, TheManualInTheRepositoryIsCurrent) {
  std::ifstream file(TRUNNION_SOURCE_DIR "/docs/manual/language.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(file.is_open() && text.str() == manual_markdown())
      << "docs/manual/language.md is out of step with the tables; run\n  ./run help --markdown > "
         "docs/manual/language.md";
}

TEST(Help, TheManualNamesEverything) {
  const std::string manual = manual_markdown();
  for (const model::Schema& schema : model::all_schemas()) {
    EXPECT_NE(manual.find("### " + std::string(schema.keyword) + "\n"), std::string::npos) << schema.keyword;
  }
}

}  // namespace
}  // namespace trunnion::api
