#pragma once
// The commercial tool's results file in its XML form, read back. Channels are named as those of a run are: JOINT/2.FX,
// SFORCE/1.TZ, VARIABLE/7; a part's are XFORM/2.X …, since they tell of the part's own frame.

#include "results/read/history.hpp"
#include "results/read/mapped_file.hpp"

namespace trunnion::results {

class XrfHistory final : public History {
 public:
  bool open(const std::string& path, std::string& error);
  std::vector<std::vector<double>> columns(const std::vector<std::size_t>& places) override;
  bool finished() override { return finished_; }
  std::string title() override { return title_; }
  bool keeps(const Channel& channel) const override;

 private:
  bool read_map(std::string_view map, std::string& error);
  bool read_entity(std::string_view entity, std::string& error);

  MappedFile file_;
  std::vector<std::string_view> steps_;  // the numbers of each, but for the model's input
  std::vector<std::size_t> ids_;         // of the channels
  std::string title_;
  bool finished_ = false;
};

}  // namespace trunnion::results
