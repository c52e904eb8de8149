#include "elements/function.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "elements/spans.hpp"

namespace trunnion::elements {
namespace {

using assembly::Scratch;

bool same(const Measure& a, const Measure& b) {
  return a.kind == b.kind && a.component == b.component && a.memory == b.memory && a.i.marker == b.i.marker &&
         a.j.marker == b.j.marker && a.k.marker == b.k.marker && a.l.marker == b.l.marker;
}

int index(Level level) { return static_cast<int>(level); }

}  // namespace

bool same(const Signal& a, const Signal& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Signal::Kind::time:
    case Signal::Kind::mode: return true;
    case Signal::Kind::constant: return a.value == b.value;
    case Signal::Kind::memory: return a.place == b.place;
    case Signal::Kind::measure: return same(a.measure, b.measure);
    case Signal::Kind::state: break;
  }
  return a.state == b.state && a.component == b.component && a.level == b.level;
}

double value(const Signal& signal, const Evaluation& at) {
  switch (signal.kind) {
    case Signal::Kind::time: return at.state.t;
    case Signal::Kind::mode: return assembly::number(at.mode);
    case Signal::Kind::constant: return signal.value;
    case Signal::Kind::memory: return at.state.memory[static_cast<std::size_t>(signal.place)];
    case Signal::Kind::state: {
      const assembly::Block& block = at.layout().block(signal.state);
      return signal.level == Level::q ? at.state.q[block.pose_offset + signal.component]
                                      : at.state.v[block.offset + signal.component];
    }
    case Signal::Kind::measure: break;
  }
  return value(signal.measure, at);
}

void Dependence::add(const Columns& columns, assembly::BlockId block, Level level) {
  if (!block.valid()) return;
  const auto found = std::find(columns.blocks().begin(), columns.blocks().end(), block);
  assert(found != columns.blocks().end());
  const auto k = static_cast<std::size_t>(found - columns.blocks().begin());
  if (bits_.size() <= k) bits_.resize(k + 1, 0u);
  bits_[k] |= 1u << index(level);
}

void Dependence::add(const Columns& columns, const Port& marker, Level level) {
  for (std::size_t k = 0; k < columns.blocks().size(); ++k) {
    if (marker.has(columns.offsets()[k])) add(columns, columns.blocks()[k], level);
  }
}

void Dependence::add(const Columns& columns, const Signal& signal) {
  if (signal.kind == Signal::Kind::state) add(columns, signal.state, signal.level);
  if (signal.kind != Signal::Kind::measure) return;
  const Level top = measure_level(signal.measure.kind);
  for (const assembly::BlockId block : signal.measure.columns.blocks()) {
    for (const Level level : kLevels) {
      if (level <= top) add(columns, block, level);
    }
  }
}

bool Dependence::any(Level level) const {
  return std::any_of(bits_.begin(), bits_.end(), [&](unsigned b) { return (b >> index(level) & 1u) != 0; });
}

int Signals::add(Signal signal, const assembly::Layout& layout, Columns& columns) {
  for (std::size_t k = 0; k < items_.size(); ++k) {
    if (same(items_[k].signal, signal)) return static_cast<int>(k);
  }
  int column = -1;
  if (signal.kind == Signal::Kind::state) column = columns.add(layout, signal.state) + signal.component;
  Scatter scatter(layout, signal.measure.columns, columns);
  dependence_.add(columns, signal);
  items_.push_back({std::move(signal), std::move(scatter), column});
  return static_cast<int>(items_.size()) - 1;
}

Signals::Values Signals::evaluate(const Evaluation& at, int columns, bool partials) const {
  Values out;
  const auto count = static_cast<Eigen::Index>(items_.size());
  new (&out.value) VecMap(at.scratch.vector(count));
  for (const Level level : kLevels) {
    if (partials && dependence_.any(level))
      new (&out.by[static_cast<std::size_t>(level)]) MatMap(at.scratch.matrix(columns, count));
  }
  for (Eigen::Index k = 0; k < count; ++k) {
    const Item& item = items_[static_cast<std::size_t>(k)];
    if (!partials || item.signal.kind != Signal::Kind::measure) {
      out.value[k] = elements::value(item.signal, at);
      if (partials && item.column >= 0)
        out.by[static_cast<std::size_t>(item.signal.level)](item.column, k) = 1.0;
      continue;
    }
    const Scratch::Frame inner(at.scratch);
    const MeasureResult m = elements::evaluate(item.signal.measure, at, Order::first);
    out.value[k] = m.value;
    const std::array<const VecMap*, 3> rows{&m.q, &m.v, &m.a};
    for (std::size_t l = 0; l < 3; ++l) {
      if (out.by[l].size() != 0) item.scatter.add(1.0, *rows[l], VecMap(out.by[l].col(k).data(), columns));
    }
  }
  return out;
}

void Response::add(const expr::Program& program, std::vector<Signal> inputs, int first,
                   const assembly::Layout& layout, Columns& columns, Eigen::VectorXd shape) {
  assert(inputs.size() == program.inputs().size());
  Function function;
  function.program = &program;
  function.first = first;
  function.shape = std::move(shape);
  for (Signal& input : inputs) function.signals.push_back(signals.add(std::move(input), layout, columns));
  functions.push_back(std::move(function));
}

namespace {

// by += gradients · Dᵀ. A block of many states reads each of them by one column: of its gradients all but a few are zero, and the
// full product would cost the cube of their number.
void add_chain(const MatMap& gradients, const MatMap& D, MatMap& by) {
  constexpr Eigen::Index kMany = 64;
  if (gradients.rows() < kMany) {
    by.noalias() = gradients.lazyProduct(D.transpose());
    return;
  }
  for (Eigen::Index k = 0; k < gradients.cols(); ++k) {
    for (Eigen::Index r = 0; r < gradients.rows(); ++r) {
      if (gradients(r, k) != 0) by.row(r) += gradients(r, k) * D.col(k).transpose();
    }
  }
}

// Adds the results of one expression to c, and their gradients to D (outputs × signals).
void add(const Function& function, const Evaluation& at, expr::Workspace& work, const VecMap& signals,
         VecMap c, MatMap D) {
  const Scratch::Frame frame(at.scratch);
  const std::size_t count = function.signals.size();
  const auto outputs = static_cast<std::size_t>(function.program->output_count());
  const std::span<double> in = take(at.scratch, count), out = take(at.scratch, outputs);
  for (std::size_t k = 0; k < count; ++k) in[k] = signals[function.signals[k]];
  if (const Eigen::Index spread = function.shape.size(); spread > 0) {
    const std::span<double> gradient = take(at.scratch, count);
    if (D.size() == 0) function.program->values(in, work, out);
    else function.program->jacobian(in, work, out, gradient);
    c.segment(function.first, spread) += out[0] * function.shape;
    for (std::size_t k = 0; k < count && D.size() != 0; ++k)
      D.col(function.signals[k]).segment(function.first, spread) += gradient[k] * function.shape;
    return;
  }
  if (D.size() == 0) {
    function.program->values(in, work, out);
  } else {
    const std::span<double> jacobian = take(at.scratch, outputs * count);
    function.program->jacobian(in, work, out, jacobian);
    for (std::size_t r = 0; r < outputs; ++r) {
      for (std::size_t k = 0; k < count; ++k)
        D(function.first + static_cast<int>(r), function.signals[k]) += jacobian[r * count + k];
    }
  }
  for (std::size_t r = 0; r < outputs; ++r) c[function.first + static_cast<int>(r)] += out[r];
}

}  // namespace

void respond(const Response& response, const Evaluation& at, expr::Workspace& work, const VecMap& signals,
             VecMap c, MatMap D) {
  const bool partials = D.size() != 0;
  c = response.constant;
  if (response.linear.size() != 0) {
    c += response.linear.lazyProduct(signals);
    if (partials) D = response.linear;
  } else if (partials) {
    D.setZero();
  }
  for (const Function& function : response.functions) add(function, at, work, signals, c, D);
  if (response.law) response.law->add(signals, c, D);
  if (response.scale == 1.0) return;
  c *= response.scale;
  D *= response.scale;
}

ResponseValues evaluate(const Response& response, const Evaluation& at, expr::Workspace& work, int columns,
                        bool partials) {
  ResponseValues out{.signals = response.signals.evaluate(at, columns, partials)};
  const auto count = static_cast<Eigen::Index>(response.signals.size());
  new (&out.value) VecMap(at.scratch.vector(response.outputs));
  MatMap D = at.scratch.matrix(partials ? response.outputs : 0, partials ? count : 0);
  respond(response, at, work, out.signals.value, out.value, D);
  if (!partials) return out;
  for (std::size_t l = 0; l < 3; ++l) {
    if (out.signals.by[l].size() == 0) continue;
    new (&out.by[l]) MatMap(at.scratch.matrix(columns, response.outputs));
    add_chain(out.signals.by[l], D, out.by[l]);
  }
  return out;
}

expr::Trouble trouble(const Response& response, const Evaluation& at, int columns) {
  using Kind = expr::Trouble::Kind;
  const Scratch::Frame frame(at.scratch);
  const VecMap signals = response.signals.evaluate(at, columns, false).value;
  expr::Trouble first;
  for (const Function& function : response.functions) {
    std::vector<double> in;
    for (const int k : function.signals) in.push_back(signals[k]);
    expr::Trouble here = function.program->trouble(in);
    const bool worse = here.kind != Kind::none && (first.kind == Kind::none || here.kind < first.kind);
    if (worse) first = std::move(here);
  }
  if (first.kind == Kind::operation || !response.law) return first;
  VecMap c = at.scratch.vector(response.outputs);
  response.law->add(signals, c, MatMap(nullptr, 0, 0));
  if (c.allFinite()) return first;
  return {signals.allFinite() ? Kind::operation : Kind::input, "its law gives a value that is not a number"};
}

}  // namespace trunnion::elements
