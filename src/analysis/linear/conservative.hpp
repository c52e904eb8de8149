#pragma once
// Mechanisms at rest whose forces have a potential: M ÿ + K y = 0 with both symmetric. Eigenvalues are pairs ±√−μ of real μ, found by
// methods for symmetric matrices in a tenth of the time, and none gets a damping that is rounding.

#include <optional>

#include "analysis/linear/freedom.hpp"
#include "analysis/linear/spectrum.hpp"

namespace trunnion::analysis {

// Whether positions alone decide: at rest, no states, no velocity-level rows, no force that reads a variable
// but those of the time alone.
bool positions_alone(const LinearLevels& at);

// All eigenvalues, with shapes over tangent entries. Nothing where there is damping, or M is not symmetric; or K, unless the model is so
// large that half the size saves much: loads that follow, or moments about axes in space, have no potential but need no velocities.
std::optional<Spectrum> conservative_spectrum(const LinearLevels& at);

}  // namespace trunnion::analysis
