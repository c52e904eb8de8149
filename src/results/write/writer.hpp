#pragma once
// Where rows of results go. Each kind of file is one Writer; results::Recorder feeds them all.

#include <string>
#include <vector>

#include "assembly/analysis_mode.hpp"
#include "results/channels/channel.hpp"
#include "results/write/step_record.hpp"

namespace trunnion::results {

using Phase = assembly::AnalysisMode;  // what the rows that follow come from

class Writer {
 public:
  Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  virtual ~Writer() = default;

  // All return false, with the reason in error(), where the file cannot be written.
  virtual bool open(const std::string& path, const std::vector<Channel>& channels) = 0;
  virtual bool row(const std::vector<double>& values) = 0;
  // The model changed: `channels` are those so far with any new ones behind them, which rows before have not.
  // Only for files whose rows can grow; others are closed, and new ones opened.
  virtual bool change(const std::vector<Channel>& channels);
  virtual bool step(const StepRecord&) { return true; }
  virtual bool flush() { return true; }  // what was given is in the file, for others to read
  virtual void phase(Phase) {}
  virtual void failed() {}  // the run ends early; before close()
  virtual bool close() = 0;

  virtual const char* extension() const = 0;
  const std::string& error() const { return error_; }

 protected:
  std::string error_;
};

inline bool Writer::change(const std::vector<Channel>&) {
  error_ = std::string("a ") + extension() + " file cannot take new channels";
  return false;
}

}  // namespace trunnion::results
