#pragma once
// How many eigenvalues of a symmetric matrix are below zero, without finding any: as many as pivots of L D Lᵀ (Sylvester). The
// matrix may be indefinite and have zeros on its diagonal.

#include <optional>

#include "sparse/pattern.hpp"

namespace trunnion::sparse {

struct Inertia {
  int negative = 0, zero = 0;
};

// The lower triangle counts. Nothing where the factorisation fails.
std::optional<Inertia> inertia(const CscMatrix& symmetric);

}  // namespace trunnion::sparse
