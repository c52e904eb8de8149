// Every expression in the corpus of real models compiles. The models are read here by the crudest means: this
// is a test of expressions, not of the reader.

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "helpers.hpp"

namespace trunnion::expr::testing {
namespace {

namespace fs = std::filesystem;

// Statements as single lines: comments dropped, continuation commas of expressions dropped.
std::vector<std::string> logical_lines(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    line = line.substr(0, line.find('!'));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos) continue;
    if (line[first] == ',' && !lines.empty()) {
      lines.back() += " \x01" + line.substr(first + 1);  // \x01: a separator at argument level only
    } else {
      lines.push_back(line);
    }
  }
  return lines;
}

TEST(Corpus, EveryExpressionCompiles) {
  if (!fs::exists(TRUNNION_CORPUS_DIR)) GTEST_SKIP() << "no corpus here";
  const std::regex argument(R"((?:^|[\x01,\\\s])(?:FUNCTION|FUNC|FX|FY|FZ|TX|TY|TZ|F[1-8])\s*=\s*([^\\=]*))",
                            std::regex::icase);
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(TRUNNION_CORPUS_DIR)) {
    // parser-test-1 exercises a reader: its functions are made-up words.
    if (entry.path().extension() != ".adm" || entry.path().stem() == "parser-test-1") continue;
    for (const std::string& line : logical_lines(entry.path())) {
      for (std::sregex_iterator it(line.begin(), line.end(), argument), end; it != end; ++it) {
        std::string text = (*it)[1].str();
        // What the reader does: the expression ends before the next NAME=, and inside it continuation marks
        // vanish.
        const std::size_t stop = it->position() + static_cast<std::size_t>(it->length());
        if (stop < line.size() && line[stop] == '=') {
          while (!text.empty() && text.back() != '\x01' && text.back() != ',') text.pop_back();
          while (!text.empty() && (text.back() == '\x01' || text.back() == ',' || text.back() == ' '))
            text.pop_back();
        }
        std::erase(text, '\x01');
        const CompileResult result = compile(text);
        EXPECT_TRUE(result.program) << entry.path().filename() << ": " << text << "\n" << errors_of(text);
        ++count;
      }
    }
  }
  EXPECT_GT(count, 200);
}

}  // namespace
}  // namespace trunnion::expr::testing
