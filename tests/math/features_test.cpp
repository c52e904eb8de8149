// Short features of sampled functions.

#include "math/features.hpp"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace trunnion::math {
namespace {

std::vector<Interval> found(const std::function<double(double)>& f) {
  constexpr int kCount = 20000;
  std::vector<double> values;
  for (int k = 0; k <= kCount; ++k) values.push_back(f(k / static_cast<double>(kCount)));
  return short_features(values, 0, 1.0 / kCount);
}
bool covers(const std::vector<Interval>& all, double t) {
  for (const auto& [from, to] : all) {
    if (from <= t && t <= to) return true;
  }
  return false;
}

TEST(Features, PulsesOfEveryLengthAreFound) {
  for (const double width : {1e-4, 3e-4, 1e-3, 3e-3, 1e-2}) {
    const auto pulse = [&](double t) { return std::exp(-std::pow((t - 0.5128) / width, 2)); };
    const std::vector<Interval> all = found(pulse);
    EXPECT_TRUE(covers(all, 0.5128)) << width;
    // Every interval reaches into the pulse, so that a step that ends within sees it.
    for (const auto& [from, to] : all) EXPECT_GT(pulse(0.5 * (from + to)), 1e-6) << width;
  }
}

TEST(Features, SmoothFunctionsAndWavesHaveNone) {
  EXPECT_TRUE(found([](double) { return 3.0; }).empty());
  EXPECT_TRUE(found([](double t) { return t * t; }).empty());
  EXPECT_TRUE(found([](double t) { return std::sin(20 * t); }).empty());
  // A wave that some distances do not resolve is one interval, not hundreds.
  EXPECT_LE(found([](double t) { return std::sin(3000 * t); }).size(), 250u);
}

TEST(Features, AJumpIsOne) {
  const std::vector<Interval> all = found([](double t) { return t < 0.3 ? 0.0 : 1.0; });
  EXPECT_TRUE(covers(all, 0.3));
  EXPECT_FALSE(covers(all, 0.4));
}

TEST(Features, ValuesThatAreNoNumbersGiveNone) {
  EXPECT_TRUE(found([](double t) { return t == 0.5 ? std::nan("") : t; }).empty());
  EXPECT_TRUE(short_features({}, 0, 1).empty());
}

}  // namespace
}  // namespace trunnion::math
