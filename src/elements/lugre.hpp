#pragma once
// FRICTION with FORMULATION=LUGRE: the surfaces touch by bristles, whose mean deflection z is a state (Canudas de Wit, Olsson,
// Åström, Lischinsky 1995), here with as many components as the joint has slips and scaled by what presses:
//   ż = s − σ₀ |s| z/g(|s|)             g(a) = μd + (μs − μd) exp(−(a/vs)²)
//   m = σ₀ z + σ₁ exp(−(a/vs)²) ż + σ₂ s
//   c_k = −(h_k N + P_k/g) m_k           s, N, h, P as in friction.hpp
// Sliding steadily, m = g(a) + σ₂ a; sticking, σ₀ N is a stiffness and σ₁ N a damping. σ₀ BRISTLE_STIFFNESS (1/length; default
// μs/MAX_STICTION_DEFORMATION: break-away at that deflection), σ₁ DAMPING_COEFFICIENT (time/length; default μs/vs), σ₂
// VISCOUS_COEFFICIENT (time/length; default 0), vs STRIBECK_VELOCITY (default STICTION_TRANSITION_VELOCITY).
// σ₁ fades with speed, so that the bristles only take energy wherever σ₁ a exp(−(a/vs)²) ≤ 4 g(a): always if 0.43 σ₁ vs ≤ 4 μd.
// Limits: in statics the bristles keep their deflection, which is none at the start: the equilibrium is that without friction.
// Under a load that oscillates z drifts by a little each time, as the model is known to. Needs μd > 0. The spelling of the four
// arguments is that of other programs of the field; the vendor's page of them is not public.

#include "elements/friction.hpp"

namespace trunnion::elements {

struct Bristles {
  double mu_static = 0, mu_dynamic = 0, transition = 0.1;  // vs
  double stiffness = 0, damping = 0, viscous = 0;          // σ₀ σ₁ σ₂
};

// c of the load. Signals of z by slip; the others by the data.
class LuGre final : public Law {
 public:
  LuGre(FrictionData data, const Bristles& bristles, std::vector<int> z)
      : data_(std::move(data)), bristles_(bristles), z_(std::move(z)) {}
  void add(const VecMap& signals, VecMap c, MatMap D) const override;

 private:
  FrictionData data_;
  Bristles bristles_;
  std::vector<int> z_;
};

// ż of n bristles. Signals: n velocities, then n deflections.
class BristleRate final : public Law {
 public:
  BristleRate(const Bristles& bristles, std::vector<double> radii)
      : bristles_(bristles), radii_(std::move(radii)) {}
  void add(const VecMap& signals, VecMap c, MatMap D) const override;

 private:
  Bristles bristles_;
  std::vector<double> radii_;  // slip per unit of velocity
};

}  // namespace trunnion::elements
