#pragma once
// The warnings and errors of a run, out of all that it says: kept in the report, and with it in the results.

#include <string>
#include <vector>

#include "core/diagnostics.hpp"

namespace trunnion::api {

class Notices {
 public:
  // A line for the user; notes that are set in belong to the warning or error before.
  void take(core::Severity severity, const std::string& line);
  // Of the model's text.
  void take(const core::Diagnostics& diagnostics, const core::SourceSet& sources);

  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::vector<std::string>& errors() const { return errors_; }
  bool empty() const { return warnings_.empty() && errors_.empty(); }

 private:
  std::vector<std::string> warnings_, errors_;
  std::vector<std::string>* last_ = nullptr;  // where lines set in go
};

}  // namespace trunnion::api
