#pragma once
// The results store read back: whole, growing, or left by a run that was killed, with the rows of its tail.

#include "results/read/history.hpp"
#include "results/write/hdf5.hpp"

namespace trunnion::results {

class StoreHistory final : public History {
 public:
  bool open(const std::string& path, std::string& error);
  std::vector<std::vector<double>> columns(const std::vector<std::size_t>& places) override;
  std::vector<StepRecord> steps() override;
  std::vector<Segment> segments() override;
  std::vector<double> row(std::size_t number) override;
  std::string text(const char* name) override;
  bool finished() override { return finished_; }
  bool keeps(const Channel& channel) const override { return kept_by_default(channel); }

 private:
  // All that the library reads without a checksum, in a process of its own. False where that did not come back.
  static bool survives(const std::string& path);
  bool open_here(const std::string& path, std::string& error);
  bool open_file(const std::string& path, std::string& error);
  bool read_names(const std::string& path, std::string& error);
  bool read_rows(const std::string& path, std::string& error);
  bool take_tail(const std::string& path);
  std::size_t length(const char* name) const;
  bool read(const char* name, std::size_t first, std::size_t width, int rank, std::size_t rows,
            std::vector<double>& out, std::size_t first_row = 0) const;

  h5::Handle file_;
  bool finished_ = true;
  std::size_t in_file_ = 0;   // rows
  std::vector<double> tail_;  // rows after them, whole
};

}  // namespace trunnion::results
