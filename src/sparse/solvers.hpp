#pragma once
// The solvers there are, one file each.

#include "sparse/linear_solver.hpp"

namespace trunnion::sparse {

SolverEntry klu_solver();    // sparse matrices of any kind (SuiteSparse KLU)
SolverEntry dense_solver();  // small ones, as full ones
SolverEntry block_solver();  // those whose order comes in groups that need no pivoting between them
SolverEntry mumps_solver();  // symmetric ones whose eigenvalues below zero are to be counted (MUMPS)

}  // namespace trunnion::sparse
