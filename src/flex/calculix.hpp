#pragma once
// CalculiX (ccx), run as a program: mass and stiffness of a deck, and stresses of given motions. Nothing of it is linked; where it is
// not installed, that is said.

#include <filesystem>
#include <string>
#include <vector>

#include "flex/deck.hpp"

namespace trunnion::flex {

struct CalculixOptions {
  std::string program = "ccx";
  std::filesystem::path keep;  // folder for its files, left behind; empty: a temporary one
};

// Mass (consistent) and stiffness by *FREQUENCY, SOLVER=MATRIXSTORAGE.
FeModel with_matrices(const Deck& deck, const CalculixOptions& options);

// Stresses of nodes, of each motion: 6 · nodes × motions, in the order xx, yy, zz, xy, yz, zx; strains alike, of shear half of the angle.
struct NodalStresses {
  std::vector<int> nodes;  // ids
  Eigen::MatrixXd values, strains;
};
// By *STATIC with every degree of freedom prescribed, one step for each motion: stresses at the points of integration, taken
// to the nodes and averaged there, by CalculiX. Motions: columns over model.dofs. CalculiX prints six digits.
NodalStresses stresses_of(const Deck& deck, const FeModel& model, const Eigen::MatrixXd& motions,
                          bool strains, const CalculixOptions& options);

}  // namespace trunnion::flex
