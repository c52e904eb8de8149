#include "results/read/graphics_history.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "core/text.hpp"
#include "results/write/request_file.hpp"

namespace trunnion::results {

namespace {

constexpr std::array<const char*, 6> kPlace{"X", "Y", "Z", "PSI", "THETA", "PHI"};
constexpr std::array<const char*, 6> kForce{"FX", "FY", "FZ", "TX", "TY", "TZ"};
constexpr double kAsGiven = -9.99999e5;  // the time that the model as given stands under

// Lines with their numbers, and where they are.
class Lines {
 public:
  explicit Lines(std::ifstream& file) : file_(file) {}

  // False at the end of the file, at a line that a kill cut off, and at one that is not numbers.
  bool next(std::vector<double>& numbers) {
    ++number_;
    return std::getline(file_, line_) && !file_.eof() && (numeric_ = read_numbers(line_, numbers));
  }
  bool at_end() const { return file_.eof(); }
  bool numeric() const { return numeric_; }
  std::size_t number() const { return number_; }

 private:
  std::ifstream& file_;
  std::string line_;
  std::size_t number_ = 3;  // of the head
  bool numeric_ = true;
};

}  // namespace

bool GraphicsHistory::keeps(const Channel& channel) const {
  const std::string component = channel.name.substr(channel.name.rfind('.') + 1);
  return (channel.name.starts_with("XFORM/") || channel.name.starts_with("PART/")) &&
         std::find(kPlace.begin(), kPlace.end(), component) != kPlace.end();
}

bool GraphicsHistory::open(const std::string& path, std::string& error) {
  std::ifstream file(path, std::ios::binary);
  std::string first, counts_line, skip, letters;
  std::vector<double> counts, found;
  if (!std::getline(file, first) || core::trim(first).substr(0, 4) != "A.G8" || !std::getline(file, title_) ||
      !std::getline(file, counts_line) || !read_numbers(counts_line, counts) || counts.size() < 9) {
    error = path + " is not a graphics file: it does not begin with A.G8, a title and nine counts";
    return false;
  }
  // Each takes a line at least: larger counts are damage, and would be believed for a long time.
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  for (const double count : counts) {
    if (count >= 0 && count <= bytes) continue;
    error = fmt::format("{}:3: {} is no count of parts, markers or graphics", path, count);
    return false;
  }
  title_ = core::trim(title_);
  std::istringstream words(first);
  words >> skip >> skip >> skip >> letters;
  const UnitNames u = units_of_letters(letters);
  channels_.push_back({"time", u.time});
  Lines lines(file);
  const auto broken = [&](const char* expected) {
    error = fmt::format("{}:{}: expected {}", path, lines.number(), expected);
    return false;
  };
  const auto parts = static_cast<std::size_t>(counts[0]), markers = static_cast<std::size_t>(counts[1]),
             joints = static_cast<std::size_t>(counts[4]), arrows = static_cast<std::size_t>(counts[8]);
  for (std::size_t k = 0; k < parts; ++k) {
    if (!lines.next(found) || found.size() != 2) return broken("the id of a part");
    for (std::size_t c = 0; k > 0 && c < kPlace.size(); ++c)
      channels_.push_back({fmt::format("XFORM/{:.0f}.{}", found[0], kPlace[c]), c < 3 ? u.length : u.angle});
  }
  for (std::size_t k = 1; k <= arrows; ++k) {
    for (std::size_t c = 0; c < kForce.size(); ++c)
      channels_.push_back({fmt::format("ARROW/{}.{}", k, kForce[c]), c < 3 ? u.force : u.torque});
  }
  for (std::size_t k = 0; k < joints + 2 * markers; ++k) {
    if (!lines.next(found)) return broken("a table of joints and markers");
  }
  // What follows are tables of graphics, up to a time alone on its line.
  do {
    if (!lines.next(found)) return broken("tables of graphics, and a time");
  } while (found.size() != 1);
  data_.resize(channels_.size());
  std::vector<double> row = found;
  while (lines.next(found)) {
    row.insert(row.end(), found.begin(), found.end());
    if (row.size() < data_.size()) continue;
    if (row.size() > data_.size()) return broken("a time, and six numbers for each part and force");
    for (std::size_t k = 0; row[0] != kAsGiven && k < row.size(); ++k) data_[k].push_back(row[k]);
    row.clear();
  }
  rows_ = data_[0].size();
  return lines.numeric() || lines.at_end() || broken("numbers");
}

}  // namespace trunnion::results
