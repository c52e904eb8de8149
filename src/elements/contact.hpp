#pragma once
// CONTACT: two bodies' solids push each other apart where they overlap, with friction.
//
// Every touch (math/touch.hpp) has a penetration g, a normal n, the way I is pushed, and a point c. With u the velocity of I's body
// against J's at c:
//   IMPACT    F = max(0, K gᵉ + C step(g/DMAX) ġ),  ġ = −n·u
//   POISSON   F = PENALTY g ρ(ġ),  ρ rises in a cubic step from ε² at ġ = −vr to 1 at ġ = vr: what comes in at a speed v ≫ vr goes out at ε v,
//             ε = RESTITUTION_COEFFICIENT. The language has no vr: 1 mm/s. At rest the stiffness is PENALTY (1 + ε²)/2.
//             With AUGMENTED_LAGRANGIAN_FORMULATION F = PENALTY g ρ(ġ) + λ q(ġ), without ρ where g < 0: what presses on is taken over by λ of each point,
//             λ' = w(ġ) PENALTY (g − λ/(50 PENALTY))/τ, τ ten vibrations in contact, so that a fiftieth of the depth is left; q rises in a cubic step
//             from 0 at ġ = −vr to 2 at vr, w falls from 1 at rest to 0 at ±vr: a hit is as without λ, and what it lets go takes nothing from it. λ acts
//             at g > −λ/PENALTY, and ends with the push. Of volumes and curves there is no λ.
//   friction  −F r(s), s = u − n (n·u), and r by rubbing.hpp
// Of a volume of meshes g is a function of the pose, g_ξ its gradient: ġ = g_ξ·(v, ω), and −F g_ξ is the wrench on I; n and the force |F g_ξ| count for
// friction. What rocks on a face changes g in the second order only, so that DAMPING acts over the face too: IMPACT adds the couple
//   −C step(g/DMAX) q T ω    q = min(1, F/(K gᵉ)), so that it ends where the push does; T: Region::tilt
// The face of a volume rubs as it spins, too: the couple −0.94 F R r(R n·ω) along n, R² = tr T the mean square of the distance from the axis. Of a
// face pressed evenly, a disc's or a square's, that is μF times the mean distance.
// Both act on I at c, their opposites on J at the same point. K and C count once for each separate volume of a pair of solids, in parts
// for the corners and rims that rest on a plane (Touch::weight).
//
// STICTION: the creep z of each point is kept from step to step in State::memory. It grows by the way that the point of I has gone since the last
// state that was kept. Where I has turned by more than 0.02 rad since then, it rolls: that way is then no slip (R θ³/6 of a wheel), and
// (t − t₀)(s₀ + s)/2 is taken. Up to there the error is a slip of θ²/6 = 7e-5 of the speed. Points that do not touch have no creep.
// Without STICTION a load below μs F creeps, at most at vs.
// NORMAL_FUNCTION, FRICTION_FUNCTION: user code gives F in place of IMPACT and POISSON, and the friction itself; it sees each touch by
// the values of kNormalValues and kFrictionValues. Its force has no potential that anybody knows.
// Not modelled: resistance against rolling; against spinning about n at a point; what spinning takes of the friction that holds against sliding.

#include <vector>

#include "elements/load.hpp"
#include "elements/rubbing.hpp"
#include "elements/user_values.hpp"
#include "math/touch.hpp"

namespace trunnion::elements {

// What CONTACT(id) is to user code:
//   normal     the point from I's marker along its axes, the way I is pushed along them; the point from J's marker along its axes, the way J is
//              pushed along them; gap, negative in contact; its rate; area (0 for points)
//   friction   both points; the velocity at which I slips on J, along J's marker; the normal force; area
inline constexpr int kNormalValues = 15, kFrictionValues = 11;

struct ContactData {
  double stiffness = 0, exponent = 1;
  double damping = 0, dmax = 0;                  // IMPACT
  bool poisson = false;                          // then `stiffness` is PENALTY …
  double restitution = 1, rebound_velocity = 0;  // … ε and vr
  double time = 0;                               // of a quarter of the vibration in contact; 0: not known
  double refining = 0;                           // τ; 0: no λ
  RubbingData rubs;
  bool friction = false;
  bool dynamics_only = false;  // no friction in statics
  int memory = -1;  // with stiction or λ: the first of its places in State::memory; memory_size() of them
  std::shared_ptr<const UserTouch> user_normal, user_friction;
  std::vector<math::Shape> i, j;  // placed in the frames of I and J

  int points() const;  // that may touch at once
  int memory_size() const;
};

class Contact final : public Law, public Reach {
 public:
  explicit Contact(ContactData data);
  // Outputs: force and torque on I along J. Signals: contact_signals().
  void add(const VecMap& signals, VecMap c, MatMap D) const override;
  double apart_by(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j) const override;
  bool acts(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j) const override;
  double radius() const override { return radius_i_; }
  Eigen::Index read_size() const override;  // none where user code reads measures
  void read(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j, VecMap& signals) const override;
  bool stores() const override { return !data_.user_normal; }
  double potential(const VecMap& signals) const override;
  double stored_power(const VecMap& signals) const override;
  bool remembers() const override { return data_.memory >= 0; }
  void keep(const VecMap& signals, std::vector<std::pair<int, double>>& kept) const override;
  bool keeps_travel() const override { return true; }

  std::size_t pairs() const { return first_point_.size(); }  // of a solid of I and one of J
  bool refines_all() const;                                  // no pair is without λ
  double smaller_radius(std::size_t pair) const;
  // I's frame in J's and how it moves there.
  struct Relation {
    math::Vec3 p, v, w;
    math::Mat3 R;
  };
  static Relation relation(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j);
  // math::gap() of one pair.
  double gap(std::size_t pair, const math::Vec3& p, const math::Mat3& R, double enough) const;
  // How fast the distances of any pair may change at most.
  double pace(const Relation& at) const;
  // The most that a pair's distance may change within a time h on the way from one to the other, `turn` the vector of its rotation.
  double way(std::size_t pair, const Relation& from, const Relation& to, const math::Vec3& turn,
             double h) const;
  // The force of a touch of that depth, which grows at that rate: what draws back fast is held by nothing. Infinite where the user has the law.
  double push(double depth, double rate) const;
  // The largest penetration of each pair; negative: apart by that much or more; 0 where meshes are near each other: gap() tells.
  void penetrations(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j, double* all) const;
  const ContactData& data() const { return data_; }

 private:
  struct Place;
  struct Relative;
  struct Creep;
  struct Way;
  // Calls `take(touch, number of the point)`.
  template <class Take> void each(const Place& at, math::Wanted wanted, const Take& take) const;
  bool rubs(const VecMap& signals) const;
  struct Normal {
    double force, by_depth, by_closing;
  };
  Normal normal(double depth, double closing) const;
  void set_refining(int points);
  struct Refined;
  Refined refined(const math::Touch& touch, int point, double closing, const VecMap& signals) const;
  struct Seen;
  struct Force;
  void press(const math::Touch& touch, int point, const Seen& seen, const Relative& at, const VecMap& signals,
             Force& force) const;
  void rub(const math::Touch& touch, int point, const Seen& seen, const Relative& at, const VecMap& signals,
           Force& force) const;
  void rub_by_user(const math::Touch& touch, const Seen& seen, const Relative& at, const VecMap& signals,
                   Force& force) const;
  void add_touch(const math::Touch& touch, int point, const Relative& at, const VecMap& signals, bool rubs,
                 VecMap& c, MatMap& D) const;
  struct Wrench;
  Wrench press_volume(const math::Touch& touch, const Relative& at, const VecMap& signals,
                      Force& force) const;
  void damp_tilt(const math::Touch& touch, const Relative& at, const Normal& law, const math::Vec3& w,
                 const Eigen::Matrix<double, 1, 6>& rate_x, Wrench& wrench) const;
  void rub_spin(const math::Touch& touch, const Relative& at, const Force& force, const math::Vec3& w,
                bool wanted, Wrench& wrench) const;
  Creep creep(const math::Touch& touch, int point, const math::Vec3& slip, const Relative& at,
              const VecMap& signals) const;
  Way way_since(const math::Touch& touch, const math::Vec3& slip, const Relative& at, const VecMap& signals,
                const math::Vec3& slip_before) const;

  ContactData data_;
  double radius_i_ = 0, radius_j_ = 0;        // of all solids of a side about its marker, planes left out
  bool only_planes_ = false;                  // on one side
  bool planes_i_ = false, planes_j_ = false;  // any
  std::vector<int> first_point_;              // of each pair
  std::vector<char> refines_;                 // of each point: it has a λ
  double reach_ = 0;                          // λ acts where points are apart by less
};

// DX DY DZ of I along J, the Euler parameters of I in J, VX … WZ, and MODE; with stiction the time and what is kept.
std::vector<Signal> contact_signals(MarkerId i, MarkerId j, const ContactData& data,
                                    const assembly::Layout& layout, const assembly::MarkerTable& table);

}  // namespace trunnion::elements
