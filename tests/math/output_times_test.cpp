#include "math/output_times.hpp"

#include <gtest/gtest.h>

namespace trunnion::math {
namespace {

std::vector<double> all(const OutputTimes& times) {
  std::vector<double> out;
  for (std::size_t k = 0; k < times.size(); ++k) out.push_back(times[k]);
  return out;
}

TEST(OutputTimes, AreWholeStepsAndTheEnd) {
  EXPECT_EQ(all(OutputTimes::every(0.25, 1, 2)), (std::vector<double>{1.25, 1.5, 1.75, 2}));
  EXPECT_EQ(all(OutputTimes::every(0.4, 0, 1)), (std::vector<double>{0.4, 0.8, 1}));
  EXPECT_EQ(all(OutputTimes::every(3, 0, 1)), (std::vector<double>{1}));
  EXPECT_EQ(all(OutputTimes::parts(4, 1, 2)), (std::vector<double>{1.25, 1.5, 1.75, 2}));
  // 0.1 is not a number of the machine: ten of them are one nevertheless, and the last is the end to the last bit.
  EXPECT_EQ(OutputTimes::every(0.1, 0, 1).size(), 10u);
  EXPECT_EQ(OutputTimes::every(0.1, 0, 1).back(), 1.0);
  EXPECT_EQ(OutputTimes::every(1e-6, 0, 0.3).size(), 300000u);
}

// None is stored: two thousand million of them cost nothing.
TEST(OutputTimes, AreMadeWhenAskedFor) {
  const OutputTimes many = OutputTimes::parts(2'000'000'000, 0, 1);
  EXPECT_EQ(many.size(), 2'000'000'000u);
  EXPECT_EQ(many.back(), 1.0);
  EXPECT_EQ(many.count_upto(0.5), 1'000'000'000u);
  EXPECT_NEAR(many.longest_step(0), 5e-10, 1e-16);
  EXPECT_TRUE(OutputTimes::countable(1e-12, 0, 1));
  EXPECT_FALSE(OutputTimes::countable(1e-300, 0, 1));
  EXPECT_FALSE(OutputTimes::countable(1e-17, 1, 1.0000000001));  // 1 − 1e-17 is 1
  EXPECT_FALSE(OutputTimes::countable(0, 0, 1));
}

TEST(OutputTimes, CanBeCutToPieces) {
  const OutputTimes times = OutputTimes::every(0.25, 0, 2);
  EXPECT_EQ(all(times.after(1.25)), (std::vector<double>{1.5, 1.75, 2}));
  EXPECT_EQ(all(times.after(-1)), all(times));
  EXPECT_TRUE(times.after(2).empty());
  EXPECT_EQ(all(times.within(0.5, 1 + 1e-12, 1)), (std::vector<double>{0.75, 1}));
  EXPECT_EQ(all(times.within(0.5, 1.01, 0.99)), (std::vector<double>{0.75, 0.99}));  // none beyond the piece
  EXPECT_TRUE(times.within(0.5, 0.6, 0.6).empty());
  const OutputTimes listed{0.1, 0.4, 1};
  EXPECT_EQ(all(listed.after(0.1)), (std::vector<double>{0.4, 1}));
  EXPECT_DOUBLE_EQ(listed.longest_step(0), 0.6);
  EXPECT_EQ(OutputTimes().longest_step(0), 0.0);
}

}  // namespace
}  // namespace trunnion::math
