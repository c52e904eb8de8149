#include "elements/rubbing.hpp"

namespace trunnion::elements {
namespace {

using math::Mat3;
using math::Vec3;

// A number over the length x of a vector, and the slope of that by x.
struct OverLength {
  double ratio, slope;
};

// (3u − u³)/2 of u = x/width, 1 from u = 1 on.
OverLength risen(double x, double width) {
  const double u = x / width;
  if (u <= 1.0) return {(1.5 - 0.5 * u * u) / width, -u / (width * width)};
  return {1.0 / x, -1.0 / (x * x)};
}

struct Slope {
  double value, slope;
};

// μs up to vs, μd from vd on.
Slope coefficient(const RubbingData& d, double a) {
  const double vs = d.stiction_velocity, vd = d.friction_velocity;
  if (a <= vs) return {d.mu_static, 0.0};
  if (a >= vd) return {d.mu_dynamic, 0.0};
  const double u = (a - vs) / (vd - vs), rise = d.mu_dynamic - d.mu_static;
  return {d.mu_static + rise * u * u * (3 - 2 * u), rise * 6 * u * (1 - u) / (vd - vs)};
}

// w
Slope holding(const RubbingData& d, double a) {
  const double u = 2.0 * a / d.stiction_velocity - 1.0;
  if (u <= 0.0) return {1.0, 0.0};
  if (u >= 1.0) return {0.0, 0.0};
  return {1.0 - u * u * (3.0 - 2.0 * u), -6.0 * u * (1.0 - u) * 2.0 / d.stiction_velocity};
}

}  // namespace

Rubbing rubbing(const RubbingData& d, const Vec3& s, const Vec3& z) {
  const double a = s.norm(), b = z.norm();
  const Vec3 along_s = a > 0.0 ? Vec3(s / a) : Vec3(Vec3::Zero()),
             along_z = b > 0.0 ? Vec3(z / b) : Vec3(Vec3::Zero());
  const Slope m = coefficient(d, a);
  const OverLength t = risen(a, d.stiction_velocity);
  OverLength g{0.0, 0.0};
  double g_a = 0.0;  // of the size of g by a, where z is drawn back
  if (b > 0.0) {
    g = risen(b, d.creep);
    if (const Slope w = holding(d, a); b > d.creep * w.value) {
      const double size = 0.5 * w.value * (3.0 - w.value * w.value);
      g = {size / b, -size / (b * b)};
      g_a = 1.5 * (1.0 - w.value * w.value) * w.slope;
    }
  }
  const double free = 1.0 - g.ratio * b;
  const Vec3 tau = t.ratio * s, e = g.ratio * z + free * tau;
  Rubbing r;
  r.r = m.value * e;
  r.by_slip = m.value * (free * (t.ratio * Mat3::Identity() + t.slope * s * along_s.transpose()) +
                         g_a * (along_z - tau) * along_s.transpose()) +
              m.slope * e * along_s.transpose();
  if (b > 0.0)
    r.by_creep = m.value * (g.ratio * Mat3::Identity() + g.slope * z * along_z.transpose() -
                            (g.ratio + g.slope * b) * tau * along_z.transpose());
  else if (d.creep > 0.0 && holding(d, a).value > 0.0)
    r.by_creep = m.value * 1.5 / d.creep * Mat3::Identity();
  return r;
}

Vec3 drawn_back(const RubbingData& d, const Vec3& creep, double speed) {
  const double most = d.creep * holding(d, speed).value, b = creep.norm();
  return b > most ? Vec3(most / b * creep) : creep;
}

CountedPart counted_part(const RubbingData& d, double before, double now) {
  const double vs = d.stiction_velocity;
  if (before <= vs || now >= vs || now == 0.0) return {};
  const double whole = before * before - now * now;
  return {(vs * vs - now * now) / whole, -2.0 * now * (before * before - vs * vs) / (whole * whole)};
}

}  // namespace trunnion::elements
