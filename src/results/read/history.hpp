#pragma once
// Results read back: channels with names and units, a column at a time, and the texts kept with them. From a store
// (whole, growing, or left by a run that was killed), a CSV, or the commercial tool's results (.res, XML), request
// (.req) or graphics file (.gra).

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/write/writer.hpp"

namespace trunnion::results {

// Rows between two changes of the model, and with it of the channels.
struct Segment {
  std::size_t row = 0;  // the first
  double t = 0;
};

class History {
 public:
  virtual ~History() = default;

  const std::vector<Channel>& channels() const { return channels_; }  // the first is the time
  std::size_t rows() const { return rows_; }
  std::optional<std::size_t> find(const std::string& name) const;

  // Channels `places` (into channels()), one vector each; empty where the file cannot be read. NaN where the run had no
  // such channel at the time.
  virtual std::vector<std::vector<double>> columns(const std::vector<std::size_t>& places) = 0;
  std::vector<double> column(std::size_t place);
  virtual std::vector<double> row(std::size_t number);
  // How many columns to ask for at once: one reading of the file serves many, but they must not fill the memory.
  std::size_t at_once() const;

  virtual std::vector<StepRecord> steps() { return {}; }
  virtual std::vector<Segment> segments() { return {}; }  // empty where the file does not tell
  virtual std::string text(const char*) {
    return {};
  }                                         // "model", "script", "settings", "report"; may be empty
  virtual bool finished() { return true; }  // false: the run still goes, or was killed
  virtual std::string title();              // of the model; may be empty
  // Whether this kind of file would tell of such a channel, if the run had it.
  virtual bool keeps(const Channel&) const { return true; }
  // Half a unit of the last digit, of a number: what two equal values may differ by.
  virtual double rounding() const { return 0; }
  // What a reader should know before trusting it: rows that are lost. Empty: nothing.
  const std::string& notice() const { return notice_; }

 protected:
  std::vector<Channel> channels_;
  std::size_t rows_ = 0;
  std::string notice_;
};

// A file that is read whole when it is opened.
class TableHistory : public History {
 public:
  std::vector<std::vector<double>> columns(const std::vector<std::size_t>& places) override;

 protected:
  std::vector<std::vector<double>> data_;  // a column for each channel
};

// Whether a store or a CSV of ours has such a channel unasked: not frames, nor the second names that a .res has for
// variables and a .gra for forces.
bool kept_by_default(const Channel& channel);

// Null, with the reason in `error`, where the file is not there or is not ours.
std::unique_ptr<History> open_history(const std::string& path, std::string& error);

}  // namespace trunnion::results
