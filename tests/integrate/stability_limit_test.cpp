// Stability-limit detection: the root of a vibration from the norms of its derivatives, and what BDF of each order makes of it; and when order 2
// is called for.

#include "integrate/stability_limit.hpp"

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <vector>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "integrate/damping_spell.hpp"

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
  StabilityLimit limit(5);
  for (int n = 20; n <= last; ++n) {
    StabilityLimit::Differences seen;
    for (int k = 0; k < 3; ++k) {
      double squares = 0;
      for (const std::vector<double>& y : all) squares += std::pow(difference(y, 5 + k, n), 2);
      seen.norms[k] = std::sqrt(squares);
    }
    limit.see(seen, 0.1);
  }
  return limit;
}

// What this order makes a step of an undamped vibration that is seen; else 0.
double growth(const StabilityLimit& limit, int order) {
  const auto v = limit.vibration(order);
  return v && v->undamped ? bdf_growth(order, v->y) : 0;
}

// Eight steps hold a swing of four radians and more; then what a step makes of it is known to within a half, or a hundredth.
void expect_growth(const StabilityLimit& limit, int order, double y) {
  const double expected = bdf_growth(order, y);
  EXPECT_NEAR(growth(limit, order), expected, 0.5 * std::max(expected, 0.0) + 0.01) << order << " " << y;
  if (expected > 0.002) {
    EXPECT_GT(growth(limit, order), 1e-4) << order << " " << y;
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
  EXPECT_NEAR(growth(limit, 3), bdf_growth(3, 0.3), 1e-4);
}

TEST(StabilityLimit, LeavesOthersAlone) {
  const std::pair<const char*, std::vector<Part>> cases[] = {
      {"a decay", {{-0.3, 1}}},
      {"a slow decay", {{-0.06, 1}}},
      {"a fall from rest", {{0.1, 1}}},
      {"a vibration with 20 % damping", {{Complex(-0.1, 0.5), 1}}}};
  for (const auto& [name, parts] : cases) EXPECT_LT(growth(watched(3, parts), 3), 1e-5) << name;
  StabilityLimit few(5);
  const StabilityLimit::Differences seen{{1, 1, 1}, 0};
  for (int k = 0; k < 7; ++k) few.see(seen, 0.1);
  EXPECT_FALSE(few.root());
  few.see(seen, 0.1);
  EXPECT_TRUE(few.root());
  few.forget();
  EXPECT_FALSE(few.root());
}

// Differences over hʲ as they are of a vibration of this size: steps may change.
StabilityLimit::Differences differences_of(double omega, double h, double size, double part) {
  const double factor = 2 * std::sin(omega * h / 2);
  StabilityLimit::Differences seen;
  for (int k = 0; k < 3; ++k) seen.norms[k] = size / std::numbers::sqrt2 * std::pow(factor, 5 + k);
  seen.part = part / (omega * h) / std::numbers::sqrt2 * std::pow(factor, 5);
  return seen;
}

TEST(StabilityLimit, ChangesOfTheStepHideNoVibration) {
  StabilityLimit limit(5);
  constexpr double kOmega = 10;
  double h = 0.02;
  for (int n = 0; n < 12; ++n) {
    h *= n % 3 == 0 ? 1.3 : 0.95;
    limit.see(differences_of(kOmega, h, 3, 0.02), h);
  }
  const auto v = limit.vibration(2);
  ASSERT_TRUE(v);
  const Complex rate =
      1.5 - 2.0 * std::exp(Complex(0, -kOmega * h)) + 0.5 * std::exp(Complex(0, -2 * kOmega * h));
  EXPECT_NEAR(v->y, rate.imag(), 0.02 * rate.imag());
  EXPECT_NEAR(v->size, 3, 0.3);
  EXPECT_NEAR(v->part, 0.02, 0.002);
  EXPECT_TRUE(v->undamped);
}

// What a spell at order 2 is for, seen from outside: a vibration whose size goes by the order's growth, or stays.
class Vibrating {
 public:
  Vibrating(double y, double size, double part, bool driven)
      : y_(y), size_(size), part_(part), driven_(driven) {}
  void step(DampingSpell& spell) {
    limit_.see(differences_of(y_ / kH, kH, size_, part_), kH);
    if (spell.begins(limit_, {order, kH, 1, equal})) order = 2;
    else if (!spell.lasts()) order = 4;
    if (!driven_) size_ *= 1 + bdf_growth(order, y_);
  }
  // Steps until the order is (or is not) 2; at most so many.
  int until(DampingSpell& spell, bool low, int most) {
    int n = 0;
    while (n < most && (order == 2) != low) step(spell), ++n;
    return n;
  }
  int order = 4;
  int equal = 100;  // steps
  double size() const { return size_; }

 private:
  static constexpr double kH = 0.01;
  StabilityLimit limit_{5};
  double y_, size_, part_;
  bool driven_;
};

constexpr double kFedFrom = 4e-5;

// One that sets the step is damped after as many steps as that takes, and until ERROR does not see it for long.
TEST(DampingSpell, EndsWhatItsStepsAreWorth) {
  DampingSpell spell(kFedFrom);
  spell.forget();
  Vibrating vibrating(0.4, 20, 0.01, false);
  const double needed = 1 / -bdf_growth(2, 0.4);
  const int followed = vibrating.until(spell, true, 10000);
  EXPECT_GT(followed, 0.8 * needed);
  EXPECT_LT(followed, 1.5 * needed + 40);
  EXPECT_GT(spell.in_the_way(), 0);
  const int damped = vibrating.until(spell, false, 100000);
  EXPECT_LT(vibrating.size(), 2e-3);
  EXPECT_LT(damped, 20 * needed);
}

TEST(DampingSpell, LeavesTheMotionItselfAlone) {
  DampingSpell spell(kFedFrom);
  spell.forget();
  Vibrating motion(0.4, 1000, 0.5, true);
  EXPECT_EQ(motion.until(spell, true, 20000), 20000);
  Vibrating resolved(0.05, 10, 0.01, true);  // order 4 errs by 5e-9 of it in a step
  EXPECT_EQ(resolved.until(spell, true, 20000), 20000);
  EXPECT_EQ(spell.in_the_way(), 0);
}

// One that is driven is there after each spell, and is left alone for longer and longer.
TEST(DampingSpell, OfWhatIsDrivenTakesLessAndLess) {
  DampingSpell spell(kFedFrom);
  spell.forget();
  Vibrating driven(0.5, 20, 0.01, true);
  int low = 0;
  constexpr int kSteps = 40000;
  for (int n = 0; n < kSteps; ++n) {
    driven.step(spell);
    low += driven.order == 2;
  }
  EXPECT_GT(low, 400);
  EXPECT_LT(low, 0.25 * kSteps);
}

// Too small for ERROR to see, but fed: at once, where order 2 costs little.
TEST(DampingSpell, BeginsAtOnceBeforeErrorSeesIt) {
  DampingSpell spell(kFedFrom);
  spell.forget();
  Vibrating small(0.8, 1e-3, 1e-4, false);
  EXPECT_LT(small.until(spell, true, 1000), 20);
  EXPECT_LT(small.size(), 5e-3);
  EXPECT_EQ(spell.in_the_way(), 0);
}

}  // namespace
}  // namespace trunnion::integrate
