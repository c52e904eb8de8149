#include "analysis/statics/equations.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/extent.hpp"
#include "elements/body.hpp"
#include "solve/ordering.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;
using assembly::State;

namespace {

// A velocity-level row asks for a rate; at rest it only says along which directions nothing can be displaced. The sink
// divides by the map of velocities, which must therefore not vanish, and must bring in no damping.
constexpr double kNoDamping = 1e-30;

solve::LevelMaps static_maps(const assembly::Layout& layout, double stability) {
  solve::LevelMaps maps;
  bool velocity_rows = false;
  for (int r = 0; r < layout.row_count(); ++r)
    velocity_rows = velocity_rows || layout.row(assembly::RowId{r}).level == assembly::RowLevel::velocity;
  maps.body = {1, stability, stability};
  if (velocity_rows && stability == 0) maps.body.v = kNoDamping;
  maps.state = {1, 0, 0};
  maps.variable = {1, 0, 0};
  return maps;
}

}  // namespace

StaticEquations::StaticEquations(const system::System& system, const std::vector<int>& active,
                                 assembly::AnalysisMode mode, double stability, const State& near)
    : system_(system),
      layout_(system.layout()),
      work_(system, mode),
      maps_(static_maps(system.layout(), stability)),
      stage_(system.layout(), active, solve::StageEquations::Rows::position),
      active_(active) {
  const auto n = static_cast<std::size_t>(layout_.size());
  held_.assign(n, 0);
  for (const system::StateInfo& info : system.states()) {
    if (!info.states.valid()) continue;  // a GSE of outputs alone
    const Block& block = layout_.block(info.states);
    if (block.dynamics != assembly::Dynamics::first_order) continue;
    has_states_ = has_states_ || !info.static_hold;
    for (int i = 0; i < block.size && info.static_hold; ++i)
      held_[static_cast<std::size_t>(block.offset + i)] = 1;
  }
  choose_weights(near);
}

// How far apart things are; where all is in one place, how large the parts are by their inertia.
void StaticEquations::choose_length() {
  length_ = spread(system_, work_.kinematics);
  if (length_ > 0) return;
  for (const elements::Body& body : system_.body_elements()) {
    if (body.mass > 0) length_ = std::max(length_, std::sqrt(body.J.trace() / body.mass));
  }
  if (!(length_ > 0)) length_ = 1;
}

// Masses and inertias; a part without either weighs a thousandth of the others, so that it moves first.
void StaticEquations::choose_weights(const State& state) {
  system_.update(state, work_);
  choose_length();

  double mean = 0;
  int count = 0;
  for (const elements::Body& body : system_.body_elements()) {
    force_scale_ = std::max(force_scale_, body.mass * body.gravity.norm());
    if (!(body.mass > 0)) continue;
    mean += body.mass;
    ++count;
  }
  mass_scale_ = count > 0 ? mean / count : 1;
  constexpr double kLight = 1e-3;
  weights_ = Eigen::VectorXd::Zero(layout_.size());
  way_ = Eigen::VectorXd::Ones(layout_.size());
  for (int k = 0; k < layout_.mechanical_size(); ++k) {
    weights_[k] = layout_.is_turn(k) ? kLight * kLight * length_ * length_ : kLight;
    if (layout_.is_travel(k)) way_[k] = length_;
  }
  for (const elements::Body& body : system_.body_elements()) {
    const Block& block = layout_.block(body.block);
    for (int k = block.offset; k < block.offset + block.size; ++k) {
      const double heavy = layout_.is_travel(k) ? body.mass : body.J.trace() / 3;
      weights_[k] = std::max(weights_[k], heavy / mass_scale_);
    }
  }
  for (int i = 0; i < layout_.size(); ++i) heaviest_ = std::max(heaviest_, weights_[i] / (way_[i] * way_[i]));
  for (const int r : active_)
    arms_.push_back(
        layout_.row(assembly::RowId{r}).residual.quantity == assembly::Quantity::length ? 1.0 : length_);
}

std::vector<int> StaticEquations::hold_idle_states(State at_rest) {
  std::vector<int> idle;
  if (!has_states_) return idle;
  at_rest.v.setZero();
  at_rest.a.setZero();
  evaluate(at_rest, true);
  Eigen::VectorXd sums = row_sums();
  for (int i = 0; i < layout_.size(); ++i) {
    const bool state = layout_.states().has(i);
    if (state && !is_held(i) && sums[i] == 0 && residual_[i] == 0) idle.push_back(i);
  }
  for (const int i : idle) held_[static_cast<std::size_t>(i)] = 1;
  return idle;
}

Eigen::VectorXd StaticEquations::row_sums() const {
  const sparse::CscMatrix& A = stage_.matrix();
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(layout_.size());
  for (int c = 0; c < A.cols; ++c) {
    for (int k = A.start[static_cast<std::size_t>(c)]; k < A.start[static_cast<std::size_t>(c) + 1]; ++k) {
      const int row = A.row[static_cast<std::size_t>(k)];
      if (row < layout_.size()) sums[row] += std::abs(A.value[static_cast<std::size_t>(k)]);
    }
  }
  return sums;
}

void StaticEquations::evaluate(const State& state, bool stiffness) {
  stage_.evaluate(system_, state, work_, maps_, stiffness);
  if (stage_.new_pattern()) take_pattern();
  residual_ = stage_.residual();
  for (int i = 0; i < layout_.size(); ++i) {
    if (held_[static_cast<std::size_t>(i)]) residual_[i] = 0;
  }
  with_matrix_ = stiffness;
  note_scales(state, stiffness);
}

void StaticEquations::note_scales(const State& state, bool stiffness) {
  for (std::size_t k = 0; k < active_.size(); ++k)
    force_scale_ = std::max(force_scale_, std::abs(state.lambda[active_[k]]) / arms_[k]);
  if (!stiffness) return;
  constexpr double kStrain = 1e-3;
  const sparse::CscMatrix& A = stage_.matrix();
  for (int c = 0; c < layout_.mechanical_size(); ++c) {
    if (layout_.quantity(c) == assembly::Quantity::number) continue;
    for (int k = A.start[static_cast<std::size_t>(c)]; k < A.start[static_cast<std::size_t>(c) + 1]; ++k) {
      if (A.row[static_cast<std::size_t>(k)] != c) continue;
      const double stiff = std::abs(A.value[static_cast<std::size_t>(k)]);
      stiffest_ = std::max(stiffest_, stiff / weights_[c]);
      force_scale_ = std::max(force_scale_, kStrain * stiff * way_[c] * way_[c] / length_);
    }
  }
}

void StaticEquations::take_pattern() {
  const sparse::CscMatrix& A = stage_.matrix();
  stiffness_ = {};
  stiffness_.rows = stiffness_.cols = A.cols;
  stiffness_.start.push_back(0);
  from_.clear();
  const auto put = [&](int row, int place) {
    stiffness_.row.push_back(row);
    from_.push_back(place);
  };
  for (int c = 0; c < A.cols; ++c) {
    bool diagonal = c >= layout_.size();
    for (int k = A.start[static_cast<std::size_t>(c)]; k < A.start[static_cast<std::size_t>(c) + 1]; ++k) {
      const int row = A.row[static_cast<std::size_t>(k)];
      if (!diagonal && row > c) put(c, -1);
      diagonal = diagonal || row >= c;
      put(row, k);
    }
    if (!diagonal) put(c, -1);
    stiffness_.start.push_back(static_cast<int>(stiffness_.row.size()));
  }
  stiffness_.value.assign(stiffness_.row.size(), 0.0);
  metric_ = stiffness_;
  order_ = solve::elimination_order(layout_, stage_);
  stiffness_lu_ = {};
  metric_lu_ = {};
  kept_.clear();
}

void StaticEquations::add(const Eigen::VectorXd& x, double factor, State& state) const {
  const Eigen::VectorXd d = factor * x.head(layout_.size());
  assembly::retract(layout_, state.q, d, state.q);
  for (int k = 0; k < stage_.active_count(); ++k)
    state.lambda[stage_.row_of_active(k)] += factor * x[stage_.lambda_offset() + k];
}

double StaticEquations::largest_gap() const {
  double gap = 0;
  for (const int r : active_) {
    if (!(std::abs(stage_.phi()[r]) <= gap)) gap = std::abs(stage_.phi()[r]);
  }
  return gap;
}

double StaticEquations::largest_imbalance() const {
  double size = 0;
  for (int i = 0; i < layout_.size(); ++i) {
    if (!(std::abs(residual_[i]) <= size)) size = std::abs(residual_[i]);
  }
  return size;
}

Eigen::VectorXd StaticEquations::rounding(const State& state) const {
  Eigen::VectorXd size = Eigen::VectorXd::Ones(layout_.size());  // of each coordinate; turns are of size one
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    const int lengths = block.is_body() ? block.translations : 0;
    const double far = lengths > 0 ? state.q.segment(block.pose_offset, lengths).cwiseAbs().maxCoeff() : 0;
    for (int k = block.offset; k < block.offset + block.size; ++k) {
      if (layout_.is_travel(k)) size[k] = far;
      else if (!layout_.is_turn(k)) size[k] = std::abs(state.q[layout_.pose_entry(k)]);
    }
  }
  const sparse::CscMatrix& A = stage_.matrix();
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(layout_.size());
  for (int c = 0; c < layout_.size(); ++c) {
    for (int k = A.start[static_cast<std::size_t>(c)]; k < A.start[static_cast<std::size_t>(c) + 1]; ++k) {
      const int row = A.row[static_cast<std::size_t>(k)];
      if (row < layout_.size()) sums[row] += std::abs(A.value[static_cast<std::size_t>(k)]) * size[c];
    }
  }
  constexpr double kEpsilon = 2.220446049250313e-16;
  return kEpsilon * sums;
}

bool StaticEquations::project(State& state, double tolerance) {
  constexpr int kIterations = 20;
  constexpr double kNear = 1e4, kVariables = 1e-12;
  bool renew = true;
  double before = HUGE_VAL;
  for (int k = 0; k < kIterations; ++k) {
    evaluate(state, renew);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(size());
    double off = largest_gap() / tolerance;
    for (int i = 0; i < layout_.size(); ++i) {
      if (is_mechanical(i)) continue;
      if (held_[static_cast<std::size_t>(i)] || (layout_.states().has(i) && states_free_)) continue;
      const double value = state.q[layout_.pose_entry(i)];
      off = std::max(off, std::abs(residual_[i]) / (kVariables * (1 + std::abs(value))));
      b[i] = -residual_[i];
    }
    if (!std::isfinite(off)) return false;
    if (off <= 1) return true;
    // Rounding keeps a variable of a stiff law from its last digits.
    if (k > 2 && off >= 0.5 * before && largest_gap() <= tolerance) return true;
    if (renew && !factor_metric()) return false;
    // Close by, the factors there are will do for the last steps.
    renew = off > kNear || off > 0.1 * before;
    before = off;
    b.tail(stage_.active_count()) = -residual_.tail(stage_.active_count());
    solve_metric(b);
    b.tail(stage_.active_count()).setZero();
    if (!b.allFinite()) return false;
    add(b, 1, state);
  }
  return false;
}

bool StaticEquations::place(State& state, double tolerance, Eigen::VectorXd& x) {
  if (!project(state, tolerance)) return false;
  if (!with_matrix_) evaluate(state, true);
  return balance_here(state, x);
}

bool StaticEquations::balance_here(State& state, Eigen::VectorXd& x) {
  if (!factor_metric()) return false;
  x = Eigen::VectorXd::Zero(size());
  for (int i = 0; i < layout_.size(); ++i) {
    if (is_mechanical(i)) x[i] = -residual_[i];
  }
  solve_metric(x);
  if (!x.allFinite()) return false;
  for (int k = 0; k < stage_.active_count(); ++k)
    state.lambda[stage_.row_of_active(k)] += x[stage_.lambda_offset() + k];
  x.tail(stage_.active_count()).setZero();
  return true;
}

}  // namespace trunnion::analysis
