#include "solve/consistent.hpp"

#include <cmath>

#include <fmt/format.h>

#include "solve/pattern.hpp"

namespace trunnion::solve {

using assembly::Block;
using assembly::BlockId;
using assembly::BlockKind;
using assembly::State;
using system::StageSink;
using system::System;

Consistent::Consistent(const System& system, std::vector<int> active_rows)
    : system_(system),
      active_(std::move(active_rows)),
      sink_(system.layout(), active_, StageSink::Rows::acceleration),
      d_(Eigen::VectorXd::Zero(system.layout().size())) {}

bool Consistent::factor(const State& state, System::Workspace& work) {
  const auto evaluate = [&] {
    sink_.start(state, maps_, true);
    system_.evaluate(state, work, sink_);
    sink_.finish();
  };
  if (!analysed_) find_pattern(system_, state, maps_, work, sink_);
  evaluate();
  if (sink_.escaped()) {
    find_pattern(system_, state, maps_, work, sink_);
    evaluate();
    analysed_ = false;
  }
  if (!analysed_) {
    if (!lu_.analyse(sink_.matrix())) return singular();
    analysed_ = true;
    return lu_.factor(sink_.matrix()) != sparse::FactorStatus::singular || singular();
  }
  return lu_.update(sink_.matrix()) != sparse::FactorStatus::singular || singular();
}

bool Consistent::singular() {
  const auto at = lu_.singular();
  const int n = sink_.tangent_size();
  if (at && at->col >= 0 && at->col < n) {
    const BlockKind kind = system_.layout().block(system_.layout().block_of(at->col)).kind;
    if (assembly::is_scalar(kind))
      return fail(fmt::format("{} cannot be found: its equations do not determine it (an algebraic loop)",
                              sink_.column_name(at->col)));
    return fail(fmt::format("{} has no mass and nothing that holds it: its acceleration cannot be found",
                            sink_.column_name(at->col)));
  }
  if (at && at->col >= n)
    return fail(fmt::format("the {} cannot be found: its equation depends on others here",
                            sink_.column_name(at->col)));
  return fail("the accelerations cannot be found: the equations are singular");
}

void Consistent::add(State& state) const {
  const assembly::Layout& layout = system_.layout();
  for (int b = 0; b < layout.block_count(); ++b) {
    const Block& block = layout.block(BlockId{b});
    const auto part = x_.segment(block.offset, block.size);
    if (block.kind == BlockKind::algebraic) state.q.segment(block.pose_offset, block.size) += part;
    else if (block.kind == BlockKind::first_order) state.v.segment(block.offset, block.size) += part;
    else state.a.segment(block.offset, block.size) += part;
  }
  for (int k = 0; k < sink_.active_count(); ++k)
    state.lambda[sink_.row_of_active(k)] += x_[sink_.lambda_offset() + k];
}

bool Consistent::accelerations(State& state, System::Workspace& work) {
  message_.clear();
  std::vector<char> active(static_cast<std::size_t>(system_.layout().row_count()), 0);
  for (const int r : active_) active[static_cast<std::size_t>(r)] = 1;
  for (int r = 0; r < system_.layout().row_count(); ++r) {
    if (!active[static_cast<std::size_t>(r)]) state.lambda[r] = 0;
  }
  // Linear unless forces read accelerations or reactions in a curved way, or variables do: then Newton.
  constexpr int kIterations = 50;
  constexpr double kConverged = 1e-11;
  double before = 0;
  for (int k = 0; k < kIterations; ++k) {
    if (!factor(state, work)) return false;
    x_ = -sink_.residual();
    lu_.solve(x_);
    const double size = x_.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(size)) {
      return fail("the accelerations are not finite numbers");
    }
    add(state);
    // What is left after a linear solve is rounding: the pivots tell how much of it.
    const double scale = std::max({1.0, state.a.lpNorm<Eigen::Infinity>(),
                                   state.lambda.size() > 0 ? state.lambda.lpNorm<Eigen::Infinity>() : 0.0});
    if (size <= kConverged * scale) break;
    if (k > 1 && size <= 1e-7 * scale && size >= 0.5 * before) break;
    if (k + 1 == kIterations)
      return fail(fmt::format("the accelerations do not converge: {} still changes by {:.3g}",
                              sink_.column_name([&] {
                                int worst = 0;
                                for (int i = 0; i < x_.size(); ++i)
                                  if (std::abs(x_[i]) > std::abs(x_[worst])) worst = i;
                                return worst;
                              }()),
                              size));
    before = size;
  }
  system_.update(state, work);
  return true;
}

bool Consistent::reconcile(State& state, System::Workspace& work) {
  message_.clear();
  constexpr int kIterations = 6;
  constexpr double kClose = 1e-12;
  const assembly::Layout& layout = system_.layout();
  const int n = layout.size();
  const auto mechanical_part = [&] {
    for (int b = 0; b < layout.block_count(); ++b) {
      const Block& block = layout.block(BlockId{b});
      const bool mechanical = block.kind != BlockKind::algebraic && block.kind != BlockKind::first_order;
      if (mechanical) d_.segment(block.offset, block.size) = x_.segment(block.offset, block.size);
      else d_.segment(block.offset, block.size).setZero();
    }
  };
  const auto solve_for = [&](const Eigen::VectorXd& off) {
    x_.setZero(sink_.size());
    for (int k = 0; k < sink_.active_count(); ++k) x_[n + k] = -off[sink_.row_of_active(k)];
    lu_.solve(x_);
    mechanical_part();
  };
  for (int k = 0; k < kIterations; ++k) {
    if (!factor(state, work)) return false;
    double off = 0, size = 1;
    for (const int r : active_) off = std::max(off, std::abs(sink_.phi()[r]));
    for (const system::BodyInfo& b : system_.bodies())
      size = std::max(size, work.kinematics.body(b.block).x.lpNorm<Eigen::Infinity>());
    if (off <= kClose * size) break;
    solve_for(sink_.phi());
    assembly::retract(layout, state.q, d_, state.q);
    if (!state.q.allFinite()) return fail("the positions are not finite numbers");
  }
  // The rate at the positions found; linear but for velocity rows.
  for (int k = 0; k < 3; ++k) {
    if (!factor(state, work)) return false;
    solve_for(sink_.rate());
    state.v += d_;
    if (d_.lpNorm<Eigen::Infinity>() <= kClose * std::max(1.0, state.v.lpNorm<Eigen::Infinity>())) break;
    bool velocity_rows = false;
    for (const int r : active_)
      velocity_rows = velocity_rows || layout.row(assembly::RowId{r}).level == assembly::RowLevel::velocity;
    if (!velocity_rows) break;
  }
  return accelerations(state, work);
}

}  // namespace trunnion::solve
