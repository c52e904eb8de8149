// Hot spots of a flexible body, from its stress modes and the modal coordinates of results.

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <unistd.h>

#include "analysis/mechanism.hpp"
#include "api/stress/hot_spots.hpp"
#include "support/flex_beam.hpp"

namespace trunnion::api {
namespace {

using ::testing::HasSubstr;

// Results of a beam on two cantilever modes: q1 = sin, q2 = −2 at one row only.
struct Stressed {
  test::FlexBeam beam;
  Eigen::MatrixXd modes;
  test::MatrixText matrices, table;
  test::Mechanism mechanism;
  std::unique_ptr<results::History> history;

  Stressed()
      : modes(beam.cantilever_modes(2)),
        matrices("stress_test", beam.matrices(modes, false, true)),
        table("stress_table",
              "time [second],FLEX_BODY/2.Q1,FLEX_BODY/2.Q2\n0,0,0\n0.25,1,0\n0.5,0,-2\n0.75,-0.5,0\n"),
        mechanism(
            "title\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
            "PART=1\nMATRIX/1, FILE=" +
            matrices.path() + "\nFLEX_BODY/2, MATRICES=1\nEND\n") {
    const std::string csv = table.path() + ".csv";
    std::filesystem::copy_file(table.path(), csv, std::filesystem::copy_options::overwrite_existing);
    std::string error;
    history = results::open_history(csv, error);
    EXPECT_NE(history, nullptr) << error;
    std::filesystem::remove(csv);
  }
};

TEST(HotSpots, AreTheLargestOfEachNode) {
  Stressed s;
  ASSERT_NE(s.mechanism.system, nullptr);
  ASSERT_NE(s.history, nullptr);
  std::string why;
  const auto bodies = recoveries(*s.mechanism.system, {}, "", Tensor::stress, why);
  ASSERT_TRUE(bodies) << why;
  const auto spots = hot_spots(*bodies, Tensor::stress, *s.history, 4, why);
  ASSERT_TRUE(spots) << why;
  ASSERT_EQ(spots->size(), 4u);
  // The two modes bend in two planes, and the fibre at y = height feels only one of them: which, the matrices say.
  const system::FlexInfo& info = s.mechanism.system->flexible().front();
  std::vector<double> expected;
  for (std::size_t node = 0; node < info.stress_nodes.size(); ++node) {
    const auto row = static_cast<Eigen::Index>(6 * node);
    expected.push_back(std::max(std::abs(info.stress(row, 0)), 2 * std::abs(info.stress(row, 1))));
  }
  std::sort(expected.rbegin(), expected.rend());
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR((*spots)[k].von_mises, expected[k], 1e-12 * expected[0]);
  EXPECT_EQ(spots->front().node, 1);  // a cantilever is bent most at its root
  EXPECT_EQ(spots->front().body, "FLEX_BODY/2");
  const bool first = std::abs(info.stress(0, 0)) > 2 * std::abs(info.stress(0, 1));
  EXPECT_EQ(spots->front().t, first ? 0.25 : 0.5);
  EXPECT_THAT(hot_spot_table(*spots, Tensor::stress, "newton/meter^2", "second"), HasSubstr("XX"));
  EXPECT_THAT(hot_spot_csv(*spots), HasSubstr("FLEX_BODY/2,1,0,0,0,"));
}

TEST(HotSpots, HistoriesOfChosenNodes) {
  Stressed s;
  ASSERT_NE(s.mechanism.system, nullptr);
  std::string why;
  const auto bodies = recoveries(*s.mechanism.system, {}, "", Tensor::stress, why);
  ASSERT_TRUE(bodies) << why;
  const auto nodes = node_histories(*bodies, *s.history, {3, 1}, why);
  ASSERT_TRUE(nodes) << why;
  ASSERT_EQ(nodes->size(), 2u);
  const system::FlexInfo& info = s.mechanism.system->flexible().front();
  const double q[2][4] = {{0, 1, 0, -0.5}, {0, 0, -2, 0}};
  for (Eigen::Index row = 0; row < 4; ++row) {
    const double expected = info.stress(12, 0) * q[0][row] + info.stress(12, 1) * q[1][row];
    EXPECT_NEAR(nodes->front().components(0, row), expected, 1e-12 * (1 + std::abs(expected))) << row;
  }
  const std::string csv = node_csv(*nodes, Tensor::stress, s.history->column(0), "Pa", "second");
  EXPECT_THAT(csv, HasSubstr("time [second],FLEX_BODY/2.3.VON_MISES [Pa],FLEX_BODY/2.3.XX [Pa],"));
  EXPECT_THAT(csv, HasSubstr("\n0.25,"));
  EXPECT_FALSE(node_histories(*bodies, *s.history, {3, 77}, why));
  EXPECT_THAT(why, HasSubstr("no stress modes are there for node 77"));
}

// Strains are their own matrix, and their von Mises value is the stretch of a bar that keeps its volume.
TEST(HotSpots, Strains) {
  test::FlexBeam beam;
  const Eigen::MatrixXd modes = beam.cantilever_modes(2);
  Eigen::MatrixXd strain = Eigen::MatrixXd::Zero(66, 2);
  strain.col(0).segment<6>(6 * 4) << 0.01, -0.005, -0.005, 0, 0, 0;
  strain.col(1).segment<6>(6 * 7) << 0, 0, 0, 0.003, 0, 0;
  const test::MatrixText file("strain_test",
                              test::with_matrix(beam.matrices(modes, false, true), "E_MODE", strain));
  const std::string text =
      "title\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\nMATRIX/1, FILE=" +
      file.path() + "\nFLEX_BODY/2, MATRICES=1\nEND\n";
  test::Mechanism m(text);
  ASSERT_NE(m.system, nullptr);
  Stressed s;
  std::string why;
  const auto bodies = recoveries(*m.system, m.read.model, "", Tensor::strain, why);
  ASSERT_TRUE(bodies) << why;
  const auto spots = hot_spots(*bodies, Tensor::strain, *s.history, 2, why);
  ASSERT_TRUE(spots) << why;
  EXPECT_EQ((*spots)[0].node, 5);
  EXPECT_NEAR((*spots)[0].von_mises, 0.01, 1e-15);
  EXPECT_EQ((*spots)[1].node, 8);
  EXPECT_NEAR((*spots)[1].von_mises, 0.006 * 2 / std::sqrt(3.0), 1e-15);  // γ/√3, γ twice the component
  EXPECT_FALSE(recoveries(*s.mechanism.system, s.mechanism.read.model, "", Tensor::strain, why));
  EXPECT_THAT(why, HasSubstr("no FLEX_BODY of the model has strain modes"));
}

TEST(HotSpots, VonMises) {
  Eigen::Matrix<double, 6, 1> stress;
  stress << 100, 0, 0, 0, 0, 0;
  EXPECT_DOUBLE_EQ(von_mises(stress), 100);
  stress << 0, 0, 0, 0, 50, 0;
  EXPECT_DOUBLE_EQ(von_mises(stress), 50 * std::sqrt(3.0));
  stress << 70, 70, 70, 0, 0, 0;  // pressure all around
  EXPECT_DOUBLE_EQ(von_mises(stress), 0);
}

TEST(HotSpots, SaysWhatIsMissing) {
  Stressed s;
  ASSERT_NE(s.history, nullptr);
  test::Mechanism rigid(
      "title\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
      "PART=1\nEND\n");
  std::string why;
  EXPECT_FALSE(recoveries(*rigid.system, {}, "", Tensor::stress, why));
  EXPECT_EQ(why, "the model has no FLEX_BODY");
}

}  // namespace
}  // namespace trunnion::api
