// Stability-limit detection: the root of a vibration from the norms of its derivatives, and what BDF of each order makes of it.

#include "integrate/stability_limit.hpp"

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <vector>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace trunnion::integrate {
namespace {

using Complex = std::complex<double>;

// Weights of yₙ, yₙ₋₁, … in Σ_{j ≤ k} ∇ʲ/j.
std::vector<double> bdf(int order) {
  std::vector<double> c(static_cast<std::size_t>(order) + 1);
  for (int j = 1; j <= order; ++j) {
    double binomial = 1;
    for (int i = 0; i <= j; ++i) {
      c[static_cast<std::size_t>(i)] += (i % 2 == 0 ? 1.0 : -1.0) * binomial / j;
      binomial = binomial * (j - i) / (i + 1);
    }
  }
  return c;
}

// The largest root, by the companion matrix.
double largest_root(int order, double y) {
  const std::vector<double> c = bdf(order);
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(order, order);
  for (int k = 0; k < order; ++k)
    companion(0, k) = -c[static_cast<std::size_t>(k) + 1] / (c[0] - Complex(0, y));
  for (int k = 1; k < order; ++k) companion(k, k - 1) = 1;
  return companion.eigenvalues().cwiseAbs().maxCoeff();
}

TEST(StabilityLimit, GrowthIsThatOfTheFormulasRoot) {
  for (int order = 1; order <= 6; ++order) {
    for (const double y : {0.02, 0.1, 0.3, 0.5, 0.8, 1.0, 2.0, 4.0})
      EXPECT_NEAR(bdf_growth(order, y), largest_root(order, y) - 1, 1e-10) << order << " " << y;
  }
  // The leading terms.
  const double y = 0.02, y4 = std::pow(y, 4), y6 = std::pow(y, 6);
  EXPECT_NEAR(bdf_growth(2, y) / y4, -1.0 / 4, 1e-3);
  EXPECT_NEAR(bdf_growth(3, y) / y4, 1.0 / 4, 1e-3);
  EXPECT_NEAR(bdf_growth(4, y) / y6, 1.0 / 3, 2e-3);
  EXPECT_NEAR(bdf_growth(5, y) / y6, -1.0 / 6, 2e-3);
}

// What BDF makes of several motions at once, each in a coordinate of its own.
struct Part {
  Complex rate, size;  // hλ
};
std::vector<std::vector<double>> stepped(int order, const std::vector<Part>& parts, int count) {
  const std::vector<double> c = bdf(order);
  std::vector<std::vector<double>> all;
  for (const Part& part : parts) {
    std::vector<Complex> y;
    for (int n = 0; n < count; ++n) {
      const auto at = static_cast<std::size_t>(n);
      if (n < order) {
        y.push_back(part.size * std::exp(part.rate * static_cast<double>(n)));
        continue;
      }
      Complex sum = 0;
      for (int i = 1; i <= order; ++i)
        sum -= c[static_cast<std::size_t>(i)] * y[at - static_cast<std::size_t>(i)];
      y.push_back(sum / (c[0] - part.rate));
    }
    all.emplace_back();
    for (const Complex& value : y) all.back().push_back(value.real());
  }
  return all;
}

double difference(const std::vector<double>& y, int power, int n) {
  double sum = 0, binomial = 1;
  for (int i = 0; i <= power; ++i) {
    sum += (i % 2 == 0 ? 1 : -1) * binomial * y[static_cast<std::size_t>(n - i)];
    binomial = binomial * (power - i) / (i + 1);
  }
  return sum;
}

StabilityLimit watched(int order, const std::vector<Part>& parts, int last = 90) {
  const auto all = stepped(order, parts, last + 1);
  StabilityLimit limit;
  for (int n = 20; n <= last; ++n) {
    double norms[3];
    for (int k = 0; k < 3; ++k) {
      double squares = 0;
      for (const std::vector<double>& y : all) squares += std::pow(difference(y, 5 + k, n), 2);
      norms[k] = std::sqrt(squares);
    }
    limit.see(norms);
  }
  return limit;
}

// Eight steps hold a swing of four radians and more; then what a step makes of it is known to within a half, or a hundredth.
void expect_growth(const StabilityLimit& limit, int order, double y) {
  const double growth = bdf_growth(order, y);
  EXPECT_NEAR(limit.growth(order, order), growth, 0.5 * std::max(growth, 0.0) + 0.01) << order << " " << y;
  if (growth > 0.002) {
    EXPECT_GT(limit.growth(order, order), 1e-4) << order << " " << y;
  }
}

TEST(StabilityLimit, FindsTheRootOfAVibration) {
  for (int order = 3; order <= 5; ++order) {
    for (const double y : {0.5, 0.7, 0.9}) {
      for (int phase = 0; phase < 12; ++phase) {
        const StabilityLimit limit = watched(order, {{Complex(0, y), std::polar(1e-6, 0.3 * phase)}});
        const auto root = limit.root();
        ASSERT_TRUE(root) << order << " " << y;
        EXPECT_NEAR(root->size, largest_root(order, y), 0.02) << order << " " << y;
        EXPECT_NEAR(root->angle, y, 0.2 * y) << order << " " << y;
        expect_growth(limit, order, y);
      }
    }
  }
}

TEST(StabilityLimit, FindsItBesideAMotionOfAMillionTimesItsSize) {
  for (const int order : {3, 4}) {
    for (const double y : {0.5, 0.7})
      expect_growth(watched(order, {{Complex(0, y), 1e-6}, {Complex(0, 0.005), 1}}), order, y);
  }
}

// Both coordinates of a circle: the norms do not swing.
TEST(StabilityLimit, FindsACirclingMotion) {
  const StabilityLimit limit = watched(3, {{Complex(0, 0.3), 1}, {Complex(0, 0.3), Complex(0, -1)}});
  ASSERT_TRUE(limit.root());
  EXPECT_NEAR(limit.root()->angle, 0.3, 0.01);
  EXPECT_NEAR(limit.growth(3, 3), bdf_growth(3, 0.3), 1e-4);
}

TEST(StabilityLimit, LeavesOthersAlone) {
  const std::pair<const char*, std::vector<Part>> cases[] = {
      {"a decay", {{-0.3, 1}}},
      {"a slow decay", {{-0.06, 1}}},
      {"a fall from rest", {{0.1, 1}}},
      {"a vibration with 20 % damping", {{Complex(-0.1, 0.5), 1}}}};
  for (const auto& [name, parts] : cases) EXPECT_LT(watched(3, parts).growth(3, 3), 1e-5) << name;
  StabilityLimit few;
  const double norms[] = {1, 1, 1};
  for (int k = 0; k < 7; ++k) few.see(norms);
  EXPECT_FALSE(few.root());
  few.see(norms);
  EXPECT_TRUE(few.root());
  few.forget();
  EXPECT_FALSE(few.root());
}

}  // namespace
}  // namespace trunnion::integrate
