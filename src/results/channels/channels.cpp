#include "results/channels/channels.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "results/channels/requests.hpp"
#include "results/channels/unit_names.hpp"
#include "system/compile/compile.hpp"
#include "system/inputs.hpp"

namespace trunnion::results {

using assembly::MarkerId;
using assembly::State;
using elements::Wrench;
using math::Mat3;
using math::Vec3;
using model::kind_of;
using system::Constraint;
using system::System;

namespace {

constexpr const char* kWrenchNames[] = {"FX", "FY", "FZ", "TX", "TY", "TZ"};

}  // namespace

// What stands behind an input of a request's expression.
struct Channels::RequestInput {
  enum class Kind { signal, force };
  Kind kind = Kind::signal;
  elements::Signal signal;
  std::vector<System::Acting> acting;
  int component = 1;  // 1 … 8
  MarkerId rm;
};

// A REQUEST: a standard quantity, or expressions with what stands behind their inputs.
struct Channels::Request {
  using Input = RequestInput;
  enum class Form { displacement, velocity, acceleration, force, expression, user };
  Form form = Form::expression;
  MarkerId i = assembly::MarkerTable::kGroundMarker, j = i, rm = i;
  std::vector<System::Acting> acting;                                          // of a force
  std::vector<std::pair<int, std::shared_ptr<const expr::Program>>> programs;  // component 1 … 8
  std::vector<std::vector<Input>> inputs;
  const system::UserRequest* user = nullptr;
  core::Words owner;           // for messages
  std::array<bool, 9> told{};  // of a component that is not finite
};

Channels::~Channels() = default;

Channels::Channels(std::shared_ptr<const System> system, const model::Model& model,
                   core::Diagnostics& diagnostics, const ChannelWishes& wishes)
    : system_(std::move(system)),
      work_(*system_, assembly::AnalysisMode::initial_conditions),
      beams_(*system_),
      multipliers_(*system_, wishes.patterns),
      frames_(*system_, model, wishes.patterns, wishes.part_frames),
      ucf_(system_->units().ucf) {
  const UnitNames u = unit_names(system_->units());
  add("time", u.time);
  for (const system::BodyInfo& body : system_->bodies())
    add_motion(list_, body.channel, system_->units(), body.label.subject());
  for (const Constraint& c : system_->constraints()) {
    for (int k = 0; k < 6; ++k) {
      add(fmt::format("{}/{}.{}", model::schema_of(c.kind).keyword, c.id, kWrenchNames[k]),
          k < 3 ? u.force : u.torque, {c.kind, c.id});
    }
  }
  for (const system::Force& f : system_->forces()) {
    for (int k = 0; k < 6; ++k) {
      add(fmt::format("{}.{}", f.channel, kWrenchNames[k]), k < 3 ? u.force : u.torque, f.label.subject());
    }
  }
  add_states();
  beams_.list(list_);
  for (const char* part : {"KINETIC", "POTENTIAL", "DISSIPATED", "WORK", "BALANCE"})
    add(fmt::format("ENERGY.{}", part), u.torque);
  first_request_ = list_.size();
  add_requests(model, diagnostics);
  add("SOLVER.STEP", u.time);
  add("SOLVER.ORDER", "1");
  add("SOLVER.ITERATIONS", "1");
  multipliers_.list(list_);
  usual_ = list_.size() + frames_.named();
  frames_.list(list_);
}

void Channels::stepped(const StepRecord& step) {
  const long before = step_.iterations;
  step_ = step;
  step_.iterations += before;
}

void Channels::add_states() {
  const assembly::Layout& layout = system_->layout();
  for (const system::StateInfo& info : system_->states()) {
    const std::string start = fmt::format("{}/{}", model::schema_of(info.kind).keyword, info.id);
    const bool single = info.kind == kind_of<model::Variable>() || info.kind == kind_of<model::Diff>();
    const auto all = [&](assembly::BlockId block, const char* word) {
      if (!block.valid()) return;
      for (int k = 0; k < layout.block(block).size; ++k) {
        add(single ? start : fmt::format("{}.{}{}", start, word, k + 1), "1", {info.kind, info.id});
        states_.push_back(layout.block(block).pose_offset + k);
      }
    };
    all(info.states, "X");
    all(info.outputs, "Y");
  }
  for (const system::FlexInfo& flex : system_->flexible()) {
    for (std::size_t k = 0; k < flex.numbers.size(); ++k) {
      add(fmt::format("{}.Q{}", flex.channel, flex.numbers[k]), "1", flex.label.subject());
      states_.push_back(layout.block(flex.modes).pose_offset + static_cast<int>(k));
    }
  }
}

namespace {

// Why a marker cannot be measured; empty where it can.
std::string marker_trouble(const model::Model& model, const system::System& system, int id) {
  if (id == 0 || system.find_marker(id)) return {};
  const model::Marker* marker = model.find<model::Marker>(id);
  const std::string name = model::label(model, kind_of<model::Marker>(), id);
  if (marker && marker->floating)
    return name + " is a FLOATING marker, which has no fixed position; try a marker fixed to its part";
  return name + " is on no body that is simulated";
}

}  // namespace

// What stands behind the inputs of a request's expression. Empty, with `why` set, where an input has no source.
std::optional<std::vector<Channels::RequestInput>> Channels::sources(const expr::Program& program,
                                                                     const model::Model& model,
                                                                     std::string& why) const {
  std::vector<RequestInput> out;
  system::SystemInputs from(*system_);
  for (const expr::Input& input : program.inputs()) {
    RequestInput in;
    bool found = true;
    std::string trouble;
    if (system::reads_force(input)) {
      system::ForceRead force = system::force_read(input, model, *system_);
      const auto rm = system_->find_marker(force.rm);
      // One that is switched off is nothing.
      const bool there = input.kind == expr::InputKind::generic_force || !force.acting.empty() ||
                         (system::can_be_inactive(force.kind) && model.find(force.kind, input.ids[0]));
      found = rm && there;
      in = {RequestInput::Kind::force, {}, std::move(force.acting), force.component, rm.value_or(MarkerId{})};
    } else if (auto resolved = system::resolve(input, model, from); resolved.signal) {
      in.signal = std::move(*resolved.signal);
    } else {
      found = false;
      trouble = resolved.why;
    }
    if (!found) {
      for (const int id : input.ids) {
        if (trouble.empty() && model.find<model::Marker>(id)) trouble = marker_trouble(model, *system_, id);
      }
      why = input.name() + (trouble.empty() ? " is not known to the solver" : ": " + trouble);
      return std::nullopt;
    }
    out.push_back(std::move(in));
  }
  return out;
}

void Channels::add_requests(const model::Model& model, core::Diagnostics& diagnostics) {
  const UnitNames u = unit_names(system_->units());
  const auto* output = model.single<model::Output>();
  yaw_pitch_roll_ = output && output->ypr.given() && output->ypr.value() == model::Switch::on;
  for (const NamedRequest& named : all_requests(model)) {
    const model::Request& r = named.request;
    const auto leave_out = [&](const std::string& why, const std::string& hint = {}) {
      diagnostics.warning(named.span, named.owner, fmt::format("left out of the results: {}", why), hint);
    };
    if (!named.trouble.empty()) {
      leave_out(named.trouble);
      continue;
    }
    Request request;
    request.owner = named.owner;
    using Q = model::Quantity;
    const bool simple = r.quantity.given();
    std::vector<std::string> units(8);
    if (simple) {
      const auto i = system_->find_marker(r.i.id), j = system_->find_marker(r.j.given() ? r.j.id : 0),
                 rm = system_->find_marker(r.rm.given() ? r.rm.id : 0);
      if (!i || !j || !rm) {
        std::string why;
        for (const int id : {r.i.id, r.j.given() ? r.j.id : 0, r.rm.given() ? r.rm.id : 0}) {
          if (why.empty()) why = marker_trouble(model, *system_, id);
        }
        leave_out(why);
        continue;
      }
      request.i = *i;
      request.j = *j;
      request.rm = *rm;
      request.acting = system_->acting_between(r.i.id, r.j.given() ? r.j.id : 0);
      const Q quantity = r.quantity.value();
      request.form = quantity == Q::displacement   ? Request::Form::displacement
                     : quantity == Q::velocity     ? Request::Form::velocity
                     : quantity == Q::acceleration ? Request::Form::acceleration
                                                   : Request::Form::force;
      const std::string first = quantity == Q::displacement   ? u.length
                                : quantity == Q::velocity     ? u.speed
                                : quantity == Q::acceleration ? u.acceleration
                                                              : u.force;
      const std::string second = quantity == Q::displacement   ? u.angle
                                 : quantity == Q::velocity     ? u.spin
                                 : quantity == Q::acceleration ? u.spin_rate
                                                               : u.torque;
      for (std::size_t k = 0; k < 8; ++k) units[k] = k < 4 ? first : second;
    } else if (const auto& all = system_->user_requests(); r.function.given()) {
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.id == r.id; });
      if (found == all.end()) {
        const auto& lost = system_->lost_requests();
        const auto one = std::find_if(lost.begin(), lost.end(), [&](const auto& l) { return l.id == r.id; });
        const auto compiled = expr::compile(r.function.text);
        if (one != lost.end()) leave_out(one->why, one->hint);
        else if (compiled.program && !compiled.program->is_user())
          leave_out("FUNCTION calls user code only, USER(…)", "expressions are F1=… to F8=…");
        else leave_out("its user code is not there");
        continue;
      }
      request.form = Request::Form::user;
      request.user = &*found;
    } else {
      const model::Expression* parts[8] = {&r.f1, &r.f2, &r.f3, &r.f4, &r.f5, &r.f6, &r.f7, &r.f8};
      std::string why;
      for (int k = 0; k < 8 && why.empty(); ++k) {
        if (!parts[k]->given()) continue;
        auto compiled = expr::compile(parts[k]->text);
        if (!compiled.program || compiled.program->is_user()) {
          why = "USER() belongs into FUNCTION=";
          break;
        }
        if (const auto unbound = system_->bind(*compiled.program); !unbound.empty()) {
          why = unbound.front().message;
          break;
        }
        auto behind = sources(*compiled.program, model, why);
        if (!behind) break;
        auto shared = std::make_shared<const expr::Program>(std::move(*compiled.program));
        work_.expression.reserve(*shared);
        request.programs.emplace_back(k + 1, std::move(shared));
        request.inputs.push_back(std::move(*behind));
      }
      if (why.empty() && request.programs.empty()) why = "it has no functions";
      if (!why.empty()) {
        leave_out(why);
        continue;
      }
    }
    // The units of a standard set follow from the set; those of functions only their author knows.
    for (std::size_t k = 0; !simple && k < std::min<std::size_t>(8, r.cunits.size()); ++k)
      units[k] = unit_of_dimension(r.cunits[k], u);
    for (int k = 1; k <= 8; ++k)
      add(fmt::format("{}.F{}", named.channel, k), units[static_cast<std::size_t>(k - 1)]);
    requests_.push_back(std::move(request));
  }
}

void Channels::sample(const State& state, assembly::AnalysisMode mode, std::vector<double>& values) {
  values.clear();
  work_.mode = mode;
  system_->update(state, work_);
  values.push_back(state.t);
  sample_bodies(values);
  sample_forces(state, values);
  for (const int place : states_) values.push_back(state.q[place]);
  beams_.sample({state, work_.kinematics, work_.scratch, mode}, values);
  sample_energy(state, values);
  sample_requests(state, values);
  values.push_back(step_.h);
  values.push_back(step_.order);
  values.push_back(static_cast<double>(step_.iterations));
  step_.iterations = 0;
  multipliers_.sample(state, values);
  frames_.sample(work_.kinematics, values);
}

void Channels::sample_energy(const State& state, std::vector<double>& values) {
  const system::Energy e = system_->energy(state, work_);
  for (const double part : {e.kinetic, e.potential, spent_.dissipated, spent_.work,
                            e.kinetic + e.potential + spent_.dissipated - spent_.work})
    values.push_back(part / ucf_);
}

void Channels::sample_bodies(std::vector<double>& values) {
  const auto put = [&](const Vec3& v) { values.insert(values.end(), v.data(), v.data() + 3); };
  for (const system::BodyInfo& body : system_->bodies()) {
    const assembly::MarkerMotion& cm = work_.kinematics.marker(body.cm);
    const math::EulerAngles angles = math::euler_313(cm.R);
    put(cm.p);
    put({angles.first, angles.second, angles.third});
    put(cm.v);
    put(cm.w);
    put(cm.a);
    put(cm.alpha);
  }
}

void Channels::sample_forces(const State& state, std::vector<double>& values) {
  const auto put = [&](const Wrench& w) {
    for (int k = 0; k < 3; ++k) values.push_back(w.force[k] / ucf_);
    for (int k = 0; k < 3; ++k) values.push_back(w.torque[k] / ucf_);
  };
  for (const Constraint& c : system_->constraints()) put(system_->reaction(c, state, work_, false));
  for (const system::Force& f : system_->forces()) put(system_->wrench(f, state, work_, false));
}

Wrench Channels::sum_of(const std::vector<System::Acting>& acting, const State& state) {
  Wrench sum;
  for (const System::Acting& a : acting) {
    const Wrench w = a.force ? system_->wrench(*a.force, state, work_, a.on_j)
                             : system_->reaction(*a.constraint, state, work_, a.on_j);
    sum.force += w.force;
    sum.torque += w.torque;
  }
  return sum;
}

void Channels::note_trouble(Request& request, int component, double t, double value, const std::string& why) {
  if (std::exchange(request.told[static_cast<std::size_t>(component)], true)) return;
  troubles_.push_back(core::words("{}, F{} at t = {:.9g}: {}; the results hold {} there", request.owner,
                                  component, t, why,
                                  std::isnan(value) ? "nan"
                                  : value > 0       ? "inf"
                                                    : "-inf"));
}

std::size_t Channels::first_not_finite(const std::vector<double>& values) const {
  const std::size_t requests_end = first_request_ + 8 * requests_.size();
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k >= first_request_ && k < requests_end) continue;
    if (!std::isfinite(values[k])) return k;
  }
  return values.size();
}

void Channels::sample_requests(const State& state, std::vector<double>& values) {
  const assembly::Evaluation at{state, work_.kinematics, work_.scratch, work_.mode, work_.drives};
  const auto eight = [&](const Vec3& a, const Vec3& b, bool magnitude_of_b = true) {
    values.push_back(a.norm());
    values.insert(values.end(), a.data(), a.data() + 3);
    values.push_back(magnitude_of_b ? b.norm() : 0.0);
    values.insert(values.end(), b.data(), b.data() + 3);
  };
  for (Request& r : requests_) {
    const assembly::MarkerMotion& i = work_.kinematics.marker(r.i);
    const assembly::MarkerMotion& j = work_.kinematics.marker(r.j);
    const Mat3 R = work_.kinematics.marker(r.rm).R.transpose();
    switch (r.form) {
      case Request::Form::displacement: {
        const Mat3 turn = j.R.transpose() * i.R;
        const math::EulerAngles angles = yaw_pitch_roll_ ? math::euler_321(turn) : math::euler_313(turn);
        // PITCH() is minus the second angle.
        eight(R * (i.p - j.p), {angles.first, yaw_pitch_roll_ ? -angles.second : angles.second, angles.third},
              false);
        continue;
      }
      case Request::Form::velocity: eight(R * (i.v - j.v), R * (i.w - j.w)); continue;
      case Request::Form::acceleration: eight(R * (i.a - j.a), R * (i.alpha - j.alpha)); continue;
      case Request::Form::force: {
        const Wrench w = sum_of(r.acting, state);
        eight(R * w.force / ucf_, R * w.torque / ucf_);
        continue;
      }
      case Request::Form::user: {
        std::array<double, 8> eight_values{};
        system_->evaluate(*r.user, state, work_, eight_values);
        for (int k = 1; k <= 8; ++k) {
          const double value = eight_values[static_cast<std::size_t>(k - 1)];
          if (!std::isfinite(value)) note_trouble(r, k, state.t, value, "its user code has no finite result");
        }
        values.insert(values.end(), eight_values.begin(), eight_values.end());
        continue;
      }
      case Request::Form::expression: break;
    }
    std::array<double, 9> f{};
    std::array<bool, 9> given{};
    for (std::size_t p = 0; p < r.programs.size(); ++p) {
      std::vector<double> in;
      for (Request::Input& input : r.inputs[p]) {
        const assembly::Scratch::Frame frame(work_.scratch);
        switch (input.kind) {
          case Request::Input::Kind::signal: in.push_back(elements::value(input.signal, at)); break;
          case Request::Input::Kind::force: {
            const Wrench w = sum_of(input.acting, state);
            in.push_back(elements::component(w, work_.kinematics.marker(input.rm).R, input.component) / ucf_);
            break;
          }
        }
      }
      const auto component = static_cast<std::size_t>(r.programs[p].first);
      f[component] = r.programs[p].second->value(in, work_.expression);
      given[component] = true;
      if (!std::isfinite(f[component]))
        note_trouble(r, r.programs[p].first, state.t, f[component], r.programs[p].second->explain(in));
    }
    for (const std::size_t k : {1u, 5u}) {
      if (!given[k]) f[k] = std::hypot(f[k + 1], f[k + 2], f[k + 3]);
    }
    values.insert(values.end(), f.begin() + 1, f.end());
  }
}

}  // namespace trunnion::results
