#pragma once
// FRICTION in a joint: forces against the slip of its surfaces, from the joint's own reactions.
//
// With s the slip velocities at the surface (m of them), a = |s|, z the creep of the surfaces while they stick, N the force that
// presses them together and P_k a preload:
//   c_k = −(μ(a) h_k N + P_k) e_k,     e = g(z) + (1 − |g(z)|) τ(s)                   h_k the lever of component k: 1 for a force
//   REVOLUTE        s = Rp ω_z            N = √(Fx²+Fy²) + (Rn/Rp)|Fz| + √(Tx²+Ty²)/Rb          h = Rp
//   TRANSLATIONAL   s = v_z               N = √(Fx²+Fy²) + √(Tx²+Ty²)/Xs + |Tz|/Ra              h = 1
//   CYLINDRICAL     s = (v_z, Rp ω_z)     N = √(Fx²+Fy²) + √(Tx²+Ty²)/Xs                        h = (1, Rp)
//   SPHERICAL       s = Rball (ω_x ω_y ω_z)   N = |F|                                           h = Rball
//   UNIVERSAL, HOOKE   as a revolute about the arm of the yoke that rubs: z of I or of J; x of I or y of J
// F, T: the joint's reaction on I along J's axes, as readings (unknowns of their own), so that the loop reaction → friction →
// reaction is solved. Rp PIN_RADIUS, Rn FRICTION_ARM, Rb BENDING_REACTION_ARM, Ra REACTION_ARM, Xs the overlap: INITIAL_OVERLAP,
// growing or shrinking with the joint's travel. INPUTS chooses the terms of N and the preloads.
//   μ(a): μs up to vs = STICTION_TRANSITION_VELOCITY; a cubic step to μd at 1.5 vs; μd beyond.
//   g, τ: along z and s, of size (3x − x³)/2 with x = |z|/Δ or a/vs, at most 1.   Δ = MAX_STICTION_DEFORMATION
//   EFFECT=SLIDING: μs is μd, and no creep.   EFFECT=STICTION: μd is 0.
//
// The creep is an elastic deflection with perfectly plastic flow: z = z₀ + (x − x₀), drawn back to |z| ≤ Δ w(a), where x is the
// travel and z₀, x₀ what the last accepted step left in State::memory. Of a step that slows down from a₀ > vs to a < vs only the way
// gone below vs counts, at a constant rate the part (vs² − a²)/(a₀² − a²) of x − x₀: with all of it the creep, and the force with it,
// would depend on where steps end. w falls from 1 to 0 between vs/2 and vs: what slides has
// forgotten its creep, otherwise the deflection stored on the way up would throw a block down a slope on which it could rest. A
// joint loaded below μs N comes to rest at the z that carries the load and stays there; the velocity part damps it on the way. Why not a bristle with a differential equation of its own (LuGre):
// in statics its rate is zero with the velocity and leaves z undetermined, and while sliding it is stiff with a time constant Δ/v
// that the error control would have to follow. Here the force is a function of the step's end point, so that any implicit
// method takes it as a spring, and it is continuous when a step is accepted. Deflection and velocity part each take energy
// out only, as long as N is constant.
// The travel of a ball is the turn since the last accepted step, along J: 2 Rball times the vector part of q qₙ⁻¹ (Euler parameters
// of I in J, now and then), which is the rotation vector to third order in what one step turns.
// LUGRE, the bristle with its own equation, is in lugre.hpp. How the commercial solver adds up N is published as pictures of block diagrams only; this
// is their reading in words.

#include <array>
#include <cmath>

#include "elements/function.hpp"

namespace trunnion::elements {

// One term of N: factor · √(Σ squares of some signals), over the overlap where `by_overlap`.
struct FrictionTerm {
  std::array<int, 3> signals{-1, -1, -1};
  double factor = 1.0;
  bool by_overlap = false;
};

struct FrictionData {
  double mu_static = 0, mu_dynamic = 0, transition = 0.1;
  double creep = 0.01;             // Δ
  double pressed = 0;              // part of N that is always there
  double most = 0;                 // of each |c_k|; 0: no limit
  std::vector<FrictionTerm> load;  // N
  struct Slip {
    int signal = -1;       // a velocity
    double radius = 1.0;   // slip per unit of it
    double lever = 1.0;    // h
    double preload = 0.0;  // P
    // Of the creep: signals of the travel, of z₀, of x₀ and of whether they count yet, and where those three are kept, one after
    // the other. A model's travel jumps while it is assembled: x₀ counts from the first accepted state on. None: no creep.
    int travel = -1, z0 = -1, x0 = -1, begun = -1;
    double sign = 1.0;  // of the slip to the rate of the travel
    int place = -1;
  };
  std::vector<Slip> slips;  // one per output
  // A ball in place of travels: signals of the Euler parameters, of those kept and of whether they count, and where the latter five
  // are kept. Its slips have z0 and place only, each one number.
  std::array<int, 4> turn{-1, -1, -1, -1}, last_turn = turn;
  int turn_begun = -1, turn_place = -1;
  int last_slip = -1, last_slip_place = -1;  // a₀: signal, and where it is kept
  bool ball() const { return turn[0] >= 0; }
  double overlap = 1.0;  // Xs = overlap + growth · (travel − travel at the start)
  double growth = 0.0, start = 0.0;
  int travel = -1;                // signal
  int mode = -1;                  // signal of MODE …
  bool inactive_statics = false;  // … and whether the friction is absent in statics
};

// Whether the friction is absent in this kind of analysis.
bool silent(const FrictionData& data, const VecMap& signals);
// N, and its gradient over all signals unless null.
double pressing_force(const FrictionData& data, const VecMap& signals, double* gradient);

class Friction final : public Law {
 public:
  explicit Friction(FrictionData data) : data_(std::move(data)) {}
  void add(const VecMap& signals, VecMap c, MatMap D) const override;
  bool remembers() const override;
  void keep(const VecMap& signals, std::vector<std::pair<int, double>>& kept) const override;
  bool keeps_travel() const override { return true; }

  static constexpr std::size_t kMostSlips = 3;
  static constexpr std::size_t kMostSignals = 32;
  using Slips = std::array<double, kMostSlips>;
  static double length(const Slips& v) { return std::hypot(v[0], v[1], v[2]); }

 private:
  struct Slope {
    double value, slope;
  };
  Slope mu(double a) const;
  Slips slips(const VecMap& signals) const;
  bool creeps(const FrictionData::Slip& slip) const { return slip.travel >= 0 || data_.ball(); }
  struct Creep {
    Slips z{}, way{};  // before it is drawn back; x − x₀, along the slip
    Slope share{1, 0};
  };
  Creep creep(const VecMap& signals, double a) const;
  Slope share(const VecMap& signals, double a) const;
  Eigen::Matrix<double, 3, 4> ball_travel(
      const VecMap& signals) const;  // over the Euler parameters; zero before it counts
  Slope hold(double a) const;        // w

  FrictionData data_;
};

}  // namespace trunnion::elements
