#include "elements/modal_load.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "elements/equation.hpp"
#include "elements/user_law.hpp"

namespace trunnion::elements {
namespace {

using assembly::Scratch;

auto rates_of(const ModalLoad& load, const Evaluation& at) {
  const assembly::Block& modes = at.layout().block(load.modes);
  return at.state.v.segment(modes.offset, modes.size);
}

// 2 ω Wᵀ q̇: what each ζ is a factor of.
VecMap paces(const ModalLoad& load, const Evaluation& at) {
  const ModalDamping& d = *load.damping;
  VecMap all = at.scratch.vector(d.rates.size());
  if (d.shapes.size() != 0) all.noalias() = d.shapes.transpose() * rates_of(load, at);
  else all = rates_of(load, at);
  all.array() *= d.rates.array();
  return all;
}

double ratio(const ResponseValues& c, Eigen::Index k) {
  return c.value.size() == 1 ? c.value[0] : c.value[k];
}

// W diag(2 ω ζ) Wᵀ, as a diagonal where it is one and the sink takes such.
void damping_matrix(const ModalLoad& load, const Evaluation& at, const ResponseValues& c,
                    assembly::Sink& sink) {
  const ModalDamping& d = *load.damping;
  const Eigen::Index M = d.rates.size();
  VecMap diagonal = at.scratch.vector(M);
  for (Eigen::Index k = 0; k < M; ++k) diagonal[k] = d.rates[k] * ratio(c, k);
  if (d.shapes.size() == 0 && sink.takes_turning_rows()) {
    sink.partial(load.modes, load.modes, Level::v, MatMap(diagonal.data(), M, 1));
    return;
  }
  MatMap square = at.scratch.matrix(M, M);
  if (d.shapes.size() == 0) {
    square.diagonal() = diagonal;
  } else {
    MatMap weighted = at.scratch.matrix(M, M);
    weighted = d.shapes * diagonal.asDiagonal();
    square.noalias() = weighted * d.shapes.transpose();
  }
  sink.partial(load.modes, load.modes, Level::v, square);
}

void damp(const ModalLoad& load, const Evaluation& at, ResponseValues& c, assembly::Sink& sink) {
  const ModalDamping& d = *load.damping;
  const assembly::Needs needs = sink.needs();
  const Eigen::Index M = d.rates.size();
  VecMap pace = paces(load, at);
  // ∂/∂signals: W diag(2 ω Wᵀq̇) ∂ζ/∂…
  std::array<MatMap, 3> by{MatMap{nullptr, 0, 0}, MatMap{nullptr, 0, 0}, MatMap{nullptr, 0, 0}};
  for (std::size_t l = 0; l < 3; ++l) {
    if (c.by[l].size() == 0) continue;
    MatMap scaled = at.scratch.matrix(c.by[l].rows(), M);
    for (Eigen::Index k = 0; k < M; ++k) scaled.col(k) = pace[k] * c.by[l].col(c.by[l].cols() == 1 ? 0 : k);
    if (d.shapes.size() != 0) {
      MatMap turned = at.scratch.matrix(c.by[l].rows(), M);
      turned.noalias() = scaled * d.shapes.transpose();
      new (&by[l]) MatMap(turned);
    } else {
      new (&by[l]) MatMap(scaled);
    }
  }
  for (Eigen::Index k = 0; k < M; ++k) pace[k] *= ratio(c, k);
  VecMap residual = at.scratch.vector(M);
  if (d.shapes.size() != 0) residual.noalias() = d.shapes * pace;
  else residual = pace;
  if (needs.partial_v) damping_matrix(load, at, c, sink);
  emit(load.modes, load.columns, load.dependence, at, residual, by, sink, assembly::Term::applied);
}

}  // namespace

ModalLoad make_modal_load(core::Words owner, assembly::BlockId modes, int outputs,
                          const assembly::Layout& layout) {
  ModalLoad load;
  load.owner = std::move(owner);
  load.modes = modes;
  load.response = Response(outputs);
  load.columns.add(layout, modes);
  return load;
}

void seal(ModalLoad& load) { load.dependence = load.response.signals.dependence(); }

void evaluate(const ModalLoad& load, const Evaluation& at, expr::Workspace& work, assembly::Sink& sink) {
  const assembly::Needs needs = sink.needs();
  if (!needs.residual && !needs.partials()) return;
  const Scratch::Frame frame(at.scratch);
  ResponseValues c = evaluate(load.response, at, work, load.columns.size(), needs.partials());
  if (load.damping) return damp(load, at, c, sink);
  c.value *= -1.0;
  for (MatMap& by : c.by) by *= -1.0;
  emit(load.modes, load.columns, load.dependence, at, c.value, c.by, sink, assembly::Term::applied);
}

double power(const ModalLoad& load, const Evaluation& at, expr::Workspace& work) {
  const Scratch::Frame frame(at.scratch);
  const ResponseValues c = evaluate(load.response, at, work, load.columns.size(), false);
  if (!load.damping) return c.value.dot(rates_of(load, at));
  const ModalDamping& d = *load.damping;
  const VecMap pace = paces(load, at);
  double lost = 0.0;
  for (Eigen::Index k = 0; k < pace.size(); ++k) {
    if (d.rates[k] != 0.0) lost += ratio(c, k) * pace[k] * pace[k] / d.rates[k];
  }
  return -lost;
}

CaseLaw::CaseLaw(std::shared_ptr<const Law> inner, Eigen::MatrixXd cases, int first, int outputs,
                 std::string owner)
    : inner_(std::move(inner)),
      cases_(std::move(cases)),
      first_(first),
      outputs_(outputs),
      owner_(std::move(owner)) {}

void CaseLaw::add(const VecMap& signals, VecMap c, MatMap D) const {
  thread_local std::vector<double> numbers;  // keeps its room, whatever the sizes of those who share it
  const Eigen::Index n = cases_.rows(), m = 2 + n, s = D.size() != 0 ? signals.size() : 0;
  numbers.assign(static_cast<std::size_t>(m * (1 + s)), 0.0);
  VecMap values(numbers.data(), m);
  MatMap slopes(numbers.data() + m, s > 0 ? m : 0, s);
  inner_->add(signals, values, slopes);
  const double factor = values[0], number = values[1];
  if (number != std::round(number) || number < 0 || number > static_cast<double>(cases_.cols()))
    throw UserCodeError(
        fmt::format("{}: its routine names load case {:g}; there are {} (0: the vector it gives)", owner_,
                    number, cases_.cols()));
  const bool own = number == 0.0;
  const auto shape = [&](Eigen::Index k) {
    return own ? values[2 + k] : cases_(k, static_cast<Eigen::Index>(number) - 1);
  };
  for (Eigen::Index k = 0; k < outputs_; ++k) {
    c[k] += factor * shape(first_ + k);
    for (Eigen::Index j = 0; j < s; ++j)
      D(k, j) += slopes(0, j) * shape(first_ + k) + (own ? factor * slopes(2 + first_ + k, j) : 0.0);
  }
}

}  // namespace trunnion::elements
