#include "solve/tree_motion.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "solve/articulated.hpp"
#include "solve/joint_chart.hpp"
#include "solve/loop_rows.hpp"
#include "solve/newton.hpp"
#include "solve/stage_solver.hpp"
#include "system/diagonal_place.hpp"
#include "system/excerpt.hpp"
#include "system/levels.hpp"

namespace trunnion::solve {

using assembly::Block;
using assembly::BlockId;
using assembly::Dynamics;
using assembly::Needs;
using assembly::RowId;
using assembly::Segment;
using assembly::State;
using math::Mat3;
using math::Quat;
using math::Vec3;

namespace {

constexpr auto kOfRates = static_cast<std::size_t>(assembly::Level::v),
               kOfAccelerations = static_cast<std::size_t>(assembly::Level::a);

constexpr Needs kRowsOnly{.residual = false,
                          .partial_q = false,
                          .partial_v = false,
                          .partial_a = false,
                          .constraints = true,
                          .hessians = false};
constexpr Needs kRowsWithRates{.residual = false,
                               .partial_q = false,
                               .partial_v = false,
                               .partial_a = false,
                               .constraints = true,
                               .hessians = true};
constexpr Needs kForcesOnly{.residual = true,
                            .partial_q = false,
                            .partial_v = false,
                            .partial_a = false,
                            .constraints = false,
                            .hessians = false};

// What forces, states and variables read of one another, from a place where all partials were evaluated.
class Readings {
 public:
  explicit Readings(const system::Levels& levels) : levels_(levels), layout_(levels.layout()) {}

  // Empty, or why explicit evaluation one after another does not do.
  std::string against() const {
    if (!levels_.readings().empty()) {
      const RowId row = levels_.readings()[0].row;
      return fmt::format("the reaction of {} is read", layout_.row(row).owner);
    }
    std::vector<char> explicit_rate(static_cast<std::size_t>(layout_.block_count()), 0);
    for (const system::Levels::Pair& pair : levels_.pairs()) {
      if (pair.at[kOfAccelerations] != system::kNoPlace)
        return fmt::format("{} depends on accelerations", layout_.block(pair.row).owner);
      const bool own = pair.row == pair.col;
      const Dynamics sort = layout_.block(pair.col).dynamics;
      if (sort == Dynamics::first_order && pair.at[kOfRates] >= 0) {
        if (!own || !identity(pair, kOfRates))
          return fmt::format("the rate of {} is read, or given implicitly", layout_.block(pair.col).owner);
        explicit_rate[static_cast<std::size_t>(pair.row.index)] = 1;
      }
    }
    for (int b = 0; b < layout_.block_count(); ++b) {
      if (layout_.block({b}).dynamics == Dynamics::first_order && !explicit_rate[static_cast<std::size_t>(b)])
        return fmt::format("{} is given implicitly", layout_.block({b}).owner);
    }
    return {};
  }

  // Of each block after how many variables behind one another it is known; empty: they read each other in a circle.
  std::vector<int> depths() const {
    std::vector<int> depth(static_cast<std::size_t>(layout_.block_count()), 0);
    for (int k = 0; k <= layout_.block_count(); ++k) {
      bool changed = false;
      for (const system::Levels::Pair& pair : levels_.pairs()) {
        if (pair.row == pair.col || pair.at[0] < 0) continue;
        if (layout_.block(pair.col).dynamics != Dynamics::algebraic) continue;
        int& to = depth[static_cast<std::size_t>(pair.row.index)];
        const int least = depth[static_cast<std::size_t>(pair.col.index)] + 1;
        if (to >= least) continue;
        to = least;
        changed = true;
      }
      if (!changed) return depth;
    }
    return {};
  }

 private:
  bool identity(const system::Levels::Pair& pair, std::size_t level) const {
    const int n = layout_.block(pair.row).size;
    const double* const value = levels_.numbers().values.data() + pair.at[level];
    for (int k = 0; k < n * n; ++k) {
      if (value[k] != (k % (n + 1) == 0 ? 1.0 : 0.0)) return false;
    }
    return true;
  }

  const system::Levels& levels_;
  const assembly::Layout& layout_;
};

class TreeMotion final : public ExplicitMotion {
 public:
  using VectorXd = Eigen::VectorXd;

  TreeMotion(StageSolver& solver, JointTree tree, const State& state)
      : solver_(&solver),
        layout_(solver.system().layout()),
        excerpt_(solver.system(), tree.rows),
        levels_(layout_),
        rows_wanted_(tree.rows),
        links_(layout_, std::move(tree)),
        full_(state),
        moved_(links_.tree().links.size()),
        counted_(!state.memory.empty()),
        delta_(VectorXd::Zero(sizes().all())),
        shift_(VectorXd::Zero(links_.tree().freedoms)),
        change_(shift_),
        off_(VectorXd::Zero(static_cast<Eigen::Index>(rows_wanted_.size()))) {
    const JointTree& t = links_.tree();
    for (const Link& link : t.links) {
      const int turns = link.kind == LinkKind::spherical || link.kind == LinkKind::free ? 3 : 0;
      chart_.add_numbers(link.offset, link.pose_offset, link.freedoms - turns);
      if (turns > 0)
        chart_.add_rotation(link.offset + link.freedoms - turns, link.pose_offset + link.poses - 4);
    }
    chart_.add_numbers(t.freedoms, t.poses, layout_.states().size);
    if (counted_) first_.resize(t.links.size());
  }

  // Empty, or why this mechanism cannot be evaluated so. The first evaluation, which finds all patterns.
  std::string fit(const State& state, Workspace& work) {
    for (const int r : rows_wanted_) {
      if (layout_.row(RowId{r}).level == assembly::RowLevel::velocity)
        return fmt::format("{} holds velocities", layout_.row(RowId{r}).owner);
    }
    State y;
    express(state, y);
    links_.move(y.q, y.v);
    constexpr double kWeak = 1e-11;
    if (const int weak = links_.weakest(kWeak); weak >= 0)
      return fmt::format("what {} moves has no inertia of its own",
                         links_.tree().links[static_cast<std::size_t>(weak)].owner);
    excerpt_.update(full_, work);
    if (excerpt_.has_loads()) {
      system::Levels probe(layout_);
      probe.start(full_, Needs{.constraints = false, .hessians = false});
      excerpt_.emit_loads(full_, work, probe);
      for (std::size_t k = 0; k < excerpt_.scalars(); ++k) excerpt_.emit_scalar(k, full_, work, probe);
      probe.finish();
      if (std::string why = order_scalars(Readings(probe)); !why.empty()) return why;
    }
    if (rows_wanted_.empty()) return {};
    levels_.start(full_, kRowsOnly);
    excerpt_.emit_rows(full_, work, levels_);
    levels_.finish();
    for (const int r : rows_wanted_) {
      const system::Levels::RowParts& parts = levels_.rows()[static_cast<std::size_t>(r)];
      for (int p = parts.first; p < parts.first + parts.count; ++p) {
        if (!layout_.block(levels_.parts()[static_cast<std::size_t>(p)].block).is_mechanical())
          return fmt::format("{} holds more than places of bodies", layout_.row(RowId{r}).owner);
      }
    }
    rows_.emplace(links_, levels_, rows_wanted_);
    return {};
  }

  std::string words() const {
    const JointTree& t = links_.tree();
    std::string text = fmt::format("recursion over {} joint coordinates", t.freedoms);
    if (!rows_wanted_.empty())
      text += fmt::format(" with {} constraints beside the tree", rows_wanted_.size());
    return text;
  }

  void attach(StageSolver& solver) override { solver_ = &solver; }
  Sizes sizes() const override {
    return {links_.tree().freedoms, layout_.states().size, layout_.variables().size};
  }

  void express(const State& state, State& y) override {
    const JointTree& t = links_.tree();
    const Segment &z = layout_.states(), &w = layout_.variables();
    y.t = state.t;
    y.memory = state.memory;
    y.q.setZero(t.poses + z.size + w.size);
    y.v.setZero(sizes().all());
    y.a.setZero(sizes().all());
    links_.read(state, y.q, y.v);
    y.q.segment(t.poses, z.size) = state.q.segment(z.pose_offset, z.size);
    y.q.tail(w.size) = state.q.segment(w.pose_offset, w.size);
    y.v.segment(t.freedoms, z.size) = state.v.segment(z.offset, z.size);
    // Accelerations are velocities' rates: by the same projection, what c leaves out.
    links_.move(y.q, y.v);
    links_.read_rates(state, y.a);
    full_ = state;
  }

  void complete(const State& y, State& state) override {
    links_.move(y.q, y.v);
    links_.follow(y.a);
    write_motion(y, state);
    write_accelerations(state);
    const Segment& z = layout_.states();
    state.v.segment(z.offset, z.size) = y.v.segment(links_.tree().freedoms, z.size);
    state.memory = y.memory;
  }

  void spread(const VectorXd& d, const VectorXd& v, VectorXd& all_d, VectorXd& all_v) override {
    all_d.setZero(layout_.size());
    all_v.setZero(layout_.mechanical_size());
    spread_links(d, all_d);
    spread_links(v, all_v);
    const Segment& z = layout_.states();
    all_d.segment(z.offset, z.size) = d.segment(links_.tree().freedoms, z.size);
  }

  void start_chart(const State& y) override {
    chart_.start(y);
    if (!counted_) return;
    links_.move(y.q, y.v);
    first_t_ = y.t;
    for (int i = 0; i < links_.size(); ++i)
      first_[static_cast<std::size_t>(i)] = {Quat(links_.rotation(i)),
                                             links_.rotation(i).transpose() * links_.spin(i)};
  }
  void look(double t) override { chart_.look(t); }
  void place(const VectorXd& d, VectorXd& q) const override { chart_.place(d, q); }
  void coordinates(const VectorXd& q, VectorXd& d) const override { chart_.coordinates(q, d); }
  void rate(const VectorXd& d, const VectorXd& q, const VectorXd& v, VectorXd& d_dot) const override {
    chart_.rate(d, q, v, d_dot);
  }
  int turns_known(std::span<const Point> past) const override { return chart_.turns_known(past); }
  // Where angles are counted, bodies must not turn further from steady motion than that allows.
  double turned(const VectorXd& d) const override {
    double most = chart_.turned(d);
    if (!counted_) return most;
    for (int i = 0; i < links_.size(); ++i) {
      const First& f = first_[static_cast<std::size_t>(i)];
      const Quat ahead = math::so3_compose(f.R, (full_.t - first_t_) * f.w);
      most = std::max(most, math::so3_log(Quat(ahead.conjugate() * Quat(links_.rotation(i)))).norm());
    }
    return most;
  }

  bool settle(const State&, Workspace&) override { return true; }

  Outcome evaluate(VectorXd& d, State& y, Workspace& work) override {
    message_.clear();
    ++solver_->counts().evaluations;
    ++solver_->counts().iterations;
    full_.t = y.t;
    full_.memory = y.memory;
    chart_.place(d, y.q);
    links_.move(y.q, y.v);
    if (rows_) {
      if (const Outcome closed = close(y, work); closed != Outcome::converged) return closed;
      chart_.coordinates(y.q, d);
    }
    links_.load();
    if (excerpt_.has_loads()) {
      if (!rows_) write_motion(y, full_);
      if (!apply_forces(y, work)) return Outcome::not_finite;
    }
    if (!links_.gather()) return no_inertia();
    links_.release(y.a);
    if (rows_) hold_accelerations(y);
    return y.a.head(links_.tree().freedoms).allFinite() ? Outcome::converged : not_finite();
  }
  bool finds_reactions() const override { return false; }

 private:
  Outcome fail(Outcome how, core::Words message) {
    message_ = std::move(message);
    return how;
  }
  Outcome no_inertia() {
    const auto stuck = static_cast<std::size_t>(links_.stuck());
    const bool finite = links_.place(links_.stuck()).allFinite();
    return fail(finite ? Outcome::singular : Outcome::not_finite,
                core::words("what {} moves has no inertia here", links_.tree().links[stuck].owner));
  }
  Outcome not_finite() { return fail(Outcome::not_finite, "the accelerations are not finite numbers"); }

  // --- the mechanism's state
  // Places, velocities and states of the links as they were moved last.
  void write_motion(const State& y, State& state) const {
    const JointTree& t = links_.tree();
    state.t = y.t;
    for (int i = 0; i < links_.size(); ++i) {
      const Link& link = t.links[static_cast<std::size_t>(i)];
      const Block& block = layout_.block(link.block);
      if (link.kind == LinkKind::point || link.kind == LinkKind::plane) {
        state.q.segment<3>(block.pose_offset) = y.q.segment<3>(link.pose_offset);
        state.v.segment<3>(block.offset) = y.v.segment<3>(link.offset);
        continue;
      }
      const Mat3 R_GB = links_.body_rotation(i);
      state.q.segment<3>(block.pose_offset) = links_.place(i);
      Quat R = Quat(R_GB).normalized();
      // Of the two that mean the same the one that the motion comes from.
      if (R.dot(assembly::load_quat(state.q, block.pose_offset + 3)) < 0) R.coeffs() = -R.coeffs();
      assembly::store_quat(R, state.q, block.pose_offset + 3);
      state.v.segment<3>(block.offset) = links_.velocity(i);
      state.v.segment<3>(block.offset + 3) = R_GB.transpose() * links_.spin(i);
    }
    const Segment &z = layout_.states(), &w = layout_.variables();
    state.q.segment(z.pose_offset, z.size) = y.q.segment(t.poses, z.size);
    state.q.segment(w.pose_offset, w.size) = y.q.tail(w.size);
  }
  void write_velocities(const State& y, State& state) const {
    for (int i = 0; i < links_.size(); ++i) {
      const Link& link = links_.tree().links[static_cast<std::size_t>(i)];
      const Block& block = layout_.block(link.block);
      if (link.kind == LinkKind::point || link.kind == LinkKind::plane) {
        state.v.segment<3>(block.offset) = y.v.segment<3>(link.offset);
        continue;
      }
      state.v.segment<3>(block.offset) = links_.velocity(i);
      state.v.segment<3>(block.offset + 3) = links_.body_rotation(i).transpose() * links_.spin(i);
    }
  }
  void write_accelerations(State& state) const {
    for (int i = 0; i < links_.size(); ++i) {
      const Link& link = links_.tree().links[static_cast<std::size_t>(i)];
      const Block& block = layout_.block(link.block);
      write_pair(i, links_.spin_rate(i), links_.acceleration(i), state.a.segment(block.offset, block.size));
    }
  }
  // A turn and a travel of a link as entries of its block.
  void write_pair(int i, const Vec3& turn, const Vec3& travel, Eigen::Ref<VectorXd> to) const {
    const Link& link = links_.tree().links[static_cast<std::size_t>(i)];
    switch (link.kind) {
      case LinkKind::point: to = travel; return;
      case LinkKind::plane: {
        const assembly::Plane& plane = layout_.plane(layout_.block(link.block));
        to.head<2>() = plane.axes.transpose() * travel;
        to[2] = plane.normal_B.dot(links_.rotation(i).transpose() * turn);
        return;
      }
      default: break;
    }
    to.head<3>() = travel;
    to.tail<3>() = link.R_BL * (links_.rotation(i).transpose() * turn);
  }
  void spread_links(const VectorXd& delta, VectorXd& all) {
    links_.spread(delta.data(), moved_);
    for (int i = 0; i < links_.size(); ++i) {
      const Block& block = layout_.block(links_.tree().links[static_cast<std::size_t>(i)].block);
      const Articulated::Wrench& m = moved_[static_cast<std::size_t>(i)];
      write_pair(i, m.n, m.f, all.segment(block.offset, block.size));
    }
  }

  // --- forces, states and variables
  // Variables that others read before those others, states last. Empty, or why that cannot be.
  std::string order_scalars(const Readings& readings) {
    if (std::string why = readings.against(); !why.empty()) return why;
    for (std::size_t k = 0; k < excerpt_.scalars(); ++k) {
      const Block& block = layout_.block(excerpt_.scalar_block(k));
      const bool variable = block.dynamics == Dynamics::algebraic;
      if (excerpt_.reads_itself(k, variable ? assembly::Level::q : assembly::Level::v))
        return fmt::format("{} depends on itself", block.owner);
      scalars_.push_back(k);
    }
    const std::vector<int> depth = readings.depths();
    if (depth.empty()) return "variables depend on each other in a circle";
    const auto rank = [&](std::size_t k) {
      const BlockId block = excerpt_.scalar_block(k);
      return std::pair(layout_.block(block).dynamics != Dynamics::algebraic,
                       depth[static_cast<std::size_t>(block.index)]);
    };
    std::stable_sort(scalars_.begin(), scalars_.end(),
                     [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    return {};
  }
  bool apply_forces(State& y, Workspace& work) {
    const Segment &z = layout_.states(), &w = layout_.variables();
    if (!rows_) excerpt_.update(full_, work);
    full_.v.segment(z.offset, z.size).setZero();
    levels_.start(full_, kForcesOnly);
    for (const std::size_t k : scalars_) {
      excerpt_.emit_scalar(k, full_, work, levels_);
      const Block& block = layout_.block(excerpt_.scalar_block(k));
      if (block.dynamics == Dynamics::algebraic)
        full_.q.segment(block.pose_offset, block.size) -=
            levels_.residual().segment(block.offset, block.size);
    }
    excerpt_.emit_loads(full_, work, levels_);
    levels_.finish();
    y.q.tail(w.size) = full_.q.segment(w.pose_offset, w.size);
    const VectorXd& r = levels_.residual();
    if (!r.allFinite()) {
      message_ = "a force or a state's rate is not a finite number";
      return false;
    }
    y.v.segment(links_.tree().freedoms, z.size) = -r.segment(z.offset, z.size);
    for (int i = 0; i < links_.size(); ++i) {
      const Link& link = links_.tree().links[static_cast<std::size_t>(i)];
      const Block& block = layout_.block(link.block);
      const double* const f = r.data() + block.offset;
      switch (link.kind) {
        case LinkKind::point: links_.add_force(i, Vec3::Zero(), -Eigen::Map<const Vec3>(f)); break;
        case LinkKind::plane: {
          const assembly::Plane& plane = layout_.plane(block);
          links_.add_force(i, -f[2] * (links_.rotation(i) * plane.normal_B),
                           -plane.axes * Eigen::Map<const Eigen::Vector2d>(f));
          break;
        }
        default:
          links_.add_force(i, -(links_.body_rotation(i) * Eigen::Map<const Vec3>(f + 3)),
                           -Eigen::Map<const Vec3>(f));
      }
    }
    return true;
  }

  // --- rows beside the tree
  void evaluate_rows(const Needs& needs, Workspace& work) {
    excerpt_.update(full_, work);
    levels_.start(full_, needs);
    excerpt_.emit_rows(full_, work, levels_);
    levels_.finish();
  }
  // What the rows are off by; the largest.
  double size_of(const VectorXd& values) {
    double size = 0;
    for (std::size_t k = 0; k < rows_wanted_.size(); ++k) {
      const double value = values[rows_wanted_[k]];
      off_[static_cast<Eigen::Index>(k)] = value;
      if (!(std::abs(value) <= size)) size = std::abs(value);
    }
    return size;
  }
  // Factors of the place that the links and rows are at.
  bool factor() {
    links_.load();
    return links_.gather() && rows_->factor(links_, levels_);
  }
  // The change of the joints that takes off_ away.
  void find_change() {
    shift_.setZero();
    rows_->take_away(off_, shift_);
    links_.release_alone(shift_, change_);
  }

  Outcome close(State& y, Workspace& work) {
    if (const Outcome positions = close_positions(y, work); positions != Outcome::converged) return positions;
    if (const Outcome velocities = close_velocities(y); velocities != Outcome::converged) return velocities;
    evaluate_rows(kRowsWithRates, work);
    return Outcome::converged;
  }

  Outcome close_positions(State& y, Workspace& work) {
    constexpr int kIterations = 15;
    PositionIteration iteration{*this, y, work};
    if (newton(iteration, kIterations) == Verdict::done) return Outcome::converged;
    return ended(iteration.outcome, "the loops of the mechanism do not close");
  }
  Outcome close_velocities(State& y) {
    constexpr int kIterations = 20;
    if (!factor()) return no_loop();
    VelocityIteration iteration{*this, y};
    if (newton(iteration, kIterations) == Verdict::done) return Outcome::converged;
    return ended(iteration.outcome, "the velocities of the loops do not converge");
  }
  // Where the iteration has not said why it failed it was too slow.
  Outcome ended(Outcome outcome, const char* slow) {
    return outcome == Outcome::slow ? fail(outcome, slow) : outcome;
  }
  Outcome no_loop() { return fail(Outcome::singular, "the loops of the mechanism cannot be closed here"); }

  // With new factors at the first iterate and where the last ones no longer serve.
  struct PositionIteration {
    TreeMotion& m;
    State& y;
    Workspace& work;
    Outcome outcome = Outcome::slow;
    double before = 0;

    Verdict evaluate(int k) {
      constexpr double kClose = 1e-14, kFast = 0.1, kRounding = 1e-10;
      m.write_motion(y, m.full_);
      m.evaluate_rows(kRowsOnly, work);
      const double size = m.size_of(m.levels_.phi());
      if (!std::isfinite(size)) return end(m.fail(Outcome::not_finite, "a constraint has no finite value"));
      const double scale = std::max(1.0, assembly::farthest_place(m.layout_, m.full_.q));
      if (size <= kClose * scale) return Verdict::done;
      const bool slow = k > 0 && size > kFast * before;
      if (slow && size <= kRounding * scale && size > 0.5 * before) return Verdict::done;
      if ((k == 0 || slow) && !m.factor()) return end(m.no_loop());
      before = size;
      return Verdict::again;
    }
    Verdict correct(int) {
      m.find_change();
      if (!m.change_.allFinite()) return end(m.no_loop());
      m.delta_.head(m.change_.size()) = m.change_;
      m.chart_.retract(m.delta_, y.q);
      m.delta_.setZero();
      m.links_.move(y.q, y.v);
      return Verdict::again;
    }
    Verdict end(Outcome how) {
      outcome = how;
      return Verdict::failed;
    }
  };

  // Rates are linear in the velocities: what a second iterate changes is the rounding of the first, and of redundant rows.
  struct VelocityIteration {
    TreeMotion& m;
    State& y;
    Outcome outcome = Outcome::slow;
    double before = 0;

    Verdict evaluate(int k) {
      constexpr double kClose = 1e-14, kRounding = 1e-9;
      double size = 0;
      for (std::size_t r = 0; r < m.rows_wanted_.size(); ++r) {
        const int row = m.rows_wanted_[r];
        const double rate = m.levels_.along(row, m.full_.v) + m.levels_.phi_t()[row];
        m.off_[static_cast<Eigen::Index>(r)] = rate;
        if (!(std::abs(rate) <= size)) size = std::abs(rate);
      }
      if (!std::isfinite(size)) {
        outcome = m.fail(Outcome::not_finite, "the rate of a constraint is not finite");
        return Verdict::failed;
      }
      const int n = m.layout_.mechanical_size();
      const double scale = std::max(1.0, m.full_.v.head(n).lpNorm<Eigen::Infinity>());
      if (size <= kClose * scale) return Verdict::done;
      if (k > 0 && size > 0.5 * before) return size <= kRounding * scale ? Verdict::done : Verdict::failed;
      before = size;
      return Verdict::again;
    }
    Verdict correct(int) {
      m.find_change();
      y.v.head(m.change_.size()) += m.change_;
      m.links_.move(y.q, y.v);
      m.write_velocities(y, m.full_);
      return Verdict::again;
    }
  };

  // G a = γ, from accelerations that know nothing of it.
  void hold_accelerations(State& y) {
    constexpr int kIterations = 3;
    constexpr double kClose = 1e-13;
    for (int k = 0; k < kIterations; ++k) {
      write_accelerations(full_);
      double size = 0;
      for (std::size_t r = 0; r < rows_wanted_.size(); ++r) {
        const int row = rows_wanted_[r];
        off_[static_cast<Eigen::Index>(r)] = levels_.along(row, full_.a) - levels_.gamma()[row];
        size = std::max(size, std::abs(off_[static_cast<Eigen::Index>(r)]));
      }
      const int n = layout_.mechanical_size();
      if (size <= kClose * std::max(1.0, full_.a.head(n).lpNorm<Eigen::Infinity>())) return;
      rows_->take_away(off_, links_.joint_forces());
      links_.release(y.a);
    }
  }

  StageSolver* solver_;  // counts
  const assembly::Layout& layout_;
  system::Excerpt excerpt_;
  system::Levels levels_;
  std::vector<int> rows_wanted_;
  Articulated links_;
  std::optional<LoopRows> rows_;
  JointChart chart_;
  State full_;  // of the mechanism, at the point in work
  std::vector<Articulated::Wrench> moved_;
  bool counted_;
  struct First {
    Quat R = Quat::Identity();
    Vec3 w = Vec3::Zero();
  };
  std::vector<First> first_;  // of each link at the start of the chart
  double first_t_ = 0;
  std::vector<std::size_t> scalars_;  // in the order they are evaluated
  VectorXd delta_, shift_, change_, off_;
};

}  // namespace

std::unique_ptr<ExplicitMotion> make_tree_motion(StageSolver& solver, const State& state,
                                                 system::System::Workspace& work, std::string& why) {
  std::string against;
  JointTree tree = make_joint_tree(solver.system(), solver.active(), state, against);
  if (against.empty()) {
    auto motion = std::make_unique<TreeMotion>(solver, std::move(tree), state);
    against = motion->fit(state, work);
    if (against.empty()) {
      why = motion->words();
      return motion;
    }
  }
  why = fmt::format("over all coordinates of the bodies: {}", against);
  return {};
}

}  // namespace trunnion::solve
