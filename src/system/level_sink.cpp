#include "system/level_sink.hpp"

namespace trunnion::system {

using assembly::Block;
using assembly::BlockId;
using assembly::Level;
using assembly::RowId;

LevelSink::LevelSink(const assembly::Layout& layout, const std::vector<int>& active_rows,
                     const assembly::State& state, const assembly::Needs& needs)
    : layout_(layout),
      state_(state),
      needs_(needs),
      position_(static_cast<std::size_t>(layout.row_count()), -1),
      active_count_(static_cast<int>(active_rows.size())) {
  for (std::size_t k = 0; k < active_rows.size(); ++k)
    position_[static_cast<std::size_t>(active_rows[k])] = static_cast<int>(k);
}

LevelSink::Matrix LevelSink::make(const Triplets& entries, int rows, int cols) {
  Matrix m(rows, cols);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

void LevelSink::partial(BlockId row, BlockId col, Level level, assembly::MatRef value) {
  const Block& r = layout_.block(row);
  const Block& c = layout_.block(col);
  Triplets& to = level == Level::q ? q_ : level == Level::v ? v_ : a_;
  for (int j = 0; j < c.size; ++j) {
    for (int i = 0; i < r.size; ++i) {
      if (value(i, j) != 0) to.emplace_back(r.offset + i, c.offset + j, value(i, j));
    }
  }
}

void LevelSink::multiplier_partial(BlockId row, RowId col, assembly::VecRef value) {
  const int k = position_[static_cast<std::size_t>(col.index)];
  const Block& block = layout_.block(row);
  for (int i = 0; i < block.size && k >= 0; ++i) L_.emplace_back(block.offset + i, k, value[i]);
}

void LevelSink::add_gradient(int position, std::span<const BlockId> blocks, assembly::VecRef g) {
  Eigen::Index k = 0;
  for (const BlockId id : blocks) {
    const Block& block = layout_.block(id);
    for (int i = 0; i < block.size; ++i) {
      if (g[k + i] == 0) continue;
      G_.emplace_back(position, block.offset + i, g[k + i]);
      if (block.is_mechanical()) L_.emplace_back(block.offset + i, position, g[k + i]);
    }
    k += block.size;
  }
}

void LevelSink::add_square(std::span<const BlockId> blocks, double factor, assembly::MatRef H, Triplets& to) {
  if (H.size() == 0 || factor == 0) return;
  Eigen::Index row = 0;
  for (const BlockId r : blocks) {
    const Block& rows = layout_.block(r);
    Eigen::Index col = 0;
    for (const BlockId c : blocks) {
      const Block& cols = layout_.block(c);
      for (int j = 0; j < cols.size && rows.is_mechanical(); ++j) {
        for (int i = 0; i < rows.size; ++i) {
          const double h = H(row + i, col + j);
          if (h != 0) to.emplace_back(rows.offset + i, cols.offset + j, factor * h);
        }
      }
      col += cols.size;
    }
    row += rows.size;
  }
}

void LevelSink::add_rate(int position, std::span<const BlockId> blocks, assembly::VecRef b) {
  Eigen::Index k = 0;
  for (const BlockId id : blocks) {
    const Block& block = layout_.block(id);
    for (int i = 0; i < block.size; ++i) {
      if (b[k + i] != 0) B_.emplace_back(position, block.offset + i, b[k + i]);
    }
    k += block.size;
  }
}

Eigen::VectorXd LevelSink::velocities(std::span<const BlockId> blocks) const {
  Eigen::Index size = 0, k = 0;
  for (const BlockId id : blocks) size += layout_.block(id).size;
  Eigen::VectorXd v(size);
  for (const BlockId id : blocks) {
    const Block& block = layout_.block(id);
    v.segment(k, block.size) = state_.v.segment(block.offset, block.size);
    k += block.size;
  }
  return v;
}

void LevelSink::constraint(RowId row, const assembly::ConstraintRow& value) {
  const int k = position_[static_cast<std::size_t>(row.index)];
  if (k < 0) return;
  add_gradient(k, value.blocks, value.g);
  add_square(value.blocks, state_.lambda[row.index], value.H, q_);
  if (value.H.size() > 0) add_rate(k, value.blocks, value.H.transpose() * velocities(value.blocks));
  if (value.g_t.size() > 0) add_rate(k, value.blocks, value.g_t);
}

void LevelSink::velocity_constraint(RowId row, const assembly::VelocityRow& value) {
  const int k = position_[static_cast<std::size_t>(row.index)];
  if (k < 0) return;
  add_gradient(k, value.blocks, value.psi_v);
  add_rate(k, value.blocks, value.psi_q);
  add_square(value.blocks, state_.lambda[row.index], value.H_q, q_);
  add_square(value.blocks, state_.lambda[row.index], value.H_v, v_);
}

}  // namespace trunnion::system
