#pragma once
// The equations of motion at one state with a = 0 and λ = 0, as the linear system of the primer's Eq. 40:
//   [ M  Gᵀ ] [ a ]   [ −r ]        r = h − Q at a = 0, λ = 0;  M = ∂r/∂a, which carries forces that read accelerations;
//   [ G  0  ] [ λ ] = [  γ ]        entries ∂r/∂λ of forces that read reactions are added to Gᵀ
// Only the rows listed as active take part; the others are redundant and have λ = 0.

#include <Eigen/Core>

#include "assembly/sink.hpp"
#include "sparse/pattern.hpp"

namespace trunnion::system {

class MotionSink final : public assembly::Sink {
 public:
  MotionSink(const assembly::Layout& layout, const std::vector<int>& active_rows);

  void start(const assembly::State& state);
  void finish();

  const sparse::CscMatrix& matrix() const { return replay_.matrix(); }
  const Eigen::VectorXd& right_side() const { return right_side_; }
  int active_count() const { return static_cast<int>(active_.size()); }
  int row_of_active(int k) const { return active_[static_cast<std::size_t>(k)]; }

  assembly::Needs needs() const override;
  void residual(assembly::BlockId row, assembly::Term term, assembly::VecRef value) override;
  void partial(assembly::BlockId row, assembly::BlockId col, assembly::Level level,
               assembly::MatRef value) override;
  void multiplier_partial(assembly::BlockId row, assembly::RowId col, assembly::VecRef value) override;
  void constraint(assembly::RowId row, const assembly::ConstraintRow& value) override;
  void velocity_constraint(assembly::RowId row, const assembly::VelocityRow& value) override;

 private:
  void entry(int row, int col, double value);
  void add_constraint(int row, std::span<const assembly::BlockId> blocks, assembly::VecRef values,
                      double gamma);
  int equation_of(assembly::RowId row) const;  // −1 for a redundant row

  const assembly::Layout& layout_;
  std::vector<int> active_;    // rows that take part
  std::vector<int> position_;  // of each row in active_, −1 where redundant
  const assembly::State* state_ = nullptr;
  bool recording_ = true;
  sparse::Recorder recorder_;
  sparse::Replay replay_;
  std::vector<double> recorded_;
  Eigen::VectorXd right_side_, v_;
};

}  // namespace trunnion::system
