#include "elements/contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/impact.hpp"
#include "math/mesh.hpp"
#include "math/overlap.hpp"

namespace trunnion::elements {
namespace {

using math::hat;
using math::Mat3;
using math::Touch;
using math::Vec3;
using math::Wanted;
using Mat36 = Touch::Mat36;
using Row6 = Touch::Row6;

constexpr Eigen::Index kEuler = 3, kSpeed = 7, kMode = 13;
// With stiction or λ: the time, then what is kept in this order: t₀, whether all of this counts yet, the pose of I, and for each point z₀, s₀ and λ₀.
constexpr Eigen::Index kTime = 14, kKept = 15, kBegun = 16, kTouchPose = 17, kPoints = 24;
constexpr int kCommon = static_cast<int>(kPoints - kKept), kOfPoint = 7, kLambda = 6;

Mat3 rotation(double w, const Vec3& e) { return math::Quat(w, e.x(), e.y(), e.z()).toRotationMatrix(); }

bool is_plane(const math::Shape& s) { return s.kind == math::Shape::Kind::plane; }

// Of all solids of a side about its marker, planes left out.
double radius_of(const std::vector<math::Shape>& shapes) {
  double r = 0;
  for (const math::Shape& s : shapes) {
    if (!is_plane(s)) r = std::max(r, s.p.norm() + s.bound);
  }
  return r;
}

// What P = 1 − n nᵀ makes of a vector that moves by y_x while n moves by n_x.
Mat36 along_surface(const Vec3& y, const Mat36& y_x, const Vec3& n, const Mat36& n_x) {
  return y_x - n * (n.transpose() * y_x + y.transpose() * n_x) - n.dot(y) * n_x;
}

}  // namespace

int ContactData::points() const {
  int sum = 0;
  for (const math::Shape& a : i) {
    for (const math::Shape& b : j) sum += math::most_touches(a, b);
  }
  return sum;
}

int ContactData::memory_size() const { return kCommon + kOfPoint * points(); }

// I's frame in J's.
struct Contact::Place {
  Place(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j)
      : p(j.R.transpose() * (i.p - j.p)), R(j.R.transpose() * i.R) {}
  Place(const Vec3& at, const Mat3& axes) : p(at), R(axes) {}

  Vec3 p;
  Mat3 R;
};

// The same from signals.
struct Contact::Relative : Place {
  explicit Relative(const VecMap& s)
      : Place(s.head<3>(), rotation(s[kEuler], s.segment<3>(kEuler + 1))),
        e(s.segment<3>(kEuler + 1)),
        w(s[kEuler]) {}

  Vec3 e;
  double w;

  // Partials by the Euler parameters from those by the turn: δφ = 2 (w δe − e δw + e × δe).
  template <class Partials> void turn_to_parameters(const Partials& by_turn, MatMap& D) const {
    D.col(kEuler) += -2.0 * by_turn * e;
    D.middleCols<3>(kEuler + 1) += 2.0 * by_turn * (w * Mat3::Identity() + hat(e));
  }
  // From partials by the twist about the origin of J to those by (δp, δφ) of I's frame.
  template <class Partials> auto of_frame(const Partials& m) const {
    auto r = m.eval();
    r.template rightCols<3>() += m.template leftCols<3>() * hat(p);
    return r;
  }
};

Contact::Contact(ContactData data) : data_(std::move(data)) {
  radius_i_ = radius_of(data_.i);
  radius_j_ = radius_of(data_.j);
  only_planes_ = std::all_of(data_.i.begin(), data_.i.end(), is_plane) ||
                 std::all_of(data_.j.begin(), data_.j.end(), is_plane);
  planes_i_ = std::any_of(data_.i.begin(), data_.i.end(), is_plane);
  planes_j_ = std::any_of(data_.j.begin(), data_.j.end(), is_plane);
  int points = 0;
  for (const math::Shape& a : data_.i) {
    for (const math::Shape& b : data_.j) {
      first_point_.push_back(points);
      points += math::most_touches(a, b);
    }
  }
  if (data_.refining > 0) set_refining(points);
}

// λ acts over a gap that is small beside the solids.
void Contact::set_refining(int points) {
  constexpr double kPart = 0.05;
  const auto flat = [](const math::Shape& s) {
    return s.kind == math::Shape::Kind::circle || s.kind == math::Shape::Kind::curve;
  };
  refines_.assign(static_cast<std::size_t>(points), 0);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < pairs(); ++k) {
    const math::Shape &a = data_.i[k / data_.j.size()], &b = data_.j[k % data_.j.size()];
    const double radius = smaller_radius(k);
    if (!math::by_points(a, b) || flat(a) || flat(b) || !(radius > 0)) continue;
    least = std::min(least, radius);
    const int end = k + 1 < pairs() ? first_point_[k + 1] : points;
    std::fill(refines_.begin() + first_point_[k], refines_.begin() + end, 1);
  }
  if (!std::isfinite(least)) return;
  reach_ = kPart * least;
  radius_i_ += reach_;
  radius_j_ += reach_;
}

bool Contact::refines_all() const {
  return !refines_.empty() && std::all_of(refines_.begin(), refines_.end(), [](char r) { return r != 0; });
}

double Contact::apart_by(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j) const {
  const Vec3 p = i.p - j.p;
  double least = p.norm() - radius_i_ - radius_j_;
  if (only_planes_) least = std::numeric_limits<double>::infinity();
  // A plane is without end: what counts is the height over it.
  const auto over = [&](const math::Shape& s, const assembly::MarkerMotion& its, const Vec3& other,
                        double radius) {
    if (is_plane(s)) least = std::min(least, (its.R * s.R.col(2)).dot(other - its.R * s.p) - radius);
  };
  for (const math::Shape& s : data_.j) over(s, j, p, radius_i_);
  for (const math::Shape& s : data_.i) over(s, i, -p, radius_j_);
  return std::max(least, 0.0);
}

// Half of the least thickness: what passes through must move by about as much. Of a point or plane the other counts.
double Contact::smaller_radius(std::size_t pair) const {
  const auto inner = [](const math::Shape& s) {
    using K = math::Shape::Kind;
    switch (s.kind) {
      case K::point:
      case K::plane: return 0.0;
      case K::sphere:
      case K::circle: return s.radius;
      case K::box:
      case K::ellipsoid: return s.half.minCoeff();
      case K::frustum: return std::min(s.half.z(), std::max(s.low, s.high));
      case K::torus: return s.minor;
      default: break;
    }
    if (!s.mesh || s.mesh->nodes().empty()) return s.bound;
    const math::Bounds& box = s.mesh->nodes()[0].box;
    return 0.5 * (box.high - box.low).minCoeff();
  };
  const double a = inner(data_.i[pair / data_.j.size()]), b = inner(data_.j[pair % data_.j.size()]);
  return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

template <class Take> void Contact::each(const Place& at, Wanted wanted, const Take& take) const {
  struct Sink final : math::TouchSink {
    explicit Sink(const Take& to) : take_(to) {}
    void take(const Touch& t) override { take_(t, first + t.place); }
    int first = 0;

   private:
    const Take& take_;
  } sink(take);
  sink.reach = reach_;
  std::size_t pair = 0;
  for (const math::Shape& i : data_.i) {
    const math::Placed first{&i, at.p + at.R * i.p, at.R * i.R};
    for (const math::Shape& j : data_.j) {
      sink.first = first_point_[pair++];
      const math::Placed second{&j, j.p, j.R};
      const double reach = i.bound + j.bound + reach_;
      const bool has_gap = wanted == Wanted::gaps && math::by_points(i, j);
      if (!has_gap && (first.p - second.p).squaredNorm() > reach * reach) continue;
      math::touch(first, second, wanted, sink);
    }
  }
}

bool Contact::rubs(const VecMap& signals) const {
  return data_.friction &&
         !(data_.dynamics_only && assembly::is_static(static_cast<assembly::AnalysisMode>(signals[kMode])));
}

Contact::Normal Contact::normal(double depth, double closing) const {
  if (data_.poisson) {
    const double least = data_.restitution * data_.restitution;
    double part = closing > 0 ? 1.0 : least, slope = 0;
    if (const double u = 0.5 * (closing / data_.rebound_velocity + 1.0); u > 0 && u < 1) {
      part = least + (1.0 - least) * u * u * (3.0 - 2.0 * u);
      slope = (1.0 - least) * 3.0 * u * (1.0 - u) / data_.rebound_velocity;
    }
    const double elastic = data_.stiffness * depth;
    return {elastic * part, data_.stiffness * part, elastic * slope};
  }
  const double args[7] = {-depth, -closing, 0.0, data_.stiffness, data_.exponent, data_.damping, data_.dmax};
  double p[7];
  const double force = math::impact_partials(args, p, false);
  return {force, -p[0], -p[1]};
}

// The creep of a point before it is drawn back, and its derivatives by the pose of I's frame and by the slip.
struct Contact::Creep {
  Vec3 z = Vec3::Zero();
  Mat36 by_pose = Mat36::Zero();
  Mat3 by_slip = Mat3::Zero();
};

// How far the surfaces have slipped since the last state that was kept.
struct Contact::Way {
  Vec3 gone;
  Mat36 by_pose = Mat36::Zero();
  double by_slip = 0;
};

Contact::Creep Contact::creep(const Touch& t, int point, const Vec3& slip, const Relative& at,
                              const VecMap& signals) const {
  Creep c;
  if (data_.memory < 0 || data_.rubs.creep == 0.0) return c;
  const Eigen::Index place = kPoints + kOfPoint * point;
  const Vec3 z0 = signals.segment<3>(place), s0 = signals.segment<3>(place + 3);
  const Mat36 n_x = at.of_frame(t.n_x);
  c.z = z0 - t.n * t.n.dot(z0);
  c.by_pose = along_surface(z0, Mat36::Zero(), t.n, n_x);
  if (signals[kBegun] == 0.0) return c;
  const Way way = way_since(t, slip, at, signals, s0);
  const bool rests = assembly::is_static(static_cast<assembly::AnalysisMode>(signals[kMode]));
  const double a = slip.norm();
  const CountedPart part = rests ? CountedPart{} : counted_part(data_.rubs, s0.norm(), a);
  const Vec3 along = way.gone - t.n * t.n.dot(way.gone);
  c.z += part.value * along;
  c.by_pose += part.value * along_surface(way.gone, way.by_pose, t.n, n_x);
  c.by_slip = part.value * way.by_slip * (Mat3::Identity() - t.n * t.n.transpose());
  if (part.slope != 0.0) c.by_slip += part.slope / a * along * slip.transpose();
  return c;
}

Contact::Way Contact::way_since(const Touch& t, const Vec3& slip, const Relative& at, const VecMap& signals,
                                const Vec3& slip_before) const {
  constexpr double kRolls = 0.02;  // rad
  const Vec3 p0 = signals.segment<3>(kTouchPose), e0 = signals.segment<3>(kTouchPose + 4);
  const Mat3 back = rotation(signals[kTouchPose + 3], e0) * at.R.transpose();
  const double h = signals[kTime] - signals[kKept];
  const bool rests = assembly::is_static(static_cast<assembly::AnalysisMode>(signals[kMode]));
  const double twice_sine =
      Vec3(back(2, 1) - back(1, 2), back(0, 2) - back(2, 0), back(1, 0) - back(0, 1)).norm();
  if (!rests && h > 0.0 && (twice_sine > 2 * kRolls || back.trace() < 1))
    return {0.5 * h * (slip_before + slip), Mat36::Zero(), 0.5 * h};
  // Where the point of I that is at c now was then.
  const Vec3 arm = t.c - at.p;
  const Mat36 c_x = at.of_frame(t.c_x);
  Mat36 arm_x = c_x;  // less the turn of the frame
  arm_x.leftCols<3>() -= Mat3::Identity();
  arm_x.rightCols<3>() += hat(arm);
  return {t.c - (p0 + back * arm), c_x - back * arm_x, 0.0};
}

struct Contact::Refined {
  Normal law;
  double lambda = 0;  // at the end of the step
};

Contact::Refined Contact::refined(const Touch& t, int point, double closing, const VecMap& signals) const {
  constexpr double kLeft = 0.02;  // of the depth without λ
  const double K = data_.stiffness, before = signals[kPoints + kOfPoint * point + kLambda];
  const bool rests = assembly::is_static(static_cast<assembly::AnalysisMode>(signals[kMode]));
  const double h = rests || signals[kBegun] == 0.0 ? 0.0 : std::max(signals[kTime] - signals[kKept], 0.0);
  const double x = closing / data_.rebound_velocity, near = std::max(1 - x * x, 0.0);
  const double w = near * near, w_x = -4 * x * near, part = h / data_.refining;
  // λ = λ₀ + part w (K g − kLeft λ), between nothing and what its reach can hold.
  const double below = 1 + part * w * kLeft, free = (before + part * w * K * t.g) / below;
  const double most = K * reach_, lambda = std::clamp(free, 0.0, most);
  double by_g = 0, by_x = 0;
  if (lambda == free) {
    by_g = part * w * K / below;
    by_x = part * w_x * (K * t.g - kLeft * lambda) / below;
  }
  const double u = std::clamp(0.5 * (x + 1), 0.0, 1.0), q = 2 * u * u * (3 - 2 * u), q_x = 6 * u * (1 - u);
  const Normal penalty = t.g > 0 ? normal(t.g, closing) : Normal{K * t.g, K, 0};
  Refined r;
  r.law = {penalty.force + lambda * q, penalty.by_depth + by_g * q,
           penalty.by_closing + (by_x * q + lambda * q_x) / data_.rebound_velocity};
  r.lambda = lambda;
  if (r.law.force > 0) return r;
  return {};
}

// How both surfaces move at a touch, with derivatives by the pose of I's frame (x) and by (v, ω) (y), which are zero unless wanted.
struct Contact::Seen {
  Seen(const Touch& t, const Relative& at, const VecMap& signals, bool partials)
      : wanted(partials), a(t.c - at.p) {
    const Vec3 v = signals.segment<3>(kSpeed), w = signals.segment<3>(kSpeed + 3);
    u = v + w.cross(a);
    closing = -t.n.dot(u);
    slip = u + closing * t.n;
    if (!wanted) return;
    g_x = at.of_frame(t.g_x);
    n_x = at.of_frame(t.n_x);
    a_x = at.of_frame(t.c_x);
    a_x.leftCols<3>() -= Mat3::Identity();
    const Mat36 u_x = hat(w) * a_x;
    Mat36 u_y;
    u_y << Mat3::Identity(), -hat(a);
    closing_x = -u.transpose() * n_x - t.n.transpose() * u_x;
    closing_y = -t.n.transpose() * u_y;
    slip_x = u_x + t.n * closing_x + closing * n_x;
    slip_y = u_y + t.n * closing_y;
  }

  bool wanted;
  Vec3 a, u, slip;  // the point from I's marker, the velocity of I there
  double closing;
  Row6 g_x = Row6::Zero(), closing_x = Row6::Zero(), closing_y = Row6::Zero();
  Mat36 n_x = Mat36::Zero(), a_x = Mat36::Zero(), slip_x = Mat36::Zero(), slip_y = Mat36::Zero();
};

// N along n and the friction f, with derivatives; those by signals that only user code reads are columns beside them.
struct Contact::Force {
  double N = 0;
  Row6 N_x = Row6::Zero(), N_y = Row6::Zero();
  Vec3 f = Vec3::Zero(), f_N = Vec3::Zero();  // f_N: by N, which the others leave out
  Mat36 f_x = Mat36::Zero(), f_y = Mat36::Zero();
  Eigen::MatrixXd *N_user = nullptr, *f_user = nullptr;
};

namespace {

// Along the axes of a frame that turns with φ, R its axes.
Mat36 in_frame(const Mat3& R, const Vec3& y, Mat36 y_x) {
  y_x.rightCols<3>() += hat(y);
  return R.transpose() * y_x;
}

// Results × values; one for the normal force and one for friction of a thread.
Eigen::MatrixXd& user_partials(int which, Eigen::Index rows, const UserTouch& user, bool wanted) {
  thread_local Eigen::MatrixXd all[2];
  const auto columns = static_cast<Eigen::Index>(user.others().size()) + user.own();
  all[which].resize(wanted ? rows : 0, wanted ? columns : 0);
  return all[which];
}

}  // namespace

void Contact::press(const Touch& t, int point, const Seen& seen, const Relative& at, const VecMap& signals,
                    Force& force) const {
  if (!data_.user_normal) {
    const bool refines = !refines_.empty() && refines_[static_cast<std::size_t>(point)] != 0;
    if (!refines && t.g <= 0) return;
    const Normal law = refines ? refined(t, point, seen.closing, signals).law : normal(t.g, seen.closing);
    force.N = t.weight * law.force;
    force.N_x = t.weight * (law.by_depth * seen.g_x + law.by_closing * seen.closing_x);
    force.N_y = t.weight * law.by_closing * seen.closing_y;
    return;
  }
  Eigen::Matrix<double, kNormalValues, 1> y;
  y << at.R.transpose() * seen.a, at.R.transpose() * t.n, t.c, -t.n, -t.g, -seen.closing, t.area;
  Eigen::MatrixXd& by = user_partials(0, 1, *data_.user_normal, seen.wanted);
  data_.user_normal->at(y.data(), signals, {&force.N, 1}, by);
  force.N *= t.weight;
  if (!seen.wanted) return;
  by *= t.weight;
  Mat36 c_x = seen.a_x;
  c_x.leftCols<3>() += Mat3::Identity();
  Eigen::Matrix<double, kNormalValues, 6> y_x;
  y_x << in_frame(at.R, seen.a, seen.a_x), in_frame(at.R, t.n, seen.n_x), c_x, -seen.n_x, -seen.g_x,
      -seen.closing_x, at.of_frame(t.area_x);
  const Eigen::Matrix<double, 1, kNormalValues> by_own = by.leftCols<kNormalValues>();
  force.N_x = by_own * y_x;
  force.N_y = -by(0, 13) * seen.closing_y;
  force.N_user = &by;
}

void Contact::rub(const Touch& t, int point, const Seen& seen, const Relative& at, const VecMap& signals,
                  Force& force) const {
  const Creep crept = creep(t, point, seen.slip, at, signals);
  const Rubbing rub = rubbing(data_.rubs, seen.slip, crept.z);
  force.f = -force.N * rub.r;
  force.f_N = -rub.r;
  if (!seen.wanted) return;
  const Mat3 by_slip = rub.by_slip + rub.by_creep * crept.by_slip;
  force.f_x = -force.N * (by_slip * seen.slip_x + rub.by_creep * crept.by_pose);
  force.f_y = -force.N * by_slip * seen.slip_y;
}

void Contact::rub_by_user(const Touch& t, const Seen& seen, const Relative& at, const VecMap& signals,
                          Force& force) const {
  Eigen::Matrix<double, kFrictionValues, 1> y;
  y << at.R.transpose() * seen.a, t.c, seen.slip, force.N, t.area;
  Eigen::MatrixXd& by = user_partials(1, 3, *data_.user_friction, seen.wanted);
  data_.user_friction->at(y.data(), signals, {force.f.data(), 3}, by);
  if (!seen.wanted) return;
  Mat36 c_x = seen.a_x;
  c_x.leftCols<3>() += Mat3::Identity();
  const Eigen::Matrix<double, 3, kFrictionValues> own = by.leftCols<kFrictionValues>();
  force.f_N = own.col(9);
  force.f_x = own.leftCols<3>() * in_frame(at.R, seen.a, seen.a_x) + own.middleCols<3>(3) * c_x +
              own.middleCols<3>(6) * seen.slip_x + own.col(10) * at.of_frame(t.area_x);
  force.f_y = own.middleCols<3>(6) * seen.slip_y;
  force.f_user = &by;
}

// Of a volume, about I's marker, with derivatives by the pose of I's frame and by (v, ω).
struct Contact::Wrench {
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  Eigen::Matrix<double, 6, 1> value = Eigen::Matrix<double, 6, 1>::Zero();
  Mat6 by_pose = Mat6::Zero(), by_speed = Mat6::Zero();
};

// F (g, ġ) along −g_ξ; `force` gets the size of what pushes, for friction.
Contact::Wrench Contact::press_volume(const Touch& t, const Relative& at, const VecMap& signals,
                                      Force& force) const {
  const Vec3 v = signals.segment<3>(kSpeed), w = signals.segment<3>(kSpeed + 3);
  Eigen::Matrix<double, 6, 1> twist;  // about the origin of J
  twist << v - w.cross(at.p), w;
  const Normal law = normal(t.g, t.g_x.dot(twist));
  const Vec3 along = t.g_x.head<3>(), about = t.g_x.tail<3>();
  const double size = along.norm();
  force.N = law.force * size;
  Wrench r;
  Eigen::Matrix<double, 6, 1> grow;  // g_ξ about I's marker
  grow << along, about - at.p.cross(along);
  r.value = -law.force * grow;
  const Row6 g_x = at.of_frame(t.g_x);
  const Wrench::Mat6 g_xx = at.of_frame(t.region->g_xx);
  Row6 rate_x = twist.transpose() * g_xx;
  rate_x.head<3>() -= along.transpose() * hat(w);
  const Row6 N_x = law.by_depth * g_x + law.by_closing * rate_x, N_y = law.by_closing * g_x;
  force.N_x = size * N_x - law.force * t.n.transpose() * g_xx.topRows<3>();
  force.N_y = size * N_y;
  Wrench::Mat6 grow_x = g_xx;
  grow_x.bottomRows<3>() -= hat(at.p) * g_xx.topRows<3>();
  grow_x.bottomLeftCorner<3, 3>() += hat(along);
  r.by_pose = -grow * N_x - law.force * grow_x;
  r.by_speed = -grow * N_y;
  damp_tilt(t, at, law, w, rate_x, r);
  return r;
}

void Contact::damp_tilt(const Touch& t, const Relative& at, const Normal& law, const Vec3& w,
                        const Row6& rate_x, Wrench& r) const {
  if (data_.poisson || data_.damping == 0.0 || law.force == 0.0) return;
  double s = 1, s_g = 0;
  if (t.g < data_.dmax) {
    const double u = t.g / data_.dmax;
    s = u * u * (3 - 2 * u);
    s_g = 6 * u * (1 - u) / data_.dmax;
  }
  double q = 1, q_g = 0, q_rate = 0;
  if (const double elastic = data_.stiffness * std::pow(t.g, data_.exponent); law.force < elastic) {
    q = law.force / elastic;
    q_g = law.by_depth / elastic - q * data_.exponent / t.g;
    q_rate = law.by_closing / elastic;
  }
  const Mat3& tilt = t.region->tilt;
  const double c = data_.damping * s * q;
  const Vec3 turned = tilt * w;
  r.value.tail<3>() -= c * turned;
  const Row6 g_x = at.of_frame(t.g_x),
             c_x = data_.damping * ((s_g * q + s * q_g) * g_x + s * q_rate * rate_x);
  const Eigen::Matrix<double, 9, 6> tilt_x = at.of_frame(t.region->tilt_x);
  Mat36 turned_x;
  for (int k = 0; k < 6; ++k) turned_x.col(k) = Eigen::Map<const Mat3>(tilt_x.col(k).data()) * w;
  r.by_pose.bottomRows<3>() -= turned * c_x + c * turned_x;
  r.by_speed.bottomRows<3>() -= data_.damping * s * q_rate * turned * g_x;
  r.by_speed.bottomRightCorner<3, 3>() -= c * tilt;
}

void Contact::rub_spin(const Touch& t, const Relative& at, const Force& force, const Vec3& w, bool wanted,
                       Wrench& r) const {
  constexpr double kMean = 0.94;  // mean distance over √ of the mean square: a disc's 0.943, a square's 0.937
  const double square = t.region->tilt.trace();
  if (!(square > 0)) return;
  const double R = std::sqrt(square), spin = t.n.dot(w);
  const Rubbing rub = rubbing(data_.rubs, Vec3(R * spin, 0, 0), Vec3::Zero());
  const double m = rub.r.x(), slope = rub.by_slip(0, 0);
  const double arm = kMean * R * m, N = force.N;
  r.value.tail<3>() -= N * arm * t.n;
  if (!wanted) return;
  const Mat36 n_x = at.of_frame(t.n_x);
  const Eigen::Matrix<double, 9, 6> tilt_x = at.of_frame(t.region->tilt_x);
  const Row6 R_x = (tilt_x.row(0) + tilt_x.row(4) + tilt_x.row(8)) / (2 * R);
  const Row6 arm_x = kMean * ((m + R * slope * spin) * R_x + R * R * slope * w.transpose() * n_x);
  r.by_pose.bottomRows<3>() -= t.n * (arm * force.N_x + N * arm_x) + N * arm * n_x;
  r.by_speed.bottomRows<3>() -= t.n * (arm * force.N_y);
  r.by_speed.bottomRightCorner<3, 3>() -= kMean * N * R * R * slope * t.n * t.n.transpose();
}

void Contact::add_touch(const Touch& t, int point, const Relative& at, const VecMap& signals, bool rubs,
                        VecMap& c, MatMap& D) const {
  const Seen seen(t, at, signals, D.size() != 0);
  Force force;
  const bool volume = t.region && !data_.user_normal;
  Wrench push;
  if (volume) push = press_volume(t, at, signals, force);
  else press(t, point, seen, at, signals, force);
  if (force.N == 0.0 && (t.g <= 0 || (!data_.user_normal && !data_.user_friction))) return;
  if (data_.user_friction) rub_by_user(t, seen, at, signals, force);
  else if (rubs) rub(t, point, seen, at, signals, force);
  if (volume && rubs && !data_.user_friction)
    rub_spin(t, at, force, signals.segment<3>(kSpeed + 3), seen.wanted, push);
  const Vec3& a = seen.a;
  const Vec3 n = volume ? Vec3(Vec3::Zero()) : t.n;  // that of a volume is in its wrench
  const Vec3 f = force.N * n + force.f;
  c.head<3>() += push.value.head<3>() + f;
  c.segment<3>(3) += push.value.tail<3>() + a.cross(f);
  if (!seen.wanted) return;
  const Vec3 way = n + force.f_N;  // of the force as N grows
  Mat36 f_x = way * force.N_x + force.f_x;
  if (!volume) f_x += force.N * seen.n_x;
  const Mat36 f_y = way * force.N_y + force.f_y;
  Eigen::Matrix<double, 6, 6> by_x, by_y;
  by_x << f_x, hat(a) * f_x - hat(f) * seen.a_x;
  by_y << f_y, hat(a) * f_y;
  by_x += push.by_pose;
  by_y += push.by_speed;
  D.leftCols<3>() += by_x.leftCols<3>();
  at.turn_to_parameters(by_x.rightCols<3>(), D);
  D.middleCols<6>(kSpeed) += by_y;
  const auto add_by_signal = [&](const UserTouch& user, std::size_t k, const Vec3& by) {
    D.col(user.others()[k]).head<3>() += by;
    D.col(user.others()[k]).segment<3>(3) += a.cross(by);
  };
  for (std::size_t k = 0; force.N_user && k < data_.user_normal->others().size(); ++k)
    add_by_signal(*data_.user_normal, k,
                  way * (*force.N_user)(0, kNormalValues + static_cast<Eigen::Index>(k)));
  for (std::size_t k = 0; force.f_user && k < data_.user_friction->others().size(); ++k)
    add_by_signal(*data_.user_friction, k, force.f_user->col(kFrictionValues + static_cast<Eigen::Index>(k)));
}

void Contact::add(const VecMap& signals, VecMap out, MatMap D) const {
  const Relative at(signals);
  const bool rub = rubs(signals);
  each(at, D.size() != 0 ? Wanted::partials : Wanted::touches,
       [&](const Touch& t, int point) { add_touch(t, point, at, signals, rub, out, D); });
}

// Volumes of meshes share a point: what the deepest of them kept is as good as any.
void Contact::keep(const VecMap& signals, std::vector<std::pair<int, double>>& kept) const {
  const Relative at(signals);
  const int points = data_.points();
  const auto put = [&](Eigen::Index signal, double value) {
    kept.emplace_back(data_.memory + static_cast<int>(signal - kKept), value);
  };
  put(kKept, signals[kTime]);
  put(kBegun, 1.0);
  for (Eigen::Index k = 0; k < 7; ++k) put(kTouchPose + k, signals[k]);
  for (Eigen::Index k = 0; k < kOfPoint * points; ++k) put(kPoints + k, 0.0);
  const bool sticks = rubs(signals) && data_.rubs.creep > 0;
  if (!sticks && refines_.empty()) return;
  const Vec3 v = signals.segment<3>(kSpeed), w = signals.segment<3>(kSpeed + 3);
  each(at, Wanted::touches, [&](const Touch& t, int point) {
    const Vec3 u = v + w.cross(t.c - at.p), slip = u - t.n * t.n.dot(u);
    if (!refines_.empty() && refines_[static_cast<std::size_t>(point)] != 0) {
      const double lambda = refined(t, point, -t.n.dot(u), signals).lambda;
      put(kPoints + kOfPoint * point + kLambda, lambda);
      if (t.g <= 0 && lambda == 0.0) return;
    } else if (t.g <= 0) {
      return;  // told because others reach farther
    }
    if (!sticks) return;
    const Vec3 z = drawn_back(data_.rubs, creep(t, point, slip, at, signals).z, slip.norm());
    for (int k = 0; k < 3; ++k) {
      put(kPoints + kOfPoint * point + k, z[k]);
      put(kPoints + kOfPoint * point + 3 + k, slip[k]);
    }
  });
}

double Contact::potential(const VecMap& signals) const {
  double sum = 0;
  if (data_.user_normal) return sum;
  each(Relative(signals), Wanted::touches, [&](const Touch& t, int) {
    if (t.g > 0) sum += t.weight * data_.stiffness * std::pow(t.g, data_.exponent + 1) / (data_.exponent + 1);
  });
  return sum;
}

double Contact::stored_power(const VecMap& signals) const {
  const Relative at(signals);
  const Vec3 v = signals.segment<3>(kSpeed), w = signals.segment<3>(kSpeed + 3);
  Eigen::Matrix<double, 6, 1> twist;  // about the origin of J
  twist << v - w.cross(at.p), w;
  double sum = 0;
  each(at, Wanted::partials, [&](const Touch& t, int) {
    if (t.g > 0) sum += t.weight * data_.stiffness * std::pow(t.g, data_.exponent) * t.g_x.dot(twist);
  });
  return sum;
}

Eigen::Index Contact::read_size() const {
  for (const auto& user : {data_.user_normal, data_.user_friction}) {
    if (user && !user->others().empty()) return 0;
  }
  return kMode;
}

void Contact::read(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j, VecMap& signals) const {
  const Place at(i, j);
  const math::Quat turn(at.R);
  signals.head<3>() = at.p;
  signals[kEuler] = turn.w();
  signals.segment<3>(kEuler + 1) = turn.vec();
  signals.segment<3>(kSpeed) = j.R.transpose() * (i.v - j.v - j.w.cross(i.p - j.p));
  signals.segment<3>(kSpeed + 3) = j.R.transpose() * (i.w - j.w);
}

bool Contact::acts(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j) const {
  const Place at(i, j);
  for (const math::Shape& a : data_.i) {
    const math::Placed first{&a, at.p + at.R * a.p, at.R * a.R};
    for (const math::Shape& b : data_.j) {
      const double reach = a.bound + b.bound + reach_;
      if ((first.p - b.p).squaredNorm() <= reach * reach && math::may_touch(first, {&b, b.p, b.R}, reach_))
        return true;
    }
  }
  return false;
}

void Contact::penetrations(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j,
                           double* all) const {
  struct Most final : math::TouchSink {
    void take(const Touch& t) override { value = std::max(value, t.g); }
    double value = 0;
  } most;
  const Place at(i, j);
  for (const math::Shape& a : data_.i) {
    const math::Placed first{&a, at.p + at.R * a.p, at.R * a.R};
    for (const math::Shape& b : data_.j) {
      const math::Placed second{&b, b.p, b.R};
      const bool by_points = math::by_points(a, b);
      const double balls = (first.p - second.p).norm() - a.bound - b.bound;
      if (!by_points && balls > 0) {
        *all++ = -balls;
        continue;
      }
      most.value = -std::numeric_limits<double>::infinity();
      math::touch(first, second, Wanted::gaps, most);
      if (std::isfinite(most.value)) *all++ = most.value;
      else if (by_points) *all++ = 0;
      else *all++ = is_plane(a) ? -math::boxes_apart(second, first) : -math::boxes_apart(first, second);
    }
  }
}

Contact::Relation Contact::relation(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j) {
  const Place at(i, j);
  return {at.p, j.R.transpose() * (i.v - j.v - j.w.cross(i.p - j.p)), j.R.transpose() * (i.w - j.w), at.R};
}

double Contact::gap(std::size_t pair, const Vec3& p, const Mat3& R, double enough) const {
  const math::Shape &a = data_.i[pair / data_.j.size()], &b = data_.j[pair % data_.j.size()];
  return math::gap({&a, p + R * a.p, R * a.R}, {&b, b.p, b.R}, enough);
}

double Contact::push(double depth, double rate) const {
  if (data_.user_normal) return std::numeric_limits<double>::infinity();
  return depth > 0 ? normal(depth, rate).force : 0.0;
}

// Points of I move by its marker and about it; or, as fast, those of J seen from I.
double Contact::pace(const Relation& at) const {
  const double turn = at.w.norm(), i = at.v.norm() + turn * radius_i_,
               j = (at.v - at.w.cross(at.p)).norm() + turn * radius_j_;
  if (planes_i_ == planes_j_) return planes_i_ ? std::max(i, j) : std::min(i, j);
  return planes_i_ ? j : i;
}

// A cubic's rate lies between those at its ends and a third that its chord gives. Of the two solids the one that moves less against the
// other counts.
double Contact::way(std::size_t pair, const Relation& from, const Relation& to, const Vec3& turn,
                    double h) const {
  const math::Shape &a = data_.i[pair / data_.j.size()], &b = data_.j[pair % data_.j.size()];
  const double angle =
      std::max({h * from.w.norm(), h * to.w.norm(), (3 * turn - h * (from.w + to.w)).norm()});
  const auto most = [&](const Vec3& chord, const Vec3& first, const Vec3& last, double bound) {
    const double across =
        std::max({h * first.norm(), h * last.norm(), (3 * chord - h * (first + last)).norm()});
    return across + (angle > 0 ? angle * bound : 0.0);
  };
  const auto in_j = [&](const Relation& at) { return Vec3(at.v + at.w.cross(at.R * a.p)); };
  const auto in_i = [&](const Relation& at) {
    return Vec3(at.R.transpose() * (at.w.cross(at.p - b.p) - at.v));
  };
  const double i = most(to.p + to.R * a.p - from.p - from.R * a.p, in_j(from), in_j(to), a.bound);
  const double j = most(to.R.transpose() * (b.p - to.p) - from.R.transpose() * (b.p - from.p), in_i(from),
                        in_i(to), b.bound);
  return std::min(i, j);
}

std::vector<Signal> contact_signals(MarkerId i, MarkerId j, const ContactData& data,
                                    const assembly::Layout& layout, const assembly::MarkerTable& table) {
  std::vector<Signal> all = displacements(i, j, -1, layout, table);
  all.resize(3);
  for (int k = 0; k < 4; ++k)
    all.push_back(Signal::of(make_measure(MeasureKind::euler_parameter, k, {i, j, j, j}, layout, table)));
  for (Signal& rate : velocities(i, j, layout, table)) all.push_back(std::move(rate));
  Signal mode;
  mode.kind = Signal::Kind::mode;
  all.push_back(std::move(mode));
  if (data.memory < 0) return all;
  all.emplace_back();  // the time
  for (int k = 0; k < data.memory_size(); ++k) {
    Signal kept;
    kept.kind = Signal::Kind::memory;
    kept.place = data.memory + k;
    all.push_back(std::move(kept));
  }
  return all;
}

}  // namespace trunnion::elements
