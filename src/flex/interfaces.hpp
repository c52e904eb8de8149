#pragma once
// Where a flexible body meets the mechanism.
//   node      a node of the mesh, with the directions it has
//   rigid     RBE2: a reference node with six directions; the group moves with it as one rigid piece, which stiffens the body there
//   average   RBE3: a reference node with six directions that follows the mean motion of the group (least squares of translations,
//             equal weights); a load on it is spread over the group, and the body is not stiffened
// All three are one linear map from fewer coordinates to the degrees of freedom: u = T û.

#include <string>
#include <vector>

#include "flex/fe_model.hpp"

namespace trunnion::flex {

enum class Link { node, rigid, average };

// As a user writes it: a node's number or a node set's name; of a group SET, or 11+12+13, with @NODE behind it for a reference of that
// number, placed where that node is, or in the middle of the group where there is no such node yet.
struct InterfaceRequest {
  Link link = Link::node;
  std::string text;
};

struct Interface {
  Link link = Link::node;
  int node = 0;            // index
  std::vector<int> group;  // indices; empty for Link::node
};

// References that are new become nodes of the model. Throws InputError that names everything that is wrong.
std::vector<Interface> resolve(const std::vector<InterfaceRequest>& requests, FeModel& model);

struct Coupling {
  SparseMatrix T;                // degrees of freedom × coordinates
  std::vector<Dof> coordinates;  // node and direction of each
  std::vector<int> boundary;     // the coordinates at which the body is joined, by interface and direction
};
Coupling couple(const FeModel& model, const std::vector<Interface>& interfaces);

}  // namespace trunnion::flex
