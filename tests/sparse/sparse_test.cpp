#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sparse/factorisation.hpp"
#include "sparse/pattern.hpp"
#include "sparse/rank.hpp"
#include "sparse/selection.hpp"

namespace trunnion::sparse {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

struct Emission {
  int row, col;
  double value;
};

// Emissions of overlapping blocks, as elements make them; the diagonal makes it safely regular.
std::vector<Emission> random_emissions(int n, int blocks, std::mt19937& rng) {
  std::uniform_real_distribution<double> value(-1, 1);
  std::uniform_int_distribution<int> place(0, n - 3);
  std::vector<Emission> all;
  for (int b = 0; b < blocks; ++b) {
    const int r = place(rng), c = place(rng);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) all.push_back({r + i, c + j, value(rng)});
    }
  }
  for (int i = 0; i < n; ++i) all.push_back({i, i, 6.0 + value(rng)});
  return all;
}

Eigen::MatrixXd dense(const std::vector<Emission>& all, int rows, int cols) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows, cols);
  for (const Emission& e : all) A(e.row, e.col) += e.value;
  return A;
}

Replay record(const std::vector<Emission>& all, int rows, int cols) {
  Recorder recorder;
  for (const Emission& e : all) recorder.entry(e.row, e.col);
  Replay replay = recorder.compile(rows, cols);
  replay.start();
  for (const Emission& e : all) replay.add(e.value);
  EXPECT_TRUE(replay.complete());
  return replay;
}

CscMatrix from_dense(const Eigen::MatrixXd& A) {
  std::vector<Emission> all;
  for (int i = 0; i < A.rows(); ++i) {
    for (int j = 0; j < A.cols(); ++j) {
      if (A(i, j) != 0.0) all.push_back({i, j, A(i, j)});
    }
  }
  return record(all, static_cast<int>(A.rows()), static_cast<int>(A.cols())).matrix();
}

TEST(Pattern, ReplayEqualsDenseSum) {
  std::mt19937 rng(1);
  for (const int n : {3, 10, 40}) {
    std::vector<Emission> all = random_emissions(n, 2 * n, rng);
    Replay replay = record(all, n, n);
    // Sums of a few numbers below 10 in the same order: equal bit by bit.
    EXPECT_EQ(Eigen::MatrixXd(replay.matrix().view()), dense(all, n, n));
    for (int j = 0; j < n; ++j) {
      for (int k = replay.matrix().start[j] + 1; k < replay.matrix().start[j + 1]; ++k)
        EXPECT_LT(replay.matrix().row[k - 1], replay.matrix().row[k]);
    }
    // New numbers through the same slots equal a fresh recording.
    for (Emission& e : all) e.value = std::sin(e.value);
    replay.start();
    for (const Emission& e : all) replay.add(e.value);
    EXPECT_EQ(replay.matrix().value, record(all, n, n).matrix().value);
  }
}

TEST(Pattern, CountsEmissions) {
  Recorder recorder;
  recorder.entry(0, 0);
  recorder.entry(0, 0);
  recorder.entry(1, 0);
  Replay replay = recorder.compile(2, 2);
  EXPECT_EQ(replay.matrix().nonzeros(), 2);
  replay.start();
  replay.add(1.0);
  EXPECT_FALSE(replay.complete());
  replay.skip(2);
  EXPECT_TRUE(replay.complete());
  EXPECT_EQ(replay.matrix().value, (std::vector<double>{1.0, 0.0}));
}

TEST(Pattern, Multiplies) {
  std::mt19937 rng(5);
  const std::vector<Emission> all = random_emissions(12, 20, rng);
  const CscMatrix A = record(all, 12, 12).matrix();
  const Eigen::MatrixXd D = dense(all, 12, 12);
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(12, -1, 1);
  Eigen::VectorXd y = Eigen::VectorXd::Zero(12), z = y;
  A.multiply_add(x, y);
  A.transpose_multiply_add(x, z);
  EXPECT_LT((y - D * x).norm(), 64 * kEps * D.norm());
  EXPECT_LT((z - D.transpose() * x).norm(), 64 * kEps * D.norm());
}

TEST(Factorisation, SolvesAsDense) {
  std::mt19937 rng(2);
  for (const int n : {1 + 3, 15, 60}) {
    std::vector<Emission> all = random_emissions(n, 2 * n, rng);
    Replay replay = record(all, n, n);
    Factorisation lu;
    ASSERT_TRUE(lu.analyse(replay.matrix()));
    ASSERT_EQ(lu.factor(replay.matrix()), FactorStatus::pivoted);
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(n, 1, 2);
    for (int pass = 0; pass < 2; ++pass) {
      const Eigen::MatrixXd D = dense(all, n, n);
      const double cond = D.norm() * D.inverse().norm();
      Eigen::VectorXd x = b, y = b;
      lu.solve(x);
      lu.solve_transpose(y);
      EXPECT_LT((x - D.partialPivLu().solve(b)).norm(), n * cond * kEps * x.norm());
      EXPECT_LT((y - D.transpose().partialPivLu().solve(b)).norm(), n * cond * kEps * y.norm());
      // Hager's estimate is a lower bound of the 1-norm condition, seldom below a third of it.
      const double exact =
          D.cwiseAbs().colwise().sum().maxCoeff() * D.inverse().cwiseAbs().colwise().sum().maxCoeff();
      EXPECT_LE(lu.condition(replay.matrix()), exact * (1 + 1e-9));
      EXPECT_GE(lu.condition(replay.matrix()), exact / 10);
      EXPECT_LE(lu.growth(), 1.0 + kEps);
      for (Emission& e : all) e.value *= 1.0 + 0.1 * std::cos(e.row + 2.0 * e.col);
      replay.start();
      for (const Emission& e : all) replay.add(e.value);
      EXPECT_EQ(lu.refactor(replay.matrix()), FactorStatus::refactored);
    }
  }
}

TEST(Factorisation, PivotsAnewWhenTheOldPivotsTurnBad) {
  Eigen::MatrixXd D(2, 2);
  D << 1.0, 0.5, 0.25, 1.0;
  CscMatrix A = from_dense(D);
  Factorisation lu;
  ASSERT_TRUE(lu.analyse(A));
  ASSERT_EQ(lu.factor(A), FactorStatus::pivoted);
  EXPECT_FALSE(lu.left_pivot().has_value());
  // The same pivots would now divide by 1e-14.
  A.value = {1e-14, 1.0, 1.0, 1.0};  // columns (1e-14, 1), (1, 1)
  EXPECT_EQ(lu.update(A), FactorStatus::pivoted);
  ASSERT_TRUE(lu.left_pivot().has_value());
  EXPECT_EQ(lu.left_pivot()->row, 0);
  EXPECT_EQ(lu.left_pivot()->col, 0);
  EXPECT_DOUBLE_EQ(lu.left_pivot()->size, 1e-14);
  Eigen::VectorXd b(2);
  b << 1.0, 2.0;
  lu.solve(b);
  EXPECT_NEAR(b[0], 1.0, 1e-13);  // x = 1/(1 − 1e-14), y = 1 − 1e-14 x
  EXPECT_NEAR(b[1], 1.0, 1e-13);
  A.value = {1e-14, 1.0, 1.0, 1.1};
  EXPECT_EQ(lu.update(A), FactorStatus::refactored);
  EXPECT_FALSE(lu.left_pivot().has_value());
}

TEST(Factorisation, NamesTheSingularPivot) {
  // Row 2 = row 0 + row 1 in the leading 3×3, rows and columns scaled; the last equation stands apart.
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(4, 4);
  D.topLeftCorner<3, 3>() << 2, 1, 0, 1, 3, 1, 3, 4, 1;
  D(3, 3) = 1e6;
  const CscMatrix A = from_dense(D);
  Factorisation lu;
  ASSERT_TRUE(lu.analyse(A));
  EXPECT_EQ(lu.factor(A), FactorStatus::singular);
  ASSERT_TRUE(lu.singular().has_value());
  EXPECT_LT(lu.singular()->row, 3);
  EXPECT_LT(lu.singular()->col, 3);
  EXPECT_FALSE(lu.factored());
  EXPECT_EQ(lu.condition(A), std::numeric_limits<double>::infinity());
}

TEST(Factorisation, SeesAStructurallySingularPattern) {
  Eigen::MatrixXd D(3, 3);
  D << 1, 0, 0, 1, 0, 0, 0, 1, 1;
  Factorisation lu;
  EXPECT_FALSE(lu.analyse(from_dense(D)));
  EXPECT_TRUE(lu.singular().has_value());
}

// KLU finds a structural rank only together with a matching; with a given order the place for it keeps what memory had there.
TEST(Factorisation, AGivenOrderAsksForNoStructuralRank) {
  Recorder recorder;
  for (int i = 0; i < 3; ++i) recorder.entry(i, i);
  Replay replay = recorder.compile(3, 3);
  replay.start();
  for (int i = 0; i < 3; ++i) replay.add(i + 1.0);
  for (std::size_t size = 16; size <= 1024; size += 16)
    std::free(std::calloc(1, size));  // what it then finds is zero
  const std::vector<int> order = {0, 1, 2};
  Factorisation lu;
  ASSERT_TRUE(lu.analyse(replay.matrix(), order));
  EXPECT_NE(lu.factor(replay.matrix()), FactorStatus::singular);
}

TEST(Factorisation, ReportsNumbersThatAreNotFinite) {
  CscMatrix A = from_dense(Eigen::MatrixXd::Identity(3, 3) * 2.0);
  Factorisation lu;
  ASSERT_TRUE(lu.analyse(A));
  A.value[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(lu.factor(A), FactorStatus::singular);
  A.value[1] = 1.0;
  EXPECT_EQ(lu.update(A), FactorStatus::pivoted);
}

TEST(Factorisation, SignOfTheDeterminant) {
  std::mt19937 rng(17);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 1 + trial % 8;
    Eigen::MatrixXd D(n, n);
    for (int i = 0; i < n * n; ++i) D(i / n, i % n) = trial % 3 == 0 && u(rng) < 0 ? 0.0 : u(rng);
    D.diagonal().array() += 0.1;
    const CscMatrix A = from_dense(D);
    Factorisation lu;
    if (!lu.analyse(A) || lu.factor(A) == FactorStatus::singular) continue;
    EXPECT_EQ(lu.determinant_sign(), D.determinant() > 0 ? 1 : -1) << D;
  }
}

// Bodies of a gram that a gain of 1e13 before a variable acts on, free but for each other: after scaling the rows alone their
// masses are 1e-16, less than rounding, though every unknown is determined.
TEST(Factorisation, AGainDoesNotMakeAMatrixSingular) {
  for (const int bodies : {2, 40}) {  // full and sparse
    const int n = 2 * bodies;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
    for (int b = 0; b < bodies; ++b) {
      A(2 * b, 2 * b) = 1e-3;
      A(2 * b, 2 * b + 1) = 1e13;
      A(2 * b + 1, 2 * b + 1) = 1;
      if (b > 0) A(2 * b + 1, 2 * b - 2) = 1e-20;  // one chain, so that it does not fall apart into blocks
      if (b > 0) A(2 * b - 1, 2 * b) = 1e-20;
    }
    // [ m  g ; ε  1 ] of neighbours: the gains cancel in w, the accelerations stay of order 1.
    Eigen::VectorXd x = Eigen::VectorXd::Ones(n);
    for (int b = 0; b < bodies; ++b) x[2 * b + 1] = 1e-13 * (b + 1);
    const CscMatrix sparse = from_dense(A);
    Factorisation lu;
    ASSERT_TRUE(lu.analyse(sparse));
    ASSERT_EQ(lu.factor(sparse), FactorStatus::pivoted) << bodies;
    const auto check = [&](const Eigen::MatrixXd& of) {
      // Backward stable: |A x − b| within n roundings of |A| |x|, row by row.
      Eigen::VectorXd b = of * x, y = b;
      lu.solve(y);
      const Eigen::VectorXd size = of.cwiseAbs() * x.cwiseAbs();
      for (int k = 0; k < n; ++k) EXPECT_LE(std::abs((of * y - b)[k]), 8 * n * kEps * size[k]) << k;
      b = of.transpose() * x;
      y = b;
      lu.solve_transpose(y);
      const Eigen::VectorXd across = of.transpose().cwiseAbs() * x.cwiseAbs();
      for (int k = 0; k < n; ++k)
        EXPECT_LE(std::abs((of.transpose() * y - b)[k]), 8 * n * kEps * across.maxCoeff()) << k;
    };
    check(A);
    ASSERT_EQ(lu.refactor(from_dense(2 * A)), FactorStatus::refactored);
    check(2 * A);
    // What is rounding stays so: of an entry, or left where numbers cancel.
    Eigen::MatrixXd entry = A;
    entry(0, 0) = 1e-17;
    EXPECT_EQ(lu.factor(from_dense(entry)), FactorStatus::singular) << bodies;
    // The first body's row 0.1 and 0.2 of two others: 0.1 + 0.2 − 0.3 is not 0.
    A(0, 0) = 0.3;
    A(0, 1) = A(0, 2) = 0;
    A(2, 2) = 0.1 + 0.2;
    A(2, 0) = 0.3;
    A(2, 3) = 0;
    A(0, 2) = 0.3;
    A(1, 2) = A(3, 0) = 0;
    EXPECT_EQ(lu.factor(from_dense(A)), FactorStatus::singular) << bodies;
  }
}

TEST(RowSelection, RefillsInPlace) {
  std::mt19937 rng(23);
  const std::vector<Emission> all = random_emissions(9, 12, rng);
  CscMatrix A = record(all, 9, 9).matrix();
  RowSelection selection;
  const std::vector<int> rows{7, 2, 5};
  selection.choose(A, rows);
  for (double& value : A.value) value *= -3;
  selection.refill(A);
  const Eigen::MatrixXd D = Eigen::MatrixXd(A.view()), S = Eigen::MatrixXd(selection.matrix().view());
  for (int k = 0; k < 3; ++k) EXPECT_EQ(S.row(k), D.row(rows[static_cast<std::size_t>(k)]));
}

TEST(Factorisation, EmptySystem) {
  const CscMatrix A = Recorder().compile(0, 0).matrix();
  Factorisation lu;
  EXPECT_TRUE(lu.analyse(A));
  EXPECT_EQ(lu.factor(A), FactorStatus::pivoted);
  Eigen::VectorXd b(0);
  lu.solve(b);
}

TEST(RowRank, FindsDependentRowsAndTheirShares) {
  std::mt19937 rng(3);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    Eigen::MatrixXd G(7, 12);
    for (int i = 0; i < 7; ++i) {
      for (int j = 0; j < 12; ++j) G(i, j) = u(rng);
    }
    G.row(1) *= 1e6;  // other units
    G.row(3) = 2.0 * G.row(0) - 1e-3 * G.row(1);
    G.row(5).setZero();
    G.row(6) = G.row(4);
    const RankResult rank = row_rank(from_dense(G));
    EXPECT_EQ(rank.independent, (std::vector<int>{0, 1, 2, 4}));
    ASSERT_EQ(rank.dependent.size(), 3u);
    EXPECT_EQ(rank.dependent[0].row, 3);
    EXPECT_EQ(rank.dependent[1].row, 5);
    EXPECT_TRUE(rank.dependent[1].shares.empty());
    EXPECT_EQ(rank.dependent[2].row, 6);
    ASSERT_EQ(rank.dependent[0].shares.size(), 2u);
    EXPECT_EQ(rank.dependent[0].shares[0].row, 0);
    EXPECT_EQ(rank.dependent[0].shares[1].row, 1);
    // Conditioned by the smallest remainder of a kept row, which the result tells.
    const double tol = 1e3 * kEps / rank.smallest_kept;
    EXPECT_NEAR(rank.dependent[0].shares[0].coefficient, 2.0, 1e3 * tol);
    EXPECT_NEAR(rank.dependent[0].shares[1].coefficient, -1e-3, 1e-3 * 1e3 * tol);
    ASSERT_EQ(rank.dependent[2].shares.size(), 1u);
    EXPECT_NEAR(rank.dependent[2].shares[0].coefficient, 1.0, tol);
    EXPECT_LT(rank.largest_dropped, 1e-9);
    EXPECT_GT(rank.smallest_kept, 1e-3);
  }
}

TEST(RowRank, NearDependenceIsSeenThroughTheGap) {
  Eigen::MatrixXd G(2, 3);
  G << 1, 0, 0, 1, 1e-6, 0;
  EXPECT_EQ(row_rank(from_dense(G)).independent.size(), 2u);
  EXPECT_NEAR(row_rank(from_dense(G)).smallest_kept, 1e-6, 1e-9);
  G(1, 1) = 1e-10;
  const RankResult rank = row_rank(from_dense(G));
  ASSERT_EQ(rank.dependent.size(), 1u);
  EXPECT_EQ(rank.dependent[0].row, 1);
  EXPECT_NEAR(rank.largest_dropped, 1e-10, 1e-13);
}

TEST(RowRank, MoreRowsThanColumns) {
  Eigen::MatrixXd G(5, 2);
  G << 1, 2, 2, 4, 0, 1, 1, 0, 3, 3;
  const RankResult rank = row_rank(from_dense(G));
  EXPECT_EQ(rank.independent, (std::vector<int>{0, 2}));
  EXPECT_EQ(rank.dependent.size(), 3u);
}

TEST(RowRank, AgreesWithTheSingularValues) {
  std::mt19937 rng(9);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int trial = 0; trial < 30; ++trial) {
    const int m = 4 + trial % 9, n = 10, r = 1 + trial % 6;
    Eigen::MatrixXd left(m, std::min(m, r)), right(std::min(m, r), n);
    left = left.unaryExpr([&](double) { return u(rng); });
    right = right.unaryExpr([&](double) { return u(rng); });
    EXPECT_EQ(row_rank(from_dense(left * right)).independent.size(),
              static_cast<std::size_t>(std::min(m, r)));
  }
}

// Every dependent row comes after all it depends on, and the sets are those of orthogonalisation row by row.
TEST(RowRank, EarlierRowsWin) {
  std::mt19937 rng(11);
  std::uniform_real_distribution<double> u(-1, 1);
  std::uniform_int_distribution<int> column(0, 29);
  for (int trial = 0; trial < 200; ++trial) {
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(36, 30);
    for (int i = 0; i < G.rows(); ++i) {
      for (int k = 0; k < 3; ++k) G(i, column(rng)) = u(rng);
      if (i % 5 == 4) G.row(i) = u(rng) * G.row(i - 4) + u(rng) * G.row(i / 2);
    }
    std::vector<int> expected;
    Eigen::MatrixXd basis(30, 0);
    for (int i = 0; i < G.rows(); ++i) {
      Eigen::VectorXd a = G.row(i).transpose().normalized();
      for (int pass = 0; pass < 2; ++pass) a -= basis * (basis.transpose() * a);
      if (a.norm() < kRankTolerance) continue;
      expected.push_back(i);
      basis.conservativeResize(30, basis.cols() + 1);
      basis.col(basis.cols() - 1) = a.normalized();
    }
    const RankResult rank = row_rank(from_dense(G));
    EXPECT_EQ(rank.independent, expected) << "trial " << trial;
    EXPECT_EQ(rank.free_columns.size(), 30 - expected.size());
    for (const DependentRow& d : rank.dependent) {
      Eigen::RowVectorXd rest = G.row(d.row);
      for (const auto& share : d.shares) {
        EXPECT_LT(share.row, d.row);
        rest -= share.coefficient * G.row(share.row);
      }
      EXPECT_LT(rest.norm(), 1e-6 * G.row(d.row).norm());
    }
  }
}

// A ring of n unit rods in a plane: the closing equations hang on all before them, with shares as large as the ring.
TEST(RowRank, LongCircuitsAreFoundInSpiteOfNoise) {
  const int n = 400;
  std::vector<Emission> all;
  std::mt19937 rng(4);
  std::normal_distribution<double> noise(0, 1e-11);  // as assembly leaves positions
  for (int k = 0; k <= n; ++k) {
    // θ of neighbours equal, and heights by the angle of the one before: row 2k and 2k + 1 over bodies k − 1 and k.
    const auto put = [&](int row, int col, double value) {
      if (col >= 0 && col < 2 * n) all.push_back({row, col, value + noise(rng)});
    };
    put(2 * k, 2 * (k - 1), -1);
    put(2 * k, 2 * k, 1);
    put(2 * k + 1, 2 * (k - 1) + 1, -1);
    put(2 * k + 1, 2 * (k - 1), -1);
    put(2 * k + 1, 2 * k + 1, 1);
  }
  const RankResult rank = row_rank(record(all, 2 * n + 2, 2 * n).matrix());
  ASSERT_EQ(rank.dependent.size(), 2u);
  EXPECT_EQ(rank.dependent[0].row, 2 * n);
  EXPECT_EQ(rank.dependent[1].row, 2 * n + 1);
  EXPECT_GT(rank.dependent[1].shares.size(), static_cast<std::size_t>(n));
}

TEST(RowRank, NoRows) { EXPECT_TRUE(row_rank(Recorder().compile(0, 4).matrix()).independent.empty()); }

}  // namespace
}  // namespace trunnion::sparse
