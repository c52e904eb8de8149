#pragma once
// LINEAR's PSTATE: coordinates that the user chose, as VARIABLEs of displacements. With p = P(q, t) along the motion
//   δp = P ξ,     δṗ = P ν + Ṗ ξ,     δp̈ = P ν̇ + 2 Ṗ ν + P̈ ξ
// Ṗ and P̈ are differences of eighth order of the exact P along the motion, as in linear/levels.hpp. At rest they are zero.

#include <string>
#include <vector>

#include "analysis/linear/columns.hpp"

namespace trunnion::analysis {

// Rows over the entries of ξ.
struct CoordinateRows {
  Eigen::MatrixXd P, P1, P2;  // P, Ṗ, P̈
  std::vector<core::Words> names;
};

struct ChosenCoordinates {
  CoordinateRows positions, velocities;  // as many rows as `given` has
  std::vector<core::Words> messages;     // what was left out
  core::Words trouble;                   // not empty: they cannot be had
};

// As many of the VARIABLEs `chosen` as are independent, in their order, and the coordinates of `columns` for the rest.
ChosenCoordinates choose_coordinates(const system::System& system, const AssemblyResult& at,
                                     const std::vector<assembly::BlockId>& chosen,
                                     const LinearColumns& columns);

}  // namespace trunnion::analysis
