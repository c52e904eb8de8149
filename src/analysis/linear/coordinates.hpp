#pragma once
// The coordinates of a linear analysis: small displacements and turns ξ along axes that do not turn with the parts, and ν = ξ̇.
//
// A part's own tangent entries will not do about a moving state: its turns δθ are in body axes, which turn, and δθ̇ = δω − ω × δθ.
// With ξ in the axes Q of a frame that turns with Ω (ground: Q = 1, Ω = 0; LINEAR's RM: the marker as it moves unperturbed)
//   translation  δx = Q ξ         δẋ = Q (ν + Ω̂ ξ)          δẍ = Q (ν̇ + 2 Ω̂ ν + (Ω̂² + α̂) ξ)
//   rotation     δθ = Rᵀ Q ξ      δω = Rᵀ Q (ν + Ω̂ ξ)       δω̇ = Rᵀ Q (ν̇ + 2 Ω̂ ν + (Ω̂² + α̂) ξ) − ω̂ δω
// Ω, α in the frame's own axes. So δ = E ξ, η = E ν + E₁ ξ, η̇ = E ν̇ + F₁ ν + F₀ ξ, block by block. A rotor in bearings that do not
// turn has constant coefficients in ground axes, blades on it in the axes of their hub.

#include <string>

#include <Eigen/SparseCore>

#include "system/system.hpp"

namespace trunnion::analysis {

struct LinearCoordinates {
  using Matrix = Eigen::SparseMatrix<double>;
  Matrix E, E1, F1, F0;
  core::Words trouble;  // not empty: they cannot be had

  // `rm`: invalid for ground axes. The kinematics must have been brought to the state.
  LinearCoordinates(const system::System& system, const assembly::Kinematics& kinematics,
                    assembly::MarkerId rm);
};

// "PART/3 'crank' rotation about x", "PART/3 'crank' translation along x of MARKER/5".
core::Words coordinate_name(const system::System& system, int entry, const core::Words& frame);

}  // namespace trunnion::analysis
