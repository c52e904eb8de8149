#include "integrate/dense_output.hpp"

namespace trunnion::integrate {

using assembly::Segment;
using assembly::State;

DenseOutput::DenseOutput(const assembly::Layout& layout)
    : layout_(layout), chart_(layout), d_(Eigen::VectorXd::Zero(layout.size())), end_(d_), end_rate_(d_) {}

void DenseOutput::at(double t, const State& begin, const State& end, bool quartic, State& state) const {
  const double h = end.t - begin.t, x = (t - begin.t) / h;
  const Segment &q = layout_.coordinates(), &w = layout_.variables();
  state = end;
  state.t = t;
  chart_.start(begin);
  chart_.look(end.t);
  chart_.coordinates(end.q, end_);
  chart_.rate(end_, end.v, end_rate_);
  // The cubic that begins with neither a change nor a rate.
  d_ = x * x * (3 - 2 * x) * end_ + h * x * x * (x - 1) * end_rate_;
  // x²(1 − x)² vanishes with its slope at both ends; its curvature at the first makes up for what the cubic lacks there.
  if (quartic) {
    const auto lacks = h * h * begin.a.head(q.size) - 6 * end_.head(q.size) + 2 * h * end_rate_.head(q.size);
    d_.head(q.size) += x * x * (1 - x) * (1 - x) / 2 * lacks;
  }
  d_.segment(w.offset, w.size) = x * end_.segment(w.offset, w.size);
  chart_.look(t);
  chart_.place(d_, state.q);
  const double rise = x * x * (3 - 2 * x);
  state.v = (1 - rise) * begin.v + rise * end.v;
  state.v.head(q.size) += h * x * (1 - x) * ((1 - x) * begin.a.head(q.size) - x * end.a.head(q.size));
  state.a = (1 - x) * begin.a + x * end.a;
  state.lambda = (1 - x) * begin.lambda + x * end.lambda;
}

}  // namespace trunnion::integrate
