#pragma once
// Coordinates from which the others follow, chosen for conditioning.

#include <optional>
#include <vector>

#include "sparse/pattern.hpp"
#include "system/system.hpp"

namespace trunnion::solve {

// What a turn counts as a travel: four times the mechanism's length. Where there is a choice turns are the independent ones, because travels
// change direction along a motion.
double turn_measure(const system::System& system, const system::System::Workspace& work);

// Columns of G, as many as coordinates exceed these rows, from which the others follow by coefficients that are not large: Gaussian
// elimination with pivots about as large as any in their row, turns being measured as above. `work` is at the state that G is
// of. None where the rows are dependent there.
std::optional<std::vector<int>> independent_columns(const system::System& system,
                                                    const system::System::Workspace& work,
                                                    const sparse::CscMatrix& G, const std::vector<int>& rows);

}  // namespace trunnion::solve
