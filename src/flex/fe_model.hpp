#pragma once
// A finite-element model as far as a flexible body needs it: nodes, degrees of freedom, mass and stiffness. No boundary conditions:
// the six rigid motions cost no energy, and check() sees to it.

#include <map>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace trunnion::flex {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct Node {
  int id = 0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
};

// What a row of mass and stiffness belongs to.
struct Dof {
  int node = 0;       // index into nodes
  int direction = 0;  // 0-2 along x, y, z; 3-5 about them
};
const char* direction_name(int direction);  // "x", …, "about z"

struct Element {
  int id = 0;
  std::string type;        // as the deck spells it: C3D8
  std::vector<int> nodes;  // indices
};

struct FeModel {
  std::vector<Node> nodes;  // by ascending id
  std::vector<Dof> dofs;
  SparseMatrix M, K;                             // both triangles
  std::vector<Element> elements;                 // empty where only matrices were given
  std::map<std::string, std::vector<int>> sets;  // of node ids, by name in capitals

  int find(int id) const;  // index of the node, or −1
  int size() const { return static_cast<int>(dofs.size()); }
};

// The six rigid motions of a frame at the origin, by columns, of one point: rows along x, y, z and about them.
Eigen::Matrix<double, 6, 6> rigid_motion_of(const Eigen::Vector3d& position);
// The same of every degree of freedom: dofs × 6.
Eigen::MatrixXd rigid_motions(const FeModel& model);

struct RigidProperties {
  double mass = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre
};

// Mass and stiffness looked at before anything is built on them. Throws InputError where a body cannot be made of them: sizes that
// do not fit, no mass, rigid motions that cost energy (a support left in K), masses that differ by direction.
RigidProperties check(const FeModel& model);

}  // namespace trunnion::flex
