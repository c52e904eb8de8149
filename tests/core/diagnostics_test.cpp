#include "core/diagnostics.hpp"

#include <gtest/gtest.h>

namespace trunnion::core {
namespace {

// Renders one error at [begin, end) of the text.
std::string shown(std::string text, std::uint32_t begin, std::uint32_t end, RenderOptions options = {}) {
  SourceSet sources;
  const auto file = sources.add("m.adm", std::move(text));
  return render({Severity::error, {file, begin, end}, {}, "bad", {}}, sources, options);
}

TEST(Render, EverythingTogether) {
  SourceSet sources;
  const auto file = sources.add("dir/model.adm", "title\nJOINT/3, REVOLUT, I=1\n");
  const Diagnostic d{Severity::warning, {file, 15, 22}, "JOINT/3 'hinge'", "REVOLUT is odd", "use REVOLUTE"};
  EXPECT_EQ(render(d, sources),
            "dir/model.adm:2:10: warning: JOINT/3 'hinge': REVOLUT is odd\n"
            "    JOINT/3, REVOLUT, I=1\n"
            "             ^~~~~~~\n"
            "    try: use REVOLUTE\n");
}

TEST(Render, WithoutPlaceSubjectOrHint) {
  EXPECT_EQ(render(Diagnostic{Severity::error, {}, {}, "no ground", {}}, SourceSet{}), "error: no ground\n");
  EXPECT_EQ(render(Diagnostic{Severity::note, {7, 0, 1}, {}, "lost file", {}}, SourceSet{}),
            "note: lost file\n");
}

TEST(Render, ColourOnlyWhenAsked) {
  RenderOptions colour;
  colour.colour = true;
  EXPECT_NE(shown("abc", 0, 1, colour).find("\033[1;31merror:\033[0m"), std::string::npos);
  EXPECT_EQ(shown("abc", 0, 1).find('\033'), std::string::npos);
}

TEST(Render, CaretStandsUnderItsBytes) {
  struct Case {
    const char* what;
    std::string text;
    std::uint32_t begin, end;
    const char* excerpt;
  };
  const Case cases[] = {
      {"empty range", "abc", 1, 1, "    abc\n     ^\n"},
      {"end of line", "abc\nd", 3, 4, "    abc\n       ^\n"},
      {"range over two lines is cut at the first", "abc\ndef", 1, 6, "    abc\n     ^~\n"},
      {"tabs take one column", "\ta\tb", 3, 4, "     a b\n       ^\n"},
      {"CRLF", "ab\r\ncd\r\n", 4, 6, "    cd\n    ^~\n"},
      {"NUL and control bytes are dots",
       std::string("a\0\x01"
                   "b",
                   4),
       3, 4, "    a··b\n       ^\n"},
      {"latin-1 is a dot", "caf\xe9 x", 5, 6, "    caf· x\n         ^\n"},
      {"UTF-8 takes one column a letter", "caf\xc3\xa9 x", 6, 7, "    caf\xc3\xa9 x\n         ^\n"},
      {"a marked UTF-8 word", "\xc3\xa9t\xc3\xa9 x", 0, 5, "    \xc3\xa9t\xc3\xa9 x\n    ^~~\n"},
      {"cut UTF-8 at the end of a line", "x \xe2\x82", 0, 1, "    x ··\n    ^\n"},
      {"empty text has nothing to show", "", 0, 1, ""},
  };
  for (const Case& c : cases) {
    const std::string all = shown(c.text, c.begin, c.end);
    EXPECT_EQ(all.substr(all.find('\n') + 1), c.excerpt) << c.what;
  }
}

TEST(Render, LongLinesAreCutAroundTheCaret) {
  RenderOptions narrow;
  narrow.line_width = 12;
  std::string text;
  for (char c = 'a'; c <= 'z'; ++c) text += c;
  const auto excerpt = [&](std::uint32_t begin, std::uint32_t end) {
    const std::string all = shown(text, begin, end, narrow);
    return all.substr(all.find('\n') + 1);
  };
  EXPECT_EQ(excerpt(0, 1), "    abcdefghijkl…\n    ^\n");
  EXPECT_EQ(excerpt(8, 9), "    abcdefghijkl…\n            ^\n");
  EXPECT_EQ(excerpt(12, 14), "    …efghijklmnop…\n             ^~\n");
  EXPECT_EQ(excerpt(25, 26), "    …rstuvwxyz\n             ^\n");
  EXPECT_EQ(excerpt(0, 26), "    abcdefghijkl…\n    ^~~~~~~~~~~~\n");
}

TEST(Render, TenMegabyteLineGivesAShortMessage) {
  const std::string all = shown(std::string(10'000'000, 'x'), 5'000'000, 9'000'000);
  EXPECT_LT(all.size(), 500u);
}

TEST(Diagnostics, KeepsFiftyErrorsAndCountsTheRest) {
  SourceSet sources;
  Diagnostics all;
  for (int i = 0; i < 57; ++i) all.error({}, {}, "e" + std::to_string(i));
  for (int i = 0; i < 51; ++i) all.warning({}, {}, "w" + std::to_string(i));
  EXPECT_EQ(all.error_count(), 57u);
  EXPECT_EQ(all.warning_count(), 51u);
  EXPECT_EQ(all.all().size(), 2 * Diagnostics::kErrorLimit);
  const std::string text = render(all, sources);
  EXPECT_NE(text.find("error: e49\n"), std::string::npos);
  EXPECT_EQ(text.find("error: e50\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("… and 7 more errors\n… and 1 more warning\n")) << text;
}

TEST(Diagnostics, FiftyExactlyLeaveNothingOff) {
  Diagnostics all;
  for (int i = 0; i < 50; ++i) all.error({}, {}, "e");
  EXPECT_EQ(render(all, SourceSet{}).find("more"), std::string::npos);
}

TEST(Diagnostics, SortIsByPlaceAndStable) {
  Diagnostics all;
  all.error({1, 30, 31}, {}, "d");
  all.warning({1, 10, 11}, {}, "b");
  all.error({2, 0, 1}, {}, "e");
  all.error({1, 10, 12}, {}, "c");
  all.error({}, {}, "a");
  all.sort();
  std::string order;
  for (const Diagnostic& d : all.all()) order += d.message;
  EXPECT_EQ(order, "abcde");
}

}  // namespace
}  // namespace trunnion::core
