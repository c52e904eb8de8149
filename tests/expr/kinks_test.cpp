// Where functions of places and speeds change their course.

#include "expr/kinks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expr/helpers.hpp"

namespace trunnion::expr {
namespace {

using ::testing::DoubleNear;
using ::testing::IsEmpty;
using ::testing::Pointwise;

std::vector<double> distances(std::string_view text, const std::vector<double>& inputs) {
  const Program program = testing::compiled(text);
  const Kinks kinks(program);
  std::vector<double> slots, out(kinks.all().size()), sizes(out.size());
  kinks.distances(inputs, slots, out, sizes);
  return out;
}

TEST(Kinks, AreToldByNumbersThatChangeSign) {
  const auto near = [](std::vector<double> wanted) {
    return Pointwise(DoubleNear(1e-14), std::move(wanted));
  };
  EXPECT_THAT(distances("STEP(2*DX(2),1,0,3,1)", {0.7}), near({0.4, -1.6}));
  EXPECT_THAT(distances("IMPACT(DM(2,1),VR(2,1),0.1,1E5,1.5,1,0.01)", {0.25, -3}), near({0.15}));
  EXPECT_THAT(distances("BISTOP(DX(2),VX(2),-1,2,1E5,1.5,1,0.01)", {0.5, 0}), near({1.5, 1.5}));
  EXPECT_THAT(distances("MAX(DX(2),3)+ABS(DY(2)-1)", {1, 3}), near({-2, 2}));
  // In branches that are not taken, too.
  EXPECT_THAT(distances("IF(DX(2)-1: 0, 0, IF(DX(2)-2: 5, 0, 0))", {0.5}), near({-0.5, -1.5}));
}

TEST(Kinks, OfTheTimeAloneAreNotAmongThem) {
  EXPECT_THAT(distances("STEP(TIME,1,0,2,1)*DX(2)+ABS(TIME-3)", {0.5, 2}), IsEmpty());
  EXPECT_THAT(distances("5*DX(2)**2+SIN(DX(2))", {2}), IsEmpty());
}

}  // namespace
}  // namespace trunnion::expr
