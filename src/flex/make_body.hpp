#pragma once
// From the files of a finite-element program to a modal body: what `trunnion flex` does.

#include <filesystem>
#include <string>
#include <vector>

#include "flex/calculix.hpp"
#include "flex/matrix_files.hpp"
#include "flex/modal_body.hpp"

namespace trunnion::flex {

struct BodyRequest {
  std::filesystem::path source;  // .inp, .fem; empty: `matrices`
  MatrixInput matrices;
  std::vector<InterfaceRequest> interfaces;
  ReductionRequest reduction;
  MassKind mass = MassKind::consistent;
  bool stresses = false, strains = false;
  std::filesystem::path loads;  // load cases; empty: none
  CalculixOptions calculix;
};

struct MadeBody {
  ModalBody body;
  RigidProperties rigid;
  std::vector<int> groups;         // node ids of references that were made
  std::vector<std::string> notes;  // what was left out, or should be known
  int degrees_of_freedom = 0;      // of the mesh; 0: it came reduced
};

// Throws InputError.
MadeBody make_body(const BodyRequest& request);

}  // namespace trunnion::flex
