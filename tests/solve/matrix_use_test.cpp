#include "solve/matrix_use.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace trunnion::test {
namespace {

using solve::MatrixUse;

// Iterations of a stage with a matrix that has served so many: they grow as it ages.
int iterations_at(long age) { return 2 + static_cast<int>(age) / 3; }

double cost_of_lifetime(double price, int stages) {
  double sum = price;
  for (int k = 0; k < stages; ++k) sum += iterations_at(k);
  return sum / stages;
}

// Against every fixed lifetime: none is cheaper a stage.
TEST(MatrixUse, KeepsAMatrixForAsLongAsItIsCheapest) {
  for (const double price : {1.0, 4.0, 12.0, 30.0}) {
    double best = cost_of_lifetime(price, 1);
    for (int m = 2; m < 60; ++m) best = std::min(best, cost_of_lifetime(price, m));
    MatrixUse use;
    double spent = 0;
    constexpr int kStages = 3000;
    bool renew = true;
    for (int k = 0; k < kStages; ++k) {
      if (renew) {
        use.made(MatrixUse::Made::evaluated, price, 0);
        spent += price;
      }
      const int n = iterations_at(use.age());
      use.served(n);
      spent += n;
      renew = use.renewal_pays();
    }
    EXPECT_LE(spent / kStages, 1.03 * best) << price;
    EXPECT_GE(spent / kStages, best - 1e-9) << price;
  }
}

TEST(MatrixUse, AMatrixThatServesOneStageOnlyIsMadeForEach) {
  MatrixUse use;
  use.made(MatrixUse::Made::combined, 1, 0);
  for (int k = 0; k < 20; ++k) {
    use.served(2);
    if (use.renewal_pays()) {
      use.made(MatrixUse::Made::combined, 1, 0);
      continue;
    }
    use.made(MatrixUse::Made::combined, 1, 3);  // three iterations in vain, then a new one
  }
  use.served(2);
  EXPECT_TRUE(use.renewal_pays());
}

TEST(MatrixUse, RatesAreExpectedByAgeAndBySize) {
  MatrixUse use;
  use.made(MatrixUse::Made::evaluated, 4, 0);
  EXPECT_EQ(use.expected(0.1), 0);  // nothing is known
  use.saw(0.2, 2);                  // Newton: a tenth of the correction
  use.served(2);
  use.made(MatrixUse::Made::evaluated, 4, 0);
  EXPECT_NEAR(use.expected(1), 2 * 0.1, 1e-15);
  EXPECT_NEAR(use.expected(4), 2 * 0.4, 1e-15);
  use.served(2);
  use.saw(0.05, 1);  // of age 1
  use.served(2);
  EXPECT_NEAR(use.expected(1), 2 * 0.1, 1e-15);  // of age 2
}

}  // namespace
}  // namespace trunnion::test
