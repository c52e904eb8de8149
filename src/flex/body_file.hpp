#pragma once
// PREFIX.flex.h5: a modal body with its mesh and shapes, for pictures, and what `trunnion flex --check` needs.
//   attribute format           "trunnion flexible body 1"
//   origin                     text
//   nodes/id, position, turns  n; n × 3; n: whether its rotations are known
//   elements/id, type, start, nodes   of element e: nodes[start[e] … start[e+1]−1], numbers of nodes
//   interfaces                 numbers of nodes
//   modes/frequency            Hz
//   modes/translation, rotation   modes × n × 3
//   stress/nodes, values       n_s; modes × n_s × 6 in the order xx, yy, zz, xy, yz, zx; only where there are any
//   check/…                    of Craig and Bampton's sets (craig_bampton.hpp, SetOfModes)

#include <filesystem>

#include "flex/modal_body.hpp"

namespace trunnion::flex {

// Throw InputError where it cannot be written or read.
void write_body(const ModalBody& body, const std::filesystem::path& path);

struct CheckData {
  std::string origin;
  SetOfModes set;
  Eigen::VectorXd eigenvalues;
};
CheckData read_check(const std::filesystem::path& path);

}  // namespace trunnion::flex
