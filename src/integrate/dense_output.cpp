#include "integrate/dense_output.hpp"

namespace trunnion::integrate {

using assembly::Segment;
using assembly::State;

DenseOutput::DenseOutput(const assembly::Layout& layout)
    : layout_(layout), chart_(layout), d_(Eigen::VectorXd::Zero(layout.size())), rate_(d_) {}

void DenseOutput::at(double t, const State& begin, const State& end, bool quartic, State& state) const {
  const double h = end.t - begin.t, x = (t - begin.t) / h;
  const double h01 = x * x * (3 - 2 * x), h10 = h * x * (1 - x) * (1 - x), h11 = h * x * x * (x - 1);
  const Segment &q = layout_.coordinates(), &w = layout_.variables();
  state = end;
  state.t = t;
  chart_.start(begin);
  chart_.look(end.t);
  chart_.coordinates(end.q, d_);
  chart_.rate(d_, end.v, rate_);
  rate_ = h01 * d_ + h11 * rate_;
  rate_.segment(w.offset, w.size) = x * d_.segment(w.offset, w.size);
  // x²(1 − x)² vanishes with its slope at both ends; its curvature at the first makes up for what the cubic lacks there.
  if (quartic) {
    const double bump = x * x * (1 - x) * (1 - x) / 2;
    chart_.rate(d_, end.v, state.v);  // of the whole step, as scratch
    rate_.head(q.size) +=
        bump * (h * h * begin.a.head(q.size) - 6 * d_.head(q.size) + 2 * h * state.v.head(q.size));
  }
  chart_.look(t);
  chart_.place(rate_, state.q);
  state.v = (1 - h01) * begin.v + h01 * end.v;
  state.v.head(q.size) += h10 * begin.a.head(q.size) + h11 * end.a.head(q.size);
  state.a = (1 - x) * begin.a + x * end.a;
  state.lambda = (1 - x) * begin.lambda + x * end.lambda;
}

}  // namespace trunnion::integrate
