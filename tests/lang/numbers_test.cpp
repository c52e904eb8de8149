#include "lang/numbers.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "core/text.hpp"

namespace trunnion::lang {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

TEST(ReadNumber, AllForms) {
  struct Case {
    const char* text;
    double value;
    std::size_t length;
    bool degrees = false;
  };
  const Case cases[] = {
      {"0", 0, 1},
      {"-8", -8, 2},
      {"+3", 3, 2},
      {".5", 0.5, 2},
      {"-.25", -0.25, 4},
      {"1.", 1, 2},
      {"1.,2", 1, 2},
      {"1.0E-05", 1e-5, 7},
      {"1.0E-005", 1e-5, 8},
      {"1.0e+005", 1e5, 8},
      {"1E7", 1e7, 3},
      {"1.E3", 1e3, 4},
      {"0102", 102, 4},
      {"1.7172509E+07", 17172509, 13},
      {"90D", 90 * kDegree, 3, true},
      {"-90d", -90 * kDegree, 4, true},
      {"7.999E-06D", 7.999e-6 * kDegree, 10, true},
      {"2.0D,", 2 * kDegree, 4, true},
      {"20 D", 20 * kDegree, 4, true},
      {"1.5D)", 1.5 * kDegree, 4, true},
      {"1 DX", 1, 1},
      {"5\\", 5, 1},
      {"5 ", 5, 1},
      {"4.9406564584124654E-324", 4.9406564584124654e-324, 23},
  };
  for (const Case& c : cases) {
    const Number n = read_number(c.text);
    EXPECT_EQ(n.trouble, nullptr) << c.text << ": " << n.trouble;
    EXPECT_EQ(n.length, c.length) << c.text;
    EXPECT_EQ(n.value, c.value) << c.text;
    EXPECT_EQ(n.degrees, c.degrees) << c.text;
  }
}

TEST(ReadNumber, WhatIsNoNumber) {
  for (const char* text : {"", "-", "+", ".", "-.", "E5", "abc", "D", "--1", "+-1", " 1", "inf", "nan"}) {
    EXPECT_EQ(read_number(text).length, 0u) << text;
  }
}

TEST(ReadNumber, Troubles) {
  struct Case {
    const char *text, *trouble;
  };
  const Case cases[] = {
      {"1D5", "D, which means degrees"},
      {"1.0D-05", "D, which means degrees"},
      {"1.0d+3", "D, which means degrees"},
      {"1e999", "too large or too small"},
      {"1e-999", "too large or too small"},
      {"-1e999D", "too large or too small"},
      {"12abc", "runs into"},
      {"1.2.3", "runs into"},
      {"1E", "runs into"},
      {"90DX", "runs into"},
  };
  for (const Case& c : cases) {
    const Number n = read_number(c.text);
    ASSERT_NE(n.trouble, nullptr) << c.text;
    EXPECT_NE(std::string_view(n.trouble).find(c.trouble), std::string_view::npos)
        << c.text << ": " << n.trouble;
    EXPECT_GT(n.length, 0u) << c.text;
  }
}

TEST(WriteNumber, IsShort) {
  EXPECT_EQ(write_number(0), "0");
  EXPECT_EQ(write_number(0.1), "0.1");
  EXPECT_EQ(write_number(1e-5), "1E-05");
  EXPECT_EQ(write_number(-2500), "-2500");
  EXPECT_EQ(write_number(90 * kDegree, true), "90D");
  EXPECT_EQ(write_number(-22.5 * kDegree, true), "-22.5D");
  EXPECT_EQ(write_number(0, true), "0");
  EXPECT_EQ(write_number(90 * kDegree), core::number_text(90 * kDegree));
}

void expect_exact(double value, bool angle) {
  const std::string text = write_number(value, angle);
  const Number back = read_number(text);
  ASSERT_EQ(back.trouble, nullptr) << text;
  ASSERT_EQ(back.length, text.size()) << text;
  ASSERT_EQ(std::bit_cast<std::uint64_t>(back.value), std::bit_cast<std::uint64_t>(value)) << text;
}

TEST(WriteNumber, ReadsBackBitForBit) {
  std::mt19937_64 random(20);
  for (int i = 0; i < 20'000; ++i) {
    const double any = std::bit_cast<double>(random());
    if (std::isfinite(any)) {
      expect_exact(any, false);
      expect_exact(any, true);
    }
  }
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.0, -0.0, Limits::max(), -Limits::max(), Limits::min(), Limits::denorm_min()}) {
    expect_exact(value, false);
    expect_exact(value, true);
  }
}

TEST(WriteNumber, AnglesThatPeopleWriteStayInDegrees) {
  std::uniform_int_distribution<> hundredths(-36'000, 36'000);
  std::mt19937_64 random(21);
  for (int i = 0; i < 5'000; ++i) {
    const int h = hundredths(random);
    if (h == 0) continue;
    const std::string written = core::number_text(h / 100.0) + "D";
    const double angle = read_number(written).value;
    EXPECT_EQ(write_number(angle, true), written);
    expect_exact(angle, true);
  }
}

}  // namespace
}  // namespace trunnion::lang
