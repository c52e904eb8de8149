#pragma once
// Histories as text: first line the channel names, second line starting with '#' their units, then a row a time.
// Rows are written as they come, so that a run that fails leaves what it had.

#include <cstdio>
#include <string>
#include <vector>

#include "results/channels.hpp"

namespace trunnion::results {

class CsvWriter {
 public:
  CsvWriter() = default;
  ~CsvWriter() { close(); }
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  // False, with the reason in error(), where the file cannot be made.
  bool open(const std::string& path, const std::vector<Channel>& channels);
  bool row(const std::vector<double>& values);
  bool close();
  bool is_open() const { return file_ != nullptr; }
  const std::string& error() const { return error_; }
  std::size_t rows() const { return rows_; }

 private:
  bool put(const std::string& text);

  std::FILE* file_ = nullptr;
  std::string path_, error_, line_;
  std::size_t rows_ = 0;
};

}  // namespace trunnion::results
