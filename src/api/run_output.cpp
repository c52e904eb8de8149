#include "api/run_output.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "results/exchange.hpp"

namespace trunnion::api {

namespace fs = std::filesystem;
using assembly::State;

bool RunOutput::open(std::shared_ptr<const system::System> system, const model::Model& model,
                     results::StoreTexts texts) {
  system_ = std::move(system);
  model_ = &model;
  core::Diagnostics diagnostics;
  const results::ExchangeFiles exchange = options_.exchange.value_or(results::asked_for(model));
  auto channels = std::make_unique<results::Channels>(
      system_, model, diagnostics, results::ChannelWishes{options_.output.channels, exchange.any()});
  const auto same = [](const results::Channel& a, const results::Channel& b) { return a.name == b.name; };
  const bool unchanged = channels_ && std::equal(channels->list().begin(), channels->list().end(),
                                                 channels_->list().begin(), channels_->list().end(), same);
  channels_ = std::move(channels);
  channels_->set_spent(spent_);
  if (unchanged && recorder_.is_open()) return true;
  end_files();
  for (const core::Diagnostic& d : diagnostics.all())
    say_(fmt::format("warning: {}: {}", d.subject, d.message));
  if (options_.rehearse) return true;
  auto layouts = results::exchange_writers(model, *system_, exchange, options_.output.channels);
  if (!recorder_.open(next_path(), channels_->list(), std::move(texts), std::move(layouts),
                      channels_->usual()))
    return fail();
  phase_.reset();
  std::string paths;
  for (const std::string& one : recorder_.paths()) paths += (paths.empty() ? "" : " and ") + one;
  files_.push_back({paths});
  return true;
}

void RunOutput::end_files() {
  if (!recorder_.is_open()) return;
  files_.back().rows = recorder_.rows();
  recorder_.close();
}

// The elements changed, and with them the columns: files of their own for what follows.
std::string RunOutput::next_path() {
  if (files_.empty()) return csv_;
  const fs::path p(csv_);
  return (p.parent_path() /
          fmt::format("{}_{}{}", p.stem().string(), files_.size() + 1, p.extension().string()))
      .string();
}

bool RunOutput::write(const State& state, results::Phase phase) {
  if (options_.rehearse) return true;
  if (phase_ != phase) recorder_.phase(phase);
  phase_ = phase;
  if (phase != results::Phase::dynamics) channels_->no_steps();
  tell_extrapolations(state);
  channels_->sample(state, values_);
  tell_extrapolations(state.t, {});  // requests read splines too
  return recorder_.row(values_) || fail();
}

void RunOutput::step(const results::StepRecord& step) {
  channels_->stepped(step);
  recorder_.step(step);
}

void RunOutput::tell_extrapolations(const State& state) {
  const auto all = system_->tables().read_outside();
  const bool news = std::any_of(all.begin(), all.end(), [&](const auto& e) {
    return !told_splines_.contains({e.spline, e.by_z});
  });
  if (!news) return;
  system::System::Workspace work(*system_);
  tell_extrapolations(state.t, system_->extrapolations(state, work));
}

void RunOutput::tell_extrapolations(double t, std::vector<expr::OutsideReading> all) {
  for (const auto& e : system_->tables().read_outside()) all.push_back(e);
  system_->tables().forget();
  for (const auto& e : all) {
    const model::Spline* spline = model_->find<model::Spline>(e.spline);
    if (!spline || !told_splines_.insert({e.spline, e.by_z}).second) continue;
    say_(
        fmt::format("warning: t = {:.9g}: {} is read at {} = {:.9g}, outside of its {}, {:.9g} to {:.9g}; {}",
                    t, label(*model_, model::kind_of<model::Spline>(), e.spline), e.by_z ? "z" : "x", e.at,
                    e.by_z ? "curves" : "points", e.min, e.max,
                    e.by_z                       ? "a straight line through the outer two goes on"
                    : spline->linear_extrapolate ? "a straight line goes on from the last of them"
                                                 : "the end piece's cubic goes on from the last of them"));
  }
}

void RunOutput::set_spent(const system::Power& spent) {
  spent_ = spent;
  if (channels_) channels_->set_spent(spent);
}

void RunOutput::keep_modes(results::ModeSet modes) {
  if (recorder_.is_open() && !recorder_.stores().empty())
    modes_[recorder_.stores().back()].push_back(std::move(modes));
}

bool RunOutput::close(bool complete) {
  if (!recorder_.is_open()) return true;
  if (!complete) recorder_.failed();
  files_.back().rows = recorder_.rows();
  if (!recorder_.close()) return fail();
  // A store that is being written takes no new groups.
  for (const auto& [store, modes] : modes_) {
    if (!results::add_modes(store, modes, error_)) return false;
  }
  return true;
}

bool RunOutput::add_report(const std::string& json) { return recorder_.add_report(json) || fail(); }

std::vector<std::string> RunOutput::paths() const {
  std::vector<std::string> all;
  for (const RunResult::File& file : files_) all.push_back(file.path);
  return all;
}

void RunOutput::tell(RunResult& result) const {
  if (files_.empty()) return;
  result.csv = csv_;
  result.files = files_;
  result.stores = recorder_.stores();
  result.write_failed = !error_.empty();
  for (const RunResult::File& file : files_) result.rows += file.rows;
}

}  // namespace trunnion::api
