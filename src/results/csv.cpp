#include "results/csv.hpp"

#include <cerrno>
#include <cstring>

#include "core/text.hpp"

namespace trunnion::results {

bool CsvWriter::open(const std::string& path, const std::vector<Channel>& channels) {
  shut();
  path_ = path;
  file_ = std::fopen(path.c_str(), "wb");
  if (!file_) {
    error_ = "cannot write " + path + ": " + std::strerror(errno);
    return false;
  }
  std::string names, units = "#";
  for (std::size_t k = 0; k < channels.size(); ++k) {
    names += (k ? "," : "") + channels[k].name;
    units += (k ? "," : "") + channels[k].unit;
  }
  return put(names + "\n" + units + "\n");
}

bool CsvWriter::row(const std::vector<double>& values) {
  line_.clear();
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k) line_ += ',';
    line_ += core::number_text(values[k]);
  }
  line_ += '\n';
  return put(line_);
}

bool CsvWriter::put(const std::string& text) {
  if (!file_) return false;
  if (std::fwrite(text.data(), 1, text.size(), file_) == text.size()) return true;
  error_ = "cannot write " + path_ + ": " + std::strerror(errno);
  return false;
}

bool CsvWriter::shut() {
  if (!file_) return true;
  const bool good = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!good) error_ = "cannot write " + path_ + ": " + std::strerror(errno);
  return good;
}

}  // namespace trunnion::results
