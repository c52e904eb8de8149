#pragma once
// A force and a torque as the element functions report them: JOINT(id, jflag, comp, rm).

#include "assembly/pullback.hpp"

namespace trunnion::elements {

// In ground axes, the torque about the marker it is reported at.
struct Wrench {
  math::Vec3 force = math::Vec3::Zero();
  math::Vec3 torque = math::Vec3::Zero();
};

// comp 1 … 8 = |F|, Fx, Fy, Fz, |T|, Tx, Ty, Tz along the axes of a marker R_GM.
inline double component(const Wrench& w, const math::Mat3& R_GM, int comp) {
  const math::Vec3& vector = comp <= 4 ? w.force : w.torque;
  const int axis = comp <= 4 ? comp - 2 : comp - 6;
  return axis < 0 ? vector.norm() : R_GM.col(axis).dot(vector);
}

// Listens on the body of `on`, about that marker. Multiply by −λ for the reaction.
inline assembly::WrenchTap tap_at(const assembly::Kinematics& kin, assembly::MarkerId on) {
  assembly::WrenchTap tap;
  tap.body = kin.owner(on);
  tap.about = kin.marker(on).p;
  return tap;
}

inline void add_reaction(const assembly::WrenchTap& tap, double lambda, Wrench& sum) {
  sum.force -= lambda * tap.force;
  sum.torque -= lambda * tap.moment;
}

}  // namespace trunnion::elements
