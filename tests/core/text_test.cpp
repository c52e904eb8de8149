#include "core/text.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace trunnion::core {
namespace {

TEST(Text, EditDistance) {
  struct Case {
    const char *a, *b;
    std::size_t distance;
  };
  const Case cases[] = {{"", "", 0},
                        {"abc", "", 3},
                        {"", "ab", 2},
                        {"abc", "ABC", 0},
                        {"abc", "abd", 1},
                        {"abc", "acb", 1},
                        {"abc", "xabc", 1},
                        {"REVOLUT", "REVOLUTE", 1},
                        {"kitten", "sitting", 3},
                        {"MARKRE", "MARKER", 1},
                        {"2203", "2202", 1},
                        {"ab", "ba", 1}};
  for (const Case& c : cases) {
    EXPECT_EQ(edit_distance(c.a, c.b), c.distance) << c.a << " " << c.b;
    EXPECT_EQ(edit_distance(c.b, c.a), c.distance) << c.b << " " << c.a;
  }
}

TEST(Text, NearestOffersOnlyWhatIsNear) {
  const std::string_view names[] = {"REVOLUTE", "SPHERICAL", "FIXED", "PART"};
  EXPECT_EQ(nearest("REVOLUT", names), "REVOLUTE");
  EXPECT_EQ(nearest("fixd", names), "FIXED");
  EXPECT_EQ(nearest("PRAT", names), "PART");
  EXPECT_EQ(nearest("XYZZY", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
  EXPECT_EQ(nearest(std::string(100'000, 'P'), names), std::nullopt);
  EXPECT_EQ(nearest("PART", {}), std::nullopt);
}

TEST(Text, NumberTextReadsBackExactly) {
  std::mt19937_64 random(1);
  const auto check = [](double value) {
    const std::string text = number_text(value);
    double back = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_EQ(end.ptr, text.data() + text.size()) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value)) << text;
  };
  using Limits = std::numeric_limits<double>;
  for (const double value :
       {0.0, -0.0, 0.1, 1e-5, 1e22, 1e23, Limits::max(), Limits::min(), Limits::denorm_min()})
    check(value);
  for (int i = 0; i < 20'000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value)) check(value);
  }
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(2500), "2500");
}

TEST(Text, Case) {
  EXPECT_EQ(to_upper("aZ9_\xe9"), "AZ9_\xe9");
  EXPECT_EQ(to_lower("aZ9_\xc9"), "az9_\xc9");
  EXPECT_TRUE(equals_nocase("Part", "pART"));
  EXPECT_FALSE(equals_nocase("Part", "Parts"));
  EXPECT_TRUE(starts_with_nocase("Marker", "mARK"));
  EXPECT_FALSE(starts_with_nocase("Mar", "mark"));
}

TEST(Text, TrimAndJoin) {
  EXPECT_EQ(trim(" \t\r\na b\n "), "a b");
  EXPECT_EQ(trim(" \n"), "");
  const std::string words[] = {"a", "b", "c"};
  EXPECT_EQ(join_and(words), "a, b and c");
  EXPECT_EQ(join_and(words, "or"), "a, b or c");
  EXPECT_EQ(join_and(std::span(words, 1)), "a");
  EXPECT_EQ(join_and({}), "");
}

TEST(Text, Printable) {
  EXPECT_EQ(printable(std::string_view("a\0b\x7f\t", 5)), "a·b· ");
  EXPECT_EQ(printable("\xe9"), "·");             // latin-1
  EXPECT_EQ(printable("\xc3\xa9"), "\xc3\xa9");  // UTF-8
  EXPECT_EQ(printable("\xe2\x82\xac"), "\xe2\x82\xac");
  EXPECT_EQ(printable("\xf0\x9f\x94\xa9"), "\xf0\x9f\x94\xa9");
  EXPECT_EQ(printable("\xe2\x82"), "··");  // cut short
  EXPECT_EQ(printable("\xc0\xaf"), "··");  // never valid
}

}  // namespace
}  // namespace trunnion::core
