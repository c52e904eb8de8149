#include "elements/made_up.hpp"

#include <array>
#include <cmath>

namespace trunnion::elements::test {
namespace {

using assembly::Level;
using assembly::MarkerMotion;
using assembly::MatMap;
using assembly::Seat;
using assembly::State;
using assembly::Twist;

// A value and its derivative in one direction; T may be such a number itself.
template <class T> struct Nested {
  T v{}, d{};
  Nested() = default;
  Nested(double x) : v(x) {}
  Nested(const T& value, const T& derivative) : v(value), d(derivative) {}
};
template <class T> Nested<T> operator+(const Nested<T>& a, const Nested<T>& b) {
  return {a.v + b.v, a.d + b.d};
}
template <class T> Nested<T> operator-(const Nested<T>& a, const Nested<T>& b) {
  return {a.v - b.v, a.d - b.d};
}
template <class T> Nested<T> operator*(const Nested<T>& a, const Nested<T>& b) {
  return {a.v * b.v, a.d * b.v + a.v * b.d};
}
using std::cos;
using std::sin;
template <class T> Nested<T> cos(const Nested<T>& x);
template <class T> Nested<T> sin(const Nested<T>& x) { return {sin(x.v), cos(x.v) * x.d}; }
template <class T> Nested<T> cos(const Nested<T>& x) { return {cos(x.v), T(0.0) - sin(x.v) * x.d}; }

template <class T> struct Three { T x{}, y{}, z{}; };
template <class T> Three<T> as(const Vec3& a) { return {T(a.x()), T(a.y()), T(a.z())}; }
template <class T> Three<T> operator+(const Three<T>& a, const Three<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T> Three<T> operator*(const T& s, const Three<T>& a) { return {s * a.x, s * a.y, s * a.z}; }
template <class T> T dot(const Three<T>& a, const Three<T>& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T> Three<T> cross(const Three<T>& a, const Three<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vec3 plain(const Three<double>& a) { return {a.x, a.y, a.z}; }
Vec3 slope(const Three<Nested<double>>& a) { return {a.x.d, a.y.d, a.z.d}; }
Vec3 second_slope(const Three<Nested<Nested<double>>>& a) { return {a.x.d.d, a.y.d.d, a.z.d.d}; }

// Columns are the axes.
template <class T> struct Axes {
  Three<T> x, y, z;
  Three<T> operator*(const Three<T>& a) const { return a.x * x + a.y * y + a.z * z; }
};
// exp(angle u) a for a unit vector u.
template <class T> Three<T> turned(const T& angle, const Vec3& u, const Vec3& a) {
  return as<T>(a) + sin(angle) * as<T>(u.cross(a)) + (T(1.0) - cos(angle)) * as<T>(u.cross(u.cross(a)));
}

template <class T> struct Pose {
  std::array<Axes<T>, 2> R;  // of the nodes
  std::array<T, 2> eta{};    // amplitudes
};
template <class T> struct Velocity { Three<T> v, w; };

constexpr int kMost = 12;
template <class T> using Rates = std::array<T, kMost>;  // ẋ, ω of each node, then amplitudes

Rates<double> unit(int k) {
  Rates<double> e{};
  e[static_cast<std::size_t>(k)] = 1.0;
  return e;
}
template <class T> Rates<Nested<T>> held(const Rates<T>& r) {
  Rates<Nested<T>> out;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = {r[k], T(0.0)};
  return out;
}
template <class T> Three<T> triple(const Rates<T>& r, std::size_t first) {
  return {r[first], r[first + 1], r[first + 2]};
}

// Shape: kNodes, kModes, shape.velocity(pose, rates), shape.place(pose, origins, motion).
template <class Shape> class MadeUp final : public assembly::Carrier {
 public:
  MadeUp(std::array<BlockId, 2> blocks, const Shape& shape) : blocks_(blocks), shape_(shape) {}

  std::span<const BlockId> blocks(const assembly::MarkerDef&) const override { return blocks_; }
  int kept() const override { return sizeof(Kept) / sizeof(double); }

  void move(const Seat& seat, const State& state, Level, MarkerMotion& m) const override {
    Kept& k = kept_in(seat);
    std::array<Vec3, 2> x;
    int n = 0;
    for (int b = 0; b < 2; ++b) {
      const assembly::Block& block = seat.layout->block(blocks_[static_cast<std::size_t>(b)]);
      for (int i = 0; i < block.size; ++i, ++n) {
        k.v[static_cast<std::size_t>(n)] = state.v[block.offset + i];
        k.a[static_cast<std::size_t>(n)] = state.a[block.offset + i];
      }
      if (b < Shape::kNodes) {
        const assembly::Pose at = assembly::pose(*seat.layout, blocks_[static_cast<std::size_t>(b)], state.q);
        const Mat3 R = at.R.toRotationMatrix();
        x[static_cast<std::size_t>(b)] = at.x;
        k.pose.R[static_cast<std::size_t>(b)] = {as<double>(R.col(0)), as<double>(R.col(1)),
                                                 as<double>(R.col(2))};
      } else {
        for (std::size_t i = 0; i < 2; ++i) k.pose.eta[i] = state.q[block.pose_offset + static_cast<int>(i)];
      }
    }
    shape_.place(k.pose, x, *seat.def, m);
    for (int i = 0; i < kSize; ++i) k.J[static_cast<std::size_t>(i)] = shape_.velocity(k.pose, unit(i));
    const Velocity<double> rate = shape_.velocity(k.pose, k.v), jump = shape_.velocity(k.pose, k.a);
    const auto bend = shape_.velocity(moved(k.pose, k.v), held(k.v));
    m.v = plain(rate.v);
    m.w = plain(rate.w);
    m.a = plain(jump.v) + slope(bend.v);
    m.alpha = plain(jump.w) + slope(bend.w);
  }
  Twist twist(const Seat& seat, int block, int entry) const override {
    const Velocity<double>& column = kept_in(seat).J[static_cast<std::size_t>(6 * block + entry)];
    return {plain(column.v), plain(column.w)};
  }
  void pull(const Seat& seat, const Vec3& f, const Vec3& tau, double* row,
            const int* columns) const override {
    const Kept& k = kept_in(seat);
    add(row, columns, [&](int i) {
      const Velocity<double>& column = k.J[static_cast<std::size_t>(i)];
      return f.dot(plain(column.v)) + tau.dot(plain(column.w));
    });
  }
  void curvature(const Seat& seat, const Vec3& f, const Vec3& tau, MatMap& H,
                 const int* columns) const override {
    const Kept& k = kept_in(seat);
    for (int c = 0; c < kSize; ++c) {
      const auto pose = moved(k.pose, unit(c));
      add(H.col(columns[c / 6] + c % 6).data(), columns, [&](int i) {
        const auto along = shape_.velocity(pose, held(unit(i)));
        return f.dot(slope(along.v)) + tau.dot(slope(along.w));
      });
    }
  }
  void rate_in_q(const Seat& seat, const Vec3& f_v, const Vec3& f_w, double* row,
                 const int* columns) const override {
    const Kept& k = kept_in(seat);
    add(row, columns, [&](int i) {
      const auto along = shape_.velocity(moved(k.pose, unit(i)), held(k.v));
      return f_v.dot(slope(along.v)) + f_w.dot(slope(along.w));
    });
  }
  // a = J q̈ + d/ds J(q ⊕ s q̇) q̇
  void acceleration_in_q(const Seat& seat, const Vec3& f_a, const Vec3& f_alpha, double* row,
                         const int* columns) const override {
    const Kept& k = kept_in(seat);
    add(row, columns, [&](int i) {
      const auto pose = moved(k.pose, unit(i));
      const auto jump = shape_.velocity(pose, held(k.a));
      const auto bend = shape_.velocity(moved(pose, held(k.v)), held(held(k.v)));
      return f_a.dot(slope(jump.v) + second_slope(bend.v)) +
             f_alpha.dot(slope(jump.w) + second_slope(bend.w));
    });
  }
  void acceleration_in_v(const Seat& seat, const Vec3& f_a, const Vec3& f_alpha, double* row,
                         const int* columns) const override {
    const Kept& k = kept_in(seat);
    Pose<Nested<double>> still;
    for (std::size_t b = 0; b < 2; ++b) still.R[b] = axes_held(k.pose.R[b]);
    for (std::size_t i = 0; i < 2; ++i) still.eta[i] = {k.pose.eta[i], 0.0};
    add(row, columns, [&](int i) {
      Rates<Nested<double>> faster = held(k.v);
      faster[static_cast<std::size_t>(i)].d = 1.0;
      const auto bend = shape_.velocity(moved(still, faster), held(faster));
      return f_a.dot(second_slope(bend.v)) + f_alpha.dot(second_slope(bend.w));
    });
  }

 private:
  static constexpr int kSize = 6 * Shape::kNodes + Shape::kModes;
  struct Kept {
    Pose<double> pose;
    Rates<double> v, a;
    std::array<Velocity<double>, kMost> J;
  };
  static Kept& kept_in(const Seat& seat) { return *reinterpret_cast<Kept*>(seat.kept); }

  static Three<Nested<double>> held_three(const Three<double>& a) {
    return {{a.x, 0.0}, {a.y, 0.0}, {a.z, 0.0}};
  }
  static Axes<Nested<double>> axes_held(const Axes<double>& R) {
    return {held_three(R.x), held_three(R.y), held_three(R.z)};
  }
  // The pose with its derivative where it moves at these rates: Ṙ = R ω̂.
  template <class T> static Pose<Nested<T>> moved(const Pose<T>& pose, const Rates<T>& rates) {
    Pose<Nested<T>> out;
    const auto join = [](const Three<T>& a, const Three<T>& d) {
      return Three<Nested<T>>{{a.x, d.x}, {a.y, d.y}, {a.z, d.z}};
    };
    for (std::size_t b = 0; b < Shape::kNodes; ++b) {
      const Axes<T>& R = pose.R[b];
      const Three<T> w = R * triple(rates, 6 * b + 3);
      out.R[b] = {join(R.x, cross(w, R.x)), join(R.y, cross(w, R.y)), join(R.z, cross(w, R.z))};
    }
    for (std::size_t i = 0; i < Shape::kModes; ++i) out.eta[i] = {pose.eta[i], rates[6 * Shape::kNodes + i]};
    return out;
  }
  template <class F> static void add(double* row, const int* columns, const F& entry) {
    for (int i = 0; i < kSize; ++i) row[columns[i / 6] + i % 6] += entry(i);
  }

  std::array<BlockId, 2> blocks_;
  Shape shape_;
};

struct Modal : ModalShape {
  static constexpr int kNodes = 1, kModes = 2;

  template <class T> Three<T> arm(const Pose<T>& at) const {
    const T &a = at.eta[0], &b = at.eta[1];
    return as<T>(p0) + a * as<T>(s1) + b * as<T>(s2) + (a * b) * as<T>(s12);
  }
  template <class T> Velocity<T> velocity(const Pose<T>& at, const Rates<T>& r) const {
    const T &a = at.eta[0], &b = at.eta[1], &a_dot = r[6], &b_dot = r[7];
    const Axes<T>& R = at.R[0];
    const Three<T> w = triple(r, 3);
    const Three<T> bend = a_dot * as<T>(s1) + b_dot * as<T>(s2) + (a_dot * b + a * b_dot) * as<T>(s12);
    return {triple(r, 0) + R * (cross(w, arm(at)) + bend),
            R * (w + a_dot * as<T>(u1) + b_dot * turned(a, u1, u2))};
  }
  void place(const Pose<double>& at, const std::array<Vec3, 2>& x, const assembly::MarkerDef& def,
             MarkerMotion& m) const {
    const Axes<double>& R = at.R[0];
    m.p = x[0] + plain(R * arm(at));
    const Mat3 A = math::so3_exp(at.eta[0] * u1) * math::so3_exp(at.eta[1] * u2) * def.R_BM;
    for (int c = 0; c < 3; ++c) m.R.col(c) = plain(R * as<double>(A.col(c)));
  }
};

struct Between : BetweenShape {
  static constexpr int kNodes = 2, kModes = 0;

  template <class T> Velocity<T> velocity(const Pose<T>& at, const Rates<T>& r) const {
    const Axes<T>&R_a = at.R[0], &R_b = at.R[1];
    const Three<T> w_a = triple(r, 3), w_b = triple(r, 9);
    const Three<T> v_a = triple(r, 0) + R_a * cross(w_a, as<T>(s_a)),
                   v_b = triple(r, 6) + R_b * cross(w_b, as<T>(s_b));
    const T theta_dot = T(kappa) * (dot(R_a * cross(w_a, as<T>(e_a)), R_b * as<T>(e_b)) +
                                    dot(R_a * as<T>(e_a), R_b * cross(w_b, as<T>(e_b))));
    return {T(1.0 - xi) * v_a + T(xi) * v_b, R_a * (w_a + theta_dot * as<T>(u))};
  }
  void place(const Pose<double>& at, const std::array<Vec3, 2>& x, const assembly::MarkerDef& def,
             MarkerMotion& m) const {
    const Axes<double>&R_a = at.R[0], &R_b = at.R[1];
    m.p = (1.0 - xi) * (x[0] + plain(R_a * as<double>(s_a))) + xi * (x[1] + plain(R_b * as<double>(s_b)));
    const double theta = kappa * dot(R_a * as<double>(e_a), R_b * as<double>(e_b));
    const Mat3 A = math::so3_exp(theta * u) * def.R_BM;
    for (int c = 0; c < 3; ++c) m.R.col(c) = plain(R_a * as<double>(A.col(c)));
  }
};

}  // namespace

std::shared_ptr<const assembly::Carrier> modal_carrier(BlockId frame, BlockId modes,
                                                       const ModalShape& shape) {
  return std::make_shared<MadeUp<Modal>>(std::array{frame, modes}, Modal{shape});
}

std::shared_ptr<const assembly::Carrier> between_carrier(BlockId a, BlockId b, const BetweenShape& shape) {
  return std::make_shared<MadeUp<Between>>(std::array{a, b}, Between{shape});
}

}  // namespace trunnion::elements::test
