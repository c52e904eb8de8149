#include <vector>

#include <gtest/gtest.h>

#include "elements/example.hpp"
#include "support/count_allocations.hpp"

namespace trunnion::elements::test {
namespace {

using trunnion::test::can_count_allocations;
using trunnion::test::start_counting_allocations;
using trunnion::test::stop_counting_allocations;

class Nowhere : public assembly::Sink {
 public:
  assembly::Needs needs() const override { return {}; }
  void residual(BlockId, assembly::Term, assembly::VecRef value) override { sum += value.sum(); }
  void partial(BlockId, BlockId, Level, assembly::MatRef value) override { sum += value.sum(); }
  void multiplier_partial(BlockId, assembly::RowId, assembly::VecRef value) override { sum += value.sum(); }
  void constraint(assembly::RowId, const assembly::ConstraintRow& row) override {
    sum += row.g.sum() + row.H.sum();
  }
  void velocity_constraint(assembly::RowId, const assembly::VelocityRow& row) override {
    sum += row.psi_v.sum();
  }
  double sum = 0.0;
};

TEST(Allocation, CounterCounts) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has its own malloc";
  start_counting_allocations();
  double* volatile kept = new double[100];  // volatile: the optimiser must not move or leave out the call
  const long counted = stop_counting_allocations();
  delete[] kept;
  EXPECT_GE(counted, 1);
}

TEST(Allocation, NoneInAnEvaluationAfterTheFirst) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has its own malloc";
  for (const Listed& listed : registry()) {
    const auto e = make(listed, 1);
    assembly::Kinematics kin(e->layout, e->markers);
    assembly::Scratch scratch;
    expr::Workspace work;
    for (const auto& program : e->programs) work.reserve(*program);
    const std::vector<math::Jet> f = e->drive_values(e->state.t);
    Nowhere sink;
    for (int pass = 0; pass < 2; ++pass) {
      if (pass == 1) start_counting_allocations();
      kin.update(e->state);
      const assembly::Evaluation at{e->state, kin, scratch, assembly::AnalysisMode::dynamics, f};
      for (const Body& x : e->masses) evaluate(x, at, sink);
      for (const ModalBody& x : e->flexible) evaluate(x, at, sink);
      for (const BeamElement& x : e->beams) evaluate(x, at, sink);
      for (const Joint& x : e->joints) evaluate(x, at, sink);
      for (const MeasureRow& x : e->rows) evaluate(x, at, sink);
      for (const Gcon& x : e->gcons) evaluate(x, at, work, sink);
      for (const Ptcv& x : e->ptcvs) evaluate(x, at, sink);
      for (const Cvcv& x : e->cvcvs) evaluate(x, at, sink);
      for (const Load& x : e->loads) evaluate(x, at, work, sink);
      for (const ModalLoad& x : e->modal_loads) evaluate(x, at, work, sink);
      for (const Equation& x : e->equations) evaluate(x, at, work, sink);
      for (const Reading& x : e->readings) evaluate(x, at, work, sink);
    }
    EXPECT_EQ(stop_counting_allocations(), 0) << listed.name;
    EXPECT_TRUE(std::isfinite(sink.sum));
  }
}

}  // namespace
}  // namespace trunnion::elements::test
