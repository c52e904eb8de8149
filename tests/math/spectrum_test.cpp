#include "math/spectrum.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace trunnion::math {
namespace {

const std::vector<double> kFrequency = {0.5, 1, 10, 50};
const std::vector<double> kDensity = {2, 2, 0.2, 0.01};

// The mean square over a common period is the integral of the density (midpoint rule over the bands).
TEST(Spectrum, MeanSquareIsTheIntegralOfTheDensity) {
  const int bands = 18;
  const SpectrumSignal signal(kFrequency, kDensity, 1, 10, bands, false,
                              3);  // bands of 0.5 Hz around 1.25, 1.75, …
  double integral = 0.0;
  for (int k = 0; k < bands; ++k) {
    const double f = 1.25 + 0.5 * k;
    integral += 0.5 * (2 + (0.2 - 2) * (f - 1) / 9);
  }
  const int samples = 4096;
  double sum = 0.0;
  for (int k = 0; k < samples; ++k)
    sum += std::pow(signal.value(4.0 * k / samples), 2);  // 0.25 Hz divides them all
  EXPECT_NEAR(sum / samples, integral, 1e-12 * integral * samples);
}

TEST(Spectrum, SeedDecidesThePhases) {
  const SpectrumSignal a(kFrequency, kDensity, 1, 10, 20, false, 3),
      same(kFrequency, kDensity, 1, 10, 20, false, 3), other(kFrequency, kDensity, 1, 10, 20, false, 4);
  EXPECT_EQ(a.value(0.37), same.value(0.37));
  EXPECT_NE(a.value(0.37), other.value(0.37));
  // One sinusoid, to pin the documented generator: SplitMix64 from seed 0 gives 0xE220A8397B1DCDAF first.
  const SpectrumSignal one(kFrequency, kDensity, 0.9, 1.1, 1, false, 0);
  const double unit = static_cast<double>(0xE220A8397B1DCDAFull >> 11) / 9007199254740992.0;
  EXPECT_NEAR(one.value(0.0), std::sqrt(2 * 2.0 * 0.2) * std::sin(2 * M_PI * unit), 1e-12);
}

TEST(Spectrum, LogarithmicInterpolation) {
  const SpectrumSignal one(kFrequency, kDensity, 3.0, 3.2, 1, true, 0);
  // Between (1, 2) and (10, 0.2) the log-log line is 2/f.
  double peak = 0.0;
  for (int k = 0; k < 10000; ++k) peak = std::max(peak, std::abs(one.value(k * 1e-4)));
  EXPECT_NEAR(peak, std::sqrt(2 * (2 / 3.1) * 0.2), 1e-5);
}

TEST(Spectrum, JetMatchesDifferences) {
  const SpectrumSignal s(kFrequency, kDensity, 1, 10, 20, false, 3);
  for (double x = 0.1; x < 2; x += 0.23) {
    const double h = 1e-6;
    const Jet at = s.jet(x), low = s.jet(x - h), high = s.jet(x + h);
    EXPECT_NEAR(at.value, s.value(x), 1e-13);
    // h² f‴/6 with f‴ ≤ 20·(60)³, and rounding 1e-15·|f′|/h.
    EXPECT_NEAR(at.d1, (high.value - low.value) / (2 * h), 1e-5);
    EXPECT_NEAR(at.d2, (high.d1 - low.d1) / (2 * h), 1e-3);
  }
}

TEST(Spectrum, Errors) {
  EXPECT_EQ(SpectrumSignal::check(kFrequency, kDensity, 1, 10, 20, true), "");
  EXPECT_EQ(SpectrumSignal::check(kFrequency, kDensity, 1, 10, 0, false),
            "the number of frequencies must be positive, 0 given");
  EXPECT_EQ(SpectrumSignal::check(kFrequency, kDensity, 0, 10, 5, true),
            "logarithmic interpolation needs f0 > 0, 0 given");
  const std::vector<double> negative = {1, 1, -1, 1};
  EXPECT_EQ(SpectrumSignal::check(kFrequency, negative, 1, 10, 5, false),
            "a power spectral density cannot be negative: point 3 is -1");
}

}  // namespace
}  // namespace trunnion::math
