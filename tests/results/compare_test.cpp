#include "results/read/compare.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "results/read/scales.hpp"

namespace trunnion::results {
namespace {

class Made final : public TableHistory {
 public:
  Made(std::vector<Channel> channels, std::vector<std::vector<double>> columns) {
    channels_ = std::move(channels);
    data_ = std::move(columns);
    rows_ = data_[0].size();
  }
};

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

Comparison of(const std::vector<Channel>& channels, std::vector<std::vector<double>> a,
              std::vector<std::vector<double>> b) {
  std::vector<Channel> all{{"time", "second"}};
  all.insert(all.end(), channels.begin(), channels.end());
  a.insert(a.begin(), {0, 1});
  b.insert(b.begin(), {0, 1});
  Made one(all, std::move(a)), other(all, std::move(b));
  return compare(one, other);
}
double relative(const Comparison& c, const std::string& name) {
  for (const Difference& d : c.channels) {
    if (d.name == name) return d.relative;
  }
  ADD_FAILURE() << name;
  return 0;
}

TEST(Compare, AnInfiniteValueDiffersAndHidesNoOther) {
  const Comparison c = of({{"JOINT/1.FX", "newton"}, {"JOINT/1.FY", "newton"}, {"JOINT/1.FZ", "newton"}},
                          {{1, kInf}, {5, 5}, {kInf, kNan}}, {{1, 2}, {5, 4}, {kInf, kNan}});
  EXPECT_EQ(relative(c, "JOINT/1.FX"), kInf);
  EXPECT_DOUBLE_EQ(relative(c, "JOINT/1.FY"), 0.2);  // the infinite one is no scale
  EXPECT_EQ(relative(c, "JOINT/1.FZ"), 0);           // the same in both
  EXPECT_EQ(relative(of({{"REQUEST/1.F2", ""}}, {{1, kInf}}, {{1, -kInf}}), "REQUEST/1.F2"), kInf);
  EXPECT_EQ(relative(of({{"REQUEST/1.F2", ""}}, {{1, kNan}}, {{1, kInf}}), "REQUEST/1.F2"), kInf);
}

// Torques of a plane mechanism that are all rounding, beside forces of 10 at lengths of 2: their scale is 20.
TEST(Compare, NoiseIsMeasuredByWhatItsUnitHasElsewhere) {
  const Comparison c = of({{"JOINT/1.FX", "newton"},
                           {"JOINT/1.TX", "newton*meter"},
                           {"PART/2.X", "meter"},
                           {"PART/2.VX", "meter/second"},
                           {"PART/2.PSI", "rad"},
                           {"PART/2.WX", "rad/second"},
                           {"REQUEST/1.F2", ""}},
                          {{10, 10}, {1e-24, 0}, {2, 2}, {1e-17, 0}, {1e-17, 0}, {0, 1e-18}, {1e-24, 0}},
                          {{10, 10}, {0, 0}, {2, 2}, {0, 0}, {0, 0}, {0, 0}, {0, 0}});
  for (const Difference& d : c.channels) EXPECT_LT(d.relative, 1e-15) << d.name;
}

// What is small, but no noise, is judged by itself.
TEST(Compare, SmallChannelsKeepTheirOwnScale) {
  const Comparison c = of({{"PART/2.X", "meter"}, {"PART/2.VX", "meter/second"}, {"DIFF/1", "1"}},
                          {{2, 2}, {1e-9, 1e-9}, {3e-15, 3e-15}}, {{2, 2}, {2e-9, 2e-9}, {1.5e-15, 1.5e-15}});
  EXPECT_DOUBLE_EQ(relative(c, "PART/2.VX"), 0.5);
  EXPECT_DOUBLE_EQ(relative(c, "DIFF/1"), 0.5);
}

TEST(Scales, UnitsAreProductsOfWhatTheResultsHave) {
  Scales s(2.0);
  s.add({"PART/2.X", "millimeter"}, 500);
  s.add({"PART/2.VX", "millimeter/second"}, 0);
  s.add({"JOINT/1.TX", "newton*millimeter"}, 1000);
  EXPECT_DOUBLE_EQ(s.of({"PART/2.VX", "millimeter/second"}), 250);
  EXPECT_DOUBLE_EQ(s.of({"PART/2.ACCX", "millimeter/second^2"}), 125);
  EXPECT_DOUBLE_EQ(s.of({"PART/2.WDX", "rad/second^2"}), 0.25);
  EXPECT_DOUBLE_EQ(s.of({"JOINT/1.FX", "newton"}), 2);  // told by the torque
}

}  // namespace
}  // namespace trunnion::results
