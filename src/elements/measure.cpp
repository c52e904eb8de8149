#include "elements/measure.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "elements/composition.hpp"
#include "elements/forms.hpp"

namespace trunnion::elements {
namespace {

using assembly::Kinematics;
using assembly::Pullback;
using assembly::WrenchTap;

constexpr std::array<std::string_view, kMeasureKinds> kNames = {
    "DX",   "DY",    "DZ",   "DM",   "AX",   "AY",   "AZ",   "PSI",    "THETA",    "PHI",
    "YAW",  "PITCH", "ROLL", "B1",   "B2",   "B3",   "RACK", "INCANG", "ORIENT27", "ORIENT29",
    "VX",   "VY",    "VZ",   "VM",   "VR",   "WX",   "WY",   "WZ",     "WM",       "ACCX",
    "ACCY", "ACCZ",  "ACCM", "WDTX", "WDTY", "WDTZ", "WDTM"};

// Angles of i in j from entries of R = R_jᵀ R_i: one function of one or two of them, each ±1 times R(row, col).
enum class Angle : std::uint8_t { tangent, sine, cosine, none };
struct Entry {
  int row, col;
  double sign;
};
struct AngleRule {
  Angle function;
  Entry y, x;  // atan2(y, x); asin(y), acos(y)
};
constexpr AngleRule angle_rule(MeasureKind kind) {
  switch (kind) {
    case MeasureKind::ax: return {Angle::tangent, {1, 2, -1}, {2, 2, 1}};
    case MeasureKind::ay: return {Angle::tangent, {0, 2, 1}, {2, 2, 1}};
    case MeasureKind::az: return {Angle::tangent, {1, 0, 1}, {0, 0, 1}};
    case MeasureKind::psi: return {Angle::tangent, {0, 2, 1}, {1, 2, -1}};
    case MeasureKind::theta: return {Angle::cosine, {2, 2, 1}, {}};
    case MeasureKind::phi: return {Angle::tangent, {2, 0, 1}, {2, 1, 1}};
    case MeasureKind::yaw: return {Angle::tangent, {1, 0, 1}, {0, 0, 1}};
    case MeasureKind::pitch: return {Angle::sine, {2, 0, 1}, {}};
    case MeasureKind::roll: return {Angle::tangent, {2, 1, 1}, {2, 2, 1}};
    case MeasureKind::b1: return {Angle::tangent, {1, 2, -1}, {2, 2, 1}};
    case MeasureKind::b2: return {Angle::sine, {0, 2, 1}, {}};
    case MeasureKind::b3: return {Angle::tangent, {0, 1, -1}, {0, 0, 1}};
    default: return {Angle::tangent, {2, 1, -1}, {2, 0, 1}};  // rack
  }
}
// Where the first and third axes of a set coincide: what math::euler_313 and its like take there.
constexpr AngleRule aligned_rule(MeasureKind kind) {
  switch (kind) {
    case MeasureKind::psi: return {Angle::tangent, {1, 0, 1}, {0, 0, 1}};
    case MeasureKind::yaw: return {Angle::tangent, {0, 1, -1}, {1, 1, 1}};
    case MeasureKind::b1: return {Angle::tangent, {2, 1, 1}, {1, 1, 1}};
    case MeasureKind::phi:
    case MeasureKind::roll:
    case MeasureKind::b3: return {Angle::none, {}, {}};
    default: return angle_rule(kind);
  }
}
constexpr bool needs_second_angle(MeasureKind kind) {
  return kind == MeasureKind::psi || kind == MeasureKind::phi || kind == MeasureKind::yaw ||
         kind == MeasureKind::roll || kind == MeasureKind::b1 || kind == MeasureKind::b3;
}

int direction(MeasureKind kind, MeasureKind x) { return static_cast<int>(kind) - static_cast<int>(x); }

// The n-th scalar of a measure made of scalar products: its value, and its weighted row.
class Scalars {
 public:
  Scalars(const Measure& m, MeasureKind kind, const Kinematics& kin) : m_(m), kind_(kind), kin_(kin) {
    rule_ = angle_rule(kind);
    // The two entries of a regular set vanish together.
    if (needs_second_angle(kind) && std::hypot(value(0), value(1)) < math::kAligned)
      rule_ = aligned_rule(kind);
  }

  Composition compose() const {
    switch (kind_) {
      case MeasureKind::dx:
      case MeasureKind::dy:
      case MeasureKind::dz:
      case MeasureKind::direction_cosine: return identity_of(value(0));
      case MeasureKind::euler_parameter: return identity_of(euler_parameter(kin_, m_.i, m_.j, m_.component));
      case MeasureKind::dm: return root_of(value(0));
      case MeasureKind::incang: return included_angle_of(value(0), value(1), value(2));
      default: break;
    }
    switch (rule_.function) {
      case Angle::sine: return arc_sine_of(value(0));
      case Angle::cosine: return arc_cosine_of(value(0));
      case Angle::none: return constant_of(0.0);
      case Angle::tangent: break;
    }
    return arc_tangent_of(value(0), value(1));
  }

  // compose().value without its partials.
  double result() const {
    if (kind_ <= MeasureKind::dz || kind_ == MeasureKind::direction_cosine) return value(0);
    if (kind_ == MeasureKind::dm) return std::sqrt(value(0));
    const bool angle = kind_ >= MeasureKind::ax && kind_ <= MeasureKind::rack;
    if (angle && rule_.function == Angle::tangent) return std::atan2(value(0), value(1));
    return compose().value;
  }

  // d/dt of the n-th scalar.
  double rate(int n) const {
    switch (kind_) {
      case MeasureKind::dx:
      case MeasureKind::dy:
      case MeasureKind::dz: {
        const Vec3 e = axis(kin_, m_.k, direction(kind_, MeasureKind::dx));
        return e.dot(relative_velocity(kin_, m_.i, m_.j, m_.k));
      }
      case MeasureKind::dm: return 2.0 * offset(kin_, m_.i, m_.j).dot(speed(m_.i));
      case MeasureKind::incang: {
        const Port &a = n == 2 ? m_.k : m_.i, &b = n == 1 ? m_.i : m_.k;
        return speed(a).dot(offset(kin_, b, m_.j)) + offset(kin_, a, m_.j).dot(speed(b));
      }
      case MeasureKind::euler_parameter: return euler_parameter_rate(kin_, m_.i, m_.j, m_.component);
      default: {
        const Entry e = entry(n);
        return e.sign * relative_angular_velocity(kin_, m_.i, m_.j)
                            .dot(axis(kin_, m_.i, e.col).cross(axis(kin_, m_.j, e.row)));
      }
    }
  }

  void row(int n, Pullback& out, double weight) const {
    switch (kind_) {
      case MeasureKind::dx:
      case MeasureKind::dy:
      case MeasureKind::dz:
        return axis_offset_row(out, kin_, m_.k, direction(kind_, MeasureKind::dx), m_.i, m_.j, weight);
      case MeasureKind::dm: return offset_offset_row(out, kin_, m_.i, m_.j, m_.i, m_.j, weight);
      case MeasureKind::incang:
        return offset_offset_row(out, kin_, n == 2 ? m_.k : m_.i, m_.j, n == 1 ? m_.i : m_.k, m_.j, weight);
      case MeasureKind::euler_parameter:
        return euler_parameter_row(out, kin_, m_.i, m_.j, m_.component, weight);
      default: {
        const Entry e = entry(n);
        return axis_axis_row(out, kin_, m_.i, e.col, m_.j, e.row, e.sign * weight);
      }
    }
  }

 private:
  Entry entry(int n) const {
    if (kind_ == MeasureKind::direction_cosine) return {m_.component % 3, m_.component / 3, 1.0};
    return n == 0 ? rule_.y : rule_.x;
  }
  Vec3 speed(const Port& of) const { return kin_.marker(of.marker).v - kin_.marker(m_.j.marker).v; }
  double value(int n) const {
    switch (kind_) {
      case MeasureKind::dx:
      case MeasureKind::dy:
      case MeasureKind::dz:
        return axis(kin_, m_.k, direction(kind_, MeasureKind::dx)).dot(offset(kin_, m_.i, m_.j));
      case MeasureKind::dm: return offset(kin_, m_.i, m_.j).squaredNorm();
      case MeasureKind::incang:
        return offset(kin_, n == 2 ? m_.k : m_.i, m_.j).dot(offset(kin_, n == 1 ? m_.i : m_.k, m_.j));
      default: {
        const Entry e = entry(n);
        return e.sign * axis(kin_, m_.i, e.col).dot(axis(kin_, m_.j, e.row));
      }
    }
  }

  const Measure& m_;
  const MeasureKind kind_;  // m_'s, or that of the measure it is the rate of
  const Kinematics& kin_;
  AngleRule rule_;
};

// g = Σ f_s g_s, H = Σ f_s H_s + Σ f_st g_s g_tᵀ
void position(const Measure& m, MeasureKind kind, const Evaluation& at, Order order, WrenchTap* tap,
              double tap_weight, MeasureResult& result) {
  const Scalars scalars(m, kind, at.kinematics);
  const Composition f = scalars.compose();
  result.value = m.memory >= 0 ? unwrap(f.value, expected_angle(at.state, m.memory)) : f.value;
  const int n = m.columns.size();
  if (tap != nullptr) {
    VecMap unused = at.scratch.vector(n);
    Pullback out(at.kinematics, unused);
    out.listen(tap);
    for (int s = 0; s < f.count; ++s) scalars.row(s, out, tap_weight * f.first[s]);
  }
  if (order == Order::value) return;
  new (&result.q) VecMap(at.scratch.vector(n));
  if (order == Order::first) {
    Pullback out(at.kinematics, result.q);
    for (int s = 0; s < f.count; ++s) scalars.row(s, out, f.first[s]);
    return;
  }
  new (&result.qq) MatMap(at.scratch.matrix(n, n));
  Pullback out(at.kinematics, result.q, result.qq);
  for (int s = 0; s < f.count; ++s) scalars.row(s, out, f.first[s]);
  if (f.count == 1 && f.second[0][0] == 0.0) return;
  MatMap rows = at.scratch.matrix(n, f.count);
  for (int s = 0; s < f.count; ++s) {
    Pullback single(at.kinematics, rows.col(s));
    scalars.row(s, single, 1.0);
  }
  for (int s = 0; s < f.count; ++s) {
    for (int t = 0; t < f.count; ++t) {
      if (f.second[s][t] != 0.0)
        result.qq.noalias() += f.second[s][t] * rows.col(s).lazyProduct(rows.col(t).transpose());
    }
  }
}

// A row g(q) with value g·v: ∂/∂v = g, ∂/∂q = Hᵀ v, ∂(∂/∂v)/∂q = H.
void linear_row(const Measure& m, const Kinematics& kin, int direction_of, Pullback& out, double weight) {
  const bool turn = m.kind >= MeasureKind::wx && m.kind <= MeasureKind::wm;
  if (turn) angular_row(out, kin, m.k, direction_of, m.i, m.j, weight);
  else velocity_row(out, kin, m.k, direction_of, m.i, m.j, m.l, weight);
}

// The rows of a velocity b along a direction e, b = v_i − v_j − ω_l×d or ω_i − ω_j, without second partials: e·b varies by
// e·δb, and by (e×b)·δφ_k where e is an axis of k.
void rate_rows(const Measure& m, const Kinematics& kin, const Vec3& e, const Vec3& b, bool turn,
               bool axis_of_k, Pullback& v, Pullback& q) {
  const Vec3 zero = Vec3::Zero(), minus = -e;
  if (axis_of_k) q.moment(m.k, e.cross(b));
  if (turn) {
    v.moment(m.i, e);
    v.moment(m.j, minus);
    q.rate_in_q(m.i, zero, e);
    q.rate_in_q(m.j, zero, minus);
    return;
  }
  v.force(m.i, e);
  v.force(m.j, minus);
  q.rate_in_q(m.i, e, zero);
  q.rate_in_q(m.j, minus, zero);
  if (m.l.fixed()) return;
  const Vec3 by_spin = e.cross(offset(kin, m.i, m.j));      // −e·(ω×d) = ω·(e×d)
  const Vec3 by_place = kin.marker(m.l.marker).w.cross(e);  // and = d·(ω×e)
  v.moment(m.l, by_spin);
  q.rate_in_q(m.l, zero, by_spin);
  q.force(m.i, by_place);
  q.force(m.j, -by_place);
}

// The rate of DM along its line u: u·ḋ varies by u·δḋ and by ḋ·δu, δu = (1 − u uᵀ) δd/|d|.
void distance_rate(const Measure& m, const Evaluation& at, MeasureResult& result) {
  const Kinematics& kin = at.kinematics;
  const Vec3 d = offset(kin, m.i, m.j), rate = kin.marker(m.i.marker).v - kin.marker(m.j.marker).v;
  const double length = d.norm();
  new (&result.v) VecMap(at.scratch.vector(m.columns.size()));
  new (&result.q) VecMap(at.scratch.vector(m.columns.size()));
  if (length == 0.0) return;
  const Vec3 u = d / length;
  result.value = u.dot(rate);
  Pullback v(kin, result.v), q(kin, result.q);
  const Vec3 across = (rate - u * result.value) / length;
  v.force(m.i, u);
  v.force(m.j, -u);
  q.rate_in_q(m.i, u, Vec3::Zero());
  q.rate_in_q(m.j, -u, Vec3::Zero());
  q.force(m.i, across);
  q.force(m.j, -across);
}

void velocity(const Measure& m, const Evaluation& at, Order order, WrenchTap* tap, double tap_weight,
              MeasureResult& result) {
  const Kinematics& kin = at.kinematics;
  const int n = m.columns.size();
  if (m.kind == MeasureKind::vr && order == Order::first && tap == nullptr)
    return distance_rate(m, at, result);
  if (m.kind == MeasureKind::vr) {  // d/dt DM
    MeasureResult d;
    position(m, MeasureKind::dm, at, order == Order::value ? Order::first : Order::second, tap, tap_weight,
             d);
    VecMap v = at.scratch.vector(n);
    m.columns.gather(at.layout(), at.state.v, v);
    result.value = d.q.dot(v);
    if (order == Order::value) return;
    new (&result.v) VecMap(d.q);
    new (&result.q) VecMap(at.scratch.vector(n));
    result.q.noalias() = d.qq.transpose() * v;
    new (&result.vq) MatMap(d.qq);
    return;
  }
  const bool turn = m.kind >= MeasureKind::wx && m.kind <= MeasureKind::wm;
  const Vec3 rate = turn ? relative_angular_velocity(kin, m.i, m.j) : relative_velocity(kin, m.i, m.j, m.l);
  const bool magnitude = m.kind == MeasureKind::vm || m.kind == MeasureKind::wm;
  const int first = magnitude ? 0 : direction(m.kind, turn ? MeasureKind::wx : MeasureKind::vx);
  Composition f;
  if (magnitude) f = length_of(rate.x(), rate.y(), rate.z());
  else f = identity_of(axis(kin, m.k, first).dot(rate));
  result.value = f.value;
  if (tap != nullptr) {
    VecMap unused = at.scratch.vector(n);
    Pullback out(kin, unused);
    out.listen(tap);
    for (int s = 0; s < f.count; ++s) linear_row(m, kin, first + s, out, tap_weight * f.first[s]);
  }
  if (order == Order::value) return;
  if (order == Order::first) {
    new (&result.v) VecMap(at.scratch.vector(n));
    new (&result.q) VecMap(at.scratch.vector(n));
    Pullback by_v(kin, result.v), by_q(kin, result.q);
    const Vec3 e = magnitude ? Vec3(f.first[0], f.first[1], f.first[2]) : axis(kin, m.k, first);
    rate_rows(m, kin, e, rate, turn, !magnitude, by_v, by_q);
    return;
  }
  VecMap v = at.scratch.vector(n);
  m.columns.gather(at.layout(), at.state.v, v);
  new (&result.v) VecMap(at.scratch.vector(n));
  new (&result.q) VecMap(at.scratch.vector(n));
  new (&result.vq) MatMap(at.scratch.matrix(n, n));
  Pullback out(kin, result.v, result.vq);
  for (int s = 0; s < f.count; ++s) linear_row(m, kin, first + s, out, f.first[s]);
  result.q.noalias() = result.vq.transpose() * v;
  if (!magnitude || order == Order::first) return;
  new (&result.vv) MatMap(at.scratch.matrix(n, n));
  MatMap in_v = at.scratch.matrix(n, 3), in_q = at.scratch.matrix(n, 3);
  for (int s = 0; s < 3; ++s) {
    MatMap H = at.scratch.matrix(n, n);
    Pullback single(kin, in_v.col(s), H);
    linear_row(m, kin, s, single, 1.0);
    in_q.col(s).noalias() = H.transpose() * v;
  }
  for (int s = 0; s < 3; ++s) {
    for (int t = 0; t < 3; ++t) {
      result.vv.noalias() += f.second[s][t] * in_v.col(s).lazyProduct(in_v.col(t).transpose());
      result.vq.noalias() += f.second[s][t] * in_v.col(s).lazyProduct(in_q.col(t).transpose());
    }
  }
}

// The velocity b of linear_row(), whole.
struct Speed {
  bool turn, magnitude;
  int axis;  // of k
  Vec3 b;
};
Speed speed_of(const Measure& m, const Kinematics& kin) {
  const bool turn = m.kind >= MeasureKind::wx && m.kind <= MeasureKind::wm;
  return {turn, m.kind == MeasureKind::vm || m.kind == MeasureKind::wm,
          direction(m.kind, turn ? MeasureKind::wx : MeasureKind::vx),
          turn ? relative_angular_velocity(kin, m.i, m.j) : relative_velocity(kin, m.i, m.j, m.l)};
}

double velocity_value(const Measure& m, const Kinematics& kin) {
  if (m.kind == MeasureKind::vr) {
    const Vec3 d = offset(kin, m.i, m.j);
    const double length = d.norm();
    return length == 0.0 ? 0.0 : (d / length).dot(kin.marker(m.i.marker).v - kin.marker(m.j.marker).v);
  }
  const Speed s = speed_of(m, kin);
  return s.magnitude ? std::hypot(s.b.x(), s.b.y(), s.b.z()) : axis(kin, m.k, s.axis).dot(s.b);
}

double velocity_rate(const Measure& m, const Kinematics& kin) {
  const auto &i = kin.marker(m.i.marker), &j = kin.marker(m.j.marker), &l = kin.marker(m.l.marker);
  const Vec3 d = i.p - j.p, v = i.v - j.v;
  if (m.kind == MeasureKind::vr) {  // ḋ·ḋ/|d| − (u·ḋ)²/|d| + u·d̈
    const double length = d.norm();
    if (length == 0.0) return 0.0;
    const Vec3 u = d / length;
    return (v - u * u.dot(v)).dot(v) / length + u.dot(i.a - j.a);
  }
  const Speed s = speed_of(m, kin);
  const Vec3 rate = s.turn ? Vec3(i.alpha - j.alpha) : Vec3(i.a - j.a - l.alpha.cross(d) - l.w.cross(v));
  if (s.magnitude) return s.b.isZero(0.0) ? 0.0 : s.b.dot(rate) / s.b.norm();
  const Vec3 e = axis(kin, m.k, s.axis);
  return e.dot(rate) + kin.marker(m.k.marker).w.cross(e).dot(s.b);
}

// b̈ = d̈ − α_l×d − 2 ω_l×ḋ + ω_l×(ω_l×d), or ω̇ = α_i − α_j − ω_l×(ω_i − ω_j), along a direction e.
void acceleration(const Measure& m, const Evaluation& at, Order order, MeasureResult& result) {
  const Kinematics& kin = at.kinematics;
  const bool turn = m.kind >= MeasureKind::wdtx;
  const bool magnitude = m.kind == MeasureKind::accm || m.kind == MeasureKind::wdtm;
  const auto& mi = kin.marker(m.i.marker);
  const auto& mj = kin.marker(m.j.marker);
  const auto& ml = kin.marker(m.l.marker);
  const Vec3 d = mi.p - mj.p, rate = mi.v - mj.v, spin = mi.w - mj.w;
  const Vec3 b =
      turn ? Vec3(mi.alpha - mj.alpha - ml.w.cross(spin))
           : Vec3(mi.a - mj.a - ml.alpha.cross(d) - 2.0 * ml.w.cross(rate) + ml.w.cross(ml.w.cross(d)));
  Vec3 e;
  if (magnitude) {
    result.value = b.norm();
    e = result.value > 0.0 ? Vec3(b / result.value) : Vec3::Zero();
  } else {
    e = axis(kin, m.k, direction(m.kind, turn ? MeasureKind::wdtx : MeasureKind::accx));
    result.value = e.dot(b);
  }
  if (order == Order::value) return;
  const int n = m.columns.size();
  new (&result.q) VecMap(at.scratch.vector(n));
  new (&result.v) VecMap(at.scratch.vector(n));
  new (&result.a) VecMap(at.scratch.vector(n));
  Pullback q(kin, result.q), v(kin, result.v), a(kin, result.a);
  if (!magnitude) q.moment(m.k, e.cross(b));
  const Vec3 zero = Vec3::Zero();
  // A dependence on velocity (f_v, f_w) and acceleration (f_a, f_alpha) of one marker, in all columns.
  const auto depends = [&](const Port& p, const Vec3& f_v, const Vec3& f_w, const Vec3& f_a,
                           const Vec3& f_alpha) {
    a.wrench(p, f_a, f_alpha);
    v.wrench(p, f_v, f_w);
    v.acceleration_in_v(p, f_a, f_alpha);
    q.rate_in_q(p, f_v, f_w);
    q.acceleration_in_q(p, f_a, f_alpha);
  };
  if (turn) {
    const Vec3 by_spin = -e.cross(ml.w);  // e·(ω×s) = s·(e×ω) = ω·(s×e)
    depends(m.i, zero, by_spin, zero, e);
    depends(m.j, zero, -by_spin, zero, -e);
    depends(m.l, zero, -spin.cross(e), zero, zero);
    return;
  }
  const Vec3 by_rate = -2.0 * e.cross(ml.w);
  depends(m.i, by_rate, zero, e, zero);
  depends(m.j, -by_rate, zero, -e, zero);
  // e·(ω×(ω×d)) = (e·ω)(ω·d) − (e·d) ω²
  const Vec3 centripetal_w = e * ml.w.dot(d) + d * ml.w.dot(e) - 2.0 * e.dot(d) * ml.w;
  depends(m.l, zero, -2.0 * rate.cross(e) + centripetal_w, zero, -d.cross(e));
  const Vec3 by_place = -e.cross(ml.alpha) + ml.w * e.dot(ml.w) - e * ml.w.squaredNorm();
  q.force(m.i, by_place);
  q.force(m.j, -by_place);
}

}  // namespace

std::optional<MeasureKind> measure_kind(std::string_view name) {
  for (std::size_t k = 0; k < kNames.size(); ++k) {
    if (kNames[k] == name) return static_cast<MeasureKind>(k);
  }
  return std::nullopt;
}

std::string_view measure_name(MeasureKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

Level measure_level(MeasureKind kind) {
  if (kind >= MeasureKind::accx) return Level::a;
  return kind >= MeasureKind::vx ? Level::v : Level::q;
}

Measure make_measure(MeasureKind kind, int component, const MeasureMarkers& markers,
                     const assembly::Layout& layout, const assembly::MarkerTable& table) {
  Measure m;
  m.kind = kind;
  m.component = component;
  const bool magnitude = kind == MeasureKind::vm || kind == MeasureKind::wm || kind == MeasureKind::accm ||
                         kind == MeasureKind::wdtm || kind == MeasureKind::vr;
  const bool rate = measure_level(kind) != Level::q;
  const bool angular_velocity = kind >= MeasureKind::wx && kind <= MeasureKind::wm;
  const bool resolved = (kind <= MeasureKind::dz || rate) && !magnitude;
  m.i = m.columns.add(layout, table, markers.i);
  m.j = m.columns.add(layout, table, markers.j);
  if (resolved || kind == MeasureKind::incang) m.k = m.columns.add(layout, table, markers.k);
  if (rate && !angular_velocity && kind != MeasureKind::vr) m.l = m.columns.add(layout, table, markers.l);
  return m;
}

MeasureResult evaluate(const Measure& measure, const Evaluation& at, Order order, WrenchTap* tap,
                       double tap_weight) {
  MeasureResult result;
  switch (measure_level(measure.kind)) {
    case Level::q: position(measure, measure.kind, at, order, tap, tap_weight, result); break;
    case Level::v: velocity(measure, at, order, tap, tap_weight, result); break;
    case Level::a: acceleration(measure, at, order, result); break;
  }
  return result;
}

double value(const Measure& m, const Evaluation& at) {
  switch (measure_level(m.kind)) {
    case Level::q: {
      const double value = Scalars(m, m.kind, at.kinematics).result();
      return m.memory >= 0 ? unwrap(value, expected_angle(at.state, m.memory)) : value;
    }
    case Level::v: return velocity_value(m, at.kinematics);
    case Level::a: break;
  }
  return evaluate(m, at, Order::value).value;
}

double rate(const Measure& m, const Evaluation& at) {
  switch (measure_level(m.kind)) {
    case Level::q: {
      const Scalars scalars(m, m.kind, at.kinematics);
      const Composition f = scalars.compose();
      double sum = 0.0;
      for (int s = 0; s < f.count; ++s) sum += f.first[s] * scalars.rate(s);
      return sum;
    }
    case Level::v: return velocity_rate(m, at.kinematics);
    case Level::a: break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double expected_angle(const assembly::State& state, int memory) {
  const double* kept = state.memory.data() + memory;
  return kept[0] + kept[1] * (state.t - kept[2]);
}

double unwrap(double angle, double expected) {
  return angle + 2.0 * M_PI * std::round((expected - angle) / (2.0 * M_PI));
}

bool is_periodic(MeasureKind kind) {
  return kind >= MeasureKind::ax && kind <= MeasureKind::rack && angle_rule(kind).function == Angle::tangent;
}

}  // namespace trunnion::elements
