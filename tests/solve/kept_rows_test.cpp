// Solutions where redundant rows take part, held against the least-norm solution of the full singular matrix.

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "analysis/mechanism.hpp"
#include "solve/stage_matrix.hpp"

namespace trunnion::test {
namespace {

// A door on three hinges, a rod hung on it by a ball. Ten rows are redundant.
constexpr const char* kDoor = R"(door
PART/1, GROUND
PART/2, MASS=3, CM=20, IP=1.2,0.4,0.8, WZ=1, VY=0.4
MARKER/20, PART=2, QP=0.4,0,1
MARKER/10, PART=1, QP=0,0,0.2
MARKER/11, PART=1, QP=0,0,1
MARKER/12, PART=1, QP=0,0,1.8
MARKER/21, PART=2, QP=0,0,0.2
MARKER/22, PART=2, QP=0,0,1
MARKER/23, PART=2, QP=0,0,1.8
MARKER/24, PART=2, QP=0.8,0,1
JOINT/1, REVOLUTE, I=21, J=10
JOINT/2, REVOLUTE, I=22, J=11
JOINT/3, REVOLUTE, I=23, J=12
PART/3, MASS=1, CM=30, IP=0.1,0.1,0.1, QG=0.8,0,0.5, VY=0.8
MARKER/30, PART=3
MARKER/31, PART=3, QP=0,0,0.5
JOINT/4, SPHERICAL, I=31, J=24
ACCGRAV/KGRAV=-9.81
END
)";
constexpr int kRedundant = 10;

struct Stage {
  explicit Stage(bool stabilised)
      : m(kDoor), matrix(*m.system, all_rows(), solve::StageEquations::Rows::position, stabilised) {
    matrix.equations.keep_redundant(Eigen::VectorXd::Ones(matrix.equations.active_count()));
    system::System::Workspace work(*m.system, assembly::AnalysisMode::dynamics);
    solve::LevelMaps maps;
    maps.body = {1e-6, 1e-3, 1};
    const Eigen::VectorXd y = Eigen::VectorXd::Zero(m.system->layout().size());
    matrix.evaluate(m.assembled.state, work, maps, true, &y);
    EXPECT_NE(matrix.factor(), sparse::FactorStatus::singular);
    // Without what gives way.
    singular = Eigen::MatrixXd(matrix.equations.matrix().view());
    for (int k = 0; k < matrix.equations.active_count(); ++k) {
      for (const int at : {matrix.equations.lambda_offset() + k, matrix.equations.mu_offset() + k}) {
        if (at < matrix.equations.size()) singular(at, at) = 0;
      }
    }
  }
  std::vector<int> all_rows() const {
    std::vector<int> rows;
    for (int r = 0; r < m.system->layout().row_count(); ++r) rows.push_back(r);
    return rows;
  }
  // In the matrix' terms.
  Eigen::VectorXd solve(Eigen::VectorXd b) const {
    matrix.solve(b);
    b.segment(matrix.equations.lambda_offset(), matrix.equations.active_count()) /= matrix.equations.sigma();
    return b;
  }

  Mechanism m;
  solve::StageMatrix matrix;
  Eigen::MatrixXd singular;
};

// The residual is one that the equations can meet, and then one with a part that they contradict.
TEST(KeptRowsSolution, IsTheLeastOfAllThatMeetTheEquations) {
  for (const bool stabilised : {false, true}) {
    const Stage stage(stabilised);
    const auto n = static_cast<Eigen::Index>(stage.matrix.equations.y_offset());
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least(stage.singular);
    const Eigen::Index rank = stage.singular.rows() - (stabilised ? 2 : 1) * kRedundant;
    ASSERT_EQ(least.rank(), rank);
    std::srand(1);
    const Eigen::VectorXd b = stage.singular * Eigen::VectorXd::Random(stage.singular.cols());
    const Eigen::VectorXd x = least.solve(b), found = stage.solve(b);
    // Of y and μ only what acts is unique. Idle parts of λ are what rounding of the equations, some 1e-15, makes over ε = 1e-10.
    const double size = x.head(n).lpNorm<Eigen::Infinity>();
    const Eigen::Index u = stage.matrix.equations.tangent_size();
    EXPECT_LT((found - x).head(u).lpNorm<Eigen::Infinity>(), 1e-9 * size);
    EXPECT_LT((found - x).head(n).lpNorm<Eigen::Infinity>(), 2e-5 * size);
    EXPECT_LT((stage.singular * found - b).lpNorm<Eigen::Infinity>(), 1e-8 * b.lpNorm<Eigen::Infinity>());
    // What no correction reaches: orthogonal to all columns.
    Eigen::FullPivLU<Eigen::MatrixXd> left(stage.singular.transpose());
    left.setThreshold(1e-10);
    Eigen::VectorXd off = left.kernel().rowwise().sum();
    off *= b.norm() / off.norm();
    const Eigen::VectorXd also = stage.solve(b + off);
    EXPECT_LT((also - found).head(u).lpNorm<Eigen::Infinity>(), 1e-8 * size);
    EXPECT_LT((also - found).head(n).lpNorm<Eigen::Infinity>(), 2e-5 * size);
  }
}

}  // namespace
}  // namespace trunnion::test
