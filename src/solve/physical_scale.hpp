#pragma once
// What a stage's multipliers and constraints are measured in:
//   σ = m_r + v d_r + q k_r       means of the diagonals of M, C and K over all bodies' coordinates, by the formula's factors v and q of a stage
// Turns count by what they do at the mean radius of gyration. Modes do not count: a constraint moves what gives way, and one mode of 10⁵ Hz
// would be the whole mean. Rounded to a power of two.

#include "solve/level_maps.hpp"
#include "system/levels.hpp"

namespace trunnion::solve {

double physical_scale(const system::Levels& levels, const LevelMap& body);

}  // namespace trunnion::solve
