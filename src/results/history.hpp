#pragma once
// Results read back: channels with names and units, a column at a time, and the texts kept with them. From a store
// (whole, growing, or left by a run that was killed), a CSV, or the commercial tool's results (.res, XML) or request file
// (.req).

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/writer.hpp"

namespace trunnion::results {

class History {
 public:
  virtual ~History() = default;

  const std::vector<Channel>& channels() const { return channels_; }  // the first is the time
  std::size_t rows() const { return rows_; }
  std::optional<std::size_t> find(const std::string& name) const;

  // Channels `places` (into channels()), one vector each; empty where the file cannot be read.
  virtual std::vector<std::vector<double>> columns(const std::vector<std::size_t>& places) = 0;
  std::vector<double> column(std::size_t place);

  virtual std::vector<StepRecord> steps() { return {}; }
  virtual std::string text(const char*) {
    return {};
  }                                         // "model", "script", "settings", "report"; may be empty
  virtual bool finished() { return true; }  // false: the run still goes, or was killed
  virtual std::string title();              // of the model; may be empty

 protected:
  std::vector<Channel> channels_;
  std::size_t rows_ = 0;
};

// Null, with the reason in `error`, where the file is not there or is not ours.
std::unique_ptr<History> open_history(const std::string& path, std::string& error);

}  // namespace trunnion::results
