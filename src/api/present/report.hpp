#pragma once
// What a simulation cost and how it went, as text for people and as JSON for programs: the same facts in both.

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "analysis/dynamics/dynamics.hpp"
#include "analysis/dynamics/energy_watch.hpp"
#include "api/present/contact_log.hpp"
#include "api/present/notices.hpp"
#include "api/session/project.hpp"
#include "api/session/run.hpp"
#include "model/left_out.hpp"

namespace trunnion::api {

struct ModelSizes {
  int bodies = 0, equations = 0, constraints = 0, redundant = 0, freedoms = 0;
  std::string left_out;  // what the model has and the results do not contain; empty: nothing
};
ModelSizes sizes_of(const system::System& system, const model::Model& model,
                    const analysis::AssemblyResult& assembled);

// Of a dynamic simulation.
struct SimulationReport {
  double begin = 0, end = 0, reached = 0;
  ModelSizes model;
  analysis::DynamicSettings settings;  // as asked for
  integrate::LoopSettings used;        // what they came to
  analysis::DynamicResult result;
  double energy_at_start = 0, energy_at_end = 0;  // kinetic + potential, force × length as the channels
  system::Power spent_at_start, spent_at_end;     // dissipated and put in, from the beginning of the run
  std::string energy_unit;
  std::vector<ContactHistory> contacts;  // those that touched
};

// Of kinematics, statics and quasi-statics.
struct PathReport {
  std::string method;
  double begin = 0, end = 0, reached = 0;
  ModelSizes model;
  bool ok = false, interrupted = false;
  bool halted = false;  // by a SENSOR with HALT: nothing follows
  long steps = 0, iterations = 0;
  double seconds = 0;
  std::vector<core::Words> messages;
};

// Times an analysis from its construction on.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

using AnyReport = std::variant<SimulationReport, PathReport>;

struct Effort {
  long steps = 0, iterations = 0;
};
Effort effort_of(const AnyReport& report);

std::string termination(const SimulationReport& report);  // one line
// What to tell of energy that the formula gave or took; `high_order`: BDF above order 2 was used.
std::string energy_astray(const analysis::EnergyDrift& drift, const SimulationReport& report,
                          bool high_order);
// Empty unless a constraint was left open further than ERROR explains.
std::string open_constraint(const SimulationReport& report);
std::string text(const PathReport& report);
std::string text(const SimulationReport& report);
// In the order of the run, with what it warned of and what the model has and the results do not contain.
std::string json(const std::vector<AnyReport>& reports, const Notices& notices,
                 const std::vector<model::LeftOut>& left_out);

// What the run was asked for, for the results store.
std::string settings_json(const Project& project, const RunOptions& options);

}  // namespace trunnion::api
