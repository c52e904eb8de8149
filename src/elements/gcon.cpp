#include "elements/gcon.hpp"

#include <cassert>
#include <utility>

#include "elements/spans.hpp"

namespace trunnion::elements {

using assembly::Scratch;

Gcon make_gcon(const expr::Program& program, std::vector<Signal> inputs, const core::Words& owner,
               assembly::Layout& layout) {
  assert(inputs.size() == program.inputs().size());
  Gcon gcon;
  gcon.program = &program;
  for (Signal& input : inputs) {
    int column = -1;
    if (input.kind == Signal::Kind::measure) {
      assert(measure_level(input.measure.kind) != Level::a);
      gcon.velocity = gcon.velocity || measure_level(input.measure.kind) == Level::v;
    } else if (input.kind == Signal::Kind::state) {
      column = gcon.columns.add(layout, input.state) + input.component;
      gcon.velocity = gcon.velocity || input.level == Level::v;
    }
    Scatter scatter(layout, input.measure.columns, gcon.columns);
    gcon.items.push_back({std::move(input), std::move(scatter), column});
  }
  gcon.row = layout.add_row(owner, program.text() + " = 0", assembly::kNumber,
                            gcon.velocity ? assembly::RowLevel::velocity : assembly::RowLevel::position);
  return gcon;
}

void evaluate(const Gcon& gcon, const Evaluation& at, expr::Workspace& work, assembly::Sink& sink) {
  const assembly::Needs needs = sink.needs();
  if (!needs.constraints) return;
  const Scratch::Frame frame(at.scratch);
  Scratch& scratch = at.scratch;
  const int n = gcon.columns.size();
  const std::size_t count = gcon.items.size();

  // Each input's value and its rows over the element's columns, in q and in v.
  const std::span<double> in = take(scratch, count), grad = take(scratch, count),
                          hess = take(scratch, count * count);
  MatMap in_q = scratch.matrix(n, static_cast<Eigen::Index>(count));
  MatMap in_v = scratch.matrix(n, static_cast<Eigen::Index>(count));
  for (std::size_t k = 0; k < count; ++k) {
    const Gcon::Item& item = gcon.items[k];
    switch (item.input.kind) {
      case Signal::Kind::measure: {
        const Scratch::Frame inner(scratch);
        const MeasureResult m = evaluate(item.input.measure, at, Order::first);
        in[k] = m.value;
        item.scatter.add(1.0, m.q, VecMap(in_q.col(static_cast<Eigen::Index>(k)).data(), n));
        item.scatter.add(1.0, m.v, VecMap(in_v.col(static_cast<Eigen::Index>(k)).data(), n));
        break;
      }
      case Signal::Kind::state:
        (item.input.level == Level::q ? in_q : in_v)(item.column, static_cast<Eigen::Index>(k)) = 1.0;
        [[fallthrough]];
      default: in[k] = elements::value(item.input, at); break;
    }
  }
  const double value = gcon.program->hessian(in, work, grad, hess);
  const auto second = [&](std::size_t r, std::size_t c) { return hess[r * count + c]; };

  double in_t = 0.0, in_tt = 0.0;
  VecMap by_q = scratch.vector(n), by_v = scratch.vector(n), by_qt = scratch.vector(n);
  const int h = needs.hessians ? n : 0;
  MatMap qq = scratch.matrix(gcon.velocity ? 0 : h, gcon.velocity ? 0 : h);
  MatMap vq = scratch.matrix(gcon.velocity ? h : 0, gcon.velocity ? h : 0);
  MatMap vv = scratch.matrix(gcon.velocity ? h : 0, gcon.velocity ? h : 0);
  for (std::size_t k = 0; k < count; ++k) {
    const auto col = static_cast<Eigen::Index>(k);
    const Gcon::Item& item = gcon.items[k];
    by_q += grad[k] * in_q.col(col);
    by_v += grad[k] * in_v.col(col);
    if (item.input.kind == Signal::Kind::time) {
      in_t = grad[k];
      in_tt = second(k, k);
      for (std::size_t j = 0; j < count; ++j) by_qt += second(k, j) * in_q.col(static_cast<Eigen::Index>(j));
    }
    if (h == 0) continue;
    if (item.input.kind == Signal::Kind::measure && grad[k] != 0.0) {
      const Scratch::Frame inner(scratch);
      const MeasureResult m = evaluate(item.input.measure, at, Order::second);
      if (gcon.velocity) {
        item.scatter.add(grad[k], m.vq, vq);
        item.scatter.add(grad[k], m.vv, vv);
      } else {
        item.scatter.add(grad[k], m.qq, qq);
      }
    }
    for (std::size_t j = 0; j < count; ++j) {
      const double e = second(k, j);
      const auto other = static_cast<Eigen::Index>(j);
      if (e == 0.0) continue;
      if (gcon.velocity) {
        vq.noalias() += e * in_v.col(col).lazyProduct(in_q.col(other).transpose());
        vv.noalias() += e * in_v.col(col).lazyProduct(in_v.col(other).transpose());
      } else {
        qq.noalias() += e * in_q.col(col).lazyProduct(in_q.col(other).transpose());
      }
    }
  }
  if (gcon.velocity) {
    sink.velocity_constraint(gcon.row, {value, in_t, gcon.columns.blocks(), by_q, by_v, vq, vv});
  } else {
    sink.constraint(gcon.row, {value, in_t, in_tt, gcon.columns.blocks(), by_q, qq, by_qt});
  }
}

Wrench reaction(const Gcon& gcon, const Evaluation& at, expr::Workspace& work, MarkerId on) {
  const Scratch::Frame frame(at.scratch);
  const std::size_t count = gcon.items.size();
  const std::span<double> in = take(at.scratch, count), grad = take(at.scratch, count);
  for (std::size_t k = 0; k < count; ++k) {
    in[k] = value(gcon.items[k].input, at);
  }
  gcon.program->gradient(in, work, grad);
  assembly::WrenchTap tap = tap_at(at.kinematics, on);
  for (std::size_t k = 0; k < count; ++k) {
    const Signal& input = gcon.items[k].input;
    // In a velocity row the multiplier acts through ∂ψ/∂v: position measures then carry no force.
    const bool acts = input.kind == Signal::Kind::measure &&
                      (measure_level(input.measure.kind) == Level::v) == gcon.velocity;
    if (acts) evaluate(input.measure, at, Order::value, &tap, grad[k]);
  }
  Wrench sum;
  add_reaction(tap, at.state.lambda[gcon.row.index], sum);
  return sum;
}

}  // namespace trunnion::elements
