// What `check` adds to its report.

#include <algorithm>

#include <fmt/format.h>

#include "analysis/initial_conditions.hpp"
#include "api/idle.hpp"
#include "api/places.hpp"
#include "api/run.hpp"
#include "system/compile.hpp"

namespace trunnion::api {

std::vector<std::string> idle_lines(const system::System& system) {
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

AssemblyReport try_assembly(const model::Model& model, const system::UserCode& user) {
  AssemblyReport report;
  core::Diagnostics diagnostics;
  const auto system = system::compile(model, {}, diagnostics, 0, user);
  if (!system) {
    diagnostics.sort();
    report.findings = diagnostics.all();
    for (const core::Diagnostic& d : report.findings)
      report.messages.push_back(fmt::format("{}: {}", d.subject, d.message));
    return report;
  }
  report.compiled = true;
  report.idle = idle_lines(*system);
  analysis::AssemblyResult result;
  try {
    result = analysis::initial_conditions(*system, system->start(), analysis::assembly_settings(model),
                                          analysis::Upto::accelerations);
  } catch (const elements::UserCodeError& e) {
    report.messages.push_back(e.what());
    return report;
  }
  report.assembled = result.ok;
  report.freedoms = result.freedoms;
  for (std::string& line : result.messages) report.messages.push_back(with_markers(std::move(line), model));
  if (!result.ok) {
    for (std::string& line : system->user_troubles()) report.messages.push_back(std::move(line));
  }
  for (const analysis::RedundantRow& row : result.redundant)
    report.redundant.push_back(analysis::describe(*system, row));
  return report;
}

}  // namespace trunnion::api
