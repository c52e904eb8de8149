#pragma once
// Scratch memory as the spans that expressions take.

#include <span>

#include "assembly/scratch.hpp"

namespace trunnion::elements {

inline std::span<double> take(assembly::Scratch& scratch, std::size_t n) {
  return {scratch.take(static_cast<Eigen::Index>(n)), n};
}

}  // namespace trunnion::elements
