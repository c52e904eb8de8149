#include "system/stage_sink.hpp"

#include <cmath>

#include "assembly/row_shape.hpp"

namespace trunnion::system {

using assembly::Block;
using assembly::BlockId;
using assembly::Level;
using assembly::RowId;
using assembly::RowShape;

StageSink::StageSink(const assembly::Layout& layout, const std::vector<int>& active_rows, Rows rows,
                     bool stabilised)
    : layout_(layout),
      active_(active_rows),
      position_(static_cast<std::size_t>(layout.row_count()), -1),
      rows_(rows),
      stabilised_(stabilised),
      w_(Eigen::VectorXd::Ones(layout.size())) {
  for (std::size_t k = 0; k < active_.size(); ++k)
    position_[static_cast<std::size_t>(active_[k])] = static_cast<int>(k);
  const int n = layout.size() + active_count();
  residual_ = Eigen::VectorXd::Zero(stabilised ? 2 * n : n);
  phi_ = Eigen::VectorXd::Zero(layout.row_count());
  rate_ = Eigen::VectorXd::Zero(layout.row_count());
  has_states_ = layout.states().size > 0;
  has_variables_ = layout.variables().size > 0;
}

void StageSink::start(const assembly::State& state, const LevelMaps& maps, bool with_matrix,
                      const Eigen::VectorXd* y) {
  state_ = &state;
  maps_ = maps;
  with_matrix_ = with_matrix;
  y_ = y;
  residual_.setZero();
  cursor_ = 0;
  curvature_.open = false;
  if (with_matrix && !recording_) replay_.start();
}

void StageSink::finish() {
  flush_curvature();
  if (stabilised_) {
    // W y − Gᵀμ = 0; the constraint rows have subtracted Gᵀμ already. Where there is no y its unknown is held at zero.
    for (int b = 0; b < layout_.block_count(); ++b) {
      const Block& block = layout_.block(BlockId{b});
      for (int i = 0; i < block.size; ++i) {
        const int row = y_offset() + block.offset + i;
        const double w = w_[block.offset + i];
        if (y_ != nullptr && block.is_mechanical()) residual_[row] += w * (*y_)[block.offset + i];
        if (with_matrix_) entry(row, row, w);
      }
    }
    // A velocity-level row is not stabilised: its μ is zero.
    for (int k = 0; k < active_count(); ++k) {
      const bool velocity =
          layout_.row(RowId{active_[static_cast<std::size_t>(k)]}).level == assembly::RowLevel::velocity;
      if (velocity && with_matrix_) entry(mu_offset() + k, mu_offset() + k, 1.0);
    }
  }
  if (recording_ && with_matrix_) ++pass_;
}

void StageSink::compile() {
  replay_ = recorder_.compile(size(), size(), used_);
  recorder_ = {};
  used_ = {};
  recording_ = false;
}

void StageSink::record_anew() {
  recording_ = true;
  pass_ = 0;
}

assembly::Needs StageSink::needs() const {
  const bool statics_like = maps_.body.q != 0;
  return {.residual = true,
          .partial_q = with_matrix_ && (statics_like || has_variables_ || maps_.state.q != 0),
          .partial_v = with_matrix_ && (maps_.body.v != 0 || has_states_),
          .partial_a = with_matrix_ && maps_.body.a != 0,
          .constraints = true,
          .hessians = (with_matrix_ && rows_ == Rows::position) || rows_ == Rows::acceleration};
}

std::string StageSink::not_finite() const {
  for (int k = 0; k < residual_.size(); ++k) {
    if (!std::isfinite(residual_[k])) return equation_name(k);
  }
  if (!with_matrix_ || recording_) return {};
  const sparse::CscMatrix& A = matrix();
  for (int j = 0; j < A.cols; ++j) {
    for (int k = A.start[static_cast<std::size_t>(j)]; k < A.start[static_cast<std::size_t>(j) + 1]; ++k) {
      if (!std::isfinite(A.value[static_cast<std::size_t>(k)]))
        return "the slope of " + equation_name(A.row[static_cast<std::size_t>(k)]) + " by " + column_name(j);
    }
  }
  return {};
}

std::string StageSink::column_name(int column) const {
  if (column < lambda_offset()) return layout_.column_name(column);
  if (column < y_offset())
    return "reaction of " + layout_.row_name(RowId{row_of_active(column - lambda_offset())});
  if (column < mu_offset()) return "velocity correction of " + layout_.column_name(column - y_offset());
  return "stabilising multiplier of " + layout_.row_name(RowId{row_of_active(column - mu_offset())});
}

std::string StageSink::equation_name(int row) const {
  if (row < lambda_offset()) return layout_.balance_name(row);
  if (row < y_offset()) return layout_.row_name(RowId{row_of_active(row - lambda_offset())});
  if (row < mu_offset()) return "velocity correction of " + layout_.column_name(row - y_offset());
  return "rate of " + layout_.row_name(RowId{row_of_active(row - mu_offset())});
}

void StageSink::residual(BlockId row, assembly::Term, assembly::VecRef value) {
  const Block& block = layout_.block(row);
  residual_.segment(block.offset, block.size) += value;
}

void StageSink::partial(BlockId row, BlockId col, Level level, assembly::MatRef value) {
  if (!with_matrix_) return;
  const Block& r = layout_.block(row);
  const Block& c = layout_.block(col);
  const LevelMap& map = maps_.of(c);
  const double factor = level == Level::q ? map.q : level == Level::v ? map.v : map.a;
  const math::Mat3* const S = level != Level::q ? maps_.turn_of(c) : nullptr;
  // A level that does not move with the unknowns: an infinite slope by it (SQRT at 0) must not count, and 0·∞ would.
  const auto times = [factor](double slope) { return factor == 0 ? 0.0 : factor * slope; };
  if (S != nullptr) {
    if (turned_.rows() < r.size || turned_.cols() < 3) turned_.resize(r.size, 3);
    turned_.topRows(r.size).noalias() = value.middleCols<3>(c.rotation).lazyProduct(*S);
  }
  for (int j = 0; j < c.size; ++j) {
    const bool use_turned = S != nullptr && j >= c.rotation && j < c.rotation + 3;
    for (int i = 0; i < r.size; ++i)
      entry(r.offset + i, c.offset + j, times(use_turned ? turned_(i, j - c.rotation) : value(i, j)));
  }
  if (stabilised_ && level != Level::q && c.is_mechanical()) {
    for (int j = 0; j < c.size; ++j) {
      for (int i = 0; i < r.size; ++i) entry(r.offset + i, y_offset() + c.offset + j, times(value(i, j)));
    }
  }
}

void StageSink::multiplier_partial(BlockId row, RowId col, assembly::VecRef value) {
  if (!with_matrix_) return;
  const int equation = equation_of(col);
  if (equation < 0) return;
  const Block& block = layout_.block(row);
  for (int i = 0; i < block.size; ++i) entry(block.offset + i, equation, value[i]);
}

Eigen::Map<const Eigen::VectorXd> StageSink::gather(const Eigen::VectorXd& from,
                                                    std::span<const BlockId> blocks, Eigen::Index size) {
  if (gathered_.size() < size) gathered_.resize(size);
  Eigen::Index k = 0;
  for (const BlockId id : blocks) {
    const Block& block = layout_.block(id);
    gathered_.segment(k, block.size) = from.segment(block.offset, block.size);
    k += block.size;
  }
  return {gathered_.data(), size};
}

void StageSink::constraint(RowId row, const assembly::ConstraintRow& value) {
  phi_[row.index] = value.phi;
  if (rows_ == Rows::acceleration)
    rate_[row.index] = value.phi_t + value.g.dot(gather(state_->v, value.blocks, value.g.size()));
  const int equation = equation_of(row);
  if (equation < 0) return;
  const double lambda = state_->lambda[row.index];
  if (rows_ == Rows::acceleration) {
    acceleration_row(equation, lambda, value);
    return;
  }
  position_row(equation, lambda, value);
  const double mu = stabilised_ ? state_->mu[row.index] : 0.0;
  if (stabilised_) stabilising_row(equation, mu, value);
  if (with_matrix_) add_curvature(lambda, mu, value);
}

void StageSink::position_row(int equation, double lambda, const assembly::ConstraintRow& value) {
  const double scale = 1 / maps_.body.q;
  residual_[equation] = value.phi * scale;
  Eigen::Index k = 0;
  for (const BlockId id : value.blocks) {
    const Block& block = layout_.block(id);
    const bool mechanical = block.is_mechanical();
    const double factor = mechanical ? 1.0 : maps_.of(block).q * scale;
    for (int i = first_in_g(value.shape, block); i < block.size; ++i) {
      const double g = value.g[k + i];
      if (mechanical) residual_[block.offset + i] += lambda * g;
      if (!with_matrix_) continue;
      entry(equation, block.offset + i, factor * g);
      if (mechanical) entry(block.offset + i, equation, g);
    }
    k += block.size;
  }
}

void StageSink::acceleration_row(int equation, double lambda, const assembly::ConstraintRow& value) {
  const Eigen::Map<const Eigen::VectorXd> v = gather(state_->v, value.blocks, value.g.size());
  double rest = value.phi_tt;
  if (value.H.size() > 0) {
    for (Eigen::Index j = 0; j < v.size(); ++j) rest += v[j] * value.H.col(j).dot(v);
  }
  if (value.g_t.size() > 0) rest += 2 * value.g_t.dot(v);
  Eigen::Index k = 0;
  for (const BlockId id : value.blocks) {
    const Block& block = layout_.block(id);
    const bool mechanical = block.is_mechanical();
    for (int i = first_in_g(value.shape, block); i < block.size; ++i) {
      const double g = value.g[k + i];
      if (!mechanical) continue;
      rest += g * state_->a[block.offset + i];
      residual_[block.offset + i] += lambda * g;
      if (!with_matrix_) continue;
      entry(equation, block.offset + i, g);
      entry(block.offset + i, equation, g);
    }
    k += block.size;
  }
  residual_[equation] = rest;
}

// φ̇/v = 0 in μ's row, and −Gᵀμ in y's.
void StageSink::stabilising_row(int equation, double mu, const assembly::ConstraintRow& value) {
  const int mu_row = equation + mu_offset() - lambda_offset();
  const double s = 1 / maps_.body.v;
  const Eigen::Map<const Eigen::VectorXd> v = gather(state_->v, value.blocks, value.g.size());
  double rate = value.phi_t + value.g.dot(v);
  residual_[mu_row] = rate * s;
  Eigen::Index k = 0;
  for (const BlockId id : value.blocks) {
    const Block& block = layout_.block(id);
    if (!block.is_mechanical()) {
      k += block.size;
      continue;
    }
    const math::Mat3* const S = maps_.turn_of(block);
    for (int i = 0; i < block.size; ++i) {
      const double g = value.g[k + i];
      residual_[y_offset() + block.offset + i] -= mu * g;
      if (!with_matrix_) continue;
      double by_u = g;
      const int turn = i - block.rotation;
      if (S != nullptr && turn >= 0 && turn < 3)
        by_u = value.g.segment<3>(k + block.rotation).dot(S->col(turn));
      double by_q = value.H.size() > 0 ? value.H.col(k + i).dot(v) : 0.0;
      if (value.g_t.size() > 0) by_q += value.g_t[k + i];
      entry(mu_row, block.offset + i, by_u + by_q * maps_.body.q * s);
      entry(mu_row, y_offset() + block.offset + i, g);
      entry(y_offset() + block.offset + i, mu_row, -g);
    }
    k += block.size;
  }
}

void StageSink::add_curvature(double lambda, double mu, const assembly::ConstraintRow& value) {
  Curvature& c = curvature_;
  const Eigen::Index n = value.g.size();
  if (!c.open || c.blocks.data() != value.blocks.data()) {
    flush_curvature();
    c.open = true;
    c.blocks = value.blocks;
    c.shape = value.shape;
    if (c.lambda_H.rows() < n) c.lambda_H.resize(n, n);
    c.lambda_H.topLeftCorner(n, n).setZero();
    if (stabilised_) {
      if (c.mu_H.rows() < n) c.mu_H.resize(n, n);
      c.mu_H.topLeftCorner(n, n).setZero();
    }
  }
  // The union of the rows' shapes: rotations of all blocks together, unless one row is general.
  if (value.shape != c.shape)
    c.shape = value.shape == RowShape::general || c.shape == RowShape::general ? RowShape::general
                                                                               : RowShape::orientation;
  if (value.H.size() == 0) return;
  if (lambda != 0) add_hessian(lambda, value, c.lambda_H);
  if (stabilised_ && mu != 0) add_hessian(mu, value, c.mu_H);
}

// Only what the row's shape lets be other than zero: 18 of 144 numbers for a point on a point.
void StageSink::add_hessian(double factor, const assembly::ConstraintRow& value, Eigen::MatrixXd& sum) {
  Eigen::Index col = 0;
  for (const BlockId c : value.blocks) {
    const Block& cols = layout_.block(c);
    Eigen::Index row = 0;
    for (const BlockId r : value.blocks) {
      const Block& rows = layout_.block(r);
      const int first = first_in_H(value.shape, rows);
      for (int j = first_in_H(value.shape, cols); j < cols.size && (couples(value.shape) || r == c); ++j) {
        const double* from = value.H.data() + (col + j) * value.H.outerStride() + row;
        double* to = &sum(row, col + j);
        for (int i = first; i < rows.size; ++i) to[i] += factor * from[i];
      }
      row += rows.size;
    }
    col += cols.size;
  }
}

void StageSink::flush_curvature() {
  Curvature& c = curvature_;
  if (!c.open) return;
  c.open = false;
  Eigen::Index row = 0;
  for (const BlockId r : c.blocks) {
    const Block& rows = layout_.block(r);
    Eigen::Index col = 0;
    for (const BlockId k : c.blocks) {
      const Block& cols = layout_.block(k);
      if (rows.is_mechanical() && (couples(c.shape) || r == k)) {
        const double factor = maps_.of(cols).q;
        for (int j = first_in_H(c.shape, cols); j < cols.size; ++j) {
          for (int i = first_in_H(c.shape, rows); i < rows.size; ++i) {
            entry(rows.offset + i, cols.offset + j, factor * c.lambda_H(row + i, col + j));
            if (stabilised_)
              entry(y_offset() + rows.offset + i, cols.offset + j, -factor * c.mu_H(row + i, col + j));
          }
        }
      }
      col += cols.size;
    }
    row += rows.size;
  }
}

void StageSink::velocity_constraint(RowId row, const assembly::VelocityRow& value) {
  phi_[row.index] = 0;
  rate_[row.index] = value.psi;
  const int equation = equation_of(row);
  if (equation < 0) return;
  flush_curvature();
  const double lambda = state_->lambda[row.index];
  const bool acceleration = rows_ == Rows::acceleration;
  const double scale = acceleration ? 1.0 : 1 / maps_.body.v;
  double rest = acceleration ? value.psi_t : value.psi * scale;
  Eigen::Index k = 0;
  for (const BlockId id : value.blocks) {
    const Block& block = layout_.block(id);
    const LevelMap& map = maps_.of(block);
    const bool mechanical = block.is_mechanical();
    const math::Mat3* const S = maps_.turn_of(block);
    for (int i = 0; i < block.size; ++i) {
      const double by_v = value.psi_v[k + i];
      if (mechanical) residual_[block.offset + i] += lambda * by_v;
      if (acceleration)
        rest += value.psi_q[k + i] * state_->v[block.offset + i] +
                (mechanical ? by_v * state_->a[block.offset + i] : 0.0);
      if (!with_matrix_) continue;
      double by_u = acceleration ? (mechanical ? by_v : 0.0) : by_v * map.v * scale;
      const int turn = i - block.rotation;
      if (S != nullptr && turn >= 0 && turn < 3)
        by_u = value.psi_v.segment<3>(k + block.rotation).dot(S->col(turn));
      entry(equation, block.offset + i, by_u + (acceleration ? 0.0 : value.psi_q[k + i] * map.q * scale));
      if (mechanical) entry(block.offset + i, equation, by_v);
      if (stabilised_ && mechanical) entry(equation, y_offset() + block.offset + i, by_v);
    }
    k += block.size;
  }
  residual_[equation] = rest;
  if (!with_matrix_ || acceleration || value.H_q.size() == 0) return;
  Eigen::Index r = 0;
  for (const BlockId rid : value.blocks) {
    const Block& rows = layout_.block(rid);
    Eigen::Index c = 0;
    for (const BlockId cid : value.blocks) {
      const Block& cols = layout_.block(cid);
      const LevelMap& map = maps_.of(cols);
      const math::Mat3* const S = maps_.turn_of(cols);
      for (int j = 0; j < cols.size && rows.is_mechanical(); ++j) {
        for (int i = 0; i < rows.size; ++i) {
          double by_v = value.H_v.size() > 0 ? value.H_v(r + i, c + j) : 0.0;
          const int turn = j - cols.rotation;
          if (S != nullptr && turn >= 0 && turn < 3 && value.H_v.size() > 0)
            by_v = value.H_v.row(r + i).segment<3>(c + cols.rotation).dot(S->col(turn));
          entry(rows.offset + i, cols.offset + j, lambda * (map.q * value.H_q(r + i, c + j) + map.v * by_v));
        }
      }
      c += cols.size;
    }
    r += rows.size;
  }
}

}  // namespace trunnion::system
