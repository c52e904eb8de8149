#include "math/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "math/shell.hpp"

namespace trunnion::math {
namespace {

Bounds extent_of(const Mesh& mesh, const Mesh::Triangle& t) {
  const Vec3 &a = mesh.corner(t, 0), &b = mesh.corner(t, 1), &c = mesh.corner(t, 2);
  return {a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c)};
}

}  // namespace

Mesh::Mesh(std::vector<Vec3> points, const std::vector<std::array<std::uint32_t, 3>>& faces)
    : points_(std::move(points)) {
  for (const Vec3& p : points_) bound_ = std::max(bound_, p.norm());
  double six_volumes = 0;
  for (const auto& f : faces) {
    const Vec3 &a = points_[f[0]], &b = points_[f[1]], &c = points_[f[2]];
    const Vec3 n = (b - a).cross(c - a);
    // Beside its longest edge its height is rounding.
    const double longest = std::max({(b - a).squaredNorm(), (c - a).squaredNorm(), (c - b).squaredNorm()});
    constexpr double kFlat = 1e-12;
    if (!(n.norm() > kFlat * longest) || !n.allFinite()) {
      ++findings_.degenerate;
      continue;
    }
    six_volumes += a.dot(b.cross(c));
    triangles_.push_back({f, {-1, -1, -1}, n.normalized()});
  }
  if (six_volumes < 0) {
    findings_.inverted = true;
    for (Triangle& t : triangles_) {
      std::swap(t.corners[1], t.corners[2]);
      t.normal = -t.normal;
    }
  }
  findings_.volume = std::abs(six_volumes) / 6;
  if (triangles_.empty()) return;
  nodes_.reserve(2 * triangles_.size());
  split(0, static_cast<std::uint32_t>(triangles_.size()));
  join_edges();
}

void Mesh::join_edges() {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::int32_t, int>>> edges;
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const auto& c = triangles_[t].corners;
      edges[{c[static_cast<std::size_t>(k)], c[static_cast<std::size_t>((k + 1) % 3)]}].push_back(
          {static_cast<std::int32_t>(t), k});
    }
  }
  for (const auto& [edge, uses] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    if (uses.size() != 1 || back == edges.end() || back->second.size() != 1) {
      findings_.open_edges += uses.size();
      continue;
    }
    triangles_[static_cast<std::size_t>(uses[0].first)].beyond[static_cast<std::size_t>(uses[0].second)] =
        back->second[0].first;
  }
}

// Halves by the middle of the longest extent, at the median.
std::int32_t Mesh::split(std::uint32_t first, std::uint32_t count) {
  Bounds box = extent_of(*this, triangles_[first]);
  for (std::uint32_t k = first + 1; k < first + count; ++k) {
    const Bounds b = extent_of(*this, triangles_[k]);
    box = {box.low.cwiseMin(b.low), box.high.cwiseMax(b.high)};
  }
  const auto at = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back({box, -1, -1, first, count});
  constexpr std::uint32_t kLeaf = 4;
  if (count <= kLeaf) return at;
  Eigen::Index axis = 0;
  (box.high - box.low).maxCoeff(&axis);
  const auto begin = triangles_.begin() + first;
  const auto middle = [&](const Triangle& t) {
    return corner(t, 0)[axis] + corner(t, 1)[axis] + corner(t, 2)[axis];
  };
  std::stable_sort(begin, begin + count,
                   [&](const Triangle& a, const Triangle& b) { return middle(a) < middle(b); });
  const std::uint32_t half = count / 2;
  const std::int32_t left = split(first, half), right = split(first + half, count - half);
  nodes_[static_cast<std::size_t>(at)].left = left;
  nodes_[static_cast<std::size_t>(at)].right = right;
  nodes_[static_cast<std::size_t>(at)].count = 0;
  return at;
}

namespace {

class SurfaceBuilder {
 public:
  std::uint32_t point(const Vec3& p) {
    points_.push_back(p);
    return static_cast<std::uint32_t>(points_.size()) - 1;
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) { faces_.push_back({a, b, c}); }
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
  // A circle of n corners about z.
  std::vector<std::uint32_t> circle(double radius, double z, int n) {
    std::vector<std::uint32_t> ring;
    for (int k = 0; k < n; ++k) {
      const double angle = 2 * std::numbers::pi * k / n;
      ring.push_back(point({radius * std::cos(angle), radius * std::sin(angle), z}));
    }
    return ring;
  }
  void wall(const std::vector<std::uint32_t>& low, const std::vector<std::uint32_t>& high) {
    for (std::size_t k = 0, n = low.size(); k < n; ++k) {
      const std::size_t next = (k + 1) % n;
      quad(low[k], low[next], high[next], high[k]);
    }
  }
  void cap(const std::vector<std::uint32_t>& ring, std::uint32_t top, bool up) {
    for (std::size_t k = 0, n = ring.size(); k < n; ++k) {
      const std::uint32_t a = ring[k], b = ring[(k + 1) % n];
      up ? triangle(a, b, top) : triangle(b, a, top);
    }
  }
  std::shared_ptr<const Mesh> done() { return std::make_shared<Mesh>(std::move(points_), faces_); }

 private:
  std::vector<Vec3> points_;
  std::vector<std::array<std::uint32_t, 3>> faces_;
};

void add_box(SurfaceBuilder& b, const Vec3& h) {
  std::uint32_t p[8];
  for (int k = 0; k < 8; ++k)
    p[k] = b.point({(k & 1 ? 1 : -1) * h.x(), (k & 2 ? 1 : -1) * h.y(), (k & 4 ? 1 : -1) * h.z()});
  b.quad(p[0], p[2], p[3], p[1]);
  b.quad(p[4], p[5], p[7], p[6]);
  b.quad(p[0], p[1], p[5], p[4]);
  b.quad(p[2], p[6], p[7], p[3]);
  b.quad(p[0], p[4], p[6], p[2]);
  b.quad(p[1], p[3], p[7], p[5]);
}

void add_frustum(SurfaceBuilder& b, const Shape& s, int n) {
  const double h = s.half.z();
  const std::uint32_t low = b.point({0, 0, -h}), high = b.point({0, 0, h});
  if (s.low <= 0 || s.high <= 0) {  // a cone
    const auto ring = b.circle(std::max(s.low, s.high), s.low > 0 ? -h : h, n);
    b.cap(ring, low, false);
    b.cap(ring, high, true);
    return;
  }
  const auto bottom = b.circle(s.low, -h, n), top = b.circle(s.high, h, n);
  b.wall(bottom, top);
  b.cap(bottom, low, false);
  b.cap(top, high, true);
}

void add_torus(SurfaceBuilder& b, const Shape& s, int n) {
  std::vector<std::vector<std::uint32_t>> rings;
  const int around = std::max(n / 2, 8);
  for (int k = 0; k < around; ++k) {
    const double angle = 2 * std::numbers::pi * k / around;
    rings.push_back(b.circle(s.major + s.minor * std::cos(angle), s.minor * std::sin(angle), n));
  }
  for (std::size_t k = 0; k < rings.size(); ++k) b.wall(rings[k], rings[(k + 1) % rings.size()]);
}

void add_ellipsoid(SurfaceBuilder& b, const Vec3& half, int n) {
  const int levels = std::max(n / 2, 4);
  const std::uint32_t south = b.point({0, 0, -half.z()}), north = b.point({0, 0, half.z()});
  std::vector<std::uint32_t> last;
  for (int k = 1; k < levels; ++k) {
    const double angle = std::numbers::pi * (static_cast<double>(k) / levels - 0.5);
    std::vector<std::uint32_t> ring;
    for (int j = 0; j < n; ++j) {
      const double turn = 2 * std::numbers::pi * j / n;
      ring.push_back(b.point(half.cwiseProduct(
          Vec3(std::cos(angle) * std::cos(turn), std::cos(angle) * std::sin(turn), std::sin(angle)))));
    }
    if (last.empty()) b.cap(ring, south, false);
    else b.wall(last, ring);
    last = std::move(ring);
  }
  b.cap(last, north, true);
}

}  // namespace

std::shared_ptr<const Mesh> mesh_of(const Shape& s, int n) {
  SurfaceBuilder b;
  switch (s.kind) {
    case Shape::Kind::box: add_box(b, s.half); break;
    case Shape::Kind::frustum: add_frustum(b, s, n); break;
    case Shape::Kind::torus: add_torus(b, s, n); break;
    case Shape::Kind::ellipsoid: add_ellipsoid(b, s.half, n); break;
    case Shape::Kind::sphere: add_ellipsoid(b, Vec3::Constant(s.radius), n); break;
    default: return s.mesh;
  }
  return b.done();
}

std::shared_ptr<const Mesh> mesh_of(const Shell& shell) {
  SurfaceBuilder b;
  std::map<std::array<float, 3>, std::uint32_t> known;
  std::vector<std::uint32_t> place;
  for (std::size_t k = 0; k + 2 < shell.points.size(); k += 3) {
    const std::array<float, 3> at{shell.points[k], shell.points[k + 1], shell.points[k + 2]};
    const auto [found, fresh] = known.try_emplace(at, 0);
    if (fresh) found->second = b.point({at[0], at[1], at[2]});
    place.push_back(found->second);
  }
  for (std::size_t k = 0; k + 2 < shell.faces.size(); k += 3)
    b.triangle(place[shell.faces[k]], place[shell.faces[k + 1]], place[shell.faces[k + 2]]);
  return b.done();
}

std::shared_ptr<const Mesh> wedge_of(double length, double low, double high, double angle, int corners) {
  SurfaceBuilder b;
  const std::uint32_t bottom = b.point(Vec3::Zero()), top = b.point({0, 0, length});
  const int pieces =
      std::max(2, static_cast<int>(std::ceil(corners * std::abs(angle) / (2 * std::numbers::pi))));
  // A radius of nothing is a point of the axis: triangles there have no area and are left out.
  const auto arc = [&](double radius, double z, std::uint32_t axis) {
    std::vector<std::uint32_t> all;
    for (int k = 0; k <= pieces; ++k) {
      const double turn = angle * k / pieces;
      all.push_back(radius > 0 ? b.point({radius * std::cos(turn), radius * std::sin(turn), z}) : axis);
    }
    return all;
  };
  const auto from = arc(low, 0, bottom), to = arc(high, length, top);
  for (std::size_t k = 0; k + 1 < from.size(); ++k) {
    b.quad(from[k], from[k + 1], to[k + 1], to[k]);
    b.triangle(bottom, from[k + 1], from[k]);
    b.triangle(top, to[k], to[k + 1]);
  }
  b.quad(bottom, from.front(), to.front(), top);
  b.quad(bottom, top, to.back(), from.back());
  return b.done();
}

}  // namespace trunnion::math
