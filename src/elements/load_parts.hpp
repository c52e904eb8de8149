#pragma once
// What both ways of evaluating a load share: load.cpp for any carrier, load_framed.cpp for bodies with frames.

#include "elements/load.hpp"

namespace trunnion::elements {

// From J to I: unit vector and length; both zero where they coincide.
struct Line {
  math::Vec3 u = math::Vec3::Zero();
  double length = 0.0;
};
Line line_of(const Load& load, const assembly::Kinematics& kin);
// A spring without free length or preload pulls I to J whichever way they are apart, F = −K d: also where they meet, and DM has no
// gradient, it is as stiff as K in every direction. 0 where the ends are apart or no such spring is between them.
double meeting_stiffness(const Load& load, const Line& line);
// Force and torque on I along ground axes from the components.
Wrench sum(const Load& load, const assembly::Kinematics& kin, const VecMap& c);
VecMap signal_values(const Load& load, const Evaluation& at);

}  // namespace trunnion::elements
