#include "elements/contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/impact.hpp"

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

}  // namespace

// The motion of I's frame against J's, along J.
struct Contact::Relative {
  explicit Relative(const VecMap& s)
      : p(s.head<3>()),
        e(s.segment<3>(kEuler + 1)),
        w(s[kEuler]),
        R(math::Quat(w, e.x(), e.y(), e.z()).toRotationMatrix()) {}

  Vec3 p, e;
  double w;
  Mat3 R;

  // Partials by the Euler parameters from those by the turn: δφ = 2 (w δe − e δw + e × δe).
  template <class Partials> void turn_to_parameters(const Partials& by_turn, MatMap& D) const {
    D.col(kEuler) += -2.0 * by_turn * e;
    D.middleCols<3>(kEuler + 1) += 2.0 * by_turn * (w * Mat3::Identity() + hat(e));
  }
  Vec3 turning(const VecMap& rates) const {
    const Vec3 de = rates.segment<3>(kEuler + 1);
    return 2.0 * (w * de - e * rates[kEuler] + e.cross(de));
  }
};

Contact::Contact(ContactData data) : data_(std::move(data)) {
  const auto radius = [](const std::vector<math::Shape>& shapes) {
    double r = 0;
    for (const math::Shape& s : shapes) {
      if (s.kind != math::Shape::Kind::plane) r = std::max(r, s.p.norm() + s.bound);
    }
    return r;
  };
  radius_i_ = radius(data_.i);
  radius_j_ = radius(data_.j);
  plane_i_ = std::any_of(data_.i.begin(), data_.i.end(),
                         [](const math::Shape& s) { return s.kind == math::Shape::Kind::plane; });
}

double Contact::apart_by(const Vec3& p) const {
  if (plane_i_) return 0;  // it turns with I
  double least = std::numeric_limits<double>::infinity();
  for (const math::Shape& j : data_.j) {
    const bool plane = j.kind == math::Shape::Kind::plane;
    least = std::min(least, plane ? (p - j.p).dot(j.R.col(2)) - radius_i_ : p.norm() - radius_i_ - radius_j_);
  }
  return std::max(least, 0.0);
}

// Of the solids themselves: what passes through the smallest must move by about as much.
double Contact::smaller_radius() const {
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<math::Shape>* side : {&data_.i, &data_.j}) {
    for (const math::Shape& s : *side) {
      if (s.bound > 0) least = std::min(least, s.bound);  // of a point the other side counts
    }
  }
  return least;
}

void Contact::each(const Relative& at, Wanted wanted, math::TouchSink& sink) const {
  for (const math::Shape& i : data_.i) {
    const math::Placed first{&i, at.p + at.R * i.p, at.R * i.R};
    for (const math::Shape& j : data_.j) {
      const math::Placed second{&j, j.p, j.R};
      const double reach = i.bound + j.bound;
      const bool has_gap = wanted == Wanted::gaps && math::by_points(i, j);
      if (!has_gap && (first.p - second.p).squaredNorm() > reach * reach) continue;
      math::touch(first, second, wanted, sink);
    }
  }
}

Contact::Friction Contact::friction(double s) const {
  const double vs = data_.stiction_velocity, vd = data_.friction_velocity;
  if (s < vs) {
    const double x = s / vs;
    return {data_.mu_static * (1.5 - 0.5 * x * x) / vs, -data_.mu_static * x / (vs * vs)};
  }
  double mu = data_.mu_dynamic, slope = 0;
  if (s < vd) {
    const double u = (s - vs) / (vd - vs), rise = data_.mu_dynamic - data_.mu_static;
    mu = data_.mu_static + rise * u * u * (3 - 2 * u);
    slope = rise * 6 * u * (1 - u) / (vd - vs);
  }
  return {mu / s, (slope - mu / s) / s};
}

void Contact::add(const VecMap& signals, VecMap out, MatMap D) const {
  const Relative at(signals);
  const bool partials = D.size() != 0;
  const bool rubs =
      data_.friction &&
      !(data_.dynamics_only && assembly::is_static(static_cast<assembly::AnalysisMode>(signals[kMode])));

  struct Forces final : math::TouchSink {
    Forces(const Contact& law, const Relative& motion, const VecMap& s, bool friction, VecMap& c, MatMap& by)
        : law_(law),
          at_(motion),
          v_(s.segment<3>(kSpeed)),
          w_(s.segment<3>(kSpeed + 3)),
          rubs_(friction),
          c_(c),
          D_(by) {}

    void take(const Touch& t) override {
      const ContactData& d = law_.data_;
      const Vec3 a = t.c - at_.p;
      const Vec3 u = v_ + w_.cross(a);
      const double closing = -t.n.dot(u);
      const double args[7] = {-t.g, -closing, 0.0, d.stiffness, d.exponent, d.damping, d.dmax};
      double p[7];
      const double N = t.weight * math::impact_partials(args, p, false);
      const Vec3 slip = u + closing * t.n;
      const double s = rubs_ ? slip.norm() : 0.0;
      const Friction mu = rubs_ ? law_.friction(s) : Friction{0, 0};
      const Vec3 way = t.n - mu.ratio * slip;  // of the force, for N = 1
      const Vec3 f = N * way;
      c_.head<3>() += f;
      c_.segment<3>(3) += a.cross(f);
      if (D_.size() == 0 || N == 0.0) return;
      // From the twist about the origin of J to (δp, δφ) of I's frame.
      const auto of_frame = [&](const auto& m) {
        auto r = m.eval();
        r.template rightCols<3>() += m.template leftCols<3>() * hat(at_.p);
        return r;
      };
      const Row6 g_x = of_frame(t.g_x);
      const Mat36 n_x = of_frame(t.n_x);
      Mat36 a_x = of_frame(t.c_x);
      a_x.leftCols<3>() -= Mat3::Identity();
      const Mat36 u_x = hat(w_) * a_x;
      Mat36 u_y;  // by (v, ω)
      u_y << Mat3::Identity(), -hat(a);
      const Row6 closing_x = -u.transpose() * n_x - t.n.transpose() * u_x;
      const Row6 closing_y = -t.n.transpose() * u_y;
      const Row6 N_x = t.weight * (-p[0] * g_x - p[1] * closing_x), N_y = -t.weight * p[1] * closing_y;
      Mat36 way_x = n_x, way_y = Mat36::Zero();
      if (rubs_) {
        const Mat36 slip_x = u_x + t.n * closing_x + closing * n_x, slip_y = u_y + t.n * closing_y;
        Mat3 by_slip = mu.ratio * Mat3::Identity();
        if (s > 0.0) by_slip += mu.slope / s * slip * slip.transpose();
        way_x -= by_slip * slip_x;
        way_y = -by_slip * slip_y;
      }
      const Mat36 f_x = way * N_x + N * way_x, f_y = way * N_y + N * way_y;
      Eigen::Matrix<double, 6, 6> by_x, by_y;
      by_x << f_x, hat(a) * f_x - hat(f) * a_x;
      by_y << f_y, hat(a) * f_y;
      D_.leftCols<3>() += by_x.leftCols<3>();
      at_.turn_to_parameters(by_x.rightCols<3>(), D_);
      D_.middleCols<6>(kSpeed) += by_y;
    }

   private:
    const Contact& law_;
    const Relative& at_;
    Vec3 v_, w_;
    bool rubs_;
    VecMap& c_;
    MatMap& D_;
  } forces(*this, at, signals, rubs, out, D);
  each(at, partials ? Wanted::partials : Wanted::touches, forces);
}

double Contact::potential(const VecMap& signals) const {
  struct Sum final : math::TouchSink {
    explicit Sum(const ContactData& data) : d(data) {}
    void take(const Touch& t) override {
      value += t.weight * d.stiffness * std::pow(t.g, d.exponent + 1) / (d.exponent + 1);
    }
    const ContactData& d;
    double value = 0;
  } sum(data_);
  each(Relative(signals), Wanted::touches, sum);
  return sum.value;
}

double Contact::potential_rate(const VecMap& signals, const VecMap& rates) const {
  const Relative at(signals);
  struct Sum final : math::TouchSink {
    Sum(const ContactData& data, const Vec3& p, const Vec3& speed, const Vec3& turn) : d(data) {
      x << speed - turn.cross(p), turn;
    }
    void take(const Touch& t) override {
      value += t.weight * d.stiffness * std::pow(t.g, d.exponent) * t.g_x.dot(x);
    }
    const ContactData& d;
    Eigen::Matrix<double, 6, 1> x;  // twist about the origin of J
    double value = 0;
  } sum(data_, at.p, rates.head<3>(), at.turning(rates));
  each(at, Wanted::partials, sum);
  return sum.value;
}

double Contact::penetration(const VecMap& signals, double far) const {
  struct Most final : math::TouchSink {
    explicit Most(double least) : value(least) {}
    void take(const Touch& t) override { value = std::max(value, t.g); }
    double value;
  } most(-far);
  each(Relative(signals), Wanted::gaps, most);
  return most.value;
}

std::vector<Signal> contact_signals(MarkerId i, MarkerId j, const assembly::Layout& layout,
                                    const assembly::MarkerTable& table) {
  std::vector<Signal> all = displacements(i, j, -1, layout, table);
  all.resize(3);
  for (int k = 0; k < 4; ++k)
    all.push_back(Signal::of(make_measure(MeasureKind::euler_parameter, k, {i, j, j, j}, layout, table)));
  for (Signal& rate : velocities(i, j, layout, table)) all.push_back(std::move(rate));
  Signal mode;
  mode.kind = Signal::Kind::mode;
  all.push_back(std::move(mode));
  return all;
}

}  // namespace trunnion::elements
