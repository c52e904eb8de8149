#include "system/levels.hpp"

#include <algorithm>
#include <cassert>

#include "assembly/modal_sink.hpp"
#include "assembly/row_shape.hpp"
#include "system/diagonal_place.hpp"

namespace trunnion::system {

using assembly::Block;
using assembly::BlockId;
using assembly::Level;
using assembly::RowId;
using assembly::RowShape;

namespace {

constexpr int kRigidSize = 6;
using Vector6 = Eigen::Matrix<double, kRigidSize, 1>;

}  // namespace

Levels::Levels(const assembly::Layout& layout, bool stabilised)
    : layout_(layout),
      stabilised_(stabilised),
      rows_(static_cast<std::size_t>(layout.row_count())),
      residual_(Eigen::VectorXd::Zero(layout.size())),
      phi_(Eigen::VectorXd::Zero(layout.row_count())),
      phi_t_(phi_),
      rate_(phi_),
      gamma_(phi_) {}

void Levels::start(const assembly::State& state, const assembly::Needs& needs) {
  state_ = &state;
  needs_ = needs;
  const bool wanted[kKinds] = {needs.partial_q,
                               needs.partial_v,
                               needs.partial_a,
                               needs.constraints && needs.hessians && needs.partial_q,
                               needs.constraints && needs.hessians && needs.partial_v,
                               needs.partials(),
                               needs.constraints};
  for (std::size_t k = 0; k < kKinds; ++k) {
    calls_[k].next = 0;
    calls_[k].wanted = wanted[k];
  }
  if (needs.residual) residual_.setZero();
  const auto clear = [&](std::size_t level) {
    for (const auto& [at, size] : ranges_[level]) std::fill_n(values_.begin() + at, size, 0.0);
  };
  if (needs.partial_q) clear(0);
  if (needs.partial_v) clear(1);
  if (needs.partial_a) clear(2);
  if (calls_[kCurvature].wanted) clear(kMu);
  if (needs.partials()) std::fill(l_.begin(), l_.end(), 0.0);
}

void Levels::finish() {
  for (Calls& calls : calls_) {
    if (!calls.wanted) continue;
    assert(!calls.known || calls.next == calls.at.size());
    calls.known = true;
  }
  used_.resize(values_.size(), 0.0);
  used_g_.resize(g_.size(), 0.0);
  used_b_.resize(b_.size(), 0.0);
  used_l_.resize(l_.size(), 1.0);
}

void Levels::note_used() {
  const auto note = [](const std::vector<double>& values, std::vector<double>& used) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values[k] != 0) used[k] = 1;
    }
  };
  note(values_, used_);
  note(g_, used_g_);
  note(b_, used_b_);
}

void Levels::evaluate_rows(const System& system, const assembly::State& state, Workspace& work,
                           bool accelerations) {
  start(state, {.residual = false,
                .partial_q = false,
                .partial_v = false,
                .partial_a = false,
                .constraints = true,
                .hessians = accelerations});
  system.evaluate(state, work, *this);
  finish();
}

void Levels::evaluate_forces(const System& system, const assembly::State& state, Workspace& work) {
  start(state, {.residual = true,
                .partial_q = false,
                .partial_v = false,
                .partial_a = false,
                .constraints = false,
                .hessians = false});
  system.evaluate(state, work, *this);
  finish();
}

int Levels::pair_of(BlockId row, BlockId col) {
  const auto [found, fresh] =
      place_of_pair_.try_emplace({row.index, col.index}, static_cast<int>(pairs_.size()));
  if (fresh) pairs_.push_back({row, col});
  return found->second;
}

// The place of one matrix of a pair; room is made where there is none yet.
int Levels::room(std::size_t level, BlockId row, BlockId col) {
  int& at = pairs_[static_cast<std::size_t>(pair_of(row, col))].at[level];
  if (at >= 0) return at;
  const int diagonal = diagonal_place(at), rows = layout_.block(row).size;
  at = static_cast<int>(values_.size());
  const int size = rows * layout_.block(col).size;
  ranges_[level].emplace_back(at, size);
  values_.resize(values_.size() + static_cast<std::size_t>(size), 0.0);
  // What was a diagonal until something else came.
  for (int i = 0; i < rows && diagonal >= 0; ++i)
    values_[static_cast<std::size_t>(at + i * (rows + 1))] = values_[static_cast<std::size_t>(diagonal + i)];
  return at;
}

// Where the numbers of this call go: as the first time.
template <class Find> int Levels::next_place(Kind kind, Find find) {
  Calls& calls = calls_[kind];
  if (!calls.known) calls.at.push_back(find());
  return calls.at[calls.next++];
}

void Levels::residual(BlockId row, assembly::Term, assembly::VecRef value) {
  const Block& block = layout_.block(row);
  residual_.segment(block.offset, block.size) += value;
}

void Levels::partial(BlockId row, BlockId col, Level level, assembly::MatRef value) {
  const auto kind = static_cast<Kind>(level);
  if (!calls_[kind].wanted) return;
  if (value.cols() != layout_.block(col).size) {  // its diagonal alone
    const auto k = static_cast<std::size_t>(level);
    const auto pair = static_cast<std::size_t>(next_place(kind, [&] {
      const int found = pair_of(row, col);
      int& place = pairs_[static_cast<std::size_t>(found)].at[k];
      if (place != kNone) return found;
      place = as_diagonal(static_cast<int>(values_.size()));
      ranges_[k].emplace_back(static_cast<int>(values_.size()), static_cast<int>(value.rows()));
      values_.resize(values_.size() + static_cast<std::size_t>(value.rows()), 0.0);
      return found;
    }));
    const int at = pairs_[pair].at[k], step = at >= 0 ? static_cast<int>(value.rows()) + 1 : 1;
    double* const to = values_.data() + (at >= 0 ? at : diagonal_place(at));
    for (Eigen::Index i = 0; i < value.rows(); ++i) to[i * step] += value(i, 0);
    return;
  }
  const int at = next_place(kind, [&] { return room(static_cast<std::size_t>(level), row, col); });
  double* to = values_.data() + at;
  const double* from = value.data();
  const Eigen::Index rows = value.rows(), stride = value.outerStride();
  for (Eigen::Index j = 0; j < value.cols(); ++j, to += rows, from += stride) {
    for (Eigen::Index i = 0; i < rows; ++i) to[i] += from[i];
  }
}

void Levels::multiplier_partial(BlockId row, RowId col, assembly::VecRef value) {
  if (!calls_[kReadings].wanted) return;
  const int k = next_place(kReadings, [&] {
    readings_.push_back({row, col, static_cast<int>(l_.size())});
    l_.resize(l_.size() + static_cast<std::size_t>(value.size()), 0.0);
    return static_cast<int>(readings_.size()) - 1;
  });
  double* const to = l_.data() + readings_[static_cast<std::size_t>(k)].at;
  for (Eigen::Index i = 0; i < value.size(); ++i) to[i] += value[i];
}

Eigen::Map<const Eigen::VectorXd> Levels::gather(const Eigen::VectorXd& from, std::span<const BlockId> blocks,
                                                 Eigen::Index size) {
  if (gathered_.size() < size) gathered_.resize(size);
  Eigen::Index k = 0;
  for (const BlockId id : blocks) {
    const Block& block = layout_.block(id);
    gathered_.segment(k, block.size) = from.segment(block.offset, block.size);
    k += block.size;
  }
  return {gathered_.data(), size};
}

// The place of the row's numbers, with G filled in.
int Levels::begin_row(RowId row, std::span<const BlockId> blocks, const double* g, Eigen::Index size) {
  const int at = next_place(kRows, [&] {
    rows_[static_cast<std::size_t>(row.index)] = {static_cast<int>(parts_.size()),
                                                  static_cast<int>(blocks.size())};
    auto place = static_cast<int>(g_.size());
    const int first = place;
    for (const BlockId id : blocks) {
      parts_.push_back({id, place});
      place += layout_.block(id).size;
    }
    g_.resize(static_cast<std::size_t>(place), 0.0);
    b_.resize(static_cast<std::size_t>(place), 0.0);
    return first;
  });
  std::copy_n(g, size, g_.begin() + at);
  return at;
}

// Σ λ H between the blocks of a row; states and variables take no force from it.
void Levels::add_square(std::span<const BlockId> blocks, RowShape shape, double factor, assembly::MatRef H,
                        std::size_t level, Kind kind) {
  if (H.size() == 0 || !calls_[kind].wanted) return;
  Eigen::Index col = 0;
  for (const BlockId c : blocks) {
    const Block& cols = layout_.block(c);
    Eigen::Index row = 0;
    for (const BlockId r : blocks) {
      const Block& rows = layout_.block(r);
      if (rows.is_mechanical() && (assembly::couples(shape) || r == c)) {
        const int at = next_place(kind, [&] { return room(level, r, c); });
        const int first = assembly::first_in_H(shape, rows);
        for (int j = assembly::first_in_H(shape, cols); j < cols.size && factor != 0; ++j) {
          const double* from = H.data() + (col + j) * H.outerStride() + row;
          double* to = values_.data() + at + j * rows.size;
          for (int i = first; i < rows.size; ++i) to[i] += factor * from[i];
        }
      }
      row += rows.size;
    }
    col += cols.size;
  }
}

void Levels::constraint(RowId row, const assembly::ConstraintRow& value) {
  const Eigen::Index n = value.g.size();
  const int at = begin_row(row, value.blocks, value.g.data(), n);
  const Eigen::Map<const Eigen::VectorXd> v = gather(state_->v, value.blocks, n);
  phi_[row.index] = value.phi;
  phi_t_[row.index] = value.phi_t;
  rate_[row.index] = value.phi_t + value.g.dot(v);
  if (!needs_.hessians) return;
  Eigen::Map<Eigen::VectorXd> b(b_.data() + at, n);
  if (value.g_t.size() > 0) b = value.g_t;
  else b.setZero();
  double rest = value.phi_tt + b.dot(v);  // g_t·v, once more with B
  if (value.H.size() > 0) {
    for (Eigen::Index j = 0; j < n; ++j) b[j] += value.H.col(j).dot(v);
    add_square(value.blocks, value.shape, state_->lambda[row.index], value.H, 0, kCurvature);
    if (stabilised_) add_square(value.blocks, value.shape, state_->mu[row.index], value.H, kMu, kCurvature);
  }
  gamma_[row.index] = -(rest + b.dot(v));
}

void Levels::turning_rows(const assembly::TurningRows& rows) {
  constexpr int kRigid = 6, kTurn = 3;
  const bool modes = assembly::have_modes(layout_, rows.blocks);
  auto n = static_cast<Eigen::Index>(kRigid * rows.blocks.size());
  if (modes) {
    n = 0;
    for (const BlockId id : rows.blocks) n += layout_.block(id).size;
  }
  const Eigen::Map<const Eigen::VectorXd> v = gather(state_->v, rows.blocks, n);
  // Rows of one call stand one after the other.
  const Eigen::Index all = rows.count * n;
  Calls& calls = calls_[kRows];
  int at = 0;
  if (calls.known) {
    at = calls.at[calls.next];
    calls.next += static_cast<std::size_t>(rows.count);
    std::copy_n(rows.g, all, g_.begin() + at);
  } else {
    for (int k = 0; k < rows.count; ++k) {
      const int here = begin_row(RowId{rows.first.index + k}, rows.blocks, rows.g + k * n, n);
      if (k == 0) at = here;
    }
  }
  if (needs_.hessians) std::copy_n(rows.b, all, b_.begin() + at);
  const auto along_v = [&](const double* row) {
    double sum = 0;
    Eigen::Index k = 0;
    for (; k + kRigidSize <= n; k += kRigidSize)
      sum += Eigen::Map<const Vector6>(row + k).dot(Eigen::Map<const Vector6>(v.data() + k));
    for (; k < n; ++k) sum += row[k] * v[k];
    return sum;
  };
  for (int k = 0; k < rows.count; ++k) {
    const int row = rows.first.index + k;
    phi_[row] = rows.phi[k];
    phi_t_[row] = 0;
    rate_[row] = along_v(rows.g + k * n);
    if (needs_.hessians) gamma_[row] = -along_v(rows.b + k * n);
  }
  if (!calls_[kCurvature].wanted) return;
  if (modes) {
    const auto& sums = static_cast<const assembly::SummedRows&>(rows);
    const auto add = [&](std::size_t level, const assembly::MatRef& H) {
      Eigen::Index col = 0;
      for (const BlockId c : rows.blocks) {
        const Block& cols = layout_.block(c);
        Eigen::Index row = 0;
        for (const BlockId r : rows.blocks) {
          const Block& of = layout_.block(r);
          if (sums.modes_couple || !assembly::are_modes(of) || !assembly::are_modes(cols)) {
            const int place = next_place(kCurvature, [&] { return room(level, r, c); });
            if (H.size() != 0)
              Eigen::Map<Eigen::MatrixXd>(values_.data() + place, of.size, cols.size) +=
                  H.block(row, col, of.size, cols.size);
          }
          row += of.size;
        }
        col += cols.size;
      }
    };
    add(0, sums.H);
    if (stabilised_) add(kMu, sums.H_mu);
    return;
  }
  for (std::size_t r = 0; r < rows.blocks.size(); ++r) {
    for (std::size_t c = 0; c < rows.blocks.size(); ++c) {
      if (r != c && !rows.coupled) continue;
      const auto add = [&](std::size_t level, const math::Mat3& turns) {
        const int place = next_place(kCurvature, [&] { return room(level, rows.blocks[r], rows.blocks[c]); });
        Eigen::Map<Eigen::Matrix<double, kRigid, kRigid>>(values_.data() + place)
            .bottomRightCorner<kTurn, kTurn>() += turns;
      };
      add(0, rows.turns[r][c]);
      if (stabilised_) add(kMu, rows.turns[2 + r][c]);
    }
  }
}

void Levels::velocity_constraint(RowId row, const assembly::VelocityRow& value) {
  const Eigen::Index n = value.psi_v.size();
  const int at = begin_row(row, value.blocks, value.psi_v.data(), n);
  phi_[row.index] = rate_[row.index] = value.psi;
  std::copy_n(value.psi_q.data(), n, b_.begin() + at);
  gamma_[row.index] = -(value.psi_t + value.psi_q.dot(gather(state_->v, value.blocks, n)));
  if (!needs_.hessians) return;
  const double lambda = state_->lambda[row.index];
  add_square(value.blocks, RowShape::general, lambda, value.H_q, 0, kCurvature);
  add_square(value.blocks, RowShape::general, lambda, value.H_v, 1, kRateCurvature);
}

void Levels::add_reactions(std::span<const int> rows, const Eigen::VectorXd& lambda, double sign,
                           Eigen::Ref<Eigen::VectorXd> r) const {
  for (const int row : rows) {
    const double force = sign * lambda[row];
    if (force == 0) continue;
    const RowParts& parts = rows_[static_cast<std::size_t>(row)];
    for (int p = parts.first; p < parts.first + parts.count; ++p) {
      const Part& part = parts_[static_cast<std::size_t>(p)];
      const Block& block = layout_.block(part.block);
      if (!block.is_mechanical()) continue;
      const double* const g = g_.data() + part.at;
      double* const to = r.data() + block.offset;
      if (block.size == kRigidSize) {
        Eigen::Map<Vector6>(to) += force * Eigen::Map<const Vector6>(g);
        continue;
      }
      Eigen::Map<Eigen::VectorXd>(to, block.size) += force * Eigen::Map<const Eigen::VectorXd>(g, block.size);
    }
  }
}

void Levels::add_inertia(const Eigen::VectorXd& x, Eigen::Ref<Eigen::VectorXd> r) const {
  for (const Pair& pair : pairs_) {
    const int at = pair.at[static_cast<std::size_t>(Level::a)], diagonal = diagonal_place(at);
    if (at < 0 && diagonal < 0) continue;
    const Block &to = layout_.block(pair.row), &by = layout_.block(pair.col);
    const double* const m = values_.data() + std::max(at, diagonal);
    if (at < 0) {
      for (int i = 0; i < to.size; ++i) r[to.offset + i] += m[i] * x[by.offset + i];
    } else if (to.size == kRigidSize && by.size == kRigidSize) {
      Eigen::Map<Vector6>(r.data() + to.offset) +=
          Eigen::Map<const Eigen::Matrix<double, kRigidSize, kRigidSize>>(m) *
          Eigen::Map<const Vector6>(x.data() + by.offset);
    } else {
      r.segment(to.offset, to.size) +=
          Eigen::Map<const Eigen::MatrixXd>(m, to.size, by.size) * x.segment(by.offset, by.size);
    }
  }
}

double Levels::along(const std::vector<double>& numbers, int row, const Eigen::VectorXd& x) const {
  const RowParts& parts = rows_[static_cast<std::size_t>(row)];
  double sum = 0;
  for (int p = parts.first; p < parts.first + parts.count; ++p) {
    const Part& part = parts_[static_cast<std::size_t>(p)];
    const Block& block = layout_.block(part.block);
    if (!block.is_mechanical()) continue;
    const double *const here = numbers.data() + part.at, *const along = x.data() + block.offset;
    if (block.size == kRigidSize) {
      sum += Eigen::Map<const Vector6>(here).dot(Eigen::Map<const Vector6>(along));
      continue;
    }
    for (int i = 0; i < block.size; ++i) sum += here[i] * along[i];
  }
  return sum;
}

const sparse::CscMatrix& Levels::gradient() const {
  if (gradient_place_.size() != g_.size()) {
    sparse::Recorder recorder;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (int p = rows_[row].first; p < rows_[row].first + rows_[row].count; ++p) {
        const Block& block = layout_.block(parts_[static_cast<std::size_t>(p)].block);
        for (int i = 0; i < block.size; ++i) recorder.entry(static_cast<int>(row), block.offset + i);
      }
    }
    gradient_ = recorder.compile(layout_.row_count(), layout_.size()).matrix();
    gradient_place_.assign(g_.size(), 0);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (int p = rows_[row].first; p < rows_[row].first + rows_[row].count; ++p) {
        const Part& part = parts_[static_cast<std::size_t>(p)];
        const Block& block = layout_.block(part.block);
        for (int i = 0; i < block.size; ++i) {
          const auto column = static_cast<std::size_t>(block.offset + i);
          const auto first = gradient_.row.begin() + gradient_.start[column],
                     last = gradient_.row.begin() + gradient_.start[column + 1];
          gradient_place_[static_cast<std::size_t>(part.at + i)] =
              static_cast<int>(std::lower_bound(first, last, static_cast<int>(row)) - gradient_.row.begin());
        }
      }
    }
  }
  for (std::size_t k = 0; k < g_.size(); ++k)
    gradient_.value[static_cast<std::size_t>(gradient_place_[k])] = g_[k];
  return gradient_;
}

Levels::Matrix Levels::level(Level level) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (const Pair& pair : pairs_) {
    const int at = pair.at[static_cast<std::size_t>(level)], diagonal = diagonal_place(at);
    const Block &r = layout_.block(pair.row), &c = layout_.block(pair.col);
    for (int i = 0; i < r.size && diagonal >= 0; ++i)
      entries.emplace_back(r.offset + i, c.offset + i, values_[static_cast<std::size_t>(diagonal + i)]);
    if (at < 0) continue;
    const double* value = values_.data() + at;
    for (int j = 0; j < c.size; ++j) {
      for (int i = 0; i < r.size; ++i, ++value) {
        if (*value != 0) entries.emplace_back(r.offset + i, c.offset + j, *value);
      }
    }
  }
  Matrix m(layout_.size(), layout_.size());
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

Levels::Matrix Levels::row_matrix(std::span<const int> rows, const std::vector<double>& values) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const RowParts& row = rows_[static_cast<std::size_t>(rows[k])];
    for (int p = row.first; p < row.first + row.count; ++p) {
      const Part& part = parts_[static_cast<std::size_t>(p)];
      const Block& block = layout_.block(part.block);
      for (int i = 0; i < block.size; ++i) {
        const double value = values[static_cast<std::size_t>(part.at + i)];
        if (value != 0) entries.emplace_back(static_cast<int>(k), block.offset + i, value);
      }
    }
  }
  Matrix m(static_cast<Eigen::Index>(rows.size()), layout_.size());
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

Levels::Matrix Levels::L(std::span<const int> rows) const {
  std::vector<int> position(rows_.size(), -1);
  for (std::size_t k = 0; k < rows.size(); ++k)
    position[static_cast<std::size_t>(rows[k])] = static_cast<int>(k);
  std::vector<Eigen::Triplet<double>> entries;
  const Matrix gradient = G(rows);
  for (int c = 0; c < layout_.mechanical_size(); ++c) {
    for (Matrix::InnerIterator it(gradient, c); it; ++it)
      entries.emplace_back(c, static_cast<int>(it.row()), it.value());
  }
  for (const Reading& reading : readings_) {
    const int k = position[static_cast<std::size_t>(reading.row.index)];
    const Block& block = layout_.block(reading.block);
    for (int i = 0; i < block.size && k >= 0; ++i)
      entries.emplace_back(block.offset + i, k, l_[static_cast<std::size_t>(reading.at + i)]);
  }
  Matrix m(layout_.size(), static_cast<Eigen::Index>(rows.size()));
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

}  // namespace trunnion::system
