#include "assembly/chart.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::assembly {
namespace {

// exp(d)ᵀ ω₀: the reference's spin as the body sees it.
Vec3 spin_seen(const Vec3& d, const Vec3& w0) { return math::so3_exp_quat(d).conjugate() * w0; }
Vec3 spin_velocity(const Vec3& d, const Vec3& d_dot, const Vec3& w0) {
  return spin_seen(d, w0) + math::so3_right_jacobian(d) * d_dot;
}
Vec3 spin_rate(const Vec3& d, const Vec3& w, const Vec3& w0) {
  return math::so3_right_jacobian_inverse(d) * (w - spin_seen(d, w0));
}

}  // namespace

void turns_of_increments(const Layout& layout, const VecRef& d, Turns& S) {
  const auto triples = layout.triples();
  for (std::size_t k = 0; k < triples.size(); ++k)
    S[k] = math::so3_right_jacobian_inverse(d.segment<3>(triples[k].offset));
}

void turn_to_increment(const Layout& layout, const VecRef& d, const VecRef& du, VecOut out) {
  if (out.data() != du.data()) out = du;
  for (const Triple& t : layout.triples()) {
    const Vec3 turn = du.segment<3>(t.offset);
    out.segment<3>(t.offset) = math::so3_right_jacobian_inverse(d.segment<3>(t.offset)) * turn;
  }
}

void without_whole_turns(const Layout& layout, VecOut d) {
  for (const Triple& t : layout.triples()) {
    const double angle = d.segment<3>(t.offset).norm(), whole = 2 * M_PI * std::round(angle / (2 * M_PI));
    if (whole > 0) d.segment<3>(t.offset) *= 1 - whole / angle;
  }
}

Chart::Chart(const Layout& layout)
    : layout_(layout),
      q0_(make_state(layout).q),
      v0_(Eigen::VectorXd::Zero(layout.size())),
      ahead_(layout.triples().size(), Quat::Identity()) {}

void Chart::start(const State& state) {
  t0_ = state.t;
  q0_ = state.q;
  v0_ = state.v;
  v0_.segment(layout_.variables().offset, layout_.variables().size).setZero();
  look(state.t);
}

void Chart::look(double t) {
  t_ = t;
  const auto triples = layout_.triples();
  for (std::size_t k = 0; k < triples.size(); ++k)
    ahead_[k] = math::so3_compose(load_quat(q0_, triples[k].pose_offset),
                                  (t - t0_) * v0_.segment<3>(triples[k].offset));
}

void Chart::place(const VecRef& d, VecOut q) const {
  const double h = t_ - t0_;
  for (const Run& r : layout_.runs())
    q.segment(r.pose_offset, r.size) = q0_.segment(r.pose_offset, r.size) +
                                       (h * v0_.segment(r.offset, r.size) + d.segment(r.offset, r.size));
  const auto triples = layout_.triples();
  for (std::size_t k = 0; k < triples.size(); ++k)
    store_quat(math::so3_compose(ahead_[k], d.segment<3>(triples[k].offset)), q, triples[k].pose_offset);
}

void Chart::coordinates(const VecRef& q, VecOut d) const {
  const double h = t_ - t0_;
  for (const Run& r : layout_.runs())
    d.segment(r.offset, r.size) = (q.segment(r.pose_offset, r.size) - q0_.segment(r.pose_offset, r.size)) -
                                  h * v0_.segment(r.offset, r.size);
  const auto triples = layout_.triples();
  for (std::size_t k = 0; k < triples.size(); ++k)
    d.segment<3>(triples[k].offset) =
        math::so3_log(Quat(ahead_[k].conjugate() * load_quat(q, triples[k].pose_offset)));
}

void Chart::velocity(const VecRef& d, const VecRef& d_dot, VecOut v) const {
  v = v0_ + d_dot;
  for (const Triple& t : layout_.triples())
    v.segment<3>(t.offset) =
        spin_velocity(d.segment<3>(t.offset), d_dot.segment<3>(t.offset), v0_.segment<3>(t.offset));
}

void Chart::rate(const VecRef& d, const VecRef& v, VecOut d_dot) const {
  d_dot = v - v0_;
  for (const Triple& t : layout_.triples())
    d_dot.segment<3>(t.offset) =
        spin_rate(d.segment<3>(t.offset), v.segment<3>(t.offset), v0_.segment<3>(t.offset));
}

// δω = (exp(d)ᵀω₀)^ δθ + (sT + ∂(Tḋ)/∂d) δd with δd = T⁻¹ δθ.
void Chart::turns(const VecRef& d, const VecRef& d_dot, double s, Turns& S) const {
  const auto triples = layout_.triples();
  for (std::size_t k = 0; k < triples.size(); ++k) {
    const Vec3 turn = d.segment<3>(triples[k].offset), rate = d_dot.segment<3>(triples[k].offset);
    S[k] = Mat3::Identity() + (1 / s) * (math::hat(spin_seen(turn, v0_.segment<3>(triples[k].offset))) +
                                         math::so3_right_jacobian_derivative(turn, rate) *
                                             math::so3_right_jacobian_inverse(turn));
  }
}

int Chart::turns_known(std::span<const Point> past) const {
  auto known = past.size();
  for (const Triple& t : layout_.triples())
    known = static_cast<std::size_t>(turns_known(t, past.first(known)));
  return static_cast<int>(known);
}

int Chart::turns_known(const Triple& triple, std::span<const Point> past) const {
  const auto velocity = [&](std::size_t j) -> Vec3 { return past[j].v->segment<3>(triple.offset); };
  const auto turn = [&](std::size_t j) -> Vec3 { return past[j].d->segment<3>(triple.offset); };
  constexpr double kPlain = 2.0, kDoubt = 1.0;
  const Vec3 w0 = v0_.segment<3>(triple.offset);
  double way = 0;
  Vec3 last = Vec3::Zero(), last_rate = last;
  bool plain = true;
  for (std::size_t j = 1; j < past.size(); ++j) {
    const double h = past[j - 1].t - past[j].t;
    way += h * (w0.norm() + std::max(velocity(j - 1).norm(), velocity(j).norm()));
    if (plain && way < kPlain) continue;
    if (plain && j > 1) {
      last = turn(j - 1);
      last_rate = spin_rate(last, velocity(j - 1), w0);
    }
    plain = false;
    const Vec3 here = turn(j);
    if (here.norm() > 2 * kLargestTurn) return static_cast<int>(j);
    const Vec3 rate = spin_rate(here, velocity(j), w0);
    const Vec3 expected = last - 0.5 * h * (last_rate + rate);
    if ((here - expected).norm() > kDoubt) return static_cast<int>(j);
    last = here;
    last_rate = rate;
  }
  return static_cast<int>(past.size());
}

Moved move_of(const Layout& layout, const Block& block, const VecRef& d) {
  double travel = 0, turn = 0;
  for (int k = block.offset; k < block.offset + block.size; ++k) {
    if (layout.is_travel(k)) travel += d[k] * d[k];
    if (layout.is_turn(k)) turn += d[k] * d[k];
  }
  return {std::sqrt(travel), std::sqrt(turn), {}, {}};
}

Moved largest_move(const Layout& layout, const VecRef& d) {
  Moved largest;
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block({b});
    if (!block.is_body()) continue;
    const Moved here = move_of(layout, block, d);
    if (here.travel > largest.travel) largest.farthest = {b};
    if (here.turn > largest.turn) largest.most_turned = {b};
    largest.travel = std::max(largest.travel, here.travel);
    largest.turn = std::max(largest.turn, here.turn);
  }
  return largest;
}

double farthest_place(const Layout& layout, const VecRef& q) {
  double far = 0;
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block({b});
    for (int k = 0; block.is_body() && k < block.translations; ++k)
      far = std::max(far, std::abs(q[block.pose_offset + k]));
  }
  return far;
}

bool turns_known(const Layout& layout, const State& from, const State& to) {
  constexpr double kDoubt = 1.0;
  const double h = to.t - from.t;
  for (const Triple& t : layout.triples()) {
    const Vec3 w0 = from.v.segment<3>(t.offset), w1 = to.v.segment<3>(t.offset);
    const Quat ahead = math::so3_compose(load_quat(from.q, t.pose_offset), h * w0);
    const Vec3 turn = math::so3_log(Quat(ahead.conjugate() * load_quat(to.q, t.pose_offset)));
    const Vec3 expected = 0.5 * h * spin_rate(turn, w1, w0);
    if (!(turn.norm() <= kLargestTurn && (turn - expected).norm() <= kDoubt)) return false;
  }
  for (const Run& r : layout.runs()) {
    for (int k = 0; k < r.size; ++k) {
      if (!layout.is_turn(r.offset + k)) continue;
      const double turn = to.q[r.pose_offset + k] - from.q[r.pose_offset + k] - h * from.v[r.offset + k];
      if (!(std::abs(turn) <= kLargestTurn)) return false;
    }
  }
  return true;
}

bool spin_axes_change(const Layout& layout, const State& state) {
  constexpr double kRounding = 1e-6;
  for (const Triple& t : layout.triples()) {
    const Vec3 w = state.v.segment<3>(t.offset), alpha = state.a.segment<3>(t.offset);
    if (w.cross(alpha).norm() > kRounding * w.norm() * alpha.norm()) return true;
  }
  return false;
}

State advanced(const Layout& layout, const State& state, double h) {
  State later = state;
  later.t += h;
  Eigen::VectorXd d = h * state.v;
  const int n = layout.coordinates().size;
  d.head(n) += h * h / 2 * state.a.head(n);
  later.v.head(n) += h * state.a.head(n);
  d.segment(layout.variables().offset, layout.variables().size).setZero();
  retract(layout, state.q, d, later.q);
  return later;
}

TwistMap twist_map(const Layout& layout, const Block& block) {
  TwistMap S = TwistMap::Zero(6, block.size);
  switch (block.kind) {
    case BlockKind::rigid: S.setIdentity(); break;
    case BlockKind::point: S.topRows<3>().setIdentity(); break;
    case BlockKind::planar: {
      const Plane& plane = layout.plane(block);
      S.topLeftCorner<3, 2>() = plane.axes;
      S.bottomRightCorner<3, 1>() = plane.normal_B;
      break;
    }
    case BlockKind::none: break;
  }
  return S;
}

}  // namespace trunnion::assembly
