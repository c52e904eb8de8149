// The nine invariants against sums over the points of the integration itself, which know nothing of mass matrices.

#include "flex/invariants.hpp"

#include <gtest/gtest.h>

#include "flex/block.hpp"

namespace trunnion::flex {
namespace {

Eigen::Matrix3d hat(const Eigen::Vector3d& v) {
  Eigen::Matrix3d H;
  H << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return H;
}

Eigen::MatrixXd some_shapes(const FeModel& model, int count) {
  Eigen::MatrixXd shapes(model.size(), count);
  for (Eigen::Index k = 0; k < shapes.size(); ++k)
    shapes.data()[k] = std::sin(0.7 + 1.9 * static_cast<double>(k));
  return shapes;
}

// Σ over the points of each brick, of mass dm, place s and shapes φ_j there.
void each_mass(const Block& b, const FeModel& model, const Eigen::MatrixXd& shapes,
               const std::function<void(double, const Eigen::Vector3d&, const Eigen::MatrixXd&)>& visit) {
  const Eigen::Vector3d edge = block::edges(b);
  for (const Element& element : model.elements) {
    block::each_point(edge, [&](const Eigen::Vector3d& at, double weight) {
      Eigen::Matrix<double, 8, 1> N;
      Eigen::Matrix<double, 8, 3> dN;
      block::shape(at, edge, N, dN);
      Eigen::Vector3d s = Eigen::Vector3d::Zero();
      Eigen::MatrixXd phi = Eigen::MatrixXd::Zero(3, shapes.cols());
      for (int c = 0; c < 8; ++c) {
        const int node = element.nodes[static_cast<std::size_t>(c)];
        s += N[c] * model.nodes[static_cast<std::size_t>(node)].position;
        phi += N[c] * shapes.middleRows(3 * node, 3);
      }
      visit(b.rho * weight, s, phi);
    });
  }
}

TEST(Invariants, AllNineAreTheIntegrals) {
  Block b;
  b.nx = 3;
  b.ny = 2;
  const FeModel model = make_block(b);
  const int m = 3;
  const Eigen::MatrixXd shapes = some_shapes(model, m);
  const Invariants found = invariants(model, shapes, MassKind::consistent);
  EXPECT_FALSE(found.second_from_lumps);
  Invariants sum;
  sum.I3 = sum.I4 = Eigen::MatrixXd::Zero(3, m);
  sum.I5 = Eigen::MatrixXd::Zero(3 * m, m);
  sum.I6 = Eigen::MatrixXd::Zero(m, m);
  sum.I8 = Eigen::MatrixXd::Zero(3, 3 * m);
  sum.I9 = Eigen::MatrixXd::Zero(3 * m, 3 * m);
  each_mass(b, model, shapes, [&](double dm, const Eigen::Vector3d& s, const Eigen::MatrixXd& phi) {
    sum.I1 += dm;
    sum.I2 += dm * s;
    sum.I3 += dm * phi;
    sum.I4 += dm * hat(s) * phi;
    sum.I6 += dm * phi.transpose() * phi;
    sum.I7 += dm * hat(s).transpose() * hat(s);
    for (int j = 0; j < m; ++j) {
      sum.I5.middleRows(3 * j, 3) += dm * hat(phi.col(j)) * phi;
      sum.I8.middleCols(3 * j, 3) += dm * hat(s) * hat(phi.col(j));
      for (int k = 0; k < m; ++k) sum.I9.block<3, 3>(3 * j, 3 * k) += dm * hat(phi.col(j)) * hat(phi.col(k));
    }
  });
  const double small = 1e-12 * sum.I1;  // shapes and places are of order one
  EXPECT_NEAR(found.I1, sum.I1, small);
  EXPECT_LT((found.I2 - sum.I2).norm(), small);
  EXPECT_LT((found.I3 - sum.I3).norm(), small);
  EXPECT_LT((found.I4 - sum.I4).norm(), small);
  EXPECT_LT((found.I5 - sum.I5).norm(), small);
  EXPECT_LT((found.I6 - sum.I6).norm(), small);
  EXPECT_LT((found.I7 - sum.I7).norm(), small);
  EXPECT_LT((found.I8 - sum.I8).norm(), small);
  EXPECT_LT((found.I9 - sum.I9).norm(), small);
}

// Lumps keep the mass and its first moment, not the inertia of a coarse mesh.
TEST(Invariants, LumpsKeepMassAndCentre) {
  const FeModel model = make_block({});
  const Eigen::MatrixXd shapes = some_shapes(model, 2);
  const Invariants a = invariants(model, shapes, MassKind::consistent),
                   b = invariants(model, shapes, MassKind::lumped);
  EXPECT_NEAR(a.I1, b.I1, 1e-12 * a.I1);
  EXPECT_LT((a.I2 - b.I2).norm(), 1e-12 * a.I1);
  EXPECT_LT((a.I3 - b.I3).norm(), 1e-12 * a.I1 * shapes.norm());
  EXPECT_GT((a.I7 - b.I7).norm(), 0.01 * a.I7.norm());
  // Nodal sums, written out.
  const SparseMatrix lumps = lumped(model);
  Eigen::Matrix3d I7 = Eigen::Matrix3d::Zero(), I9 = I7;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const auto row = static_cast<Eigen::Index>(3 * n);
    const double mass = lumps.coeff(row, row);
    I7 += mass * hat(model.nodes[n].position).transpose() * hat(model.nodes[n].position);
    I9 += mass * hat(shapes.block<3, 1>(row, 0)) * hat(shapes.block<3, 1>(row, 1));
  }
  EXPECT_LT((b.I7 - I7).norm(), 1e-12 * I7.norm());
  EXPECT_LT((b.I9.block<3, 3>(0, 3) - I9).norm(), 1e-12 * I9.norm());
}

// A mass matrix that does not treat x, y, z alike gives second-order invariants that keep their identities all the same.
TEST(Invariants, UnlikeAxesTakeLumpsForWhatIsOfSecondOrder) {
  FeModel model = make_block({});
  for (Eigen::Index k = 0; k < model.size(); k += 3) {
    for (SparseMatrix::InnerIterator e(model.M, k); e; ++e) {
      if (e.row() == k) continue;
      e.valueRef() *= 0.5;  // x is nearer to lumped; the row's sum stays
      model.M.coeffRef(k, k) += e.value();
    }
  }
  const Invariants found = invariants(model, some_shapes(model, 2), MassKind::consistent);
  EXPECT_TRUE(found.second_from_lumps);
  for (int j = 0; j < 2; ++j) {
    for (int k = 0; k < 2; ++k) {
      const Eigen::Vector3d jk = found.I5.block<3, 1>(3 * j, k), kj = found.I5.block<3, 1>(3 * k, j);
      EXPECT_LT((jk + kj).norm(), 1e-12 * found.I1);
      const Eigen::Matrix3d difference =
          found.I9.block<3, 3>(3 * j, 3 * k) - found.I9.block<3, 3>(3 * k, 3 * j);
      EXPECT_LT((difference - hat(jk)).norm(), 1e-12 * found.I1);
    }
  }
}

}  // namespace
}  // namespace trunnion::flex
