#include "solve/articulated.hpp"

#include <cmath>
#include <utility>

#include <Eigen/Cholesky>

#include "assembly/chart.hpp"
#include "solve/small_products.hpp"

namespace trunnion::solve {

using assembly::load_quat;
using assembly::store_quat;
using math::Mat3;
using math::Quat;
using math::Vec3;
using namespace small;

namespace {

// Of a symmetric matrix; false where it is not positive definite.
template <int n>
bool invert(const Eigen::Matrix<double, n, n>& D, Eigen::Map<Eigen::Matrix<double, n, n>>& inverse) {
  if constexpr (n == 1) {
    inverse(0, 0) = 1 / D(0, 0);
    return D(0, 0) > 0;
  } else if constexpr (n == 2) {
    const double minor = D(0, 0) * D(1, 1) - D(0, 1) * D(0, 1);
    inverse << D(1, 1) / minor, -D(0, 1) / minor, -D(0, 1) / minor, D(0, 0) / minor;
    return D(0, 0) > 0 && minor > 0;
  } else if constexpr (n == 3) {
    const double a = D(1, 1) * D(2, 2) - D(1, 2) * D(1, 2), b = D(0, 2) * D(1, 2) - D(0, 1) * D(2, 2),
                 c = D(0, 1) * D(1, 2) - D(0, 2) * D(1, 1), minor = D(0, 0) * D(1, 1) - D(0, 1) * D(0, 1);
    const double determinant = D(0, 0) * a + D(0, 1) * b + D(0, 2) * c, s = 1 / determinant;
    const double d = s * (D(0, 1) * D(0, 2) - D(0, 0) * D(1, 2));
    inverse << s * a, s * b, s * c, s * b, s * (D(0, 0) * D(2, 2) - D(0, 2) * D(0, 2)), d, s * c, d,
        s * minor;
    return D(0, 0) > 0 && minor > 0 && determinant > 0;
  } else {
    const Eigen::LLT<Eigen::Matrix<double, n, n>> factors(D);
    inverse = factors.solve(Eigen::Matrix<double, n, n>::Identity());
    return factors.info() == Eigen::Success;
  }
}

// Inertia about a point from that about one that is r off it.
struct AboutPoint {
  Mat3 A, B;
};
inline AboutPoint about_point(const Vec3& r, const Mat3& A, const Mat3& B, const Mat3& C) {
  const Mat3 rC = cross_columns(r, C), rB = cross_rows(r, B), rCr = cross_rows(r, rC);
  // −r̂ C r̂ = r̂ (r̂ C)ᵀ, and r̂ Bᵀ with its transpose.
  AboutPoint at{A, B};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) {
      at.A(i, k) += rB(i, k) + rB(k, i) + rCr(i, k);
      at.B(i, k) += rC(i, k);
    }
  }
  return at;
}

// The turn of two perpendicular axes: about z by the first angle, about what was −y before by the second.
Mat3 cross_piece() {
  Mat3 X;
  X << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  return X;
}

void turn_columns(const Mat3& F, double angle, Mat3& R) {
  const double c = std::cos(angle), s = std::sin(angle);
  for (int k = 0; k < 3; ++k) {
    const double x = F(k, 0), y = F(k, 1);
    R(k, 0) = c * x + s * y;
    R(k, 1) = c * y - s * x;
    R(k, 2) = F(k, 2);
  }
}

}  // namespace

Articulated::Articulated(const assembly::Layout& layout, JointTree tree)
    : layout_(layout),
      tree_(std::move(tree)),
      at_(tree_.links.size()),
      freedom_(static_cast<std::size_t>(tree_.freedoms)),
      w_(VectorXd::Zero(tree_.freedoms)),
      locked_(static_cast<std::size_t>(tree_.freedoms), 0.0) {
  for (const Link& link : tree_.links) {
    inverse_at_.push_back(static_cast<int>(inverse_.size()));
    inverse_.resize(inverse_.size() + static_cast<std::size_t>(link.freedoms * link.freedoms), 0.0);
  }
}

Mat3 Articulated::body_rotation(int link) const {
  return rotation(link) * tree_.links[static_cast<std::size_t>(link)].R_BL.transpose();
}

// --- positions and velocities

void Articulated::place_link(const Link& link, const At& P, const VectorXd& q, const VectorXd& u, At& l) {
  const double* const x = q.data() + link.pose_offset;
  const double* const rate = u.data() + link.offset;
  Freedom* const s = freedom_.data() + link.offset;
  const Mat3 F = link.aligned ? P.R : product(P.R, link.K);
  Vec3 before = times(P.R, link.d);  // from the parent's mass centre to the joint on the link's side
  Vec3 travel = Vec3::Zero(), turn = Vec3::Zero(), between = Vec3::Zero();
  int first_turn = 0, turns = 0;
  const auto slide = [&](int k, const Vec3& axis) {
    before += x[k] * axis;
    travel += rate[k] * axis;
    s[k].sw.setZero();
    s[k].sv = axis;
  };
  const auto spin = [&](int k, const Vec3& axis) {
    turn += rate[k] * axis;
    s[k].sw = axis;
    ++turns;
  };
  switch (link.kind) {
    case LinkKind::fixed: l.R = F; break;
    case LinkKind::revolute:
      turn_columns(F, x[0], l.R);
      spin(0, F.col(2));
      break;
    case LinkKind::translational:
      l.R = F;
      slide(0, F.col(2));
      break;
    case LinkKind::cylindrical:
      slide(0, F.col(2));
      turn_columns(F, x[1], l.R);
      first_turn = 1;
      spin(1, F.col(2));
      break;
    case LinkKind::universal: {
      static const Mat3 kCross = cross_piece();
      Mat3 arm;
      turn_columns(F, x[0], arm);
      turn_columns(arm * kCross, x[1], l.R);
      spin(0, F.col(2));
      between = turn;
      spin(1, l.R.col(2));
      between = cross(between, rate[1] * l.R.col(2));
      break;
    }
    case LinkKind::planar:
      slide(0, F.col(0));
      slide(1, F.col(1));
      turn_columns(F, x[2], l.R);
      first_turn = 2;
      spin(2, F.col(2));
      break;
    case LinkKind::spherical:
      l.R = product(F, load_quat(q, link.pose_offset).toRotationMatrix());
      for (int k = 0; k < 3; ++k) spin(k, l.R.col(k));
      break;
    case LinkKind::free:
      for (int k = 0; k < 3; ++k) slide(k, Vec3::Unit(k));
      l.R = load_quat(q, link.pose_offset + 3).toRotationMatrix();
      first_turn = 3;
      for (int k = 0; k < 3; ++k) spin(3 + k, l.R.col(k));
      break;
    case LinkKind::point:
      for (int k = 0; k < 3; ++k) slide(k, Vec3::Unit(k));
      l.R.setIdentity();
      break;
    case LinkKind::plane: {
      const assembly::Plane& plane = layout_.plane(layout_.block(link.block));
      before += plane.origin;
      slide(0, plane.axes.col(0));
      slide(1, plane.axes.col(1));
      const Mat3 R_0 = plane.R_GB0.toRotationMatrix();
      l.R = R_0 * Eigen::AngleAxisd(x[2], plane.normal_B).toRotationMatrix();
      first_turn = 2;
      spin(2, R_0 * plane.normal_B);
      break;
    }
  }
  const Vec3 arm = times(l.R, link.c);
  for (int k = first_turn; k < first_turn + turns; ++k) s[k].sv = cross(s[k].sw, arm);
  l.r = before + arm;
  l.arm = arm;
  l.x = P.x + l.r;
  l.w = P.w + turn;
  l.v = P.v + cross(P.w, before) + travel + cross(l.w, arm);
  l.cw = cross(P.w, turn) + between;
  l.cv = cross(P.w, cross(P.w, before) + 2 * travel) + cross(l.cw, arm) + cross(l.w, cross(l.w, arm));
}

void Articulated::move(const VectorXd& q, const VectorXd& u) {
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Link& link = tree_.links[i];
    place_link(link, link.parent < 0 ? ground_ : at_[static_cast<std::size_t>(link.parent)], q, u, at_[i]);
  }
}

void Articulated::read(const assembly::State& state, VectorXd& q, VectorXd& u) const {
  struct Seen {
    Mat3 R = Mat3::Identity();
    Vec3 x = Vec3::Zero(), v = x, w = x;
  };
  std::vector<Seen> seen(at_.size());
  const Seen ground;
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Link& link = tree_.links[i];
    const assembly::Block& block = layout_.block(link.block);
    const assembly::Pose pose = assembly::pose(layout_, link.block, state.q);
    const Mat3 R_GB = pose.R.toRotationMatrix();
    const Eigen::Matrix<double, 6, 1> twist =
        assembly::twist_map(layout_, block) * state.v.segment(block.offset, block.size);
    Seen& l = seen[i];
    l = {R_GB * link.R_BL, pose.x, twist.head<3>(), R_GB * twist.tail<3>()};
    if (link.kind == LinkKind::free || link.kind == LinkKind::point || link.kind == LinkKind::plane) {
      q.segment(link.pose_offset, link.poses) = state.q.segment(block.pose_offset, link.poses);
      u.segment(link.offset, link.freedoms) = state.v.segment(block.offset, link.freedoms);
      continue;
    }
    const Seen& P = link.parent < 0 ? ground : seen[static_cast<std::size_t>(link.parent)];
    const Mat3 F = P.R * link.K, rel = F.transpose() * l.R;
    const Vec3 arm = l.R * link.c, point = l.x - arm;
    const Vec3 t = F.transpose() * (point - P.x - P.R * link.d);
    const Vec3 travel = F.transpose() * (l.v - cross(l.w, arm) - P.v - cross(P.w, point - P.x));
    const Vec3 turn = l.w - P.w;
    const double angle = std::atan2(rel(1, 0), rel(0, 0)), spin = turn.dot(F.col(2));
    double* const x = q.data() + link.pose_offset;
    double* const rate = u.data() + link.offset;
    switch (link.kind) {
      case LinkKind::revolute:
        x[0] = angle;
        rate[0] = spin;
        break;
      case LinkKind::translational:
        x[0] = t.z();
        rate[0] = travel.z();
        break;
      case LinkKind::cylindrical:
        x[0] = t.z();
        x[1] = angle;
        rate[0] = travel.z();
        rate[1] = spin;
        break;
      case LinkKind::universal: {
        x[0] = std::atan2(rel(0, 2), -rel(1, 2));
        Mat3 first;
        turn_columns(Mat3::Identity(), x[0], first);
        const Mat3 second = (first * cross_piece()).transpose() * rel;
        x[1] = std::atan2(second(1, 0), second(0, 0));
        rate[0] = spin;
        rate[1] = turn.dot(l.R.col(2));
        break;
      }
      case LinkKind::planar:
        x[0] = t.x();
        x[1] = t.y();
        x[2] = angle;
        rate[0] = travel.x();
        rate[1] = travel.y();
        rate[2] = spin;
        break;
      case LinkKind::spherical:
        store_quat(Quat(rel).normalized(), q, link.pose_offset);
        u.segment<3>(link.offset) = l.R.transpose() * turn;
        break;
      case LinkKind::fixed:
      case LinkKind::free:
      case LinkKind::point:
      case LinkKind::plane: break;
    }
  }
}

void Articulated::read_rates(const assembly::State& state, VectorXd& u_dot) const {
  std::vector<Wrench> rates(at_.size());  // n: α, f: a
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Link& link = tree_.links[i];
    const At& l = at_[i];
    const assembly::Block& block = layout_.block(link.block);
    const Eigen::Matrix<double, 6, 1> rate =
        assembly::twist_map(layout_, block) * state.a.segment(block.offset, block.size);
    rates[i] = {body_rotation(static_cast<int>(i)) * rate.tail<3>(), rate.head<3>()};
    Wrench left{rates[i].n - l.cw, rates[i].f - l.cv};
    if (link.parent >= 0) {
      const Wrench& P = rates[static_cast<std::size_t>(link.parent)];
      left.n -= P.n;
      left.f -= P.f + cross(P.n, l.r);
    }
    // Axes of a joint are perpendicular; travels come before turns.
    for (int k = link.freedoms - 1; k >= 0; --k) {
      const Freedom& s = freedom_[static_cast<std::size_t>(link.offset + k)];
      const bool turns = s.sw.squaredNorm() > 0;
      const double x = turns ? s.sw.dot(left.n) : s.sv.dot(left.f);
      left.f -= x * s.sv;
      u_dot[link.offset + k] = x;
    }
  }
}

void Articulated::follow(const VectorXd& u_dot) {
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Link& link = tree_.links[i];
    const At& P = link.parent < 0 ? ground_ : at_[static_cast<std::size_t>(link.parent)];
    At& l = at_[i];
    l.alpha = P.alpha + l.cw;
    l.a = P.a + cross(P.alpha, l.r) + l.cv;
    const Freedom* const s = freedom_.data() + link.offset;
    for (int k = 0; k < link.freedoms; ++k) {
      l.alpha += u_dot[link.offset + k] * s[k].sw;
      l.a += u_dot[link.offset + k] * s[k].sv;
    }
  }
}

void Articulated::spread(const double* delta, std::vector<Wrench>& moved) const {
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Link& link = tree_.links[i];
    Wrench m;  // n: the turn, f: the travel
    if (link.parent >= 0) {
      const Wrench& P = moved[static_cast<std::size_t>(link.parent)];
      m.n = P.n;
      m.f = P.f + cross(P.n, at_[i].r);
    }
    const Freedom* const s = freedom_.data() + link.offset;
    for (int k = 0; k < link.freedoms; ++k) {
      m.n += delta[link.offset + k] * s[k].sw;
      m.f += delta[link.offset + k] * s[k].sv;
    }
    moved[i] = m;
  }
}

// --- accelerations

void Articulated::set_own_inertia(const Link& link, At& l) {
  l.A = turned(l.R, link.J);
  l.B.setZero();
  l.C = link.mass * Mat3::Identity();
}

void Articulated::load() {
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Link& link = tree_.links[i];
    At& l = at_[i];
    set_own_inertia(link, l);
    l.n = cross(l.w, times(l.A, l.w));
    l.f = -link.weight;
  }
}

void Articulated::add_force(int link, const Vec3& moment, const Vec3& force) {
  At& l = at_[static_cast<std::size_t>(link)];
  l.n -= moment;
  l.f -= force;
}

// U, D⁻¹ and w of a joint; what is left of the link's inertia and forces is what its parent feels.
template <int kFreedoms> bool Articulated::project(const Link& link, At& l) {
  using Square = Eigen::Matrix<double, kFreedoms, kFreedoms>;
  Freedom* const s = freedom_.data() + link.offset;
  Square D;
  Eigen::Matrix<double, kFreedoms, 1> w;
  for (int k = 0; k < kFreedoms; ++k) {
    s[k].un = times(l.A, s[k].sw) + times(l.B, s[k].sv);
    s[k].uf = transposed_times(l.B, s[k].sw) + times(l.C, s[k].sv);
    w[k] = -(dot(s[k].sw, l.n) + dot(s[k].sv, l.f));
  }
  for (int k = 0; k < kFreedoms; ++k) {
    for (int j = 0; j <= k; ++j) D(k, j) = D(j, k) = dot(s[k].sw, s[j].un) + dot(s[k].sv, s[j].uf);
  }
  w_.segment<kFreedoms>(link.offset) = w;
  Eigen::Map<Square> inverse(inverse_.data() +
                             inverse_at_[static_cast<std::size_t>(&link - tree_.links.data())]);
  if (!invert<kFreedoms>(D, inverse)) return false;
  if (link.parent < 0) return true;
  const Eigen::Matrix<double, kFreedoms, 1> x = inverse * w;
  for (int k = 0; k < kFreedoms; ++k) {
    Vec3 tn = Vec3::Zero(), tf = Vec3::Zero();  // column k of U D⁻¹
    for (int j = 0; j < kFreedoms; ++j) {
      tn += inverse(j, k) * s[j].un;
      tf += inverse(j, k) * s[j].uf;
    }
    subtract_product(tn, s[k].un, l.A);
    subtract_product(tn, s[k].uf, l.B);
    subtract_product(tf, s[k].uf, l.C);
    l.n += x[k] * s[k].un;
    l.f += x[k] * s[k].uf;
  }
  return true;
}

void Articulated::pass_on(const Link& link, At& l) {
  At& P = at_[static_cast<std::size_t>(link.parent)];
  const Vec3 f = l.f + transposed_times(l.B, l.cw) + times(l.C, l.cv);
  P.n += l.n + times(l.A, l.cw) + times(l.B, l.cv) + cross(l.r, f);
  P.f += f;
  const AboutPoint at = about_point(l.r, l.A, l.B, l.C);
  add(at.A, P.A);
  add(at.B, P.B);
  add(l.C, P.C);
}

bool Articulated::pass_on_at_point(const Link& link, At& l) {
  const AboutPoint at = about_point(l.arm, l.A, l.B, l.C);
  const Vec3 w = -(l.n + cross(l.arm, l.f));
  w_.segment<3>(link.offset) = w;
  Eigen::Map<Mat3> inverse = inverse_of_point(link);
  if (!invert<3>(at.A, inverse)) return false;
  l.B = product(inverse, at.B);
  if (link.parent < 0) return true;
  Mat3 C = l.C;
  for (int k = 0; k < 3; ++k) {
    const Vec3 less = transposed_times(at.B, column(l.B, k));
    for (int i = 0; i < 3; ++i) C(i, k) -= less[i];
  }
  const Vec3 f = l.f + times(C, l.cv - cross(l.cw, l.arm)) + transposed_times(l.B, w);
  const Vec3 before = l.r - l.arm;
  At& P = at_[static_cast<std::size_t>(link.parent)];
  P.n += cross(before, f);
  P.f += f;
  const Mat3 rC = cross_columns(before, C);
  add(cross_rows(before, rC), P.A);
  add(rC, P.B);
  add(C, P.C);
  return true;
}

// D of each freedom where nothing else moves.
void Articulated::lock(const Link& link, const At& l) {
  if (link.kind == LinkKind::spherical) {
    const Mat3 A = about_point(l.arm, l.A, l.B, l.C).A;
    for (int k = 0; k < 3; ++k) locked_[static_cast<std::size_t>(link.offset + k)] = A(k, k);
    return;
  }
  for (int k = link.offset; k < link.offset + link.freedoms; ++k) {
    const Freedom& s = freedom_[static_cast<std::size_t>(k)];
    locked_[static_cast<std::size_t>(k)] = s.sw.dot(l.A * s.sw + 2 * l.B * s.sv) + s.sv.dot(l.C * s.sv);
  }
}

void Articulated::gather_locked() {
  for (std::size_t i = at_.size(); i-- > 0;) {
    lock(tree_.links[i], at_[i]);
    if (tree_.links[i].parent >= 0) pass_on(tree_.links[i], at_[i]);
  }
}

bool Articulated::gather() {
  for (std::size_t i = at_.size(); i-- > 0;) {
    const Link& link = tree_.links[i];
    At& l = at_[i];
    const bool point = link.kind == LinkKind::spherical;
    bool good = true;
    switch (link.freedoms) {
      case 0: break;
      case 1: good = project<1>(link, l); break;
      case 2: good = project<2>(link, l); break;
      case 3: good = point ? pass_on_at_point(link, l) : project<3>(link, l); break;
      default: good = project<6>(link, l); break;
    }
    if (!good) {
      stuck_ = static_cast<int>(i);
      return false;
    }
    if (link.parent >= 0 && !point) pass_on(link, l);
  }
  return true;
}

int Articulated::weakest(double part) {
  load();
  gather_locked();
  load();
  if (!gather()) return stuck_;
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Link& link = tree_.links[i];
    for (int k = 0; k < link.freedoms; ++k) {
      // 1/(D⁻¹)ₖₖ is the inertia against one freedom with the link's others free.
      const double inverse = inverse_[static_cast<std::size_t>(inverse_at_[i] + k * link.freedoms + k)];
      if (!(1 / inverse > part * locked_[static_cast<std::size_t>(link.offset + k)]))
        return static_cast<int>(i);
    }
  }
  return -1;
}

void Articulated::divide(int link, const double* b, double* x) const {
  const int n = tree_.links[static_cast<std::size_t>(link)].freedoms;
  const double* const inverse = inverse_.data() + inverse_at_[static_cast<std::size_t>(link)];
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += inverse[j * n + i] * b[j];
    x[i] = sum;
  }
}

Eigen::Map<Mat3> Articulated::inverse_of_point(const Link& link) {
  return Eigen::Map<Mat3>(inverse_.data() +
                          inverse_at_[static_cast<std::size_t>(&link - tree_.links.data())]);
}

void Articulated::release_at_point(const Link& link, const double* w, At& l, double* u_dot) {
  const Vec3 before = l.alpha, point = l.a - cross(before, l.arm);
  l.alpha = times(inverse_of_point(link), Eigen::Map<const Vec3>(w)) - times(l.B, point);
  l.a = point + cross(l.alpha, l.arm);
  Eigen::Map<Vec3> rate(u_dot);
  rate = transposed_times(l.R, l.alpha - before);
}

// From α and a without u̇.
void Articulated::release_joint(int i, const double* w, At& l, double* u_dot) {
  const Link& link = tree_.links[static_cast<std::size_t>(i)];
  if (link.kind == LinkKind::spherical) {
    release_at_point(link, w, l, u_dot);
    return;
  }
  const Freedom* const s = freedom_.data() + link.offset;
  if (link.freedoms == 1) {
    u_dot[0] = inverse_[static_cast<std::size_t>(inverse_at_[static_cast<std::size_t>(i)])] *
               (w[0] - dot(s[0].un, l.alpha) - dot(s[0].uf, l.a));
  } else {
    double b[6];
    for (int k = 0; k < link.freedoms; ++k) b[k] = w[k] - dot(s[k].un, l.alpha) - dot(s[k].uf, l.a);
    divide(i, b, u_dot);
  }
  for (int k = 0; k < link.freedoms; ++k) {
    l.alpha += u_dot[k] * s[k].sw;
    l.a += u_dot[k] * s[k].sv;
  }
}

void Articulated::release(VectorXd& u_dot) {
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Link& link = tree_.links[i];
    const At& P = link.parent < 0 ? ground_ : at_[static_cast<std::size_t>(link.parent)];
    At& l = at_[i];
    l.alpha = P.alpha + l.cw;
    l.a = P.a + cross(P.alpha, l.r) + l.cv;
    release_joint(static_cast<int>(i), w_.data() + link.offset, l, u_dot.data() + link.offset);
  }
}

void Articulated::release_alone(const VectorXd& w, VectorXd& u_dot) {
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Link& link = tree_.links[i];
    const At& P = link.parent < 0 ? ground_ : at_[static_cast<std::size_t>(link.parent)];
    At& l = at_[i];
    l.alpha = P.alpha;
    l.a = P.a + cross(P.alpha, l.r);
    release_joint(static_cast<int>(i), w.data() + link.offset, l, u_dot.data() + link.offset);
  }
}

void Articulated::respond(std::span<const int> path, std::vector<Wrench>& through, double* b) const {
  double x[6];
  for (const int i : path) {
    const Link& link = tree_.links[static_cast<std::size_t>(i)];
    const At& l = at_[static_cast<std::size_t>(i)];
    Wrench& p = through[static_cast<std::size_t>(i)];
    const Freedom* const s = freedom_.data() + link.offset;
    const bool point = link.kind == LinkKind::spherical;
    if (point) {
      p.n += cross(l.arm, p.f);  // about the joint
      Eigen::Map<Vec3>{b} = p.n;
    } else {
      for (int k = 0; k < link.freedoms; ++k) b[k] = s[k].sw.dot(p.n) + s[k].sv.dot(p.f);
    }
    if (link.parent >= 0) {
      Wrench& P = through[static_cast<std::size_t>(link.parent)];
      if (point) {
        p.f -= transposed_times(l.B, p.n);
        P.n += cross(l.r - l.arm, p.f);
      } else {
        divide(i, b, x);
        for (int k = 0; k < link.freedoms; ++k) {
          p.n -= x[k] * s[k].un;
          p.f -= x[k] * s[k].uf;
        }
        P.n += p.n + cross(l.r, p.f);
      }
      P.f += p.f;
    }
    p = {};
    b += link.freedoms;
  }
}

}  // namespace trunnion::solve
