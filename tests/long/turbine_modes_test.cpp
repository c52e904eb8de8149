// The modes of a wind turbine as its own command file asks for them, user aerodynamics off.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/session.hpp"

namespace trunnion::test {
namespace {

using ::testing::HasSubstr;

TEST(Corpus, TurbineModes) {
  const std::string model = TRUNNION_CORPUS_DIR "/models/nrel-test14.adm",
                    script = TRUNNION_CORPUS_DIR "/models/nrel-test14-linear.acf";
  if (!std::filesystem::exists(script)) GTEST_SKIP() << "no corpus";
  SessionOptions options;
  options.ignore_user = true;
  const Session s = run_files({model, script}, options);
  EXPECT_EQ(s.status, api::RunStatus::done) << s.said;
  EXPECT_THAT(s.said, HasSubstr("338 degrees of freedom"));
  EXPECT_THAT(
      s.said,
      HasSubstr(
          "339 modes of 676 eigenvalues"));  // 337 pairs and the turn of the rotor, which is free, twice
  EXPECT_THAT(s.said, HasSubstr("2 eigenvalues are zero within rounding: free motion"));
  // Of M and K of LINEAR/MKB, by numpy: 2.5625 rad/s the slowest, and one pair that grows.
  EXPECT_THAT(s.said, HasSubstr("2.5625"));
  EXPECT_THAT(s.said, HasSubstr("fastest growing: 3.013 ± 1960.9 i, largest in PART/30002"));
  // K (1 + tan ψ e_y e_zᵀ) of the deck's own KMATRIX and LENGTH, by numpy.
  EXPECT_THAT(s.said, HasSubstr("and 35 more: stiffness asymmetric by 6.1 %"));
}

}  // namespace
}  // namespace trunnion::test
