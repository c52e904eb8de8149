#include "system/system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "elements/troubles.hpp"
#include "expr/knots.hpp"
#include "system/elements.hpp"

namespace trunnion::system {

using assembly::State;

System::System() : elements_(std::make_unique<Elements>()) {}
System::~System() = default;

const std::vector<elements::Body>& System::body_elements() const { return elements_->outlines; }
const std::vector<elements::BeamElement>& System::beam_elements() const { return elements_->beams; }

std::vector<std::string> System::user_troubles() const { return troubles_->take(); }

System::Workspace::Workspace(const System& system, assembly::AnalysisMode analysis)
    : kinematics(system.layout_, system.markers_),
      functions(system.functions_.size()),
      drives(system.drives_.size()),
      knots(system.drives_.size()),
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
  double size = 0;    // ∫ |f|, always positive

  Integrals& operator+=(const Integrals& other) {
    f += other.f;
    moment += other.moment;
    size += other.size;
    return *this;
  }
};

template <class F> Integrals gauss(const F& f, double a, double b, double end) {
  Integrals sum;
  const double half = (b - a) / 2, middle = (a + b) / 2;
  for (std::size_t k = 0; k < kNode.size(); ++k) {
    const double s = middle + half * kNode[k];
    const double w = half * kNodeWeight[k] * f(s);
    sum += {w, (end - s) * w, std::abs(w)};
  }
  return sum;
}

// An integral that cancels is as exact as that of |f| allows: judged by itself it would be halved without end where f changes its sign.
// `all`: ∫ |f| over the whole interval, as the first look at it finds.
template <class F>
Integrals integrate(const F& f, double a, double b, double end, double all = 0, int depth = 0) {
  constexpr int kDeepest = 24;
  constexpr double kRelative = 1e-13, kRounding = 1e-16;
  const Integrals whole = gauss(f, a, b, end);
  const double middle = (a + b) / 2;
  Integrals halves = gauss(f, a, middle, end);
  halves += gauss(f, middle, b, end);
  all = std::max(all, halves.size);
  const bool agree = std::abs(halves.f - whole.f) <= std::max(kRelative * halves.size, kRounding * all);
  // A function without a value there has none in any part of it.
  const bool useless = !std::isfinite(halves.f);
  if (agree || useless || depth >= kDeepest) return halves;
  Integrals parts = integrate(f, a, middle, end, all, depth + 1);
  parts += integrate(f, middle, b, end, all, depth + 1);
  return parts;
}

// From a to b, forwards or backwards, piece by piece between the knots, which are sorted.
template <class F> Integrals integrate(const F& f, double a, double b, const std::vector<double>& knots) {
  Integrals sum;
  const auto first = std::upper_bound(knots.begin(), knots.end(), std::min(a, b));
  const auto last = std::lower_bound(first, knots.end(), std::max(a, b));
  double from = a;
  const auto go_to = [&](double to) {
    sum += integrate(f, from, to, b);
    from = to;
  };
  if (a < b) std::for_each(first, last, go_to);
  else std::for_each(std::reverse_iterator(last), std::reverse_iterator(first), go_to);
  go_to(b);
  return sum;
}

}  // namespace

// Where a drive's function changes its course between two times: looked up once for many steps.
const std::vector<double>& System::knots_of(std::size_t drive, double from, double to,
                                            Workspace& work) const {
  DriveKnots& known = work.knots[drive];
  const auto [begin, end] = std::minmax(from, to);
  if (begin >= known.begin && end <= known.end) return known.times;
  constexpr double kAhead = 100;         // steps
  constexpr std::size_t kMost = 100000;  // more are a wave, which the halving of intervals sees
  known.begin = begin;
  known.end = end + kAhead * (end - begin);
  known.times.clear();
  const TimeFunction& function = functions_[static_cast<std::size_t>(drives_[drive].function)];
  const auto add = [&](const TimeFunction& f) {
    if (!f.program) return;
    const std::vector<double> some = expr::time_knots(*f.program, known.begin, known.end, kMost);
    known.times.insert(known.times.end(), some.begin(), some.end());
  };
  add(function);
  for (const int k : function.reads) add(functions_[static_cast<std::size_t>(k)]);
  std::sort(known.times.begin(), known.times.end());
  return known.times;
}

void System::update_drives(const State& state, Workspace& work) const {
  work.time.memory = &state.memory;
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
      sum = integrate(f, last, state.t, knots_of(k, last, state.t, work));
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
  all(elements_->modal_bodies);
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
  all_with_expressions(elements_->modal_loads);
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

math::Vec3 System::mass_centre_of(assembly::BlockId block) const {
  for (const BodyInfo& info : body_info_) {
    if (info.block == block) return info.p_BC;
  }
  return math::Vec3::Zero();
}

State System::carry_over(const System& before, const State& earlier) const {
  State state = start_;
  state.t = earlier.t;
  // A statement may own several blocks: CVCV has a parameter on each of its curves.
  std::unordered_map<std::string, std::vector<int>> blocks;
  std::unordered_map<std::string, std::size_t> seen;
  for (int b = 0; b < before.layout_.block_count(); ++b) {
    blocks[before.layout_.block(assembly::BlockId{b}).owner].push_back(b);
  }
  for (int b = 0; b < layout_.block_count(); ++b) {
    const assembly::Block& to = layout_.block(assembly::BlockId{b});
    const auto found = blocks.find(to.owner);
    const std::size_t which = seen[to.owner]++;
    if (found == blocks.end() || which >= found->second.size()) continue;
    const assembly::BlockId from{found->second[which]};
    assembly::carry_over({before.layout_, from}, earlier, mass_centre_of({b}) - before.mass_centre_of(from),
                         {layout_, {b}}, state);
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

std::vector<System::OffCurve> System::off_curves(const State& state) const {
  std::vector<OffCurve> all;
  for (const Constraint& c : constraints_) {
    const auto look = [&](const elements::CurveOnMarker& on) {
      constexpr double kRounding = 1e-9;
      const double alpha = state.q[layout_.block(on.parameter).pose_offset];
      const double end = std::clamp(alpha, on.curve->min_parameter(), on.curve->max_parameter());
      const double range = on.curve->max_parameter() - on.curve->min_parameter();
      if (!on.curve->closed() && std::abs(alpha - end) > kRounding * range)
        all.push_back({c.label, alpha, end});
    };
    if (c.element == Constraint::Element::ptcv) look(elements_->ptcvs[c.index].j);
    if (c.element != Constraint::Element::cvcv) continue;
    look(elements_->cvcvs[c.index].i);
    look(elements_->cvcvs[c.index].j);
  }
  return all;
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
  for (const elements::ModalBody& body : elements_->modal_bodies) {
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
  // One for each node of a flexible body.
  if (kind == model::kind_of<model::Contact>()) {
    for (const Force& f : forces_) {
      if (f.kind == kind && f.id == id) all.push_back({nullptr, &f, side != 0});
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
