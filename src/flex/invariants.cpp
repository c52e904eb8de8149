#include "flex/invariants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace trunnion::flex {

namespace {

// Rows of each node's directions: −1 where it has none.
std::vector<std::array<int, 6>> rows_by_node(const FeModel& model) {
  std::array<int, 6> none{};
  none.fill(-1);
  std::vector<std::array<int, 6>> rows(model.nodes.size(), none);
  for (std::size_t k = 0; k < model.dofs.size(); ++k)
    rows[static_cast<std::size_t>(model.dofs[k].node)][static_cast<std::size_t>(model.dofs[k].direction)] =
        static_cast<int>(k);
  return rows;
}

// e_a × the translations of each column; rotations none.
Eigen::MatrixXd turned(const std::vector<std::array<int, 6>>& rows, const Eigen::MatrixXd& shapes, int axis) {
  const auto b = static_cast<std::size_t>((axis + 1) % 3), c = static_cast<std::size_t>((axis + 2) % 3);
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(shapes.rows(), shapes.cols());
  for (const auto& node : rows) {
    if (node[b] >= 0 && node[c] >= 0) {
      E.row(node[b]) = -shapes.row(node[c]);
      E.row(node[c]) = shapes.row(node[b]);
    }
  }
  return E;
}

// Whether M is m ⊗ 1 over the directions x, y, z, and nodes have no others.
bool treats_axes_alike(const FeModel& model) {
  std::map<std::pair<int, int>, std::array<double, 3>> blocks;
  double largest = 0, worst = 0;
  for (int c = 0; c < model.M.outerSize(); ++c) {
    const Dof& column = model.dofs[static_cast<std::size_t>(c)];
    if (column.direction > 2) return false;
    for (SparseMatrix::InnerIterator e(model.M, c); e; ++e) {
      const Dof& row = model.dofs[static_cast<std::size_t>(e.row())];
      largest = std::max(largest, std::abs(e.value()));
      if (row.direction == column.direction)
        blocks[{row.node, column.node}][static_cast<std::size_t>(row.direction)] = e.value();
      else worst = std::max(worst, std::abs(e.value()));
    }
  }
  for (const auto& [place, values] : blocks) {
    worst = std::max({worst, std::abs(values[0] - values[1]), std::abs(values[0] - values[2])});
  }
  constexpr double kDigits = 1e-9;  // what text of ten digits keeps
  return worst <= kDigits * largest;
}

// I5, I8 and I9.
void second_order(const FeModel& model, const SparseMatrix& M, const Eigen::MatrixXd& shapes,
                  const Eigen::MatrixXd& R, Invariants& out) {
  const Eigen::Index m = shapes.cols();
  const auto rows = rows_by_node(model);
  // Turned places: e_a × s. Rotations of the nodes have no part in these.
  Eigen::MatrixXd places = R.rightCols<3>();
  for (std::size_t k = 0; k < model.dofs.size(); ++k) {
    if (model.dofs[k].direction > 2) places.row(static_cast<Eigen::Index>(k)).setZero();
  }
  std::array<Eigen::MatrixXd, 3> E;
  for (int a = 0; a < 3; ++a) E[static_cast<std::size_t>(a)] = turned(rows, shapes, a);
  out.I5 = Eigen::MatrixXd::Zero(3 * m, m);
  out.I8 = Eigen::MatrixXd::Zero(3, 3 * m);
  out.I9 = Eigen::MatrixXd::Zero(3 * m, 3 * m);
  for (int b = 0; b < 3; ++b) {
    const Eigen::MatrixXd ME = M * E[static_cast<std::size_t>(b)];
    const Eigen::MatrixXd five = ME.transpose() * shapes, eight = places.transpose() * ME;
    for (Eigen::Index j = 0; j < m; ++j) {
      out.I5.row(3 * j + b) = five.row(j);
      out.I8.col(3 * j + b) = -eight.col(j);
    }
    for (int a = 0; a < 3; ++a) {
      const Eigen::MatrixXd nine = E[static_cast<std::size_t>(a)].transpose() * ME;
      for (Eigen::Index j = 0; j < m; ++j) {
        for (Eigen::Index k = 0; k < m; ++k) out.I9(3 * j + a, 3 * k + b) = -nine(j, k);
      }
    }
  }
}

}  // namespace

SparseMatrix lumped(const FeModel& model) {
  std::vector<double> mass(model.nodes.size(), 0);
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < model.M.outerSize(); ++c) {
    const Dof& column = model.dofs[static_cast<std::size_t>(c)];
    for (SparseMatrix::InnerIterator e(model.M, c); e; ++e) {
      const Dof& row = model.dofs[static_cast<std::size_t>(e.row())];
      if (row.direction < 3 && row.direction == column.direction)
        mass[static_cast<std::size_t>(column.node)] += e.value() / 3;
      if (row.direction > 2 && column.direction > 2 && row.node == column.node)
        entries.emplace_back(static_cast<int>(e.row()), c, e.value());
    }
  }
  for (int k = 0; k < model.size(); ++k) {
    const Dof& dof = model.dofs[static_cast<std::size_t>(k)];
    if (dof.direction < 3) entries.emplace_back(k, k, mass[static_cast<std::size_t>(dof.node)]);
  }
  SparseMatrix out(model.size(), model.size());
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

Invariants invariants(const FeModel& model, const Eigen::MatrixXd& shapes, MassKind kind) {
  Invariants out;
  const bool alike = kind == MassKind::consistent && treats_axes_alike(model);
  const SparseMatrix lumps = alike ? SparseMatrix() : lumped(model);
  const SparseMatrix& M = kind == MassKind::lumped ? lumps : model.M;
  const Eigen::MatrixXd R = rigid_motions(model), MR = M * R;
  const Eigen::Matrix<double, 6, 6> G = R.transpose() * MR;
  out.I1 = G.topLeftCorner<3, 3>().trace() / 3;
  out.I2 = Eigen::Vector3d(G(1, 5) - G(2, 4), G(2, 3) - G(0, 5), G(0, 4) - G(1, 3)) / 2;
  out.I7 = (G.bottomRightCorner<3, 3>() + G.bottomRightCorner<3, 3>().transpose()) / 2;
  out.I3 = MR.leftCols<3>().transpose() * shapes;
  out.I4 = MR.rightCols<3>().transpose() * shapes;
  const Eigen::MatrixXd I6 = shapes.transpose() * (M * shapes);
  out.I6 = (I6 + I6.transpose()) / 2;
  out.second_from_lumps = kind == MassKind::consistent && !alike;
  second_order(model, alike ? model.M : lumps, shapes, R, out);
  return out;
}

}  // namespace trunnion::flex
