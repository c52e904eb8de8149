#include "system/check.hpp"

#include <gtest/gtest.h>

#include "api/session/project.hpp"
#include "support/reading.hpp"
#include "system/owner.hpp"

namespace trunnion::system {
namespace {

using model::kind_of;

// First line of each message, without place.
std::string complaints(const std::string& more) {
  const test::Read read = test::check_adm(test::small_model(more));
  std::string out;
  for (const core::Diagnostic& d : read.diagnostics.all()) out += d.subject + ": " + d.message + "\n";
  return out;
}

TEST(Check, TheSmallModelIsClean) { EXPECT_EQ(complaints(""), ""); }

TEST(Check, EachCheck) {
  struct Case {
    const char *more, *complaint;
  };
  const Case cases[] = {
      // expressions
      {"VARIABLE/1, FUNCTION=DX(20,10)+VARVAL(1)\n", ""},
      {"VARIABLE/1, FUNCTION=STEP(TIME,0,0,1)\n", "VARIABLE/1: FUNCTION: STEP takes 5 arguments, 4 given\n"},
      {"VARIABLE/1, FUNCTION=IMPACT(DX(20,10),VX(20,10),0.1,1E5,1.5,10,1E-3)\n", ""},
      {"VARIABLE/1, FUNCTION=IMPACT(DX(20,10),VX(20,10),0.1,-1E5,0.5,-10,0)\n",
       "VARIABLE/1: FUNCTION: in IMPACT the stiffness k is -1e+05: it never pushes\n"
       "VARIABLE/1: FUNCTION: in IMPACT the exponent e is 0.5: below 1 the stiffness is without bound at "
       "first "
       "touch\n"
       "VARIABLE/1: FUNCTION: in IMPACT the damping c is -10: a hit gains energy\n"
       "VARIABLE/1: FUNCTION: in IMPACT the depth d is 0: damping acts in full at first touch, where the "
       "force "
       "jumps\n"},
      {"VARIABLE/1, FUNCTION=BISTOP(DX(20,10),VX(20,10),0.1,-0.2,1E5,1.5,0,0)\n",
       "VARIABLE/1: FUNCTION: in BISTOP x1 lies 0.3 above x2: there is no place between the stops\n"},
      {"SPRINGDAMPER/1, TRANSLATION, I=20, J=10, K=100, C=-5, LENGTH=1\n",
       "SPRINGDAMPER/1: C = -5 is negative: it feeds energy into what moves\n"},
      {"BUSHING/1, I=20, J=10, K=100,-100,100, C=1,1,1\n",
       "BUSHING/1: K = -100 is negative: it pushes on what has moved away\n"},
      {"VARIABLE/1, FUNCTION=DX(22,10)\n",
       "VARIABLE/1: FUNCTION: MARKER/22 is not in the model; nearest: MARKER/21\n"},
      {"VARIABLE/1, FUNCTION=FOO+DX(22,10)+BAR(2)+SIN(1,2)\n",
       "VARIABLE/1: FUNCTION: unknown name FOO\n"
       "VARIABLE/1: FUNCTION: MARKER/22 is not in the model; nearest: MARKER/21\n"
       "VARIABLE/1: FUNCTION: unknown function BAR\n"
       "VARIABLE/1: FUNCTION: SIN takes 1 argument, 2 given\n"},
      {"VARIABLE/1, FUNCTION=VARVAL(2)\n",
       "VARIABLE/1: FUNCTION: VARIABLE/2 is not in the model; nearest: VARIABLE/1\n"},
      {"VARIABLE/1, FUNCTION=AKISPL(TIME,0,3)\n",
       "VARIABLE/1: FUNCTION: SPLINE/3 is not in the model; it has no SPLINE\n"},
      {"VARIABLE/1, FUNCTION=JOINT(5,0,2,0)\n", ""},
      {"VARIABLE/1, FUNCTION=JOINT(6,0,2,0)\n",
       "VARIABLE/1: FUNCTION: JOINT/6 is not in the model; nearest: JOINT/5\n"},
      // bodies and markers
      {"PART/9, GROUND\n", "PART/9: there can be only one ground: PART/1 is already GROUND\n"},
      {"PART/3, MASS=1, CM=20\n", "PART/3: CM = MARKER/20 is on PART/2; it must be on this part\n"},
      {"PART/3, MASS=1, CM=30, IM=20, IP=1,1,1\nMARKER/30\n",
       "PART/3: IM = MARKER/20 is on PART/2; it must be on this part\n"},
      {"PART/3, MASS=1\n", "PART/3: a part with MASS needs CM, the marker at its mass centre\n"},
      {"PART/3\n", ""},
      {"JOINT/6, FIXED, I=20, J=21\n",
       "JOINT/6: I and J are both on PART/2; it must act between two bodies\n"},
      {"SFORCE/6, TRANSLATIONAL, I=20, J=21, FUNCTION=1\n",
       "SFORCE/6: I and J are both on PART/2; it must act between two bodies\n"},
      {"SFORCE/6, TRANSLATIONAL, ACTIONONLY, I=20, J=21, FUNCTION=1\n", ""},
      {"MARKER/30, PART=1, FLOATING\nVFORCE/1, I=20, JFLOAT=30, RM=10, FX=1\\FY=0\\FZ=0\n", ""},
      {"MARKER/30, PART=1\nVFORCE/1, I=20, JFLOAT=30, RM=10, FX=1\\FY=0\\FZ=0\n",
       "VFORCE/1: JFLOAT = MARKER/30 must be a FLOATING marker\n"},
      {"MARKER/30, PART=1, FLOATING\nJOINT/6, FIXED, I=20, J=30\n",
       "JOINT/6: J = MARKER/30 is a FLOATING marker, which has no fixed position\n"},
      {"POINT_MASS/3, MASS=1, CM=30\nMARKER/30, POINT_MASS=3\nJOINT/6, REVOLUTE, I=30, J=10\n",
       "JOINT/6: I = MARKER/30 is on POINT_MASS/3, which has no orientation\n"},
      {"POINT_MASS/3, MASS=1, CM=30\nMARKER/30, POINT_MASS=3\nJOINT/6, SPHERICAL, I=30, J=10\n", ""},
      // tables of data
      {"SPLINE/1, X=1,2,3,4, Y=1,2,3,4\n", ""},
      {"SPLINE/1, X=1,2,2,4, Y=1,2,3,4\n",
       "SPLINE/1: X must increase: value 3 (2) does not exceed value 2 (2)\n"},
      {"SPLINE/1, X=1,2,3,4, Y=1,2,3\n", "SPLINE/1: Y has 3 values, but X has 4\n"},
      {"SPLINE/1, X=1,2,3,4, Y=0,1,2,3,4, Y=1,1,2,3,4\n", ""},
      {"SPLINE/1, X=1,2,3,4, Y=1,2,3,4, Y=1,1,2,3,4\n",
       "SPLINE/1: Y has 4 values, but X has 4; each Y of a family needs one more, its z, in front\n"},
      {"MATRIX/1, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=1,2,3,4\n", ""},
      {"MATRIX/1, FULL=CORDER, ROWS=2, COLUMNS=2, VALUES=1,2,3\n",
       "MATRIX/1: 2 rows and 2 columns need 4 VALUES, found 3\n"},
      {"MATRIX/1, FULL=RORDER, ROWS=1000000, COLUMNS=1000000, VALUES=1\n",
       "MATRIX/1: 1000000 rows and 1000000 columns need 1000000000000 VALUES, found 1\n"},
      // friction of another joint
      {"FRICTION/1, JOINT=5, MU_STATIC=0.3, PIN_RADIUS=2, FRICTION_ARM=1, BENDING_REACTION_ARM=1\n"
       ", FRICTION_TORQUE_PRELOAD=1\n",
       ""},
      {"FRICTION/1, JOINT=5, REACTION_ARM=2, J_YOKE\n",
       "FRICTION/1: REACTION_ARM has no effect in JOINT/5; it is for TRANSLATIONAL\n"
       "FRICTION/1: the yoke has no effect in JOINT/5; it is for HOOKE, UNIVERSAL\n"},
      {"JOINT/6, CYLINDRICAL, I=20, J=10\nFRICTION/1, JOINT=6, PIN_RADIUS=2, BALL_RADIUS=3, "
       "OVERLAP_DELTA=INCREASE\n",
       "FRICTION/1: BALL_RADIUS has no effect in JOINT/6; it is for SPHERICAL\n"},
      {"JOINT/6, TRANSLATIONAL, I=20, J=10\nFRICTION/1, JOINT=6, FRICTION_TORQUE_PRELOAD=2, "
       "INITIAL_OVERLAP=1\n",
       "FRICTION/1: FRICTION_TORQUE_PRELOAD has no effect in JOINT/6; it is for REVOLUTE, CYLINDRICAL, "
       "HOOKE, "
       "UNIVERSAL, SPHERICAL\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(complaints(c.more), c.complaint) << c.more;
}

TEST(Check, ForeignFrictionIsAWarningWithItsPlace) {
  const test::Read read =
      test::check_adm(test::small_model("FRICTION/1, JOINT=5, MU_STATIC=0.3\n, BALL_RADIUS=3\n"));
  EXPECT_EQ(read.messages(),
            "model.adm:9:15: warning: FRICTION/1: BALL_RADIUS has no effect in JOINT/5; it is for SPHERICAL\n"
            "    , BALL_RADIUS=3\n"
            "                  ^\n");
}

TEST(Check, MarkerBeforeAnyBody) {
  const test::Read read = test::check_adm("t\nMARKER/1\nPART/1, GROUND\nEND\n");
  EXPECT_EQ(read.messages(),
            "model.adm:2:1: error: MARKER/1: the marker has no PART=, and no body precedes it in the file\n"
            "    MARKER/1\n"
            "    ^~~~~~~~\n"
            "    try: add PART=\n");
}

TEST(Check, AModelFromCppSaysWhereInTheExpression) {
  model::Model m;
  m.add(model::Part{}).ground = true;
  model::Variable v;
  v.id = 1;
  v.function = "1+STP(TIME)";
  m.add(v);
  core::Diagnostics diagnostics;
  api::check(m, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].message, "FUNCTION: unknown function STP (at column 3 of 1+STP(TIME))");
}

TEST(Check, ExpressionsOfCommands) {
  const test::Read model = test::read_adm(test::small_model());
  test::Read script = test::read_acf("\nSFORCE/1, FUNCTION=STEP(TIME,\n, 0, 0, DX(99,10), 1)\n");
  check_script(script.script, model.model, script.locate(), script.diagnostics);
  EXPECT_EQ(script.messages(),
            "run.acf:3:12: error: SFORCE/1: FUNCTION: MARKER/99 is not in the model; nearest: MARKER/21\n"
            "    , 0, 0, DX(99,10), 1)\n"
            "               ^~\n");
}

// A rod, a disc and a ball pass, also with few digits; what is no body does not.
TEST(Check, Inertia) {
  struct Case {
    const char *ip, *complaint;
  };
  const Case cases[] = {
      {"IP=1,1,1", ""},
      {"IP=0,1,1", ""},                  // a thin rod
      {"IP=0,0,0", ""},                  // all of it at one place
      {"IP=1,1,2", ""},                  // a disc
      {"IP=8.3E-4,8.3E-4,1.67E-3", ""},  // a disc in three digits: 1.67 > 1.66
      {"IP=0.0417,0.0417,0.0833", ""},
      {"IP=1,1,-1E-9", "PART/9: IP: the moment of inertia Izz = -1e-09 is negative\n"},
      {"IP=1,1,2.1",
       "PART/9: IP belongs to no real body: its principal moments at the mass centre are 1, 1 and 2.1, and "
       "none "
       "can exceed the sum of the "
       "other two\n"},
      {"IP=1,1,1,0.5,0,0", ""},
      {"IP=1,1,1,1.5,0,0",
       "PART/9: IP is not a valid inertia tensor: its principal moments at the mass centre are -0.5, 1 and "
       "2.5\n"},
      // About a marker 1 off the mass centre, where 2 kg add 2 to two of the moments.
      {"IP=1,3,3, IM=91", ""},
      {"IP=1,1,1, IM=91",
       "PART/9: IP is not a valid inertia tensor: its principal moments at the mass centre are -1, -1 and "
       "1\n"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(complaints(std::string("PART/9, MASS=2, CM=90, ") + c.ip +
                         "\nMARKER/90, PART=9\nMARKER/91, PART=9, QP=1,0,0\n"),
              c.complaint)
        << c.ip;
}

TEST(Owners, NamedOrImplied) {
  const test::Read read = test::read_adm(
      "t\nPART/1, GROUND\nMARKER/1\nPART/2\nMARKER/2\nMARKER/3, PART=1\nPOINT_MASS/5\nMARKER/4\n"
      "FLEX_BODY/6\nMARKER/5, FLEX_BODY=6, NODE_ID=9\nMARKER/6, FE_PART=7\nEND\n");
  ASSERT_EQ(read.messages(), "");
  const Owners owners(read.model);
  EXPECT_EQ(owners.of(1), (Owner{kind_of<model::Part>(), 1}));
  EXPECT_EQ(owners.of(2), (Owner{kind_of<model::Part>(), 2}));
  EXPECT_EQ(owners.of(3), (Owner{kind_of<model::Part>(), 1}));
  EXPECT_EQ(owners.of(4), (Owner{kind_of<model::PointMass>(), 5}));
  EXPECT_EQ(owners.of(5), (Owner{kind_of<model::FlexBody>(), 6}));
  EXPECT_EQ(owners.of(6), (Owner{kind_of<model::FePart>(), 7}));
  EXPECT_FALSE(owners.of(99).known());
}

}  // namespace
}  // namespace trunnion::system
