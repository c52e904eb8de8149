#pragma once
// Friction at one touch of a CONTACT, for a unit of normal force: a vector r of the slip s, with a = |s|; −N r acts on I.
//
//   without stiction   r = μ(a) s/a            μ rises as (3x − x³)/2, x = a/vs, to μs at the stiction transition velocity vs and goes in a
//                                              cubic step to μd at the friction transition velocity vd
//   with stiction      r = m(a) (g(z) + (1 − |g(z)|) τ(s))       m: μs up to vs, then as μ; τ along s, of size (3x − x³)/2 up to vs, then 1
//                                              g along the creep z, of size (3y − y³)/2, y = |z|/Δ, at most 1;  Δ = MAX_STICTION_DEFORMATION
// The creep is elastic with perfectly plastic flow, as that of joints (friction.hpp): it grows with the slip and is drawn back to
// |z| ≤ Δ w(a), w falling from 1 to 0 between vs/2 and vs. What is loaded below μs N comes to rest at the z that carries the load.

#include "math/so3.hpp"

namespace trunnion::elements {

struct RubbingData {
  double mu_static = 0, mu_dynamic = 0;
  double stiction_velocity = 1, friction_velocity = 2;  // vs < vd
  double creep = 0;                                     // Δ; 0: no stiction
};

struct Rubbing {
  math::Vec3 r = math::Vec3::Zero();
  math::Mat3 by_slip = math::Mat3::Zero(), by_creep = math::Mat3::Zero();
};
Rubbing rubbing(const RubbingData& data, const math::Vec3& slip, const math::Vec3& creep);

// What is left of a creep at a speed of slip once it has flowed.
math::Vec3 drawn_back(const RubbingData& data, const math::Vec3& creep, double speed);

// Of a step that slows down from a₀ > vs to a < vs only the part of its way counts that was gone below vs: at a constant rate
// (vs² − a²)/(a₀² − a²). With its slope by a.
struct CountedPart {
  double value = 1, slope = 0;
};
CountedPart counted_part(const RubbingData& data, double before, double now);

}  // namespace trunnion::elements
