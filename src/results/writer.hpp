#pragma once
// Where rows of results go. Each kind of file is one Writer; results::Recorder feeds them all.

#include <string>
#include <vector>

#include "results/channels.hpp"

namespace trunnion::results {

// An accepted step of an integrator, for the history of how the solver fared.
struct StepRecord {
  double t = 0, h = 0;
  int order = 0;
  long iterations = 0;  // of the corrector in this step, rejected attempts included
};

class Writer {
 public:
  Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  virtual ~Writer() = default;

  // All return false, with the reason in error(), where the file cannot be written.
  virtual bool open(const std::string& path, const std::vector<Channel>& channels) = 0;
  virtual bool row(const std::vector<double>& values) = 0;
  virtual bool step(const StepRecord&) { return true; }
  virtual bool close() = 0;

  virtual const char* extension() const = 0;
  const std::string& error() const { return error_; }

 protected:
  std::string error_;
};

}  // namespace trunnion::results
