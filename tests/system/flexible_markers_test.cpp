// Markers on nodes of flexible bodies and beams: on the node but for digits, refused or warned of where they are not meant so.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/flex_beam.hpp"
#include "support/reading.hpp"
#include "system/compile/compile.hpp"

namespace trunnion::system {
namespace {

using testing::HasSubstr;

struct Compiled {
  std::shared_ptr<const System> system;
  core::Diagnostics found;
  std::string text;
};

Compiled compiled(const std::string& statements) {
  test::Read read = test::read_adm(test::small_model(statements));
  EXPECT_FALSE(read.diagnostics.has_errors()) << read.messages();
  Compiled out;
  out.system = compile(read.model, {}, out.found, 0);
  for (const core::Diagnostic& d : out.found.all())
    out.text += fmt::format("{}: {}; {}\n", d.subject, d.message, d.hint);
  return out;
}

struct FlexBodies {
  test::FlexBeam beam;
  test::MatrixText matrices{"flexible_markers", beam.matrices(beam.cantilever_modes(2))};

  Compiled with(const std::string& marker, const std::string& more = {}) const {
    return compiled("MATRIX/1, FILE=" + matrices.path() + "\nFLEX_BODY/3, MATRICES=1" + more +
                    "\nMARKER/31, FLEX_BODY=3, " + marker + "\n");
  }
};

assembly::MarkerDef marker(const Compiled& c, int id) {
  return c.system->markers()[*c.system->find_marker(id)];
}

// One cause, one error: what stands on the body is counted and not told apart.
TEST(FlexibleMarkers, WhatRestsOnABodyInErrorIsCounted) {
  const std::string body =
      "MATRIX/1, FILE=gone.mtx\nFLEX_BODY/3, MATRICES=1\nMARKER/31, FLEX_BODY=3, NODE_ID=11\n";
  const Compiled alone = compiled(body);
  EXPECT_EQ(alone.found.error_count(), 1u) << alone.text;
  const Compiled one = compiled(body + "JOINT/7, FIXED, I=31, J=10\n");
  EXPECT_EQ(one.found.error_count(), 1u) << one.text;
  EXPECT_THAT(one.text, HasSubstr("gone.mtx cannot be opened; JOINT/7 rests on it;"));
  const Compiled many = compiled(body + "JOINT/7, FIXED, I=31, J=10\n" +
                                 "SFORCE/6, TRANSLATION, I=31, J=10, FUNCTION=DX(31,10)\n");
  EXPECT_FALSE(many.system);
  EXPECT_EQ(many.found.error_count(), 1u) << many.text;
  EXPECT_THAT(many.text, HasSubstr("gone.mtx cannot be opened; 2 statements rest on it, JOINT/7 the first;"));
}

// QP with the digits that one types leaves no arm; one that is meant does.
TEST(FlexibleMarkers, AreOnTheirNodeButForDigits) {
  const FlexBodies bodies;
  const Compiled on = bodies.with("NODE_ID=11");
  ASSERT_TRUE(on.system) << on.text;
  const math::Vec3 node = marker(on, 31).p_BM;
  const double size = on.system->flexible().front().size;
  for (const double off : {3e-8, 9e-7, 3e-6}) {
    const Compiled typed = bodies.with(
        fmt::format("NODE_ID=11, QP={:.17g},{:.17g},{:.17g}", node.x() + off * size, node.y(), node.z()));
    ASSERT_TRUE(typed.system) << typed.text;
    EXPECT_EQ(marker(typed, 31).p_BM == node, off < 1e-6) << off;
  }
}

TEST(FlexibleMarkers, OfALabelAreRefused) {
  const Compiled c = FlexBodies().with("NODE_LABEL=11");
  EXPECT_FALSE(c.system);
  EXPECT_THAT(c.text, HasSubstr("NODE_LABEL names a node of an FE_PART; it is on FLEX_BODY/3; NODE_ID = 11"));
}

TEST(FlexibleMarkers, DampingOverCriticalIsToldOnce) {
  const FlexBodies bodies;
  const Compiled over = bodies.with("NODE_ID=11", ", CRATIO=2");
  ASSERT_TRUE(over.system) << over.text;
  EXPECT_EQ(over.found.warning_count(), 1u) << over.text;
  EXPECT_THAT(over.text, HasSubstr("is 2: more than critical"));
  EXPECT_EQ(bodies.with("NODE_ID=11", ", CRATIO=1").found.warning_count(), 0u);
}

TEST(FlexibleMarkers, OnABeamWithoutAPlaceAreWarnedOf) {
  const auto beam = [](const std::string& markers) {
    return compiled(
        "MATERIAL/1, YOUNGS_MODULUS=2E11, POISSONS_RATIO=0.3, DENSITY=7800\n"
        "FE_PART/3, TYPE=3DBEAM, MATERIAL=1, NODE_LABELS=1,2, SUBDIVIDE=2\n"
        ", COORDINATES=1, 0,0,0, 0,0,0, 2, 1,0,0, 0,0,0\n"
        ", SECTION=1, 8E-4, 2.7E-8, 1.1E-7, 0, 7.3E-8, 2, 8E-4, 2.7E-8, 1.1E-7, 0, 7.3E-8\n" +
        markers);
  };
  const Compiled c = beam("MARKER/31, FE_PART=3, NODE_LABEL=1\nMARKER/32, FE_PART=3, NODE_LABEL=2\n");
  ASSERT_TRUE(c.system) << c.text;
  EXPECT_EQ(c.found.warning_count(), 1u) << c.text;
  EXPECT_THAT(c.text, HasSubstr("MARKER/32: without QP it is at the origin of FE_PART/3, 1 from node 2; "));
  EXPECT_THAT(c.text, HasSubstr("QP = 1, 0, 0 puts it on the node"));
  EXPECT_EQ(beam("MARKER/32, FE_PART=3, NODE_LABEL=2, QP=1,0.1,0\n").found.warning_count(), 0u);
}

}  // namespace
}  // namespace trunnion::system
