#pragma once
// The matrices of a FLEX_BODY, put together: what each is called, how large it must be and which shapes are understood stands in
// docs/theory/flexible.md. All that does not fit is said, with the place of the matrix.

#include <optional>
#include <string>
#include <vector>

#include "elements/modal_body.hpp"

namespace trunnion::system {

// A matrix as given: its name in the file, and where it stands: "arm.mtx:12", "MATRIX/3".
struct GivenMatrix {
  std::string name, where;
  Eigen::MatrixXd values;
};

struct FlexNode {
  int id = 0;
  std::optional<math::Vec3> place;  // in B
};

struct FlexMatrices {
  elements::ModalInvariants invariants;  // K in the file's units, D empty
  std::vector<int> modes;                // their numbers
  std::vector<double> frequencies;       // in Hz, as the file says; empty: it does not
  std::vector<FlexNode> nodes;
  Eigen::MatrixXd T, R;     // 3n × M; R empty where it is not given
  Eigen::MatrixXd damping;  // M × M; empty where it is not given
  Eigen::MatrixXd loads;    // (6 + M) × cases
  std::vector<FlexNode> stress_nodes;
  Eigen::MatrixXd stress, strain;  // 6n × M; strain empty where it is not given
};

// Nothing where something is missing or does not fit; `troubles` then says all of it. `notes` are told in any case.
std::optional<FlexMatrices> flex_matrices(const std::vector<GivenMatrix>& given,
                                          std::vector<std::string>& troubles,
                                          std::vector<std::string>& notes);

// Leaves only the modes with these numbers, in the order they are stored. Names those that are not there.
void select_modes(FlexMatrices& body, const std::vector<int>& numbers, std::vector<std::string>& troubles);

// Whether the mass matrix at rest is that of a body: the first mode that moves it as its frame already does, by its number.
std::optional<int> rigid_mode(const FlexMatrices& body);

}  // namespace trunnion::system
