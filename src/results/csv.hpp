#pragma once
// Histories as text: first line the channel names, second line starting with '#' their units, then a row a time.
// Rows are written as they come, so that a run that fails leaves what it had.

#include <cstdio>
#include <string>
#include <vector>

#include "results/writer.hpp"

namespace trunnion::results {

class CsvWriter final : public Writer {
 public:
  ~CsvWriter() override { shut(); }

  bool open(const std::string& path, const std::vector<Channel>& channels) override;
  bool row(const std::vector<double>& values) override;
  bool close() override { return shut(); }
  const char* extension() const override { return ".csv"; }

 private:
  bool shut();
  bool put(const std::string& text);

  std::FILE* file_ = nullptr;
  std::string path_, line_;
};

}  // namespace trunnion::results
