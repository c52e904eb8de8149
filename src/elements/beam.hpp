#pragma once
// BEAM: a massless beam from J to I, along x of J when undeformed, with the stiffness of a Timoshenko beam of constant section.
//
// Linear law: {F, T} on I = −K ({x, y, z, a, b, c} − {LENGTH, 0, …}) − C {v, ω}, all of I in the axes of J, K the 6×6 block of the
// 12×12 matrix that belongs to end I:
//   Py = 12 E Izz ASY/(G A L²), Pz = 12 E Iyy ASZ/(G A L²)
//   K11 = E A/L                      K44 = G Ixx/L
//   K22 = 12 E Izz/(L³(1+Py))        K26 = −6 E Izz/(L²(1+Py))      K66 = (4+Py) E Izz/(L(1+Py))
//   K33 = 12 E Iyy/(L³(1+Pz))        K35 = +6 E Iyy/(L²(1+Pz))      K55 = (4+Pz) E Iyy/(L(1+Pz))
// The three other blocks follow from the balance of the pair (load.hpp). Limits: small deflections of I in J; the reference is J,
// so that large bending is not symmetric in the two ends. A is the area, ASY and ASZ area over shear area.
//
// FORMULATION=STRING: axial load stiffens bending, compression softens it up to buckling. The strain energy is
//   U = ½ E A L ε² + ½ pᵀ K_b p,   ε = (x − L)/L + 1/(2L) ∫ (y′² + z′²) dx
// with the cubic shapes of the linear beam in the integral and K_b the linear stiffness without its axial part; {F, T} = −∂U/∂(x … c).
// For small loads it is the linear law; its tangent under an axial force N is K + N K_G, K_G the consistent geometric stiffness.
// What the commercial solver does exactly under this name is not public; the shortening of second order is what the name promises.
//
// FORMULATION=NONLINEAR: large rotations and deflections. The same energy without shear (Euler-Bernoulli), of the deformation
// measured from the chord (corotation.hpp) instead of from x of J: ε = (|p| − L)/L + 1/(2L) ∫ (y′² + z′²) dx, y and z off the chord.
// Symmetric in the two ends; damping is C times the rate of deformation, so that turning as a whole is never damped. Elements that
// bend by up to 0.18 rad each (25 of them at P L²/(E I) = 10) are within their strain, 8e-7, of the elastica.

#include <vector>

#include <Eigen/Core>

#include "elements/function.hpp"

namespace trunnion::elements {

struct BeamSection {
  double length = 0, area = 0;
  double ixx = 0, iyy = 0, izz = 0;
  double asy = 0, asz = 0;
  double emodulus = 0, gmodulus = 0;
};

Eigen::MatrixXd beam_stiffness(const BeamSection& section);

// U(x) = ½ xᵀ K x − xᵀ F + ½ A ε²,   ε = x₀/L + ½ xᵀ Q x,   x the deflections and turns less their free values. The forces that
// resist are ∂U/∂x where K is symmetric; a FIELD's may be any matrix, and the rest of K x has no potential.
struct StrainEnergy {
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  Mat6 K = Mat6::Zero();
  Vec6 preload = Vec6::Zero();  // F
  double axial = 0.0;           // A: E times the beam's volume
  double length = 1.0;
  Mat6 Q = Mat6::Zero();

  double value(const Vec6& x) const;
  Vec6 gradient(const Vec6& x) const { return force(x) - 0.5 * (K * x - K.transpose() * x); }
  Vec6 force(const Vec6& x) const;
  Mat6 stiffness(const Vec6& x) const;  // ∂force/∂x

 private:
  double strain(const Vec6& x) const { return x[0] / length + 0.5 * x.dot(Q * x); }
  Vec6 strain_gradient(const Vec6& x) const;
};
// Bending shortens the beam: against x of J, or (from_chord) against the line between its ends.
StrainEnergy stretched_beam(const BeamSection& section, bool from_chord);

// STRING. Signals 0 … 5 are x … c of I in J; others are ignored.
class StringBeam final : public Law {
 public:
  explicit StringBeam(const BeamSection& section)
      : length_(section.length), energy_(stretched_beam(section, false)) {}
  void add(const VecMap& signals, VecMap c, MatMap D) const override;
  bool stores() const override { return true; }
  double potential(const VecMap& signals) const override { return energy_.value(deflection(signals)); }
  double potential_rate(const VecMap& signals, const VecMap& rates) const override {
    return energy_.gradient(deflection(signals)).dot(rates.head<6>());
  }

 private:
  StrainEnergy::Vec6 deflection(const VecMap& signals) const;

  double length_;
  StrainEnergy energy_;
};

// A 6×6 matrix from the 21 values of its lower half, column by column.
Eigen::MatrixXd symmetric_from_half(const std::vector<double>& half);

}  // namespace trunnion::elements
