#include "integrate/jump.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace trunnion::integrate {

using assembly::Block;
using assembly::BlockId;
using assembly::RowId;
using assembly::State;
using system::System;

namespace {

// Everything an expression of the model can make jump, as groups of numbers.
class Quantities {
 public:
  struct Group {
    core::Words who;
    int begin = 0, size = 0;
    bool values = false;
    double least = 0;  // what counts as a change
  };

  Quantities(const System& system, System::Workspace& work)
      : system_(system), work_(work), levels_(system.layout()) {
    const assembly::Layout& layout = system.layout();
    // In this order they are blamed: a motion before a force.
    for (int r = 0; r < layout.row_count(); ++r) add(layout.row(RowId{r}).owner, 1, false, kRowRounding);
    for (int b = 0; b < layout.block_count(); ++b) {
      const Block& block = layout.block(BlockId{b});
      if (block.is_body()) continue;
      scalars_.push_back(b);
      add(block.owner, block.size, false, kTiny);
    }
    for (const system::Force& force : system.forces()) add(force.label, 6, true, kTiny);
  }

  const std::vector<Group>& groups() const { return groups_; }

  void at(const State& state, Eigen::VectorXd& all) {
    all.resize(size_);
    levels_.start(state, {.residual = true,
                          .partial_q = false,
                          .partial_v = false,
                          .partial_a = false,
                          .constraints = true,
                          .hessians = false});
    system_.evaluate(state, work_, levels_);
    levels_.finish();
    int next = static_cast<int>(levels_.phi().size());
    all.head(next) = levels_.phi();
    for (const int b : scalars_) {
      const Block& block = system_.layout().block(BlockId{b});
      all.segment(next, block.size) = levels_.residual().segment(block.offset, block.size);
      next += block.size;
    }
    for (const system::Force& force : system_.forces()) {
      const elements::Wrench w = system_.wrench(force, state, work_, false);
      all.segment<3>(next) = w.force;
      all.segment<3>(next + 3) = w.torque;
      next += 6;
    }
  }

 private:
  // Rows are left open by what the corrector leaves of them: rounding, over 1 or a length.
  static constexpr double kTiny = 1e-12, kRowRounding = 1e-8;
  void add(const core::Words& who, int size, bool values, double least) {
    groups_.push_back({who, size_, size, values, least});
    size_ += size;
  }

  const System& system_;
  System::Workspace& work_;
  system::Levels levels_;
  std::vector<int> scalars_;
  std::vector<Group> groups_;
  int size_ = 0;
};

// The state at a part x of the way, which ends at 1.
using Way = std::function<void(double x, State& state)>;

class Search {
 public:
  Search(const System& system, System::Workspace& work, const State& like)
      : all_(system, work), there_(like) {}

  std::optional<Jump> along(const Way& way) {
    evaluate(way, kBegin, first_);
    evaluate(way, 1, last_);
    int tried = 0;
    for (const Quantities::Group& group : all_.groups()) {
      const double change = difference(group, first_, last_);
      const double size = std::max(part(group, first_).norm(), part(group, last_).norm());
      if (!(change > kPart * size) || change < group.least) continue;
      if (++tried > kMost) break;
      if (auto jump = halve(group, way, change)) return jump;
    }
    return {};
  }

 private:
  static constexpr double kBegin = 1e-6, kPart = 0.1, kSlope = 0.26, kSlack = 1e-3;
  static constexpr int kMost = 32, kHalvings = 20;

  static Eigen::Ref<const Eigen::VectorXd> part(const Quantities::Group& g, const Eigen::VectorXd& all) {
    return all.segment(g.begin, g.size);
  }
  static double difference(const Quantities::Group& g, const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return (part(g, b) - part(g, a)).norm();
  }
  void evaluate(const Way& way, double x, Eigen::VectorXd& values) {
    way(x, there_);
    all_.at(there_, values);
  }

  // An angle that went further than its rate said is counted from the other side: no function jumps there.
  static bool is_whole_turns(double by) {
    const double turns = std::abs(by) / (2 * M_PI);
    return turns > 0.5 && std::abs(turns - std::round(turns)) < kSlack * turns;
  }
  // A prediction may change its degree with its length: then the way is what jumps, and everything along it.
  bool way_jumps(const Way& way, double begin, double end) {
    const auto moved = [&](double from, double to) {
      way(from, there_);
      const Eigen::VectorXd first = there_.q;
      way(to, there_);
      return (there_.q - first).norm();
    };
    return moved(begin, end) > kSlack * moved(kBegin, 1);
  }

  std::optional<Jump> halve(const Quantities::Group& group, const Way& way, double change) {
    Eigen::VectorXd low = first_, high = last_, middle;
    double begin = kBegin, end = 1, time = 0;
    for (int k = 0; k < kHalvings; ++k) {
      const double at = 0.5 * (begin + end);
      evaluate(way, at, middle);
      time = there_.t;
      const bool before = difference(group, low, middle) > difference(group, middle, high);
      (before ? end : begin) = at;
      std::swap(before ? high : low, middle);
      // A slope is told after two halvings, a jump's part never falls as far: vibrations would cost seconds otherwise.
      if (difference(group, low, high) < kSlope * change) return {};
    }
    if (!(difference(group, low, high) > 0.5 * change)) return {};
    const Eigen::VectorXd a = part(group, low), b = part(group, high);
    Eigen::Index most = 0;
    (b - a).cwiseAbs().maxCoeff(&most);
    if (!group.values && is_whole_turns(b[most] - a[most])) return {};
    if (way_jumps(way, begin, end)) return {};
    return Jump{group.who, time, a[most], b[most], group.values};
  }

  Quantities all_;
  State there_;
  Eigen::VectorXd first_, last_;
};

Way straight(const assembly::Layout& layout, const State& from, const State& to) {
  Eigen::VectorXd d = Eigen::VectorXd::Zero(layout.size());
  assembly::difference(layout, from.q, to.q, d);
  return [&layout, &from, &to, d](double x, State& state) {
    state = from;
    state.t = from.t + x * (to.t - from.t);
    assembly::retract(layout, from.q, x * d, state.q);
    state.v = (1 - x) * from.v + x * to.v;
    state.a = (1 - x) * from.a + x * to.a;
    state.lambda = (1 - x) * from.lambda + x * to.lambda;
  };
}

}  // namespace

core::Words describe(const Jump& jump) {
  if (jump.values)
    return core::words("{} jumps from {:.3g} to {:.3g} at t = {:.9g}", jump.who, jump.from, jump.to, jump.t);
  return core::words("{} jumps by {:.3g} at t = {:.9g}", jump.who, std::abs(jump.to - jump.from), jump.t);
}

std::optional<Jump> find_jump(const System& system, const State& from, const State& failed, Formula& formula,
                              double h, bool cut, System::Workspace& work) {
  if (!failed.q.allFinite() || !failed.v.allFinite()) return {};
  Search search(system, work, from);
  State predicted = from;
  formula.predict(h, predicted);
  if (auto jump = search.along(straight(system.layout(), from, failed))) return jump;
  // Iterations that go to and fro across a jump may end on the side where they began.
  const Way there = straight(system.layout(), predicted, failed);
  for (const double side : {1.0, -1.0}) {
    if (auto jump = search.along([&](double x, State& state) { there(side * x, state); })) return jump;
  }
  // Steps are cut by four, and what failed first was longer. Where they are not, further ahead a prediction tells nothing.
  for (const double longer : {1.0, 4.0, 16.0, 256.0}) {
    if (longer > 1 && !cut) break;
    if (auto jump = search.along([&](double x, State& state) { formula.predict(x * longer * h, state); }))
      return jump;
  }
  return {};
}

}  // namespace trunnion::integrate
