// Craig and Bampton's reduction of a block assembled here, against the whole block.

#include <algorithm>
#include <cmath>
#include <functional>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flex/block.hpp"
#include "flex/craig_bampton.hpp"
#include "flex/input_error.hpp"
#include "flex/orthonormal.hpp"

namespace trunnion::flex {
namespace {

using testing::HasSubstr;

struct Case {
  FeModel model;
  std::vector<Interface> interfaces;
  Coupling coupling;
};

Case make(const Block& block, const std::vector<InterfaceRequest>& requests) {
  Case c;
  c.model = make_block(block);
  c.interfaces = resolve(requests, c.model);
  c.coupling = couple(c.model, c.interfaces);
  return c;
}

const std::vector<InterfaceRequest> kBothEnds{{Link::rigid, "LEFT"}, {Link::rigid, "RIGHT"}};

Reduction reduced(const Case& c, int modes) {
  ReductionRequest request;
  request.modes = modes;
  return reduce(c.model, c.coupling, request);
}

// Eigenvalues of the whole pair in the coupling's coordinates, the six rigid ones first.
Eigen::VectorXd whole(const Case& c) {
  const SparseMatrix& T = c.coupling.T;
  const Eigen::MatrixXd K = T.transpose() * c.model.K * T, M = T.transpose() * c.model.M * T;
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M).eigenvalues();
}

std::string complaint(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& e) {
    return e.what();
  }
  return "nothing";
}

TEST(Reduction, RigidPropertiesOfTheBlock) {
  const Block b;
  const RigidProperties body = check(make_block(b));
  const double m = b.rho * b.lx * b.ly * b.lz;
  EXPECT_NEAR(body.mass, m, 1e-12 * m);
  EXPECT_LT((body.centre - b.corner - 0.5 * Eigen::Vector3d(b.lx, b.ly, b.lz)).norm(), 1e-13);
  const Eigen::Vector3d box =
      m / 12 *
      Eigen::Vector3d(b.ly * b.ly + b.lz * b.lz, b.lx * b.lx + b.lz * b.lz, b.lx * b.lx + b.ly * b.ly);
  EXPECT_LT((body.inertia - Eigen::Matrix3d(box.asDiagonal())).norm(), 1e-12 * box.norm());
}

TEST(Reduction, OrthonormalAndFreeOfRigidMotion) {
  const Case c = make({}, kBothEnds);
  const Reduction r = reduced(c, 7);
  const Eigen::Index m = r.shapes.cols();
  EXPECT_EQ(m, 12 + 7 - 6);
  const Eigen::MatrixXd one = r.shapes.transpose() * c.model.M * r.shapes;
  EXPECT_LT((one - Eigen::MatrixXd::Identity(m, m)).cwiseAbs().maxCoeff(), 1e-11);
  const Eigen::MatrixXd K = r.shapes.transpose() * c.model.K * r.shapes;
  EXPECT_LT((K - Eigen::MatrixXd(r.eigenvalues.asDiagonal())).cwiseAbs().maxCoeff(),
            1e-11 * r.eigenvalues[m - 1]);
  // Mass-orthogonal to the rigid motions: a mode with a rigid part would count the body's mass twice.
  const Eigen::MatrixXd R = rigid_motions(c.model);
  const Eigen::VectorXd size = (R.transpose() * c.model.M * R).diagonal().cwiseSqrt();
  const Eigen::MatrixXd rest = size.cwiseInverse().asDiagonal() * R.transpose() * c.model.M * r.shapes;
  EXPECT_LT(rest.cwiseAbs().maxCoeff(), 1e-10);
}

// All modes kept: the reduced body is the whole one, rigid motions apart.
TEST(Reduction, WithAllModesTheSpectrumIsTheWhole) {
  Block b;
  b.nx = 3;
  const Case c = make(b, kBothEnds);
  const Eigen::VectorXd all = whole(c);
  const Reduction r = reduced(c, 1000);
  ASSERT_EQ(r.eigenvalues.size(), all.size() - 6);
  for (Eigen::Index k = 0; k < r.eigenvalues.size(); ++k)
    EXPECT_NEAR(r.eigenvalues[k], all[k + 6], 1e-13 * all[all.size() - 1] + 1e-10 * all[k + 6]) << k;
}

// A few modes: free frequencies from above, and below half the frequency of the first fixed-interface mode left out within 1.5 %.
TEST(Reduction, FreeFrequenciesAreCloseFromAbove) {
  Block b;
  b.nx = 12;
  const Case c = make(b, kBothEnds);
  const Eigen::VectorXd all = whole(c);
  const Reduction r = reduced(c, 10);
  int close = 0;
  for (Eigen::Index k = 0; k < r.eigenvalues.size(); ++k) {
    EXPECT_GT(r.eigenvalues[k], all[k + 6] * (1 - 1e-9));
    if (all[k + 6] > r.check.ahead[0] / 4) continue;
    EXPECT_LT(r.eigenvalues[k], all[k + 6] * 1.03) << k;
    ++close;
  }
  EXPECT_GE(close, 2);
}

TEST(Reduction, FixedModesAreThoseOfTheHeldBody) {
  Block b;
  b.nx = 30;  // large enough for Lanczos' method
  b.ny = 2;
  b.nz = 2;
  const Case c = make(b, {{Link::node, "LEFT"}, {Link::node, "RIGHT"}});
  std::vector<char> held(c.model.dofs.size(), 0);
  for (const int k : c.coupling.boundary) held[static_cast<std::size_t>(k)] = 1;
  std::vector<int> inside;
  for (std::size_t k = 0; k < held.size(); ++k) {
    if (!held[k]) inside.push_back(static_cast<int>(k));
  }
  ASSERT_GT(inside.size(), 400U);
  const Eigen::MatrixXd K = Eigen::MatrixXd(c.model.K)(inside, inside),
                        M = Eigen::MatrixXd(c.model.M)(inside, inside);
  const Eigen::VectorXd all =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M, Eigen::EigenvaluesOnly).eigenvalues();
  const Reduction r = reduced(c, 12);
  ASSERT_EQ(r.check.fixed.size(), 12);
  // The full solver's error is that of its largest eigenvalue.
  for (Eigen::Index k = 0; k < 12; ++k)
    EXPECT_NEAR(r.check.fixed[k], all[k], 1e-10 * all[k] + 1e-14 * all[all.size() - 1]) << k;
  for (Eigen::Index k = 0; k < r.check.ahead.size(); ++k)
    EXPECT_NEAR(r.check.ahead[k], all[k + 12], 1e-10 * all[k + 12] + 1e-14 * all[all.size() - 1]) << k;
}

// Held at one end, loaded at the other: displacement of the loaded interface, reduced and whole.
void expect_statics_kept(const Block& b, const std::vector<InterfaceRequest>& requests, int modes) {
  const Case c = make(b, requests);
  const SparseMatrix& T = c.coupling.T;
  const Eigen::MatrixXd K = T.transpose() * c.model.K * T;
  const std::vector<int>& boundary = c.coupling.boundary;
  const std::size_t held = boundary.size() / 2;
  std::vector<int> free;
  for (int k = 0; k < K.rows(); ++k) {
    if (std::find(boundary.begin(), boundary.begin() + static_cast<long>(held), k) ==
        boundary.begin() + static_cast<long>(held))
      free.push_back(k);
  }
  const std::vector<int> first(boundary.begin(), boundary.begin() + static_cast<long>(held));
  const std::vector<int> last(boundary.begin() + static_cast<long>(held), boundary.end());
  Eigen::VectorXd f = Eigen::VectorXd::Zero(K.rows());
  for (std::size_t k = 0; k < last.size(); ++k) f[last[k]] = 1.0 + 0.37 * static_cast<double>(k);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(K.rows());
  const Eigen::VectorXd load = f(free);
  const Eigen::VectorXd moved = Eigen::MatrixXd(K(free, free)).ldlt().solve(load);
  u(free) = moved;

  // The same with rigid motions and modes as unknowns, the first end held by multipliers.
  const Reduction r = reduced(c, modes);
  Eigen::MatrixXd V(K.rows(), 6 + r.coordinates.cols());
  for (Eigen::Index k = 0; k < K.rows(); ++k) {
    const Dof& dof = c.coupling.coordinates[static_cast<std::size_t>(k)];
    V.row(k)
        << rigid_motion_of(c.model.nodes[static_cast<std::size_t>(dof.node)].position).row(dof.direction),
        r.coordinates.row(k);
  }
  const Eigen::Index n = V.cols(), h = static_cast<Eigen::Index>(held);
  // Modes in units of their own stiffness, so that the system is not spread over ten decades.
  Eigen::VectorXd unit = Eigen::VectorXd::Ones(n);
  unit.tail(r.eigenvalues.size()) = r.eigenvalues.cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd W = V * unit.asDiagonal();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + h, n + h);
  A.topLeftCorner(n, n).diagonal().tail(r.eigenvalues.size()).setOnes();
  const Eigen::MatrixXd held_rows = W(first, Eigen::all);
  A.bottomLeftCorner(h, n) = held_rows;
  A.topRightCorner(n, h) = held_rows.transpose();
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + h);
  right.head(n) = W.transpose() * f;
  const Eigen::VectorXd solution = A.fullPivLu().solve(right);
  const Eigen::VectorXd found = W * solution.head(n);
  const Eigen::VectorXd x = u(last), y = found(last);
  EXPECT_LT((x - y).norm(), 1e-10 * x.norm());
  EXPECT_LT(r.check.static_error, 1e-10);
}

TEST(Reduction, StaticLoadsOnRigidEndsAreExact) { expect_statics_kept({}, kBothEnds, 3); }
TEST(Reduction, StaticLoadsOnAveragedEndsAreExact) {
  expect_statics_kept({}, {{Link::average, "LEFT"}, {Link::average, "RIGHT"}}, 3);
}
TEST(Reduction, StaticLoadsOnPlainNodesAreExact) {
  expect_statics_kept({}, {{Link::node, "LEFT"}, {Link::node, "RIGHT"}}, 2);
}
TEST(Reduction, StaticLoadsAreExactWithoutAnyFixedMode) { expect_statics_kept({}, kBothEnds, 0); }

// RBE2 stiffens, RBE3 does not: the free body under RBE3 is the body itself.
TEST(Reduction, AveragesLeaveTheSpectrumAloneAndRigidEndsRaiseIt) {
  const Case plain = make({}, {{Link::node, "LEFT"}}), mean = make({}, {{Link::average, "LEFT"}}),
             rigid = make({}, {{Link::rigid, "LEFT"}});
  const Eigen::VectorXd a = whole(plain), b = whole(mean), c = whole(rigid);
  ASSERT_EQ(a.size(), b.size());
  for (Eigen::Index k = 6; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-9 * a[k]) << k;
  for (Eigen::Index k = 6; k < c.size(); ++k) EXPECT_GT(c[k], a[k] * (1 - 1e-9)) << k;
  EXPECT_GT(c[6], a[6] * (1 + 1e-6));
}

TEST(Reduction, AReferenceOfAveragesFollowsTheMean) {
  const Case c = make({}, {{Link::average, "LEFT@500"}});
  EXPECT_EQ(c.model.nodes.back().id, 500);
  // Any motion of the group: the reference's translation is the mean one.
  Eigen::VectorXd u(c.coupling.T.cols());
  for (Eigen::Index k = 0; k < u.size(); ++k) u[k] = std::sin(1.0 + 3.0 * static_cast<double>(k));
  const Eigen::VectorXd full = c.coupling.T * u;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero(), reference;
  for (int k = 0; k < c.model.size(); ++k) {
    const Dof& dof = c.model.dofs[static_cast<std::size_t>(k)];
    const auto& group = c.interfaces[0].group;
    if (std::find(group.begin(), group.end(), dof.node) != group.end())
      mean[dof.direction] += full[k] / static_cast<double>(group.size());
  }
  for (int d = 0; d < 3; ++d) reference[d] = u[c.coupling.boundary[static_cast<std::size_t>(d)]];
  EXPECT_LT((mean - reference).norm(), 1e-12);
}

TEST(Reduction, FreeBodyWithoutInterfaces) {
  Block b;
  b.nx = 20;
  b.ny = 2;
  b.nz = 2;
  const Case c = make(b, {});
  const Eigen::VectorXd all = whole(c);
  const Reduction r = reduced(c, 8);
  ASSERT_EQ(r.eigenvalues.size(), 8);
  for (Eigen::Index k = 0; k < 8; ++k)
    EXPECT_NEAR(r.eigenvalues[k], all[k + 6], 1e-9 * all[k + 6] + 1e-14 * all[all.size() - 1]) << k;
}

TEST(Reduction, UpToAFrequencyMeansAllBelowIt) {
  Block b;
  b.nx = 10;
  const Case c = make(b, kBothEnds);
  const Reduction many = reduced(c, 12);
  ReductionRequest request;
  request.highest = std::sqrt((many.check.fixed[4] + many.check.fixed[5]) / 2);
  EXPECT_EQ(reduce(c.model, c.coupling, request).fixed_modes, 5);
}

TEST(Reduction, TwoRunsGiveTheSameBits) {
  const Case c = make({}, kBothEnds);
  const Reduction a = reduced(c, 6), b = reduced(c, 6);
  EXPECT_TRUE(a.shapes == b.shapes);
  EXPECT_TRUE(a.eigenvalues == b.eigenvalues);
  for (Eigen::Index k = 0; k < a.shapes.cols(); ++k) {
    Eigen::Index place = 0;
    const double largest = a.shapes.col(k).cwiseAbs().maxCoeff(&place);
    bool positive = false;
    for (Eigen::Index i = 0; i < a.shapes.rows(); ++i) positive |= a.shapes(i, k) >= (1 - 1e-6) * largest;
    EXPECT_TRUE(positive) << k;
  }
}

TEST(Reduction, SaysWhatIsWrongWithInterfaces) {
  const auto ask = [](std::vector<InterfaceRequest> requests) {
    return complaint([&] { make({}, requests); });
  };
  EXPECT_EQ(ask({{Link::node, "999"}, {Link::rigid, "LEFTT"}}),
            "--interface 999: node 999 is in no element, or is not there\n"
            "--rbe2 LEFTT: there is no such node set; did you mean LEFT?");
  EXPECT_EQ(ask({{Link::rigid, "LEFT"}, {Link::node, "1"}}),
            "node 1 belongs to two interfaces (--rbe2 and --interface)");
  EXPECT_THAT(ask({{Link::average, "1+2+3"}}), HasSubstr("its nodes are in one line"));
  EXPECT_THAT(ask({{Link::average, "LEFT@2"}}), HasSubstr("the reference 2 is a node of the mesh"));
  EXPECT_THAT(ask({{Link::rigid, "LEFT@x"}}), HasSubstr("what stands behind @ is not a node's number"));
}

TEST(Reduction, SaysWhenTheInterfacesDoNotHoldTheBody) {
  const Case c = make({}, {{Link::node, "1"}});
  EXPECT_EQ(complaint([&] { reduced(c, 3); }), "the interfaces leave 3 rigid motions of the body free");
  const Case line = make({}, {{Link::node, "1"}, {Link::node, "2"}});
  EXPECT_EQ(complaint([&] { reduced(line, 3); }), "the interfaces leave 1 rigid motion of the body free");
}

TEST(Reduction, SaysWhenAPartIsLoose) {
  Case c = make({}, kBothEnds);
  // A second block that nothing connects.
  FeModel other = make_block({});
  const int nodes = static_cast<int>(c.model.nodes.size()), rows = c.model.size();
  std::vector<Eigen::Triplet<double>> k, m;
  const auto take = [](const SparseMatrix& A, int at, std::vector<Eigen::Triplet<double>>& out) {
    for (int col = 0; col < A.outerSize(); ++col) {
      for (SparseMatrix::InnerIterator e(A, col); e; ++e)
        out.emplace_back(static_cast<int>(e.row()) + at, col + at, e.value());
    }
  };
  take(c.model.K, 0, k), take(other.K, rows, k), take(c.model.M, 0, m), take(other.M, rows, m);
  for (Node& node : other.nodes) {
    node.id += 1000;
    node.position.z() += 1;
    c.model.nodes.push_back(node);
  }
  for (Dof dof : other.dofs) c.model.dofs.push_back({dof.node + nodes, dof.direction});
  c.model.K.resize(2 * rows, 2 * rows), c.model.M.resize(2 * rows, 2 * rows);
  c.model.K.setFromTriplets(k.begin(), k.end()), c.model.M.setFromTriplets(m.begin(), m.end());
  c.coupling = couple(c.model, c.interfaces);
  EXPECT_THAT(complaint([&] { reduced(c, 3); }), HasSubstr("a part of the body is loose"));
}

TEST(Reduction, ASupportLeftInTheStiffnessIsRefused) {
  FeModel model = make_block({});
  model.K.coeffRef(0, 0) *= 1.1;
  EXPECT_THAT(complaint([&] { check(model); }), HasSubstr("costs energy"));
  model = make_block({});
  model.M *= 0;
  EXPECT_THAT(complaint([&] { check(model); }), HasSubstr("no mass"));
}

}  // namespace
}  // namespace trunnion::flex
