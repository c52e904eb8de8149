#pragma once
// The nine inertia invariants of a modal body, as docs/theory/flexible.md has them. In axes of the body's frame, about its origin.
//
// From the consistent mass matrix M by products with the fields of the nodes (Zwölfer and Gerstmayr's idea): with the
// six rigid fields R_t, R_θ, the shapes Φ, and E_a the shapes turned by e_a ×,
//   I1, I2, I7 from RᵀMR;  I3 = R_tᵀMΦ;  I4 = R_θᵀMΦ;  I6 = ΦᵀMΦ;  I5 = E_aᵀMΦ;  I8 = −R_θᵀME_a;  I9 = −E_aᵀME_b
// Exact for the interpolated field as long as M treats x, y, z alike (solid elements). Where it does not (beams, shells: rotations
// interpolate too), a turned shape is not in the element's space, and I5, I8, I9, of second order in the deformation, are taken from
// nodal lumps.
// Lumps: each node's share of the mass, the sum of its row; of rotations the blocks of rotation alone.

#include <vector>

#include "flex/fe_model.hpp"

namespace trunnion::flex {

enum class MassKind { consistent, lumped };

struct Invariants {
  double I1 = 0;
  Eigen::Vector3d I2 = Eigen::Vector3d::Zero();
  Eigen::MatrixXd I3, I4;  // 3 × modes
  Eigen::MatrixXd I5;      // 3·modes × modes: block j is Σ m φ_j × Φ
  Eigen::MatrixXd I6;      // modes × modes
  Eigen::Matrix3d I7 = Eigen::Matrix3d::Zero();
  Eigen::MatrixXd I8;              // 3 × 3·modes
  Eigen::MatrixXd I9;              // 3·modes × 3·modes
  bool second_from_lumps = false;  // I5, I8, I9, where the mass matrix does not treat x, y, z alike
};

Invariants invariants(const FeModel& model, const Eigen::MatrixXd& shapes, MassKind kind);

// The mass matrix of nodal lumps.
SparseMatrix lumped(const FeModel& model);

}  // namespace trunnion::flex
