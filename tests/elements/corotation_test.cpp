// FORMULATION=NONLINEAR of BEAM and FIELD: the linear law at the free pose, a potential at any pose, I and J alike, closed forms.

#include "elements/corotation.hpp"

#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "elements/difference.hpp"
#include "elements/example.hpp"

namespace trunnion::elements::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Vec6 = Corotation::Vec6;
using Mat6 = Corotation::Mat6;

const BeamSection kSection{1.7, 0.02, 3e-5, 4e-5, 5e-5, 0, 0, 2.1e2, 0.8e2};

struct Pose {
  Vec3 p;
  Quat R;
};

// The law's signals at a pose of I in J that moves with velocity v and spin w along J.
VectorXd signals_at(const Pose& at, const Vec3& v = Vec3::Zero(), const Vec3& w = Vec3::Zero()) {
  VectorXd s(13);
  const double sign = at.R.w() < 0 ? -1.0 : 1.0;
  s << at.p, sign * at.R.w(), sign * at.R.vec(), v, w;
  return s;
}
Vec6 load_at(const Corotation& law, VectorXd s) {
  Vec6 c = Vec6::Zero();
  law.add(VecMap(s.data(), s.size()), VecMap(c.data(), 6), MatMap(nullptr, 0, 0));
  return c;
}
double energy_at(const Corotation& law, const Pose& at) {
  VectorXd s = signals_at(at);
  return law.potential(VecMap(s.data(), s.size()));
}
// Moved by d and turned by t, both along J.
Pose moved(const Pose& at, const Vec3& d, const Vec3& t) { return {at.p + d, math::so3_exp_quat(t) * at.R}; }

Mat6 symmetric(Example& e) {
  const MatrixXd A = MatrixXd::NullaryExpr(6, 6, [&] { return e.uniform(); });
  return A * A.transpose();
}

TEST(Corotation, IsTheLinearLawNearTheFreePose) {
  Example e{3};
  const Mat6 K = beam_stiffness(kSection), C = symmetric(e);
  StrainEnergy field;
  field.K = symmetric(e);
  const Vec3 p0 = e.vector(), turn = e.vector(0.4);
  const Pose beam_free{Vec3(kSection.length, 0, 0), Quat::Identity()},
      field_free{p0, math::so3_exp_quat(turn)};
  for (const bool beam : {true, false}) {
    const Corotation law =
        beam ? Corotation::beam(stretched_beam(kSection, true), C) : Corotation::field(field, C, p0, turn);
    const Pose& free = beam ? beam_free : field_free;
    const Mat6 stiffness = beam ? K : field.K;
    EXPECT_LE(load_at(law, signals_at(free)).norm(), 1e-12 * stiffness.norm());
    for (int k = 0; k < 6; ++k) {
      const Vec6 u = Vec6::Unit(k);
      const Difference d = differentiate([&](double h) {
        return VectorXd(load_at(law, signals_at(moved(free, h * u.head<3>(), h * u.tail<3>()))));
      });
      EXPECT_EQ(compare(d, VectorXd(-stiffness.col(k))), "") << beam << k;
      const Vec6 damping = load_at(law, signals_at(free, u.head<3>(), u.tail<3>()));
      EXPECT_LE((damping + C.col(k)).norm(), 1e-12 * (C.norm() + stiffness.norm())) << beam << k;
    }
  }
}

// {F, T}·{v, ω} = −dU/dt without damping; with it the power is lower by what C takes.
TEST(Corotation, HasAPotentialAtAnyRotation) {
  Example e{5};
  for (const double size : {0.0, 1e-5, 0.1, 0.44, 0.46, 1.5, 3.0}) {  // 0.45: where the series of f ends
    const Vec3 axis = e.vector().normalized();
    for (const bool beam : {true, false}) {
      StrainEnergy energy;
      energy.K = symmetric(e);
      energy.preload = VectorXd::NullaryExpr(6, [&] { return e.uniform(); });
      const Mat6 C = symmetric(e);
      const auto make = [&](const Mat6& damping) {
        return beam ? Corotation::beam(stretched_beam(kSection, true), damping)
                    : Corotation::field(energy, damping, Vec3(0.3, -0.2, 0.5), Vec3::Zero());
      };
      const Pose at{Vec3(kSection.length, 0, 0) + e.vector(0.4), math::so3_exp_quat(size * axis)};
      const Vec3 v = e.vector(), w = e.vector();
      const Difference rate = differentiate(
          [&](double h) { return VectorXd::Constant(1, energy_at(make(C), moved(at, h * v, h * w))); });
      const Vec6 still = load_at(make(Mat6::Zero()), signals_at(at, v, w));
      const double power = still.head<3>().dot(v) + still.tail<3>().dot(w);
      EXPECT_EQ(compare(rate, VectorXd::Constant(1, -power)), "") << size << beam;
      const Vec6 damped = load_at(make(C), signals_at(at, v, w));
      EXPECT_LT(damped.head<3>().dot(v) + damped.tail<3>().dot(w), power) << size << beam;
    }
  }
}

// Seen from the other end, with x turned to point from I to J, the beam has the same energy: the middle frame favours neither.
TEST(Corotation, ABeamIsTheSameFromEitherEnd) {
  Example e{7};
  const Corotation law = Corotation::beam(stretched_beam(kSection, true), Mat6::Zero());
  const Quat about_z(0, 0, 0, 1);  // half a turn
  for (int k = 0; k < 5; ++k) {
    const Pose at{Vec3(kSection.length, 0, 0) + e.vector(0.3), math::so3_exp_quat(e.vector(0.8))};
    // New J: I turned about its z; new I: J turned alike.
    const Quat R_J = at.R * about_z;
    const Pose from_i{R_J.conjugate() * (-at.p), R_J.conjugate() * about_z};
    EXPECT_NEAR(energy_at(law, from_i), energy_at(law, at), 1e-13 * energy_at(law, at));
  }
}

// Bent to an arc of turn φ by a moment E I φ/L and nothing else: chord L (1 − φ²/24), in the middle direction.
TEST(Corotation, ABeamBentToAnArcHasOnlyItsMoment) {
  const double phi = 0.7, L = kSection.length, chord = L * (1 - phi * phi / 24);
  const Corotation law = Corotation::beam(stretched_beam(kSection, true), Mat6::Zero());
  const Pose arc{chord * Vec3(std::cos(phi / 2), std::sin(phi / 2), 0), math::so3_exp_quat(Vec3(0, 0, phi))};
  const Vec6 c = load_at(law, signals_at(arc));
  const double moment = kSection.emodulus * kSection.izz * phi / L;
  EXPECT_LE(c.head<5>().norm(), 1e-11 * kSection.emodulus * kSection.area);
  EXPECT_NEAR(c[5], -moment, 1e-12 * moment);
}

}  // namespace
}  // namespace trunnion::elements::test
