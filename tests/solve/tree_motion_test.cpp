// The recursion over joint coordinates against the general evaluation: at any place and speed of any tree, with loops or without, the same
// accelerations to rounding, constraints satisfied at all three levels; what it is not for, by name.

#include "solve/tree_motion.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/mechanism.hpp"
#include "solve/stage_solver.hpp"
#include "support/count_allocations.hpp"
#include "system/levels.hpp"

namespace trunnion::test {
namespace {

using assembly::AnalysisMode;
using assembly::State;
using math::Vec3;
using solve::Outcome;
using testing::HasSubstr;

constexpr const char* kStart =
    "tree\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
    "MARKER/1, PART=1, QP=0.1,-0.2,0.3, REULER=20D,30D,40D\nACCGRAV/IGRAV=1, JGRAV=-9.81, KGRAV=0.5\n";

struct Tree {
  Mechanism m;
  solve::StageSolver solver;
  system::System::Workspace work;
  std::string why;
  std::unique_ptr<solve::ExplicitMotion> motion;
  State y;
  Eigen::VectorXd d;

  explicit Tree(const std::string& text)
      : m(text),
        solver(*m.system, m.assembled.active),
        work(*m.system, AnalysisMode::dynamics),
        motion(solve::make_tree_motion(solver, m.assembled.state, work, why)) {
    EXPECT_TRUE(m.assembled.ok) << m.messages();
    if (!motion) return;
    motion->express(m.assembled.state, y);
    motion->start_chart(y);
    d = Eigen::VectorXd::Zero(motion->sizes().all());
  }

  // From the start, moved and made fast by numbers of no pattern.
  Outcome evaluate(unsigned seed, double far, double fast) {
    std::srand(seed);
    const solve::ExplicitMotion::Sizes sizes = motion->sizes();
    motion->express(m.assembled.state, y);
    y.t += 0.01;
    motion->look(y.t);
    d = far * Eigen::VectorXd::Random(sizes.all());
    y.v.head(sizes.coordinates) += fast * Eigen::VectorXd::Random(sizes.coordinates);
    return motion->evaluate(d, y, work);
  }

  // The same state by the general solver: largest differences over the largest size, and what constraints are off by.
  void expect_equal(double tolerance) {
    State state = m.assembled.state;
    motion->complete(y, state);
    State general = state;
    ASSERT_TRUE(solver.accelerations(general, work)) << solver.message();
    const int n = m.system->layout().mechanical_size();
    const double size = std::max(1.0, general.a.head(n).lpNorm<Eigen::Infinity>());
    EXPECT_LE((general.a - state.a).head(n).lpNorm<Eigen::Infinity>(), tolerance * size);
    const assembly::Segment &z = m.system->layout().states(), &w = m.system->layout().variables();
    for (int k = 0; k < z.size; ++k) EXPECT_NEAR(general.v[z.offset + k], state.v[z.offset + k], tolerance);
    for (int k = 0; k < w.size; ++k)
      EXPECT_NEAR(general.q[w.pose_offset + k], state.q[w.pose_offset + k], tolerance);
    system::Levels levels(m.system->layout());
    levels.evaluate_rows(*m.system, state, work, true);
    const double fast = std::max(1.0, state.v.lpNorm<Eigen::Infinity>());
    for (const int r : m.assembled.active) {
      const std::string name = m.system->layout().row_name(assembly::RowId{r});
      EXPECT_LE(std::abs(levels.phi()[r]), 1e-12) << name;
      EXPECT_LE(std::abs(levels.rate()[r]), 1e-12 * fast) << name;
      EXPECT_LE(std::abs(levels.along(r, state.a) - levels.gamma()[r]), 1e-12 * size) << name;
    }
  }
};

// A part with no symmetry, its markers away from its mass centre and turned.
std::string part(int id, const char* place) {
  return fmt::format(
      "PART/{0}, MASS={1}, CM={0}0, IP=0.3,0.4,0.5,0.02,-0.03,0.04, {2}\nMARKER/{0}0, PART={0}, "
      "QP=0.1,0.05,-0.07\n",
      id, 0.5 + 0.25 * id, place);
}

struct JointCase {
  const char* name;
  const char* turn;  // of marker I against J, so that the joint can be assembled
};
class EveryJoint : public testing::TestWithParam<JointCase> {};

// A part that turns any way, from it two joints of the kind one after the other, the second with I and J exchanged and its axes elsewhere, and a
// free part on a bushing.
std::string two_of(const JointCase& joint) {
  return std::string(kStart) + part(5, "QG=0.1,-0.1,0.4, REULER=10D,5D,5D") +
         part(2, "QG=0.4,0.1,0.2, REULER=10D,20D,-30D") + part(3, "QG=0.7,0.5,0.3, REULER=-40D,15D,25D") +
         part(4, "QG=1.1,0.8,0.2, REULER=5D,5D,5D, VX=1, WY=2") +
         fmt::format(
             "MARKER/51, PART=5, QP=0.1,-0.1,0.1\nMARKER/52, PART=5, QP=0.2,0.1,0.3, REULER=70D,40D,10D\n"
             "MARKER/21, PART=2, QP=-0.1,0.2,0.1{1}\nMARKER/31, PART=3, QP=0,-0.2,0.1, REULER=60D,80D,0D\n"
             "MARKER/32, PART=3, QP=0.2,-0.2,0.1, REULER=3D,2D,1D\nMARKER/33, PART=2, QP=0.3,0,0.1{2}\n"
             "MARKER/41, PART=4, QP=0.1,0,0\n"
             "JOINT/3, SPHERICAL, I=51, J=1\nJOINT/1, {0}, I=21, J=52\nJOINT/2, {0}, I=33, J=31\n"
             "BUSHING/1, I=41, J=32, K=50,60,70, C=1,2,3, KT=3,2,1, CT=0.1,0.2,0.3\n"
             "SFORCE/1, TRANSLATIONAL, I=32, J=1, FUNCTION=5*SIN(3*TIME)-2*VR(32,1)\nEND\n",
             joint.name, joint.turn, joint.turn[0] == 0 ? ", REULER=-20D,70D,30D" : "");
}

TEST_P(EveryJoint, MovesAsByTheGeneralEvaluation) {
  Tree tree(two_of(GetParam()));
  ASSERT_TRUE(tree.motion) << tree.why;
  EXPECT_THAT(tree.why, HasSubstr("recursion over"));
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_EQ(tree.evaluate(seed, 0.4, 3), Outcome::converged) << tree.motion->message();
    tree.expect_equal(1e-11);
  }
}

INSTANTIATE_TEST_SUITE_P(Tree, EveryJoint,
                         testing::Values(JointCase{"REVOLUTE", ""}, JointCase{"TRANSLATIONAL", ""},
                                         JointCase{"CYLINDRICAL", ""}, JointCase{"SPHERICAL", ""},
                                         JointCase{"UNIVERSAL", ", REULER=0D,90D,0D"}, JointCase{"HOOKE", ""},
                                         JointCase{"FIXED", ""}, JointCase{"PLANAR", ""},
                                         JointCase{"CONVEL", ""}),
                         [](const auto& which) { return std::string(which.param.name); });

// What was read from a state leads back to it.
TEST_P(EveryJoint, IsReadFromAStateAndWrittenBack) {
  Tree tree(two_of(GetParam()));
  ASSERT_TRUE(tree.motion) << tree.why;
  ASSERT_EQ(tree.evaluate(7, 0.4, 3), Outcome::converged);
  State there = tree.m.assembled.state, back = there, again;
  tree.motion->complete(tree.y, there);
  tree.motion->express(there, again);
  tree.motion->complete(again, back);
  const int n = tree.m.system->layout().mechanical_size();
  Eigen::VectorXd apart(tree.m.system->layout().size());
  assembly::difference(tree.m.system->layout(), there.q, back.q, apart);
  EXPECT_LE(apart.lpNorm<Eigen::Infinity>(), 1e-13);
  EXPECT_LE((there.v - back.v).lpNorm<Eigen::Infinity>(), 1e-12);
  EXPECT_LE((there.a - back.a).head(n).lpNorm<Eigen::Infinity>(),
            1e-11 * there.a.head(n).lpNorm<Eigen::Infinity>());
}

// States, variables that read variables, a point mass and a planar part.
TEST(Tree, TakesStatesVariablesAndPartsOfFewCoordinates) {
  Tree tree(std::string(kStart) + part(2, "QG=0.4,0.1,0.2") +
            "MARKER/21, PART=2, QP=-0.2,0,0\nJOINT/1, REVOLUTE, I=21, J=1\n"
            "POINT_MASS/3, MASS=2, CM=30, QG=1,1,1\nMARKER/30, POINT_MASS=3\n"
            "PART/4, PLANAR, MASS=1.5, CM=40, IP=0.1,0.1,0.2, QG=-1,0,0\nMARKER/40, PART=4\n"
            "MARKER/41, PART=4, QP=0.2,0.1,0\n"
            "SPRINGDAMPER/1, TRANSLATION, I=30, J=20, K=100, C=2, LENGTH=1\n"
            "SPRINGDAMPER/2, TRANSLATION, I=41, J=21, K=80, C=1, LENGTH=1\n"
            "DIFF/1, IC=0.3, FUNCTION=5*(WZ(21,1)-DIF(1))+VARVAL(2)\n"
            "VARIABLE/1, FUNCTION=2*VARVAL(2)+DIF(1)\nVARIABLE/2, FUNCTION=SIN(TIME)+DX(30,20)\n"
            "SFORCE/1, ROTATIONAL, ACTIONONLY, I=21, J=1, FUNCTION=VARVAL(1)+4\nEND\n");
  ASSERT_TRUE(tree.motion) << tree.why;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    ASSERT_EQ(tree.evaluate(seed, 0.3, 2), Outcome::converged);
    tree.expect_equal(1e-11);
  }
}

// A plane four-bar of four spatial revolutes: three of its rows are redundant, and a fifth bar beside the third makes more of them so.
std::string parallelogram(const std::string& more) {
  std::string text =
      std::string(kStart) + "MARKER/2, PART=1\nMARKER/3, PART=1, QP=1,0,0\nMARKER/4, PART=1, QP=2,0,0\n";
  const auto bar = [&](int id, double x, double y, double angle) {
    text += fmt::format(
        "PART/{0}, MASS=1, CM={0}0, IP=0.01,0.1,0.1, QG={1},{2},0, REULER={3}D,0,0\nMARKER/{0}0, PART={0}\n"
        "MARKER/{0}1, PART={0}, QP=-0.5,0,0\nMARKER/{0}2, PART={0}, QP=0.5,0,0\nMARKER/{0}3, PART={0}, "
        "QP=1.5,0,0\n",
        id, x, y, angle);
  };
  const double c = 0.5 * std::cos(1.0), s = 0.5 * std::sin(1.0), degrees = 180 / M_PI;
  bar(11, c, s, degrees);
  bar(12, 2 * c + 0.5, 2 * s, 0);
  bar(13, 1 + c, s, degrees);
  text +=
      "JOINT/1, REVOLUTE, I=111, J=2\nJOINT/2, REVOLUTE, I=121, J=112\nJOINT/3, REVOLUTE, I=122, J=132\n"
      "JOINT/4, REVOLUTE, I=131, J=3\n";
  if (more == "third") {
    bar(14, 2 + c, s, degrees);
    text += "JOINT/5, REVOLUTE, I=141, J=4\nJOINT/6, REVOLUTE, I=142, J=123\n";
  } else {
    text += more;
  }
  return text + "END\n";
}

TEST(Tree, ClosesLoopsWhoseRowsAreRedundant) {
  for (const char* more : {"", "third"}) {
    SCOPED_TRACE(more);
    Tree tree(parallelogram(more));
    ASSERT_TRUE(tree.motion) << tree.why;
    EXPECT_THAT(tree.why, HasSubstr("beside the tree"));
    for (unsigned seed = 1; seed <= 5; ++seed) {
      ASSERT_EQ(tree.evaluate(seed, 0.2, 2), Outcome::converged) << tree.motion->message();
      tree.expect_equal(1e-10);
    }
  }
}

// Three bars on ball joints from ground to ground: each turns about itself as it likes.
TEST(Tree, ClosesLoopsOfBallJoints) {
  const Vec3 at[] = {{0, 0, 0}, {0.5, 0.1, -0.4}, {0.9, 0.4, -0.5}, {1.2, 0.3, 0.1}};
  std::string text = std::string(kStart) + "MARKER/2, PART=1\nMARKER/3, PART=1, QP=1.2,0.3,0.1\n";
  for (int k = 0; k < 3; ++k) {
    const Vec3 c = 0.5 * (at[k] + at[k + 1]), a = at[k] - c;
    text += part(k + 2, fmt::format("QG={},{},{}", c.x(), c.y(), c.z()).c_str()) +
            fmt::format(
                "MARKER/{0}1, PART={0}, QP={1},{2},{3}\nMARKER/{0}2, PART={0}, QP={4},{5},{6}\n"
                "JOINT/{0}, SPHERICAL, I={0}1, J={7}\n",
                k + 2, a.x(), a.y(), a.z(), -a.x(), -a.y(), -a.z(), k == 0 ? 2 : 10 * (k + 1) + 2);
  }
  Tree tree(text + "JOINT/9, SPHERICAL, I=42, J=3\nEND\n");
  ASSERT_TRUE(tree.motion) << tree.why;
  EXPECT_THAT(tree.why, HasSubstr("with 3 constraints beside the tree"));
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_EQ(tree.evaluate(seed, 0.2, 2), Outcome::converged) << tree.motion->message();
    tree.expect_equal(1e-10);
  }
}

TEST(Tree, HoldsMotionsCouplersAndPrimitivesBesideIt) {
  Tree tree(
      parallelogram("PART/20, MASS=1, CM=200, IP=0.1,0.1,0.1, QG=0,0,1\nMARKER/200, PART=20\n"
                    "MARKER/9, PART=1, QP=0,0,1\nJOINT/20, CYLINDRICAL, I=200, J=9\n"
                    "MOTION/1, JOINT=20, TRANSLATION, FUNCTION=0.3*SIN(2*TIME)\n"
                    "COUPLER/1, JOINTS=20,1, TYPE=R:R, SCALES=1,-2\n"));
  ASSERT_TRUE(tree.motion) << tree.why;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    ASSERT_EQ(tree.evaluate(seed, 0.2, 2), Outcome::converged) << tree.motion->message();
    tree.expect_equal(1e-10);
  }
}

TEST(Tree, SaysWhatItIsNotFor) {
  const std::string pendulum = std::string(kStart) + part(2, "QG=0.4,0.1,0.2") +
                               "MARKER/21, PART=2, QP=-0.2,0,0\nJOINT/1, REVOLUTE, I=21, J=1\n";
  const auto why = [](const std::string& text) {
    const Tree tree(text + "END\n");
    EXPECT_FALSE(tree.motion);
    return tree.why;
  };
  EXPECT_THAT(why(pendulum + "SFORCE/1, ROTATIONAL, ACTIONONLY, I=21, J=1, FUNCTION=0.1*JOINT(1,0,2,1)\n"),
              HasSubstr("the reaction of JOINT/1 is read"));
  EXPECT_THAT(why(pendulum + "SFORCE/1, ROTATIONAL, ACTIONONLY, I=21, J=1, FUNCTION=-0.01*WDTZ(21,1,1)\n"),
              HasSubstr("depends on accelerations"));
  EXPECT_THAT(why(pendulum + "VARIABLE/1, FUNCTION=0.5*VARVAL(1)+1\n"),
              HasSubstr("VARIABLE/1 depends on itself"));
  EXPECT_THAT(why(pendulum + "GCON/1, FUNCTION=WZ(21,1)-2\n"), HasSubstr("GCON/1 holds velocities"));
}

TEST(Tree, AllocatesNothing) {
  Tree tree(parallelogram("third"));
  ASSERT_TRUE(tree.motion);
  ASSERT_EQ(tree.motion->evaluate(tree.d, tree.y, tree.work), Outcome::converged);
  if (!can_count_allocations()) GTEST_SKIP();
  start_counting_allocations();
  const Outcome outcome = tree.motion->evaluate(tree.d, tree.y, tree.work);
  EXPECT_EQ(stop_counting_allocations(), 0);
  EXPECT_EQ(outcome, Outcome::converged);
}

}  // namespace
}  // namespace trunnion::test
