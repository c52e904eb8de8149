#include <fmt/format.h>

#include "system/compile/compiler.hpp"
#include "system/compile/matrix_data.hpp"

namespace trunnion::system {

using assembly::BlockId;
using assembly::Dynamics;
using assembly::Level;
using elements::Equation;
using elements::Signal;
using model::kind_of;

template <class T>
BlockId Compiler::declare(const T& statement, Dynamics dynamics, int count, std::string_view word,
                          std::string_view suffix) {
  std::vector<assembly::Layout::Variable> names;
  for (int k = 0; k < count; ++k)
    names.push_back({count == 1 ? std::string(word) : fmt::format("{} {}", word, k + 1), "1"});
  return system_->layout_.add_scalars(dynamics, name(statement) + std::string(suffix), names);
}

template <class T> StateInfo& Compiler::info_of(const T& statement) {
  StateInfo& info = states_[{kind_of<T>().index, statement.id}];
  info.kind = kind_of<T>();
  info.id = statement.id;
  info.label = name(statement);
  return info;
}

template StateInfo& Compiler::info_of(const model::Gse&);
template BlockId Compiler::declare(const model::Gse&, Dynamics, int, std::string_view, std::string_view);

void Compiler::declare_states() {
  for (const model::Variable& v : model_.all<model::Variable>()) {
    const BlockId block = declare(v, Dynamics::algebraic, 1, "value");
    info_of(v).states = block;
    scalars_.push_back({block, Eigen::VectorXd::Constant(1, v.ic.value_or(0)), {}});
  }
  for (const model::Diff& d : model_.all<model::Diff>()) {
    const Implicit kind = implicit_kind(d);
    const BlockId block =
        declare(d, kind == Implicit::rate ? Dynamics::first_order : Dynamics::algebraic, 1, "state");
    StateInfo& info = info_of(d);
    info.states = block;
    info.implicit = d.implicit;
    info.static_hold = d.static_hold;
    info.dynamic_hold = d.dynamic_hold;
    const auto ic = [&](std::size_t k) {
      return Eigen::VectorXd::Constant(1, k < d.ic.size() ? d.ic[k] : 0.0);
    };
    scalars_.push_back({block, ic(0), kind == Implicit::rate ? ic(1) : Eigen::VectorXd()});
    if (kind != Implicit::algebraic_with_rate) continue;
    info.rate = declare(d, Dynamics::algebraic, 1, "rate", " rate");
    scalars_.push_back({info.rate, ic(1), {}});
  }
  for (const model::Array& a : model_.all<model::Array>()) {
    const auto type = a.type.value_or(model::Array::Type::ic);
    if (type == model::Array::Type::ic) {
      for (const double number : a.numbers) {
        Signal s;
        s.kind = Signal::Kind::constant;
        s.value = number;
        system_->arrays_[a.id].push_back(std::move(s));
      }
    } else if (type == model::Array::Type::u) {
      for (const int id : a.variables.ids) {
        if (auto s = state_signal(kind_of<model::Variable>(), id, Level::q, name(a), a.span))
          system_->arrays_[a.id].push_back(std::move(*s));
      }
    }
  }
  for (const model::Lse& lse : model_.all<model::Lse>()) declare_lse(lse);
  for (const model::Tfsiso& tfsiso : model_.all<model::Tfsiso>()) declare_tfsiso(tfsiso);
  for (const model::Gse& gse : model_.all<model::Gse>()) declare_gse(gse);
  for (const model::Array& a : model_.all<model::Array>()) {
    const auto found = system_->arrays_.find(a.id);
    if (!a.size || found == system_->arrays_.end()) continue;
    const std::size_t count = found->second.size();
    if (count == 0 || *a.size == static_cast<int>(count)) continue;
    const auto owner = array_owners_.find(a.id);
    diagnostics_.warning(argument_span(a, "SIZE"), name(a),
                         fmt::format("SIZE = {}, but it holds {} {}{}; SIZE is not used", *a.size, count,
                                     count == 1 ? "value" : "values",
                                     owner == array_owners_.end() ? "" : ", those of " + owner->second),
                         "what fills it may not be what was meant");
  }
}

// In statics nothing slides, and their equation says nothing: they stay as they are.
BlockId Compiler::declare_bristles(const model::Friction& friction, int count) {
  const BlockId block = declare(friction, Dynamics::first_order, count, "bristle deflection");
  StateInfo& info = info_of(friction);
  info.states = block;
  info.static_hold = true;
  scalars_.push_back({block, Eigen::VectorXd::Zero(count), Eigen::VectorXd::Zero(count)});
  return block;
}

bool Compiler::claim(const model::Ref<model::Array>& array, const core::Words& owner, core::Span span) {
  if (!array.given()) return true;
  const auto [at, fresh] = array_owners_.try_emplace(array.id, owner);
  if (fresh) return true;
  error(span, owner,
        fmt::format("{} is already used by {}", label(model_, kind_of<model::Array>(), array.id), at->second),
        "give each statement ARRAYs of its own");
  return false;
}

// As far as the model itself tells; more than any expression of a model reads where it does not.
int Compiler::length_of(const model::Ref<model::Array>& array) const {
  constexpr int kMany = 64;
  const model::Array* a = model_.find(array);
  return a && a->size && *a->size > 0 ? *a->size : kMany;
}

void Compiler::declare_lse(const model::Lse& lse) {
  const core::Words owner = name(lse);
  if (!claim(lse.x, owner, argument_span(lse, "X")) || !claim(lse.y, owner, argument_span(lse, "Y"))) return;
  const model::Array* initial = model_.find(lse.ic);
  const int told = initial ? static_cast<int>(initial->numbers.size()) : length_of(lse.x);
  const auto A = matrix(lse.a.id, owner, argument_span(lse, "A"), told, told);
  if (!A) return;
  if (A->rows() != A->cols()) {
    error(argument_span(lse, "A"), owner,
          fmt::format("A must be square, it is {} by {}", A->rows(), A->cols()));
    return;
  }
  const auto n = static_cast<int>(A->rows());
  StateInfo& info = info_of(lse);
  info.static_hold = lse.static_hold;
  info.states = declare(lse, Dynamics::first_order, n, "state");
  for (int k = 0; k < n; ++k) system_->arrays_[lse.x.id].push_back(Signal::of_state(info.states, k));
  if (lse.y.given()) {
    const model::Ref<model::Matrix> rows = lse.c.given() ? lse.c : lse.d;
    const auto M = matrix(rows.id, owner, lse.span, length_of(lse.y), n);
    if (!M) return;
    info.outputs = declare(lse, Dynamics::algebraic, static_cast<int>(M->rows()), "output", " outputs");
    for (int k = 0; k < M->rows(); ++k)
      system_->arrays_[lse.y.id].push_back(Signal::of_state(info.outputs, k));
    scalars_.push_back({info.outputs, Eigen::VectorXd::Zero(M->rows()), {}});
  }
  Eigen::VectorXd start = Eigen::VectorXd::Zero(n);
  if (lse.ic.given()) {
    if (!initial || static_cast<int>(initial->numbers.size()) != n) {
      error(argument_span(lse, "IC"), owner,
            fmt::format("IC must name an ARRAY of {} numbers, one for each state", n));
    } else {
      start = Eigen::Map<const Eigen::VectorXd>(initial->numbers.data(), n);
    }
  }
  scalars_.push_back({info.states, start, {}});
}

void Compiler::declare_tfsiso(const model::Tfsiso& t) {
  const core::Words owner = name(t);
  if (!claim(t.x, owner, argument_span(t, "X")) || !claim(t.y, owner, argument_span(t, "Y"))) return;
  if (t.denominator.empty() || t.denominator.back() == 0.0) {
    error(argument_span(t, "DENOMINATOR"), owner, "the last coefficient of DENOMINATOR must not be zero");
    return;
  }
  if (t.numerator.size() > t.denominator.size()) {
    error(argument_span(t, "NUMERATOR"), owner,
          "the order of NUMERATOR exceeds that of DENOMINATOR: the output would contain derivatives of the "
          "input");
    return;
  }
  const int n = static_cast<int>(t.denominator.size()) - 1;
  StateInfo& info = info_of(t);
  info.static_hold = t.static_hold;
  info.states = declare(t, Dynamics::first_order, n, "state");
  info.outputs = declare(t, Dynamics::algebraic, 1, "output", " output");
  for (int k = 0; k < n; ++k) system_->arrays_[t.x.id].push_back(Signal::of_state(info.states, k));
  system_->arrays_[t.y.id].push_back(Signal::of_state(info.outputs, 0));
  scalars_.push_back({info.states, Eigen::VectorXd::Zero(n), {}});
  scalars_.push_back({info.outputs, Eigen::VectorXd::Zero(1), {}});
}

std::optional<Eigen::MatrixXd> Compiler::matrix(int id, const core::Words& owner, core::Span span) {
  const model::Matrix* m = model_.find<model::Matrix>(id);
  if (!m) {
    error(span, owner, fmt::format("{} is not in the model", label(model_, kind_of<model::Matrix>(), id)));
    return std::nullopt;
  }
  std::string trouble;
  auto M = matrix_data(*m, libraries_.user().folder, trouble);
  if (!M) error(span, owner, fmt::format("{}: {}", name(*m), trouble));
  return M;
}

std::optional<Eigen::MatrixXd> Compiler::matrix(int id, const core::Words& owner, core::Span span,
                                                Eigen::Index rows, Eigen::Index cols) {
  const model::Matrix* m = model_.find<model::Matrix>(id);
  if (m && m->file && libraries_.user().for_drawing)
    return Eigen::MatrixXd(Eigen::MatrixXd::Zero(rows, cols));
  return matrix(id, owner, span);
}

namespace {

// The equation of a state or variable that does not act: it stays where it starts.
void keep_start(Equation& e, const model::Variable& v) { e.response.constant[0] = v.ic.value_or(0); }
void keep_start(Equation& e, const model::Diff&) { e.left = Equation::Left::rate; }

}  // namespace

template <class T> void Compiler::equation(const T& statement, BlockId block, Equation::Left left) {
  const core::Words owner = name(statement);
  const core::Span span = argument_span(statement, "FUNCTION");
  Equation e = elements::make_equation(block, left, system_->layout_);
  if constexpr (std::is_same_v<T, model::Diff>) e.dynamic_hold = statement.dynamic_hold;
  if (idle(statement)) {
    keep_start(e, statement);
  } else if (const UserCall* call = user_call(statement)) {
    if (!user_response(*call, {owner, span, statement.id}, {0, 1, 1}, e.response, e.columns)) return;
  } else {
    const auto compiled = program(statement.function, owner, span);
    if (!compiled) return;
    auto inputs = signals(*compiled, owner, span);
    if (!inputs) return;
    e.response.add(*compiled, std::move(*inputs), 0, system_->layout_, e.columns);
  }
  elements::seal(e);
  system_->elements_->equations.push_back(std::move(e));
}

void Compiler::state_space(const StateInfo& info, const elements::StateSpace& m, int input_array,
                           core::Span span) {
  std::vector<Signal> all;
  for (Eigen::Index k = 0; k < m.A.cols(); ++k)
    all.push_back(Signal::of_state(info.states, static_cast<int>(k)));
  for (Eigen::Index k = 0; k < m.B.cols(); ++k) {
    auto u = array_signal(input_array, static_cast<int>(k) + 1, info.label, span);
    if (!u) return;
    all.push_back(std::move(*u));
  }
  const auto add = [&](BlockId block, Equation::Left left, const Eigen::MatrixXd& of_x,
                       const Eigen::MatrixXd& of_u) {
    Eigen::MatrixXd both(of_x.rows(), of_x.cols() + of_u.cols());
    both << of_x, of_u;
    Equation e = elements::make_equation(block, left, system_->layout_);
    elements::set_linear(e, all, both, system_->layout_);
    elements::seal(e);
    system_->elements_->equations.push_back(std::move(e));
  };
  if (m.A.rows() > 0) add(info.states, Equation::Left::rate, m.A, m.B);
  if (info.outputs.valid()) add(info.outputs, Equation::Left::value, m.C, m.D);
}

void Compiler::equations() {
  const auto info = [&](const auto& statement) -> const StateInfo* {
    const auto found = states_.find({kind_of<std::decay_t<decltype(statement)>>().index, statement.id});
    return found == states_.end() ? nullptr : &found->second;
  };
  for (const model::Variable& v : model_.all<model::Variable>())
    equation(v, info(v)->states, Equation::Left::value);
  for (const model::Diff& d : model_.all<model::Diff>())
    equation(d, info(d)->states, d.implicit ? Equation::Left::none : Equation::Left::rate);
  for (const model::Diff& d : model_.all<model::Diff>()) {
    if (info(d)->rate.valid()) implicit_rate(d, info(d)->rate);
  }
  for (const model::Lse& lse : model_.all<model::Lse>()) {
    const StateInfo* s = info(lse);
    if (!s) continue;
    const int n = system_->layout_.block(s->states).size;
    const int outputs = s->outputs.valid() ? system_->layout_.block(s->outputs).size : 0;
    const int inputs = lse.u.given() ? static_cast<int>(system_->arrays_[lse.u.id].size()) : 0;
    bool good = true;
    const auto part = [&](const char* argument, const model::Ref<model::Matrix>& ref, int rows, int cols) {
      if (!ref.given()) return Eigen::MatrixXd(Eigen::MatrixXd::Zero(rows, cols));
      const auto M = matrix(ref.id, s->label, argument_span(lse, argument), rows, cols);
      if (M && M->rows() == rows && M->cols() == cols) return *M;
      good = false;
      if (M)
        error(argument_span(lse, argument), s->label,
              fmt::format("{} is {} by {}; {} states, {} inputs and {} outputs need {} by {}", argument,
                          M->rows(), M->cols(), n, inputs, outputs, rows, cols));
      return Eigen::MatrixXd(Eigen::MatrixXd::Zero(rows, cols));
    };
    const elements::StateSpace m{part("A", lse.a, n, n), part("B", lse.b, n, inputs),
                                 part("C", lse.c, outputs, n), part("D", lse.d, outputs, inputs)};
    if (good) state_space(*s, m, lse.u.id, argument_span(lse, "U"));
  }
  for (const model::Tfsiso& t : model_.all<model::Tfsiso>()) {
    if (const StateInfo* s = info(t))
      state_space(*s, elements::controllable_form(t.numerator, t.denominator), t.u.id, argument_span(t, "U"));
  }
  for (const model::Gse& g : model_.all<model::Gse>()) gse(g);
  for (const auto& [key, s] : states_) system_->states_.push_back(s);
  user_requests();
  for (const model::Sensor& sensor : model_.all<model::Sensor>()) {
    if (sensor.evaluate.given())
      sensor_place(sensor.id);  // also of one that is switched off: its value stays
    if (active(sensor)) this->sensor(sensor);
  }
}

// An expression that is only looked at.
std::optional<elements::Response> Compiler::observed(const model::Expression& expression,
                                                     const UserCall* call, const UserOwner& of,
                                                     assembly::Columns& columns) {
  elements::Response response(1);
  if (call) {
    if (!user_response(*call, of, {0, 1, 1}, response, columns)) return std::nullopt;
    return response;
  }
  const auto compiled = program(expression, of.owner, of.span);
  auto inputs = compiled ? signals(*compiled, of.owner, of.span) : std::nullopt;
  if (!inputs) return std::nullopt;
  response.add(*compiled, std::move(*inputs), 0, system_->layout_, columns);
  return response;
}

void Compiler::sensor(const model::Sensor& s) {
  Sensor sensor;
  sensor.statement = s;
  sensor.label = name(s);
  assembly::Columns columns;
  auto function =
      observed(s.function, user_call(s), {sensor.label, argument_span(s, "FUNCTION"), s.id}, columns);
  if (s.evaluate.given()) {
    auto evaluate =
        observed(s.evaluate, user_call(s, 1), {sensor.label, argument_span(s, "EVALUATE"), s.id}, columns);
    if (!evaluate) return;
    sensor.evaluate = std::move(*evaluate);
    sensor.memory = sensor_place(s.id);
  }
  if (!function) return;
  sensor.function = std::move(*function);
  sensor.columns = columns.size();
  system_->sensors_.push_back(std::move(sensor));
}

}  // namespace trunnion::system
