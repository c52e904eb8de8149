#pragma once
// INFO, SHOW and TIME: what a script may ask of the state it has come to. A line each.

#include <memory>
#include <string>
#include <vector>

#include "analysis/initial/initial_conditions.hpp"
#include "assembly/state.hpp"
#include "model/commands.hpp"
#include "model/model.hpp"
#include "system/system.hpp"

namespace trunnion::api {

// Of the markers and forces at the state, which must have been accepted with its reactions, in an analysis of that mode.
std::vector<std::string> info_lines(const std::shared_ptr<const system::System>& system,
                                    const model::Model& model, const assembly::State& state,
                                    assembly::AnalysisMode mode, const model::Info& info,
                                    std::string& trouble);

// What a run has come to.
struct RunStatusNow {
  double t = 0;
  bool assembled = false;
  int freedoms = 0;
  long steps = 0, iterations = 0;
  std::vector<std::string> files = {};
  std::string version = {};
};
std::vector<std::string> show_lines(const model::Model& model, const RunStatusNow& now,
                                    const model::Show& show);

// DEBUG/DOF: how the degrees of freedom are counted. DEBUG/TOPOLOGY: which statements connect which parts.
std::string freedom_line(const system::System& system, const analysis::AssemblyResult& assembled);
std::vector<std::string> topology_lines(const model::Model& model);

// Of the model and of the computer.
std::string time_line(double t);

}  // namespace trunnion::api
