#include "math/overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "math/inside.hpp"

namespace trunnion::math {
namespace {

using Row6 = Touch::Row6;
using Mat36 = Touch::Mat36;

struct Segment {
  int i;  // among the pieces
  Vec3 a, b;
  Vec3 N_I, N_J;
};

// What is inside of one triangle of the first surface, in the axes of the second solid.
struct Piece {
  int triangle;
  Vec3 normal;
  Moments moments;
  Corners corners;
  std::size_t first, end;  // among the points
};

// Kept from call to call: nothing is allocated once they have grown.
struct Buffers {
  std::vector<Piece> pieces;
  std::vector<SurfacePoint> points;
  std::vector<Segment> segments;
  std::vector<int> places;  // of each triangle among the pieces; −1: none
  std::vector<int> group;   // union-find over the pieces
};

int root(std::vector<int>& group, int k) {
  while (group[static_cast<std::size_t>(k)] != k) {
    group[static_cast<std::size_t>(k)] = group[static_cast<std::size_t>(group[static_cast<std::size_t>(k)])];
    k = group[static_cast<std::size_t>(k)];
  }
  return k;
}
void unite(std::vector<int>& group, int a, int b) {
  a = root(group, a);
  b = root(group, b);
  group[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
}

// Where a triangle crosses the plane of another; the part of that within the other.
bool cut(const Corners& c, const Vec3& n, double limit, Vec3& a, Vec3& b) {
  int found = 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 &p = c[static_cast<std::size_t>(k)], &q = c[static_cast<std::size_t>((k + 1) % 3)];
    const double fp = n.dot(p) - limit, fq = n.dot(q) - limit;
    if ((fp <= 0) == (fq <= 0)) continue;
    (found++ == 0 ? a : b) = p + fp / (fp - fq) * (q - p);
  }
  return found == 2;
}
bool shorten(const Corners& within, const Vec3& n, Vec3& a, Vec3& b) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 &p = within[k], &q = within[(k + 1) % 3];
    const Vec3 in = n.cross(q - p);
    const double fa = in.dot(a - p), fb = in.dot(b - p);
    if (fa <= 0 && fb <= 0) return false;
    if (fa < 0) a += fa / (fa - fb) * (b - a);
    else if (fb < 0) b += fb / (fb - fa) * (a - b);
  }
  return true;
}

using Row10 = Eigen::Matrix<double, 1, 10>;
using Vec9 = Eigen::Matrix<double, 9, 1>;

// 1, r and the products of its components: what a quadratic function of a place is a combination of.
Row10 powers(const Vec3& r) {
  Row10 all;
  all << 1, r.transpose(), r.cwiseAbs2().transpose(), r.x() * r.y(), r.x() * r.z(), r.y() * r.z();
  return all;
}
Row10 quadratic(double constant, const Vec3& linear, const Mat3& square) {
  Row10 all;
  all << constant, linear.transpose(), square.diagonal().transpose(), square(0, 1) + square(1, 0),
      square(0, 2) + square(2, 0), square(1, 2) + square(2, 1);
  return all;
}
Mat3 squares(const Eigen::Matrix<double, 10, 1>& all) {
  Mat3 m;
  m << all[4], all[7], all[8], all[7], all[5], all[9], all[8], all[9], all[6];
  return m;
}

// The volume, its middle and the mean of r rᵀ about that.
struct Body {
  double V = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  // A column from x on by `way`.
  void add(const Vec3& x, const Vec3& way, double volume) {
    V += volume;
    first += volume * (x + 0.5 * way);
    second += volume * (x * x.transpose() + 0.5 * (x * way.transpose() + way * x.transpose()) +
                        way * way.transpose() / 3);
  }
  Vec3 middle() const { return first / V; }
  Mat3 spread() const { return second / V - middle() * middle().transpose(); }
};

// How the depth of a volume grows with a bit of volume at r from its middle: s (r·Q r − T).
struct Growth {
  double V, depth, T, s;
  Mat3 C, E, Q;

  Growth(double volume, const Mat3& spread, const Mat3& inverse)
      : V(volume), T(inverse.trace()), C(spread), E(inverse), Q(inverse * inverse) {
    depth = std::sqrt(12 / T);
    s = depth / (2 * T * V);
  }
  bool good() const { return V > 0 && T > 0 && std::isfinite(T) && std::isfinite(s); }
  Row10 function() const { return quadratic(-s * T, Vec3::Zero(), s * Q); }
  double at(const Vec3& r) const { return s * (r.dot(Q * r) - T); }
  // Its change with the surface's motion that changes ∫_P (1, r, r rᵀ) N·δx dS by `by`.
  Row10 change(const Eigen::Matrix<double, 10, 1>& by, const Mat3& C_x) const {
    const Mat3 E_x = -E * C_x * E, Q_x = E_x * E + E * E_x;
    const double T_x = E_x.trace(), s_x = s * (-1.5 * T_x / T - by[0] / V);
    const Vec3 c_x = by.segment<3>(1) / V;
    return quadratic(-s_x * T - s * T_x, -2 * s * Q * c_x, s_x * Q + s * Q_x);
  }
};

constexpr double kParallel = 1e-9;  // sine of two faces that do not cut each other

class Overlap {
 public:
  Overlap(const Placed& first, const Placed& second, Wanted wanted, TouchSink& sink)
      : second_(second),
        mesh_I_(*first.shape->mesh),
        mesh_J_(second.shape->kind == Shape::Kind::plane ? nullptr : second.shape->mesh.get()),
        R_(second.R.transpose() * first.R),
        p_(second.R.transpose() * (first.p - second.p)),
        wanted_(wanted),
        sink_(sink),
        b_(buffers()) {}

  void run() {
    if (mesh_I_.nodes().empty() || (mesh_J_ && mesh_J_->nodes().empty())) return;
    b_.pieces.clear();
    b_.points.clear();
    b_.segments.clear();
    b_.places.assign(mesh_I_.triangles().size(), -1);
    if (mesh_J_) against_mesh();
    else against_plane();
    if (!b_.pieces.empty()) volumes();
  }

 private:
  static Buffers& buffers() {
    thread_local Buffers one;
    return one;
  }

  Bounds moved(const Bounds& box) const {
    const Vec3 middle = R_ * (0.5 * (box.low + box.high)) + p_;
    const Vec3 half = R_.cwiseAbs() * (0.5 * (box.high - box.low));
    return {middle - half, middle + half};
  }
  Corners moved(const Corners& c) const { return {R_ * c[0] + p_, R_ * c[1] + p_, R_ * c[2] + p_}; }
  // Rounding of sums over prisms is no area.
  bool counts(const Moments& m, const Corners& c) const {
    constexpr double kRounding = 1e-12;
    const double least = kRounding * (c[1] - c[0]).cross(c[2] - c[0]).norm();
    return std::abs(m.area) > least || std::abs(m.volume) > least * mesh_I_.bound();
  }
  void keep(Piece piece) {
    piece.end = b_.points.size();
    b_.places[static_cast<std::size_t>(piece.triangle)] = static_cast<int>(b_.pieces.size());
    b_.pieces.push_back(std::move(piece));
  }

  void against_plane() {
    o_ = {p_.x(), p_.y(), 0.0};
    d_ = Vec3::UnitZ();
    walk(
        mesh_I_, [&](const Bounds& box) { return moved(box).low.z() < 0; },
        [&](int t) {
          const Mesh::Triangle& triangle = mesh_I_.triangles()[static_cast<std::size_t>(t)];
          Piece piece{t, R_ * triangle.normal, {}, moved(corners_of(mesh_I_, triangle)), b_.points.size(), 0};
          piece.moments.add(clipped(polygon(piece.corners), d_, 0), piece.normal, 1, d_, d_, 0, &b_.points);
          if (!counts(piece.moments, piece.corners)) return b_.points.resize(piece.first);
          Segment s{static_cast<int>(b_.pieces.size()), {}, {}, piece.normal, Vec3::UnitZ()};
          if (cut(piece.corners, s.N_J, 0, s.a, s.b)) b_.segments.push_back(s);
          keep(std::move(piece));
        });
  }

  void against_mesh() {
    const Bounds& all_J = mesh_J_->nodes()[0].box;
    const Bounds all_I = moved(mesh_I_.nodes()[0].box);
    if (!all_I.meets(all_J)) return;
    const Bounds shared{all_I.low.cwiseMax(all_J.low), all_I.high.cwiseMin(all_J.high)};
    o_ = 0.5 * (shared.low + shared.high);
    const Inside in_J(*mesh_J_, o_);
    d_ = in_J.direction();
    const Bounds below = in_J.column(shared);
    walk(
        mesh_I_, [&](const Bounds& box) { return moved(box).meets(below); },
        [&](int t) {
          const Mesh::Triangle& triangle = mesh_I_.triangles()[static_cast<std::size_t>(t)];
          Piece piece{t, R_ * triangle.normal, {}, moved(corners_of(mesh_I_, triangle)), b_.points.size(), 0};
          if (!bounds_of(piece.corners).meets(below)) return;
          piece.moments = in_J.of(piece.corners, piece.normal, &b_.points);
          if (counts(piece.moments, piece.corners)) keep(std::move(piece));
          else b_.points.resize(piece.first);
        });
    if (wanted_ != Wanted::partials) return;
    for (std::size_t i = 0; i < b_.pieces.size(); ++i) add_segments(static_cast<int>(i));
  }

  void add_segments(int i) {
    const Piece& piece = b_.pieces[static_cast<std::size_t>(i)];
    const Bounds box = bounds_of(piece.corners);
    walk(
        *mesh_J_, [&](const Bounds& other) { return box.meets(other); },
        [&](int t) {
          const Mesh::Triangle& other = mesh_J_->triangles()[static_cast<std::size_t>(t)];
          const Corners c = corners_of(*mesh_J_, other);
          Segment s{i, {}, {}, piece.normal, other.normal};
          if (!cut(piece.corners, s.N_J, s.N_J.dot(c[0]), s.a, s.b)) return;
          if (shorten(c, s.N_J, s.a, s.b)) b_.segments.push_back(s);
        });
  }

  void group_pieces() {
    const std::size_t n = b_.pieces.size();
    b_.group.resize(n);
    for (std::size_t k = 0; k < n; ++k) b_.group[k] = static_cast<int>(k);
    for (std::size_t k = 0; k < n; ++k) {
      for (const int other : mesh_I_.triangles()[static_cast<std::size_t>(b_.pieces[k].triangle)].beyond) {
        const int place = other < 0 ? -1 : b_.places[static_cast<std::size_t>(other)];
        if (place >= 0) unite(b_.group, static_cast<int>(k), place);
      }
    }
  }

  // A group that bounds a volume together with the second surface has the same volume seen along any d. Those that have not bound one
  // together, as the two ends of a bar through a plate do.
  void join_parts() {
    const Inside sideways(*mesh_J_, o_, 1);
    int together = -1;
    for (int which = 0; which < static_cast<int>(b_.pieces.size()); ++which) {
      if (b_.group[static_cast<std::size_t>(which)] != which) continue;
      double V = 0, other = 0, size = 0;
      for (std::size_t k = 0; k < b_.pieces.size(); ++k) {
        if (root(b_.group, static_cast<int>(k)) != which) continue;
        const Piece& piece = b_.pieces[k];
        const double across = sideways.of(piece.corners, piece.normal).volume;
        V += piece.moments.volume;
        other += across;
        size += std::abs(piece.moments.volume) + std::abs(across);
      }
      constexpr double kSame = 1e-5;
      if (std::abs(V - other) <= kSame * size) continue;
      if (together >= 0) unite(b_.group, together, which);
      else together = which;
    }
  }
  bool several() {
    for (std::size_t k = 1; k < b_.pieces.size(); ++k) {
      if (root(b_.group, static_cast<int>(k)) != root(b_.group, 0)) return true;
    }
    return false;
  }

  void volumes() {
    group_pieces();
    if (mesh_J_ && several()) join_parts();
    for (int k = 0; k < static_cast<int>(b_.pieces.size()); ++k) {
      if (root(b_.group, k) == k) one_volume(k);
    }
  }

  // Calls take(point, normal) for all points of the surface inside that belong together.
  template <class Take> void each_point(int which, const Take& take) const {
    for (std::size_t k = 0; k < b_.pieces.size(); ++k) {
      if (root(b_.group, static_cast<int>(k)) != which) continue;
      const Piece& piece = b_.pieces[k];
      for (std::size_t at = piece.first; at < piece.end; ++at) take(b_.points[at], piece.normal);
    }
  }

  // Across a plane its normal is the way; of two meshes the way in which the volume is thinnest counts most.
  Mat3 inverse_spread(const Mat3& C) const {
    if (!mesh_J_) return Vec3(0, 0, 1 / C(2, 2)).asDiagonal();
    // By rounding it may not be positive, where the volume is thinner than some 1e-8 of its width.
    if (!(C.diagonal().minCoeff() > 0) || !(C.determinant() > 0)) return Mat3::Zero();
    return C.inverse();
  }

  void one_volume(int which) {
    Body body;
    each_point(which, [&](const SurfacePoint& at, const Vec3& normal) {
      body.add(at.x - o_, at.column * d_, -at.area * at.column * normal.dot(d_));
    });
    if (!(body.V > 0)) return;
    const Vec3 c = o_ + body.middle();
    const Mat3 C = body.spread();
    const Growth growth(body.V, C, inverse_spread(C));
    if (!growth.good()) return;
    // Everything by the twist about c: the wrenches of the surface, and for derivatives those with r and r rᵀ.
    Eigen::Matrix<double, 10, 6> H = Eigen::Matrix<double, 10, 6>::Zero();
    Touch t;
    Vec3 across = Vec3::Zero();
    each_point(which, [&](const SurfacePoint& at, const Vec3& normal) {
      const Vec3 r = at.x - c;
      Row6 wrench;
      wrench << normal.transpose(), r.cross(normal).transpose();
      across += at.area * normal;
      t.g_x += at.area * growth.at(r) * wrench;
      if (wanted_ == Wanted::partials) H.noalias() += powers(r).transpose() * (at.area * wrench);
    });
    t.g = growth.depth;
    t.area = across.norm();
    const double size = t.g_x.head<3>().norm();
    constexpr double kInside = 1e-10;  // within the other on all sides
    if (!(size > kInside)) return;
    t.n = -t.g_x.head<3>().transpose() / size;
    t.c = c;
    region_ = Region();
    t.region = &region_;
    const Mat3 N = hat(t.n);
    region_.tilt = N.transpose() * C * N;
    if (wanted_ == Wanted::partials) add_partials(which, growth, H, t);
    give(t);
  }

  void add_partials(int which, const Growth& growth, const Eigen::Matrix<double, 10, 6>& H, Touch& t) {
    std::array<Mat3, 6> C_x;
    Region::Mat6& g_xx = region_.g_xx;
    for (int k = 0; k < 6; ++k) {
      C_x[static_cast<std::size_t>(k)] = (squares(H.col(k)) - H(0, k) * growth.C) / growth.V;
      g_xx.col(k) = (growth.change(H.col(k), C_x[static_cast<std::size_t>(k)]) * H).transpose();
    }
    t.c_x = H.middleRows<3>(1) / growth.V;
    add_motion(which, growth, t.c);
    add_rim(which, growth, H.block<1, 3>(0, 0).transpose().normalized(), t);
    const double size = t.g_x.head<3>().norm();
    t.n_x = -(g_xx.topRows<3>() - t.n * (t.n.transpose() * g_xx.topRows<3>())) / size;
    const Mat3 N = hat(t.n);
    for (int k = 0; k < 6; ++k) {
      const Mat3 N_x = hat(t.n_x.col(k)), half = N_x.transpose() * growth.C * N;
      const Mat3 all = half + half.transpose() + N.transpose() * C_x[static_cast<std::size_t>(k)] * N;
      region_.tilt_x.col(k) = Eigen::Map<const Vec9>(all.data());
    }
  }

  // The surface moves as a whole through the growth, which stands still.
  void add_motion(int which, const Growth& growth, const Vec3& c) {
    Vec3 plain = Vec3::Zero(), turned = Vec3::Zero();
    Region::Mat6 sum = Region::Mat6::Zero();
    each_point(which, [&](const SurfacePoint& at, const Vec3& normal) {
      const Vec3 r = at.x - c, slope = 2 * growth.s * growth.Q * r;
      Eigen::Matrix<double, 6, 1> wrench, along;
      wrench << normal, r.cross(normal);
      along << slope, r.cross(slope);
      sum += at.area * wrench * along.transpose();
      const double weight = at.area * growth.at(r);
      plain += weight * normal;
      turned += weight * normal.cross(r);
    });
    sum.topRightCorner<3, 3>() -= hat(plain);
    sum.bottomLeftCorner<3, 3>() -= hat(plain);
    sum.bottomRightCorner<3, 3>() += hat(turned);
    region_.g_xx += sum;
  }

  // What the rim adds as it moves: of the fourth degree along each segment, for which three points are exact.
  void add_rim(int which, const Growth& growth, const Vec3& m, Touch& t) {
    static const std::array<std::pair<double, double>, 3> rule = {
        {{0.5 - std::sqrt(0.15), 5.0 / 18}, {0.5, 4.0 / 9}, {0.5 + std::sqrt(0.15), 5.0 / 18}}};
    for (const Segment& s : b_.segments) {
      const double sine = s.N_I.cross(s.N_J).norm();
      if (root(b_.group, s.i) != which || sine < kParallel) continue;
      const double length = (s.b - s.a).norm();
      for (const auto& [part, weight] : rule) {
        const Vec3 r = s.a + part * (s.b - s.a) - t.c;
        Eigen::Matrix<double, 6, 1> wrench;
        wrench << s.N_I, r.cross(s.N_I);
        Row6 out;
        out << s.N_J.transpose(), r.cross(s.N_J).transpose();
        out *= -weight * length / sine;
        region_.g_xx += growth.at(r) * wrench * out;
        t.area_x += m.dot(s.N_I) * out;
      }
    }
  }

  // From the second solid's own axes and the twist about c to its body's.
  void give(Touch& t) {
    const Mat3& R = second_.R;
    t.c = second_.p + R * t.c;
    Region::Mat6 T = Region::Mat6::Zero();
    T.topLeftCorner<3, 3>() = R.transpose();
    T.topRightCorner<3, 3>() = -R.transpose() * hat(t.c);
    T.bottomRightCorner<3, 3>() = R.transpose();
    t.n = R * t.n;
    t.g_x = (t.g_x * T).eval();
    region_.tilt = (R * region_.tilt * R.transpose()).eval();
    if (wanted_ == Wanted::partials) {
      t.area_x = (t.area_x * T).eval();
      t.n_x = (R * t.n_x * T).eval();
      t.c_x = (R * t.c_x * T).eval();
      region_.g_xx = (T.transpose() * region_.g_xx * T).eval();
      for (int k = 0; k < 6; ++k) {
        Eigen::Map<Mat3> one(region_.tilt_x.col(k).data());
        one = (R * one * R.transpose()).eval();
      }
      region_.tilt_x = (region_.tilt_x * T).eval();
    }
    sink_.take(t);
  }

  const Placed& second_;
  const Mesh& mesh_I_;
  const Mesh* mesh_J_;
  Mat3 R_;
  Vec3 p_, o_ = Vec3::Zero(), d_ = Vec3::UnitZ();  // d_: the way of the columns
  Wanted wanted_;
  TouchSink& sink_;
  Buffers& b_;
  Region region_;
};

double between(const Bounds& a, const Bounds& b) {
  return (a.low - b.high).cwiseMax(b.low - a.high).cwiseMax(0.0).norm();
}

// From its inside where the point is over that, else from the nearest of its edges.
double to_triangle(const Vec3& p, const Corners& t) {
  const Vec3 ab = t[1] - t[0], ac = t[2] - t[0], normal = ab.cross(ac);
  bool over = true;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 &a = t[k], edge = t[(k + 1) % 3] - a;
    if (normal.cross(edge).dot(p - a) < 0) over = false;
    const double length = edge.squaredNorm();
    const double x = length > 0 ? std::clamp(edge.dot(p - a) / length, 0.0, 1.0) : 0.0;
    least = std::min(least, (p - a - x * edge).squaredNorm());
  }
  if (over && normal.squaredNorm() > 0) return std::abs(normal.dot(p - t[0])) / normal.norm();
  return std::sqrt(least);
}

double between_segments(const Vec3& a, const Vec3& u, const Vec3& b, const Vec3& v) {
  const Vec3 w = a - b;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), uw = u.dot(w), vw = v.dot(w);
  const double det = uu * vv - uv * uv;
  double s = det > 1e-14 * uu * vv ? std::clamp((uv * vw - vv * uw) / det, 0.0, 1.0) : 0.0;
  double t = vv > 0 ? (uv * s + vw) / vv : 0.0;
  if (t < 0 || t > 1) {
    t = std::clamp(t, 0.0, 1.0);
    s = uu > 0 ? std::clamp((uv * t - uw) / uu, 0.0, 1.0) : 0.0;
  }
  return (w + s * u - t * v).norm();
}

// Of triangles that do not cut each other.
double between_triangles(const Corners& a, const Corners& b) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    least = std::min({least, to_triangle(a[i], b), to_triangle(b[i], a)});
    for (std::size_t j = 0; j < 3; ++j)
      least = std::min(least, between_segments(a[i], a[(i + 1) % 3] - a[i], b[j], b[(j + 1) % 3] - b[j]));
  }
  return least;
}

// The least distance of two meshes that is below `least` at first, by both trees.
struct Nearest {
  const Mesh &I, &J;
  Mat3 R;
  Vec3 p;
  double least;

  Bounds moved(const Bounds& box) const {
    const Vec3 middle = R * (0.5 * (box.low + box.high)) + p;
    const Vec3 half = R.cwiseAbs() * (0.5 * (box.high - box.low));
    return {middle - half, middle + half};
  }
  void look(std::int32_t i, std::int32_t j) {
    const Mesh::Node &a = I.nodes()[static_cast<std::size_t>(i)], &b = J.nodes()[static_cast<std::size_t>(j)];
    if (between(moved(a.box), b.box) >= least) return;
    if (a.left < 0 && b.left < 0) return leaves(a, b);
    const bool split_i = b.left < 0 || (a.left >= 0 && (a.box.high - a.box.low).squaredNorm() >
                                                           (b.box.high - b.box.low).squaredNorm());
    if (split_i) {
      look(a.left, j);
      look(a.right, j);
    } else {
      look(i, b.left);
      look(i, b.right);
    }
  }
  void leaves(const Mesh::Node& a, const Mesh::Node& b) {
    for (std::uint32_t k = a.first; k < a.first + a.count; ++k) {
      Corners one = corners_of(I, I.triangles()[k]);
      for (Vec3& x : one) x = R * x + p;
      const Bounds box = bounds_of(one);
      for (std::uint32_t m = b.first; m < b.first + b.count; ++m) {
        const Corners other = corners_of(J, J.triangles()[m]);
        if (between(box, bounds_of(other)) < least) least = std::min(least, between_triangles(one, other));
      }
    }
  }
};

}  // namespace

double apart_by(const Placed& first, const Placed& second, double enough) {
  const Mesh& mesh = *first.shape->mesh;
  if (mesh.nodes().empty()) return enough;
  const Mat3 R = second.R.transpose() * first.R;
  const Vec3 p = second.R.transpose() * (first.p - second.p);
  if (second.shape->kind == Shape::Kind::plane) {
    double least = enough;
    const Vec3 up = R.row(2).transpose();
    walk(
        mesh,
        [&](const Bounds& box) {
          return up.dot(0.5 * (box.low + box.high)) + p.z() - up.cwiseAbs().dot(0.5 * (box.high - box.low)) <
                 least;
        },
        [&](int t) {
          for (const Vec3& x : corners_of(mesh, mesh.triangles()[static_cast<std::size_t>(t)]))
            least = std::min(least, up.dot(x) + p.z());
        });
    return std::max(least, 0.0);
  }
  if (second.shape->mesh->nodes().empty()) return enough;
  Nearest nearest{mesh, *second.shape->mesh, R, p, enough};
  nearest.look(0, 0);
  return nearest.least;
}

double boxes_apart(const Placed& first, const Placed& second) {
  const Mesh& mesh = *first.shape->mesh;
  if (mesh.nodes().empty()) return 0;
  const Mat3 R = second.R.transpose() * first.R;
  const Vec3 p = second.R.transpose() * (first.p - second.p);
  const auto moved = [](const Mat3& A, const Vec3& a, const Bounds& box) {
    const Vec3 middle = A * (0.5 * (box.low + box.high)) + a,
               half = A.cwiseAbs() * (0.5 * (box.high - box.low));
    return Bounds{middle - half, middle + half};
  };
  const Bounds& box = mesh.nodes()[0].box;
  const Bounds there = moved(R, p, box);
  if (second.shape->kind == Shape::Kind::plane) return std::max(there.low.z(), 0.0);
  const std::vector<Mesh::Node>& others = second.shape->mesh->nodes();
  if (others.empty()) return 0;
  return std::max(between(there, others[0].box),
                  between(moved(R.transpose(), -R.transpose() * p, others[0].box), box));
}

bool boxes_meet(const Placed& first, const Placed& second) {
  const Mesh& mesh = *first.shape->mesh;
  if (mesh.nodes().empty()) return false;
  const Mat3 R = second.R.transpose() * first.R;
  const Vec3 p = second.R.transpose() * (first.p - second.p);
  const Bounds& box = mesh.nodes()[0].box;
  const Vec3 middle = R * (0.5 * (box.low + box.high)) + p,
             half = R.cwiseAbs() * (0.5 * (box.high - box.low));
  if (second.shape->kind == Shape::Kind::plane) return middle.z() - half.z() < 0;
  const std::vector<Mesh::Node>& others = second.shape->mesh->nodes();
  return !others.empty() && Bounds{middle - half, middle + half}.meets(others[0].box);
}

void overlap(const Placed& first, const Placed& second, Wanted wanted, TouchSink& sink) {
  Overlap(first, second, wanted, sink).run();
}

}  // namespace trunnion::math
