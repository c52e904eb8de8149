#pragma once
// Consistent states near another one, and by what they differ from it in the coordinates of linear analyses.

#include <gtest/gtest.h>

#include "analysis/initial/initial_conditions.hpp"
#include "analysis/linear/coordinates.hpp"
#include "analysis/linear/linear.hpp"
#include "assembly/state.hpp"
#include "system/system.hpp"

namespace trunnion::test {

// `from` moved by dq and dv, then made consistent.
inline analysis::AssemblyResult nearby(const system::System& system, const assembly::State& from,
                                       const Eigen::VectorXd& dq, const Eigen::VectorXd& dv) {
  const assembly::Layout& layout = system.layout();
  assembly::State start = from;
  Eigen::VectorXd d = dq;
  for (int b = 0; b < layout.block_count(); ++b) {
    const assembly::Block& block = layout.block(assembly::BlockId{b});
    if (block.dynamics == assembly::Dynamics::algebraic) d.segment(block.offset, block.size).setZero();
  }
  assembly::retract(layout, start.q, d, start.q);
  start.v += dv;
  analysis::AssemblySettings settings;
  settings.first = false;
  settings.error = 1e-14;
  settings.verror = 1e-13;
  return analysis::initial_conditions(system, start, settings, analysis::Upto::accelerations);
}

// What a state differs by from `at`: (ξ; ν; ν̇) by δ = E ξ, η = E ν + E₁ ξ, η̇ = E ν̇ + F₁ ν + F₀ ξ; E is orthogonal.
class Departure {
 public:
  Departure(const system::System& system, const assembly::State& at, assembly::MarkerId rm)
      : layout_(system.layout()),
        at_(at),
        work_(system, assembly::AnalysisMode::statics),
        c((system.update(at, work_), system), work_.kinematics, rm) {}

  Eigen::VectorXd of(const assembly::State& s) const {
    const int n = layout_.size();
    Eigen::VectorXd d(n), out(3 * n);
    assembly::difference(layout_, at_.q, s.q, d);
    const Eigen::VectorXd xi = c.E.transpose() * d;
    const Eigen::VectorXd nu = c.E.transpose() * (s.v - at_.v - c.E1 * xi);
    out << xi, nu, c.E.transpose() * (s.a - at_.a - c.F1 * nu - c.F0 * xi);
    return out;
  }

 private:
  const assembly::Layout& layout_;
  const assembly::State& at_;
  system::System::Workspace work_;

 public:
  const analysis::LinearCoordinates c;
};

// The states of linear equations and their rates in such a difference.
inline void read_states(const assembly::Layout& layout, const analysis::LinearSystem& linear,
                        const Eigen::VectorXd& x, Eigen::VectorXd& s, Eigen::VectorXd& rate) {
  const int n = layout.size();
  s.resize(linear.A.rows());
  rate.resize(s.size());
  Eigen::Index k = 0;
  for (const int i : linear.free_positions) s[k] = x[i], rate[k++] = x[n + i];
  for (const int i : linear.free_velocities) s[k] = x[n + i], rate[k++] = x[2 * n + i];
  for (int b = 0; b < layout.block_count(); ++b) {
    const assembly::Block& block = layout.block(assembly::BlockId{b});
    if (block.dynamics != assembly::Dynamics::first_order) continue;
    for (int i = 0; i < block.size; ++i) s[k] = x[block.offset + i], rate[k++] = x[n + block.offset + i];
  }
  ASSERT_EQ(k, s.size());
}

}  // namespace trunnion::test
