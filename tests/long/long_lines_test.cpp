#include <gtest/gtest.h>

#include "support/reading.hpp"

namespace trunnion {
namespace {

// 10 MB on one line. Each finishes at once when the work is linear; at quadratic cost (10¹⁴ steps) none would
// within the test's time limit.
TEST(LongLines, TenMegabytesFinish) {
  constexpr std::size_t kSize = 10'000'000;
  const auto repeated = [](std::string_view piece) {
    std::string out;
    out.reserve(kSize + piece.size());
    while (out.size() < kSize) out += piece;
    return out;
  };
  const std::pair<const char*, std::string> cases[] = {
      {"one word", repeated("x")},
      {"a keyword", "PART/1, " + repeated("a")},
      {"digits", "PART/1, MASS=" + repeated("1")},
      {"an id", "PART/" + repeated("1")},
      {"a list", "ARRAY/1, IC, NUMBERS=" + repeated("1,")},
      {"blanks", "PART/1," + repeated(" ")},
      {"commas", "PART/1" + repeated(",")},
      {"marks of continuation", "VARIABLE/1, FUNCTION=1" + repeated("\n,")},
      {"continuation by ampersand", "VARIABLE/1, FUNCTION=1" + repeated("&\n")},
      {"semicolons", repeated("PART/1;")},
      {"quotes", "STRING/1, STRING=" + repeated("\"")},
      {"quotes and semicolons", repeated("\";")},
      {"an expression", "VARIABLE/1, FUNCTION=" + repeated("1+")},
      {"an expression with commas", "VARIABLE/1, FUNCTION=" + repeated("X,")},
      {"a text of backslashes", "STRING/1, STRING=" + repeated("\\a")},
      {"repeated arguments", "PART/1" + repeated(", GROUND")},
      {"unknown arguments", "PART/1" + repeated(", NOTHING=1")},
      {"exclamation marks", repeated("!")},
      {"colons", "PART/1, EXACT=" + repeated("X:")},
  };
  for (const auto& [what, line] : cases) {
    const test::Read read = test::read_adm("t\nPART/1, GROUND\n" + line + "\nEND\n");
    EXPECT_LT(read.messages().size(), 100'000u) << what;
  }
}

}  // namespace
}  // namespace trunnion
