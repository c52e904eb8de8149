#include "flex/op4.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/text.hpp"

namespace trunnion::flex {

namespace {

struct Op4Head {
  int columns = 0, rows = 0, type = 0, width = 0;
  bool large = false;
  std::string name;
};

std::string_view field(std::string_view line, std::size_t at, std::size_t size) {
  return at < line.size() ? core::trim(line.substr(at, size)) : std::string_view();
}

// "1P,3E23.16": 23.
int field_width(std::string_view format) {
  const std::size_t letter = format.find_first_of("EeDdFf");
  if (letter == std::string_view::npos) return 0;
  int width = 0;
  std::from_chars(format.data() + letter + 1, format.data() + format.size(), width);
  return width;
}

Op4Head read_head(TextLines& file) {
  const std::string_view line = file.line();
  Op4Head head;
  if (!is_op4(line)) file.fail("expected columns, rows, form, type and name of an OUTPUT4 matrix");
  head.columns = file.whole(field(line, 0, 8));
  head.rows = file.whole(field(line, 8, 8));
  head.type = file.whole(field(line, 24, 8));
  head.name = std::string(field(line, 32, 8));
  head.width = line.size() > 40 ? field_width(line.substr(40)) : 0;
  head.large = head.rows < 0;
  head.rows = std::abs(head.rows);
  if (head.type != 1 && head.type != 2)
    file.fail(fmt::format("{} has type {}; mass and stiffness are real (1 or 2)", head.name, head.type));
  if (head.width < 8 || head.width > 60) file.fail("no format with a width of fields, such as 1P,3E23.16");
  return head;
}

bool whole_numbers(TextLines& file) {
  const auto& words = file.words();
  return !words.empty() && std::all_of(words.begin(), words.end(), is_whole);
}

class Op4Matrix {
 public:
  Op4Matrix(TextLines& file, const Op4Head& head) : file_(file), head_(head) {}

  SparseMatrix read() {
    while (file_.next()) {
      const auto words = file_.words();
      if (!whole_numbers(file_) || words.size() != 3) file_.fail("expected column, row and number of words");
      const int column = file_.whole(words[0]), row = file_.whole(words[1]);
      if (column == head_.columns + 1) return finish();
      if (column < 1 || column > head_.columns)
        file_.fail(fmt::format("column {} of {}", column, head_.columns));
      if (row > 0) numbers(column - 1, row - 1);
      else strings(column - 1);
    }
    file_.fail(fmt::format("the file ends inside of matrix {}", head_.name));
  }

 private:
  SparseMatrix finish() {
    if (file_.next() && whole_numbers(file_)) file_.back();  // the number that means nothing was left out
    SparseMatrix A(head_.rows, head_.columns);
    A.setFromTriplets(entries_.begin(), entries_.end());
    return A;
  }

  // Up to the next line of whole numbers.
  void numbers(int column, int row) {
    while (file_.next()) {
      if (whole_numbers(file_) || is_op4(file_.line())) return file_.back();
      const auto width = static_cast<std::size_t>(head_.width);
      for (std::size_t at = 0; at < file_.line().size(); at += width) {
        const std::string_view text = field(file_.line(), at, width);
        if (text.empty()) break;
        if (row >= head_.rows) file_.fail(fmt::format("row {} of {}", row + 1, head_.rows));
        if (const double value = file_.real(text); value != 0) entries_.emplace_back(row, column, value);
        ++row;
      }
    }
  }

  void strings(int column) {
    while (file_.next()) {
      const auto words = file_.words();
      const bool place = whole_numbers(file_) && words.size() == (head_.large ? 2U : 1U);
      if (!place) return file_.back();
      constexpr int kShift = 65536;
      const int row = head_.large ? file_.whole(words[1]) : file_.whole(words[0]) % kShift;
      if (row < 1 || row > head_.rows)
        file_.fail(fmt::format("a string begins in row {} of {}", row, head_.rows));
      numbers(column, row - 1);
    }
  }

  TextLines& file_;
  const Op4Head& head_;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

bool is_op4(std::string_view line) {
  if (line.size() < 33) return false;
  for (std::size_t k = 0; k < 4; ++k) {
    if (!is_whole(field(line, 8 * k, 8))) return false;
  }
  const std::string_view name = field(line, 32, 8);
  return !name.empty() && core::is_alpha(name.front());
}

SparseMatrix read_op4(TextLines& file, const std::string& name) {
  std::vector<std::string> seen;
  do {
    if (core::trim(file.line()).empty()) continue;
    const Op4Head head = read_head(file);
    SparseMatrix A = Op4Matrix(file, head).read();
    if (name.empty() || core::equals_nocase(name, head.name)) {
      if (A.rows() != A.cols())
        file.fail(
            fmt::format("{} is {} by {}; mass and stiffness are square", head.name, A.rows(), A.cols()));
      return A;
    }
    seen.push_back(head.name);
  } while (file.next());
  file.fail(fmt::format("there is no matrix {}; there is {}", name, core::join_and(seen)));
}

}  // namespace trunnion::flex
