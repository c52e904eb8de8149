#pragma once
// A flexible body as it is written out: modes, invariants, shapes at nodes, stresses, the mesh for pictures.

#include <string>
#include <vector>

#include "flex/calculix.hpp"
#include "flex/craig_bampton.hpp"
#include "flex/invariants.hpp"

namespace trunnion::flex {

struct ModalBody {
  std::string origin;  // the file it was made from, and how
  Invariants inertia;
  Eigen::VectorXd eigenvalues;    // ω², in the deck's units of time whatever scale() did
  Eigen::MatrixXd stiffness;      // generalised: diagonal for orthonormal modes
  std::vector<Node> nodes;        // of the mesh, by ascending id
  Eigen::MatrixXd translation;    // 3 · nodes × modes
  Eigen::MatrixXd rotation;       // 3 · nodes × modes; zero where a node has no rotations
  std::vector<char> turns;        // node has rotations
  std::vector<int> interfaces;    // ids
  std::vector<Element> elements;  // of indices into nodes
  NodalStresses stress;           // may be empty
  Eigen::MatrixXd loads;          // (6 + modes) × load cases; may be empty
  SetOfModes check;               // may be empty: of a body that came reduced
  int constraint_modes = 0, fixed_modes = 0;

  int modes() const { return static_cast<int>(stiffness.rows()); }
};

// `model` and what its reduction made of it.
ModalBody modal_body(const FeModel& model, const Coupling& coupling, const std::vector<Interface>& interfaces,
                     const Reduction& reduction, MassKind mass);

// One of its units in the model's: deck in tonne, mm, N and model in kg, mm, N gives 1000, 1, 1.
struct UnitScale {
  double mass = 1, length = 1, force = 1;
};
// "tonne,mm,N": mass, length, force. Throws InputError that lists what it knows.
UnitScale unit_scale(const std::string& from, const std::string& to);
void scale(ModalBody& body, const UnitScale& units);

}  // namespace trunnion::flex
