#pragma once
// Histories as text: first line the channel names, second line starting with '#' their units, then a row a time.
// Rows are written as they come, so that a run that fails leaves what it had.

#include <string>
#include <vector>

#include "results/text_file.hpp"
#include "results/writer.hpp"

namespace trunnion::results {

class CsvWriter final : public Writer {
 public:
  bool open(const std::string& path, const std::vector<Channel>& channels) override;
  bool row(const std::vector<double>& values) override;
  bool flush() override { return file_.flush(error_); }
  bool close() override { return file_.close(error_); }
  const char* extension() const override { return ".csv"; }

 private:
  TextFile file_;
  std::string line_;
};

}  // namespace trunnion::results
