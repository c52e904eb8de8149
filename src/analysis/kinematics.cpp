#include "analysis/kinematics.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "analysis/accelerations.hpp"
#include "sparse/lu.hpp"
#include "system/constraint_sink.hpp"

namespace trunnion::analysis {

using assembly::RowId;
using assembly::State;
using system::System;

namespace {

// The chosen rows of G; `transpose` for its columns as rows.
sparse::CscMatrix select(const sparse::CscMatrix& G, const std::vector<int>& rows, bool transpose) {
  std::vector<int> position(static_cast<std::size_t>(G.rows), -1);
  for (std::size_t k = 0; k < rows.size(); ++k)
    position[static_cast<std::size_t>(rows[k])] = static_cast<int>(k);
  sparse::Recorder recorder;
  std::vector<double> values;
  for (int col = 0; col < G.cols; ++col) {
    for (int k = G.start[static_cast<std::size_t>(col)]; k < G.start[static_cast<std::size_t>(col) + 1];
         ++k) {
      const int row = position[static_cast<std::size_t>(G.row[static_cast<std::size_t>(k)])];
      if (row < 0) continue;
      transpose ? recorder.entry(col, row) : recorder.entry(row, col);
      values.push_back(G.value[static_cast<std::size_t>(k)]);
    }
  }
  const int n = static_cast<int>(rows.size());
  sparse::Replay replay = transpose ? recorder.compile(G.cols, n) : recorder.compile(n, G.cols);
  replay.start();
  for (const double value : values) replay.add(value);
  return replay.matrix();
}

class Mover {
 public:
  Mover(const System& system, AssemblyResult& from, const KinematicSettings& settings)
      : system_(system),
        layout_(system.layout()),
        from_(from),
        settings_(settings),
        work_(system),
        sink_(system.layout()) {
    for (const RedundantRow& r : from.redundant) watched_.push_back(r.row);
  }

  KinematicResult run(const std::vector<double>& times, const std::function<void(const State&)>& output) {
    State& state = from_.state;
    for (const double time : times) {
      double reach = time - state.t;
      const double smallest = 1e-7 * std::max(std::abs(reach), 1e-12);
      while (state.t < time) {
        double h = std::min(reach, time - state.t);
        if (time - (state.t + h) < 1e-12 * std::max(1.0, std::abs(time))) h = time - state.t;
        State trial = state;
        if (advance(trial, state.t + h == time ? time : state.t + h)) {
          state = std::move(trial);
          ++result_.steps;
          reach = 2 * h;
          continue;
        }
        reach = h / 2;
        if (reach < smallest) return locked(state, h);
      }
      if (state.t < times.front()) continue;
      output(state);
    }
    result_.ok = true;
    return std::move(result_);
  }

 private:
  void evaluate(const State& state) {
    sink_.start(state, false);
    system_.evaluate(state, work_, sink_);
    sink_.finish();
  }

  double largest(const std::vector<int>& rows) const {
    double size = 0;
    for (const int r : rows) {
      if (!(std::abs(sink_.phi()[r]) <= size)) size = std::abs(sink_.phi()[r]);
    }
    return size;
  }

  double tolerance(const State& state) const {
    const double size = std::max(1.0, state.q.lpNorm<Eigen::Infinity>());
    return std::max(settings_.error, 64 * std::numeric_limits<double>::epsilon() * size);
  }

  bool factor() {
    const sparse::CscMatrix G = select(sink_.G(), from_.active, false);
    if (!analysed_) {
      analysed_ = lu_.analyse(G);
      if (!analysed_ || lu_.factor(G) == sparse::FactorStatus::singular) return singular(G);
    } else if (lu_.update(G) == sparse::FactorStatus::singular) {
      return singular(G);
    }
    return true;
  }
  bool singular(const sparse::CscMatrix&) {
    analysed_ = false;
    if (const auto at = lu_.singular();
        at && at->row >= 0 && at->row < static_cast<int>(from_.active.size())) {
      trouble_ = layout_.row_name(RowId{from_.active[static_cast<std::size_t>(at->row)]});
    }
    return false;
  }

  bool advance(State& trial, double time) {
    const double h = time - trial.t;
    const Eigen::VectorXd guess = h * trial.v + 0.5 * h * h * trial.a;
    assembly::retract(layout_, trial.q, guess, trial.q);
    trial.t = time;
    if (!newton(trial)) return false;
    // Velocities on the matrix of the last iterate's place.
    if (!factor()) return false;
    Eigen::VectorXd v(layout_.size());
    for (std::size_t k = 0; k < from_.active.size(); ++k)
      v[static_cast<Eigen::Index>(k)] = -sink_.phi_t()[from_.active[k]];
    lu_.solve(v);
    if (!v.allFinite()) return false;
    trial.v = v;
    if (largest(watched_) > 1e3 * tolerance(trial)) {
      trouble_ = "a redundant constraint no longer agrees with the others";
      return false;
    }
    std::string message;
    if (!solve_accelerations(system_, from_.active, trial, work_, message)) {
      trouble_ = message;
      return false;
    }
    watch_toggle(trial.t);
    system_.accept(trial, work_);
    return true;
  }

  bool newton(State& trial) {
    double before = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration <= settings_.maxit; ++iteration) {
      evaluate(trial);
      const double off = largest(from_.active);
      if (off <= tolerance(trial)) return true;
      // Newton that does not shrink the gaps is not on its way; a shorter step will be.
      if (!(off < 2 * before)) return false;
      before = off;
      if (!factor()) return false;
      Eigen::VectorXd d(layout_.size());
      for (std::size_t k = 0; k < from_.active.size(); ++k)
        d[static_cast<Eigen::Index>(k)] = -sink_.phi()[from_.active[k]];
      lu_.solve(d);
      if (!d.allFinite()) return false;
      assembly::retract(layout_, trial.q, d, trial.q);
      ++result_.iterations;
    }
    return false;
  }

  // The smallest pivot falls by many powers of ten where a linkage stretches or folds.
  void watch_toggle(double time) {
    constexpr double kToggle = 1e-7;
    const bool near = lu_.rcond() < kToggle;
    if (near && !toggled_) {
      result_.messages.push_back(
          fmt::format("t = {:.6g}: the mechanism passes a singular configuration (toggle point)", time));
    }
    toggled_ = near;
  }

  KinematicResult locked(const State& state, double h) {
    evaluate(state);
    result_.messages.push_back(
        fmt::format("t = {:.6g}, h = {:.2g}: the motion cannot go on; the mechanism locks up", state.t, h));
    if (!trouble_.empty()) result_.messages.push_back("  " + trouble_);
    State ahead = state;
    ahead.t += h;
    assembly::retract(layout_, ahead.q, h * ahead.v, ahead.q);
    evaluate(ahead);
    for (const std::string& line : describe_gaps(system_, sink_.phi(), tolerance(state)))
      result_.messages.push_back("  " + line);
    result_.messages.push_back("  try: a MOTION that the lengths allow, or a shorter stroke");
    return std::move(result_);
  }

  const System& system_;
  const assembly::Layout& layout_;
  AssemblyResult& from_;
  KinematicSettings settings_;
  System::Workspace work_;
  system::ConstraintSink sink_;
  sparse::SparseLu lu_;
  bool analysed_ = false;
  bool toggled_ = false;
  std::vector<int> watched_;
  std::string trouble_;
  KinematicResult result_;
};

}  // namespace

KinematicResult kinematics(const System& system, AssemblyResult& from, const std::vector<double>& times,
                           const KinematicSettings& settings,
                           const std::function<void(const State&)>& output) {
  return Mover(system, from, settings).run(times, output);
}

std::vector<std::string> free_coordinates(const System& system, const AssemblyResult& assembled) {
  System::Workspace work(system);
  system::ConstraintSink sink(system.layout());
  sink.start(assembled.state, false);
  system.evaluate(assembled.state, work, sink);
  sink.finish();
  const sparse::RankResult rank = sparse::row_rank(select(sink.G(), assembled.active, false));
  std::vector<std::string> names;
  for (const int column : rank.free_columns) names.push_back(system.layout().column_name(column));
  return names;
}

}  // namespace trunnion::analysis
