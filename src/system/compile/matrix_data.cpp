#include "system/compile/matrix_data.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "core/text.hpp"

namespace trunnion::system {

namespace {

// A size is a word in a file; numbers in memory are not.
bool too_large(int rows, int columns) {
  constexpr long long kLargest = 100'000'000;  // numbers: 800 MB
  return static_cast<long long>(rows) * columns > kLargest;
}

using core::equals_nocase;

// One field of a record, by a FORTRAN format. A number in it without a point has one before its last `decimals` digits.
struct Field {
  int width = 0;  // negative: skipped
  int decimals = 0;
};

// Reads the fields of a format up to its end or to the bracket that closes a group: 8F8.5, (1I8, 3E14.6), 2(I8, 2X, 1PE14.6).
class Format {
 public:
  explicit Format(const std::string& text) : text_(core::to_upper(text)) { std::erase(text_, ' '); }
  std::optional<std::vector<Field>> fields() {
    std::vector<Field> all;
    if (!group(all, 0) || at_ != text_.size()) return std::nullopt;
    return all;
  }

 private:
  static constexpr std::size_t kMost = 100'000;  // fields of a record
  static constexpr int kDeepest = 8;

  int number(int otherwise) {
    int value = 0;
    const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (code != std::errc()) return otherwise;
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool group(std::vector<Field>& all, int depth) {
    while (at_ < text_.size() && text_[at_] != ')') {
      int repeat = number(1);
      if (take('P')) {  // 1PE12.4, 1P,5E12.4: the scale is of output
        if (take(',')) continue;
        repeat = number(1);
      }
      if (repeat < 1 || repeat > 10000 || depth > kDeepest) return false;
      std::vector<Field> item;
      if (take('(')) {
        if (!group(item, depth + 1) || !take(')')) return false;
      } else if (!field(item, repeat)) {
        return false;
      }
      if (all.size() + item.size() * static_cast<std::size_t>(repeat) > kMost) return false;
      for (int k = 0; k < repeat; ++k) all.insert(all.end(), item.begin(), item.end());
      if (!take(',') && at_ < text_.size() && text_[at_] != ')') return false;
    }
    return true;
  }
  // nX is one field; the repeat is its width.
  bool field(std::vector<Field>& item, int& repeat) {
    if (at_ == text_.size()) return false;
    const char kind = text_[at_++];
    if (kind == 'X') {
      item.push_back({-repeat, 0});
      repeat = 1;
      return true;
    }
    if (std::string_view("FEDGI").find(kind) == std::string_view::npos) return false;
    const int width = number(0);
    const int decimals = take('.') ? number(0) : 0;
    item.push_back({width, decimals});
    return width > 0;
  }

  std::string text_;
  std::size_t at_ = 0;
};

// Empty: free form.
std::optional<std::vector<Field>> record_fields(const std::string& format) {
  const bool free = format.find_first_not_of(" ()*\t") == std::string::npos;
  return free ? std::vector<Field>{} : Format(format).fields();
}

class MatrixFile {
 public:
  MatrixFile(std::istream& in, const std::string& path, std::string& trouble)
      : in_(in), path_(path), trouble_(trouble) {}

  // The matrix of that name, the first one, or, where `all` is given, every matrix into it.
  std::optional<Eigen::MatrixXd> read(const std::optional<std::string>& wanted,
                                      std::vector<NamedMatrix>* all = nullptr) {
    if (!begin()) return std::nullopt;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      std::string name;
      int line = 0;
      auto matrix = one(name, line);
      if (!matrix) return std::nullopt;
      if (all != nullptr) all->push_back({name, line, std::move(*matrix)});
      else if (!wanted || equals_nocase(*wanted, name)) return matrix;
    }
    if (all != nullptr) return Eigen::MatrixXd();
    return fail(fmt::format("it has no matrix {}; it has {}", *wanted, fmt::join(names_, ", ")));
  }

 private:
  bool next() {
    ++number_;
    if (!std::getline(in_, line_)) return false;
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    return true;
  }
  std::optional<Eigen::MatrixXd> fail(const std::string& why) {
    trouble_ = fmt::format("{}:{}: {}", path_, number_, why);
    return std::nullopt;
  }

  // Title, number and names of the matrices.
  bool begin() {
    const auto wrong = [&](const std::string& why) {
      fail(why);
      return false;
    };
    if (!in_) {
      trouble_ = path_ + " cannot be opened";
      return false;
    }
    if (!next()) return wrong("it is empty");
    if (line_.starts_with("MATRIXx") || line_.starts_with("MATSAVE"))
      return wrong("files of MATRIXx (FSAVE, MATSAVE) are not read; write it as ADAMSMAT");
    if (!line_.starts_with("ADAMSMAT")) return wrong("its first line must begin with ADAMSMAT");
    if (!next()) return wrong("the number of matrices is missing");
    const int count = std::atoi(line_.c_str());
    if (count < 1) return wrong("the second line must be the number of matrices");
    while (static_cast<int>(names_.size()) < count && next()) {
      std::istringstream words(line_);
      for (std::string word; words >> word;) names_.push_back(word);
    }
    if (static_cast<int>(names_.size()) != count)
      return wrong(fmt::format("{} names for {} matrices", names_.size(), count));
    return true;
  }

  std::optional<Eigen::MatrixXd> one(std::string& name, int& line) {
    do {
      if (!next()) return fail("the file ends where a matrix should begin");
    } while (line_.find_first_not_of(" \t") == std::string::npos);
    line = number_;
    const std::size_t bracket = line_.find('(');
    std::istringstream head(line_.substr(0, bracket));
    std::string form, order;
    int rows = 0, columns = 0, count = 0;
    head >> name >> form;
    const bool sparse = equals_nocase(form, "SPARSE");
    if (!sparse || (head >> std::ws && std::isalpha(head.peek()) != 0)) head >> order;
    head >> rows >> columns >> count;
    const bool by_columns = equals_nocase(order, "CORDER");
    if (!head || !(sparse || (equals_nocase(form, "FULL") && (by_columns || equals_nocase(order, "RORDER")))))
      return fail(
          "expected NAME FULL RORDER|CORDER rows columns numbers (format), or NAME SPARSE rows columns "
          "entries (format)");
    if (rows < 1 || columns < 1 || count < 0 || (!sparse && static_cast<long long>(rows) * columns != count))
      return fail(fmt::format("{} numbers for {} by {}", count, rows, columns));
    if (too_large(rows, columns))
      return fail(fmt::format("{} by {} is more than can be held", rows, columns));
    const auto widths = record_fields(bracket == std::string::npos ? "" : line_.substr(bracket));
    if (!widths) return fail(fmt::format("the format {} is not understood", line_.substr(bracket)));
    const auto all = numbers(sparse ? 3 * static_cast<std::size_t>(count) : static_cast<std::size_t>(count),
                             *widths, name);
    if (!all) return std::nullopt;
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(rows, columns);
    if (!sparse) {
      for (int k = 0; k < count; ++k)
        (by_columns ? M(k % rows, k / rows) : M(k / columns, k % columns)) =
            (*all)[static_cast<std::size_t>(k)];
      return M;
    }
    const auto n = static_cast<std::size_t>(count);
    const auto fill = [&](std::size_t step, std::size_t apart) {
      M.setZero();
      for (std::size_t k = 0; k < n; ++k) {
        const double r = (*all)[step * k], c = (*all)[step * k + apart];
        const bool place =
            r >= 1 && r <= rows && c >= 1 && c <= columns && r == std::floor(r) && c == std::floor(c);
        if (!place) return static_cast<int>(k);
        M(static_cast<Eigen::Index>(r) - 1, static_cast<Eigen::Index>(c) - 1) += (*all)[step * k + 2 * apart];
      }
      return -1;
    };
    const int wrong = fill(3, 1);
    if (wrong >= 0 && fill(1, n) >= 0) {
      const auto at = static_cast<std::size_t>(wrong);
      return fail(fmt::format("entry {} of {} is in row {:g}, column {:g}, outside of it", wrong + 1, name,
                              (*all)[3 * at], (*all)[3 * at + 1]));
    }
    return M;
  }

  // As many numbers, over as many lines as they take; a new matrix begins on a new line.
  std::optional<std::vector<double>> numbers(std::size_t count, const std::vector<Field>& widths,
                                             const std::string& name) {
    std::vector<double> all;
    while (all.size() < count) {
      if (!next()) {
        fail(fmt::format("the file ends after {} of the {} numbers of {}", all.size(), count, name));
        return std::nullopt;
      }
      const std::size_t before = all.size();
      std::string wrong;
      if (!add_line(fields(widths), count, all, wrong)) {
        // Lines whose blanks were squeezed: as many words as the format has fields.
        all.resize(before);
        const std::span<const Text> words = fields({});
        const bool squeezed = !widths.empty() && words.size() <= widths.size();
        if (!squeezed || !add_line(words, count, all, wrong)) {
          fail(fmt::format("'{}' is not a number", core::printable(wrong)));
          return std::nullopt;
        }
      }
    }
    return all;
  }

  // The text of a number, with the decimals of its field.
  struct Text {
    std::string_view text;
    int decimals = 0;
  };

  static bool add_line(std::span<const Text> texts, std::size_t count, std::vector<double>& all,
                       std::string& wrong) {
    for (const auto& [field, decimals] : texts) {
      if (all.size() == count) break;
      const auto value = number(field, decimals);
      if (!value && wrong.empty()) wrong = field;
      if (!value) return false;
      all.push_back(*value);
    }
    return true;
  }

  // Of the line's numbers; they stand until the next line is asked.
  std::span<const Text> fields(const std::vector<Field>& widths) {
    texts_.clear();
    const std::string_view line = line_;
    std::size_t at = 0;
    if (widths.empty()) {
      constexpr std::string_view kBetween = ", \t\v\f\r";
      while ((at = line.find_first_not_of(kBetween, at)) != std::string_view::npos) {
        const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
        texts_.push_back({line.substr(at, end - at), 0});
        at = end;
      }
      return texts_;
    }
    for (const auto& [width, decimals] : widths) {
      if (line.find_first_not_of(' ', at) == std::string_view::npos) break;  // nothing more in this line
      const auto size = static_cast<std::size_t>(std::abs(width));
      if (width > 0) texts_.push_back({line.substr(at, size), decimals});
      at += size;
      if (at >= line.size()) break;
    }
    return texts_;
  }

  // As nearly all are: with a point, and an exponent by its letter if any.
  static std::optional<double> plain_number(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    const bool whole = error == std::errc() && at == end && text.find('.') != std::string_view::npos;
    return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
  }

  // A blank field is zero, D is an exponent, as FORTRAN has it.
  static std::optional<double> number(std::string_view text, int decimals) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return 0.0;
    text = text.substr(first, text.find_last_not_of(' ') - first + 1);
    if (const auto plain = plain_number(text)) return plain;
    std::string field(text);
    for (char& c : field) {
      if (c == 'D' || c == 'd') c = 'e';
    }
    // 0.123456-104: an exponent of three digits takes the place of its letter.
    const std::size_t sign = field.find_last_of("+-");
    if (sign != std::string::npos && sign > 0 &&
        (field[sign - 1] == '.' || std::isdigit(static_cast<unsigned char>(field[sign - 1])) != 0))
      field.insert(sign, "e");
    char* end = nullptr;
    double value = std::strtod(field.c_str(), &end);
    if (field.find('.') == std::string::npos) value /= std::pow(10.0, decimals);
    return *end == '\0' && std::isfinite(value) ? std::optional(value) : std::nullopt;
  }

  std::istream& in_;
  std::string path_, line_;
  std::vector<Text> texts_;  // of line_
  std::vector<std::string> names_;
  std::string& trouble_;
  int number_ = 0;
};

std::optional<Eigen::MatrixXd> listed(const model::Matrix& m, std::string& trouble) {
  if (!m.rows || !m.columns) {
    trouble = "ROWS and COLUMNS are missing";
    return std::nullopt;
  }
  if (*m.rows < 0 || *m.columns < 0 || too_large(*m.rows, *m.columns)) {
    trouble = fmt::format("{} by {} is more than can be held", *m.rows, *m.columns);
    return std::nullopt;
  }
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(*m.rows, *m.columns);
  const std::size_t wanted = m.sparse ? m.values.size() : static_cast<std::size_t>(M.size());
  if (m.values.size() != wanted || (m.sparse && (m.i.size() != wanted || m.j.size() != wanted))) {
    trouble = fmt::format("it has {} VALUES for its size", m.values.size());
    return std::nullopt;
  }
  for (std::size_t k = 0; k < m.values.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    Eigen::Index r = at / M.cols(), c = at % M.cols();
    if (m.sparse) {
      r = m.i[k] - 1;
      c = m.j[k] - 1;
    } else if (m.full == model::Matrix::Order::columns) {
      r = at % M.rows();
      c = at / M.rows();
    }
    if (r < 0 || c < 0 || r >= M.rows() || c >= M.cols()) {
      trouble = fmt::format("it has a value in row {}, column {}, outside of it", r + 1, c + 1);
      return std::nullopt;
    }
    M(r, c) += m.values[k];
  }
  return M;
}

// A device may have no end.
bool is_a_file(const std::string& path, std::string& trouble) {
  std::error_code code;
  const bool other = std::filesystem::exists(path, code) && !std::filesystem::is_regular_file(path, code);
  if (other) trouble = path + " is not a file with text";
  return !other;
}

}  // namespace

std::optional<Eigen::MatrixXd> matrix_data(const model::Matrix& m, const std::string& folder,
                                           std::string& trouble) {
  if (!m.file) return listed(m, trouble);
  const std::string path = matrix_path(*m.file, folder);
  if (!is_a_file(path, trouble)) return std::nullopt;
  std::ifstream in(path);
  return MatrixFile(in, path, trouble).read(m.matrix_name);
}

std::optional<std::vector<NamedMatrix>> matrix_file(const std::string& path, std::string& trouble) {
  if (!is_a_file(path, trouble)) return std::nullopt;
  std::ifstream in(path);
  std::vector<NamedMatrix> all;
  if (!MatrixFile(in, path, trouble).read(std::nullopt, &all)) return std::nullopt;
  return all;
}

std::optional<std::vector<NamedMatrix>> matrix_text(const std::string& text, const std::string& name,
                                                    std::string& trouble) {
  std::istringstream in(text);
  std::vector<NamedMatrix> all;
  if (!MatrixFile(in, name, trouble).read(std::nullopt, &all)) return std::nullopt;
  return all;
}

std::string matrix_path(const std::string& file, const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path path = fs::path(folder) / file;
  std::error_code code;
  return fs::exists(path, code) ? path.string() : file;
}

}  // namespace trunnion::system
