#include "core/words.hpp"

#include <fmt/ranges.h>
#include <gmock/gmock.h>

namespace trunnion::core {
namespace {

using testing::ElementsAre;

const Subject kHinge{Kind{4}, 3}, kCrank{Kind{7}, 2};

Words hinge() { return {"JOINT/3 'hinge'", kHinge}; }
Words crank() { return {"PART/2", kCrank}; }

TEST(Words, ANameKnowsItsStatement) {
  EXPECT_EQ(hinge(), "JOINT/3 'hinge'");
  EXPECT_EQ(hinge().subject(), kHinge);
  EXPECT_FALSE(Words("nobody").subject().known());
}

TEST(Words, AMessageIsAboutAllItNamesEachOnce) {
  const std::vector<Words> both{crank(), hinge()};
  const Words message = words("{} moves by {:.2f}: {}", hinge(), 0.5, fmt::join(both, ", "));
  EXPECT_EQ(message, "JOINT/3 'hinge' moves by 0.50: PART/2, JOINT/3 'hinge'");
  EXPECT_THAT(message.about(), ElementsAre(kHinge, kCrank));
}

TEST(Words, SubjectsSurviveJoining) {
  Words list = "  " + crank();
  list += ", " + hinge();
  EXPECT_EQ(list, "  PART/2, JOINT/3 'hinge'");
  EXPECT_THAT(list.about(), ElementsAre(kCrank, kHinge));
  EXPECT_THAT((crank() + std::string(" by 2")).about(), ElementsAre(kCrank));
}

}  // namespace
}  // namespace trunnion::core
