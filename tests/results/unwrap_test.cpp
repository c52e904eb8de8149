#include "results/read/unwrap.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace trunnion::results {
namespace {

TEST(Unwrap, AnglesGoOnBeyondHalfATurn) {
  std::vector<double> angles, expected;
  for (int k = 0; k < 100; ++k) {
    expected.push_back(k < 50 ? 0.4 * k : 0.4 * (100 - k));  // there and back
    angles.push_back(std::remainder(expected.back(), 2 * M_PI));
  }
  unwrap(angles, 2 * M_PI);
  for (std::size_t k = 0; k < angles.size(); ++k) EXPECT_NEAR(angles[k], expected[k], 1e-14);
}

TEST(Unwrap, WhatHasItsTurnsCountedIsLeft) {
  const std::vector<double> counted{0, 200, 400, 600};  // degrees: more than half a turn a row
  std::vector<double> angles = counted;
  unwrap(angles, 360);
  EXPECT_EQ(angles, counted);
}

TEST(Unwrap, OnlyAngles) {
  EXPECT_EQ(full_turn({"PART/2.PSI", "rad"}), 2 * M_PI);
  EXPECT_EQ(full_turn({"PART/2.PSI", "deg"}), 360);
  EXPECT_EQ(full_turn({"PART/2.WX", "rad/second"}), 0);
  EXPECT_EQ(full_turn({"PART/2.X", "meter"}), 0);
}

}  // namespace
}  // namespace trunnion::results
