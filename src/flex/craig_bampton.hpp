#pragma once
// Craig and Bampton's reduction. Coordinates û = (b, i), b where the body is joined:
//   constraint modes      Ψ = −K_ii⁻¹ K_ib: one coordinate of b moved by one, the others held; exact for static loads on b
//   fixed-interface modes  K_ii Φ = M_ii Φ Λ, ΦᵀM_iiΦ = 1: the lowest, all b held
//   u = T (Ψ b + Φ p)
// then made orthonormal over b and p together, with the six rigid motions taken out by generalised mass: what is left is mass-orthogonal
// to them, whatever its frequency. M = 1, K = Λ; no threshold of frequency decides what is rigid.
// Without any b: modes of the free body.

#include <cstddef>
#include <vector>

#include "flex/interfaces.hpp"

namespace trunnion::flex {

struct ReductionRequest {
  int modes = 20;        // fixed-interface (or free) modes to keep
  double highest = 0;    // instead: all up to this frequency, radians per unit of time; 0: not asked for
  int looked_ahead = 0;  // modes behind those, for the check of the set; 0: a quarter, four at least
};

// What the check of a set of modes is made from (quality.hpp). Over the coordinates b: one entry each.
struct SetOfModes {
  std::vector<int> nodes;           // id of the node of each b
  std::vector<int> directions;      // 0-5
  Eigen::VectorXd stiffness, mass;  // diagonals of K_bb and M_bb, reduced
  Eigen::VectorXd coupled,
      coupled_total;  // Σ over the kept fixed-interface modes, over all, of (φᵀ(M_iiΨ + M_ib))²; NaN: unknown
  Eigen::VectorXd fixed, ahead;  // eigenvalues of the fixed-interface modes: kept, next
  // Own weight along x, y, z, interfaces held: strain energy that the kept modes have of it, and all of it.
  Eigen::Vector3d weight = Eigen::Vector3d::Zero(), weight_total = Eigen::Vector3d::Zero();
  // Mass that moves with the kept fixed-interface modes when the interfaces move along x, y, z as one, and all that is not on b.
  Eigen::Vector3d moved = Eigen::Vector3d::Zero(), moved_total = Eigen::Vector3d::Zero();
  Eigen::VectorXd richer;   // eigenvalues of the orthonormal modes with those ahead in the set, too
  double static_error = 0;  // of unit loads on b: reduced against K û = f, relative
};

struct Reduction {
  Eigen::MatrixXd shapes;       // degrees of freedom × modes
  Eigen::MatrixXd coordinates;  // coordinates × modes: references of groups have their motion here
  Eigen::VectorXd eigenvalues;  // ω², ascending
  int constraint_modes = 0, fixed_modes = 0;
  SetOfModes check;
};

// Throws InputError where the interfaces do not hold the body or where a part of it is loose.
Reduction reduce(const FeModel& model, const Coupling& coupling, const ReductionRequest& request);

}  // namespace trunnion::flex
