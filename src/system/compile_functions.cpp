#include <algorithm>

#include <fmt/format.h>

#include "system/compiler.hpp"

namespace trunnion::system {

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

std::shared_ptr<const expr::Program> Compiler::program(const model::Expression& expression) {
  expr::CompileResult result = expr::compile(expression.text);
  if (!result.program) return nullptr;  // reported by check_model()
  if (!result.program->bind(*system_->tables_).empty()) return nullptr;
  auto shared = std::make_shared<const expr::Program>(std::move(*result.program));
  system_->programs_.push_back(shared);
  return shared;
}

std::optional<int> Compiler::time_function(const model::Expression& expression, const std::string& owner,
                                           core::Span span) {
  if (const auto known = functions_.find(expression.text); known != functions_.end()) return known->second;
  if (std::find(function_stack_.begin(), function_stack_.end(), expression.text) != function_stack_.end()) {
    error(span, owner, "its function reads itself through VARIABLEs");
    return std::nullopt;
  }
  TimeFunction function;
  function.program = program(expression);
  if (!function.program) return std::nullopt;
  if (function.program->is_user()) {
    error(span, owner, "USER() functions are not carried out yet");
    return std::nullopt;
  }
  function_stack_.push_back(expression.text);
  bool good = true;
  for (const expr::Input& input : function.program->inputs()) {
    if (input.kind == expr::InputKind::time) {
      function.inputs.push_back(TimeFunction::kTime);
    } else if (input.kind == expr::InputKind::mode) {
      function.inputs.push_back(TimeFunction::kMode);
    } else if (input.kind == expr::InputKind::variable) {
      const model::Variable* variable = model_.find<model::Variable>(input.ids[0]);
      const auto index = variable ? time_function(variable->function, owner, span) : std::nullopt;
      function.inputs.push_back(index.value_or(0));
      good = good && index.has_value();
      if (index) read_through(*index, function);
    } else {
      error(span, owner, fmt::format("{} in a function that must depend on time only", input.name()),
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
  const model::Matrix* m = c && c->matrix.given() ? model_.find(c->matrix) : nullptr;
  const std::string curve_name = label(model_, kind_of<model::Curve>(), id);
  if (!m || m->values.empty() || !m->rows || m->columns.value_or(0) != 3) {
    error(span, owner,
          fmt::format("{} needs a MATRIX of points with three columns; USER() curves are not carried out yet",
                      curve_name));
    return nullptr;
  }
  const bool by_rows = m->full == model::Matrix::Order::rows;
  const auto n = static_cast<std::size_t>(*m->rows);
  std::vector<math::Point> points(n);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t k = 0; k < 3; ++k) points[r][k] = by_rows ? m->values[3 * r + k] : m->values[k * n + r];
  }
  const bool closed = c->ends == model::Curve::Ends::closed;
  std::string trouble;
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

}  // namespace trunnion::system
