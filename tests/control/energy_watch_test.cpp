// When the watch on the energy speaks.

#include "analysis/dynamics/energy_watch.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace trunnion::analysis {
namespace {

// A balance that is off by a twentieth of the energy there is, from the first step on.
int told(double begun) {
  EnergyWatch watch(0, begun);
  int told = watch.step(0, {1.0, 0.0}, {}) ? 1 : 0;
  for (int k = 1; k <= 100; ++k) told += watch.step(0.01 * k, {1.05, 0.0}, {}) ? 1 : 0;
  return told;
}

TEST(EnergyWatch, IsSilentWhileAMotionBeginsAndSpeaksAfter) {
  EXPECT_EQ(told(0), 1);
  EXPECT_EQ(told(0.3), 1);  // from 0.3 on, and for 0.3
  EXPECT_EQ(told(0.6), 0);
  EXPECT_EQ(told(2), 0);
}

// What was off at the beginning only, by the little there was to judge by, is not told.
TEST(EnergyWatch, ForgetsWhatABeginningWasOffBy) {
  EnergyWatch watch(0, 0.1);
  bool told = false;
  for (int k = 0; k <= 100; ++k) {
    const double fed = k * 1.0;  // a force puts in one more each step; 0.5 of it was lost in the first
    told = told || watch.step(0.01 * k, {k > 0 ? fed - 0.5 : 0.0, 0.0}, {0.0, fed}).has_value();
  }
  EXPECT_TRUE(told);  // 0.5 of 10 … 20 is more than a hundredth …
  EnergyWatch later(0, 0.6);
  told = false;
  for (int k = 0; k <= 100; ++k) {
    const double fed = k * 1.0;
    told = told || later.step(0.01 * k, {k > 0 ? fed - 0.5 : 0.0, 0.0}, {0.0, fed}).has_value();
  }
  EXPECT_FALSE(told);  // … of 60 it is less
}

// A loss after a gain is another mistake, told by itself.
TEST(EnergyWatch, TellsALossAfterAGain) {
  EnergyWatch watch(0, 0);
  std::vector<double> amounts;
  const auto go = [&](double energy, double t) {
    for (int k = 0; k < 30; ++k) {
      if (const auto told = watch.step(t + 0.01 * k, {energy, 0.0}, {})) amounts.push_back(told->amount);
    }
  };
  go(1.0, 0);
  go(1.02, 1);
  go(0.93, 2);
  go(0.92, 3);
  ASSERT_EQ(amounts.size(), 2u);
  EXPECT_NEAR(amounts[0], 0.02, 1e-12);
  EXPECT_NEAR(amounts[1], -0.07, 1e-12);
}

}  // namespace
}  // namespace trunnion::analysis
