#pragma once
// Mass and stiffness from files that other programs write, and what belongs to their rows.
//
//   .mtx   Matrix Market, coordinate form, real or integer, general or symmetric; or Abaqus' *MATRIX GENERATE, text of lines
//          "node, direction, node, direction, value", either or both triangles
//   .op4   Nastran OUTPUT4 as text (FORMATTED), real, one or two words a number: full columns, or strings in either form
//   .sti, .mas   CalculiX: "row column value", one triangle
//   nodes  lines "id x y z"; blanks or commas; # and * begin a comment
//   dofs   lines "node.direction" (CalculiX' .dof) or "node direction", one a row, directions 1-6
// Not read: binary OP4, complex numbers.

#include <filesystem>
#include <string>
#include <vector>

#include "flex/fe_model.hpp"

namespace trunnion::flex {

// A square matrix as it was read. Abaqus names rows by node and direction: `labels` then tells which; empty otherwise.
struct LabelledMatrix {
  SparseMatrix values;
  std::vector<std::pair<int, int>> labels;  // node id, direction from 0
};

// Chosen by the file's first line, not by its name. `name`: of the matrix in an .op4; empty: the first.
LabelledMatrix read_matrix(const std::filesystem::path& path, const std::string& name = {});
// Of `size` rows. CalculiX does not say the size itself.
SparseMatrix read_coordinates(const std::filesystem::path& path, int size);
std::vector<Node> read_nodes(const std::filesystem::path& path);
// Node ids and directions from 0.
std::vector<std::pair<int, int>> read_dofs(const std::filesystem::path& path);

struct MatrixInput {
  std::filesystem::path mass, stiffness, nodes,
      dofs;  // dofs may be empty: three or six a node, in the order of the node list
  std::string mass_name, stiffness_name;  // in .op4
};
FeModel read_matrices(const MatrixInput& input);

// The nodes' ids become indices. Throws where a row's node is not in the list, or a row is told twice.
std::vector<Dof> dofs_of(const std::vector<std::pair<int, int>>& labels, const FeModel& model,
                         const std::string& origin);

}  // namespace trunnion::flex
