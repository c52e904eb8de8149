#pragma once
// A mechanism at work: a model, the system it makes, and where that is. What a script, a test, a bench or another language does with a
// model, it does here; no files and no text are involved.
//
//   Session pendulum(model);
//   pendulum.record("PART/2.X,JOINT/1.F*");
//   if (!pendulum.simulate(2.0, math::OutputTimes::parts(200, 0, 2)).ok) …
//   pendulum.value("JOINT/1.FX");
//
// A change of the model takes effect with the next analysis, which goes on from where the mechanism is.

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/dynamics/dynamics.hpp"
#include "analysis/initial/initial_conditions.hpp"
#include "analysis/kinematics/kinematics.hpp"
#include "analysis/linear/linear.hpp"
#include "analysis/statics/statics.hpp"
#include "core/diagnostics.hpp"
#include "model/model.hpp"
#include "results/channels/channels.hpp"
#include "system/compile/user_library.hpp"

namespace trunnion::api {

// Rows of numbers in memory.
struct Recording {
  std::vector<results::Channel> channels;
  std::vector<std::vector<double>> rows;  // in the order of the channels; the first is the time

  // Of a channel, over the rows; nothing where there is no such channel.
  std::optional<std::vector<double>> column(std::string_view channel) const;
};

class Session {
 public:
  explicit Session(model::Model model, system::UserCode user = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  // --- The model
  const model::Model& model() const { return model_; }
  void set_title(std::string title) { model_.title = std::move(title); }
  // A statement in place of the one of its id, with what it does not give left as it was; false where the model has none such.
  // Statements that only say how to solve leave the system as it is.
  bool change(const model::Command& statement);
  static bool only_a_setting(const model::Command& statement);
  // ACTIVATE, DEACTIVATE; false where the model has none such.
  bool activate(core::Subject statement, bool on);
  const std::set<core::Subject>& inactive() const { return off_; }
  // Another model, to be started from its own initial conditions.
  void open(model::Model model, std::set<core::Subject> inactive);

  // --- The system: made when an analysis needs it; here for who wants to know.
  enum class Compiled { failed, as_before, anew };
  Compiled compile();
  void compile_anew() { system_.reset(); }                               // with the next analysis
  const core::Diagnostics& diagnostics() const { return diagnostics_; }  // why it failed, what it warned of
  const std::shared_ptr<const system::System>& system() const { return system_; }
  bool begun() const {
    return before_ != nullptr;
  }  // it was assembled once: the model is no longer the start

  // --- Where the mechanism is
  // Its initial conditions, unless it has a place already; false where there are none, and place().messages says why.
  bool assemble(analysis::Upto upto = analysis::Upto::accelerations,
                const analysis::ConstraintListener& listener = {});
  // The lower levels alone: the next assembly starts from them.
  analysis::AssemblyResult prepare(analysis::Upto upto, const analysis::ConstraintListener& listener = {});
  void assemble_again();  // with the next analysis, from where it is
  bool assembled() const { return place_.has_value(); }
  analysis::AssemblyResult& place() { return *place_; }
  const analysis::AssemblyResult& place() const { return *place_; }
  void put(analysis::AssemblyResult place);  // of the present system
  double time() const { return place_ ? place_->state.t : start_.t; }
  // The place is one to go on from, should the model change. Every analysis here ends with it.
  void keep();
  // Statics changes positions only: a motion that follows starts with the velocities there were before.
  void go_to_rest();
  void leave_rest();

  // --- Analyses, by the model's own settings. SENSORs act where `hooks.events` has them.
  analysis::DynamicResult simulate(double end, const math::OutputTimes& times = {},
                                   analysis::DynamicHooks hooks = {});
  analysis::KinematicResult follow(const math::OutputTimes& times);  // a mechanism without freedom
  analysis::StaticResult equilibrium(const analysis::StaticListener& listener = {});
  analysis::LinearSystem linearise(const analysis::LinearOptions& options = {});
  analysis::ModesResult modes(const analysis::ModesOptions& options = {});

  // --- Numbers
  // Of a channel at the present place, as the last analysis had it; nothing where there is no such channel. LAMBDA, MARKER and XFORM
  // too.
  std::optional<double> value(const std::string& channel);
  // Keeps the channels that match, at the start and at the output times of the analyses that follow. A change of the channels
  // begins a recording of its own.
  void record(std::string patterns = {});
  const std::vector<Recording>& recordings() const { return recordings_; }
  const system::Power& spent() const { return spent_; }  // energy lost and work put in up to here
  // Whether motions count them, which takes an evaluation a step. They do unless told otherwise.
  void count_energy(bool on) { counting_ = on; }

  // --- Going back
  struct Saved {
    model::Model model;
    std::set<core::Subject> inactive;
    std::optional<analysis::AssemblyResult> place;
    system::Power spent;
  };
  Saved save() const { return {model_, off_, place_, spent_}; }
  bool load(Saved saved);  // false where its model makes no system

 private:
  void take_row(const assembly::State& state);
  void begin_rows(assembly::AnalysisMode mode);
  results::Channels& channels(const std::string& patterns);

  model::Model model_;
  system::UserCode user_;
  std::set<core::Subject> off_;                            // switched off
  std::shared_ptr<const system::System> system_, before_;  // now, and the one that last_ belongs to
  core::Diagnostics diagnostics_;
  assembly::State start_, last_;
  std::optional<analysis::AssemblyResult> place_;
  std::optional<Eigen::VectorXd> moving_;                                     // velocities before statics
  bool from_rest_ = false;                                                    // they were just taken up again
  assembly::AnalysisMode mode_ = assembly::AnalysisMode::initial_conditions;  // of the place
  system::Power spent_;
  bool counting_ = true;

  std::unique_ptr<results::Channels> channels_;
  std::string patterns_;  // of the channels
  std::optional<std::string> recorded_;
  std::vector<Recording> recordings_;
  std::vector<std::size_t> kept_;  // places of the recorded channels
  std::vector<double> values_;
};

}  // namespace trunnion::api
