#include "metamorphic/history.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "analysis/dynamics/energy_ledger.hpp"
#include "analysis/dynamics/sampled.hpp"
#include "analysis/initial/initial_conditions.hpp"
#include "analysis/statics/statics.hpp"
#include "elements/body.hpp"
#include "results/channels/channels.hpp"
#include "system/compile/compile.hpp"

namespace trunnion::metamorphic {

using assembly::State;
using math::Mat3;
using math::Vec3;

const char* name_of(Sort sort) {
  constexpr const char* names[kSorts] = {"position",  "orientation", "velocity", "spin", "acceleration",
                                         "spin rate", "force",       "torque",   "state"};
  return names[static_cast<std::size_t>(sort)];
}

Schedule evenly(double duration, int steps, double begin) {
  Schedule s;
  s.begin = begin;
  for (int k = 1; k <= steps; ++k) s.times.push_back(begin + duration * k / steps);
  return s;
}

namespace {

// The first channel of each group of three, and single ones.
std::vector<Quantity> quantities_of(const std::vector<results::Channel>& channels) {
  static const std::unordered_map<std::string, Sort> first = {
      {"X", Sort::position},        {"PSI", Sort::orientation}, {"VX", Sort::velocity}, {"WX", Sort::spin},
      {"ACCX", Sort::acceleration}, {"WDX", Sort::spin_rate},   {"FX", Sort::force},    {"TX", Sort::torque}};
  std::vector<Quantity> out;
  for (std::size_t k = 0; k < channels.size(); ++k) {
    const std::string& name = channels[k].name;
    const std::size_t dot = name.find('.');
    const std::string last = dot == std::string::npos ? "" : name.substr(dot + 1);
    if (name == "time" || name.starts_with("ENERGY") || name.starts_with("SOLVER")) continue;
    const bool single = name.starts_with("VARIABLE") || name.starts_with("DIFF") || name.starts_with("LSE") ||
                        name.starts_with("TFSISO") || name.starts_with("REQUEST");
    if (single) out.push_back({name, Sort::state, k});
    else if (const auto found = first.find(last); found != first.end())
      out.push_back({name, found->second, k});
  }
  return out;
}

// PSI and its like jump where two axes coincide and at half a turn; Euler parameters have two signs.
bool reads_jumping_angle(const std::string& text) {
  for (const char* name : {"PSI(", "THETA(", "PHI(", "YAW(", "PITCH(", "ROLL(", "ORIENT("}) {
    if (text.find(name) != std::string::npos) return true;
  }
  return false;
}
bool reads_reaction(const std::string& text) {
  for (const char* name :
       {"FM(", "FX(", "FY(", "FZ(", "TM(", "TX(", "TY(", "TZ(", "JOINT(", "JPRIM(", "MOTION("}) {
    if (text.find(name) != std::string::npos) return true;
  }
  return false;
}

void mark_loose(const model::Model& model, bool redundant, std::vector<Quantity>& quantities) {
  const auto loose = [&](const std::string& start, const std::string& text) {
    if (!reads_jumping_angle(text) && !(redundant && reads_reaction(text))) return;
    for (Quantity& q : quantities) q.loose = q.loose || q.name == start || q.name.starts_with(start + ".");
  };
  for (const model::Variable& v : model.all<model::Variable>())
    loose(fmt::format("VARIABLE/{}", v.id), v.function.text);
  for (const model::Request& r : model.all<model::Request>()) {
    const bool angles = r.quantity == model::Quantity::displacement,
               force = r.quantity == model::Quantity::force;
    std::string text = angles ? "PSI(" : force ? "FX(" : "";
    for (const model::Expression* f : {&r.f1, &r.f2, &r.f3, &r.f4, &r.f5, &r.f6, &r.f7, &r.f8})
      text += f->text + ";";
    loose(fmt::format("REQUEST/{}", r.id), text);
  }
}

std::string joined(const std::vector<core::Words>& lines) {
  std::string all;
  for (const std::string& line : lines) all += (all.empty() ? "" : "; ") + line;
  return all;
}

// A model compiled and assembled, and the rows taken from it.
class Session {
 public:
  Session(const model::Model& model, double begin) : model_(model) {
    core::Diagnostics diagnostics;
    system_ = system::compile(model, {}, diagnostics, begin);
    if (!system_) {
      unfit("it does not compile: " + first_error(diagnostics));
      return;
    }
    State at_start = system_->start();
    at_start.t = begin;
    if (begin != 0) system_->begin_drives(at_start, std::vector<bool>(at_start.memory.size(), true));
    assembled_ = analysis::initial_conditions(*system_, at_start, analysis::assembly_settings(model),
                                              analysis::Upto::accelerations);
    if (!assembled_.ok) {
      unfit("it does not assemble: " + joined(assembled_.messages));
      return;
    }
    channels_ = std::make_unique<results::Channels>(system_, model, diagnostics);
    work_ = std::make_unique<system::System::Workspace>(*system_, assembly::AnalysisMode::dynamics);
    ledger_ =
        std::make_unique<analysis::EnergyLedger>(*system_, assembly::AnalysisMode::dynamics, system::Power{});
    history_.quantities = quantities_of(channels_->list());
    history_.redundant = !assembled_.redundant.empty();
    mark_loose(model, history_.redundant, history_.quantities);
    for (const elements::Body& body : system_->body_elements()) history_.mass += body.mass;
    history_.freedoms = assembled_.freedoms;
    history_.adjusted = change(at_start);
    history_.ok = true;
    ledger_->begin(assembled_.state);
    take(assembled_.state);
  }

  void run(const Schedule& schedule) {
    std::vector<double> ends = schedule.interrupt;
    ends.push_back(schedule.times.back());
    std::size_t next = 0;
    for (const double end : ends) {
      std::vector<double> here;
      while (next < schedule.times.size() && schedule.times[next] <= end * (1 + 1e-12))
        here.push_back(schedule.times[next++]);
      if (!go_on(end, here)) return;
    }
    if (schedule.turn_back) come_back(schedule);
  }

  // Leaves the row of rest as the only one.
  void settle(const std::function<void(const system::System&, const analysis::AssemblyResult&)>& at) {
    analysis::StaticSettings settings = analysis::static_settings(model_);
    settings.error = settings.imbalance = 1e-9;
    const auto result = analysis::statics(*system_, assembled_, settings);
    history_.ok = result.ok && result.stability == analysis::Stability::stable;
    history_.why = joined(result.messages);
    history_.rows.clear();
    history_.t.clear();
    take(assembled_.state, assembly::AnalysisMode::statics);
    if (history_.ok && at) at(*system_, assembled_);
  }

  History history_;

 private:
  double change(const State& given) const {
    const assembly::Layout& layout = system_->layout();
    Eigen::VectorXd d(layout.size());
    assembly::difference(layout, given.q, assembled_.state.q, d);
    double sum = 0;
    for (const elements::Body& body : system_->body_elements()) {
      if (!body.block.valid()) continue;
      const assembly::Block& block = layout.block(body.block);
      sum += d.segment(block.offset, block.size).norm() +
             (assembled_.state.v - given.v).segment(block.offset, block.size).norm();
    }
    return sum;
  }
  void unfit(std::string why) {
    history_.unfit = true;
    history_.why = std::move(why);
  }
  static std::string first_error(const core::Diagnostics& diagnostics) {
    for (const core::Diagnostic& d : diagnostics.all()) {
      if (d.severity == core::Severity::error) return d.subject + ": " + d.message;
    }
    return "no message";
  }

  bool go_on(double end, const std::vector<double>& times) {
    analysis::DynamicHooks hooks;
    hooks.output = [this](const State& state) {
      take(state);
      return true;
    };
    hooks.started = [this](const State& state) { ledger_->begin(state); };
    hooks.rough = [this](const State& state) { return ledger_->rough(state); };
    hooks.balanced = [this](const State& state) { ledger_->step(state); };
    const auto result = analysis::sampled_dynamics(*system_, assembled_, end, times,
                                                   analysis::dynamic_settings(model_), hooks);
    history_.steps += result.loop.counts.steps;
    if (result.ok) return true;
    history_.ok = false;
    history_.why = fmt::format("t = {:.6g}: {}", assembled_.state.t, joined(result.loop.messages));
    return false;
  }

  void come_back(const Schedule& schedule) {
    assembled_.state.v *= -(1 + schedule.shake);
    const double begin = assembled_.state.t, length = schedule.times.back() - schedule.begin;
    std::vector<double> times;
    for (const double t : schedule.times) times.push_back(begin + t - schedule.begin);
    ledger_->begin(assembled_.state);
    go_on(begin + length, times);
  }

  void take(const State& state, assembly::AnalysisMode mode = assembly::AnalysisMode::dynamics) {
    std::vector<double> values;
    channels_->sample(state, mode, values);
    history_.t.push_back(state.t);
    history_.rows.push_back(std::move(values));
    system_->update(state, *work_);
    const system::Energy e = system_->energy(state, *work_);
    history_.energy.push_back(e.kinetic + e.potential);
    history_.kinetic.push_back(e.kinetic);
    const system::Power spent = ledger_->at(state.t);
    history_.spent.push_back(spent.dissipated - spent.work);
    history_.momentum.push_back(momentum());
  }

  Momentum momentum() const {
    Momentum sum{Vec3::Zero(), Vec3::Zero()};
    for (const elements::Body& body : system_->body_elements()) {
      const assembly::BodyMotion& m = work_->kinematics.body(body.block);
      sum.linear += body.mass * m.v;
      sum.angular += body.mass * m.x.cross(m.v) + m.R * (body.J * (m.R.transpose() * m.w));
    }
    return sum;
  }

  const model::Model& model_;
  std::shared_ptr<const system::System> system_;
  analysis::AssemblyResult assembled_;
  std::unique_ptr<results::Channels> channels_;
  std::unique_ptr<system::System::Workspace> work_;
  std::unique_ptr<analysis::EnergyLedger> ledger_;
};

Vec3 three(const double* at) { return {at[0], at[1], at[2]}; }

double distance(Sort sort, const double* a, const double* b) {
  if (sort == Sort::state) return std::abs(*a - *b);
  if (sort != Sort::orientation) return (three(a) - three(b)).norm();
  const Mat3 Ra = math::rotation_from_euler_313({a[0], a[1], a[2]}),
             Rb = math::rotation_from_euler_313({b[0], b[1], b[2]});
  return math::so3_log(Mat3(Ra.transpose() * Rb)).norm();
}

double& at(std::array<double, kSorts>& values, Sort sort) { return values[static_cast<std::size_t>(sort)]; }

}  // namespace

History simulate(const model::Model& model, const Schedule& schedule) {
  Session session(model, schedule.begin);
  if (session.history_.ok) session.run(schedule);
  return std::move(session.history_);
}

History start(const model::Model& model, double begin) { return std::move(Session(model, begin).history_); }

History at_rest(const model::Model& model,
                const std::function<void(const system::System&, const analysis::AssemblyResult&)>& at) {
  Session session(model, 0);
  if (session.history_.ok) session.settle(at);
  return std::move(session.history_);
}

Sizes sizes_of(const History& history, double duration) {
  Sizes sizes;
  for (std::size_t row = 0; row < history.rows.size(); ++row) {
    for (const Quantity& q : history.quantities) {
      const double* v = history.value(row, q);
      double& size = at(sizes.of, q.sort);
      size = std::max(size, q.sort == Sort::state ? std::abs(*v) : three(v).norm());
    }
  }
  const double extent = at(sizes.of, Sort::position);
  const double rate = std::max(at(sizes.of, Sort::spin), 2 * M_PI / duration);
  const auto least = [&](Sort sort, double value) {
    at(sizes.of, sort) = std::max(at(sizes.of, sort), value);
  };
  least(Sort::position, 1);
  at(sizes.of, Sort::orientation) = 1;
  least(Sort::velocity, at(sizes.of, Sort::position) * rate);
  least(Sort::spin, rate);
  least(Sort::acceleration, at(sizes.of, Sort::position) * rate * rate);
  least(Sort::spin_rate, rate * rate);
  // No force is smaller than what moves the mechanism, no torque than a force on its arm.
  least(Sort::force, history.mass * at(sizes.of, Sort::acceleration) + 1e-12);
  least(Sort::torque, extent * at(sizes.of, Sort::force) + 1e-12);
  least(Sort::state, 1);
  return sizes;
}

double Apart::largest(std::initializer_list<Sort> sorts) const {
  double worst = 0;
  for (const Sort sort : sorts) {
    const double here = by[static_cast<std::size_t>(sort)];
    worst = here <= worst ? worst : here;  // a NaN stays
  }
  return worst;
}

Apart apart(const History& base, const History& variant, const Sizes& sizes) {
  Apart out;
  std::unordered_map<std::string, const Quantity*> others;
  for (const Quantity& q : variant.quantities) others.emplace(q.name, &q);
  for (const Quantity& q : base.quantities) {
    if (q.loose) continue;
    const auto found = others.find(q.name);
    if (found == others.end()) {
      out.missing = q.name;
      continue;
    }
    const auto sort = static_cast<std::size_t>(q.sort);
    std::size_t other = 0;
    for (std::size_t row = 0; row < base.rows.size(); ++row) {
      const double close = 1e-9 * (std::abs(base.t[row]) + base.t.back() - base.t.front());
      while (other < variant.rows.size() && variant.t[other] < base.t[row] - close) ++other;
      if (other == variant.rows.size()) break;
      if (variant.t[other] > base.t[row] + close) continue;  // no row of its own there
      const double size =
          q.sort == Sort::state ? std::max(1.0, std::abs(*base.value(row, q))) : sizes.of[sort];
      const double by = distance(q.sort, base.value(row, q), variant.value(other, *found->second)) / size;
      if (by <= out.by[sort]) continue;
      out.by[sort] = by;
      out.where[sort] = fmt::format("{} at t = {:.6g}", q.name, base.t[row]);
    }
  }
  return out;
}

}  // namespace trunnion::metamorphic
