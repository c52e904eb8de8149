#pragma once
// MBDyn's .fem: a body that another program has reduced already. Record groups, each begun by "** RECORD GROUP n":
//   1 sizes, 2 node numbers, 5-7 coordinates, 8 shapes (six numbers a node), 9 modal mass, 10 modal stiffness,
//   11 nodal masses (six a node), 12 mass, centre, inertia about the centre.
// Modes are made orthonormal, rigid motions among them taken out: what the nodal masses say is a rigid motion to a part in a thousand
// of its generalised mass. Invariants come from nodal masses, as MBDyn's do; where the file has none (group 11), from group 12
// alone, without coupling of deformation to motion, which is said.
// Not used: groups 3 and 4 (start values), 13 (damping).

#include <filesystem>
#include <string>
#include <vector>

#include "flex/modal_body.hpp"

namespace trunnion::flex {

ModalBody read_mbdyn(const std::filesystem::path& path, std::vector<std::string>& notes);

}  // namespace trunnion::flex
