#include "api/session/run_output.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"
#include "elements/load.hpp"
#include "results/write/exchange.hpp"
#include "system/changing_damping.hpp"
#include "system/frames.hpp"
#include "system/turned.hpp"

namespace trunnion::api {

namespace fs = std::filesystem;
using assembly::State;

bool RunOutput::open(std::shared_ptr<const system::System> system, const model::Model& model,
                     const std::function<results::StoreTexts()>& texts) {
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
  for (const core::Diagnostic& d : diagnostics.all())
    warn_(fmt::format("{}: {}{}{}", d.subject, d.message, d.hint.empty() ? "" : "; ", d.hint));
  if (options_.rehearse) return true;
  phase_.reset();
  // One store as long as it is of the same bodies: a RELOAD may bring another model.
  std::vector<std::string> bodies;
  for (const system::BodyInfo& body : system_->bodies()) bodies.push_back(body.channel);
  const bool goes_on = recorder_.is_open() && bodies == bodies_;
  bodies_ = std::move(bodies);
  results::RecordedChannels recorded{
      channels_->list(), channels_->usual(),
      results::exchange_writers(model, *system_, exchange, options_.output.channels)};
  const std::string path = next_path();
  if (goes_on) return recorder_.change(path, std::move(recorded)) || fail();
  return recorder_.open(path, std::move(recorded), texts()) || fail();
}

void RunOutput::begin_anew(const std::string& csv) {
  csv_ = csv;
  changes_ = 0;
  bodies_.clear();
  channels_.reset();
}

// What the first files cannot take goes to files of their own.
std::string RunOutput::next_path() {
  if (++changes_ == 1) return csv_;
  const fs::path p(csv_);
  return (p.parent_path() / fmt::format("{}_{}{}", p.stem().string(), changes_, p.extension().string()))
      .string();
}

bool RunOutput::write(const State& state, results::Phase phase) {
  if (options_.rehearse) return true;
  if (phase_ != phase) {
    recorder_.phase(phase);
    channels_->no_steps();  // a motion begins with a row before its first step
  }
  phase_ = phase;
  last_t_ = state.t;
  tell_extrapolations(state, phase);
  channels_->sample(state, phase, values_);
  tell_extrapolations(state.t, {});  // requests read splines too
  tell_of_forces(state, phase);
  tell_off_curves(state);
  tell_deformation(state);
  tell_damping(state, phase);
  tell_turns(state);
  for (const core::Words& line : channels_->take_troubles()) warn_about_(line);
  if (!is_a_solution(state, phase)) return false;
  return recorder_.row(values_) || fail();
}

// A contact that runs over the end of its curve: once for each.
void RunOutput::tell_off_curves(const State& state) {
  for (const system::System::OffCurve& off : system_->off_curves(state)) {
    if (!told_off_curves_.insert(off.owner).second) continue;
    warn_about_(
        core::words("{} at t = {:.9g}: the contact has run over the end of its open curve (parameter {:.4g}, "
                    "the curve ends at "
                    "{:.4g}); it goes on along the extrapolated curve. Try a longer curve, or a CLOSED one",
                    off.owner, state.t, off.parameter, off.end));
  }
}

// Forces that do not act as they are meant to, where they are: each is told once.
void RunOutput::tell_of_forces(const State& state, results::Phase phase) {
  std::optional<system::System::Workspace> work;
  for (const system::Force& force : system_->forces()) {
    if (told_about_.contains(force.label)) continue;
    if (!work) {
      work.emplace(*system_, phase);
      system_->update(state, *work);
    }
    core::Words line = undirected(force, state, *work);
    if (line.empty()) line = turned_too_far(force, state.t, *work);
    if (line.empty()) line = slid_out(force, state.t, *work);
    if (line.empty()) continue;
    told_about_.insert(force.label);
    warn_about_(line);
  }
}

// A force along the line between two markers that coincide has no direction.
core::Words RunOutput::undirected(const system::Force& force, const State& state,
                                  system::System::Workspace& work) const {
  const auto found = system_->undirected(force, state, work);
  if (!found) return {};
  const auto marker = [&](assembly::MarkerId id) {
    return label(*model_, model::kind_of<model::Marker>(), system_->id_of(id));
  };
  if (found->size == 0.0)
    return core::words(
        "{} at t = {:.9g}: {} and {} coincide; a damper along their line has no direction "
        "there, so that its "
        "damping does not act and LINEAR does not see it. Try a BUSHING, which has axes",
        force.label, state.t, marker(force.i), marker(force.j));
  return core::words(
      "{} at t = {:.9g}: {} and {} coincide, so that its force of {:.6g} has no direction; {}. Try "
      "markers that stay apart, or a VFORCE or BUSHING, which have axes",
      force.label, state.t, marker(force.i), marker(force.j), found->size / system_->units().ucf,
      found->exactly ? "none acts" : "it acts along their rounding errors");
}

// A slider that has left its guide, by what OVERLAP_DELTA says of its travel.
core::Words RunOutput::slid_out(const system::Force& force, double t, const system::System::Workspace& work) {
  using Change = model::Friction::Overlap;
  if (!(force.kind == model::kind_of<model::Friction>())) return {};
  const auto* friction = model_->find<model::Friction>(force.id);
  const Change change = friction ? friction->overlap_delta.value_or(Change::constant) : Change::constant;
  const model::Joint* joint = change == Change::constant ? nullptr : model_->find(friction->joint);
  if (!joint) return {};
  auto [drawn, first] = drawn_at_.try_emplace(force.id);
  if (first) {
    core::Diagnostics said;
    system::Frames frames(*model_, said);
    drawn->second = (frames.marker(joint->j.id).inverse() * frames.marker(joint->i.id)).p.z();
  }
  const assembly::MarkerMotion &i = work.kinematics.marker(force.i), &j = work.kinematics.marker(force.j);
  const double travel = j.R.col(2).dot(i.p - j.p) - drawn->second;
  const double overlap = friction->initial_overlap.value_or(1000);
  if (overlap + (change == Change::increase ? travel : -travel) > 0) return {};
  return core::words(
      "{} at t = {:.9g}: INITIAL_OVERLAP = {} is used up by a travel of {:.4g}: the slider has left its "
      "guide, "
      "and friction goes on with a thousandth of it. Try a longer INITIAL_OVERLAP, or the other "
      "OVERLAP_DELTA",
      force.label, t, core::number_text(overlap), travel);
}

// A linear law of three angles, two of which are no longer small.
core::Words RunOutput::turned_too_far(const system::Force& force, double t,
                                      const system::System::Workspace& work) const {
  constexpr double kTold = 0.5, kDegrees = 180 / M_PI;
  const double turn = system::second_turn(*system_, force, work);
  if (!(turn > kTold)) return {};
  const bool nonlinear =
      force.kind == model::kind_of<model::Field>() || force.kind == model::kind_of<model::Beam>();
  return core::words(
      "{} at t = {:.9g}: two of its three angles are {:.0f} degrees or more; its torques take them one by "
      "one, "
      "which holds while two of the three are small (10 degrees). Beyond, they are no spring's and energy is "
      "not kept. Try {}",
      force.label, t, turn * kDegrees,
      nonlinear ? "FORMULATION=NONLINEAR"
                : "axes of its markers so that the turn about z is the large one, or a joint");
}

// Modes are linear: a body that deforms by a tenth of its size (FLEX_LIMIT_TOLERANCE, CHAR_LEN) is told, once.
void RunOutput::tell_deformation(const State& state) {
  constexpr double kUsual = 0.1;
  const auto* preferences = model_->single<model::Preferences>();
  const double allowed = preferences ? preferences->flex_limit_tolerance.value_or(kUsual) : kUsual;
  for (const system::FlexInfo& flex : system_->flexible()) {
    if (!(flex.size > 0) || flex.shapes.size() == 0 || told_about_.contains(flex.label)) continue;
    const assembly::Block& modes = system_->layout().block(flex.modes);
    const Eigen::VectorXd moved = flex.shapes * state.q.segment(modes.pose_offset, modes.size);
    double most = 0;
    for (Eigen::Index k = 0; k < moved.size(); k += 3) most = std::max(most, moved.segment<3>(k).norm());
    if (!(most > allowed * flex.size)) continue;
    told_about_.insert(flex.label);
    warn_about_(
        core::words("{} at t = {:.9g}: a node is {:.3g} from where it is undeformed, {:.2g} of the body's "
                    "size {:.3g}; modes are linear, and beyond "
                    "{:.2g} they should not be trusted. The run goes on",
                    flex.label, state.t, most, most / flex.size, flex.size, allowed));
  }
}

// A CRATIO that changes is known only as it goes: once for each body where it feeds vibrations, and where it is more than critical.
void RunOutput::tell_damping(const State& state, results::Phase phase) {
  for (const system::ChangingDamping& one : system::changing_damping(*system_, state, phase)) {
    if (one.least < 0 && told_about_.insert(one.body + " fed").second)
      warn_about_(core::words("{} at t = {:.9g}: CRATIO is {:.3g}: damping below zero feeds vibrations",
                              one.body, state.t, one.least));
    if (one.most > 1 && told_about_.insert(one.body + " creeps").second)
      warn_about_(
          core::words("{} at t = {:.9g}: CRATIO is {:.3g}: more than critical, its deformation only creeps "
                      "back. CRATIO is a share of critical damping: 2 % is 0.02",
                      one.body, state.t, one.most));
  }
}

// A node of a beam may turn against the next by less than half a turn; what is beyond is another shape. Told before it is reached, once
// for each element.
void RunOutput::tell_turns(const State& state) {
  const assembly::Layout& layout = system_->layout();
  for (const elements::BeamElement& beam : system_->beam_elements()) {
    tell_shear(beam, state);
    double most = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(beam.segments()); ++k) {
      const math::Quat from = assembly::pose(layout, beam.nodes[k], state.q).R;
      most = std::max(most, from.angularDistance(assembly::pose(layout, beam.nodes[k + 1], state.q).R));
    }
    if (most < elements::kLargeTurn || !told_about_.insert(beam.owner).second) continue;
    warn_about_(
        core::words("{} at t = {:.9g}: one node is turned against the next by {:.0f} degrees; the beam is "
                    "coarse there, and beyond 180 the element takes another shape. Try more nodes, or a "
                    "larger SUBDIVIDE",
                    beam.owner, state.t, most * 180.0 / M_PI));
  }
}

// Two nodes between which the axis goes another way than their sections face: of an element whose moment changes the sign within it, far
// beyond where its residual flexibility holds. It gives way like that where its bending stiffness is small against force × length².
void RunOutput::tell_shear(const elements::BeamElement& beam, const State& state) {
  if (beam.count != 2) return;
  constexpr double kLargeShear = M_PI / 6;
  const assembly::Pose a = assembly::pose(system_->layout(), beam.nodes[0], state.q),
                       b = assembly::pose(system_->layout(), beam.nodes[1], state.q);
  const math::Vec3 chord = b.x - a.x, faced = a.R * beam.tangent + b.R * beam.tangent;
  const double angle = std::atan2(chord.cross(faced).norm(), chord.dot(faced));
  if (angle < kLargeShear || !told_about_.insert(beam.owner).second) return;
  warn_about_(
      core::words("{} at t = {:.9g}: the axis is {:.0f} degrees off the way their sections face; the beam is "
                  "coarse there for "
                  "so little bending stiffness, and its length and place are wrong. Try a larger SUBDIVIDE, "
                  "or elements of "
                  "three nodes (TYPE = 3DBEAM3)",
                  beam.owner, state.t, angle * 180.0 / M_PI));
}

// The last guard: whatever the analysis took for a solution, a row with a value that is none ends the run.
bool RunOutput::is_a_solution(const State& state, results::Phase phase) {
  const std::size_t bad = channels_->first_not_finite(values_);
  if (bad == values_.size()) return true;
  no_solution_ = true;
  system::System::Workspace work(*system_, phase);
  const results::Channel& channel = channels_->list()[bad];
  error_ = core::words("t = {:.9g}: {} is {}", state.t, core::Words(channel.name, channel.about),
                       std::isnan(values_[bad]) ? "not a number" : "infinite");
  for (const core::Words& cause : system_->not_finite(state, work, system::System::Asked::values))
    error_ += "; " + cause;
  return false;
}

void RunOutput::step(const results::StepRecord& step) {
  channels_->stepped(step);
  recorder_.step(step);
}

void RunOutput::tell_extrapolations(const State& state, assembly::AnalysisMode mode) {
  const auto all = system_->tables().read_outside();
  const bool news = std::any_of(all.begin(), all.end(), [&](const auto& e) {
    return !told_splines_.contains({e.spline, e.by_z});
  });
  if (!news) return;
  system::System::Workspace work(*system_, mode);
  tell_extrapolations(state.t, system_->extrapolations(state, work));
}

void RunOutput::tell_extrapolations(double t, std::vector<expr::OutsideReading> all) {
  for (const auto& e : system_->tables().read_outside()) all.push_back(e);
  system_->tables().forget();
  for (const auto& e : all) {
    const model::Spline* spline = model_->find<model::Spline>(e.spline);
    if (!spline || !told_splines_.insert({e.spline, e.by_z}).second) continue;
    warn_(fmt::format("t = {:.9g}: {} is read at {} = {:.9g}, outside of its {}, {:.9g} to {:.9g}; {}", t,
                      label(*model_, model::kind_of<model::Spline>(), e.spline), e.by_z ? "z" : "x", e.at,
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
  if (!recorder_.close()) return fail();
  // A store that is being written takes no new groups.
  for (const auto& [store, modes] : modes_) {
    if (!results::add_modes(store, modes, error_)) return false;
  }
  return true;
}

std::string RunOutput::no_room_for(std::size_t rows) const {
  if (!channels_) return {};
  std::error_code code;
  const fs::path folder = fs::path(csv_).parent_path();
  const fs::space_info space = fs::space(folder.empty() ? fs::path(".") : folder, code);
  // The store's numbers alone; a CSV takes about twice that.
  const std::size_t columns = results::select(channels_->list(), options_.output.channels).places.size();
  const double bytes = static_cast<double>(rows) * static_cast<double>(columns * sizeof(double));
  if (code || bytes <= static_cast<double>(space.available)) return {};
  constexpr double kGiga = 1e9;
  return fmt::format("{:.3g} GB of {} channels, and {} has room for {:.3g} GB", bytes / kGiga, columns,
                     folder.empty() ? "." : folder.string(), static_cast<double>(space.available) / kGiga);
}

bool RunOutput::add_report(const std::string& json) { return recorder_.add_report(json) || fail(); }

std::vector<std::string> RunOutput::paths() const {
  std::vector<std::string> all;
  for (const auto& written : recorder_.written())
    all.insert(all.end(), written.paths.begin(), written.paths.end());
  return all;
}

void RunOutput::tell(RunResult& result) const {
  if (recorder_.written().empty()) return;
  result.csv = csv_;
  result.stores = recorder_.stores();
  result.write_failed = !error_.empty() && !no_solution_;
  for (const auto& [paths, rows] : recorder_.written()) {
    if (paths.empty()) continue;
    result.files.push_back({fmt::format("{}", fmt::join(paths, " and ")), rows});
  }
  if (!result.files.empty()) result.rows = result.files.front().rows;
}

}  // namespace trunnion::api
