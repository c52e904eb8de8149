#include "results/write/csv.hpp"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace trunnion::results {

namespace {

std::string first_line(const std::vector<Channel>& channels) {
  std::string line;
  for (const Channel& channel : channels) line += (line.empty() ? "" : ",") + csv_heading(channel);
  return line + "\n";
}

}  // namespace

std::string csv_heading(const Channel& channel) {
  return channel.unit.empty() ? channel.name : channel.name + " [" + channel.unit + "]";
}

Channel csv_channel(std::string_view heading) {
  const std::size_t bracket = heading.rfind(" [");
  if (bracket == std::string_view::npos || !heading.ends_with(']')) return {std::string(heading), ""};
  const std::string_view unit = heading.substr(bracket + 2, heading.size() - bracket - 3);
  return {std::string(heading.substr(0, bracket)), std::string(unit)};
}

bool CsvWriter::open(const std::string& path, const std::vector<Channel>& channels) {
  path_ = path;
  columns_ = channels.size();
  return file_.open(path, error_) && file_.put(first_line(channels), error_);
}

bool CsvWriter::row(const std::vector<double>& values) {
  constexpr std::size_t kLongest = 32;  // letters of a number and its comma
  line_.resize(values.size() * kLongest);
  char* at = line_.data();
  for (const double value : values) {
    if (!std::isnan(value)) at = std::to_chars(at, at + kLongest - 1, value).ptr;
    *at++ = ',';
  }
  at[-1] = '\n';
  line_.resize(static_cast<std::size_t>(at - line_.data()));
  return file_.put(line_, error_);
}

bool CsvWriter::change(const std::vector<Channel>& channels) {
  if (channels.size() == columns_) return true;
  const std::string fresh = path_ + ".new";
  if (!file_.close(error_) || !file_.open(fresh, error_) || !file_.put(first_line(channels), error_) ||
      !copy_rows(path_, channels.size() - columns_))
    return false;
  columns_ = channels.size();
  // The open file goes on under its new name.
  if (std::rename(fresh.c_str(), path_.c_str()) == 0) return true;
  error_ = "cannot write " + path_ + ": " + std::strerror(errno);
  return false;
}

bool CsvWriter::copy_rows(const std::string& from, std::size_t new_cells) {
  std::ifstream old(from, std::ios::binary);
  const std::string cells = std::string(new_cells, ',') + "\n";
  std::getline(old, line_);  // the channels
  while (std::getline(old, line_)) {
    if (!file_.put(line_ += cells, error_)) return false;
  }
  return true;
}

}  // namespace trunnion::results
