#pragma once
// Carries out the commands of a script: a session, and what a run adds to it, which are files, messages and reports.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/present/report.hpp"
#include "api/session/run_dynamics.hpp"
#include "api/session/run_files.hpp"
#include "api/session/run_info.hpp"
#include "api/session/run_output.hpp"
#include "api/session/run_voice.hpp"
#include "api/session/session.hpp"
#include "api/session/snapshot.hpp"

namespace trunnion::api {

class Runner {
 public:
  Runner(const Project& project, const RunOptions& options,
         const std::function<void(const std::string&)>& user);
  RunResult run();

 private:
  // --- run.cpp: the script
  bool open_files();
  void carry_out_all();
  bool carry_out_in_memory(const model::Command& command);
  bool carry_out(const model::Command& command);
  bool change(const model::Command& command);
  void list(const model::Command& command);
  void say_how_to_simulate();
  bool tell_info(const model::Info& command);
  bool tell_now(const model::Command& command);
  void tell_start_values(const model::Schema& schema, const model::Statement& statement);
  RunStatusNow status_now() const;
  bool linear(const model::Linear& command);
  bool fail(const std::string& message);
  bool cannot();
  bool stopped();
  bool not_yet(const char* what);

  // --- run_model.cpp: the model, and where it is
  bool compile();
  void say_idle();
  results::StoreTexts texts() const;
  bool assemble(analysis::Upto upto);
  bool only_upto(analysis::Upto upto);
  analysis::ConstraintListener assembly_listener();
  void say_outcome(const analysis::AssemblyResult& result);
  void tell_redundant();
  void note_first();
  bool debug_on(model::Choice<model::Switch> model::Debug::*which) const;
  void tell_driven(const std::string& what, core::Subject statement, bool on, const std::string& place);
  bool switch_elements(const model::Selection& selection, bool on);
  bool save_system(const model::Save& command);
  bool reload_system(const model::Reload& command);
  bool new_files(const std::string& prefix);

  // --- run_simulate.cpp: SIMULATE
  bool simulate(const model::Simulate& command);
  bool simulate_initial_conditions(const model::Simulate& command);
  bool simulate_statics(const model::Simulate& command, bool settle);
  bool simulate_dynamics(const model::Simulate& command, bool fresh, results::Phase phase);
  bool simulate_kinematics(const model::Simulate& command, bool fresh);
  bool moves_with_states();
  void tell_jumps(double begin, double end);
  void tell_what_jumped(double begin);
  bool left_to_chance(double end);
  bool keep_report(PathReport report);
  bool write_start(bool fresh, results::Phase phase, const analysis::DynamicSettings* dynamic = nullptr);
  bool write(const assembly::State& state, results::Phase phase);
  AnalysisContext context(results::Phase phase);
  std::optional<double> end_of(const model::Simulate& command, double begin);
  std::optional<math::OutputTimes> output_times(const model::Simulate& command, double begin, double end);

  const system::System& system() const { return *session_.system(); }
  analysis::AssemblyResult& place() { return session_.place(); }

  const Project& project_;
  const RunOptions& options_;
  Session session_;
  RunFiles files_;
  RunVoice voice_;
  RunOutput output_;
  results::Phase last_phase_ = results::Phase::initial_conditions;  // of the state there is
  std::vector<AnyReport> reports_;
  std::map<std::string, Snapshot> kept_;  // by SAVE in memory
  std::set<std::string> said_idle_;
  bool halted_ = false;  // by a SENSOR: as asked, and nothing follows
  bool adrift_ =
      false;  // a rehearsal has left out a motion or a search: where the mechanism is, is not known
  RunResult result_;
};

}  // namespace trunnion::api
