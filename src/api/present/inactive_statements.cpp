#include "api/present/inactive_statements.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace trunnion::api {

std::vector<std::string> inactive_lines(const system::System& system) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const system::Idle& idle : system.idle()) {
    auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.first == idle.why; });
    if (line == lines.end()) lines.emplace_back(idle.why, idle.label);
    else line->second += ", " + idle.label;
  }
  std::vector<std::string> out;
  for (const auto& [why, who] : lines) out.push_back(fmt::format("{}: {}", why, who));
  return out;
}

}  // namespace trunnion::api
