#pragma once
// SAVE and RELOAD: a model and where it is, in a file that says its version and carries a checksum. Numbers are kept as their
// bits, so that a run that goes on from the file is the run that went on without it.

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/initial/initial_conditions.hpp"
#include "model/model.hpp"

namespace trunnion::api {

struct Snapshot {
  std::string model;                             // as text of the language
  std::vector<std::pair<std::string, int>> off;  // switched off: keyword and id
  bool assembled = false;                        // whether `from` is meant
  analysis::AssemblyResult from;
  system::Power spent;  // energy lost and work put in up to there
};

// An error message; empty where all went well.
std::string save(const Snapshot& saved, const std::string& path);
std::string load(const std::string& path, Snapshot& saved);

// What load() is made of. A checksum tells damage by chance; these take nothing for granted, so that no file whatever its origin
// leads to more than a message. Each returns why not; empty where all is well.
std::string parse_snapshot(const std::string& content, Snapshot& saved);  // the text behind the first line
// The model and what is switched off in it, by kind and id.
std::string model_of(const Snapshot& saved, model::Model& model, std::set<core::Subject>& off);
// Whether the state is one of this system: sizes, numbers, turns of length one, rows that are independent or implied.
std::string misfit(const Snapshot& saved, const system::System& system);

}  // namespace trunnion::api
