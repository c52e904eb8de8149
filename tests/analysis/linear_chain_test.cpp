// Chains that are not straight: which coordinates are free must not matter. And what large models say of their stability.

#include <cmath>
#include <random>

#include <Eigen/Eigenvalues>
#include <gmock/gmock.h>

#include "analysis/linear/linear.hpp"
#include "analysis/mechanism.hpp"
#include "analysis/planar.hpp"

namespace trunnion::test {
namespace {

// Links of length 1 in the plane at given angles, hinged, with springs between them that are at rest there.
struct Links {
  std::vector<double> angle;
  double mass = 1, inertia = 0.1, spring = 1000;

  Links(int count, double wiggle) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> tilt(-wiggle, wiggle);
    for (int k = 0; k < count; ++k) angle.push_back(tilt(random));
  }

  std::string text() const {
    std::string t = "links\nPART/1, GROUND\nMARKER/1, PART=1\n", before = "1";
    double x = 0, y = 0, turned = 0;
    for (std::size_t k = 0; k < angle.size(); ++k) {
      const double c = std::cos(angle[k]), s = std::sin(angle[k]);
      const std::size_t id = k + 2;
      t += fmt::format(
          "PART/{0}, MASS={1}, CM={0}0, IP={2},{2},{2}, QG={3:.17g},{4:.17g},0, REULER={5:.17g},0,0\n", id,
          mass, inertia, x + c / 2, y + s / 2, angle[k]);
      t += fmt::format(
          "MARKER/{0}0, PART={0}\nMARKER/{0}1, PART={0}, QP=-0.5,0,0\nMARKER/{0}2, PART={0}, QP=0.5,0,0\n",
          id);
      t += fmt::format("JOINT/{0}, REVOLUTE, I={1}1, J={2}\n", k + 1, id, before);
      t += fmt::format("SPRINGDAMPER/{0}, ROTATION, I={1}1, J={2}, KT={3}, CT=0, ANGLE={4:.17g}\n", k + 1, id,
                       before, spring, angle[k] - turned);
      before = fmt::format("{}2", id);
      x += c;
      y += s;
      turned = angle[k];
    }
    return t + "END\n";
  }

  // Frequencies from M and K in the links' angles.
  Eigen::VectorXd frequencies() const {
    const auto n = static_cast<Eigen::Index>(angle.size());
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n), K = M;
    for (Eigen::Index i = 0; i < n; ++i) {
      Eigen::MatrixXd travel = Eigen::MatrixXd::Zero(2, n);  // of the link's centre
      for (Eigen::Index j = 0; j <= i; ++j) {
        const double a = angle[static_cast<std::size_t>(j)];
        travel.col(j) = (j < i ? 1.0 : 0.5) * Eigen::Vector2d(-std::sin(a), std::cos(a));
      }
      M += mass * travel.transpose() * travel;
      M(i, i) += inertia;
      Eigen::VectorXd bend = Eigen::VectorXd::Unit(n, i);
      if (i > 0) bend[i - 1] = -1;
      K += spring * bend * bend.transpose();
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(K, M);
    return solver.eigenvalues().cwiseSqrt();
  }
};

class Wiggles : public testing::TestWithParam<std::pair<int, double>> {};

TEST_P(Wiggles, ModesOfAChainThatIsNotStraight) {
  const auto [count, wiggle] = GetParam();
  const Links links(count, wiggle);
  Mechanism m(links.text());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const Eigen::VectorXd wanted = links.frequencies();
  // Both ways have squares of frequencies to some n ε of the largest.
  const double square = count * 2.2e-16 * wanted[count - 1] * wanted[count - 1];
  for (const bool sparse : {false, true}) {
    analysis::ModesOptions options;
    if (sparse) options.dense_up_to = 0;
    options.count = std::min(count, 10);
    const auto found = analysis::modes(*m.system, m.assembled, options);
    ASSERT_TRUE(found.ok);
    ASSERT_EQ(found.modes.size(), static_cast<std::size_t>(sparse ? options.count : count));
    for (std::size_t k = 0; k < found.modes.size(); ++k) {
      const double omega = wanted[static_cast<Eigen::Index>(k)];
      // Arnoldi's method stops at 1e-10 of an eigenvalue.
      EXPECT_NEAR(found.modes[k].value.imag(), omega, 64 * square / omega + 1e-9 * omega) << k << sparse;
      EXPECT_NEAR(found.modes[k].value.real(), 0, 64 * square / omega + 1e-9 * omega) << k << sparse;
    }
  }
  const auto mkb = analysis::structural_matrices(*m.system, m.assembled);
  ASSERT_TRUE(mkb.ok);
  EXPECT_TRUE(mkb.messages.empty()) << mkb.messages.front();
  // No coordinate stands for more than the whole chain.
  EXPECT_LT(mkb.M.cwiseAbs().maxCoeff(), 2.0 * count);
  EXPECT_EQ(analysis::judge_stability(*m.system, m.assembled).stability, analysis::Stability::stable);
}

INSTANTIATE_TEST_SUITE_P(Linear, Wiggles,
                         testing::Values(std::pair(8, 0.01), std::pair(20, 1.0), std::pair(30, 0.1),
                                         std::pair(40, 0.01), std::pair(60, 0.3), std::pair(200, 0.2)));

// Masses on a guide with springs; spring `bad` pushes instead of pulling.
std::string string_of_masses(int n, double stiffness, int bad, double push, bool walls) {
  Planar text;
  text.marker(1, 1, 0, 0, kZtoX).marker(2, 1, n + 1, 0, kZtoX);
  const auto marker = [&](int i) { return i == 0 ? 1 : i == n + 1 ? 2 : 10 * (i + 1) + 1; };
  for (int i = 0; i < n; ++i) {
    const int id = i + 2;
    text.part(id, 1, 1, i + 1, 0).marker(10 * id + 1, id, 0, 0, kZtoX);
    text.line(fmt::format("JOINT/{}, TRANSLATIONAL, I={}, J=1", id, 10 * id + 1));
  }
  for (int i = walls ? 0 : 1; i <= (walls ? n : n - 1); ++i)
    text.line(fmt::format("SPRINGDAMPER/{}, TRANSLATION, I={}, J={}, K={}, C=0.1, LENGTH=1", i + 1,
                          marker(i + 1), marker(i), i == bad ? push : stiffness));
  return text.end();
}

// As many states as all eigenvalues are found of, and more.
TEST(LargeStability, OneSpringThatPushesIsFound) {
  for (const int n : {20, 200, 700}) {
    Mechanism good(string_of_masses(n, 1e4, -1, 0, true)), bad(string_of_masses(n, 1e4, n / 2, -3e4, true)),
        free(string_of_masses(n, 1e4, -1, 0, false));
    const auto stable = analysis::judge_stability(*good.system, good.assembled);
    EXPECT_EQ(stable.stability, analysis::Stability::stable) << n;
    const auto unstable = analysis::judge_stability(*bad.system, bad.assembled);
    EXPECT_EQ(unstable.stability, analysis::Stability::unstable) << n;
    EXPECT_EQ(unstable.growing, 1) << n;
    ASSERT_EQ(unstable.away.size(), bad.system->layout().size());
    // The two masses beside that spring move apart, the others follow little.
    Eigen::Index most = 0;
    unstable.away.cwiseAbs().maxCoeff(&most);
    EXPECT_THAT(bad.system->layout().column_name(static_cast<int>(most)),
                testing::AnyOf(testing::HasSubstr(fmt::format("PART/{} ", n / 2 + 1)),
                               testing::HasSubstr(fmt::format("PART/{} ", n / 2 + 2))));
    const auto neutral = analysis::judge_stability(*free.system, free.assembled);
    EXPECT_EQ(neutral.stability, analysis::Stability::neutral) << n;
    ASSERT_GE(neutral.messages.size(), 2u);
    EXPECT_THAT(neutral.messages[1], testing::HasSubstr("translation along x"));
  }
}

// A parallelogram that was assembled with its links in one line has one row more that is redundant than elsewhere.
TEST(RowsOfAPlace, ParallelogramStartedFlat) {
  Planar text;
  text.marker(1, 1, 0, 0).marker(2, 1, 1, 0);
  const auto bar = [&](int id, double x, double mass) {
    text.part(id, mass, 0.1, x, 0).marker(10 * id + 1, id, -0.5, 0).marker(10 * id + 2, id, 0.5, 0);
  };
  bar(2, 0.5, 1);
  bar(3, 1.5, 2);
  bar(4, 1.5, 1);
  text.line("JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22");
  text.line("JOINT/3, REVOLUTE, I=41, J=2\nJOINT/4, REVOLUTE, I=42, J=32");
  Mechanism m(text.end());
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_EQ(m.assembled.freedoms, 2);
  // Turned on by hand: cranks down, coupler level.
  auto hanging = m.assembled;
  Mechanism upright([&] {
    Planar other;
    other.marker(1, 1, 0, 0).marker(2, 1, 1, 0);
    other.line("PART/2, MASS=1, CM=20, IP=0.1,0.1,0.1, QG=0,-0.5,0, REULER=-90D,0,0\nMARKER/20, PART=2");
    other.line("PART/3, MASS=2, CM=30, IP=0.1,0.1,0.1, QG=0.5,-1,0\nMARKER/30, PART=3");
    other.line("PART/4, MASS=1, CM=40, IP=0.1,0.1,0.1, QG=1,-0.5,0, REULER=-90D,0,0\nMARKER/40, PART=4");
    for (const int id : {2, 3, 4})
      other.line(fmt::format("MARKER/{0}1, PART={0}, QP=-0.5,0,0\nMARKER/{0}2, PART={0}, QP=0.5,0,0", id));
    other.line("JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22");
    other.line("JOINT/3, REVOLUTE, I=41, J=2\nJOINT/4, REVOLUTE, I=42, J=32\nACCGRAV/JGRAV=-9.81");
    return other.end();
  }());
  ASSERT_TRUE(upright.assembled.ok) << upright.messages();
  hanging.state.q = upright.assembled.state.q;
  const auto found = analysis::modes(*m.system, hanging, {});
  ASSERT_TRUE(found.ok) << (found.messages.empty() ? "" : found.messages.front());
  EXPECT_EQ(found.modes.size(), 2u);  // without gravity: one free motion, two zeros
  // At the flat start itself there are two ways to go.
  const auto flat = analysis::modes(*m.system, m.assembled, {});
  EXPECT_TRUE(flat.ok);
  EXPECT_EQ(flat.modes.size(), 4u);
  // And from the hanging side, brought to the flat place, it is a dead point, which is said by name.
  auto dead = upright.assembled;
  dead.state.q = m.assembled.state.q;
  const auto refused = analysis::modes(*upright.system, dead, {});
  EXPECT_FALSE(refused.ok);
  ASSERT_FALSE(refused.messages.empty());
  EXPECT_THAT(refused.messages.front(),
              testing::AllOf(testing::HasSubstr("dead point"), testing::HasSubstr("JOINT/")));
}

TEST(LargeStability, NothingThatCouldMove) {
  Mechanism m(
      "fixed\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
      "JOINT/1, FIXED, I=20, J=1\nEND\n");
  const auto found = analysis::judge_stability(*m.system, m.assembled);
  EXPECT_EQ(found.stability, analysis::Stability::stable);
  EXPECT_TRUE(analysis::modes(*m.system, m.assembled, {}).modes.empty());
}

// Two equal poles have one vector, and rounding parts them by its root; they are not zero for that.
TEST(EqualPoles, CriticalDampingIsNoFreeMotion) {
  for (const double sign : {1.0, -1.0}) {
    Planar t;
    t.marker(1, 1, 0, 0, kZtoX).part(2, 1, 1, 1, 0).marker(21, 2, 0, 0, kZtoX);
    t.line("JOINT/1, TRANSLATIONAL, I=21, J=1");
    t.line(fmt::format("SPRINGDAMPER/1, TRANSLATION, I=21, J=1, K=100, C={}, LENGTH=1", 20 * sign));
    Mechanism m(t.end());
    const auto found = analysis::modes(*m.system, m.assembled, {});
    ASSERT_TRUE(found.ok);
    ASSERT_FALSE(found.modes.empty());
    // A square root of the rounding of A, whose norm is some hundred.
    for (const auto& mode : found.modes) EXPECT_LT(std::abs(mode.value + 10.0 * sign), 1e-4) << mode.value;
    EXPECT_EQ(analysis::judge_stability(*m.system, m.assembled).stability,
              sign > 0 ? analysis::Stability::stable : analysis::Stability::unstable);
  }
  Mechanism lags(
      "lags\nPART/1, GROUND\nMARKER/1, PART=1\nDIFF/1, IC=0, FUNCTION=-DIF(1)\n"
      "DIFF/2, IC=0, FUNCTION=DIF(1)-DIF(2)\nEND\n");
  const auto found = analysis::modes(*lags.system, lags.assembled, {});
  ASSERT_EQ(found.modes.size(), 2u);
  for (const auto& mode : found.modes) EXPECT_LT(std::abs(mode.value + 1.0), 1e-7) << mode.value;
}

// Rounding of a matrix with 24 equal poles could move them by more than their size; but the matrix is regular, and none is zero.
TEST(EqualPoles, ManyAreNotZeroEither) {
  std::string t = "lags\nPART/1, GROUND\nMARKER/1, PART=1\nDIFF/1, IC=0, FUNCTION=-DIF(1)\n";
  for (int k = 2; k <= 24; ++k) t += fmt::format("DIFF/{0}, IC=0, FUNCTION=DIF({1})-DIF({0})\n", k, k - 1);
  Mechanism m(t + "END\n");
  const auto found = analysis::modes(*m.system, m.assembled, {});
  ASSERT_TRUE(found.ok);
  ASSERT_FALSE(found.modes.empty());
  for (const auto& mode : found.modes) EXPECT_LT(mode.value.real(), 0);
  EXPECT_EQ(analysis::judge_stability(*m.system, m.assembled).stability, analysis::Stability::stable);
}

// A whirl in an oil film, k x + c y, k y − c x, beside parts on springs ten million times as stiff: it grows.
TEST(LargeStability, WhirlBesideStiffSprings) {
  std::string t = "whirl\nPART/1, GROUND\nMARKER/1, PART=1\n";
  t += "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n";
  t += "JOINT/1, PLANAR, I=20, J=1\nSPRINGDAMPER/1, ROTATION, I=20, J=1, KT=100, CT=1\n";
  t += "VFORCE/1, I=20, JFLOAT=11, RM=1, FX=-100*DX(20,1)-20*DY(20,1)-0.1*VX(20,1)\\"
       "FY=-100*DY(20,1)+20*DX(20,1)-0.1*VY(20,1)\\FZ=0\nMARKER/11, PART=1, FLOATING\n";
  constexpr int kParts = 26;  // more than 300 states
  for (int k = 0; k < kParts; ++k) {
    const int id = k + 3;
    t += fmt::format("PART/{0}, MASS=1, CM={0}0, IP=1,1,1, QG={0},0,0\nMARKER/{0}0, PART={0}\n", id);
    t += fmt::format("MARKER/{0}1, PART=1, QP={0},0,0\n", id);
    t += fmt::format("BUSHING/{0}, I={0}0, J={0}1, K=1E9,1E9,1E9, KT=1E9,1E9,1E9, C=1,1,1, CT=1,1,1\n", id);
  }
  Mechanism m(t + "END\n");
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  const auto found = analysis::judge_stability(*m.system, m.assembled);
  EXPECT_EQ(found.stability, analysis::Stability::unstable);
  EXPECT_EQ(found.growing, 2);
}

}  // namespace
}  // namespace trunnion::test
