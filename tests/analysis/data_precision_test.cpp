// Models as other programs print them: numbers end after so many digits, and redundant joints agree no better than that.

#include <filesystem>
#include <fstream>
#include <numbers>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/mechanism.hpp"
#include "math/so3.hpp"

namespace trunnion::test {
namespace {

using math::Mat3;
using math::Vec3;
using ::testing::HasSubstr;

constexpr double kDegree = std::numbers::pi / 180;

std::string numbers(const Vec3& v, int digits, const char* unit = "") {
  std::string out;
  for (int k = 0; k < 3; ++k) out += fmt::format("{}{:.{}g}{}", k ? "," : "", v[k], digits, unit);
  return out;
}
std::string degrees(const math::EulerAngles& a, int digits) {
  return numbers(Vec3(a.first, a.second, a.third) / kDegree, digits, "D");
}

// A door on two hinges, in millimetres and turned about all axes; `shift` moves the second hinge of the frame along its axis.
std::string door(int digits, double shift = 0) {
  const math::EulerAngles turned{37.12345678 * kDegree, 25.23456789 * kDegree, -11.34567891 * kDegree};
  const Mat3 R = math::rotation_from_euler_313(turned);
  const Vec3 origin(123.4567891, -87.65432109, 10.12345678);
  const math::EulerAngles back = math::euler_313(R.transpose());
  std::string text = "door\nPART/1, GROUND\n";
  std::string part = fmt::format("PART/2, MASS=1, CM=20, IP=1,1,1, QG={}, REULER={}\nMARKER/20, PART=2\n",
                                 numbers(origin, digits), degrees(turned, digits));
  for (int k = 0; k < 2; ++k) {
    const Vec3 hinge(300.1234567, 45.67890123, 1000.0 * k);
    text += fmt::format("MARKER/{}, PART=1, QP={}\n", 10 + k, numbers(hinge + Vec3(0, 0, k * shift), digits));
    part += fmt::format("MARKER/{}, PART=2, QP={}, REULER={}\n", 21 + k,
                        numbers(R.transpose() * (hinge - origin), digits), degrees(back, digits));
  }
  return text + part + "JOINT/1, REVOLUTE, I=21, J=10\nJOINT/2, REVOLUTE, I=22, J=11\nEND\n";
}

TEST(DataPrecision, DigitsAreThoseOfMostNumbers) {
  const Mechanism m(door(10));
  const analysis::DataPrecision p = analysis::data_precision(m.read.model);
  EXPECT_EQ(p.digits, 10);
  // Half of the last of ten digits of the largest angle, above 100D, and of the largest number, 1000.
  EXPECT_NEAR(p.angle, 0.5e-7 * kDegree, 1e-12);
  EXPECT_NEAR(p.length, 0.5e-6 + p.angle * 1000, 1e-7);
}

// Ten digits of a radian are fourteen of its degrees.
TEST(DataPrecision, RadiansCountByTheirOwnDigits) {
  std::string text = "radians\nPART/1, GROUND\n";
  for (int k = 0; k < 10; ++k)
    text += fmt::format("MARKER/{}, PART=1, QP={:.10g},1,2, REULER={:.10g},{:.10g},0\n", 10 + k,
                        100.1234567891 + k, 0.6123456789123 + 0.1 * k, 1.2345678912345 - 0.1 * k);
  const Mechanism m(text + "END\n");
  EXPECT_EQ(analysis::data_precision(m.read.model).digits, 10);
}

TEST(DataPrecision, FewDigitsAndAllDigitsAreExact) {
  EXPECT_EQ(
      analysis::data_precision(Mechanism("t\nPART/1, GROUND\nMARKER/1, QP=30.2,0.5,1\nEND\n").read.model)
          .digits,
      0);
  EXPECT_EQ(analysis::data_precision(Mechanism(door(17)).read.model).digits, 0);
}

TEST(DataPrecision, ADoorPrintedWithTenDigitsAssembles) {
  const Mechanism exact(door(17)), printed(door(10));
  ASSERT_TRUE(exact.assembled.ok) << exact.messages();
  ASSERT_TRUE(printed.assembled.ok) << printed.messages();
  EXPECT_EQ(printed.assembled.freedoms, 1);
  EXPECT_EQ(printed.assembled.redundant.size(), 5u);
  // What the digits leave: more than rounding, so that the old judgement would refuse it.
  EXPECT_GT(printed.assembled.violation, 1e-9);
  EXPECT_LT(printed.assembled.violation, 1e-5);
  EXPECT_THAT(printed.messages(), HasSubstr("agree to the 10 digits of the model's numbers"));
  EXPECT_EQ(exact.messages(), "");
}

TEST(DataPrecision, SixDigitsAreEnough) {
  const Mechanism m(door(6));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_EQ(m.assembled.freedoms, 1);
}

TEST(DataPrecision, AHingeInTheWrongPlaceIsStillRefused) {
  // A hundred times what ten digits explain; and next to nothing where all digits are there.
  for (const auto& [digits, shift] : {std::pair{10, 1e-3}, {17, 1e-7}}) {
    const Mechanism m(door(digits, shift));
    EXPECT_FALSE(m.assembled.ok) << digits;
    EXPECT_THAT(m.messages(), HasSubstr("contradict"));
  }
}

// Which equations are left out: the commercial solver's log of this model lists 28 of them, twice, after each other and with 22 in
// common. All are rotations, of primitives before planar joints before cylindrical ones, and of no translational joint.
TEST(RedundantRows, AreOfTheKindThatTheCommercialSolverLeavesOut) {
  const std::string base = std::string(TRUNNION_CORPUS_DIR) + "/models/parallel-robot-driven";
  if (!std::filesystem::exists(base + ".msg")) GTEST_SKIP() << "no corpus";
  std::set<std::string> theirs;  // of the second list, which is the one it goes on with
  std::ifstream log(base + ".msg");
  for (std::string line; std::getline(log, line);) {
    if (line.find("identified redundant") != std::string::npos) theirs.clear();
    const std::size_t at = line.find("constraint equation  Zi.");
    if (at == std::string::npos) continue;
    const std::size_t name = line.find("plant.");
    std::string owner = line.substr(name + 6);
    owner.erase(owner.find_last_not_of("\r\n ") + 1);
    theirs.insert(owner + (line[at + 24] == 'X' ? " x" : " y"));
  }
  ASSERT_EQ(theirs.size(), 28u);
  std::ifstream file(base + ".adm", std::ios::binary);
  const Mechanism m(std::string(std::istreambuf_iterator<char>(file), {}));
  ASSERT_TRUE(m.assembled.ok) << m.messages();
  EXPECT_EQ(m.assembled.redundant.size(), 28u);
  int common = 0;
  for (const analysis::RedundantRow& r : m.assembled.redundant) {
    const assembly::Row& row = m.system->layout().row(assembly::RowId{r.row});
    EXPECT_NE(row.residual.quantity, assembly::Quantity::length) << row.owner;
    const std::size_t open = row.owner.find('\''), close = row.owner.rfind('\'');
    ASSERT_NE(open, std::string::npos) << row.owner;
    const bool x = row.equation.find("x_J") != std::string::npos;
    common += theirs.contains(row.owner.substr(open + 1, close - open - 1) + (x ? " x" : " y"));
  }
  // More than its own two lists have in common.
  EXPECT_GE(common, 23);
}

}  // namespace
}  // namespace trunnion::test
