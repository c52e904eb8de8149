#pragma once
// Files that may be written over: those of earlier runs. A model often lies beside measurements (model.csv) and results of the
// commercial tool (model.res), which would be lost otherwise.

#include <string>

namespace trunnion::results {

// Stands in the first line of text files that have no better place for it.
inline constexpr const char* kOurMark = "Trunnion";

// True where there is no such file, where it is empty, and where it begins as files with its ending do that we wrote.
bool may_replace(const std::string& path);

}  // namespace trunnion::results
