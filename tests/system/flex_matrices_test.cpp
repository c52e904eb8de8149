// The matrices of a FLEX_BODY in every shape that is understood, and what is said of others.

#include "system/compile/flex_matrices.hpp"

#include <gmock/gmock.h>

#include "system/compile/matrix_data.hpp"

namespace trunnion::system {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Index kM = 2, kN = 3;

MatrixXd drawn(Index rows, Index cols, double first) {
  MatrixXd A(rows, cols);
  for (Index k = 0; k < A.size(); ++k)
    A(k / cols, k % cols) = first + 0.37 * static_cast<double>((7 * k) % 11);
  return A;
}
math::Mat3 hat_of(const MatrixXd& column) { return math::hat(math::Vec3(column)); }

// Two mass points with two modes.
struct Body {
  std::vector<GivenMatrix> all;
  MatrixXd I5 = MatrixXd::Zero(3 * kM, kM), I8 = MatrixXd::Zero(3, 3 * kM),
           I9 = MatrixXd::Zero(3 * kM, 3 * kM);

  Body() {
    MatrixXd I3 = MatrixXd::Zero(3, kM), I4 = I3, I6 = MatrixXd::Zero(kM, kM), I7 = MatrixXd::Zero(3, 3),
             I2 = MatrixXd::Zero(3, 1);
    for (int p = 0; p < 4; ++p) {
      const MatrixXd phi = drawn(3, kM, 0.2 - p * p), s = drawn(3, 1, p * 0.7 - 1);
      I2 += s;
      I3 += phi;
      I4 += hat_of(s) * phi;
      I6 += phi.transpose() * phi;
      I7 += hat_of(s).transpose() * hat_of(s);
      for (Index j = 0; j < kM; ++j) {
        I5.middleRows(3 * j, 3) += hat_of(phi.col(j)) * phi;
        I8.middleCols(3 * j, 3) += hat_of(s) * hat_of(phi.col(j));
        for (Index k = 0; k < kM; ++k)
          I9.block(3 * j, 3 * k, 3, 3) += hat_of(phi.col(j)) * hat_of(phi.col(k));
      }
    }
    put("INVAR1", MatrixXd::Constant(1, 1, 4));
    put("INVAR2", I2);
    put("INVAR3", I3);
    put("INVAR4", I4);
    put("INVAR5", I5);
    put("INVAR6", I6);
    put("INVAR7", I7);
    put("INVAR8", I8);
    put("INVAR9", I9);
    put("GENSTIFF", Eigen::Vector2d(100, 400).asDiagonal());
    MatrixXd nodes = drawn(kN, 4, 0);
    nodes.col(0) << 11, 12, 17;
    put("SELNOD", nodes);
    put("T_MODE", drawn(3 * kN, kM, 1));
    put("R_MODE", drawn(3 * kN, kM, 2));
  }
  void put(const std::string& name, const MatrixXd& values) {
    for (GivenMatrix& m : all) {
      if (m.name == name) {
        m.values = values;
        return;
      }
    }
    all.push_back({name, "body.mtx", values});
  }
  MatrixXd get(const std::string& name) const {
    for (const GivenMatrix& m : all) {
      if (m.name == name) return m.values;
    }
    return {};
  }
  std::optional<FlexMatrices> read() {
    troubles.clear();
    notes.clear();
    return flex_matrices(all, troubles, notes);
  }
  std::vector<std::string> troubles, notes;
};

void expect_same(const FlexMatrices& a, const FlexMatrices& b) {
  EXPECT_EQ(a.invariants.I3, b.invariants.I3);
  EXPECT_EQ(a.invariants.I4, b.invariants.I4);
  EXPECT_EQ(a.invariants.I5, b.invariants.I5);
  EXPECT_EQ(a.invariants.I8, b.invariants.I8);
  EXPECT_EQ(a.invariants.I9, b.invariants.I9);
  EXPECT_EQ(a.invariants.K, b.invariants.K);
  EXPECT_EQ(a.T, b.T);
  EXPECT_EQ(a.R, b.R);
}

TEST(FlexMatrices, OtherShapesSayTheSame) {
  Body usual, other;
  const auto expected = usual.read();
  ASSERT_TRUE(expected) << usual.troubles.front();
  EXPECT_THAT(usual.notes, IsEmpty());
  other.put("INVAR2", usual.get("INVAR2").transpose());
  other.put("INVAR3", usual.get("INVAR3").transpose());
  other.put("GENSTIFF", Eigen::Vector2d(100, 400));
  MatrixXd across5(3, kM * kM), down8(3 * kM, 3), down9(3 * kM * kM, 3), beside(3, kN * kM);
  for (Index j = 0; j < kM; ++j) {
    across5.middleCols(kM * j, kM) = usual.I5.middleRows(3 * j, 3);
    down8.middleRows(3 * j, 3) = usual.I8.middleCols(3 * j, 3);
    for (Index k = 0; k < kM; ++k) down9.middleRows(3 * (kM * j + k), 3) = usual.I9.block(3 * j, 3 * k, 3, 3);
  }
  for (Index n = 0; n < kN; ++n) beside.middleCols(kM * n, kM) = usual.get("T_MODE").middleRows(3 * n, 3);
  other.put("INVAR5", across5);
  other.put("INVAR8", down8);
  other.put("INVAR9", down9);
  other.put("SELNOD", usual.get("SELNOD").transpose());
  other.put("T_MODE", beside);
  other.put("R_MODE", usual.get("R_MODE").transpose());
  const auto found = other.read();
  ASSERT_TRUE(found) << other.troubles.front();
  expect_same(*found, *expected);
  EXPECT_EQ(found->nodes[2].id, 17);
  EXPECT_EQ(*found->nodes[2].place, *expected->nodes[2].place);
  EXPECT_THAT(other.notes, ElementsAre(HasSubstr("one node beside those of the next")));
  // Of this body the second mode differs from the first by a motion as a whole.
  EXPECT_EQ(rigid_mode(*found), 2);
}

TEST(FlexMatrices, WhatBreaksAConventionIsRefused) {
  Body body;
  body.put("INVAR5", -body.I5);  // column k of block j is φ_k × φ_j then
  EXPECT_FALSE(body.read());
  EXPECT_THAT(body.troubles, ElementsAre(HasSubstr("INVAR9 does not belong to INVAR5")));
  body.put("INVAR5", body.I5.cwiseAbs());
  EXPECT_FALSE(body.read());
  EXPECT_THAT(body.troubles.front(), HasSubstr("INVAR5 is not antisymmetric"));
  Body lopsided;
  MatrixXd K = lopsided.get("GENSTIFF");
  K(0, 1) = 50;
  lopsided.put("GENSTIFF", K);
  EXPECT_FALSE(lopsided.read());
  EXPECT_THAT(lopsided.troubles, ElementsAre(HasSubstr("GENSTIFF is not symmetric")));
}

TEST(FlexMatrices, TheFifthInvariantMayStandWithoutTheNinth) {
  Body body;
  std::erase_if(body.all, [](const GivenMatrix& m) { return m.name == "INVAR9"; });
  const auto found = body.read();
  ASSERT_TRUE(found) << body.troubles.front();
  EXPECT_EQ(found->invariants.I5, body.I5);
  EXPECT_EQ(found->invariants.I9.size(), 0);
}

TEST(FlexMatrices, AllTroublesAtOnce) {
  Body body;
  body.put("INVAR3", MatrixXd::Zero(2, 5));
  body.put("INVAR8", MatrixXd::Zero(1, 1));
  body.put("T_MODE", MatrixXd::Zero(3 * kN + 1, kM));
  body.put("SELMOD", Eigen::Vector2d(3, 3));
  EXPECT_FALSE(body.read());
  EXPECT_THAT(body.troubles,
              ::testing::IsSupersetOf({HasSubstr("INVAR3 is 2 by 5, but 3 by 2 is expected"),
                                       HasSubstr("INVAR8 is 1 by 1, but 3 by 6 or 6 by 3 is expected"),
                                       HasSubstr("SELMOD has 3 twice"),
                                       HasSubstr("T_MODE is 10 by 2, but 9 by 2 is expected")}));
}

TEST(FlexMatrices, SelectionTakesRowsAndColumns) {
  Body body;
  body.put("SELMOD", (MatrixXd(2, 2) << 7, 1.5, 9, 3).finished());
  auto all = body.read();
  ASSERT_TRUE(all) << body.troubles.front();
  std::vector<std::string> troubles;
  const MatrixXd I9 = all->invariants.I9, T = all->T;
  select_modes(*all, {9}, troubles);
  EXPECT_THAT(troubles, IsEmpty());
  EXPECT_THAT(all->modes, ElementsAre(9));
  EXPECT_THAT(all->frequencies, ElementsAre(3));
  EXPECT_EQ(all->invariants.I9, MatrixXd(I9.block(3, 3, 3, 3)));
  EXPECT_EQ(all->T, MatrixXd(T.col(1)));
  EXPECT_EQ(all->invariants.K(0, 0), 400);
}

// Formats of a FORTRAN program: groups, touching fields, exponents of three digits, all rows before all columns.
TEST(MatrixText, FormatsOfFortran) {
  std::string trouble;
  const auto all = matrix_text(
      "ADAMSMAT2 x\n3\nSELMOD SPA\nROWS\n"
      "SELMOD FULL RORDER 2 2 4 ( 1I8, 1E14.6 )\n       2  1.591549E+00\n3 2.756644E+00\n"
      "SPA SPARSE RORDER 2 2 2 (2(2I4,E14.6))\n   1   2  1.000000-104   2   1 -2.500000E+00\n"
      "ROWS SPARSE 9 3 2 (*)\n7 8\n1 3\n0.5 0.25\n",
      "a.mtx", trouble);
  ASSERT_TRUE(all) << trouble;
  ASSERT_EQ(all->size(), 3u);
  EXPECT_EQ((*all)[0].values, (MatrixXd(2, 2) << 2, 1.591549, 3, 2.756644).finished());
  EXPECT_EQ((*all)[1].values, (MatrixXd(2, 2) << 0, 1e-104, -2.5, 0).finished());
  EXPECT_EQ((*all)[2].values(6, 0), 0.5);
  EXPECT_EQ((*all)[2].values(7, 2), 0.25);
  EXPECT_EQ((*all)[1].line, 8);
}

}  // namespace
}  // namespace trunnion::system
