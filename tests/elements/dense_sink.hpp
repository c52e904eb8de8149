#pragma once
// A sink that keeps everything apart and dense, poisoned with NaN where an element must write: a forgotten row shows.

#include <limits>
#include <vector>

#include <Eigen/Dense>

#include "assembly/layout.hpp"
#include "assembly/row_shape.hpp"
#include "assembly/sink.hpp"

namespace trunnion::elements::test {

using assembly::BlockId;
using assembly::Layout;
using assembly::Level;
using assembly::MatRef;
using assembly::RowId;
using assembly::State;
using assembly::Term;
using assembly::VecRef;

class DenseSink : public assembly::Sink {
 public:
  DenseSink(const Layout& layout, const State& state, assembly::Needs needs = {})
      : layout_(layout), state_(state), needs_(needs) {
    const int n = layout.size(), m = layout.row_count();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    force.setZero(n);
    for (auto& d : D) d.setZero(n, n);
    phi.setConstant(m, nan);
    phi_t = phi_tt = phi;
    G.setConstant(m, n, nan);
    G_t = psi_q = G;
    H.assign(static_cast<std::size_t>(m), Eigen::MatrixXd::Constant(n, n, nan));
    H_v = H;
    pattern.setZero(n, n);
    G_pattern.setZero(m, n);
    D_lambda.setZero(n, m);
  }

  assembly::Needs needs() const override { return needs_; }
  void residual(BlockId row, Term, VecRef value) override { force.segment(at(row), value.size()) += value; }
  void partial(BlockId row, BlockId col, Level level, MatRef value) override {
    D[static_cast<int>(level)].block(at(row), at(col), value.rows(), value.cols()) += value;
    pattern.block(at(row), at(col), value.rows(), value.cols()).setOnes();
  }
  void multiplier_partial(BlockId row, RowId col, VecRef value) override {
    D_lambda.col(col.index).segment(at(row), value.size()) += value;
  }
  void constraint(RowId row, const assembly::ConstraintRow& c) override {
    start(row.index);
    phi[row.index] = c.phi;
    phi_t[row.index] = c.phi_t;
    phi_tt[row.index] = c.phi_tt;
    const double lambda = state_.lambda[row.index];
    spread(c.blocks, [&](int local, int global, int size, const assembly::Block& b) {
      G.row(row.index).segment(global, size) += c.g.segment(local, size).transpose();
      if (c.g_t.size() != 0)
        G_t.row(row.index).segment(global, size) += c.g_t.segment(local, size).transpose();
      force.segment(global, size) += lambda * c.g.segment(local, size);
      const int first = assembly::first_in_g(c.shape, b);
      G_pattern.row(row.index).segment(global + first, size - first).setOnes();
      if (needs_.hessians)
        spread(c.blocks, [&](int l2, int g2, int s2, const assembly::Block& b2) {
          H[row.index].block(global, g2, size, s2) += c.H.block(local, l2, size, s2);
          D[0].block(global, g2, size, s2) += lambda * c.H.block(local, l2, size, s2);
          const int fr = assembly::first_in_H(c.shape, b), fc = assembly::first_in_H(c.shape, b2);
          if (assembly::couples(c.shape) || global == g2)
            pattern.block(global + fr, g2 + fc, size - fr, s2 - fc).setOnes();
        });
    });
  }
  void velocity_constraint(RowId row, const assembly::VelocityRow& c) override {
    start(row.index);
    H_v[row.index].setZero();
    psi_q.row(row.index).setZero();
    phi[row.index] = c.psi;
    phi_t[row.index] = c.psi_t;
    const double lambda = state_.lambda[row.index];
    spread(c.blocks, [&](int local, int global, int size, const assembly::Block&) {
      G.row(row.index).segment(global, size) += c.psi_v.segment(local, size).transpose();
      psi_q.row(row.index).segment(global, size) += c.psi_q.segment(local, size).transpose();
      force.segment(global, size) += lambda * c.psi_v.segment(local, size);
      G_pattern.row(row.index).segment(global, size).setOnes();
      if (needs_.hessians)
        spread(c.blocks, [&](int l2, int g2, int s2, const assembly::Block&) {
          H[row.index].block(global, g2, size, s2) += c.H_q.block(local, l2, size, s2);
          H_v[row.index].block(global, g2, size, s2) += c.H_v.block(local, l2, size, s2);
          D[0].block(global, g2, size, s2) += lambda * c.H_q.block(local, l2, size, s2);
          D[1].block(global, g2, size, s2) += lambda * c.H_v.block(local, l2, size, s2);
          pattern.block(global, g2, size, s2).setOnes();
        });
    });
  }

  // For a velocity row: phi = ψ, G = ψ_v, H = ∂ψ_v/∂q, H_v = ∂ψ_v/∂v.
  Eigen::VectorXd force;     // residual of the balance, reactions included
  Eigen::MatrixXd D[3];      // its partials K, C, M, reactions included
  Eigen::MatrixXd D_lambda;  // what multiplier_partial() gave, without Gᵀ
  Eigen::VectorXd phi, phi_t, phi_tt;
  Eigen::MatrixXd G, G_t, psi_q;
  std::vector<Eigen::MatrixXd> H, H_v;
  Eigen::MatrixXd pattern, G_pattern;  // 1 where an entry was announced

  const State& state() const { return state_; }
  const Layout& layout() const { return layout_; }
  int offset(BlockId id) const { return at(id); }

 private:
  int at(BlockId id) const { return layout_.block(id).offset; }
  void start(int row) {
    G.row(row).setZero();
    G_t.row(row).setZero();
    H[row].setZero();
  }
  template <class F> void spread(std::span<const BlockId> blocks, F f) {
    int local = 0;
    for (const BlockId id : blocks) {
      const assembly::Block& b = layout_.block(id);
      f(local, b.offset, b.size, b);
      local += b.size;
    }
  }

  const Layout& layout_;
  const State& state_;
  assembly::Needs needs_;
};

}  // namespace trunnion::elements::test
