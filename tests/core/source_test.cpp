#include "core/source.hpp"

#include <gtest/gtest.h>

namespace trunnion::core {
namespace {

TEST(Source, PositionsAndLines) {
  struct Case {
    const char* what;
    const char* text;
    std::uint32_t offset;
    int line, column;
    const char* content;  // of that line
  };
  const Case cases[] = {
      {"first byte", "abc\ndef\n", 0, 1, 1, "abc"},
      {"the line end belongs to its line", "abc\ndef\n", 3, 1, 4, "abc"},
      {"second line", "abc\ndef\n", 4, 2, 1, "def"},
      {"past the last line end", "abc\ndef\n", 8, 3, 1, ""},
      {"last line without line end", "abc\ndef", 6, 2, 3, "def"},
      {"end of a text without line end", "abc\ndef", 7, 2, 4, "def"},
      {"CRLF is one line end, shown without it", "abc\r\ndef\r\n", 5, 2, 1, "def"},
      {"the CR belongs to its line", "abc\r\ndef\r\n", 3, 1, 4, "abc"},
      {"a CR inside a line stays", "a\rb\n", 2, 1, 3, "a\rb"},
      {"empty lines count", "\n\n\nx", 3, 4, 1, "x"},
      {"empty text", "", 0, 1, 1, ""},
      {"columns are bytes", "\xc3\xa9x", 2, 1, 3, "\xc3\xa9x"},
  };
  for (const Case& c : cases) {
    const SourceFile file("f", c.text);
    const LineColumn at = file.position(c.offset);
    EXPECT_EQ(at.line, c.line) << c.what;
    EXPECT_EQ(at.column, c.column) << c.what;
    EXPECT_EQ(file.line(at.line), c.content) << c.what;
  }
}

TEST(Source, LinesThatDoNotExistAreEmpty) {
  const SourceFile file("f", "a\nb\n");
  EXPECT_EQ(file.line(0), "");
  EXPECT_EQ(file.line(-3), "");
  EXPECT_EQ(file.line(4), "");
}

TEST(Source, SetGivesIdsFromOne) {
  SourceSet sources;
  EXPECT_FALSE(sources.has(0));
  EXPECT_FALSE(sources.has(1));
  const auto first = sources.add("a", "x");
  const SourceFile* stays = &sources.file(first);
  const auto second = sources.add("b", "y");
  EXPECT_EQ(first, 1u);
  EXPECT_EQ(second, 2u);
  EXPECT_EQ(stays, &sources.file(first));
  EXPECT_EQ(sources.file(second).path(), "b");
  EXPECT_FALSE(Span{}.known());
}

}  // namespace
}  // namespace trunnion::core
