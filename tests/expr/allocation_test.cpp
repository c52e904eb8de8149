// Evaluation does not allocate.

#include "allocation_counter.hpp"
#include "helpers.hpp"

namespace trunnion::expr::testing {
namespace {

TEST(Allocation, EvaluationDoesNotAllocate) {
  TableSet tables;
  math::SplineData data;
  data.x = {0, 1, 2, 3};
  data.z = {0, 1};
  data.y = {{1, 2, 1, 2}, {2, 1, 2, 1}};
  tables.add_spline(1, data);
  std::string error;
  tables.add_curve(
      2, *math::Curve::through_points({{0, 0, 0}, {1, 1, 0}, {2, 0, 1}, {3, 1, 1}}, 4, false, error));
  for (const char* text :
       {"-1e4*(DM(1,2)-0.1)-20*VR(1,2)", "STEP(TIME,0,0,1,VARVAL(1))",
        "IMPACT(DM(1,2),VR(1,2),1,1E5,1.5,1E2,.001)", "AKISPL(TIME,VARVAL(1),1)+CUBSPL(TIME,0,1,1)",
        "IF(TIME-0.5: SIN(TIME), 0, TIME**2.5)", "CURVE(TIME,1,2,2)+INVPSD(TIME,1,1,2,5,0,1)",
        "FORCOS(TIME,0,1,1,2,3,4,5,6,7,8)", "DXYZ(1)%VXYZ(2)", "SQRT(-TIME)"}) {
    Program program = compiled(text);
    ASSERT_TRUE(program.bind(tables).empty());
    Workspace work(program);
    const std::size_t n = program.inputs().size();
    std::vector<double> inputs(n, 0.4), grad(n), hess(n * n), out(3), jacobian(3 * n);
    start_counting_allocations();
    program.value(inputs, work);
    program.gradient(inputs, work, grad);
    program.hessian(inputs, work, grad, hess);
    program.values(inputs, work, out);
    program.jacobian(inputs, work, out, jacobian);
    EXPECT_EQ(stop_counting_allocations(), 0) << text;
  }
}

}  // namespace
}  // namespace trunnion::expr::testing
