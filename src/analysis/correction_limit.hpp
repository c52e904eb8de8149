#pragma once
// ALIMIT and TLIMIT: no iteration moves a part farther than these.

#include <algorithm>

#include <Eigen/Core>

#include "assembly/layout.hpp"

namespace trunnion::analysis {

// What to multiply a correction by: all of it is scaled together, so that its direction stays.
inline double correction_limit(const assembly::Layout& layout, const Eigen::VectorXd& d, double alimit,
                               double tlimit) {
  double turn = 0, travel = 0;
  for (int b = 0; b < layout.block_count(); ++b) {
    const assembly::Block& block = layout.block(assembly::BlockId{b});
    if (assembly::is_scalar(block.kind)) continue;
    travel = std::max(travel, d.segment(block.offset, block.translations).lpNorm<Eigen::Infinity>());
    const int turns = block.size - block.translations;
    if (turns > 0) turn = std::max(turn, d.segment(block.offset + block.translations, turns).norm());
  }
  double factor = 1;
  if (turn > alimit) factor = alimit / turn;
  if (travel * factor > tlimit) factor = tlimit / travel;
  return factor;
}

}  // namespace trunnion::analysis
