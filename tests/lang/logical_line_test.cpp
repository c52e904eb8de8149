#include "lang/logical_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text.hpp"
#include "support/reading.hpp"

namespace trunnion::lang {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> lines_of(std::string_view text) {
  LogicalLines lines(text, 1);
  LogicalLine line;
  std::vector<std::string> out;
  while (lines.next(line)) out.push_back(line.text);
  return out;
}

TEST(LogicalLines, StatementsAndContinuations) {
  struct Case {
    const char* what;
    const char* text;
    std::vector<std::string> statements;
  };
  const Case cases[] = {
      {"one a line", "A/1\nB/2\n", {"A/1", "B/2"}},
      {"no final line end", "A/1\nB/2", {"A/1", "B/2"}},
      {"a leading comma continues", "A/1\n, X\n, Y\nB/2\n", {"A/1\n, X\n, Y", "B/2"}},
      {"blanks and tabs before the comma", "A/1\n \t, X\n", {"A/1\n, X"}},
      {"an ampersand continues", "A/1 &\n X\nB\n", {"A/1\nX", "B"}},
      {"an ampersand and a leading comma", "A/1 &\n, X\n", {"A/1\n, X"}},
      {"blanks after the ampersand", "A/1 & \t\nX\n", {"A/1\nX"}},
      {"a comma, then an ampersand", "A/1, &\nX\n", {"A/1,\nX"}},
      {"a comment after the ampersand", "A/1 & ! note\nX\n", {"A/1\nX"}},
      {"a comment line after the ampersand", "A/1 &\n! note\nX\nB\n", {"A/1\nX", "B"}},
      {"an empty line after the ampersand", "A/1 &\n\nX\n", {"A/1\nX"}},
      {"a trailing comma continues", "A/1,\nX=1\nB/2\n", {"A/1,\nX=1", "B/2"}},
      {"a trailing comma before a new statement", "A/1,\nB/2\n", {"A/1,", "B/2"}},
      {"a trailing comma before END", "A/1,\nEND\n", {"A/1,", "END"}},
      {"a trailing and a leading comma", "A/1,\n, X\n", {"A/1,\n, X"}},
      {"a semicolon ends a statement", "A/1; B/2 ;C/3\n", {"A/1", "B/2", "C/3"}},
      {"semicolons with nothing between", ";;A/1;;\n;B/2;", {"A/1", "B/2"}},
      {"after a semicolon no comma is needed", "A/1;\nB/2\n", {"A/1", "B/2"}},
      {"a semicolon in quotes", "A/1, T=\"x;y\"\n", {"A/1, T=\"x;y\""}},
      {"an exclamation mark in quotes", "A/1, T=\"x!y\" ! real\n", {"A/1, T=\"x!y\""}},
      {"an unclosed quote hides nothing", "A/1, T=\"x; B/2\n", {"A/1, T=\"x", "B/2"}},
      {"comment lines between continuations", "A/1\n! one\n, X\n!two\n, Y\n", {"A/1\n, X\n, Y"}},
      {"empty lines between continuations", "A/1\n\n  \n, X\n", {"A/1\n, X"}},
      {"inline comments", "A/1 ! first\n, X ! second\n", {"A/1\n, X"}},
      {"CRLF", "A/1\r\n, X &\r\nY\r\n", {"A/1\n, X\nY"}},
      {"nothing", "", {}},
      {"comments only", "! a\n\n!b", {}},
  };
  for (const Case& c : cases) EXPECT_EQ(lines_of(c.text), c.statements) << c.what;
}

TEST(LogicalLines, CommentsAndNamesGoToTheNextStatement) {
  LogicalLines lines(
      "! top\n"
      "!                  adams_view_name='hub'\n"
      "A/1\n"
      "! inside\n"
      ", X ! beside\n"
      "! adams_view_name='next'\n"
      "B/2\n"
      "C/3\n"
      "! after\n",
      1);
  LogicalLine line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line.view_name, "hub");
  EXPECT_THAT(line.comments, ElementsAre(" top", " inside", " beside"));
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line.view_name, "next");
  EXPECT_THAT(line.comments, IsEmpty());
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line.view_name, "");
  ASSERT_FALSE(lines.next(line));
  EXPECT_THAT(lines.take_comments(), ElementsAre(" after"));
}

TEST(LogicalLines, ViewNames) {
  struct Case {
    const char* line;
    const char* name;
    bool comment;  // kept as an ordinary comment
  };
  const Case cases[] = {
      {"! adams_view_name='a b.c'", "a b.c", false},
      {"!adams_view_name='x'  \t", "x", false},
      {"! adams_view_name='it's'", "it's", false},
      {"! adams_view_name='caf\xe9'", "caf\xe9", false},
      {"! adams_view_name='x' and more", "", true},
      {"! the adams_view_name='x'", "", true},
      {"! adams_view_name='x", "", true},
  };
  for (const Case& c : cases) {
    const std::string text = std::string(c.line) + "\r\nA/1\r\n";
    LogicalLines lines(text, 1);
    LogicalLine line;
    ASSERT_TRUE(lines.next(line));
    EXPECT_EQ(line.view_name, c.name) << c.line;
    EXPECT_EQ(!line.comments.empty(), c.comment) << c.line;
  }
}

TEST(LogicalLines, EveryByteKnowsItsPlace) {
  const std::string text = "! c\nAB/1, &\n  CD=2 ! note\n! more\n, EF\n";
  LogicalLines lines(text, 3);
  LogicalLine line;
  ASSERT_TRUE(lines.next(line));
  for (std::size_t i = 0; i < line.text.size(); ++i) {
    if (line.text[i] == '\n') continue;
    EXPECT_EQ(text[line.source_offset(i)], line.text[i]) << i;
  }
  const std::size_t at = line.text.find("EF");
  EXPECT_EQ(line.span(at, at + 2).file, 3u);
  EXPECT_EQ(line.span(at, at + 2).begin, text.find("EF"));
  EXPECT_EQ(line.span(at, at + 2).end, text.find("EF") + 2);
}

TEST(CanonicalExpression, DropsWhatMeansNothing) {
  struct Case {
    const char *logical, *canonical;
  };
  const Case cases[] = {
      {" 1 + 2 ", "1+2"},
      {"STEP(TIME,\n, 0, 0,\n, 1, 1)", "STEP(TIME,0,0,1,1)"},
      {"-5*\n, DM(1, 2)", "-5*DM(1,2)"},
      {"IF(MODE-5: 0,\n,-DIF(1) , 2)", "IF(MODE-5:0,-DIF(1),2)"},
      {"a b", "a b"},
      {"1 .5", "1 .5"},
      {"2 * * 3", "2* *3"},
      {"2 ** 3", "2**3"},
      {"1\n,2", "1 2"},
      {"\t\n", ""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(canonical_expression(c.logical), c.canonical) << c.logical;
    EXPECT_EQ(canonical_expression(c.canonical), c.canonical) << c.canonical;
  }
}

TEST(LocateInExpression, FindsEveryCharacterOverLinesAndComments) {
  const std::string text = test::small_model(
      "VARIABLE/1, FUNCTION = -5.0 * STEP( TIME, ! ramp\n"
      "! a line between, with STEP(9\n"
      ",   0.0, 0,\n"
      "\t, 1 , 2.5D)\n"
      ", + 7 * SIN(TIME)\n");
  const test::Read read = test::read_adm(text);
  ASSERT_FALSE(read.diagnostics.has_errors()) << read.messages();
  const model::Expression& e = read.model.find<model::Variable>(1)->function;
  ASSERT_EQ(e.text, "-5.0*STEP(TIME,0.0,0,1,2.5D)+7*SIN(TIME)");
  const std::string_view source = read.sources.file(1).text();
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < e.text.size(); ++i) {
    const core::Span span = locate_in_expression(read.sources, e.span, i, 1);
    ASSERT_EQ(source[span.begin], e.text[i]) << i;
    ASSERT_EQ(span.end, span.begin + 1) << i;
    ASSERT_GT(span.begin, last) << i;
    last = span.begin;
  }
  // Line and column of "2.5D" and of "SIN": counted by hand.
  const auto at = [&](std::string_view what) {
    const core::Span span = locate_in_expression(read.sources, e.span, e.text.find(what), what.size());
    EXPECT_EQ(source.substr(span.begin, span.end - span.begin), what);
    const core::LineColumn place = read.sources.file(1).position(span.begin);
    return std::pair{place.line - test::kSmallModelLines, place.column};
  };
  EXPECT_EQ(at("STEP"), (std::pair{1, 31}));
  EXPECT_EQ(at("2.5D"), (std::pair{4, 8}));
  EXPECT_EQ(at("SIN"), (std::pair{5, 9}));
  // Past the end: right behind the expression.
  EXPECT_EQ(locate_in_expression(read.sources, e.span, 1000, 1).begin, e.span.end);
}

TEST(LocateInExpression, WithoutSourceTheSpanIsGivenBack) {
  EXPECT_FALSE(locate_in_expression(core::SourceSet{}, {}, 3, 1).known());
}

}  // namespace
}  // namespace trunnion::lang
