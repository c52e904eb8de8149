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

using Kept = Eigen::Matrix<double, Corotation::kKept, 1>;
const Kept kNothing = Kept::Zero();

// The law's signals at a pose of I in J that moves with velocity v and spin w along J. The sign of the parameters says nothing.
VectorXd signals_at(const Pose& at, const Vec3& v = Vec3::Zero(), const Vec3& w = Vec3::Zero(),
                    const Kept& kept = kNothing) {
  VectorXd s(19);
  s << at.p, -at.R.w(), -at.R.vec(), kept, v, w;
  return s;
}
// What a step that ends after a turn by `angle` about the axis keeps.
Kept turned_by(double angle, const Vec3& axis) {
  Kept kept = kNothing;
  kept[0] = std::cos(angle / 2);
  kept.segment<3>(1) = std::sin(angle / 2) * axis;
  return kept;
}
Vec6 load_at(const Corotation& law, VectorXd s) {
  Vec6 c = Vec6::Zero();
  law.add(VecMap(s.data(), s.size()), VecMap(c.data(), 6), MatMap(nullptr, 0, 0));
  return c;
}
double energy_at(const Corotation& law, const Pose& at, const Kept& kept = kNothing) {
  VectorXd s = signals_at(at, Vec3::Zero(), Vec3::Zero(), kept);
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
  for (const double size :
       {0.0, 1e-5, 0.1, 0.44, 0.46, 1.5, 3.0, 3.3, 5.0}) {  // 0.45: where the series of f ends
    const Vec3 axis = e.vector().normalized();
    const Kept kept = turned_by(size, axis);
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
          [&](double h) { return VectorXd::Constant(1, energy_at(make(C), moved(at, h * v, h * w), kept)); });
      const Vec6 still = load_at(make(Mat6::Zero()), signals_at(at, v, w, kept));
      const double power = still.head<3>().dot(v) + still.tail<3>().dot(w);
      EXPECT_EQ(compare(rate, VectorXd::Constant(1, -power)), "") << size << beam;
      const Vec6 damped = load_at(make(C), signals_at(at, v, w, kept));
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

// Twisted from step to step, each of them 30°: the torque is G J θ/L up to where the turn has no axis, and back; what is kept follows.
TEST(Corotation, CountsTurnsPastHalf) {
  Corotation law = Corotation::beam(stretched_beam(kSection, true), Mat6::Zero());
  law.remember(0);
  const double GJ = kSection.gmodulus * kSection.ixx, L = kSection.length, step = M_PI / 6;
  Kept kept = kNothing;
  const auto torque_at = [&](double angle) {
    const VectorXd s =
        signals_at({Vec3(L, 0, 0), math::so3_exp_quat(Vec3(angle, 0, 0))}, Vec3::Zero(), Vec3::Zero(), kept);
    const double torque = load_at(law, s)[3];
    VectorXd same = s;
    std::vector<std::pair<int, double>> all;
    law.keep(VecMap(same.data(), same.size()), all);
    for (const auto& [place, value] : all) kept[place] = value;
    return torque;
  };
  for (const int k : {0, 1, 2, 3, 4, 5, 6, 7,  8,  9,  10, 11, 10, 9,  8,  7,
                      6, 5, 4, 3, 2, 1, 0, -1, -2, -3, -4, -5, -6, -7, -6, -5})
    EXPECT_NEAR(torque_at(k * step), -GJ * k * step / L, 1e-12 * GJ / L) << k;
}

// No numbers, and the element's name, at the places without a deformation and beyond them.
TEST(Corotation, TellsOfItsSingularPlaces) {
  Corotation law = Corotation::beam(stretched_beam(kSection, true), Mat6::Zero());
  const auto troubles = std::make_shared<Troubles>();
  law.tell("BEAM/7 'mast'", troubles);
  const auto complaint = [&](const Vec3& p, double turn, const Kept& kept) {
    const Vec6 c =
        load_at(law, signals_at({p, math::so3_exp_quat(Vec3(turn, 0, 0))}, Vec3::Zero(), Vec3::Zero(), kept));
    const std::vector<std::string> all = troubles->take();
    EXPECT_EQ(c.array().isNaN().all(), !all.empty());
    return all.empty() ? std::string() : all.front();
  };
  const double degree = M_PI / 180;
  const Vec3 end(kSection.length, 0, 0);
  const Kept at_340 = turned_by(340 * degree, Vec3::UnitX());
  EXPECT_EQ(complaint(end, 354 * degree, at_340), "");
  EXPECT_EQ(complaint(end, 359 * degree, at_340),
            "BEAM/7 'mast', FORMULATION=NONLINEAR: its ends are turned by about 360 degrees against each "
            "other, where the "
            "axis of the turn is lost; put several elements in a row, so that each turns less, or "
            "FORMULATION=LINEAR");
  EXPECT_NE(complaint(end, 370 * degree, at_340), "") << "a step across";
  EXPECT_NE(complaint(end, 400 * degree, at_340), "") << "a longer one";
  const auto chord = [&](double degrees) {
    return Vec3(Vec3(std::cos(degrees * degree), std::sin(degrees * degree), 0) * 0.5);
  };
  EXPECT_EQ(complaint(chord(170), 0, kNothing), "");
  EXPECT_NE(complaint(chord(178), 0, kNothing).find("straight behind J"), std::string::npos);
  Kept at_170 = turned_by(0, Vec3::UnitX());
  at_170[4] = std::sin(170 * degree);
  EXPECT_NE(complaint(chord(190), 0, at_170), "") << "a step across";
  EXPECT_NE(complaint(Vec3::Zero(), 0, kNothing).find("its ends coincide"), std::string::npos);
}

}  // namespace
}  // namespace trunnion::elements::test
