// What a program tells about itself, sharing, branches, vectors.

#include <cmath>
#include <thread>

#include "helpers.hpp"

namespace trunnion::expr::testing {
namespace {

std::string names(const Program& program) {
  std::string result;
  for (const Input& input : program.inputs()) result += input.name() + " ";
  return result;
}

TEST(Program, InputsAreListedOnce) {
  EXPECT_EQ(names(compiled("DX(1,2)+dx(1,2,0)*TIME-DX(01,2)/Time")), "DX(1,2) TIME ");
  EXPECT_EQ(names(compiled("DX(1,2)+DX(2,1)+DX(1)")), "DX(1,2) DX(2,1) DX(1) ");
  const Program program = compiled("JOINT(3,1,2,9)+FX(1)+ORIENT(27,2,5,6)+DIF1(4)");
  ASSERT_EQ(program.inputs().size(), 4u);
  EXPECT_EQ(program.inputs()[0].kind, InputKind::element_force);
  EXPECT_EQ(program.inputs()[0].ids, (std::array<int, 4>{3, 1, 2, 9}));
  EXPECT_EQ(program.inputs()[0].function->statement, "JOINT");
  EXPECT_EQ(program.inputs()[1].kind, InputKind::generic_force);
  EXPECT_EQ(program.inputs()[2].kind, InputKind::orient);
  EXPECT_EQ(program.inputs()[3].kind, InputKind::diff_rate);
}

TEST(Program, ReferencesPointIntoTheText) {
  const std::string text = "DX(12, 0, 0013) + VARVAL(7)*AKISPL(TIME, 0, 5) - JOINT(2,0,3,44) + BUSH(8,0,2,0)";
  const Program program = compiled(text);
  std::string found;
  for (const Reference& r : program.references()) {
    found += fmt::format("{}/{}='{}' ", r.statement, r.id, text.substr(r.offset, r.length));
  }
  EXPECT_EQ(found,
            "MARKER/12='12' MARKER/13='0013' VARIABLE/7='7' SPLINE/5='5' JOINT/2='2' MARKER/44='44' "
            "BUSHING/8='8' ");
  ASSERT_EQ(program.tables().size(), 1u);
  EXPECT_EQ(program.tables()[0].id, 5);
  EXPECT_EQ(program.tables()[0].function, Function::kAKISPL);
}

TEST(Program, UserParameters) {
  const Program program = compiled("USER(1.0, -2.5, 1.7172509E+07, 2*PI, 90D)");
  EXPECT_TRUE(program.is_user());
  ASSERT_EQ(program.user_parameters().size(), 5u);
  EXPECT_EQ(program.user_parameters()[2], 17172509.0);
  EXPECT_DOUBLE_EQ(program.user_parameters()[3], 2 * std::acos(-1.0));
  EXPECT_FALSE(program.constant());
  Workspace work(program);
  EXPECT_TRUE(std::isnan(program.value({}, work)));
  EXPECT_FALSE(compiled("1").is_user());
  EXPECT_TRUE(compiled("USER()").user_parameters().empty());
}

TEST(Program, ConstantsAreFolded) {
  EXPECT_EQ(compiled("2*3+SIN(0)").constant(), 6.0);
  EXPECT_EQ(compiled("STEP(0.5,0,0,1,2)").constant(), 1.0);
  EXPECT_EQ(compiled("IF(-1: 4, TIME, DX(1))").constant(), 4.0);
  EXPECT_TRUE(compiled("IF(-1: 4, TIME, DX(1))").inputs().empty());
  EXPECT_EQ(compiled("2*PI*50*TIME").tape().code.size(), 1u);
  EXPECT_EQ(compiled("2*PI*50*TIME").tape().constants.size(), 1u);
  EXPECT_FALSE(compiled("TIME").constant());
  // Not a number is not folded: the place is kept for explain().
  EXPECT_FALSE(compiled("1/0").constant());
}

TEST(Program, EqualSubexpressionsAreShared) {
  EXPECT_EQ(compiled("SIN(TIME*2)+SIN(2*TIME)").tape().code.size(), 3u);  // *, SIN, +
  EXPECT_EQ(compiled("STEP(TIME,0,0,1,1)*STEP(TIME,0,0,1,1)").tape().code.size(), 2u);
  // What a branch computed is not known after it, nor in the next branch; what was known before it is known
  // in it.
  const Program program =
      compiled("SIN(TIME) + IF(MODE: SIN(TIME)+COS(TIME), COS(TIME), SIN(TIME)) + COS(TIME)");
  Workspace work(program);
  for (const double mode : {-1.0, 0.0, 1.0}) {
    const double in[] = {0.7, mode};
    const double s = std::sin(0.7), c = std::cos(0.7);
    EXPECT_DOUBLE_EQ(program.value(in, work), s + (mode < 0 ? s + c : mode == 0 ? c : s) + c);
  }
}

TEST(Program, OnlyTheChosenBranchRuns) {
  const Program program = compiled("IF(TIME: 1/0, SQRT(-1), TIME**2)");
  Workspace work(program);
  double in[] = {3.0}, grad[1], hess[1];
  EXPECT_EQ(program.gradient(in, work, grad), 9.0);
  EXPECT_EQ(grad[0], 6.0);
  EXPECT_EQ(program.hessian(in, work, grad, hess), 9.0);
  EXPECT_EQ(hess[0], 2.0);
  EXPECT_EQ(program.explain(in), "");
  in[0] = -1.0;
  EXPECT_TRUE(std::isinf(program.value(in, work)));
  in[0] = std::nan("");
  EXPECT_TRUE(std::isnan(program.gradient(in, work, grad)));
  EXPECT_TRUE(std::isnan(grad[0]));
}

TEST(Program, NestedBranches) {
  const Program program = compiled(
      "IF(DX(1): IF(DX(2): DX(1)*DX(2), 2*DX(1), 3*DX(2)), 4, IF(DX(2): 5*DX(1), IF(DX(3): 6, 7, 8*DX(3)), "
      "9)*DX(1))");
  Workspace work(program);
  const auto expected = [](double x, double y, double z) {
    if (x < 0) return y < 0 ? x * y : y == 0 ? 2 * x : 3 * y;
    if (x == 0) return 4.0;
    return x * (y < 0 ? 5 * x : y == 0 ? (z < 0 ? 6 : z == 0 ? 7 : 8 * z) : 9);
  };
  for (const double x : {-1.5, 0.0, 2.5}) {
    for (const double y : {-0.5, 0.0, 1.5}) {
      for (const double z : {-2.0, 0.0, 3.0}) {
        const double in[] = {x, y, z};
        double grad[3];
        EXPECT_EQ(program.gradient(in, work, grad), expected(x, y, z));
        // Inside a branch by x all pieces are polynomials of degree two: central differences are exact.
        const double slope = x == 0 ? 0 : (expected(x + 0.5, y, z) - expected(x - 0.5, y, z));
        EXPECT_NEAR(grad[0], slope, 1e-14);
      }
    }
  }
}

TEST(Program, Vectors) {
  const Program cross = compiled("[1,2,TIME] % DXYZ(3,4,5)");
  EXPECT_EQ(cross.output_count(), 3);
  EXPECT_EQ(names(cross), "TIME DX(3,4,5) DY(3,4,5) DZ(3,4,5) ");
  Workspace work(cross);
  const double in[] = {3, 4, 5, 7};
  double out[3], jacobian[12];
  cross.jacobian(in, work, out, jacobian);
  EXPECT_EQ(out[0], 2 * 7 - 3 * 5);
  EXPECT_EQ(out[1], 3 * 4 - 1 * 7);
  EXPECT_EQ(out[2], 1 * 5 - 2 * 4);
  const double expected[12] = {-5, 0, -3, 2, 4, 3, 0, -1, 0, -2, 1, 0};
  for (int k = 0; k < 12; ++k) EXPECT_EQ(jacobian[k], expected[k]) << k;
  double grad[4], hess[16];
  EXPECT_EQ(cross.hessian(in, work, grad, hess, 1), out[1]);
  EXPECT_EQ(hess[0 * 4 + 1], 1.0);
  EXPECT_EQ(grad[3], -1.0);

  // Dot product, scaling, and the same measure in scalar form shared.
  const Program dot = compiled("DXYZ(1)*VXYZ(1)/2 + DX(1) - (-[1,1,1])*DXYZ(1)*0");
  EXPECT_EQ(dot.output_count(), 1);
  EXPECT_EQ(dot.inputs().size(), 6u);
  const double state[] = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(dot.value(state, work), (4 + 10 + 18) / 2.0 + 1);

  const Program choice = compiled("IF(TIME: [1,2,3], DXYZ(1), 2*DXYZ(1))");
  EXPECT_EQ(choice.output_count(), 3);
  const double at[] = {1, 4, 5, 6};
  choice.values(at, work, out);
  EXPECT_EQ(out[0] + out[1] + out[2], 30);
}

TEST(Program, OneWorkspaceServesManyAndGrows) {
  Workspace work;
  EXPECT_EQ(compiled("2+TIME").value(std::vector{1.0}, work), 3.0);
  EXPECT_EQ(compiled("POLY(TIME,0,1,2,3,4,5,6)").value(std::vector{1.0}, work), 21.0);
  EXPECT_EQ(compiled("2+TIME").value(std::vector{2.0}, work), 4.0);
}

TEST(Program, IsSafeToShareBetweenThreads) {
  const Program program = compiled("SIN(TIME)*STEP(TIME,0,0,1,1)+IF(TIME-0.5: TIME**3, 0, EXP(TIME))");
  std::vector<double> sums(4);
  std::vector<std::thread> threads;
  for (double& sum : sums) {
    threads.emplace_back([&program, &sum] {
      Workspace work(program);
      double grad[1];
      for (int k = 0; k < 1000; ++k) sum += program.gradient(std::vector{k * 1e-3}, work, grad) + grad[0];
    });
  }
  for (std::thread& t : threads) t.join();
  for (const double sum : sums) EXPECT_EQ(sum, sums[0]);
}

TEST(Program, LongTextTakesLinearTimeAndNoStack) {
  std::string text = "TIME";
  while (text.size() < kMaxTextLength - 20) text += "+1.5*TIME-SIN(TIME)";
  const Program program = compiled(text);
  EXPECT_EQ(program.inputs().size(), 1u);
  Workspace work(program);
  double grad[1];
  const std::size_t terms = (text.size() - 4) / 19;
  program.gradient(std::vector{0.0}, work, grad);
  EXPECT_NEAR(grad[0], 1.0 + 0.5 * static_cast<double>(terms), 1e-6);
}

}  // namespace
}  // namespace trunnion::expr::testing
