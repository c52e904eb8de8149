#pragma once
// Histories as text: first line the channels, "PART/2.X [meter]", then a row a time; a cell without a value is empty.
// Rows are written as they come, so that a run that fails leaves what it had.

#include <string>
#include <string_view>
#include <vector>

#include "results/write/text_file.hpp"
#include "results/write/writer.hpp"

namespace trunnion::results {

class CsvWriter final : public Writer {
 public:
  bool open(const std::string& path, const std::vector<Channel>& channels) override;
  bool row(const std::vector<double>& values) override;
  bool flush() override { return file_.flush(error_); }
  // New channels need a new first line: the file is written anew beside itself and takes its own place.
  bool change(const std::vector<Channel>& channels) override;
  bool close() override { return file_.close(error_); }
  const char* extension() const override { return ".csv"; }

 private:
  bool copy_rows(const std::string& from, std::size_t new_cells);

  TextFile file_;
  std::string path_, line_;
  std::size_t columns_ = 0;
};

// "PART/2.X [meter]" and back. A name without brackets has no unit.
std::string csv_heading(const Channel& channel);
Channel csv_channel(std::string_view heading);

}  // namespace trunnion::results
