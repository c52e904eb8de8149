#pragma once
// Constraints of accepted states: how far the worst of them is open, and whether redundant ones go on holding.

#include <vector>

#include "assembly/row_sink.hpp"
#include "integrate/step_loop.hpp"

namespace trunnion::integrate {

class RowWatch {
 public:
  RowWatch(const system::System& system, const solve::StageSolver& solver);
  // Notes the state in the counts; the redundant rows that no longer hold here.
  struct Broken {
    int row = -1;
    double phi = 0;
  };
  std::vector<Broken> look(const assembly::State& state, system::System::Workspace& work, LoopCounts& counts);
  // The name of the worst constraint, for the counts.
  void name_worst(LoopCounts& counts) const;

 private:
  // φ of every row; velocity rows have none.
  class PhiSink final : public assembly::RowSink {
   public:
    explicit PhiSink(int rows) : RowSink(false), phi(Eigen::VectorXd::Zero(rows)) {}
    void constraint(assembly::RowId row, const assembly::ConstraintRow& value) override {
      phi[row.index] = value.phi;
    }
    void velocity_constraint(assembly::RowId, const assembly::VelocityRow&) override {}
    Eigen::VectorXd phi;
  };
  double unit(int row, double length) const;  // of its φ: the size of the model or a radian

  const system::System& system_;
  const solve::StageSolver& solver_;
  std::vector<int> redundant_;  // or all, where redundant rows take part
  PhiSink rows_;
  int worst_ = -1;
};

}  // namespace trunnion::integrate
