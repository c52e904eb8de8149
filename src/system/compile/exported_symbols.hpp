#pragma once
// What a shared library exports, read from its table of symbols. The library is not loaded: none of its code runs.

#include <optional>
#include <set>
#include <string>

namespace trunnion::system {

// Nothing where the file is not a 64-bit ELF shared library of this machine's byte order.
std::optional<std::set<std::string>> exported_symbols(const std::string& path);

}  // namespace trunnion::system
