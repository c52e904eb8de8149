#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sparse/complex_factorisation.hpp"

namespace trunnion::sparse {
namespace {

using Number = std::complex<double>;

// A band of complex numbers, with zeros on the diagonal of its last third as constraints have.
struct Band {
  CscMatrix pattern;
  std::vector<Number> values;
  Eigen::MatrixXcd dense;

  Band(int n, std::mt19937& rng) : dense(Eigen::MatrixXcd::Zero(n, n)) {
    std::uniform_real_distribution<double> u(-1, 1);
    Recorder recorder;
    for (int j = 0; j < n; ++j) {
      for (int i = std::max(0, j - 3); i <= std::min(n - 1, j + 3); ++i) recorder.entry(i, j);
    }
    pattern = recorder.compile(n, n).matrix();
    for (int j = 0; j < n; ++j) {
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
        const bool empty = pattern.row[k] == j && 3 * j >= 2 * n;
        values.push_back(empty ? Number(0) : Number(u(rng), u(rng)));
        dense(pattern.row[k], j) = values.back();
      }
    }
  }
};

TEST(ComplexFactorisation, SolvesAsDense) {
  std::mt19937 rng(4);
  for (const int n : {4, 30, 100}) {
    std::vector<int> order(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) order[static_cast<std::size_t>(k)] = n - 1 - k;
    for (const bool given : {false, true}) {
      Band band(n, rng);
      ComplexFactorisation factors;
      ASSERT_TRUE(given ? factors.analyse(band.pattern, order) : factors.analyse(band.pattern));
      for (int pass = 0; pass < 3; ++pass) {
        ASSERT_TRUE(factors.update(band.values));
        const Eigen::VectorXcd b = Eigen::VectorXcd::LinSpaced(n, Number(1, -1), Number(2, 3));
        Eigen::VectorXcd x = b;
        factors.solve(x);
        // Backward stable but for the growth that pivots on a tiny diagonal may bring: three digits at most, else chosen anew.
        EXPECT_LT((band.dense * x - b).norm(), 1e3 * n * 2.2e-16 * band.dense.norm() * x.norm());
        for (Number& value : band.values) value *= Number(0.9, 0.3);
        band.dense *= Number(0.9, 0.3);
      }
    }
  }
}

TEST(ComplexFactorisation, SaysWhatIsSingular) {
  std::mt19937 rng(5);
  Band band(12, rng);
  ComplexFactorisation factors;
  ASSERT_TRUE(factors.analyse(band.pattern));
  const std::vector<Number> good = band.values;
  // A column of zeros.
  for (int k = band.pattern.start[4]; k < band.pattern.start[5]; ++k)
    band.values[static_cast<std::size_t>(k)] = 0;
  EXPECT_FALSE(factors.update(band.values));
  EXPECT_FALSE(factors.factored());
  EXPECT_TRUE(factors.update(good));
}

TEST(ComplexFactorisation, EmptySystem) {
  ComplexFactorisation factors;
  EXPECT_TRUE(factors.analyse(Recorder().compile(0, 0).matrix()));
  EXPECT_TRUE(factors.update({}));
  Eigen::VectorXcd b(0);
  factors.solve(b);
}

}  // namespace
}  // namespace trunnion::sparse
