#pragma once
// SAVE and RELOAD: a model and where it is, in a file that says its version and carries a checksum. Numbers are kept as their
// bits, so that a run that goes on from the file is the run that went on without it.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/initial_conditions.hpp"

namespace trunnion::api {

struct Saved {
  std::string model;                             // as text of the language
  std::vector<std::pair<std::string, int>> off;  // switched off: keyword and id
  bool assembled = false;                        // whether `from` is meant
  analysis::AssemblyResult from;
  system::Power spent;  // energy lost and work put in up to there
};

// An error message; empty where all went well.
std::string save(const Saved& saved, const std::string& path);
std::string load(const std::string& path, Saved& saved);

}  // namespace trunnion::api
