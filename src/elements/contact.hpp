#pragma once
// CONTACT: two bodies' solids push each other apart where they overlap, with friction.
//
// Every touch (math/touch.hpp) has a penetration g, a normal n, the way I is pushed, and a point c. With u the velocity of I's body
// against J's at c:
//   IMPACT    F = max(0, K gᵉ + C step(g/DMAX) ġ),  ġ = −n·u
//   friction  −μ(s) F t/s,  t = u − n (n·u), s = |t|:  μ rises as (3x − x³)/2, x = s/vs, to MU_STATIC at the stiction transition velocity
//             vs and goes in a cubic step to MU_DYNAMIC at the friction transition velocity
// Both act on I at c, their opposites on J at the same point. K and C count once for each separate volume of a pair of solids, in parts
// for the corners and rims that rest on a plane (Touch::weight).
// STICTION: not modelled by this law; with it off a load below μs N creeps, at most at vs.
// Not modelled: resistance against rolling and against spinning about n.

#include <vector>

#include "elements/load.hpp"
#include "math/touch.hpp"

namespace trunnion::elements {

struct ContactData {
  double stiffness = 0, exponent = 1, damping = 0, dmax = 0;
  double mu_static = 0, mu_dynamic = 0;
  double stiction_velocity = 1, friction_velocity = 2;  // vs < vd
  bool friction = false;
  bool dynamics_only = false;     // no friction in statics
  std::vector<math::Shape> i, j;  // placed in the frames of I and J
};

class Contact final : public Law, public Reach {
 public:
  explicit Contact(ContactData data);
  // Outputs: force and torque on I along J. Signals: contact_signals().
  void add(const VecMap& signals, VecMap c, MatMap D) const override;
  double apart_by(const math::Vec3& p) const override;
  double radius() const override { return radius_i_; }
  double smaller_radius() const override;
  bool stores() const override { return true; }
  double potential(const VecMap& signals) const override;
  double potential_rate(const VecMap& signals, const VecMap& rates) const override;

  // The largest penetration; negative: apart by that much, as far as it is known: no more than `far`.
  double penetration(const VecMap& signals, double far) const;
  const ContactData& data() const { return data_; }

 private:
  struct Relative;
  void each(const Relative& at, math::Wanted wanted, math::TouchSink& sink) const;
  struct Friction {
    double ratio, slope;  // μ(s)/s and its derivative by s
  };
  Friction friction(double s) const;

  ContactData data_;
  double radius_i_ = 0, radius_j_ = 0;  // of all solids of a side about its marker, planes left out
  bool plane_i_ = false;
};

// DX DY DZ of I along J, the Euler parameters of I in J, VX … WZ, and MODE.
std::vector<Signal> contact_signals(MarkerId i, MarkerId j, const assembly::Layout& layout,
                                    const assembly::MarkerTable& table);

}  // namespace trunnion::elements
