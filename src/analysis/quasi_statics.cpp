#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "analysis/static_search.hpp"

namespace trunnion::analysis {

using assembly::State;

namespace {

class Path {
 public:
  Path(const system::System& system, AssemblyResult& from, const StaticSettings& settings,
       const StaticListener& listener)
      : system_(system), layout_(system.layout()), from_(from), settings_(settings), listener_(listener) {
    settings_.mode = StaticEquations::kQuasiStaticMode;
  }

  QuasiStaticResult run(const std::vector<double>& times, const std::function<bool(const State&)>& output) {
    result_.ok = begin();
    for (std::size_t k = 0; k < times.size() && result_.ok; ++k) {
      result_.ok = advance(times[k]) && output(from_.state);
    }
    return std::move(result_);
  }

 private:
  // The path starts in equilibrium.
  bool begin() {
    search_.emplace(system_, from_, settings_, listener_);
    return equilibrium() && note_sign();
  }

  bool equilibrium() {
    StaticSettings s = settings_;
    s.judge = false;
    const StaticResult found = statics(system_, from_, s, listener_);
    result_.iterations += found.iterations;
    result_.messages.insert(result_.messages.end(), found.messages.begin(), found.messages.end());
    return found.ok;
  }

  bool note_sign() {
    StaticEquations& e = search_->equations();
    e.evaluate(from_.state, true);
    sign_ = e.factor_stiffness(0) ? e.stiffness_sign() : 0;
    before_.reset();
    return true;
  }

  // From the two equilibria before it.
  State predict(double t) const {
    State guess = from_.state;
    guess.t = t;
    if (!before_ || from_.state.t <= before_->t) return guess;
    Eigen::VectorXd d(layout_.size());
    assembly::difference(layout_, before_->q, from_.state.q, d);
    const double ratio = (t - from_.state.t) / (from_.state.t - before_->t);
    if (!(ratio * search_->extent(d) < kReach)) return guess;
    assembly::retract(layout_, from_.state.q, ratio * d, guess.q);
    guess.lambda += ratio * (from_.state.lambda - before_->lambda);
    return guess;
  }

  bool advance(double end) {
    const double span = end - from_.state.t;
    double h = std::min(step_ > 0 ? step_ : span, span);
    constexpr double kShortest = 1e-9;
    while (from_.state.t < end) {
      const bool last = from_.state.t + h >= end * (1 - 1e-15) || end - from_.state.t - h < 1e-12 * span;
      const double t = last ? end : from_.state.t + h;
      State trial = predict(t);
      const int before = search_->iterations();
      const bool found = search_->follow(trial, kReach) == Search::converged &&
                         search_->distance(from_.state, trial) < kReach &&
                         search_->stiffness_sign() * sign_ >= 0;
      result_.iterations += search_->iterations() - before;
      if (found) {
        before_ = from_.state;
        from_.state = trial;
        ++result_.steps;
        if (sign_ == 0) sign_ = search_->stiffness_sign();
        h *= 1.5;
        step_ = h;
        continue;
      }
      h = (t - from_.state.t) / 2;
      if (h > kShortest * span) continue;
      if (!jump(end, std::max(h, kShortest * span))) return false;
      h = span / 16;
    }
    return true;
  }

  // No equilibrium near the last one: the forces take the mechanism elsewhere.
  bool jump(double end, double h) {
    const State last = from_.state;
    from_.state.t = std::min(end, last.t + 4 * h);
    result_.messages.push_back(fmt::format(
        "t = {:.9g}: limit point: the equilibrium that was followed ends here (snap-through)", last.t));
    if (!equilibrium()) {
      from_.state = last;
      result_.messages.push_back("  no other equilibrium was found");
      return false;
    }
    const double moved = search_->distance(last, from_.state);
    result_.messages.push_back(fmt::format(
        "  the mechanism moves to another one, {:.3g} radians or lengths of the mechanism away", moved));
    ++result_.steps;
    return note_sign();
  }

  static constexpr double kReach = 0.3;  // how far two equilibria of one path may be apart

  const system::System& system_;
  const assembly::Layout& layout_;
  AssemblyResult& from_;
  StaticSettings settings_;
  const StaticListener& listener_;
  std::optional<StaticSearch> search_;
  std::optional<State> before_;
  int sign_ = 0;
  double step_ = 0;
  QuasiStaticResult result_;
};

}  // namespace

QuasiStaticResult quasi_statics(const system::System& system, AssemblyResult& from,
                                const std::vector<double>& times, const StaticSettings& settings,
                                const std::function<bool(const State&)>& output,
                                const StaticListener& listener) {
  from.state.v.setZero();
  from.state.a.setZero();
  return Path(system, from, settings, listener).run(times, output);
}

}  // namespace trunnion::analysis
