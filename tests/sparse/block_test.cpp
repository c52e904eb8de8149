// Elimination by blocks without pivoting between them, against dense LU with full pivoting.

#include <numeric>
#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "sparse/block_fronts.hpp"
#include "sparse/block_kernels.hpp"
#include "sparse/factorisation.hpp"
#include "sparse/order.hpp"
#include "sparse/solvers.hpp"
#include "support/count_allocations.hpp"

namespace trunnion::sparse {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

// [M Gᵀ; G 0] of a tree of bodies, each held to an earlier one, or to ground, by `rows` rows, and a few loops of `closing` rows.
// Unsymmetric by a little everywhere, as gyroscopic terms make it.
struct Mechanism {
  int unknowns = 0;
  std::vector<Eigen::Triplet<double>> entries;
  Grouping grouping;
  std::mt19937_64 random;

  Mechanism(int bodies, int rows, int loops, int closing, std::uint64_t seed) : random(seed) {
    std::vector<int> parent;
    grouping.after.resize(static_cast<std::size_t>(bodies + loops));
    for (int g = 0; g < bodies + loops; ++g) grouping.group.insert(grouping.group.end(), 2, g);
    for (int b = 0; b < bodies; ++b) {
      square(6 * b, 6 * b, 6, 0.1);
      for (int k = 0; k < 6; ++k) entry(6 * b + k, 6 * b + k, 2);
      for (int k = 0; k < 6; ++k) grouping.part.push_back(2 * b);
    }
    unknowns = 6 * bodies;
    for (int b = 0; b < bodies; ++b) {
      parent.push_back(b == 0 ? -1 : b - 1 - static_cast<int>(random() % std::min(b, 3)));
      hold(b, {b, parent.back()}, rows);
      if (parent.back() >= 0) {
        square(6 * b, 6 * parent.back(), 6, 0.01);
        square(6 * parent.back(), 6 * b, 6, 0.01);
      }
    }
    for (int k = 0; k < loops; ++k) {
      const int a = static_cast<int>(random() % bodies), b = static_cast<int>(random() % bodies);
      auto& after = grouping.after[static_cast<std::size_t>(bodies + k)];
      for (int c = 0; c < bodies; ++c) after.push_back(c);
      hold(bodies + k, {a, b == a ? -1 : b}, closing);
    }
  }
  double number() { return static_cast<double>(random() >> 11) * 0x1p-53 * 2 - 1; }
  void entry(int r, int c, double value) { entries.emplace_back(r, c, value); }
  void square(int r, int c, int n, double size) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) entry(r + i, c + j, size * number());
    }
  }
  void hold(int group, std::vector<int> held, int rows) {
    for (int k = 0; k < rows; ++k, ++unknowns) {
      grouping.part.push_back(2 * group + 1);
      // The second body moves the row nearly as much as the first, the other way: it holds one against the other.
      std::vector<double> first(6);
      for (double& g : first) g = number();
      for (std::size_t h = 0; h < held.size(); ++h) {
        const int b = held[h];
        for (int i = 0; i < 6 && b >= 0; ++i) {
          const double g = h == 0 ? first[static_cast<std::size_t>(i)]
                                  : 0.1 * number() - first[static_cast<std::size_t>(i)];
          entry(unknowns, 6 * b + i, g);
          entry(6 * b + i, unknowns, g);
        }
      }
    }
  }
  CscMatrix matrix() const {
    Recorder recorder;
    for (const auto& e : entries) recorder.entry(e.row(), e.col());
    Replay replay = recorder.compile(unknowns, unknowns);
    replay.start();
    for (const auto& e : entries) replay.add(e.value());
    return replay.matrix();
  }
};

struct Ordered {
  std::vector<int> order, groups;
  Ordered(const CscMatrix& A, const Grouping& grouping) {
    for (const int g : minimum_degree(A, grouping)) {
      groups.push_back(static_cast<int>(order.size()));
      for (int u = 0; u < A.cols; ++u) {
        if (grouping.group[static_cast<std::size_t>(grouping.part[static_cast<std::size_t>(u)])] == g)
          order.push_back(u);
      }
    }
  }
  Plan plan() const { return {.order = order, .groups = groups}; }
};

Eigen::VectorXd some(Eigen::Index n) {
  Eigen::VectorXd b(n);
  for (Eigen::Index k = 0; k < n; ++k) b[k] = std::sin(1.0 + 3.0 * static_cast<double>(k));
  return b;
}

TEST(BlockElimination, SolvesAsDense) {
  for (const int rows : {1, 3, 5, 6}) {
    for (const int loops : {0, 2}) {
      const Mechanism m(12, rows, rows < 6 ? loops : 0, 1, static_cast<std::uint64_t>(7 * rows + loops));
      const CscMatrix A = m.matrix();
      const Ordered ordered(A, m.grouping);
      Factorisation lu;
      ASSERT_TRUE(lu.analyse(A, ordered.plan()));
      ASSERT_EQ(lu.factor(A), FactorStatus::pivoted);
      EXPECT_EQ(lu.solver(), "block elimination") << rows << " rows, " << loops << " loops";
      const Eigen::MatrixXd D(A.view());
      const Eigen::FullPivLU<Eigen::MatrixXd> exact(D);
      const Eigen::VectorXd b = some(A.cols);
      Eigen::VectorXd x = b, y = b;
      lu.solve(x);
      lu.solve_transpose(y);
      // Backward error: growth is watched, and n roundings of products with numbers of the size of x.
      const double rounding = 50 * A.cols * kEps / lu.growth();
      EXPECT_LT((D * x - b).lpNorm<Eigen::Infinity>(), rounding * x.lpNorm<Eigen::Infinity>());
      EXPECT_LT((D.transpose() * y - b).lpNorm<Eigen::Infinity>(), rounding * y.lpNorm<Eigen::Infinity>());
      const double condition = D.cwiseAbs().colwise().sum().maxCoeff() *
                               exact.inverse().eval().cwiseAbs().colwise().sum().maxCoeff();
      EXPECT_LE(lu.condition(A), condition * (1 + 1e-6));
      EXPECT_GE(lu.condition(A), condition / 10);
      EXPECT_EQ(lu.determinant_sign(), exact.determinant() > 0 ? 1 : -1);
      // Kept pivots: the same numbers bit by bit.
      Eigen::VectorXd again = b;
      ASSERT_EQ(lu.refactor(A), FactorStatus::refactored);
      lu.solve(again);
      EXPECT_EQ((again - x).lpNorm<Eigen::Infinity>(), 0.0);
    }
  }
}

TEST(BlockElimination, AllocatesNothingAfterTheAnalysis) {
  const Mechanism m(20, 5, 1, 1, 3);
  const CscMatrix A = m.matrix();
  const Ordered ordered(A, m.grouping);
  Factorisation lu;
  lu.analyse(A, ordered.plan());
  lu.factor(A);
  Eigen::VectorXd x = some(A.cols);
  test::start_counting_allocations();
  lu.refactor(A);
  lu.solve(x);
  EXPECT_EQ(test::stop_counting_allocations(), 0);
}

// Along a tree, leaves first: a front is a body with its rows and reaches the coordinates of the next body, nothing else.
TEST(BlockElimination, ATreeHasNoFill) {
  const Mechanism m(50, 5, 0, 0, 11);
  const CscMatrix A = m.matrix();
  const Ordered ordered(A, m.grouping);
  const BlockFronts fronts(A, ordered.order, ordered.groups);
  ASSERT_EQ(fronts.fronts.size(), 50u);
  for (const Front& f : fronts.fronts) {
    EXPECT_EQ(f.shape.pivots, 11);
    EXPECT_EQ(fronts.reach_of(f), f.parent >= 0 ? 6 : 0);
  }
}

TEST(BlockElimination, WideAndPlainVectorsGiveTheSameBits) {
  std::mt19937_64 random(5);
  for (const int pivots : {1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 22}) {
    for (const int beyond : {0, 1, 3, 6, 11}) {
      const FrontShape shape{pivots, pivots + beyond, padded(pivots + beyond)};
      std::vector<double> wide(static_cast<std::size_t>(shape.stride) * shape.size, 0.0);
      for (int j = 0; j < shape.size; ++j) {
        for (int i = 0; i < shape.size; ++i)
          wide[static_cast<std::size_t>(j * shape.stride + i)] =
              static_cast<double>(random() >> 11) * 0x1p-53 + (i == j ? 3 : 0);
      }
      const Eigen::MatrixXd before = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>(
          wide.data(), shape.size, shape.size, Eigen::OuterStride<>(shape.stride));
      std::vector<double> plain = wide, inverse(static_cast<std::size_t>(pivots)), other = inverse;
      block_kernels().eliminate(wide.data(), shape, inverse.data());
      plain_block_kernels().eliminate(plain.data(), shape, other.data());
      EXPECT_EQ(wide, plain);
      EXPECT_EQ(inverse, other);
      // What is left is the Schur complement.
      const Eigen::MatrixXd left = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>(
          wide.data(), shape.size, shape.size, Eigen::OuterStride<>(shape.stride));
      const Eigen::MatrixXd schur =
          before.bottomRightCorner(beyond, beyond) -
          before.bottomLeftCorner(beyond, pivots) *
              before.topLeftCorner(pivots, pivots).lu().solve(before.topRightCorner(pivots, beyond));
      if (beyond == 0) continue;
      EXPECT_LT((left.bottomRightCorner(beyond, beyond) - schur).cwiseAbs().maxCoeff(), 1e-12) << pivots;
    }
  }
}

// Modes: unknowns that are coupled with others alone, and go first.
TEST(BlockElimination, DiagonalFrontsLeaveTheSchurComplement) {
  std::mt19937_64 random(6);
  for (const int pivots : {2, 3, 4, 7, 9, 134}) {
    for (const int beyond : {0, 1, 3, 6, 11}) {
      FrontShape shape{pivots, pivots + beyond, padded(pivots + beyond)};
      shape.diagonal = true;
      std::vector<double> wide(static_cast<std::size_t>(shape.stride) * shape.size, 0.0);
      for (int j = 0; j < shape.size; ++j) {
        for (int i = 0; i < shape.size; ++i) {
          const double value = static_cast<double>(random() >> 11) * 0x1p-53 + (i == j ? 3 : 0);
          if (i == j || i >= pivots || j >= pivots)
            wide[static_cast<std::size_t>(j * shape.stride + i)] = value;
        }
      }
      using Front = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
      const Eigen::MatrixXd before =
          Front(wide.data(), shape.size, shape.size, Eigen::OuterStride<>(shape.stride));
      std::vector<double> plain = wide, inverse(static_cast<std::size_t>(pivots)), other = inverse;
      block_kernels().eliminate(wide.data(), shape, inverse.data());
      plain_block_kernels().eliminate(plain.data(), shape, other.data());
      EXPECT_EQ(wide, plain);
      EXPECT_EQ(inverse, other);
      const Eigen::MatrixXd left =
          Front(wide.data(), shape.size, shape.size, Eigen::OuterStride<>(shape.stride));
      const Eigen::MatrixXd schur = before.bottomRightCorner(beyond, beyond) -
                                    before.bottomLeftCorner(beyond, pivots) *
                                        before.diagonal().head(pivots).cwiseInverse().asDiagonal() *
                                        before.topRightCorner(pivots, beyond);
      if (beyond == 0) continue;
      EXPECT_LT((left.bottomRightCorner(beyond, beyond) - schur).cwiseAbs().maxCoeff(), pivots * 4 * kEps)
          << pivots;
    }
  }
}

TEST(BlockElimination, SolvesWithADiagonalFrontFirst) {
  constexpr int kModes = 30, kFrame = 6, kRows = 5, n = kModes + kFrame + kRows;
  std::mt19937_64 random(9);
  const auto number = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 - 0.5; };
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const bool modes = i < kModes && j < kModes, rows = i >= kModes + kFrame && j >= kModes + kFrame;
      if (!rows && (!modes || i == j)) D(i, j) = number() + (i == j ? 5 : 0);
    }
  }
  Recorder recorder;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (D(i, j) != 0) recorder.entry(i, j);
  for (int k = 0; k < n; ++k) recorder.entry(k, k);
  Replay replay = recorder.compile(n, n);
  replay.start();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (D(i, j) != 0) replay.add(D(i, j));
  for (int k = 0; k < n; ++k) replay.add(0.0);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  const std::vector<int> groups{0, kModes, kModes + kFrame};
  const BlockFronts fronts(replay.matrix(), order, groups);
  EXPECT_TRUE(fronts.fronts[0].shape.diagonal);
  EXPECT_FALSE(fronts.fronts[1].shape.diagonal);
  Factorisation lu;
  ASSERT_TRUE(lu.analyse(replay.matrix(), Plan{.order = order, .groups = groups}));
  ASSERT_EQ(lu.factor(replay.matrix()), FactorStatus::pivoted);
  ASSERT_EQ(lu.solver(), "block elimination");
  for (int again = 0; again < 2; ++again) {
    const Eigen::VectorXd exact = Eigen::VectorXd::LinSpaced(n, -1, 1);
    Eigen::VectorXd x = D * exact;
    lu.solve(x);
    EXPECT_LT((x - exact).norm(), 1e4 * kEps);
    EXPECT_NE(lu.update(replay.matrix()), FactorStatus::singular);
  }
}

// Two bodies without mass, each with a spring to the other only: neither's own block has a pivot, and yet all is determined.
TEST(BlockElimination, GivesUpByNameWhereBlocksHaveNoPivots) {
  Recorder recorder;
  const double values[4] = {0, 2, 3, 0};
  for (int k = 0; k < 4; ++k) recorder.entry(k / 2, k % 2);
  Replay replay = recorder.compile(2, 2);
  replay.start();
  for (const double v : values) replay.add(v);
  const std::vector<int> order{0, 1}, groups{0, 1};
  Factorisation lu;
  ASSERT_TRUE(lu.analyse(replay.matrix(), Plan{.order = order, .groups = groups}));
  EXPECT_EQ(lu.solver(), "block elimination");
  EXPECT_EQ(lu.gave_up(), 0);
  ASSERT_EQ(lu.factor(replay.matrix()), FactorStatus::pivoted);
  EXPECT_EQ(lu.solver(), "KLU");
  EXPECT_EQ(lu.gave_up(), 1);
  Eigen::VectorXd x(2);
  x << 2, 3;
  lu.solve(x);
  EXPECT_DOUBLE_EQ(x[0], 1);
  EXPECT_DOUBLE_EQ(x[1], 1);
}

// A light body on a joint that is measured in a heavy one's: its pivot is 1e-18 of the multiplier's, and exact.
CscMatrix light_body(double first, double second, double mass = 1e-9) {
  Recorder recorder;
  for (int k = 0; k < 16; ++k) recorder.entry(k / 4, k % 4);
  Replay replay = recorder.compile(4, 4);
  // Two bodies, a row that holds one to the other, and another row.
  Eigen::Matrix4d D;
  D << mass, 0, 1, first, 0, 1, -1, second, 1, -1, 0, 0, first, second, 0, 0;
  replay.start();
  for (int k = 0; k < 16; ++k) replay.add(D(k / 4, k % 4));
  return replay.matrix();
}
TEST(BlockElimination, ASmallPivotThatNothingWasTakenFromIsANumber) {
  const std::vector<int> order{0, 1, 2, 3}, groups{0, 1, 2, 3};
  const CscMatrix A = light_body(0, 1);
  Factorisation lu;
  ASSERT_TRUE(lu.analyse(A, Plan{.order = order, .groups = groups}));
  for (int again = 0; again < 2; ++again) {
    ASSERT_NE(lu.update(A), FactorStatus::singular);
    EXPECT_EQ(lu.solver(), "block elimination");
    EXPECT_LT(lu.rcond(), 4 * kEps);
    const Eigen::Vector4d exact(1.0 / 3, -0.7, 0.1, 0.9);
    Eigen::VectorXd x = Eigen::MatrixXd(A.view()) * exact;
    lu.solve(x);
    EXPECT_LT((x - exact).norm(), 20 * kEps);
  }
}
TEST(BlockElimination, ASmallPivotThatIsADifferenceIsNone) {
  const std::vector<int> order{0, 1, 2, 3}, groups{0, 1, 2, 3};
  const CscMatrix A = light_body(1, -1 + kEps);
  Factorisation lu;
  ASSERT_TRUE(lu.analyse(A, Plan{.order = order, .groups = groups}));
  EXPECT_EQ(lu.factor(A), FactorStatus::singular);
}

// More of them than are looked into one by one: a chain of 10,000 hinged links has thousands.
struct LightBodies {
  static constexpr double kMass = 1.4e-8;  // its pivot 2e-16 of the multiplier's
  std::vector<int> order;
  CscMatrix A;
  // The last one's rows are these.
  LightBodies(int bodies, double first, double second) : order(static_cast<std::size_t>(4 * bodies)) {
    std::iota(order.begin(), order.end(), 0);
    Recorder recorder;
    std::vector<double> values;
    for (int b = 0; b < bodies; ++b) {
      const bool last = b + 1 == bodies;
      const Eigen::MatrixXd D(light_body(last ? first : 0, last ? second : 1, kMass).view());
      for (int k = 0; k < 16; ++k) {
        recorder.entry(4 * b + k / 4, 4 * b + k % 4);
        values.push_back(D(k / 4, k % 4));
      }
    }
    Replay replay = recorder.compile(4 * bodies, 4 * bodies);
    replay.start();
    for (const double value : values) replay.add(value);
    A = replay.matrix();
  }
  Plan plan() const { return {.order = order, .groups = order}; }
};
TEST(BlockElimination, ManySmallPivotsAreNumbersWhereTheyComeOutTheSame) {
  const LightBodies many(150, 0, 1);
  Factorisation lu;
  ASSERT_TRUE(lu.analyse(many.A, many.plan()));
  for (int again = 0; again < 2; ++again) {
    ASSERT_NE(lu.update(many.A), FactorStatus::singular);
    EXPECT_EQ(lu.solver(), "block elimination");
    EXPECT_EQ(lu.gave_up(), 0);
    EXPECT_LT(lu.rcond(), 4 * kEps);
    const Eigen::VectorXd exact = some(many.A.cols);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(many.A.cols);
    many.A.multiply_add(exact, x);
    lu.solve(x);
    EXPECT_LT((x - exact).lpNorm<Eigen::Infinity>(), 20 * kEps);
  }
}
TEST(BlockElimination, OneDifferenceAmongManySmallPivotsIsFound) {
  for (const double rest : {kEps, -kEps, 2 * kEps}) {
    const LightBodies many(150, 1, -1 + rest);
    Factorisation lu;
    ASSERT_TRUE(lu.analyse(many.A, many.plan()));
    EXPECT_EQ(lu.factor(many.A), FactorStatus::singular) << rest;
  }
}

// A pivot of 1e-7 costs seven digits; one refinement brings them back.
TEST(BlockElimination, RefinesWhereThePivotsAreSmall) {
  Recorder recorder;
  for (int k = 0; k < 9; ++k) recorder.entry(k / 3, k % 3);
  Replay replay = recorder.compile(3, 3);
  Eigen::Matrix3d D;
  D << 1e-7, 1, 0.3, 1, 0.5, 0.25, 0.7, 0.2, 1;
  replay.start();
  for (int k = 0; k < 9; ++k) replay.add(D(k / 3, k % 3));
  const std::vector<int> order{0, 1, 2}, groups{0, 1, 2};
  Factorisation lu;
  ASSERT_TRUE(lu.analyse(replay.matrix(), Plan{.order = order, .groups = groups}));
  ASSERT_EQ(lu.factor(replay.matrix()), FactorStatus::pivoted);
  ASSERT_EQ(lu.solver(), "block elimination");
  EXPECT_LT(lu.growth(), 1e-6);
  const Eigen::Vector3d exact(1.0 / 3, -0.7, 0.1);
  Eigen::VectorXd x = D * exact;
  lu.solve(x);
  EXPECT_LT((x - exact).norm(), 20 * kEps);
}

}  // namespace
}  // namespace trunnion::sparse
