#include "solve/stage_equations.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <random>
#include <utility>

#include "system/diagonal_place.hpp"

namespace trunnion::solve {

using assembly::Block;
using assembly::BlockId;
using assembly::Level;
using assembly::RowId;
using assembly::RowLevel;
using assembly::State;
using system::Levels;
using system::System;

namespace {

// A state near this one, chosen at random but always the same.
State nearby(const assembly::Layout& layout, const State& state, std::mt19937_64& random) {
  // Not std::uniform_real_distribution: its numbers differ between libraries.
  const auto number = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 * 2 - 1; };
  const auto fill = [&](Eigen::VectorXd& v, double size) {
    for (double& x : v) x += size * number();
  };
  constexpr double kTurn = 0.3;  // far from every singularity of a chart
  State other = state;
  Eigen::VectorXd d = Eigen::VectorXd::Zero(layout.size());
  fill(d, kTurn);
  assembly::retract(layout, state.q, d, other.q);
  fill(other.v, 1);
  fill(other.a, 1);
  fill(other.lambda, 1);
  fill(other.mu, 1);
  return other;
}

// One wherever there is a factor, so that nothing cancels in a pattern.
LevelMaps pattern_of(const LevelMaps& maps, const assembly::Turns& ones) {
  const auto sign = [](double factor) { return factor != 0 ? 1.0 : 0.0; };
  const auto one = [&](const LevelMap& m) { return LevelMap{sign(m.q), sign(m.v), sign(m.a)}; };
  LevelMaps out{one(maps.body), one(maps.state), one(maps.variable), nullptr};
  if (maps.turn != nullptr) out.turn = &ones;
  return out;
}

}  // namespace

// Above the rounding of what rows exchange, as far as they are; where it is not (400 parallelograms in a row) the elimination by blocks leaves the
// matrix to KLU. Below what is left of the least eigenvalue of GA⁻¹Gᵀ (of a chain of a thousand links 1e-5).
const double StageEquations::kGive = 1e-10;

StageEquations::StageEquations(const assembly::Layout& layout, std::vector<int> rows, Rows form,
                               bool stabilised)
    : layout_(layout),
      rows_(std::move(rows)),
      position_(static_cast<std::size_t>(layout.row_count()), -1),
      form_(form),
      stabilised_(stabilised),
      levels_(layout, stabilised),
      w_(Eigen::VectorXd::Ones(layout.size())) {
  for (std::size_t k = 0; k < rows_.size(); ++k)
    position_[static_cast<std::size_t>(rows_[k])] = static_cast<int>(k);
  for (const int row : rows_) {
    velocity_.push_back(form == Rows::velocity || layout.row(RowId{row}).level == RowLevel::velocity);
    if (!velocity_.back()) position_rows_.push_back(row);
  }
  const int n = layout.size() + active_count();
  residual_ = Eigen::VectorXd::Zero(stabilised ? 2 * n : n);
}

assembly::Needs StageEquations::needs(const LevelMaps& maps, bool matrix) const {
  const bool states = layout_.states().size > 0, variables = layout_.variables().size > 0;
  return {.residual = true,
          .partial_q = matrix && (maps.body.q != 0 || variables || maps.state.q != 0),
          .partial_v = matrix && (maps.body.v != 0 || states),
          .partial_a = (matrix || form_ == Rows::acceleration) && maps.body.a != 0,
          .constraints = true,
          .hessians = matrix || form_ == Rows::acceleration};
}

void StageEquations::run(const System& system, const State& state, System::Workspace& work,
                         const assembly::Needs& needs) {
  levels_.start(state, needs);
  system.evaluate(state, work, levels_);
  levels_.finish();
}

void StageEquations::evaluate(const System& system, const State& state, System::Workspace& work,
                              const LevelMaps& maps, bool matrix, const Eigen::VectorXd* y,
                              const Choice& choice) {
  new_pattern_ = false;
  with_matrix_ = matrix;
  if (matrix && !known_) find_pattern(system, state, work, maps);
  run(system, state, work, needs(maps, matrix));
  if (matrix) {
    if (!combine(maps)) {
      find_pattern(system, state, work, maps);
      run(system, state, work, needs(maps, matrix));
      combine(maps);
    }
  }
  fill_residual(state, maps, y);
  leave_out(choice, matrix);
}

void StageEquations::evaluate_matrix(const System& system, const State& state, System::Workspace& work,
                                     const LevelMaps& maps, bool rates) {
  new_pattern_ = false;
  assembly::Needs asked = needs(maps, true);
  asked.residual = false;
  asked.hessians = rates || maps.body.q != 0;
  if (!known_) find_pattern(system, state, work, maps);
  run(system, state, work, asked);
  if (!combine(maps)) {
    find_pattern(system, state, work, maps);
    run(system, state, work, asked);
    combine(maps);
  }
}

void StageEquations::evaluate_forces(const System& system, const State& state, System::Workspace& work,
                                     const LevelMaps& maps) {
  with_matrix_ = false;
  levels_.evaluate_forces(system, state, work);
  fill_residual(state, maps, nullptr);
}

void StageEquations::advance_linear(const Eigen::VectorXd& x) {
  assert(rho_ == 0 && form_ == Rows::acceleration);
  row_values_.setZero(layout_.row_count());
  for (int k = 0; k < active_count(); ++k) row_values_[row_of_active(k)] = x[lambda_offset() + k];
  levels_.add_inertia(x, residual_.head(layout_.size()));
  levels_.add_reactions(rows_, row_values_, 1, residual_.head(layout_.size()));
  for (int k = 0; k < active_count(); ++k)
    residual_[lambda_offset() + k] += sigma_ * levels_.along(row_of_active(k), x);
}

void StageEquations::augment(double rho) {
  if (rho == rho_) return;
  rho_ = rho;
  known_ = false;
}

void StageEquations::keep_redundant(Eigen::VectorXd weights) {
  assert(weights.size() == active_count());
  row_weights_ = std::move(weights);
  keeps_ = true;
  known_ = false;
}

// The residual there is goes along.
void StageEquations::rescale(const LevelMaps& maps) {
  const double before = std::exchange(sigma_, physical_scale(levels_, maps.body));
  if (sigma_ != before) residual_.tail(size() - lambda_offset()) *= sigma_ / before;
}

bool StageEquations::combine(const LevelMaps& maps, const Choice& choice) {
  with_matrix_ = true;
  if (physical_) rescale(maps);
  replay_.start();
  emit(levels_.numbers(), maps, [&](int, int, double value) { replay_.add(value); });
  replay_.skip(static_cast<std::size_t>(size()));  // of the diagonal
  assert(replay_.complete());
  if (replay_.escaped()) return false;
  leave_out(choice, true);
  return true;
}

void StageEquations::combine(const ComplexLevelMaps& maps, std::vector<std::complex<double>>& values) const {
  values.assign(replay_.matrix().value.size(), 0.0);
  const std::span<const std::uint32_t> slots = replay_.slots();
  std::size_t next = 0;
  emit(levels_.numbers(), maps,
       [&](int, int, const std::complex<double>& value) { values[slots[next++]] += value; });
  values.resize(replay_.matrix().row.size());
}

// Entries that are zero at the state and at two others nearby are zero by structure (a mass matrix has no entry between a
// force and a torque).
void StageEquations::find_pattern(const System& system, const State& state, System::Workspace& work,
                                  const LevelMaps& maps) {
  constexpr int kSamples = 2;
  std::mt19937_64 random(1);
  const assembly::Needs all = needs(maps, true);
  run(system, state, work, all);
  levels_.note_used();
  for (int k = 0; k < kSamples; ++k) {
    const State other = nearby(layout_, state, random);
    run(system, other, work, all);
    levels_.note_used();
  }
  // A body's turn within a step couples its three rotations, however little it is at the start.
  const assembly::Turns ones(layout_.triples().size(), math::Mat3::Ones());
  sparse::Recorder recorder;
  std::vector<char> used;
  emit(levels_.used(), pattern_of(maps, ones), [&](int row, int col, double value) {
    recorder.entry(row, col);
    used.push_back(value != 0);
  });
  // A choice may leave any unknown with an equation of its own.
  for (int k = 0; k < size(); ++k) recorder.entry(k, k);
  used.insert(used.end(), static_cast<std::size_t>(size()), 1);
  replay_ = recorder.compile(size(), size(), used);
  known_ = new_pattern_ = true;
  ++patterns_;
}

template <class Number, class Put>
void StageEquations::emit(const Levels::Numbers& from, const LevelMapsOf<Number>& maps,
                          const Put& put) const {
  emit_pairs(from, maps, put);
  emit_rows(from, maps, put);
  for (const Levels::Reading& reading : levels_.readings()) {
    const int k = position_[static_cast<std::size_t>(reading.row.index)];
    const Block& block = layout_.block(reading.block);
    for (int i = 0; i < block.size && k >= 0; ++i)
      put(block.offset + i, lambda_offset() + k, sigma_ * from.l[static_cast<std::size_t>(reading.at + i)]);
  }
  if (!stabilised_) return;
  for (int k = 0; k < layout_.size(); ++k) put(y_offset() + k, y_offset() + k, sigma_ * w_[k]);
  // A velocity-level row is not stabilised: its μ is zero.
  for (int k = 0; k < active_count(); ++k) {
    if (velocity_[static_cast<std::size_t>(k)]) put(mu_offset() + k, mu_offset() + k, sigma_);
  }
}

namespace {

// What of a pair is told as a diagonal: put(i, the part by rates, all of it). Modes are such; they have no turns.
template <class Number, class Put>
void emit_diagonal(std::span<const double> values, const Levels::Pair& pair, const LevelMapOf<Number>& map,
                   int size, const Put& put) {
  bool any = false;
  const auto place = [&](Level level, const Number& factor) {
    const int at = system::diagonal_place(pair.at[static_cast<std::size_t>(level)]);
    any = any || at >= 0;
    return factor != Number(0) ? at : -1;
  };
  const int a = place(Level::a, map.a), v = place(Level::v, map.v), q = place(Level::q, map.q);
  const auto term = [&](int at, const Number& factor, int i) {
    return at >= 0 ? factor * values[static_cast<std::size_t>(at + i)] : Number(0);
  };
  for (int i = 0; i < size && any; ++i) {
    const Number rates = term(a, map.a, i) + term(v, map.v, i);
    put(i, rates, rates + term(q, map.q, i));
  }
}

}  // namespace

template <class Number, class Put>
void StageEquations::emit_pairs(const Levels::Numbers& from, const LevelMapsOf<Number>& maps,
                                const Put& put) const {
  for (const Levels::Pair& pair : levels_.pairs()) {
    const Block &r = layout_.block(pair.row), &c = layout_.block(pair.col);
    const LevelMapOf<Number>& map = maps.of(c);
    emit_diagonal(from.values, pair, map, r.size, [&](int i, const Number& rates, const Number& all) {
      if (stabilised_) put(r.offset + i, y_offset() + r.offset + i, rates);
      put(r.offset + i, r.offset + i, all);
    });
    if (std::all_of(pair.at.begin(), pair.at.end(), [](int at) { return at < 0; })) continue;
    const auto rows = static_cast<Eigen::Index>(r.size), cols = static_cast<Eigen::Index>(c.size);
    auto& room = std::get<Eigen::Matrix<Number, -1, 1>>(sum_);
    if (room.size() < rows * cols) room.resize(rows * cols);
    Eigen::Map<Eigen::Matrix<Number, -1, -1>> sum(room.data(), rows, cols);
    sum.setZero();
    // A level that does not move with the unknowns: an infinite slope by it (SQRT at 0) must not count, and 0·∞ would.
    const auto add = [&](Level level, const Number& factor) {
      const int at = pair.at[static_cast<std::size_t>(level)];
      if (at < 0 || factor == Number(0)) return false;
      sum += factor * Eigen::Map<const Eigen::MatrixXd>(from.values.data() + at, rows, cols);
      return true;
    };
    const auto put_all = [&](int row, int col) {
      for (int j = 0; j < c.size; ++j) {
        for (int i = 0; i < r.size; ++i) put(row + i, col + j, sum(i, j));
      }
    };
    bool any = add(Level::a, map.a);
    any = add(Level::v, map.v) || any;
    if (any && stabilised_ && c.is_mechanical()) put_all(r.offset, y_offset() + c.offset);
    if (const math::Mat3* const S = maps.turn_of(c); S != nullptr && any) {
      for (Eigen::Index i = 0; i < rows; ++i) {
        const Eigen::Matrix<Number, 1, 3> turned = sum.row(i).template segment<3>(c.rotation) * *S;
        sum.row(i).template segment<3>(c.rotation) = turned;
      }
    }
    any = add(Level::q, map.q) || any;
    if (any) put_all(r.offset, c.offset);
    if (const int at = pair.at[Levels::kMu]; at >= 0 && map.q != Number(0)) {
      sum = -(sigma_ * map.q) * Eigen::Map<const Eigen::MatrixXd>(from.values.data() + at, rows, cols);
      put_all(y_offset() + r.offset, c.offset);
    }
  }
}

template <class Number, class Put>
void StageEquations::emit_rows(const Levels::Numbers& from, const LevelMapsOf<Number>& maps,
                               const Put& put) const {
  for (int k = 0; k < active_count(); ++k) {
    const int row = row_of_active(k);
    const bool velocity = velocity_[static_cast<std::size_t>(k)] != 0;
    const Levels::RowParts& parts = levels_.rows()[static_cast<std::size_t>(row)];
    for (const Levels::Part& part : levels_.parts().subspan(static_cast<std::size_t>(parts.first),
                                                            static_cast<std::size_t>(parts.count))) {
      if (form_ == Rows::acceleration) emit_acceleration_part(from, k, part, put);
      else if (velocity) emit_velocity_part(from, maps, k, part, put);
      else emit_position_part(from, maps, k, part, put);
    }
    if (rho_ > 0) emit_augmented(from, maps, k, put);
    if (!keeps_) continue;
    put(lambda_offset() + k, lambda_offset() + k, -give(k));
    if (stabilised_ && !velocity) put(mu_offset() + k, mu_offset() + k, give(k));
  }
}

// ρGᵀ times the row, as it stands in the matrix.
template <class Number, class Put>
void StageEquations::emit_augmented(const Levels::Numbers& from, const LevelMapsOf<Number>& maps, int k,
                                    const Put& put) const {
  const Levels::RowParts& parts = levels_.rows()[static_cast<std::size_t>(row_of_active(k))];
  const std::span<const Levels::Part> all =
      levels_.parts().subspan(static_cast<std::size_t>(parts.first), static_cast<std::size_t>(parts.count));
  const int equation = lambda_offset() + k;
  for (const Levels::Part& part : all) {
    const auto times_row = [&](int row, int column, const Number& value) {
      if (row != equation) return;
      for (const Levels::Part& force : all) {
        const Block& block = layout_.block(force.block);
        const double* const g = from.g.data() + force.at;
        for (int i = 0; i < block.size && block.is_mechanical(); ++i)
          put(block.offset + i, column, rho_ * g[i] * value);
      }
    };
    if (form_ == Rows::acceleration) emit_acceleration_part(from, k, part, times_row);
    else if (velocity_[static_cast<std::size_t>(k)] != 0) emit_velocity_part(from, maps, k, part, times_row);
    else emit_position_part(from, maps, k, part, times_row);
  }
}

namespace {

// g S of the entry i of a block.
double turned(const Block& block, const double* g, int i, const math::Mat3* S) {
  const int turn = i - block.rotation;
  if (S == nullptr || turn < 0 || turn >= 3) return g[i];
  return Eigen::Map<const math::Vec3>(g + block.rotation).dot(S->col(turn));
}

}  // namespace

template <class Number, class Put>
void StageEquations::emit_position_part(const Levels::Numbers& from, const LevelMapsOf<Number>& maps, int k,
                                        const Levels::Part& part, const Put& put) const {
  const Block& block = layout_.block(part.block);
  const double* const g = from.g.data() + part.at;
  const double* const b = from.b.data() + part.at;
  const int equation = lambda_offset() + k, mu_row = mu_offset() + k;
  if (!block.is_mechanical()) {
    const Number factor = sigma_ * maps.of(block).q / maps.body.q;
    for (int i = 0; i < block.size; ++i) put(equation, block.offset + i, factor * g[i]);
    return;
  }
  const math::Mat3* const S = maps.turn_of(block);
  const Number rate = maps.body.q / maps.body.v;
  for (int i = 0; i < block.size; ++i) {
    const int column = block.offset + i;
    put(equation, column, sigma_ * g[i]);
    put(column, equation, sigma_ * g[i]);
    if (!stabilised_) continue;
    put(mu_row, column, sigma_ * (turned(block, g, i, S) + rate * b[i]));
    put(mu_row, y_offset() + column, sigma_ * g[i]);
    put(y_offset() + column, mu_row, -sigma_ * g[i]);
  }
}

template <class Number, class Put>
void StageEquations::emit_velocity_part(const Levels::Numbers& from, const LevelMapsOf<Number>& maps, int k,
                                        const Levels::Part& part, const Put& put) const {
  const Block& block = layout_.block(part.block);
  const double* const g = from.g.data() + part.at;
  const double* const b = from.b.data() + part.at;
  const LevelMapOf<Number>& map = maps.of(block);
  const math::Mat3* const S = maps.turn_of(block);
  const int equation = lambda_offset() + k;
  const Number by_v = sigma_ * map.v / maps.body.v, by_q = sigma_ * map.q / maps.body.v;
  for (int i = 0; i < block.size; ++i) {
    const int column = block.offset + i;
    put(equation, column, by_v * turned(block, g, i, S) + by_q * b[i]);
    if (!block.is_mechanical()) continue;
    put(column, equation, sigma_ * g[i]);
    if (stabilised_) put(equation, y_offset() + column, sigma_ * g[i]);
  }
}

template <class Put>
void StageEquations::emit_acceleration_part(const Levels::Numbers& from, int k, const Levels::Part& part,
                                            const Put& put) const {
  const Block& block = layout_.block(part.block);
  const double* const g = from.g.data() + part.at;
  for (int i = 0; i < block.size && block.is_mechanical(); ++i) {
    put(lambda_offset() + k, block.offset + i, sigma_ * g[i]);
    put(block.offset + i, lambda_offset() + k, sigma_ * g[i]);
  }
}

void StageEquations::fill_residual(const State& state, const LevelMaps& maps, const Eigen::VectorXd* y) {
  const int n = layout_.size(), mechanical = layout_.mechanical_size();
  residual_.head(n) = levels_.residual();
  levels_.add_reactions(rows_, state.lambda, 1, residual_.head(n));
  for (int k = 0; k < active_count(); ++k) {
    const int row = row_of_active(k);
    const bool velocity = velocity_[static_cast<std::size_t>(k)] != 0;
    double& here = residual_[lambda_offset() + k];
    if (form_ == Rows::acceleration) here = levels_.along(row, state.a) - levels_.gamma()[row];
    else if (form_ == Rows::velocity) here = levels_.rate()[row] / maps.body.v;
    else here = levels_.phi()[row] / (velocity ? maps.body.v : maps.body.q);
    here *= sigma_;
    if (stabilised_) residual_[mu_offset() + k] = velocity ? 0.0 : sigma_ * levels_.rate()[row] / maps.body.v;
  }
  if (!stabilised_) return;
  auto correction = residual_.segment(y_offset(), n);
  correction.setZero();
  if (y != nullptr) correction.head(mechanical) = w_.head(mechanical).cwiseProduct(y->head(mechanical));
  levels_.add_reactions(position_rows_, state.mu, -1, correction);
  correction *= sigma_;
}

// A held unknown's equation becomes δ = 0, and a closed row's δλ = 0.
void StageEquations::leave_out(const Choice& choice, bool matrix) {
  if (choice.closed.empty() && choice.held.empty()) return;
  const auto out = [&](int k) {
    if (k < layout_.size()) return !choice.held.empty() && choice.held[static_cast<std::size_t>(k)] != 0;
    const int row = k - lambda_offset();
    return row < active_count() && !choice.closed.empty() &&
           choice.closed[static_cast<std::size_t>(row)] != 0;
  };
  for (int k = 0; k < y_offset(); ++k) {
    if (out(k)) residual_[k] = 0;
  }
  if (!matrix) return;
  sparse::CscMatrix& A = replay_.matrix();
  for (int c = 0; c < A.cols; ++c) {
    for (int k = A.start[static_cast<std::size_t>(c)]; k < A.start[static_cast<std::size_t>(c) + 1]; ++k) {
      const int row = A.row[static_cast<std::size_t>(k)];
      if (out(row) || (c >= lambda_offset() && out(c)))
        A.value[static_cast<std::size_t>(k)] = row == c ? 1.0 : 0.0;
    }
  }
}

core::Words StageEquations::not_finite() const {
  for (int k = 0; k < residual_.size(); ++k) {
    if (!std::isfinite(residual_[k])) return equation_name(k);
  }
  if (!with_matrix_ || !known_) return {};
  const sparse::CscMatrix& A = matrix();
  for (int j = 0; j < A.cols; ++j) {
    for (int k = A.start[static_cast<std::size_t>(j)]; k < A.start[static_cast<std::size_t>(j) + 1]; ++k) {
      if (!std::isfinite(A.value[static_cast<std::size_t>(k)]))
        return "the slope of " + equation_name(A.row[static_cast<std::size_t>(k)]) + " by " + column_name(j);
    }
  }
  return {};
}

core::Words StageEquations::column_name(int column) const {
  if (column < lambda_offset()) return layout_.column_name(column);
  if (column < y_offset())
    return "reaction of " + layout_.row_name(RowId{row_of_active(column - lambda_offset())});
  if (column < mu_offset()) return "velocity correction of " + layout_.column_name(column - y_offset());
  return "stabilising multiplier of " + layout_.row_name(RowId{row_of_active(column - mu_offset())});
}

core::Words StageEquations::equation_name(int row) const {
  if (row < lambda_offset()) return layout_.balance_name(row);
  if (row < y_offset()) return layout_.row_name(RowId{row_of_active(row - lambda_offset())});
  if (row < mu_offset()) return "velocity correction of " + layout_.column_name(row - y_offset());
  return "rate of " + layout_.row_name(RowId{row_of_active(row - mu_offset())});
}

}  // namespace trunnion::solve
