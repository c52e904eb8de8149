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
                                                       const core::Words& owner, core::Span span) {
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

std::optional<std::vector<Signal>> Compiler::signals(const expr::Program& program, const core::Words& owner,
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

// What an expression of a statement may read of the system as far as it has grown. A marker that is missing is said here.
class Compiler::Sources final : public InputSources {
 public:
  Sources(Compiler& compiler, const core::Words& owner, core::Span span)
      : c_(compiler), owner_(owner), span_(span) {}
  const assembly::Layout& layout() const override { return c_.system_->layout_; }
  const assembly::MarkerTable& frames() const override { return c_.system_->markers_; }
  std::optional<assembly::MarkerId> marker(int id) override { return c_.marker_or_ground(id, owner_, span_); }
  const StateInfo* states(model::Kind kind, int id) override {
    const auto found = c_.states_.find({kind.index, id});
    return found == c_.states_.end() ? nullptr : &found->second;
  }
  const std::vector<Signal>* array(int id) override { return c_.system_->find_array(id); }
  int turns(elements::MeasureKind kind, int i, int j) override { return c_.turns_place(kind, i, j); }
  Signal sensor(int id) override {
    Signal s;
    s.kind = Signal::Kind::memory;
    s.place = c_.sensor_place(id);
    return s;
  }
  // The signal, or nothing and why not.
  std::optional<Signal> take(Resolved resolved) {
    if (!resolved.signal && !resolved.why.empty()) c_.error(span_, owner_, resolved.why, resolved.hint);
    return std::move(resolved.signal);
  }

 private:
  Compiler& c_;
  const core::Words& owner_;
  core::Span span_;
};

std::optional<Signal> Compiler::signal(const expr::Input& input, const core::Words& owner, core::Span span) {
  if (reads_force(input)) return reading_signal(input, owner, span);
  Sources from(*this, owner, span);
  return from.take(resolve(input, model_, from));
}

std::optional<assembly::MarkerId> Compiler::marker_or_ground(int id, const core::Words& owner,
                                                             core::Span span) {
  if (id == 0) return assembly::MarkerTable::kGroundMarker;
  return marker(id, owner, span);
}

std::optional<Signal> Compiler::state_signal(model::Kind kind, int id, Level level, const core::Words& owner,
                                             core::Span span) {
  Sources from(*this, owner, span);
  return from.take(resolve_state(kind, id, level, model_, from));
}

std::optional<Signal> Compiler::plant_signal(const model::RefList<model::Variable>& variables, int component,
                                             const core::Words& owner, core::Span span) {
  Sources from(*this, owner, span);
  return from.take(resolve_plant(variables, component, model_, from));
}

std::optional<Signal> Compiler::array_signal(int array, int component, const core::Words& owner,
                                             core::Span span) {
  Sources from(*this, owner, span);
  return from.take(resolve_array(array, component, model_, from));
}

// Each place once, whoever reads it.
void Compiler::collect_counted_angles() {
  keep_counting_expressions();
  keep_counting_pairs();
  std::vector<bool> seen(memory_.size(), false);
  const auto collect_one = [&](const elements::Measure& measure) {
    if (measure.memory < 0) return;
    const auto place = static_cast<std::size_t>(measure.memory);
    if (!seen[place]) system_->elements_->counted.push_back(measure);
    seen[place] = true;
  };
  const auto collect = [&](const elements::Response& response) {
    for (std::size_t k = 0; k < response.signals.size(); ++k) {
      if (response.signals[k].kind == Signal::Kind::measure) collect_one(response.signals[k].measure);
    }
  };
  for (const elements::Measure& measure : kept_counting_) collect_one(measure);
  system_->counted_places_ = counted_;
  for (const elements::Load& load : system_->elements_->loads) collect(load.response);
  for (const elements::ModalLoad& load : system_->elements_->modal_loads) collect(load.response);
  for (const elements::Equation& equation : system_->elements_->equations) collect(equation.response);
  for (const Sensor& sensor : system_->sensors_) {
    collect(sensor.function);
    collect(sensor.evaluate);
  }
}

std::optional<int> Compiler::time_function(const model::Expression& expression, const core::Words& owner,
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
    } else if (input.kind == expr::InputKind::sensor) {
      const int index = kept_function(sensor_place(input.ids[0]));
      function.inputs.push_back(index);
      read_through(index, function);
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
            "a MOTION may use TIME, SENVAL() and VARIABLEs that are functions of time");
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

int Compiler::kept_function(int place) {
  const auto [at, fresh] = functions_.try_emplace(fmt::format("State::memory {}", place), 0);
  if (!fresh) return at->second;
  TimeFunction function;
  function.kept = place;
  system_->functions_.push_back(std::move(function));
  return at->second = static_cast<int>(system_->functions_.size()) - 1;
}

// A function's own inputs come before it in the list, so that ascending order is an order of evaluation.
void Compiler::read_through(int index, TimeFunction& function) {
  std::set<int> reads(function.reads.begin(), function.reads.end());
  const TimeFunction& inner = system_->functions_[static_cast<std::size_t>(index)];
  reads.insert(inner.reads.begin(), inner.reads.end());
  reads.insert(index);
  function.reads.assign(reads.begin(), reads.end());
}

const math::Curve* Compiler::curve(int id, const core::Words& owner, core::Span span) {
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
