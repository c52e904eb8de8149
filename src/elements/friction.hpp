#pragma once
// FRICTION in a joint: forces against the slip of its surfaces, from the joint's own reactions.
//
// With s the slip velocities at the surface (m of them), a = |s|, N the force that presses the surfaces together and P_k a preload:
//   c_k = −(μ(a) h_k N + σ(a) P_k) s_k/a                   h_k the lever of component k: 1 for a force
//   REVOLUTE        s = Rp ω_z            N = √(Fx²+Fy²) + (Rn/Rp)|Fz| + √(Tx²+Ty²)/Rb          h = Rp
//   TRANSLATIONAL   s = v_z               N = √(Fx²+Fy²) + √(Tx²+Ty²)/Xs + |Tz|/Ra              h = 1
//   CYLINDRICAL     s = (v_z, Rp ω_z)     N = √(Fx²+Fy²) + √(Tx²+Ty²)/Xs                        h = (1, Rp)
//   SPHERICAL       s = Rball (ω_x ω_y ω_z)   N = |F|                                           h = Rball
// F, T: the joint's reaction on I along J's axes, as readings (unknowns of their own), so that the loop reaction → friction →
// reaction is solved. Rp PIN_RADIUS, Rn FRICTION_ARM, Rb BENDING_REACTION_ARM, Ra REACTION_ARM, Xs the overlap: INITIAL_OVERLAP,
// growing or shrinking with the joint's travel. INPUTS chooses the terms of N and the preloads.
//   μ(a): μs (3x − x³)/2, x = a/vs, up to vs = STICTION_TRANSITION_VELOCITY; a cubic step from μs to μd up to 1.5 vs; μd beyond.
//   σ(a): the same with both coefficients 1.   EFFECT=SLIDING: μs is μd.   EFFECT=STICTION: μd is 0.
// Limits: below vs the force follows the velocity alone, so that a joint under load creeps (at vs·load/(1.5 μs N) at most) instead of
// sticking on the elastic memory of MAX_STICTION_DEFORMATION. No LuGre; not on HOOKE and UNIVERSAL. How the commercial solver adds up
// N is published as pictures of block diagrams only; this is their reading in words.

#include <array>

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
  std::vector<FrictionTerm> load;  // N
  struct Slip {
    int signal = -1;       // a velocity
    double radius = 1.0;   // slip per unit of it
    double lever = 1.0;    // h
    double preload = 0.0;  // P
  };
  std::vector<Slip> slips;  // one per output
  double overlap = 1.0;     // Xs = overlap + growth · (travel − travel at the start)
  double growth = 0.0, start = 0.0;
  int travel = -1;                // signal
  int mode = -1;                  // signal of MODE …
  bool inactive_statics = false;  // … and whether the friction is absent in statics
};

class Friction final : public Law {
 public:
  explicit Friction(FrictionData data) : data_(std::move(data)) {}
  void add(const VecMap& signals, VecMap c, MatMap D) const override;

 private:
  // μ(a)/a and its derivative.
  struct Ratio {
    double value, slope;
  };
  Ratio ratio(double a, double mu_static, double mu_dynamic) const;
  double load(const VecMap& signals, double* gradient) const;  // N; gradient over all signals, or null

  FrictionData data_;
};

}  // namespace trunnion::elements
