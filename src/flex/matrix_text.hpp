#pragma once
// A modal body in the language's own form: matrices as ADAMSMAT text (docs/theory/flexible.md has the list), and the statements that
// read them.

#include <filesystem>
#include <string>
#include <vector>

#include "flex/modal_body.hpp"

namespace trunnion::flex {

struct StatementOptions {
  int id = 1;              // of FLEX_BODY and of the first MATRIX
  std::vector<int> nodes;  // that markers may stand on, besides the interfaces: ids
};

// INVAR1 … INVAR9, GENSTIFF, SELMOD, SELNOD, T_MODE, R_MODE.
std::string matrices_text(const ModalBody& body, const StatementOptions& options);
// S_NODE, S_MODE; empty where there are no stresses.
std::string stress_text(const ModalBody& body);
// FLEX_BODY, its MATRIX statements, and a MARKER on each interface; to be pasted into a model.
std::string statements_text(const ModalBody& body, const StatementOptions& options,
                            const std::string& matrices, const std::string& stresses);

}  // namespace trunnion::flex
