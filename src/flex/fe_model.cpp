#include "flex/fe_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "flex/input_error.hpp"

namespace trunnion::flex {

namespace {

// Matrices come as text of 14 digits (CalculiX) or 9 (a short OP4): a rigid motion may cost this part of what its entries would alone.
constexpr double kRigidEnergy = 1e-6;

Eigen::Matrix<double, 6, 6> about(const Eigen::Matrix<double, 6, 6>& G, Eigen::Vector3d& centre) {
  // Of a rigid body's mass matrix about the origin: m c̃ stands in the corner.
  const double mass = G.topLeftCorner<3, 3>().trace() / 3;
  const Eigen::Matrix3d S = G.topRightCorner<3, 3>() / mass;  // −c̃
  centre = {(S(1, 2) - S(2, 1)) / 2, (S(2, 0) - S(0, 2)) / 2, (S(0, 1) - S(1, 0)) / 2};
  Eigen::Matrix<double, 6, 6> shift = Eigen::Matrix<double, 6, 6>::Identity();
  shift.topRightCorner<3, 3>() = rigid_motion_of(centre).topRightCorner<3, 3>() * -1;
  return shift;
}

void check_sizes(const FeModel& model) {
  const Eigen::Index n = model.size();
  if (n == 0) throw InputError("the model has no degrees of freedom");
  for (const auto& [matrix, name] : {std::pair(&model.M, "mass"), std::pair(&model.K, "stiffness")}) {
    if (matrix->rows() != n || matrix->cols() != n)
      throw InputError(fmt::format("the {} matrix is {} by {}, but the nodes have {} degrees of freedom",
                                   name, matrix->rows(), matrix->cols(), n),
                       "--dofs FILE tells which row belongs to which node and direction");
  }
}

void check_mass(const Eigen::Matrix<double, 6, 6>& G) {
  constexpr double kSpread = 1e-6;  // the matrices' digits, as above
  const Eigen::Vector3d masses = G.diagonal().head<3>();
  if (!(masses.minCoeff() > 0))
    throw InputError("the mass matrix has no mass",
                     "is *DENSITY missing, or are mass and stiffness exchanged?");
  if (masses.maxCoeff() - masses.minCoeff() > kSpread * masses.maxCoeff())
    throw InputError(
        fmt::format(
            "the body weighs {:.6g} along x, {:.6g} along y, {:.6g} along z: some directions are fixed",
            masses.x(), masses.y(), masses.z()),
        "leave out boundary conditions: a flexible body floats");
}

}  // namespace

const char* direction_name(int direction) {
  constexpr std::array kNames{"x", "y", "z", "about x", "about y", "about z"};
  return kNames[static_cast<std::size_t>(direction)];
}

int FeModel::find(int id) const {
  const auto found = std::lower_bound(nodes.begin(), nodes.end(), id,
                                      [](const Node& node, int wanted) { return node.id < wanted; });
  return found != nodes.end() && found->id == id ? static_cast<int>(found - nodes.begin()) : -1;
}

Eigen::Matrix<double, 6, 6> rigid_motion_of(const Eigen::Vector3d& p) {
  Eigen::Matrix<double, 6, 6> R = Eigen::Matrix<double, 6, 6>::Identity();
  for (int k = 0; k < 3; ++k) R.block<3, 1>(0, 3 + k) = Eigen::Vector3d::Unit(k).cross(p);
  return R;
}

Eigen::MatrixXd rigid_motions(const FeModel& model) {
  Eigen::MatrixXd R(model.size(), 6);
  for (int k = 0; k < model.size(); ++k) {
    const Dof& dof = model.dofs[static_cast<std::size_t>(k)];
    R.row(k) = rigid_motion_of(model.nodes[static_cast<std::size_t>(dof.node)].position).row(dof.direction);
  }
  return R;
}

RigidProperties check(const FeModel& model) {
  check_sizes(model);
  const Eigen::MatrixXd R = rigid_motions(model);
  const Eigen::Matrix<double, 6, 6> G = R.transpose() * (model.M * R);
  check_mass(G);
  RigidProperties body;
  body.mass = G.topLeftCorner<3, 3>().trace() / 3;
  const Eigen::Matrix<double, 6, 6> shift = about(G, body.centre);
  const Eigen::Matrix<double, 6, 6> centred = shift.transpose() * G * shift;
  body.inertia = (centred.bottomRightCorner<3, 3>() + centred.bottomRightCorner<3, 3>().transpose()) / 2;

  // About the centre of mass, so that a mesh far from the origin does not lose the digits that count.
  const Eigen::MatrixXd C = R * shift;
  const Eigen::MatrixXd KC = model.K * C;
  const Eigen::VectorXd alone = C.cwiseAbs2().transpose() * model.K.diagonal();
  for (int k = 0; k < 6; ++k) {
    const double energy = C.col(k).dot(KC.col(k));
    if (!(std::abs(energy) <= kRigidEnergy * alone[k]))
      throw InputError(
          fmt::format(
              "a rigid motion {} {} costs energy ({:.2g} of what single nodes would cost): the stiffness "
              "matrix holds a support or a spring to ground, or its rows belong to other nodes",
              k < 3 ? "along" : "about", "xyz"[k % 3], energy / alone[k]),
          "leave out boundary conditions; check the order of nodes and directions (--dofs)");
  }
  return body;
}

}  // namespace trunnion::flex
