#pragma once
// FIELD and BEAM with FORMULATION=NONLINEAR: the deformation of I against J where the rotation between them is large.
//
// From the free pose (p₀, R₀) to the present one (p, R) of I in J: R R₀ᵀ = exp ψ, in Euler parameters (w, e)
//   ψ = 2 f(w) e,  f(w) = acos w/√(1 − w²)          half of that turn leads to the middle frame, in which I stands at
//   y = exp(−ψ/2) p = p − e×p + e×(e×p)/(1 + w)
// The middle frame treats I and J alike: exchanging them changes signs only. Deformations x₀ … x₅, to first order those of the
// LINEAR laws (DX DY DZ AX AY AZ less their free values), so that the same matrices K and C hold:
//   middle (FIELD)   x = (y − p₀ − ½ p₀×ψ, ψ)
//   chord (BEAM)     x = (|y| − L, L(h_y + ½ψ_z), L(h_z − ½ψ_y), ψ),  h = f(n_x) n,  n = y/|y|:  h are the angles of the chord
// With the strain energy U(x) and B = ∂x/∂(p, turn of I about the axes of J):
//   {F, T} on I, along J = −Bᵀ (∂U/∂x + C B {v, ω})
// so that the elastic part has a potential at any rotation, and turning the pair as a whole costs nothing.
// FIELD: R₀ is the rotation vector LENGTH(4 … 6).
// (w, e) and −(w, e) are one rotation but two turns, ψ and the rest of a full turn the other way round. The one meant is that next to
// the last accepted step's, kept in State::memory; at first the shorter one. So ψ is continuous past half a turn.
// Limits: |ψ| < 2π, since f(w) → ∞ as w → −1: a full turn has no axis. A chord along −x has no angles either, one of no length no
// direction. Within kSingular of these places, and where a step would lead across one, there is no load: the corrector takes a
// smaller step, and the analysis that cannot go on tells of the element. What the commercial solver computes under this name is not
// public in its details; its pages say Euler-Bernoulli with large deflections for the BEAM.

#include "elements/beam.hpp"
#include "elements/troubles.hpp"
#include "math/so3.hpp"

namespace trunnion::elements {

// Signals: DX DY DZ of I along J, the four Euler parameters of I in J, what the last accepted step kept of the turn (w, e) and of
// the chord (n_y, n_z where it points backwards), all zero before the first; then, where there is damping, VX … WZ.
class Corotation final : public Law {
 public:
  using Vec6 = StrainEnergy::Vec6;
  using Mat6 = StrainEnergy::Mat6;
  enum class From : std::uint8_t { middle, chord };

  // p₀ = (energy.length, 0, 0) for a beam.
  static Corotation beam(StrainEnergy energy, const Mat6& C) {
    return {From::chord, energy, C, {energy.length, 0.0, 0.0}, math::Quat::Identity()};
  }
  static Corotation field(StrainEnergy energy, const Mat6& C, const math::Vec3& p0, const math::Vec3& turn) {
    return {From::middle, energy, C, p0, math::so3_exp_quat(turn)};
  }

  static constexpr int kKept = 6;                   // numbers
  static constexpr double kSingular = M_PI / 36.0;  // 5°
  // Accepted steps write `first` and the places after it in State::memory.
  void remember(int first) { place_ = first; }
  void tell(std::string owner, std::shared_ptr<Troubles> troubles) {
    owner_ = std::move(owner);
    troubles_ = std::move(troubles);
  }

  bool damped() const { return damped_; }
  void add(const VecMap& signals, VecMap c, MatMap D) const override;
  bool stores() const override { return true; }
  double potential(const VecMap& signals) const override;
  double potential_rate(const VecMap& signals, const VecMap& rates) const override;
  bool remembers() const override { return place_ >= 0; }
  void keep(const VecMap& signals, std::vector<std::pair<int, double>>& kept) const override;

 private:
  Corotation(From from, StrainEnergy energy, const Mat6& C, const math::Vec3& p0, const math::Quat& R0);
  struct Deformation;
  Deformation deformation(const VecMap& signals, bool second) const;
  void complain(const char* about) const;

  From from_;
  StrainEnergy energy_;
  Mat6 C_;
  bool damped_;
  math::Vec3 p0_;
  Eigen::Matrix4d from_free_;  // (w, e) of R R₀ᵀ from those of R
  int place_ = -1;             // of what is kept
  std::string owner_;          // for messages
  std::shared_ptr<Troubles> troubles_;
};

// The signals of a Corotation, with the rates if it is damped. What is kept is read from `first` in State::memory on.
std::vector<Signal> corotation_signals(MarkerId i, MarkerId j, int first, bool damped,
                                       const assembly::Layout& layout, const assembly::MarkerTable& table);

}  // namespace trunnion::elements
