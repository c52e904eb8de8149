#pragma once
// What a dynamic simulation cost and how it went, as text for people and as JSON for programs: the same facts in both.

#include <string>
#include <vector>

#include "analysis/dynamics.hpp"
#include "api/project.hpp"
#include "api/run.hpp"

namespace trunnion::api {

struct SimulationReport {
  double begin = 0, end = 0, reached = 0;
  int bodies = 0, equations = 0, constraints = 0, redundant = 0, freedoms = 0;
  analysis::DynamicSettings settings;  // as asked for
  integrate::LoopSettings used;        // what they came to
  analysis::DynamicResult result;
  double energy_at_start = 0, energy_at_end = 0;  // kinetic + potential, force × length as the channels
  double largest_kinetic = 0;                     // of the rows, where the balance is known
  system::Power spent_at_start, spent_at_end;     // dissipated and put in, from the beginning of the run
  std::string energy_unit;
  bool balance_known = false;  // they are counted where a file has them
};

std::string termination(const SimulationReport& report);  // one line
// Empty unless the energy rose by more than anything put in: then the motion is not to be believed.
std::string energy_from_nowhere(const SimulationReport& report);
std::string text(const SimulationReport& report);
std::string json(const std::vector<SimulationReport>& reports);

// What the run was asked for, for the results store.
std::string settings_json(const Project& project, const RunOptions& options);

}  // namespace trunnion::api
