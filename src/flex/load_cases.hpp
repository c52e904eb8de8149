#pragma once
// Load cases of a flexible body, for MFORCE: forces on nodes of the mesh as force and torque on the body's frame and a load for each mode.

#include <filesystem>

#include "flex/modal_body.hpp"

namespace trunnion::flex {

// (6 + modes) × cases, in the body's units: Σ f, Σ s × f + t, Σ Φᵀf + Φ*ᵀt. The file has a line for each force, 'case node fx fy fz', with
// 'tx ty tz' behind it where the node has rotations; cases are numbers from 1 on, # begins a comment. Throws InputError.
Eigen::MatrixXd read_load_cases(const std::filesystem::path& path, const ModalBody& body);

}  // namespace trunnion::flex
