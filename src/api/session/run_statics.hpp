#pragma once
// SIMULATE/KINEMATICS, SIMULATE/STATICS and LINEAR as a run carries them out: the analysis, what is said of it, the files it leaves.

#include <functional>
#include <string>
#include <vector>

#include "analysis/initial/initial_conditions.hpp"
#include "api/present/report.hpp"
#include "api/session/linear_files.hpp"
#include "api/session/run_voice.hpp"
#include "model/commands.hpp"
#include "model/model.hpp"
#include "results/write/modes.hpp"

namespace trunnion::api {

struct AnalysisContext {
  const system::System& system;
  const model::Model& model;
  analysis::AssemblyResult& assembled;
  assembly::AnalysisMode mode;  // the analysis that is carried out
  RunVoice& voice;
  std::function<bool(const assembly::State&)> write;  // a row of results
  std::function<void(results::ModeSet)> keep_modes;   // for the results store
  std::function<bool()> interrupted{};                // whether to stop; may be empty
  std::function<bool(double)> has_row{};              // whether the last row is of this time and analysis

  void say(const std::string& line) const { voice.say(line); }
  void warn(const std::string& line) const { voice.warn(line); }
  void error(const std::string& line) const { voice.error(line); }
  std::function<void(const std::string&)> sayer() const {
    return [&v = voice](const std::string& line) { v.say(line); };
  }
};

// A mechanism without freedom, with a row at each of `times`. Whether it got there is in the report.
PathReport run_kinematics(const AnalysisContext& context, const math::OutputTimes& times);
// One equilibrium at the present time, then one at each of `times`. `settle`: by a damped motion.
PathReport run_statics(const AnalysisContext& context, const math::OutputTimes& times, bool settle);
// `names`: of its files, over the whole run.
bool run_linear(const AnalysisContext& context, const model::Linear& command, LinearNames& names);

}  // namespace trunnion::api
