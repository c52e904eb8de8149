#pragma once
// What a compiled FLEX_BODY leaves for the markers, loads and damping on it.

#include <optional>

#include "elements/modal_load.hpp"
#include "system/compile/flex_matrices.hpp"

namespace trunnion::system {

struct FlexSource {
  assembly::BlockId frame, modes;  // modes invalid where there are none
  FlexMatrices matrices;
  double size = 0;                                // of the places of its nodes
  std::vector<double> hertz;                      // of the free body's modes
  std::optional<elements::ModalDamping> damping;  // where CRATIO changes in the course of a run
};

}  // namespace trunnion::system
