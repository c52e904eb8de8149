#include "math/outline.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "math/curve.hpp"
#include "math/mesh.hpp"

namespace trunnion::math {
namespace {

using Vec2 = Eigen::Vector2d;
using Triangle = std::array<std::uint32_t, 3>;

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }
double turn(const Vec2& a, const Vec2& b, const Vec2& c) { return cross(b - a, c - a); }

// Parameters close enough for any bend: the pieces of a spline, each cut into parts; a straight one needs none.
std::vector<double> samples_of(const Curve& curve) {
  constexpr int kParts = 16, kWhole = 1024;
  const std::vector<double> breaks = curve.breaks();
  const int parts = curve.straight() ? 1 : breaks.size() > 2 ? kParts : kWhole;
  std::vector<double> all;
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
    for (int j = 0; j < parts; ++j) all.push_back(breaks[k] + (breaks[k + 1] - breaks[k]) * j / parts);
  }
  all.push_back(breaks.back());
  return all;
}

double to_chord(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Vec2 chord = b - a;
  const double length = chord.squaredNorm();
  const double x = length > 0 ? std::clamp(chord.dot(p - a) / length, 0.0, 1.0) : 0.0;
  return (p - a - x * chord).norm();
}

// Douglas and Peucker: of what lies between two corners the farthest from their chord stays, unless it is nearer than that.
void thin_out(const Outline& all, std::size_t first, std::size_t last, double near,
              std::vector<char>& stays) {
  std::vector<std::pair<std::size_t, std::size_t>> open{{first, last}};
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    double most = near;
    std::size_t at = a;
    for (std::size_t k = a + 1; k < b; ++k) {
      if (const double d = to_chord(all[k], all[a], all[b]); d > most) {
        most = d;
        at = k;
      }
    }
    if (at == a) continue;
    stays[at] = 1;
    open.push_back({a, at});
    open.push_back({at, b});
  }
}

bool sides_meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const double c1 = turn(a, b, c), d1 = turn(a, b, d), a1 = turn(c, d, a), b1 = turn(c, d, b);
  if ((c1 > 0 && d1 > 0) || (c1 < 0 && d1 < 0) || (a1 > 0 && b1 > 0) || (a1 < 0 && b1 < 0)) return false;
  // In one line they meet where their boxes do; else they do anyway.
  const auto apart = [](double p, double q, double r, double s) {
    return std::max(p, q) < std::min(r, s) || std::max(r, s) < std::min(p, q);
  };
  return !apart(a.x(), b.x(), c.x(), d.x()) && !apart(a.y(), b.y(), c.y(), d.y());
}

// Corners that lie in one line but for rounding make no triangle, as Mesh would leave it out, and what is beside a side by no more is on it.
constexpr double kInLine = 1e-11;
double longest(const Vec2& a, const Vec2& b, const Vec2& c) {
  return std::max({(b - a).squaredNorm(), (c - a).squaredNorm(), (c - b).squaredNorm()});
}

bool within(const Vec2& p, const Vec2& a, const Vec2& b, const Vec2& c) {
  const auto inside = [&](const Vec2& from, const Vec2& to) {
    return turn(from, to, p) >= -kInLine * longest(from, to, p);
  };
  return inside(a, b) && inside(b, c) && inside(c, a);
}

void make_counterclockwise(Outline& outline) {
  if (area_of(outline) < 0) std::reverse(outline.begin(), outline.end());
}

}  // namespace

bool flatten(const Curve& curve, Plane3 plane, int corners, FlatCurve& flat, std::string& why) {
  Outline all;
  Vec2 low = Vec2::Constant(1e300), high = -low;
  double least = 1e300, most = -1e300;
  for (const double alpha : samples_of(curve)) {
    const Vec2 p(curve.derivatives(alpha, plane.x)[0], curve.derivatives(alpha, plane.y)[0]);
    const double z = curve.derivatives(alpha, plane.z)[0];
    if (!p.allFinite() || !std::isfinite(z)) {
      why = "has points that are no numbers";
      return false;
    }
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
    least = std::min(least, z);
    most = std::max(most, z);
    all.push_back(p);
  }
  flat.size = (high - low).maxCoeff();
  flat.across = 0.5 * (least + most);
  constexpr double kFlat = 1e-6, kSame = 1e-5;  // as those of curves in planes, and of their ends
  if (!(flat.size > 0)) {
    why = "has no size";
    return false;
  }
  if (most - least > kFlat * flat.size) {
    why = "has a curve that does not lie in its plane";
    return false;
  }
  flat.closed = (all.back() - all.front()).norm() <= kSame * flat.size;
  if (flat.closed) all.back() = all.front();
  std::vector<char> stays(all.size(), 0);
  stays.front() = stays.back() = 1;
  std::size_t far = 0;
  for (std::size_t k = 1; k < all.size(); ++k) {
    if ((all[k] - all[0]).norm() > (all[far] - all[0]).norm()) far = k;
  }
  stays[far] = 1;
  const double near = 0.5 * flat.size * (1 - std::cos(std::numbers::pi / corners));
  thin_out(all, 0, far, near, stays);
  thin_out(all, far, all.size() - 1, near, stays);
  flat.corners.clear();
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (stays[k] != 0) flat.corners.push_back(all[k]);
  }
  if (flat.closed) flat.corners.pop_back();
  return true;
}

double area_of(const Outline& outline) {
  double twice = 0;
  for (std::size_t k = 0; k < outline.size(); ++k)
    twice += cross(outline[k] - outline[0], outline[(k + 1) % outline.size()] - outline[0]);
  return 0.5 * twice;
}

bool meets_itself(const Outline& o) {
  const std::size_t n = o.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j + 1 == n) continue;
      if (sides_meet(o[i], o[i + 1], o[j], o[(j + 1) % n])) return true;
    }
    // Neighbours meet but in their corner where one goes back along the other.
    const Vec2 here = o[(i + 1) % n] - o[i], next = o[(i + 2) % n] - o[(i + 1) % n];
    if (cross(here, next) == 0 && here.dot(next) < 0) return true;
  }
  return false;
}

std::vector<Triangle> triangulated(const Outline& o) {
  std::vector<std::uint32_t> left;
  for (std::uint32_t k = 0; k < o.size(); ++k) left.push_back(k);
  std::vector<Triangle> all;
  const auto is_ear = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (!(turn(o[a], o[b], o[c]) > kInLine * longest(o[a], o[b], o[c]))) return false;
    return std::none_of(left.begin(), left.end(), [&](std::uint32_t p) {
      return p != a && p != b && p != c && within(o[p], o[a], o[b], o[c]);
    });
  };
  while (left.size() > 2) {
    const std::size_t n = left.size();
    std::size_t ear = n;
    for (std::size_t k = 0; k < n && ear == n; ++k) {
      const std::uint32_t a = left[(k + n - 1) % n], b = left[k], c = left[(k + 1) % n];
      if (is_ear(a, b, c)) ear = k;
    }
    if (ear == n) break;
    all.push_back({left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  return all;
}

std::shared_ptr<const Mesh> extruded(Outline outline, double base, double length) {
  make_counterclockwise(outline);
  const auto n = static_cast<std::uint32_t>(outline.size());
  std::vector<Vec3> points;
  for (const double z : {base, base + length}) {
    for (const Vec2& p : outline) points.emplace_back(p.x(), p.y(), z);
  }
  std::vector<Triangle> faces;
  for (const auto& [a, b, c] : triangulated(outline)) {
    faces.push_back({c, b, a});
    faces.push_back({a + n, b + n, c + n});
  }
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t next = (k + 1) % n;
    faces.push_back({k, next, next + n});
    faces.push_back({k, next + n, k + n});
  }
  return std::make_shared<Mesh>(std::move(points), faces);
}

std::shared_ptr<const Mesh> revolved(Outline outline, double angle, int corners) {
  make_counterclockwise(outline);
  const std::size_t n = outline.size();
  constexpr double kTurn = 2 * std::numbers::pi, kWhole = 1e-6;
  const bool whole = std::abs(std::abs(angle) - kTurn) < kWhole;
  const int pieces =
      whole ? corners : std::max(2, static_cast<int>(std::ceil(corners * std::abs(angle) / kTurn)));
  // What lies on the axis is one corner for all places around it: triangles there have no area and are left out.
  std::vector<Vec3> points;
  std::vector<std::vector<std::uint32_t>> rings;
  for (int k = 0; k < (whole ? pieces : pieces + 1); ++k) {
    const double a = (whole ? kTurn : angle) * k / pieces;
    std::vector<std::uint32_t>& ring = rings.emplace_back();
    for (std::size_t i = 0; i < n; ++i) {
      const double rho = outline[i].x();
      if (k > 0 && rho == 0.0) {
        ring.push_back(rings.front()[i]);
        continue;
      }
      ring.push_back(static_cast<std::uint32_t>(points.size()));
      points.emplace_back(rho * std::cos(a), rho * std::sin(a), outline[i].y());
    }
  }
  std::vector<Triangle> faces;
  for (int k = 0; k < pieces; ++k) {
    const auto &from = rings[static_cast<std::size_t>(k)],
               &to = rings[static_cast<std::size_t>(k + 1) % rings.size()];
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t j = (i + 1) % n;
      faces.push_back({from[j], from[i], to[i]});
      faces.push_back({from[j], to[i], to[j]});
    }
  }
  if (!whole) {
    for (const auto& [a, b, c] : triangulated(outline)) {
      faces.push_back({rings.front()[a], rings.front()[b], rings.front()[c]});
      faces.push_back({rings.back()[c], rings.back()[b], rings.back()[a]});
    }
  }
  return std::make_shared<Mesh>(std::move(points), faces);
}

}  // namespace trunnion::math
