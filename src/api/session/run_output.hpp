#pragma once
// The rows of a run on their way into files: which channels there are, what phase a row belongs to, and what becomes of the
// files where the elements of the model, and with them the columns, change.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/session/run.hpp"
#include "core/diagnostics.hpp"
#include "elements/beam_element.hpp"
#include "results/channels/channels.hpp"
#include "results/write/modes.hpp"
#include "results/write/recorder.hpp"

namespace trunnion::api {

class RunOutput {
 public:
  // `csv`: path of the first histories; `warn` gets warnings, `warn_about` those that name a statement; `refusal` knows why a path must
  // not be written, or is empty. What goes wrong is in error().
  RunOutput(const RunOptions& options, std::string csv, std::function<void(const std::string&)> warn,
            std::function<void(const core::Words&)> warn_about, results::Refusal refusal)
      : options_(options),
        csv_(std::move(csv)),
        warn_(std::move(warn)),
        warn_about_(std::move(warn_about)),
        recorder_(options.output, std::move(refusal)) {}

  // `texts` is asked where a store begins.
  bool open(std::shared_ptr<const system::System> system, const model::Model& model,
            const std::function<results::StoreTexts()>& texts);
  bool write(const assembly::State& state, results::Phase phase);
  void step(const results::StepRecord& step);
  // Warns once of each argument of a SPLINE that is read beyond its points.
  void tell_extrapolations(const assembly::State& state, assembly::AnalysisMode mode);

  // Energy that entered and left in the motions so far.
  void set_spent(const system::Power& spent);
  const system::Power& spent() const { return spent_; }

  void keep_modes(results::ModeSet modes);
  bool close(bool complete);
  bool add_report(const std::string& json);  // after close()

  // Why that many more rows cannot be written, in bytes; empty where they can, or nobody knows.
  std::string no_room_for(std::size_t rows) const;

  // Whether the last row is of this time and phase.
  bool goes_on(double t, results::Phase phase) const {
    return recorder_.rows() > 0 && phase_ == phase && last_t_ == t;
  }
  // The next open() begins other files; those so far are complete.
  void begin_anew(const std::string& csv);
  const core::Words& error() const { return error_; }
  std::vector<std::string> paths() const;  // of the files so far
  void tell(RunResult& result) const;

 private:
  bool fail() {
    error_ = recorder_.error();
    return false;
  }
  void tell_of_forces(const assembly::State& state, results::Phase phase);
  core::Words undirected(const system::Force& force, const assembly::State& state,
                         system::System::Workspace& work) const;
  core::Words slid_out(const system::Force& force, double t, const system::System::Workspace& work);
  core::Words turned_too_far(const system::Force& force, double t,
                             const system::System::Workspace& work) const;
  void tell_off_curves(const assembly::State& state);
  void tell_deformation(const assembly::State& state);
  void tell_damping(const assembly::State& state, results::Phase phase);
  void tell_turns(const assembly::State& state);
  void tell_shear(const elements::BeamElement& beam, const assembly::State& state);
  bool is_a_solution(const assembly::State& state, results::Phase phase);
  std::string next_path();
  void tell_extrapolations(double t, std::vector<expr::OutsideReading> all);

  const RunOptions& options_;
  std::string csv_;
  std::function<void(const std::string&)> warn_;
  std::function<void(const core::Words&)> warn_about_;
  std::shared_ptr<const system::System> system_;
  const model::Model* model_ = nullptr;
  std::unique_ptr<results::Channels> channels_;
  system::Power spent_;
  results::Recorder recorder_;
  std::vector<double> values_;
  std::optional<results::Phase> phase_;                         // of the row before
  double last_t_ = 0;                                           // its time
  std::vector<std::string> bodies_;                             // that the files open now are of
  int changes_ = 0;                                             // of the channels
  std::map<std::string, std::vector<results::ModeSet>> modes_;  // by path of the store they belong to
  std::set<std::string> told_off_curves_;
  std::map<int, double> drawn_at_;    // of FRICTIONs whose overlap changes: how far I is from J, drawn
  std::set<std::string> told_about_;  // forces, and bodies that deform too much
  std::set<std::pair<int, bool>> told_splines_;  // and whether of z
  core::Words error_;
  bool no_solution_ = false;  // that is what the error says; the files are sound
};

}  // namespace trunnion::api
