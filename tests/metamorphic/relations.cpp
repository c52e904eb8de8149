#include "metamorphic/relations.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include <fmt/format.h>

#include "analysis/linear/linear.hpp"
#include "metamorphic/output_relations.hpp"

namespace trunnion::metamorphic {

using math::Mat3;
using math::Vec3;

namespace {

// --- the start: positions, velocities, accelerations and reactions, to rounding

constexpr double kLastDigits = 1e-12;
// Assembly holds given velocities by weights of 1e10 against the others.
constexpr double kRounding = 1e-9;

// Ten times what a change of every number in its last digits does, and the rounding of the comparison itself.
Allowance to_rounding(Subject& s, const Sizes& sizes, Random& random) {
  Allowance allowed;
  const History other = start(jittered(s.mechanism().model, kLastDigits, random).model);
  const Apart by = apart(s.begin(), other, sizes);
  for (std::size_t k = 0; k < kSorts; ++k) allowed.of[k] = 10 * by.by[k] + kRounding;
  return allowed;
}

Verdict starts_alike(Subject& s, const Variant& v, Random& random) {
  if (!s.begin().ok) return Verdict::skip(s.begin().why);
  const History other = read_as_first(start(v.model, v.reading.later), v.reading);
  if (!other.ok) return {Outcome::fails, "it does not start: " + other.why};
  const Sizes sizes = sizes_of(s.begin(), s.duration());
  if (s.begin().freedoms != other.freedoms &&
      v.model.all<model::Part>().size() == s.mechanism().model.all<model::Part>().size())
    return {Outcome::fails, fmt::format("{} freedoms, and {}", s.begin().freedoms, other.freedoms)};
  return Verdict::of(s.beyond(apart(s.begin(), other, sizes), to_rounding(s, sizes, random), true));
}

Verdict start_order(Subject& s, Random& r) { return starts_alike(s, reordered(s.mechanism().model, r), r); }
Verdict start_moved(Subject& s, Random& r) {
  const auto v = moved(s.mechanism().model, r);
  return v ? starts_alike(s, *v, r) : Verdict::skip();
}
Verdict start_later(Subject& s, Random& r) {
  const auto v = started_later(s.mechanism().model, 7.25);
  return v ? starts_alike(s, *v, r) : Verdict::skip();
}
// Positions and velocities given that contradict each other are brought together by the least change, and what is least depends on
// how lengths and angles compare.
bool given_as_assembled(Subject& s) { return s.begin().ok && s.begin().adjusted < 1e-9; }

Verdict start_units(Subject& s, Random& r) {
  if (!given_as_assembled(s)) return Verdict::skip();
  const auto v = in_other_units(s.mechanism().model, r);
  return v ? starts_alike(s, *v, r) : Verdict::skip();
}
Verdict start_wound(Subject& s, Random& r) {
  return starts_alike(s, wound(s.mechanism().model, whole(r, 1, 5)), r);
}
Verdict start_spinner(Subject& s, Random& r) {
  return starts_alike(s, with_spinner(s.mechanism().model, uniform(r, 10, 80)), r);
}

// --- the motion

Verdict unfit(Subject& s) {
  if (s.begin().unfit) return Verdict::skip(s.begin().why);
  if (!s.truth().ok) return Verdict::skip(s.truth().why);
  if (!s.sensitivity_known()) return Verdict::skip("it does not run with its numbers changed a little");
  return {};
}

Verdict moves_alike(Subject& s, Variant v, const Schedule& schedule, long* steps = nullptr) {
  if (const Verdict no = unfit(s); no.outcome != Outcome::holds) return no;
  Schedule when = schedule;
  when.begin = when.begin * v.reading.time + v.reading.later;
  for (double& t : when.times) t = t * v.reading.time + v.reading.later;
  for (double& t : when.interrupt) t = t * v.reading.time + v.reading.later;
  const History twin = read_as_first(simulate(v.model, when), v.reading);
  if (steps) *steps = twin.steps;
  return Verdict::of(s.differs(twin));
}
Verdict moves_alike(Subject& s, Variant v) {
  return moves_alike(s, std::move(v), evenly(s.duration(), Subject::kRows));
}
model::Model integrated(Subject& s) { return s.with(s.mechanism().model, s.integrator()); }

Verdict runs(Subject& s, Random&) {
  if (s.begin().unfit) return {Outcome::fails, s.begin().why};
  if (!s.truth().ok) return {Outcome::fails, "at a small ERROR: " + s.truth().why};
  if (!s.base().ok) return {Outcome::fails, s.base().why};
  return {};
}

Verdict error_means(Subject& s, Random&) {
  if (const Verdict no = unfit(s); no.outcome != Outcome::holds) return no;
  if (const std::string off = s.off(s.base()); !off.empty())
    return {Outcome::fails, fmt::format("ERROR = {:g}: {}", kError, off)};
  if (s.formula().damps()) return {};  // motion.told looks at that
  if (const std::string off = s.off(s.finer(), s.tighter()); !off.empty())
    return {Outcome::fails, fmt::format("ERROR = {:g}: {}", kError / s.tighter(), off)};
  return {};
}

// What is left at a smaller ERROR is at most half of what it was, and so at most the change: five times that. Chance makes an error small
// now and then, and what is left is then judged by what errors of N steps come to that fall either way: √N of them.
Verdict error_told(Subject& s, Random&) {
  if (const Verdict no = unfit(s); no.outcome != Outcome::holds) return no;
  if (!s.base().ok || !s.finer().ok) return Verdict::skip("it does not run");
  const Apart fine = apart(s.truth(), s.finer(), s.sizes()), change = apart(s.base(), s.finer(), s.sizes());
  Allowance told = s.allowance(1);
  const double errors = std::sqrt(static_cast<double>(s.finer().steps)) / s.tighter();
  for (std::size_t k = 0; k < kSorts; ++k) told.of[k] = std::max(errors * told.of[k], 5 * change.by[k]);
  return Verdict::of(s.beyond(fine, told, false));
}

Verdict outputs(Subject& s, Random& r) {
  for (const int steps : {1, 2, Subject::kRows * whole(r, 5, 12)}) {
    const Verdict v = moves_alike(s, {integrated(s), {}}, evenly(s.duration(), steps));
    if (v.outcome != Outcome::holds) return {v.outcome, fmt::format("STEPS = {}: {}", steps, v.what)};
  }
  return {};
}

Verdict order(Subject& s, Random& r) { return moves_alike(s, reordered(integrated(s), r)); }
Verdict rigid_motion(Subject& s, Random& r) {
  auto v = moved(integrated(s), r);
  return v ? moves_alike(s, std::move(*v)) : Verdict::skip();
}
Verdict later(Subject& s, Random& r) {
  auto v = started_later(integrated(s), uniform(r, 1, 100));
  return v ? moves_alike(s, std::move(*v)) : Verdict::skip();
}
// Nor may the work: a unit of length changes what ERROR asks for a little, not the number of steps by much.
Verdict units(Subject& s, Random& r) {
  if (!given_as_assembled(s)) return Verdict::skip();
  auto v = in_other_units(integrated(s), r);
  if (!v) return Verdict::skip();
  long steps = 0;
  const Verdict moves = moves_alike(s, std::move(*v), evenly(s.duration(), Subject::kRows), &steps);
  if (moves.outcome != Outcome::holds) return moves;
  constexpr long kMore = 4, kFew = 100;
  if (steps <= kMore * s.base().steps + kFew) return {};
  return {Outcome::fails, fmt::format("{} steps in place of {}", steps, s.base().steps)};
}
// The turn that VARIABLEs and REQUESTs read begins elsewhere then: left out.
Verdict extra_turns(Subject& s, Random& r) {
  Variant v = wound(integrated(s), whole(r, 1, 5));
  if (const Verdict no = unfit(s); no.outcome != Outcome::holds) return no;
  const History other = simulate(v.model, evenly(s.duration(), Subject::kRows));
  if (!other.ok) return {Outcome::fails, other.why};
  Apart by = apart(s.truth(), other, s.sizes());
  by.by[static_cast<std::size_t>(Sort::state)] = 0;
  return Verdict::of(s.beyond(by, s.allowance(other.steps), false));
}
Verdict split(Subject& s, Random& r) {
  if (s.formula().fixed)
    return Verdict::skip("it begins at order 1 again, and no ERROR bounds what that costs");
  Schedule schedule = evenly(s.duration(), Subject::kRows);
  schedule.interrupt = {schedule.times[static_cast<std::size_t>(whole(r, 0, 2))]};
  return moves_alike(s, {integrated(s), {}}, schedule);
}

// Where a uniform rotation takes the spinner: its speed, its orientation, and the angle that is counted in an equation and in a result.
std::string turns_otherwise(const model::Model& model, const History& h, double rate) {
  const auto last = [](const auto& table) { return table[table.size() - 1].id; };
  const std::string part = fmt::format("PART/{}.", last(model.all<model::Part>())),
                    variable = fmt::format("VARIABLE/{}", last(model.all<model::Variable>())),
                    request = fmt::format("REQUEST/{}.F2", last(model.all<model::Request>()));
  constexpr double kOff = 0.02;  // rad, and of the speed
  for (const Quantity& q : h.quantities) {
    const bool angle = q.name == variable || q.name == request;
    if (!angle && !q.name.starts_with(part)) continue;
    for (std::size_t row = 0; row < h.rows.size(); ++row) {
      const double* x = h.value(row, q);
      const double turned = rate * h.t[row];
      if (q.sort == Sort::spin && !(std::abs(x[2] - rate) <= kOff * rate))
        return fmt::format("spinner at {:.6g} rad/s: {:.6g} at t = {:.6g}", rate, x[2], h.t[row]);
      if (angle && !(std::abs(*x - turned) <= kOff))
        return fmt::format("{} of a spinner is {:.6g} at t = {:.6g}, turned by {:.6g}", q.name, *x, h.t[row],
                           turned);
      if (q.sort != Sort::orientation) continue;
      const Mat3 R = math::rotation_from_euler_313({x[0], x[1], x[2]});
      const double off = math::so3_log(Mat3(R.transpose() * math::so3_exp(Vec3(0, 0, turned)))).norm();
      if (!(off <= kOff))
        return fmt::format("spinner at {:.6g} rad/s is off by {:.3g} rad at t = {:.6g}", rate, off, h.t[row]);
    }
  }
  return {};
}

// The mechanism as before, and the spinner turning by any number of turns a step.
Verdict spinner(Subject& s, Random& r) {
  if (const Verdict no = unfit(s); no.outcome != Outcome::holds) return no;
  const double rate = std::exp(uniform(r, std::log(10.0), std::log(3000.0)));
  const Variant v = with_spinner(integrated(s), rate);
  const History h = simulate(v.model, evenly(s.duration(), 2 * Subject::kRows));
  if (const std::string off = s.differs(h); !off.empty()) return {Outcome::fails, off};
  return Verdict::of(turns_otherwise(v.model, h, rate));
}

// Another formula at the same ERROR.
Verdict formulas_agree(Subject& s, Random& r) {
  if (const Verdict no = unfit(s); no.outcome != Outcome::holds) return no;
  const Formula& other =
      all_formulas()[static_cast<std::size_t>(whole(r, 0, static_cast<int>(all_formulas().size()) - 1))];
  Subject twin(s, other);
  const std::string off = twin.off(twin.base());
  return off.empty() ? Verdict{} : Verdict{Outcome::fails, fmt::format("{}: {}", other.name, off)};
}

// --- turns

double at_start(Subject& s, const std::string& name) {
  for (const Quantity& q : s.begin().quantities) {
    if (q.name == name) return *s.begin().value(0, q);
  }
  return 0;
}

struct Counted {
  int variable, request, i, j;
};
// VARIABLEs that are AZ(i,j) and nothing else.
std::vector<Counted> counted(const model::Model& model) {
  std::vector<Counted> out;
  for (const model::Variable& v : model.all<model::Variable>()) {
    int i = 0, j = 0, end = 0;
    if (std::sscanf(v.function.text.c_str(), "AZ(%d,%d)%n", &i, &j, &end) != 2 ||
        end != static_cast<int>(v.function.text.size()))
      continue;
    int request = 0;
    for (const model::Request& r : model.all<model::Request>()) {
      if (r.f2.text == v.function.text) request = r.id;
    }
    out.push_back({v.id, request, i, j});
  }
  return out;
}

int free_diff(const model::Model& model) {
  int id = 0;
  for (const model::Diff& d : model.all<model::Diff>()) id = std::max(id, d.id);
  return id + 1;
}

model::Diff integral_of_speed(int id, int i, int j, double start) {
  model::Diff d;
  d.id = id;
  d.function = fmt::format("WZ({0},{1},{1})", i, j);
  d.ic = {start};
  return d;
}

// An angle counted over turns is the integral of its speed, in equations and in results.
Verdict turns_counted(Subject& s, Random&) {
  if (const Verdict no = unfit(s); no.outcome != Outcome::holds) return no;
  const auto all = counted(s.mechanism().model);
  if (all.empty()) return Verdict::skip();
  model::Model model = integrated(s);
  const int first = free_diff(model);
  int id = first;
  for (const Counted& c : all)
    model.add(integral_of_speed(id++, c.i, c.j, at_start(s, fmt::format("VARIABLE/{}", c.variable))));
  const History h = simulate(model, evenly(s.duration(), Subject::kRows));
  if (!h.ok) return {Outcome::fails, h.why};
  const double turned = s.allowance(h.steps).of[static_cast<std::size_t>(Sort::orientation)];
  const double integrated_error = kError * static_cast<double>(h.steps);  // of a DIFF, relative to at least 1
  const auto value = [&](const std::string& name, std::size_t row) {
    for (const Quantity& q : h.quantities) {
      if (q.name == name) return *h.value(row, q);
    }
    return std::nan("");
  };
  id = first;
  for (const Counted& c : all) {
    for (std::size_t row = 0; row < h.rows.size(); ++row) {
      const double integral = value(fmt::format("DIFF/{}", id), row);
      for (const std::string& name :
           {fmt::format("VARIABLE/{}", c.variable), fmt::format("REQUEST/{}.F2", c.request)}) {
        const double angle = value(name, row);
        if (std::isnan(angle)) continue;
        if (!(std::abs(angle - integral) <= turned + integrated_error * std::max(1.0, std::abs(integral))))
          return {Outcome::fails,
                  fmt::format("AZ({},{}) as {} is {:.6g}, the integral of its speed {:.6g} at t = {:.6g}",
                              c.i, c.j, name, angle, integral, h.t[row])};
      }
    }
    ++id;
  }
  return {};
}

// A torsion spring that reads the integral of the speed in place of the angle is the same spring.
Verdict spring_by_integral(Subject& s, Random&) {
  if (const Verdict no = unfit(s); no.outcome != Outcome::holds) return no;
  const model::Model& first = s.mechanism().model;
  model::Model model;
  model.title = first.title;
  int diff = free_diff(first), force = 0, replaced = 0;
  for (const model::Sforce& f : first.all<model::Sforce>()) force = std::max(force, f.id);
  for (const model::Model::Entry& e : first.order) {
    const model::AnyStatement& statement = first.table(e.kind).rows[e.index];
    const auto* spring = statement.as<model::SpringDamper>();
    const Counted* angle = nullptr;
    const auto all = counted(first);
    if (spring && spring->type == model::Freedom::rotation) {
      for (const Counted& c : all) {
        if (c.i == spring->i.id && c.j == spring->j.id) angle = &c;
      }
    }
    if (!angle) {
      model.add(statement);
      continue;
    }
    model.add(integral_of_speed(diff, angle->i, angle->j,
                                at_start(s, fmt::format("VARIABLE/{}", angle->variable))));
    model::Sforce twin;
    twin.id = ++force;
    twin.type = model::Freedom::rotation;
    twin.i = spring->i;
    twin.j = spring->j;
    twin.function = fmt::format("{0:.17g}-({1:.17g})*(DIF({2})-({3:.17g}))-({4:.17g})*WZ({5},{6},{6})",
                                spring->torque.value_or(0), spring->kt.value_or(0), diff++,
                                spring->angle.value_or(0), spring->ct.value_or(0), angle->i, angle->j);
    model.add(twin);
    ++replaced;
  }
  if (replaced == 0) return Verdict::skip();
  Subject twin(s, std::move(model));
  return Verdict::of(twin.off(twin.base()));
}

// --- rest

struct Rest {
  History row;
  std::vector<std::complex<double>> values;  // of exp(value t)
};

Rest rest(const model::Model& model, const Reading& reading = {}) {
  Rest out;
  out.row = read_as_first(at_rest(model,
                                  [&](const system::System& system, const analysis::AssemblyResult& at) {
                                    for (const analysis::Mode& mode : analysis::modes(system, at, {}).modes)
                                      out.values.push_back(mode.value * reading.time);
                                  }),
                          reading);
  return out;
}

// Of an eigenvalue of one from its nearest of the other, over the largest.
double values_apart(const Rest& one, const Rest& other) {
  double worst = 0, largest = 0;
  const auto look = [&](const Rest& a, const Rest& b) {
    for (const auto& value : a.values) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const auto& with : b.values) nearest = std::min(nearest, std::abs(value - with));
      worst = std::max(worst, nearest);
      largest = std::max(largest, std::abs(value));
    }
  };
  look(one, other);
  look(other, one);
  return largest > 0 ? worst / largest : 0;
}

// From a start that is at rest already the twin must stay there, and vibrate alike. The allowance comes from numbers changed in
// their last digits; corrections are stopped at 1e-9, which ten times is the least.
Verdict rests_alike(Subject& s, const model::Model& here, const Variant& v, Random& random) {
  const Rest one = rest(here), other = rest(v.model, v.reading),
             shaken = rest(jittered(here, kLastDigits, random).model);
  if (!one.row.ok || !shaken.row.ok) return Verdict::skip();
  if (!other.row.ok) return {Outcome::fails, "no stable equilibrium: " + other.row.why};
  const Sizes sizes = sizes_of(one.row, s.duration());
  Allowance allowed;
  const Apart by = apart(one.row, shaken.row, sizes);
  for (std::size_t k = 0; k < kSorts; ++k) allowed.of[k] = 10 * by.by[k] + 1e-8;
  Apart off = apart(one.row, other.row, sizes);
  off.by[static_cast<std::size_t>(Sort::state)] = 0;
  if (const std::string what = s.beyond(off, allowed, false); !what.empty()) return {Outcome::fails, what};
  const double frequencies = values_apart(one, other), may = 10 * values_apart(one, shaken) + 1e-7;
  if (frequencies <= may) return {};
  return {Outcome::fails,
          fmt::format("eigenvalues off by {:.3g} of the largest, {:.3g} allowed", frequencies, may)};
}

Verdict rest_alike(Subject& s, Random& r) {
  if (!s.begin().ok) return Verdict::skip();
  const History first = at_rest(s.mechanism().model);
  if (!first.ok) return Verdict::skip(first.why);
  const model::Model here = placed_at(s.mechanism().model, first, 0).model;
  const int which = whole(r, 0, 2);
  if (which == 0) return rests_alike(s, here, reordered(here, r), r);
  const auto v = which == 1 ? moved(here, r) : in_other_units(here, r);
  return v ? rests_alike(s, here, *v, r) : Verdict::skip();
}

// --- what is conserved

// Over the largest kinetic energy; ERROR of each of some hundred steps, and the formula's own damping.
Verdict energy_kept(Subject& s, Random&) {
  if (const Verdict no = unfit(s); no.outcome != Outcome::holds) return no;
  if (s.formula().damps()) return Verdict::skip("it takes energy by design, and the run says so");
  const History& h = s.finer();
  if (!h.ok) return {Outcome::fails, h.why};
  double largest = 0, off = 0;
  for (std::size_t k = 0; k < h.rows.size(); ++k) {
    largest = std::max(
        {largest, h.kinetic[k], std::abs(h.energy[k] - h.kinetic[k] - (h.energy[0] - h.kinetic[0]))});
    off = std::max(off, std::abs(h.energy[k] + h.spent[k] - h.energy[0] - h.spent[0]));
  }
  constexpr double kAllowed = 0.01;
  if (off <= kAllowed * largest + 1e-12) return {};
  return {Outcome::fails, fmt::format("the energy is off by {:.3g} of {:.3g}", off, largest)};
}

bool touches_ground(const model::Model& model) {
  if (!model.all<model::Accgrav>().empty()) return true;
  int ground = 0;
  for (const model::Part& part : model.all<model::Part>()) ground = part.ground ? part.id : ground;
  for (const model::Marker& m : model.all<model::Marker>()) {
    if (m.part.id == ground) return true;
  }
  return false;
}

Verdict momentum_kept(Subject& s, Random&) {
  if (touches_ground(s.mechanism().model)) return Verdict::skip();
  if (const Verdict no = unfit(s); no.outcome != Outcome::holds) return no;
  const History& h = s.finer();
  if (!h.ok) return {Outcome::fails, h.why};
  const Momentum& first = h.momentum.front();
  for (std::size_t k = 0; k < h.rows.size(); ++k) {
    const double linear = (h.momentum[k].linear - first.linear).norm(),
                 angular = (h.momentum[k].angular - first.angular).norm();
    constexpr double kAllowed = 0.01;
    if (linear > kAllowed * (first.linear.norm() + 0.1) || angular > kAllowed * (first.angular.norm() + 0.1))
      return {
          Outcome::fails,
          fmt::format("momentum off by {:.3g} of {:.3g}, angular momentum by {:.3g} of {:.3g} at t = {:.6g}",
                      linear, first.linear.norm(), angular, first.angular.norm(), h.t[k])};
  }
  return {};
}

// Positions alike, velocities reversed. A REQUEST counts turns by the speed between rows, which jumps where the motion is reversed.
Apart from_start(Subject& s, const History& back) {
  History first = s.begin(), last = back;
  std::erase_if(first.quantities, [](const Quantity& q) { return q.name.starts_with("REQUEST"); });
  last.t = {first.t.front()};
  last.rows = {back.rows.back()};
  for (const Quantity& q : last.quantities) {
    if (q.sort == Sort::velocity || q.sort == Sort::spin) {
      for (std::size_t k = 0; k < 3; ++k) last.rows[0][q.at + k] *= -1;
    }
  }
  return apart(first, last, s.sizes());
}

// Each step there and back may err by ERROR, and what becomes of it on the way back is seen from velocities that are changed by
// ERROR where the motion is reversed.
Verdict comes_back(Subject& s, Random&) {
  if (const Verdict no = unfit(s); no.outcome != Outcome::holds) return no;
  if (s.formula().fixed || s.formula().damps()) return Verdict::skip("its errors are not bounded by ERROR");
  Schedule schedule = evenly(s.duration(), Subject::kRows);
  schedule.turn_back = true;
  const History h = simulate(s.with(s.mechanism().model, s.integrator(s.tighter())), schedule);
  if (!h.ok) return {Outcome::fails, h.why};
  schedule.shake = kError;
  const History shaken =
      simulate(s.with(s.mechanism().model, s.integrator(all_formulas()[1], 1000)), schedule);
  if (!shaken.ok) return Verdict::skip(shaken.why);
  const Apart grown = from_start(s, shaken);
  Allowance allowed = s.allowance(h.steps, s.tighter());
  for (std::size_t k = 0; k < kSorts; ++k)
    allowed.of[k] += static_cast<double>(h.steps) / s.tighter() * grown.by[k];
  return Verdict::of(s.beyond(from_start(s, h), allowed, false));
}

}  // namespace

const std::vector<Relation>& relations() {
  static const std::vector<Relation> all = {
      {"start.order", "the start does not depend on the order of statements", false, 1, start_order},
      {"start.moved", "the start of a moved copy is the moved start", false, 1, start_moved},
      {"start.later", "a copy whose clock runs ahead starts alike", false, 1, start_later},
      {"start.units", "the start does not depend on units", false, 1, start_units},
      {"start.wound", "whole turns in the data change nothing at the start", false, 1, start_wound},
      {"start.spinner", "a rotor that touches nothing changes nothing at the start", false, 0.5,
       start_spinner},
      {"angles.read", "angle functions read what the channels report", false, 1, angles_read},
      {"motion.runs", "what assembles also runs", false, 1, runs},
      {"motion.error", "ERROR bounds the error", false, 1, error_means},
      {"motion.told", "what a tenfold ERROR changes tells the error", false, 1, error_told},
      {"motion.outputs", "the motion does not depend on DTOUT or STEPS", false, 1, outputs},
      {"motion.order", "nor on the order of statements", false, 0.3, order},
      {"motion.moved", "nor on where the ground is", false, 0.5, rigid_motion},
      {"motion.later", "nor on when the clock begins", false, 0.3, later},
      {"motion.units", "nor on units", false, 0.5, units},
      {"motion.wound", "nor on whole turns at the start", false, 0.5, extra_turns},
      {"motion.spinner", "nor on a rotor that touches nothing, and that turns uniformly", false, 0.5,
       spinner},
      {"motion.split", "nor on where one SIMULATE ends and the next begins", false, 0.5, split},
      {"motion.formulas", "formulas agree within what their ERROR means", false, 1, formulas_agree},
      {"turns.counted", "an angle counted over turns is the integral of its speed", false, 1, turns_counted},
      {"turns.spring", "a torsion spring winds by the integral of the speed", false, 1, spring_by_integral},
      {"rest.alike", "an equilibrium and its vibrations do not depend on order, place or units", false, 0.3,
       rest_alike},
      {"kept.energy", "energy changes by what forces and motions put in and dampers take out", false, 1,
       energy_kept},
      {"kept.momentum", "a mechanism without ground keeps its momentum", true, 1, momentum_kept},
      {"kept.time", "a motion run backwards comes back", true, 1, comes_back},
      {"outputs.mode", "outputs are those of the analysis that made the row", false, 0.5, mode_read},
  };
  return all;
}

Verdict judge(const Relation& relation, Subject& subject, std::uint64_t seed) {
  Random random(seed);
  return relation.check(subject, random);
}

Verdict judge(const Relation& relation, const Case& c, const Formula& formula, std::uint64_t seed) {
  Subject subject(c, formula);
  return judge(relation, subject, seed);
}

}  // namespace trunnion::metamorphic
