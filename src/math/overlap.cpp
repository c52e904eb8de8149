#include "math/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
};

// Kept from call to call: nothing is allocated once they have grown.
struct Buffers {
  std::vector<Piece> pieces;
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

// One volume: its integrals about o, in the axes of the second solid.
struct Volume {
  Vec3 o = Vec3::Zero();
  double V = 0;
  Vec3 S0 = Vec3::Zero();
  Mat3 B = Mat3::Zero();

  void add(const Piece& p) {
    V += p.moments.volume;
    S0 += p.moments.area * p.normal;
    B += (p.moments.first - p.moments.area * o) * p.normal.transpose();
  }
};

Vec3 turn_of(const Mat3& B) {  // ∫ x × N
  return {B(1, 2) - B(2, 1), B(2, 0) - B(0, 2), B(0, 1) - B(1, 0)};
}

// ∫ b dl and ∫ (x − o) b dl along a segment, b the rim's outward way per unit of ξ.
struct RimMotion {
  Row6 plain;
  Mat36 first;
};
RimMotion rim_motion(const Segment& s, const Vec3& o) {
  const double length = (s.b - s.a).norm(), sine = s.N_I.cross(s.N_J).norm();
  const auto out = [&](const Vec3& x) {
    Row6 r;
    r << s.N_J.transpose(), x.cross(s.N_J).transpose();
    return Row6(-r / sine);
  };
  const Vec3 m = 0.5 * (s.a + s.b);
  RimMotion r;
  r.plain = length * out(m);
  r.first = length / 6 * ((s.a - o) * out(s.a) + 4 * (m - o) * out(m) + (s.b - o) * out(s.b));
  return r;
}

constexpr double kParallel = 1e-9;  // sine of two faces that do not cut each other

void add_partials(const Volume& v, const Buffers& buffers, std::vector<int>& group, int which, Touch& t) {
  const Vec3 S1 = turn_of(v.B);
  const double A = v.S0.norm();
  const Vec3 m = v.S0 / A;
  Mat36 S0_x = Mat36::Zero(), S1_x = Mat36::Zero(), at_o;
  at_o << Mat3::Identity(), -hat(v.o);
  S0_x.rightCols<3>() = -hat(v.S0);
  S1_x = -hat(v.S0) * at_o;
  S1_x.rightCols<3>() -= hat(S1);
  const Vec3 Bm = (v.B + v.B.transpose()) * m;
  Row6 mBm_x = A * m.transpose() * at_o;
  mBm_x.rightCols<3>() += Bm.cross(m).transpose();
  for (const Segment& s : buffers.segments) {
    if (root(group, s.i) != which || s.N_I.cross(s.N_J).norm() < kParallel) continue;
    const RimMotion rim = rim_motion(s, v.o);
    S0_x += s.N_I * rim.plain;
    S1_x -= hat(s.N_I) * rim.first;
    mBm_x += s.N_I.dot(m) * m.transpose() * rim.first;
  }
  Row6 V_x;
  V_x << v.S0.transpose(), (S1 + v.o.cross(v.S0)).transpose();
  const Row6 A_x = m.transpose() * S0_x;
  const Mat36 m_x = (S0_x - m * A_x) / A;
  t.g_x = V_x / A - v.V / (A * A) * A_x;
  t.area_x = A_x;
  t.n_x = -m_x;
  const Vec3 across = v.S0.cross(S1);
  const double z = m.dot(v.B * m) / A;
  const Row6 z_x = (Bm.transpose() * m_x + mBm_x - z * A_x) / A;
  t.c_x = (hat(v.S0) * S1_x - hat(S1) * S0_x) / (A * A) - 2 / (A * A * A) * across * A_x + z * m_x + m * z_x;
}

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
    b_.places[static_cast<std::size_t>(piece.triangle)] = static_cast<int>(b_.pieces.size());
    b_.pieces.push_back(std::move(piece));
  }

  void against_plane() {
    o_ = {p_.x(), p_.y(), 0.0};
    walk(
        mesh_I_, [&](const Bounds& box) { return moved(box).low.z() < 0; },
        [&](int t) {
          const Mesh::Triangle& triangle = mesh_I_.triangles()[static_cast<std::size_t>(t)];
          Piece piece{t, R_ * triangle.normal, {}, moved(corners_of(mesh_I_, triangle))};
          piece.moments.add(clipped(polygon(piece.corners), Vec3::UnitZ(), 0), piece.normal, 1, Vec3::UnitZ(),
                            Vec3::UnitZ(), 0);
          if (!counts(piece.moments, piece.corners)) return;
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
    const Bounds below = in_J.column(shared);
    walk(
        mesh_I_, [&](const Bounds& box) { return moved(box).meets(below); },
        [&](int t) {
          const Mesh::Triangle& triangle = mesh_I_.triangles()[static_cast<std::size_t>(t)];
          Piece piece{t, R_ * triangle.normal, {}, moved(corners_of(mesh_I_, triangle))};
          if (!bounds_of(piece.corners).meets(below)) return;
          piece.moments = in_J.of(piece.corners, piece.normal);
          if (counts(piece.moments, piece.corners)) keep(std::move(piece));
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

  void one_volume(int which) {
    Volume v;
    v.o = o_;
    for (std::size_t k = 0; k < b_.pieces.size(); ++k) {
      if (root(b_.group, static_cast<int>(k)) == which) v.add(b_.pieces[k]);
    }
    const double A = v.S0.norm();
    if (!(v.V > 0) || !(A > 0)) return;
    Touch t;
    t.g = v.V / A;
    t.area = A;
    const Vec3 m = v.S0 / A, S1 = turn_of(v.B);
    t.n = -m;
    t.c = v.o + v.S0.cross(S1) / (A * A) + m.dot(v.B * m) / A * m;
    if (wanted_ == Wanted::partials) add_partials(v, b_, b_.group, which, t);
    give(t);
  }

  // From the second solid's own axes to its body's.
  void give(Touch& t) {
    const Mat3& R = second_.R;
    Eigen::Matrix<double, 6, 6> T = Eigen::Matrix<double, 6, 6>::Zero();
    T.topLeftCorner<3, 3>() = R.transpose();
    T.topRightCorner<3, 3>() = -R.transpose() * hat(second_.p);
    T.bottomRightCorner<3, 3>() = R.transpose();
    t.n = R * t.n;
    t.c = second_.p + R * t.c;
    t.g_x = (t.g_x * T).eval();
    t.area_x = (t.area_x * T).eval();
    t.n_x = (R * t.n_x * T).eval();
    t.c_x = (R * t.c_x * T).eval();
    sink_.take(t);
  }

  const Placed& second_;
  const Mesh& mesh_I_;
  const Mesh* mesh_J_;
  Mat3 R_;
  Vec3 p_, o_ = Vec3::Zero();
  Wanted wanted_;
  TouchSink& sink_;
  Buffers& b_;
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
