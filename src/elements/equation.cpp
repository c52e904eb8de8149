#include "elements/equation.hpp"

#include <algorithm>
#include <utility>

namespace trunnion::elements {

using assembly::Scratch;

Equation make_equation(assembly::BlockId block, Equation::Left left, const assembly::Layout& layout) {
  Equation equation;
  equation.block = block;
  equation.left = left;
  equation.response = Response(layout.block(block).size);
  equation.columns.add(layout, block);  // its own columns come first
  return equation;
}

void seal(Equation& equation) {
  equation.dependence = equation.response.signals.dependence();
  if (equation.dynamic_hold) equation.dependence.add(equation.columns, equation.block, Level::v);
  if (equation.left == Equation::Left::none) return;
  equation.dependence.add(equation.columns, equation.block,
                          equation.left == Equation::Left::value ? Level::q : Level::v);
}

void set_linear(Equation& equation, std::vector<Signal> signals, const Eigen::MatrixXd& matrix,
                const assembly::Layout& layout) {
  Response& r = equation.response;
  // A signal may occur twice (one VARIABLE feeding two inputs): its columns add up.
  std::vector<int> at;
  for (Signal& s : signals) at.push_back(r.signals.add(std::move(s), layout, equation.columns));
  r.linear = Eigen::MatrixXd::Zero(r.outputs, static_cast<Eigen::Index>(r.signals.size()));
  for (std::size_t k = 0; k < at.size(); ++k) r.linear.col(at[k]) += matrix.col(static_cast<Eigen::Index>(k));
}

void evaluate(const Equation& equation, const Evaluation& at, expr::Workspace& work, assembly::Sink& sink) {
  const assembly::Needs needs = sink.needs();
  if (!needs.residual && !needs.partials()) return;
  const Scratch::Frame frame(at.scratch);
  const assembly::Block& block = at.layout().block(equation.block);
  const int n = equation.columns.size();
  ResponseValues c = evaluate(equation.response, at, work, n, needs.partials());
  const double weight = equation.dynamic_hold && !assembly::is_static(at.mode) ? 0.0 : -1.0;
  c.value *= weight;
  for (MatMap& by : c.by) by *= weight;
  const Equation::Left left = weight == 0.0 ? Equation::Left::rate : equation.left;
  if (left != Equation::Left::none) {
    const bool value = left == Equation::Left::value;
    if (value) c.value += at.state.q.segment(block.pose_offset, block.size);
    else c.value += at.state.v.segment(block.offset, block.size);
    MatMap& by = c.by[static_cast<std::size_t>(value ? Level::q : Level::v)];
    if (needs.partials()) {
      if (by.size() == 0) new (&by) MatMap(at.scratch.matrix(n, block.size));
      by.topRows(block.size).diagonal().array() += 1.0;
    }
  }
  emit(equation.block, equation.columns, equation.dependence, at, c.value, c.by, sink);
}

void emit(assembly::BlockId block, const Columns& columns, const Dependence& dependence, const Evaluation& at,
          const VecMap& residual, const std::array<MatMap, 3>& by, assembly::Sink& sink,
          assembly::Term term) {
  const assembly::Needs needs = sink.needs();
  if (needs.residual) sink.residual(block, term, residual);
  for (const Level level : kLevels) {
    if (!wanted(needs, level)) continue;
    for (std::size_t b = 0; b < columns.blocks().size(); ++b) {
      if (!dependence.has(b, level)) continue;
      const Scratch::Frame inner(at.scratch);
      const int o = columns.offsets()[b], width = at.layout().block(columns.blocks()[b]).size;
      MatMap P = at.scratch.matrix(residual.size(), width);
      const MatMap& of_level = by[static_cast<std::size_t>(level)];
      if (of_level.size() != 0) P = of_level.middleRows(o, width).transpose();
      sink.partial(block, columns.blocks()[b], level, P);
    }
  }
}

StateSpace controllable_form(const std::vector<double>& numerator, const std::vector<double>& denominator) {
  const auto n = static_cast<Eigen::Index>(denominator.size()) - 1;
  const double top = denominator.back();
  const auto b = [&](Eigen::Index k) {
    return k < static_cast<Eigen::Index>(numerator.size()) ? numerator[static_cast<std::size_t>(k)] : 0.0;
  };
  StateSpace s;
  s.A = Eigen::MatrixXd::Zero(n, n);
  s.B = Eigen::MatrixXd::Zero(n, 1);
  s.C = Eigen::MatrixXd::Zero(1, n);
  s.D = Eigen::MatrixXd::Constant(1, 1, b(n) / top);
  for (Eigen::Index k = 0; k < n; ++k) {
    const double a = denominator[static_cast<std::size_t>(k)];
    if (k + 1 < n) s.A(k, k + 1) = 1.0;
    s.A(n - 1, k) = -a / top;
    s.C(0, k) = b(k) - a * b(n) / top;
  }
  if (n > 0) s.B(n - 1, 0) = 1.0 / top;
  return s;
}

}  // namespace trunnion::elements
