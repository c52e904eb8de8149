#pragma once
// An Abaqus or CalculiX deck, read as far as a flexible body needs it: nodes, elements, node sets. What makes mass and stiffness
// (materials, sections, constraints) is kept as text for CalculiX; steps and boundary conditions are left out, and said.

#include <filesystem>
#include <string>
#include <vector>

#include "flex/fe_model.hpp"

namespace trunnion::flex {

struct Deck {
  FeModel model;     // nodes, elements, sets; no matrices yet
  std::string text;  // the deck without steps and boundary conditions, *INCLUDEs put in place
  std::vector<std::string> left_out;     // "*BOUNDARY (2)", "*STEP (1) and all inside"
  std::vector<std::string> constraints;  // *TIE, *EQUATION, …: they take degrees of freedom away
};

// Throws InputError with file and line.
Deck read_deck(const std::filesystem::path& path);

}  // namespace trunnion::flex
