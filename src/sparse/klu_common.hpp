#pragma once
// What the real and the complex KLU share.

#include <vector>

#include <klu.h>

#include "sparse/linear_solver.hpp"

namespace trunnion::sparse {

// KLU's interface is not const-correct; it only reads the matrix.
template <class T> T* mut(const std::vector<T>& v) { return const_cast<T*>(v.data()); }

// The symbolic analysis that a plan asks for; sets what `common` needs for it. Null where that fails.
klu_symbolic* klu_symbolic_of(const CscMatrix& A, const Plan& plan, klu_common& common);

}  // namespace trunnion::sparse
