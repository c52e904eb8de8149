#include "results/csv.hpp"

#include <charconv>

namespace trunnion::results {

bool CsvWriter::open(const std::string& path, const std::vector<Channel>& channels) {
  if (!file_.open(path, error_)) return false;
  std::string names, units = "#";
  for (std::size_t k = 0; k < channels.size(); ++k) {
    names += (k ? "," : "") + channels[k].name;
    units += (k ? "," : "") + channels[k].unit;
  }
  return file_.put(names + "\n" + units + "\n", error_);
}

bool CsvWriter::row(const std::vector<double>& values) {
  constexpr std::size_t kLongest = 32;  // letters of a number and its comma
  line_.resize(values.size() * kLongest);
  char* at = line_.data();
  for (const double value : values) {
    at = std::to_chars(at, at + kLongest - 1, value).ptr;
    *at++ = ',';
  }
  at[-1] = '\n';
  line_.resize(static_cast<std::size_t>(at - line_.data()));
  return file_.put(line_, error_);
}

}  // namespace trunnion::results
