#include "elements/corotation.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "elements/load.hpp"

namespace trunnion::elements {
namespace {

using math::hat;
using math::Mat3;
using math::Vec3;

constexpr int kPlace = 3;                          // p comes first …
constexpr int kPose = 7;                           // … then w, e: all that a pose is
constexpr int kRates = kPose + Corotation::kKept;  // of the signals
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
using Row = Eigen::Matrix<double, kPose, 1>;  // ∂/∂(p, w, e)
using Square = Eigen::Matrix<double, kPose, kPose>;

// A vector of the pose with its derivatives by (p, w, e); the second only where they are asked for.
struct Vector3 {
  Vec3 value;
  std::array<Row, 3> first;
  std::array<Square, 3> second;
};

// f(w) = acos w/√(1 − w²) and two derivatives, from (1 − w²) f′ = w f − 1; near w = 1, with u = 1 − w, Σ n!/(2n + 1)!! uⁿ,
// whose terms fall as (u/2)ⁿ.
struct ArcRatio {
  double f, f1, f2;
};
ArcRatio arc_ratio(double w, double s) {  // s = 1 − w², not computed as such: that would lose digits near ±1
  constexpr double kNear = 0.1;
  constexpr int kTerms = 14;
  if (w < 1.0 - kNear) {
    const double root = std::sqrt(s), f = std::atan2(root, w) / root, f1 = (w * f - 1.0) / s;
    return {f, f1, (f + 3.0 * w * f1) / s};
  }
  const double u = s / (1.0 + w);
  double f = 0, du = 0, duu = 0, c = 1, power = 1, power1 = 0, power2 = 0;  // uⁿ, uⁿ⁻¹, uⁿ⁻²
  for (int n = 0; n < kTerms; ++n) {
    f += c * power;
    du += c * n * power1;
    duu += c * n * (n - 1) * power2;
    power2 = power1;
    power1 = power;
    power *= u;
    c *= (n + 1.0) / (2.0 * n + 3.0);
  }
  return {f, -du, duu};
}

Vector3 rotation_vector(double w, const Vec3& e, bool second) {
  const ArcRatio r = arc_ratio(w, e.squaredNorm());
  Vector3 psi;
  psi.value = 2.0 * r.f * e;
  for (int k = 0; k < 3; ++k) {
    const auto at = static_cast<std::size_t>(k);
    psi.first[at].setZero();
    psi.first[at][kPlace] = 2.0 * r.f1 * e[k];
    psi.first[at][kPlace + 1 + k] = 2.0 * r.f;
    if (!second) continue;
    Square& H = psi.second[at];
    H.setZero();
    H(kPlace, kPlace) = 2.0 * r.f2 * e[k];
    H(kPlace, kPlace + 1 + k) = H(kPlace + 1 + k, kPlace) = 2.0 * r.f1;
  }
  return psi;
}

Vector3 in_middle_frame(const Vec3& p, double w, const Vec3& e, bool second) {
  const double s = 1.0 / (1.0 + w);
  const Mat3 E = hat(e), EE = E * E, P = hat(p);
  const Mat3 by_p = Mat3::Identity() - E + s * EE;
  const Mat3 bent = hat(E * p) + E * P;  // −∂(e×(e×p))/∂e
  const Vec3 by_w = -s * s * (EE * p);
  const Mat3 by_e = P - s * bent;
  Vector3 y;
  y.value = by_p * p;
  for (int k = 0; k < 3; ++k)
    y.first[static_cast<std::size_t>(k)] << by_p.row(k).transpose(), by_w[k], by_e.row(k).transpose();
  if (!second) return y;
  const Vec3 by_ww = -2.0 * s * by_w;
  const Mat3 by_pw = -s * s * EE, by_we = s * s * bent;
  std::array<Mat3, 3> by_ep, by_ee;  // of e_a: columns over p and e
  for (int a = 0; a < 3; ++a) {
    const auto at = static_cast<std::size_t>(a);
    const Mat3 U = hat(Vec3::Unit(a));
    by_ep[at] = -U + s * (U * E + E * U);
    by_ee[at] = -s * (U * P + hat(U * p));
  }
  for (int k = 0; k < 3; ++k) {
    Square& H = y.second[static_cast<std::size_t>(k)];
    H.setZero();
    H(kPlace, kPlace) = by_ww[k];
    H.block<3, 1>(0, kPlace) = by_pw.row(k).transpose();
    H.block<1, 3>(kPlace, 0) = by_pw.row(k);
    H.block<3, 1>(kPlace + 1, kPlace) = by_we.row(k).transpose();
    H.block<1, 3>(kPlace, kPlace + 1) = by_we.row(k);
    for (int a = 0; a < 3; ++a) {
      const auto at = static_cast<std::size_t>(a);
      H.block<1, 3>(kPlace + 1 + a, 0) = by_ep[at].row(k);
      H.block<3, 1>(0, kPlace + 1 + a) = by_ep[at].row(k).transpose();
      H.block<1, 3>(kPlace + 1 + a, kPlace + 1) = by_ee[at].row(k);
    }
  }
  return y;
}

// |y|, h_y, h_z with their derivatives by y.
struct Polar {
  Vec3 value;
  std::array<Vec3, 3> first;
  std::array<Mat3, 3> second;
};
Polar polar(const Vec3& y) {
  const double l = y.norm();
  const Vec3 n = y / l;
  const auto gradient = [&](int k) { return Vec3((Vec3::Unit(k) - n[k] * n) / l); };
  const auto hessian = [&](int k) {
    const Vec3 u = Vec3::Unit(k);
    return Mat3(
        (3.0 * n[k] * n * n.transpose() - n[k] * Mat3::Identity() - u * n.transpose() - n * u.transpose()) /
        (l * l));
  };
  const ArcRatio r = arc_ratio(n.x(), n.y() * n.y() + n.z() * n.z());
  const Vec3 gx = gradient(0);
  const Mat3 Hx = hessian(0);
  Polar z;
  z.value[0] = l;
  z.first[0] = n;
  z.second[0] = (Mat3::Identity() - n * n.transpose()) / l;
  for (int k = 1; k < 3; ++k) {
    const Vec3 g = gradient(k);
    const auto at = static_cast<std::size_t>(k);
    z.value[k] = r.f * n[k];
    z.first[at] = r.f1 * n[k] * gx + r.f * g;
    z.second[at] = r.f2 * n[k] * gx * gx.transpose() + r.f1 * (gx * g.transpose() + g * gx.transpose()) +
                   r.f1 * n[k] * Hx + r.f * hessian(k);
  }
  return z;
}

Vector3 compose(const Polar& z, const Vector3& y, bool second) {
  Vector3 all;
  all.value = z.value;
  Eigen::Matrix<double, 3, kPose> Y;
  for (int a = 0; a < 3; ++a) Y.row(a) = y.first[static_cast<std::size_t>(a)].transpose();
  for (std::size_t k = 0; k < 3; ++k) {
    all.first[k] = Y.transpose() * z.first[k];
    if (!second) continue;
    all.second[k] = Y.transpose() * z.second[k] * Y;
    for (std::size_t a = 0; a < 3; ++a)
      all.second[k] += z.first[k][static_cast<Eigen::Index>(a)] * y.second[a];
  }
  return all;
}

constexpr const char* kFullTurn =
    "its ends are turned by about 360 degrees against each other, where the axis of the turn is lost; put "
    "several elements in a "
    "row, so that each turns less, or FORMULATION=LINEAR";

// Null, or why the chord has no angles; `back` is to be kept of it, `last` what was kept.
const char* chord_without_angles(const Vec3& y, const Eigen::Vector2d& last, Eigen::Vector2d& back) {
  const double l = y.norm();
  if (l == 0.0) return "its ends coincide, so that the chord has no direction; start it at its LENGTH";
  const Vec3 n = y / l;
  if (n.x() < 0.0) back = n.tail<2>();
  if (back.dot(last) < 0.0 || n.x() < -std::cos(Corotation::kSingular))
    return "its end I stands straight behind J, on the negative x axis of the beam, where the chord has no "
           "angles; check the "
           "order of I and J, or put several elements in a row";
  return nullptr;
}

// δ(w, e) = S δθ for a turn δθ about the axes of J.
Eigen::Matrix<double, 4, 3> turned(double w, const Vec3& e) {
  Eigen::Matrix<double, 4, 3> S;
  S.row(0) = -0.5 * e.transpose();
  S.bottomRows<3>() = 0.5 * (w * Mat3::Identity() - hat(e));
  return S;
}

}  // namespace

struct Corotation::Deformation {
  double w;
  Vec3 e;
  double sign;                  // of (w, e) against from_free_ · signals
  Eigen::Vector2d back;         // n_y, n_z of a chord that points backwards
  const char* wrong = nullptr;  // where there is no deformation: why
  Vec6 x;
  Eigen::Matrix<double, 6, kPose> first;  // ∂x/∂(p, w, e)
  std::array<Square, 6> second;
};

Corotation::Corotation(From from, StrainEnergy energy, const Mat6& C, const math::Vec3& p0,
                       const math::Quat& R0)
    : from_(from), energy_(std::move(energy)), C_(C), damped_(!C.isZero(0)), p0_(p0) {
  const double a = R0.w();
  const Vec3 b = -R0.vec();
  from_free_ << a, -b.transpose(), b, a * Mat3::Identity() - hat(b);
}

Corotation::Deformation Corotation::deformation(const VecMap& signals, bool second) const {
  Deformation d;
  const Vec3 p = signals.head<3>();
  Eigen::Vector4d q = from_free_ * signals.segment<4>(kPlace);
  const Eigen::Vector4d last = signals.segment<4>(kPose);
  const double along = last.dot(q);
  d.sign = (along == 0.0 ? q[0] : along) < 0.0 ? -1.0 : 1.0;
  q *= d.sign / q.norm();
  d.w = q[0];
  d.e = q.tail<3>();
  d.back.setZero();
  // The axis of a turn of more than half is turned round only where the full turn was passed.
  const bool passed = d.w < 0.0 && last[0] < 0.0 && d.e.dot(last.tail<3>()) < 0.0;
  if (passed || d.w < -std::cos(0.5 * kSingular)) {
    d.wrong = kFullTurn;
    return d;
  }
  const Vector3 psi = rotation_vector(d.w, d.e, second);
  Vector3 y = in_middle_frame(p, d.w, d.e, second);
  double scale = 1.0;  // of the second and third component
  Vec3 free = p0_;
  Mat3 lever = -0.5 * hat(p0_);  // of ψ in the first three
  if (from_ == From::chord) {
    d.wrong = chord_without_angles(y.value, signals.segment<2>(kPose + 4), d.back);
    if (d.wrong) return d;
    y = compose(polar(y.value), y, second);
    scale = energy_.length;
  }
  for (int k = 0; k < 3; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double by = k == 0 ? 1.0 : scale;
    d.x[k] = by * y.value[k] - free[k] + lever.row(k).dot(psi.value);
    d.x[3 + k] = psi.value[k];
    d.first.row(k) = by * y.first[at].transpose();
    for (int m = 0; m < 3; ++m)
      d.first.row(k) += lever(k, m) * psi.first[static_cast<std::size_t>(m)].transpose();
    d.first.row(3 + k) = psi.first[at].transpose();
    if (!second) continue;
    d.second[at] = by * y.second[at];
    for (int m = 0; m < 3; ++m) d.second[at] += lever(k, m) * psi.second[static_cast<std::size_t>(m)];
    d.second[3 + at] = psi.second[at];
  }
  return d;
}

double Corotation::potential(const VecMap& signals) const {
  const Deformation d = deformation(signals, false);
  return d.wrong ? kNone : energy_.value(d.x);
}

void Corotation::keep(const VecMap& signals, std::vector<std::pair<int, double>>& kept) const {
  const Deformation d = deformation(signals, false);
  if (d.wrong) return;
  const double all[kKept] = {d.w, d.e[0], d.e[1], d.e[2], d.back[0], d.back[1]};
  for (int k = 0; k < kKept; ++k) kept.emplace_back(place_ + k, all[k]);
}

void Corotation::complain(const char* about) const {
  if (troubles_) troubles_->add(fmt::format("{}, FORMULATION=NONLINEAR: {}", owner_, about));
}

double Corotation::potential_rate(const VecMap& signals, const VecMap& rates) const {
  const Deformation d = deformation(signals, false);
  if (d.wrong) return kNone;
  Row speed;
  speed << rates.head<kPlace>(), d.sign * (from_free_ * rates.segment<4>(kPlace));
  return energy_.gradient(d.x).dot(d.first * speed);
}

void Corotation::add(const VecMap& signals, VecMap c, MatMap D) const {
  const bool partials = D.size() != 0;
  const Deformation d = deformation(signals, partials);
  if (d.wrong) {
    complain(d.wrong);
    c.head<6>().setConstant(kNone);
    return;
  }
  const Eigen::Matrix<double, 4, 3> S = turned(d.w, d.e);
  Mat6 B;
  B << d.first.leftCols<kPlace>(), d.first.rightCols<4>() * S;
  Vec6 rate = Vec6::Zero();
  if (damped_) rate = signals.segment<6>(kRates);
  const Vec6 n = energy_.force(d.x) + C_ * (B * rate);
  c.head<6>() -= B.transpose() * n;
  if (!partials) return;
  // n held: B moves, by ∂²x and by S; then n moves.
  Square bent = Square::Zero();
  Eigen::Matrix<double, 6, kPose> moved;  // ∂(B rate)/∂(p, w, e)
  Row speed;                              // d/dt (p, w, e)
  const Vec3 spin = rate.tail<3>();
  speed << rate.head<3>(), S * spin;
  Eigen::Matrix4d by_spin = Eigen::Matrix4d::Zero();  // ∂(S ω)/∂(w, e)
  by_spin.block<1, 3>(0, 1) = -0.5 * spin.transpose();
  by_spin.block<3, 1>(1, 0) = 0.5 * spin;
  by_spin.block<3, 3>(1, 1) = 0.5 * hat(spin);
  for (std::size_t k = 0; k < 6; ++k) {
    bent += n[static_cast<Eigen::Index>(k)] * d.second[k];
    moved.row(static_cast<Eigen::Index>(k)) = (d.second[k] * speed).transpose();
  }
  moved.rightCols<4>() += d.first.rightCols<4>() * by_spin;
  Eigen::Matrix<double, 6, kPose> by = B.transpose() * (energy_.stiffness(d.x) * d.first + C_ * moved);
  by.topRows<3>() += bent.topRows<kPlace>();
  by.bottomRows<3>() += S.transpose() * bent.bottomRows<4>();
  const Eigen::Vector4d m = d.first.rightCols<4>().transpose() * n;
  by.block<3, 1>(3, kPlace) += 0.5 * m.tail<3>();
  by.block<3, 3>(3, kPlace + 1) -= 0.5 * (m[0] * Mat3::Identity() + hat(Vec3(m.tail<3>())));
  D.leftCols<kPlace>() -= by.leftCols<kPlace>();
  D.middleCols<4>(kPlace) -= d.sign * by.rightCols<4>() * from_free_;
  if (damped_) D.middleCols<6>(kRates) -= B.transpose() * C_ * B;
}

std::vector<Signal> corotation_signals(MarkerId i, MarkerId j, int first, bool damped,
                                       const assembly::Layout& layout, const assembly::MarkerTable& table) {
  std::vector<Signal> all = displacements(i, j, -1, layout, table);
  all.resize(3);
  for (int k = 0; k < 4; ++k)
    all.push_back(Signal::of(make_measure(MeasureKind::euler_parameter, k, {i, j, j, j}, layout, table)));
  for (int k = 0; k < Corotation::kKept; ++k) {
    Signal kept;
    kept.kind = Signal::Kind::memory;
    kept.place = first + k;
    all.push_back(std::move(kept));
  }
  if (!damped) return all;
  for (Signal& rate : velocities(i, j, layout, table)) all.push_back(std::move(rate));
  return all;
}

}  // namespace trunnion::elements
