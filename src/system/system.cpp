#include "system/system.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "elements/troubles.hpp"
#include "system/elements.hpp"

namespace trunnion::system {

using assembly::State;

System::System() : elements_(std::make_unique<Elements>()) {}
System::~System() = default;

const std::vector<elements::Body>& System::body_elements() const { return elements_->inertias; }
const std::vector<elements::Body>& System::part_elements() const { return elements_->bodies; }
const std::vector<elements::BeamElement>& System::beam_elements() const { return elements_->beams; }

std::vector<std::string> System::user_troubles() const { return troubles_->take(); }

System::Workspace::Workspace(const System& system, assembly::AnalysisMode analysis)
    : kinematics(system.layout_, system.markers_),
      functions(system.functions_.size()),
      drives(system.drives_.size()),
      mode(analysis) {
  for (const auto& program : system.programs_) expression.reserve(*program);
}

namespace {

// Gauss-Legendre, five points: exact to degree nine. Intervals are halved until two halves agree with the whole.
constexpr std::array<double, 5> kNode{0.0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640,
                                      -0.9061798459386640};
constexpr std::array<double, 5> kNodeWeight{0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                                            0.2369268850561891, 0.2369268850561891};

struct Integrals {
  double f = 0;       // ∫ f
  double moment = 0;  // ∫ (end − s) f
};

template <class F> Integrals gauss(const F& f, double a, double b, double end) {
  Integrals sum;
  const double half = (b - a) / 2, middle = (a + b) / 2;
  for (std::size_t k = 0; k < kNode.size(); ++k) {
    const double s = middle + half * kNode[k];
    const double w = half * kNodeWeight[k] * f(s);
    sum.f += w;
    sum.moment += (end - s) * w;
  }
  return sum;
}

template <class F> Integrals integrate(const F& f, double a, double b, double end, int depth = 0) {
  constexpr int kDeepest = 24;
  constexpr double kRelative = 1e-13;
  const Integrals whole = gauss(f, a, b, end);
  const double middle = (a + b) / 2;
  const Integrals left = gauss(f, a, middle, end), right = gauss(f, middle, b, end);
  const double size = std::abs(left.f) + std::abs(right.f) + 1e-300;
  const bool agree = std::abs(left.f + right.f - whole.f) <= kRelative * size;
  // A function without a value there has none in any part of it.
  const bool useless = !std::isfinite(left.f + right.f);
  if (agree || useless || depth >= kDeepest) return {left.f + right.f, left.moment + right.moment};
  const Integrals l = integrate(f, a, middle, end, depth + 1), r = integrate(f, middle, b, end, depth + 1);
  return {l.f + r.f, l.moment + r.moment};
}

}  // namespace

void System::update_drives(const State& state, Workspace& work) const {
  for (std::size_t k = 0; k < functions_.size(); ++k)
    work.functions[k] = system::evaluate(functions_[k], state.t, work.mode, work.functions, work.time);
  for (std::size_t k = 0; k < drives_.size(); ++k)
    work.drives[k] = work.functions[static_cast<std::size_t>(drives_[k].function)];
  for (std::size_t k = 0; k < drives_.size(); ++k) {
    const Drive& drive = drives_[k];
    if (drive.level == Drive::Level::displacement) continue;
    const auto at = static_cast<std::size_t>(drive.memory);
    const double last = state.memory[at], value = state.memory[at + 1], rate = state.memory[at + 2];
    const auto f = [&](double t) {
      return evaluate_alone(functions_, drive.function, t, work.mode, work.functions, work.time).value;
    };
    Integrals sum;
    if (state.t != last) {
      sum = integrate(f, last, state.t, state.t);
      f(state.t);  // leaves the functions it reads where they were
    }
    const math::Jet now = work.drives[k];
    if (drive.level == Drive::Level::velocity) {
      work.drives[k] = {value + sum.f, now.value, now.d1};
    } else {
      work.drives[k] = {value + rate * (state.t - last) + sum.moment, rate + sum.f, now.value};
    }
  }
}

void System::update(const State& state, Workspace& work) const {
  work.kinematics.update(state);
  update_drives(state, work);
}

void System::evaluate(const State& state, Workspace& work, assembly::Sink& sink) const {
  update(state, work);
  const assembly::Evaluation at = this->at(state, work);
  const auto all = [&](const auto& elements) {
    for (const auto& element : elements) {
      const assembly::Scratch::Frame frame(work.scratch);
      elements::evaluate(element, at, sink);
    }
  };
  all(elements_->bodies);
  all(elements_->beams);
  all(elements_->joints);
  all(elements_->measure_rows);
  const auto all_with_expressions = [&](const auto& elements) {
    for (const auto& element : elements) {
      const assembly::Scratch::Frame frame(work.scratch);
      elements::evaluate(element, at, work.expression, sink);
    }
  };
  all_with_expressions(elements_->gcons);
  all(elements_->ptcvs);
  all(elements_->cvcvs);
  all_with_expressions(elements_->loads);
  all_with_expressions(elements_->equations);
  all_with_expressions(elements_->readings);
}

namespace {

// Value, rate and time, from which the angle is expected to go on. A search for rest is no motion.
void keep_angle(const elements::Measure& measure, const assembly::Evaluation& at,
                std::vector<std::pair<int, double>>& kept) {
  const assembly::Scratch::Frame frame(at.scratch);
  const elements::MeasureResult angle = elements::evaluate(measure, at, elements::Order::first);
  assembly::VecMap v = at.scratch.vector(measure.columns.size());
  measure.columns.gather(at.layout(), at.state.v, v);
  kept.emplace_back(measure.memory, angle.value);
  kept.emplace_back(measure.memory + 1, assembly::is_static(at.mode) ? 0.0 : angle.q.dot(v));
  kept.emplace_back(measure.memory + 2, at.state.t);
}

}  // namespace

void System::accept(State& state, Workspace& work, Way way) const {
  if (state.memory.empty()) return;
  update(state, work);
  const assembly::Evaluation at = this->at(state, work);
  auto& kept = work.kept;
  kept.clear();
  const auto count = [&](const elements::Measure& measure) {
    if (measure.memory >= 0) keep_angle(measure, at, kept);
  };
  for (const elements::MeasureRow& row : elements_->measure_rows) {
    for (const auto& item : row.items) count(item.measure);
  }
  for (const elements::Measure& measure : elements_->counted) count(measure);
  for (const elements::Gcon& gcon : elements_->gcons) {
    for (const auto& item : gcon.items) {
      if (item.input.kind == elements::Signal::Kind::measure) count(item.input.measure);
    }
  }
  for (const elements::Load& load : elements_->loads) {
    if (!load.response.law || !load.response.law->remembers()) continue;
    if (way == Way::search && load.response.law->keeps_travel()) continue;
    const assembly::Scratch::Frame frame(work.scratch);
    load.response.law->keep(load.response.signals.evaluate(at, load.columns.size(), false).value, kept);
  }
  for (std::size_t k = 0; k < drives_.size(); ++k) {
    if (drives_[k].level == Drive::Level::displacement) continue;
    kept.emplace_back(drives_[k].memory, state.t);
    kept.emplace_back(drives_[k].memory + 1, work.drives[k].value);
    kept.emplace_back(drives_[k].memory + 2, work.drives[k].d1);
  }
  for (const auto& [place, value] : kept) state.memory[static_cast<std::size_t>(place)] = value;
}

State System::carry_over(const System& before, const State& earlier) const {
  State state = start_;
  state.t = earlier.t;
  std::unordered_map<std::string, int> blocks;
  for (int b = 0; b < before.layout_.block_count(); ++b) {
    blocks.emplace(before.layout_.block(assembly::BlockId{b}).owner, b);
  }
  for (int b = 0; b < layout_.block_count(); ++b) {
    const assembly::Block& to = layout_.block(assembly::BlockId{b});
    const auto found = blocks.find(to.owner);
    if (found == blocks.end()) continue;
    const assembly::Block& from = before.layout_.block(assembly::BlockId{found->second});
    if (from.size != to.size) continue;
    state.q.segment(to.pose_offset, to.pose_size) = earlier.q.segment(from.pose_offset, from.pose_size);
    state.v.segment(to.offset, to.size) = earlier.v.segment(from.offset, from.size);
  }
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t k = 0; k < before.memory_keys_.size(); ++k) places.emplace(before.memory_keys_[k], k);
  std::vector<bool> fresh(memory_keys_.size(), true);
  for (std::size_t k = 0; k < memory_keys_.size(); ++k) {
    const auto found = places.find(memory_keys_[k]);
    if (found == places.end()) continue;
    state.memory[k] = earlier.memory[found->second];
    fresh[k] = false;
  }
  begin_drives(state, fresh);
  return state;
}

void System::begin_drives(State& state, const std::vector<bool>& fresh) const {
  Workspace work(*this, assembly::AnalysisMode::initial_conditions);
  work.kinematics.update(state);
  const assembly::Evaluation at = this->at(state, work);
  for (const elements::MeasureRow& row : elements_->measure_rows) {
    if (row.drive < 0) continue;
    const Drive& drive = drives_[static_cast<std::size_t>(row.drive)];
    if (drive.level == Drive::Level::displacement || !fresh[static_cast<std::size_t>(drive.memory)]) continue;
    const auto place = static_cast<std::size_t>(drive.memory);
    state.memory[place] = state.t;
    if (!drive.from_here) continue;
    const assembly::Scratch::Frame frame(work.scratch);
    state.memory[place + 1] = elements::evaluate(row.items[0].measure, at, elements::Order::value).value;
  }
}

double System::driven_turn(const State& from, double t, Workspace& work) const {
  update_drives(from, work);
  const std::vector<math::Jet> before = work.drives;
  State later = from;
  later.t = t;
  update_drives(later, work);
  double most = 0;
  for (const elements::MeasureRow& row : elements_->measure_rows) {
    if (row.drive < 0 || row.items.size() != 1 || !elements::is_periodic(row.items[0].measure.kind)) continue;
    const auto k = static_cast<std::size_t>(row.drive);
    most = std::max(most, std::abs((work.drives[k].value - before[k].value) / row.items[0].weight));
  }
  return most;
}

elements::Wrench System::reaction(const Constraint& c, const State& state, Workspace& work, bool on_j) const {
  const assembly::Evaluation at = this->at(state, work);
  const assembly::Scratch::Frame frame(work.scratch);
  const assembly::MarkerId on = on_j ? c.j : c.i;
  switch (c.element) {
    case Constraint::Element::joint: return elements::reaction(elements_->joints[c.index], at, on);
    case Constraint::Element::measure_row:
      return elements::reaction(elements_->measure_rows[c.index], at, on);
    case Constraint::Element::gcon:
      return elements::reaction(elements_->gcons[c.index], at, work.expression, on);
    case Constraint::Element::ptcv: return elements::reaction(elements_->ptcvs[c.index], at, on);
    case Constraint::Element::cvcv: return elements::reaction(elements_->cvcvs[c.index], at, on);
  }
  return {};
}

elements::Wrench System::wrench(const Force& force, const State& state, Workspace& work, bool on_j) const {
  const assembly::Scratch::Frame frame(work.scratch);
  return elements::wrench(elements_->loads[force.load], at(state, work), work.expression, on_j);
}

double System::asymmetry(const Force& force, const State& state, Workspace& work) const {
  return elements::asymmetry(elements_->loads[force.load], at(state, work));
}

std::optional<elements::Undirected> System::undirected(const Force& force, const State& state,
                                                       Workspace& work) const {
  return elements::undirected(elements_->loads[force.load], at(state, work), work.expression);
}

Energy System::energy(const State& state, Workspace& work) const {
  const assembly::Evaluation at = this->at(state, work);
  Energy sum;
  for (const elements::Body& body : elements_->bodies) {
    sum.kinetic += elements::kinetic_energy(body, at);
    sum.potential += elements::potential_energy(body, at);
  }
  for (const elements::BeamElement& beam : elements_->beams) {
    sum.kinetic += elements::kinetic_energy(beam, at);
    sum.potential += elements::potential_energy(beam, at);
  }
  for (const elements::Load& load : elements_->loads) sum.potential += elements::potential_energy(load, at);
  return sum;
}

const Force* System::find_force(model::Kind kind, int id) const {
  const auto found = force_places_.find({kind.index, id});
  return found == force_places_.end() ? nullptr : &forces_[found->second];
}

const StateInfo* System::find_states(model::Kind kind, int id) const {
  for (const StateInfo& s : states_) {
    if (s.kind == kind && s.id == id) return &s;
  }
  return nullptr;
}

const std::vector<elements::Signal>* System::find_array(int id) const {
  const auto found = arrays_.find(id);
  return found == arrays_.end() ? nullptr : &found->second;
}

std::optional<int> System::find_sensor_value(int id) const {
  const auto found = sensor_values_.find(id);
  return found == sensor_values_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<System::Acting> System::acting_between(int i, int j) const {
  const auto is = [&](int id, assembly::MarkerId marker, int floating) {
    if (floating != 0) return id == floating;
    const auto found = marker_ids_.find(id);
    return found != marker_ids_.end() && found->second == marker;
  };
  std::vector<Acting> all;
  const auto consider = [&](Acting acting, assembly::MarkerId at_i, assembly::MarkerId at_j, int floating) {
    const bool forward = is(i, at_i, 0) && (j == 0 || is(j, at_j, floating));
    const bool backward = is(i, at_j, floating) && (j == 0 || is(j, at_i, 0));
    acting.on_j = backward;
    if (forward || backward) all.push_back(acting);
  };
  for (const Constraint& c : constraints_) consider({&c, nullptr, false}, c.i, c.j, 0);
  for (const Force& f : forces_) consider({nullptr, &f, false}, f.i, f.j, f.floating);
  return all;
}

std::vector<System::Acting> System::acting_element(model::Kind kind, int id, int side) const {
  std::vector<Acting> all;
  if (kind == model::kind_of<model::Nforce>()) {
    const auto marker = find_marker(side);
    for (const Force& f : forces_) {
      if (!(f.kind == kind) || f.id != id || !marker) continue;
      if (f.i == *marker || f.j == *marker) all.push_back({nullptr, &f, f.j == *marker});
    }
    return all;
  }
  const Acting acting{find_constraint(kind, id), find_force(kind, id), side != 0};
  if (acting.constraint || acting.force) all.push_back(acting);
  return all;
}

double System::watch(const Sensor& sensor, const State& state, Workspace& work) const {
  const assembly::Scratch::Frame frame(work.scratch);
  return elements::evaluate(sensor.function, at(state, work), work.expression, sensor.columns, false)
      .value[0];
}

double System::evaluate(const Sensor& sensor, const State& state, Workspace& work) const {
  if (sensor.evaluate.outputs == 0) return 0.0;
  const assembly::Scratch::Frame frame(work.scratch);
  return elements::evaluate(sensor.evaluate, at(state, work), work.expression, sensor.columns, false)
      .value[0];
}

void System::evaluate(const UserRequest& request, const State& state, Workspace& work,
                      std::span<double> values) const {
  const assembly::Scratch::Frame frame(work.scratch);
  const auto all =
      elements::evaluate(request.response, at(state, work), work.expression, request.columns, false);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = all.value[static_cast<Eigen::Index>(k)];
}

const Constraint* System::find_constraint(model::Kind kind, int id) const {
  const auto found = constraint_places_.find({kind.index, id});
  return found == constraint_places_.end() ? nullptr : &constraints_[found->second];
}

int System::id_of(assembly::MarkerId marker) const {
  const auto found = std::find_if(marker_ids_.begin(), marker_ids_.end(),
                                  [&](const auto& one) { return one.second == marker; });
  return found == marker_ids_.end() ? 0 : found->first;
}

int System::counted_place(const std::string& name) const {
  const auto found = counted_places_.find(name);
  return found == counted_places_.end() ? -1 : found->second;
}

std::optional<assembly::MarkerId> System::find_marker(int id) const {
  if (id == 0) return assembly::MarkerTable::kGroundMarker;
  const auto found = marker_ids_.find(id);
  if (found == marker_ids_.end()) return std::nullopt;
  return found->second;
}

}  // namespace trunnion::system
