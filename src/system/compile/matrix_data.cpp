#include "system/compile/matrix_data.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
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

// Empty: free form.
std::optional<std::vector<Field>> record_fields(std::string format) {
  std::vector<Field> widths;
  std::erase_if(format, [](char c) { return c == ' ' || c == '(' || c == ')'; });
  if (format.empty() || format == "*") return widths;
  std::stringstream items(format);
  for (std::string item; std::getline(items, item, ',');) {
    std::size_t at = 0;
    const auto number = [&](int otherwise) {
      int value = 0;
      const auto [end, code] = std::from_chars(item.data() + at, item.data() + item.size(), value);
      if (code != std::errc()) return otherwise;
      at = static_cast<std::size_t>(end - item.data());
      return value;
    };
    int repeat = number(1);
    if (at < item.size() && (item[at] == 'P' || item[at] == 'p')) {  // 1PE12.4: the scale is of output
      ++at;
      repeat = number(1);
    }
    if (at == item.size() || repeat < 1 || repeat > 10000) return std::nullopt;
    const char kind = core::to_upper(item.substr(at++, 1))[0];
    const int width = kind == 'X' ? -repeat : number(0);
    if (kind == 'X') repeat = 1;
    const bool known = kind == 'X' || kind == 'F' || kind == 'E' || kind == 'D' || kind == 'G' || kind == 'I';
    if (!known || width == 0) return std::nullopt;
    const bool point = kind != 'X' && kind != 'I' && at < item.size() && item[at] == '.';
    if (point) ++at;
    const int decimals = point ? number(0) : 0;
    widths.insert(widths.end(), static_cast<std::size_t>(repeat), Field{width, decimals});
  }
  return widths;
}

class MatrixFile {
 public:
  MatrixFile(const std::string& path, std::string& trouble) : in_(path), path_(path), trouble_(trouble) {}

  std::optional<Eigen::MatrixXd> read(const std::optional<std::string>& wanted) {
    if (!in_) {
      trouble_ = path_ + " cannot be opened";
      return std::nullopt;
    }
    if (!next()) return fail("it is empty");
    if (line_.starts_with("MATRIXx") || line_.starts_with("MATSAVE"))
      return fail("files of MATRIXx (FSAVE, MATSAVE) are not read; write it as ADAMSMAT");
    if (!line_.starts_with("ADAMSMAT")) return fail("its first line must begin with ADAMSMAT");
    if (!next()) return fail("the number of matrices is missing");
    const int count = std::atoi(line_.c_str());
    if (count < 1) return fail("the second line must be the number of matrices");
    std::vector<std::string> names;
    while (static_cast<int>(names.size()) < count && next()) {
      std::istringstream words(line_);
      for (std::string word; words >> word;) names.push_back(word);
    }
    if (static_cast<int>(names.size()) != count)
      return fail(fmt::format("{} names for {} matrices", names.size(), count));
    for (int k = 0; k < count; ++k) {
      std::string name;
      auto matrix = one(name);
      if (!matrix) return std::nullopt;
      if (!wanted || equals_nocase(*wanted, name)) return matrix;
    }
    return fail(fmt::format("it has no matrix {}; it has {}", *wanted, fmt::join(names, ", ")));
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

  std::optional<Eigen::MatrixXd> one(std::string& name) {
    do {
      if (!next()) return fail("the file ends where a matrix should begin");
    } while (line_.find_first_not_of(" \t") == std::string::npos);
    const std::size_t bracket = line_.find('(');
    std::istringstream head(line_.substr(0, bracket));
    std::string form, order;
    int rows = 0, columns = 0, count = 0;
    head >> name >> form;
    const bool sparse = equals_nocase(form, "SPARSE");
    if (!sparse) head >> order;
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
    for (int k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (!sparse) {
        (by_columns ? M(k % rows, k / rows) : M(k / columns, k % columns)) = (*all)[at];
        continue;
      }
      const double r = (*all)[3 * at], c = (*all)[3 * at + 1];
      if (!(r >= 1 && r <= rows && c >= 1 && c <= columns))
        return fail(
            fmt::format("entry {} of {} is in row {:g}, column {:g}, outside of it", k + 1, name, r, c));
      M(static_cast<Eigen::Index>(r) - 1, static_cast<Eigen::Index>(c) - 1) += (*all)[3 * at + 2];
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
      for (const auto& [field, decimals] : fields(widths)) {
        if (all.size() == count) break;
        const auto value = number(field, decimals);
        if (!value) {
          fail(fmt::format("'{}' is not a number", core::printable(field)));
          return std::nullopt;
        }
        all.push_back(*value);
      }
    }
    return all;
  }

  // The texts of a line's numbers, with the decimals of their fields.
  std::vector<std::pair<std::string, int>> fields(const std::vector<Field>& widths) const {
    std::vector<std::pair<std::string, int>> out;
    if (widths.empty()) {
      std::string text = line_;
      for (char& c : text) {
        if (c == ',') c = ' ';
      }
      std::istringstream words(text);
      for (std::string word; words >> word;) out.emplace_back(word, 0);
      return out;
    }
    std::size_t at = 0;
    for (const auto& [width, decimals] : widths) {
      if (line_.find_first_not_of(' ', at) == std::string::npos) break;  // nothing more in this line
      const auto size = static_cast<std::size_t>(std::abs(width));
      if (width > 0) out.emplace_back(line_.substr(at, size), decimals);
      at += size;
      if (at >= line_.size()) break;
    }
    return out;
  }

  // A blank field is zero, D is an exponent, as FORTRAN has it.
  static std::optional<double> number(std::string field, int decimals) {
    std::erase(field, ' ');
    if (field.empty()) return 0.0;
    for (char& c : field) {
      if (c == 'D' || c == 'd') c = 'e';
    }
    char* end = nullptr;
    double value = std::strtod(field.c_str(), &end);
    if (field.find('.') == std::string::npos) value /= std::pow(10.0, decimals);
    return *end == '\0' && std::isfinite(value) ? std::optional(value) : std::nullopt;
  }

  std::ifstream in_;
  std::string path_, line_;
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

}  // namespace

std::optional<Eigen::MatrixXd> matrix_data(const model::Matrix& m, const std::string& folder,
                                           std::string& trouble) {
  if (!m.file) return listed(m, trouble);
  namespace fs = std::filesystem;
  fs::path path = fs::path(folder) / *m.file;
  std::error_code code;
  if (!fs::exists(path, code)) path = *m.file;
  return MatrixFile(path.string(), trouble).read(m.matrix_name);
}

}  // namespace trunnion::system
