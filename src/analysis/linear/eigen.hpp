#pragma once
// All eigenvalues of a mechanism, dense.

#include <string>
#include <vector>

#include "analysis/linear/levels.hpp"
#include "analysis/linear/linear.hpp"
#include "analysis/linear/spectrum.hpp"

namespace trunnion::analysis {

// Of all that is finite, by whichever way there is; vectors are shapes over tangent entries.
bool eigen_of(const system::System& system, const AssemblyResult& at, const LinearOptions& options,
              Spectrum& out, std::vector<core::Words>& messages, bool* moving = nullptr);

// Forces known to `force` only leave the stiffness unknown by that over the mechanism's length.
void doubt_of_forces(const LinearLevels& at, double force, Spectrum& spectrum);

int count_states(const system::System& system, const AssemblyResult& at);
// Not empty: dense matrices of this model would not fit.
core::Words too_large(const system::System& system, const AssemblyResult& at, const char* what);

}  // namespace trunnion::analysis
