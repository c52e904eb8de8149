// FE_PARTs in mechanisms, and what is said of data that make no beam.

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "analysis/flexible_beam.hpp"

namespace trunnion::test {
namespace {

using ::testing::HasSubstr;

// A bar of the flexible four-bar (Bauchau et al. 2016, data of the authors' input) from (x, y) along psi, with markers 100·id + 1 and + 2 at
// its ends and + 3 half-way.
std::string bar(int id, bool soft, double x, double y, double length, double psi) {
  const double c = std::cos(psi), s = std::sin(psi);
  std::string out = fmt::format(
      "FE_PART/{0}, TYPE=3DBEAM, NODE_LABELS=1,2, "
      "COORDINATES=1,{1:.17g},{2:.17g},0,{3:.17g},0,0,2,{4:.17g},{5:.17g},0,{3:.17g},0,0\n"
      ", SECTION_STIFFNESS={6}, SECTION_INERTIA={7}, SUBDIVIDE=10\n",
      id, x, y, psi, x + length * c, y + length * s, soft ? 3 : 1, soft ? 4 : 2);
  out += fmt::format("MARKER/{0}01, FE_PART={0}, NODE_LABEL=1, QP={1:.17g},{2:.17g},0\n", id, x, y);
  out += fmt::format("MARKER/{0}02, FE_PART={0}, NODE_LABEL=2, QP={1:.17g},{2:.17g},0\n", id, x + length * c,
                     y + length * s);
  return out;
}

// Its crank turned by 30 degrees, at rest: field notes B, where 5, 10 and 20 elements of another program agree to these digits. The hinge
// at C is 5 degrees off, which is what strains it.
TEST(FePartModels, FlexibleFourBarAtRest) {
  const double pi = std::numbers::pi;
  std::string text = "four-bar\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=0.24,0,0\n";
  text += diagonal_matrix(1, {52.992e6, 16.8803e6, 16.8803e6, 733.488, 1130.5, 1130.5}) + "\n";
  text += diagonal_matrix(2, {1.9968, 1.9968, 1.9968, 85.1968e-6, 42.5984e-6, 42.5984e-6}) + "\n";
  text += diagonal_matrix(3, {13.248e6, 4.2201e6, 4.2201e6, 45.843, 70.656, 70.656}) + "\n";
  text += diagonal_matrix(4, {0.4992, 0.4992, 0.4992, 5.3248e-6, 2.6624e-6, 2.6624e-6}) + "\n";
  text += bar(2, false, 0, 0, 0.12, pi / 2) + bar(3, false, 0, 0.12, 0.24, 0) +
          bar(4, true, 0.24, 0.12, 0.12, -pi / 2);
  for (const int id : {3, 4})
    text += fmt::format("MARKER/{0}09, FE_PART={0}, NODE_LABEL={1}, QP=0.24,0.12,0, REULER=90D,5D,0D\n", id,
                        id == 3 ? 2 : 1);
  text +=
      "JOINT/1, REVOLUTE, I=201, J=1\nJOINT/2, REVOLUTE, I=301, J=202\nJOINT/3, REVOLUTE, I=309, J=409\n"
      "JOINT/4, REVOLUTE, I=402, J=2\nMOTION/1, JOINT=1, ROTATION, FUNCTION=-30D*TIME\nEND\n";
  Mechanism mech(text);
  ASSERT_TRUE(mech.system && mech.assembled.ok) << mech.messages();
  analysis::StaticSettings settings = analysis::static_settings(mech.read.model);
  settings.error = 1e-9;
  settings.imbalance = 1e-4;  // of forces of 10 N; rounding is EA·ε·x/h
  settings.judge = false;
  for (int k = 1; k <= 6; ++k) {
    mech.assembled.state.t = k / 6.0;
    const auto result = analysis::statics(*mech.system, mech.assembled, settings);
    ASSERT_TRUE(result.ok) << (result.messages.empty() ? "" : result.messages.back());
  }
  const auto at = mech.sample();
  EXPECT_NEAR(at.at("FE_PART/3.2.X"), 0.29998303, 2e-7);
  EXPECT_NEAR(at.at("FE_PART/3.2.Y"), 0.10390968, 2e-7);
  EXPECT_NEAR(at.at("FE_PART/3.2.Z"), -0.00178326, 2e-7);
  EXPECT_NEAR(at.at("FE_PART/3.1_5.Z"), -0.00086922, 2e-7);
  EXPECT_NEAR(at.at("ENERGY.POTENTIAL"), 0.721032, 2e-4);
}

// The messages of a model that has this FE_PART and rest.
std::string said(const std::string& beam, const std::string& rest = "") {
  Read read = check_adm(
      "beam\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "MATERIAL/1, YOUNGS_MODULUS=2e11, POISSONS_RATIO=0.3, DENSITY=7800\n" +
      diagonal_matrix(1, {1, 1, 1, 1, -1, 1}) + "\n" + diagonal_matrix(2, {1, 1, 1, 2, 1, 1}) + "\n" + beam +
      "\n" + rest + "END\n");
  if (!read.diagnostics.has_errors()) system::compile(read.model, {}, read.diagnostics, 0.0, {});
  return read.messages();
}

TEST(FePartModels, DataThatMakeNoBeam) {
  const std::string start = "FE_PART/2, TYPE=3DBEAM, MATERIAL=1, NODE_LABELS=1,2\n";
  const std::string places = ", COORDINATES=1,0,0,0,0,0,0,2,1,0,0,0,0,0\n";
  const std::string sections = ", SECTION=1,1e-4,1e-9,1e-9,0,2e-9,2,1e-4,1e-9,1e-9,0,2e-9\n";
  EXPECT_EQ(said(start + places + sections), "");
  EXPECT_THAT(said(start + sections), HasSubstr("node 1 has no place"));
  EXPECT_THAT(said(start + places), HasSubstr("the cross sections are missing"));
  EXPECT_THAT(said(start + places + ", SECTION=1,1e-4,1e-9,1e-9,0,2e-9,3,1e-4,1e-9,1e-9,0,2e-9\n"),
              HasSubstr("SECTION: 3 is not in NODE_LABELS"));
  EXPECT_THAT(said(start + places + ", SECTION=1,1e-4,1e-9,1e-9,0,2e-9,2,1e-4,0,1e-9,0,2e-9\n"),
              HasSubstr("Iyy of node 2 is 0; it must be positive"));
  EXPECT_THAT(said(start + ", COORDINATES=1,0,0,0,0,0,0,2,0,0,0,0,0,0\n" + sections),
              HasSubstr("nodes 1 and 2 are in the same place"));
  EXPECT_THAT(said(start + ", COORDINATES=1,0,0,0,0,0,0,2,0,1,0,0,0,0\n" + sections),
              HasSubstr("90 degrees off x of their axes"));
  EXPECT_THAT(said("FE_PART/2, TYPE=CABLE, MATERIAL=1, NODE_LABELS=1,2\n" + places + sections),
              HasSubstr("CABLE"));
  EXPECT_THAT(said("FE_PART/2, TYPE=2DBEAMXY, MATERIAL=1, NODE_LABELS=1,2\n, "
                   "COORDINATES=1,0,0,0,0,0,0,2,1,0,0.1,0,0,0\n" +
                   sections),
              HasSubstr("out of the plane of node 1"));
  EXPECT_THAT(said("FE_PART/2, TYPE=3DBEAM, NODE_LABELS=1,2\n" + places +
                   ", SECTION_STIFFNESS=1, SECTION_INERTIA=2\n"),
              HasSubstr("not positive definite"));
  EXPECT_THAT(said(start + places + sections, "MARKER/5, FE_PART=2, NODE_LABEL=9\n"),
              HasSubstr("has no node 9"));
  // A joint may hold one node to another, not to itself.
  const std::string ball = "JOINT/1, SPHERICAL, I=5, J=6\n";
  EXPECT_EQ(said(start + places + sections,
                 "MARKER/5, FE_PART=2, NODE_LABEL=1\nMARKER/6, FE_PART=2, NODE_LABEL=2, QP=1,0,0\n" + ball),
            "");
  EXPECT_THAT(said(start + places + sections,
                   "MARKER/5, FE_PART=2, NODE_LABEL=1\nMARKER/6, FE_PART=2, NODE_LABEL=1\n" + ball),
              HasSubstr("both on"));
  EXPECT_THAT(said(start + places + sections, "MARKER/5, FE_PART=2\n"),
              HasSubstr("rides on one of its nodes"));
  EXPECT_THAT(said(start + places + sections, "FE_NODE/1, FE_PART=2, LABEL=7, S=1\n"),
              HasSubstr("where node 2 is"));
}

}  // namespace
}  // namespace trunnion::test
