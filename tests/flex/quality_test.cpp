// The bound on what a set of modes leaves out, against the whole body's dynamic stiffness.

#include "flex/quality.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flex/block.hpp"

namespace trunnion::flex {
namespace {

using testing::HasSubstr;

struct Judged {
  FeModel model;
  Coupling coupling;
  Reduction reduction;
};

Judged judged(int modes) {
  Judged j;
  Block b;
  b.nx = 6;
  j.model = make_block(b);
  const auto interfaces = resolve({{Link::rigid, "LEFT"}, {Link::average, "RIGHT"}}, j.model);
  j.coupling = couple(j.model, interfaces);
  ReductionRequest request;
  request.modes = modes;
  j.reduction = reduce(j.model, j.coupling, request);
  return j;
}

// D_bb − D_bi D_ii⁻¹ D_ib of D = K − ω²M.
Eigen::MatrixXd dynamic_stiffness(const Judged& j, double omega) {
  const SparseMatrix& T = j.coupling.T;
  const Eigen::MatrixXd K = T.transpose() * j.model.K * T, M = T.transpose() * j.model.M * T;
  const Eigen::MatrixXd D = K - omega * omega * M;
  std::vector<int> inside;
  for (int k = 0; k < D.rows(); ++k) {
    if (std::find(j.coupling.boundary.begin(), j.coupling.boundary.end(), k) == j.coupling.boundary.end())
      inside.push_back(k);
  }
  const std::vector<int>& b = j.coupling.boundary;
  const Eigen::MatrixXd Dii = D(inside, inside), Dib = D(inside, b), Dbb = D(b, b);
  return Dbb - Dib.transpose() * Dii.partialPivLu().solve(Dib);
}

// The same of the reduced body: inverse of its receptance, rigid motions and modes.
Eigen::MatrixXd reduced_stiffness(const Judged& j, double omega) {
  const std::vector<int>& b = j.coupling.boundary;
  const Eigen::MatrixXd phi = j.reduction.coordinates(b, Eigen::all);
  Eigen::MatrixXd R(static_cast<Eigen::Index>(b.size()), 6);
  for (std::size_t k = 0; k < b.size(); ++k) {
    const Dof& dof = j.coupling.coordinates[static_cast<std::size_t>(b[k])];
    R.row(static_cast<Eigen::Index>(k)) =
        rigid_motion_of(j.model.nodes[static_cast<std::size_t>(dof.node)].position).row(dof.direction);
  }
  const Eigen::MatrixXd rigid = rigid_motions(j.model);
  const Eigen::MatrixXd G = rigid.transpose() * j.model.M * rigid;
  const Eigen::VectorXd a = (j.reduction.eigenvalues.array() - omega * omega).inverse();
  const Eigen::MatrixXd H =
      phi * a.asDiagonal() * phi.transpose() - R * G.inverse() * R.transpose() / (omega * omega);
  return H.partialPivLu().inverse();
}

TEST(Quality, TheBoundHolds) {
  for (const int modes : {2, 6, 12}) {
    const Judged j = judged(modes);
    const SetOfModes& set = j.reduction.check;
    for (const double part : {0.2, 0.5, 0.8, 0.95}) {
      const double omega = part * std::sqrt(set.ahead[0]);
      const Eigen::MatrixXd difference = dynamic_stiffness(j, omega) - reduced_stiffness(j, omega);
      double worst = 0;
      for (Eigen::Index k = 0; k < set.stiffness.size(); ++k)
        worst = std::max(
            worst, std::abs(difference(k, k)) / std::max(set.stiffness[k], omega * omega * set.mass[k]));
      const double bound = left_out_part(set, omega);
      EXPECT_LE(worst, bound * (1 + 1e-6) + 1e-9) << modes << " modes at " << part;
      EXPECT_GE(worst, bound / 50) << "a bound so wide says nothing";
    }
  }
}

TEST(Quality, PartsAddUpAndMoreModesAreBetter) {
  const Judged few = judged(2), many = judged(12), all = judged(10000);
  const Quality a = judge(few.reduction.check, few.reduction.eigenvalues, 0);
  const Quality b = judge(many.reduction.check, many.reduction.eigenvalues, 0);
  EXPECT_GT(b.good_to, a.good_to);
  EXPECT_GT(b.least_mass, a.least_mass);
  EXPECT_GT(b.weight.minCoeff(), a.weight.minCoeff());
  // What more modes would change is what they change.
  const Eigen::VectorXd richer =
      judged(12 + static_cast<int>(many.reduction.check.ahead.size())).reduction.eigenvalues;
  ASSERT_EQ(richer.size(), many.reduction.check.richer.size());
  EXPECT_LT((richer - many.reduction.check.richer).cwiseQuotient(richer).cwiseAbs().maxCoeff(), 1e-7);
  const SetOfModes& set = all.reduction.check;
  EXPECT_LT((set.coupled - set.coupled_total).cwiseQuotient(set.coupled_total).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((set.weight - set.weight_total).norm(), 1e-8 * set.weight_total.norm());
  // Interfaces that move as one carry all of the mass that is not on them.
  EXPECT_LT((set.moved - set.moved_total).norm(), 1e-8 * set.moved_total.norm());
  EXPECT_EQ(verdict(judge(set, all.reduction.eigenvalues, 0), 0),
            "good at any frequency: no mode of the mesh is left out");
}

TEST(Quality, TheVerdictIsAboutTheBand) {
  const Judged j = judged(6);
  const double limit = judge(j.reduction.check, j.reduction.eigenvalues, 0).good_to;
  const auto said = [&](double band) {
    return verdict(judge(j.reduction.check, j.reduction.eigenvalues, band), band);
  };
  EXPECT_THAT(said(0), HasSubstr("good enough for motion up to"));
  EXPECT_TRUE(said(0.9 * limit).starts_with("good enough for"));
  EXPECT_TRUE(said(1.1 * limit).starts_with("not good enough for"));
  EXPECT_THAT(said(1.1 * limit), HasSubstr("--to"));
  EXPECT_NEAR(left_out_part(j.reduction.check, limit), kAllowed, 1e-6);
}

}  // namespace
}  // namespace trunnion::flex
