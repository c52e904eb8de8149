#include <algorithm>

#include <fmt/format.h>

#include "system/compile/compiler.hpp"

namespace trunnion::system {

using assembly::Level;
using elements::Signal;
using model::kind_of;

void Compiler::tables() {
  system_->tables_ = std::make_shared<expr::TableSet>();
  for (const model::Spline& s : model_.all<model::Spline>()) {
    if (s.file || s.x.empty() || s.y.rows.empty()) continue;
    math::SplineData data;
    data.x = s.x;
    const bool family = s.y.rows.size() > 1 || s.y.rows.front().size() == s.x.size() + 1;
    for (const auto& row : s.y.rows) {
      data.z.push_back(family ? row.front() : 0.0);
      data.y.emplace_back(row.begin() + (family ? 1 : 0), row.end());
    }
    data.linear_extrapolate = s.linear_extrapolate;
    const std::string trouble = system_->tables_->add_spline(s.id, std::move(data));
    if (!trouble.empty()) error(s.span, name(s), trouble);
  }
}

std::shared_ptr<const expr::Program> Compiler::program(const model::Expression& expression,
                                                       const std::string& owner, core::Span span) {
  expr::CompileResult result = expr::compile(expression.text);
  for (const expr::ExprError& e : result.errors) error(span, owner, e.message, e.hint);
  if (!result.program) return nullptr;
  if (result.program->is_user()) {
    error(span, owner, "USER() cannot be used here");
    return nullptr;
  }
  const std::vector<expr::ExprError> unbound = result.program->bind(*system_->tables_);
  for (const expr::ExprError& e : unbound) error(span, owner, e.message, e.hint);
  for (const expr::TableUse& use : result.program->tables()) {
    const model::Spline* spline = unbound.empty() ? nullptr : model_.find<model::Spline>(use.id);
    if (spline && spline->file)
      error(argument_span(*spline, "FILE"), name(*spline),
            "its points are in a file, which is not read: DAC and RPC files of test rigs, or what a user's "
            "SPLINE_READ knows, have no format of this language",
            "give the points with X= and Y=");
  }
  if (!unbound.empty()) return nullptr;
  auto shared = std::make_shared<const expr::Program>(std::move(*result.program));
  system_->programs_.push_back(shared);
  return shared;
}

std::optional<std::vector<Signal>> Compiler::signals(const expr::Program& program, const std::string& owner,
                                                     core::Span span) {
  std::vector<Signal> out;
  bool good = true;
  for (const expr::Input& input : program.inputs()) {
    auto found = signal(input, owner, span);
    good = good && found.has_value();
    if (found) out.push_back(std::move(*found));
  }
  if (!good) return std::nullopt;
  return out;
}

std::optional<Signal> Compiler::signal(const expr::Input& input, const std::string& owner, core::Span span) {
  Signal s;
  switch (input.kind) {
    case expr::InputKind::time: return s;
    case expr::InputKind::mode: s.kind = Signal::Kind::mode; return s;
    case expr::InputKind::measure:
    case expr::InputKind::orient: return measure_signal(input, owner, span);
    case expr::InputKind::variable:
      return state_signal(kind_of<model::Variable>(), input.ids[0], Level::q, owner, span);
    case expr::InputKind::diff:
      return state_signal(kind_of<model::Diff>(), input.ids[0], Level::q, owner, span);
    case expr::InputKind::diff_rate:
      return state_signal(kind_of<model::Diff>(), input.ids[0], Level::v, owner, span);
    case expr::InputKind::array: return array_signal(input.ids[0], input.ids[1], owner, span);
    case expr::InputKind::plant_input:
      if (const auto* p = model_.find<model::Pinput>(input.ids[0]))
        return plant_signal(p->variables, input.ids[1], owner, span);
      break;
    case expr::InputKind::plant_output:
      if (const auto* p = model_.find<model::Poutput>(input.ids[0]))
        return plant_signal(p->variables, input.ids[1], owner, span);
      break;
    case expr::InputKind::element_force:
    case expr::InputKind::generic_force: return reading_signal(input, owner, span);
    case expr::InputKind::sensor:
      s.kind = Signal::Kind::memory;
      s.place = sensor_place(input.ids[0]);
      return s;
    default: break;
  }
  error(span, owner, fmt::format("{} is not supported in this version", input.name()));
  return std::nullopt;
}

std::optional<assembly::MarkerId> Compiler::marker_or_ground(int id, const std::string& owner,
                                                             core::Span span) {
  if (id == 0) return assembly::MarkerTable::kGroundMarker;
  return marker(id, owner, span);
}

std::optional<Signal> Compiler::measure_signal(const expr::Input& input, const std::string& owner,
                                               core::Span span) {
  using K = elements::MeasureKind;
  const bool orient = input.kind == expr::InputKind::orient;
  std::array<assembly::MarkerId, 4> m;
  bool good = true;
  for (std::size_t k = 0; k < 4; ++k) {
    // ORIENT(type, component, i, j)
    const int id = orient ? (k < 2 ? input.ids[k + 2] : 0) : input.ids[k];
    const auto found = marker_or_ground(id, owner, span);
    good = good && found.has_value();
    m[k] = found.value_or(assembly::MarkerTable::kGroundMarker);
  }
  if (!good) return std::nullopt;
  if (orient) {
    if (input.ids[0] != 27 && input.ids[0] != 29) {
      error(span, owner,
            fmt::format("{}: only the types 27 (Euler parameters) and 29 (direction cosines) are supported",
                        input.name()));
      return std::nullopt;
    }
    const K kind = input.ids[0] == 27 ? K::euler_parameter : K::direction_cosine;
    return Signal::of(
        elements::make_measure(kind, input.ids[1] - 1, {m[0], m[1]}, system_->layout_, system_->markers_));
  }
  const K kind = elements::measure_kind(input.function->name).value();
  const bool third_is_l = kind == K::vm || kind == K::vr || kind == K::accm || kind == K::wdtm;
  elements::MeasureMarkers markers{m[0], m[1], m[2], m[3]};
  if (third_is_l) markers = {m[0], m[1], assembly::MarkerTable::kGroundMarker, m[2]};
  Signal s = Signal::of(elements::make_measure(kind, 0, markers, system_->layout_, system_->markers_));
  if (counts_turns(kind)) s.measure.memory = turns_place(kind, input.ids[0], input.ids[1]);
  return s;
}

std::optional<Signal> Compiler::state_signal(model::Kind kind, int id, Level level, const std::string& owner,
                                             core::Span span) {
  const auto found = states_.find({kind.index, id});
  if (found != states_.end()) {
    const StateInfo& info = found->second;
    if (level != Level::v || system_->layout_.block(info.states).dynamics == assembly::Dynamics::first_order)
      return Signal::of_state(info.states, 0, level);
    if (info.rate.valid()) return Signal::of_state(info.rate, 0);
    error(span, owner,
          fmt::format("DIF1({}) is not known: {} is IMPLICIT without DIF1({}), an algebraic equation, and "
                      "reads more than TIME and states",
                      id, info.label, id),
          "give the rate itself as the FUNCTION of a DIFF");
    return std::nullopt;
  }
  error(span, owner,
        fmt::format("{} is inactive or not simulated, so it has no value to read", label(model_, kind, id)));
  return std::nullopt;
}

std::optional<Signal> Compiler::plant_signal(const model::RefList<model::Variable>& variables, int component,
                                             const std::string& owner, core::Span span) {
  if (component < 1 || component > static_cast<int>(variables.ids.size())) {
    error(
        span, owner,
        fmt::format("component {} does not exist: there are {} VARIABLES", component, variables.ids.size()));
    return std::nullopt;
  }
  return state_signal(kind_of<model::Variable>(), variables.ids[static_cast<std::size_t>(component) - 1],
                      Level::q, owner, span);
}

std::optional<Signal> Compiler::array_signal(int array, int component, const std::string& owner,
                                             core::Span span) {
  const std::string array_name = label(model_, kind_of<model::Array>(), array);
  const auto found = system_->arrays_.find(array);
  if (found == system_->arrays_.end()) {
    error(span, owner, fmt::format("{} has no values: no simulated element fills it", array_name));
    return std::nullopt;
  }
  if (component < 1 || component > static_cast<int>(found->second.size())) {
    error(span, owner,
          fmt::format("component {} does not exist: {} has {}", component, array_name, found->second.size()));
    return std::nullopt;
  }
  return found->second[static_cast<std::size_t>(component) - 1];
}

// Each place once, whoever reads it.
void Compiler::collect_counted_angles() {
  keep_counting_expressions();
  keep_counting_pairs();
  std::vector<bool> seen(memory_.size(), false);
  const auto collect_one = [&](const elements::Measure& measure) {
    if (measure.memory < 0) return;
    const auto place = static_cast<std::size_t>(measure.memory);
    if (!seen[place]) system_->counted_.push_back(measure);
    seen[place] = true;
  };
  const auto collect = [&](const elements::Response& response) {
    for (std::size_t k = 0; k < response.signals.size(); ++k) {
      if (response.signals[k].kind == Signal::Kind::measure) collect_one(response.signals[k].measure);
    }
  };
  for (const elements::Measure& measure : kept_counting_) collect_one(measure);
  system_->counted_places_ = counted_;
  for (const elements::Load& load : system_->loads_) collect(load.response);
  for (const elements::Equation& equation : system_->equations_) collect(equation.response);
  for (const Sensor& sensor : system_->sensors_) {
    collect(sensor.function);
    collect(sensor.evaluate);
  }
}

std::optional<int> Compiler::time_function(const model::Expression& expression, const std::string& owner,
                                           core::Span span) {
  if (const auto known = functions_.find(expression.text); known != functions_.end()) return known->second;
  if (std::find(function_stack_.begin(), function_stack_.end(), expression.text) != function_stack_.end()) {
    error(span, owner, "circular definition: the function depends on itself through VARIABLEs");
    return std::nullopt;
  }
  TimeFunction function;
  function.program = program(expression, owner, span);
  if (!function.program) return std::nullopt;
  function_stack_.push_back(expression.text);
  bool good = true;
  for (const expr::Input& input : function.program->inputs()) {
    if (input.kind == expr::InputKind::time) {
      function.inputs.push_back(TimeFunction::kTime);
    } else if (input.kind == expr::InputKind::mode) {
      function.inputs.push_back(TimeFunction::kMode);
    } else if (input.kind == expr::InputKind::variable) {
      const model::Variable* variable = model_.find<model::Variable>(input.ids[0]);
      // A VARIABLE that does not act keeps its start value.
      const model::Expression& of = variable && idle(*variable)
                                        ? model::Expression(fmt::format("{:.17g}", variable->ic.value_or(0)))
                                        : (variable ? variable->function : model::Expression());
      const auto index = variable ? time_function(of, owner, span) : std::nullopt;
      function.inputs.push_back(index.value_or(0));
      good = good && index.has_value();
      if (index) read_through(*index, function);
    } else {
      error(span, owner, fmt::format("the function must depend on TIME only, but it reads {}", input.name()),
            "a MOTION may use TIME and VARIABLEs that are functions of time");
      good = false;
    }
  }
  function_stack_.pop_back();
  if (!good) return std::nullopt;
  system_->functions_.push_back(std::move(function));
  const int index = static_cast<int>(system_->functions_.size()) - 1;
  functions_[expression.text] = index;
  return index;
}

// A function's own inputs come before it in the list, so that ascending order is an order of evaluation.
void Compiler::read_through(int index, TimeFunction& function) {
  std::set<int> reads(function.reads.begin(), function.reads.end());
  const TimeFunction& inner = system_->functions_[static_cast<std::size_t>(index)];
  reads.insert(inner.reads.begin(), inner.reads.end());
  reads.insert(index);
  function.reads.assign(reads.begin(), reads.end());
}

const math::Curve* Compiler::curve(int id, const std::string& owner, core::Span span) {
  if (const math::Curve* known = system_->tables_->curve(id)) return known;
  const model::Curve* c = model_.find<model::Curve>(id);
  const std::string curve_name = label(model_, kind_of<model::Curve>(), id);
  if (!c || (!c->matrix.given() && !user_call(*c))) {
    error(span, owner, fmt::format("{} needs a MATRIX of points, or USER() and its routine", curve_name));
    return nullptr;
  }
  std::string trouble;
  const bool closed = c->ends == model::Curve::Ends::closed;
  if (const UserCall* call = user_call(*c)) {
    const auto r =
        std::make_shared<elements::UserRoutine>(routine(*call, curve_name, id, elements::kCurveResults));
    system_->tables_->add_curve(
        id, math::Curve::from_function(c->minpar.value_or(-1), c->maxpar.value_or(1), closed,
                                       [r](double alpha) { return elements::curve_at(*r, alpha); }));
    return system_->tables_->curve(id);
  }
  const auto M = matrix(c->matrix.id, curve_name, argument_span(*c, "MATRIX"));
  if (!M) return nullptr;
  if (M->cols() != 3) {
    error(argument_span(*c, "MATRIX"), curve_name,
          fmt::format("{} must have three columns, x, y and z; it has {}",
                      label(model_, kind_of<model::Matrix>(), c->matrix.id), M->cols()));
    return nullptr;
  }
  std::vector<math::Point> points(static_cast<std::size_t>(M->rows()));
  for (std::size_t r = 0; r < points.size(); ++r) {
    for (std::size_t k = 0; k < 3; ++k)
      points[r][k] = (*M)(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(k));
  }
  const auto made = c->points == model::Curve::Points::control_points
                        ? math::Curve::from_control_points(points, c->order.value_or(4), closed, trouble)
                        : math::Curve::through_points(points, c->order.value_or(4), closed, trouble);
  if (!made) {
    error(c->span, curve_name, trouble);
    return nullptr;
  }
  system_->tables_->add_curve(id, *made);
  return system_->tables_->curve(id);
}

// Of the curves that can be had; one that is not said so by who uses it.
void Compiler::curve_tables() {
  for (const model::Curve& c : model_.all<model::Curve>()) {
    if (!lost_curves_.contains(c.id) && (c.matrix.given() || user_call(c))) curve(c.id, name(c), c.span);
  }
}

}  // namespace trunnion::system
