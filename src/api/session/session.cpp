#include "api/session/session.hpp"

#include <algorithm>
#include <utility>

#include "analysis/dynamics/energy_ledger.hpp"
#include "analysis/dynamics/sampled.hpp"
#include "model/merge.hpp"
#include "results/channels/selection.hpp"
#include "system/compile/compile.hpp"

namespace trunnion::api {

using assembly::AnalysisMode;
using assembly::State;

std::optional<std::vector<double>> Recording::column(std::string_view channel) const {
  const auto found =
      std::find_if(channels.begin(), channels.end(), [&](const auto& c) { return c.name == channel; });
  if (found == channels.end()) return {};
  std::vector<double> out;
  for (const std::vector<double>& row : rows)
    out.push_back(row[static_cast<std::size_t>(found - channels.begin())]);
  return out;
}

Session::Session(model::Model model, system::UserCode user)
    : model_(std::move(model)), user_(std::move(user)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

bool Session::only_a_setting(const model::Command& command) {
  return command.is<model::Integrator>() || command.is<model::Equilibrium>() || command.is<model::Debug>() ||
         command.is<model::Kinematics>() || command.is<model::InitialConditions>() ||
         command.is<model::Output>();
}

bool Session::change(const model::Command& statement) {
  if (!model::apply(statement, model_)) return false;
  if (!only_a_setting(statement)) system_.reset();
  return true;
}

bool Session::activate(core::Subject statement, bool on) {
  if (!model_.find(statement.kind, statement.id)) return false;
  if (on) off_.erase(statement);
  else off_.insert(statement);
  system_.reset();
  return true;
}

void Session::open(model::Model model, std::set<core::Subject> inactive) {
  model_ = std::move(model);
  off_ = std::move(inactive);
  system_.reset();
  before_.reset();
}

// The system of the model as it is now, with the state carried over.
Session::Compiled Session::compile() {
  if (system_) return Compiled::as_before;
  diagnostics_ = {};
  system::Inactive inactive;
  for (const core::Subject s : off_) inactive.statements.emplace_back(s.kind, s.id);
  system_ = system::compile(model_, inactive, diagnostics_, before_ ? last_.t : 0.0, user_);
  diagnostics_.sort();
  if (!system_) return Compiled::failed;
  start_ = before_ ? system_->carry_over(*before_, last_) : system_->start();
  place_.reset();
  channels_.reset();
  return Compiled::anew;
}

bool Session::assemble(analysis::Upto upto, const analysis::ConstraintListener& listener) {
  if (compile() == Compiled::failed) return false;
  if (place_) return place_->ok;
  place_ = prepare(upto, listener);
  if (place_->ok) keep();
  from_rest_ = false;
  mode_ = AnalysisMode::initial_conditions;
  return place_->ok;
}

analysis::AssemblyResult Session::prepare(analysis::Upto upto, const analysis::ConstraintListener& listener) {
  analysis::AssemblySettings settings = analysis::assembly_settings(model_);
  settings.first = !begun();
  settings.struck =
      begun() && !from_rest_;  // velocities kept over an equilibrium begin a motion, as those given do
  settings.listener = listener;
  analysis::AssemblyResult found = analysis::initial_conditions(*system_, start_, settings, upto);
  if (found.ok && upto != analysis::Upto::accelerations) {
    start_ = found.state;
    place_.reset();
  }
  return found;
}

void Session::assemble_again() {
  if (place_) start_ = place_->state;
  place_.reset();
}

void Session::put(analysis::AssemblyResult place) {
  place_ = std::move(place);
  keep();
}

void Session::keep() {
  before_ = system_;
  last_ = place_->state;
}

void Session::go_to_rest() {
  if (!moving_) moving_ = place_->state.v;
}

void Session::leave_rest() {
  if (!moving_ || !place_) return;
  assemble_again();
  if (moving_->size() == start_.v.size()) start_.v = *moving_;
  moving_.reset();
  from_rest_ = true;
}

analysis::DynamicResult Session::simulate(double end, const math::OutputTimes& times,
                                          analysis::DynamicHooks hooks) {
  leave_rest();
  analysis::DynamicResult result;
  if (!assemble()) {
    if (place_) result.loop.messages = place_->messages;
    return result;
  }
  begin_rows(AnalysisMode::dynamics);
  analysis::EnergyLedger ledger(*system_, AnalysisMode::dynamics, spent_);
  hooks.started = [&, said = hooks.started](const State& state) {
    if (counting_) ledger.begin(state);
    if (said) said(state);
  };
  if (counting_) {
    hooks.rough = [&](const State& state) { return ledger.rough(state); };
    hooks.balanced = [&, said = hooks.balanced](const State& state) {
      ledger.step(state);
      if (said) said(state);
    };
  }
  hooks.output = [&, said = hooks.output](const State& state) {
    if (counting_) spent_ = ledger.at(state.t);
    take_row(state);
    return !said || said(state);
  };
  result =
      analysis::sampled_dynamics(*system_, *place_, end, times.empty() ? math::OutputTimes({end}) : times,
                                 analysis::dynamic_settings(model_), hooks);
  if (counting_) spent_ = ledger.at(place_->state.t);
  keep();
  return result;
}

analysis::KinematicResult Session::follow(const math::OutputTimes& times) {
  leave_rest();
  analysis::KinematicResult result;
  if (!assemble()) {
    if (place_) result.messages = place_->messages;
    return result;
  }
  begin_rows(AnalysisMode::kinematics);
  result = analysis::kinematics(*system_, *place_, times, analysis::kinematic_settings(model_),
                                [&](const State& state) { take_row(state); });
  keep();
  return result;
}

analysis::StaticResult Session::equilibrium(const analysis::StaticListener& listener) {
  analysis::StaticResult result;
  if (!assemble(analysis::Upto::velocities)) {
    if (place_) result.messages = place_->messages;
    return result;
  }
  go_to_rest();
  result = analysis::statics(*system_, *place_, analysis::static_settings(model_), listener);
  mode_ = AnalysisMode::statics;
  keep();
  if (result.ok) take_row(place_->state);
  return result;
}

analysis::LinearSystem Session::linearise(const analysis::LinearOptions& options) {
  if (assemble()) return analysis::linearise(*system_, *place_, options);
  analysis::LinearSystem none;
  if (place_) none.messages = place_->messages;
  return none;
}

analysis::ModesResult Session::modes(const analysis::ModesOptions& options) {
  if (assemble()) return analysis::modes(*system_, *place_, options);
  analysis::ModesResult none;
  if (place_) none.messages = place_->messages;
  return none;
}

results::Channels& Session::channels(const std::string& patterns) {
  if (channels_ && patterns_ == patterns) return *channels_;
  core::Diagnostics left_out;  // requests that cannot be had are no channels
  channels_ =
      std::make_unique<results::Channels>(system_, model_, left_out, results::ChannelWishes{patterns, false});
  patterns_ = patterns;
  return *channels_;
}

std::optional<double> Session::value(const std::string& channel) {
  if (!assemble()) return {};
  const auto place_in = [&](const results::Channels& all) {
    const auto found =
        std::find_if(all.list().begin(), all.list().end(), [&](const auto& c) { return c.name == channel; });
    return static_cast<std::size_t>(found - all.list().begin());
  };
  results::Channels* all = &channels(channels_ ? patterns_ : std::string());
  if (place_in(*all) == all->list().size())
    all = &channels(channel);  // one of those that are there when asked for
  const std::size_t at = place_in(*all);
  if (at == all->list().size()) return {};
  all->set_spent(spent_);
  all->sample(place_->state, mode_, values_);
  return values_[at];
}

void Session::record(std::string patterns) {
  recorded_ = std::move(patterns);
  recordings_.clear();
}

void Session::begin_rows(AnalysisMode mode) {
  mode_ = mode;
  take_row(place_->state);
}

void Session::take_row(const State& state) {
  if (!recorded_) return;
  results::Channels& all = channels(*recorded_);
  const results::Selection chosen = results::select(all.list(), *recorded_);
  std::vector<results::Channel> wanted;
  for (const std::size_t k : chosen.places) wanted.push_back(all.list()[k]);
  const auto same = [](const results::Channel& a, const results::Channel& b) { return a.name == b.name; };
  if (recordings_.empty() || !std::equal(wanted.begin(), wanted.end(), recordings_.back().channels.begin(),
                                         recordings_.back().channels.end(), same))
    recordings_.push_back({std::move(wanted), {}});
  all.set_spent(spent_);
  all.sample(state, mode_, values_);
  std::vector<double> row;
  for (const std::size_t k : chosen.places) row.push_back(values_[k]);
  recordings_.back().rows.push_back(std::move(row));
}

bool Session::load(Saved saved) {
  open(std::move(saved.model), std::move(saved.inactive));
  if (compile() == Compiled::failed) return false;
  spent_ = saved.spent;
  if (saved.place) put(std::move(*saved.place));
  return true;
}

}  // namespace trunnion::api
