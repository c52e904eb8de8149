#include "solve/explicit_motion.hpp"

#include "solve/stage_solver.hpp"
#include "solve/tree_motion.hpp"

namespace trunnion::solve {

namespace {

// IndependentMotion over the layout of the mechanism.
class GeneralMotion final : public ExplicitMotion {
 public:
  explicit GeneralMotion(StageSolver& solver)
      : motion_(&solver.independent_motion()), layout_(solver.system().layout()), chart_(layout_) {}

  void attach(StageSolver& solver) override { motion_ = &solver.independent_motion(); }

  Sizes sizes() const override {
    return {layout_.mechanical_size(), layout_.states().size, layout_.variables().size};
  }
  void express(const State& state, State& y) override { y = state; }
  void complete(const State& y, State& state) override {
    state.t = y.t;
    state.q = y.q;
    state.v = y.v;
    state.a = y.a;
    state.lambda = y.lambda;
    state.memory = y.memory;
  }
  void spread(const Eigen::VectorXd& d, const Eigen::VectorXd& v, Eigen::VectorXd& all_d,
              Eigen::VectorXd& all_v) override {
    all_d = d;
    all_v = v;
    motion_->follow(all_d, all_v);
  }

  void start_chart(const State& y) override { chart_.start(y); }
  void look(double t) override { chart_.look(t); }
  void place(const Eigen::VectorXd& d, Eigen::VectorXd& q) const override { chart_.place(d, q); }
  void coordinates(const Eigen::VectorXd& q, Eigen::VectorXd& d) const override { chart_.coordinates(q, d); }
  void rate(const Eigen::VectorXd& d, const Eigen::VectorXd&, const Eigen::VectorXd& v,
            Eigen::VectorXd& d_dot) const override {
    chart_.rate(d, v, d_dot);
  }
  int turns_known(std::span<const Point> past) const override { return chart_.turns_known(past); }
  double turned(const Eigen::VectorXd& d) const override { return assembly::largest_move(layout_, d).turn; }

  bool settle(const State& y, Workspace& work) override {
    const bool settled = motion_->settle(y, work);
    message_ = motion_->message();
    return settled;
  }
  int changes() const override { return motion_->changes(); }
  core::Words chosen_words() const override { return motion_->chosen_words(); }
  Outcome evaluate(Eigen::VectorXd& d, State& y, Workspace& work) override {
    const Outcome outcome = motion_->evaluate(chart_, d, y, work);
    if (outcome != Outcome::converged) message_ = motion_->message();
    return outcome;
  }
  bool finds_reactions() const override { return true; }

 private:
  IndependentMotion* motion_;
  const assembly::Layout& layout_;
  assembly::Chart chart_;
};

}  // namespace

std::unique_ptr<ExplicitMotion> make_general_motion(StageSolver& solver) {
  return std::make_unique<GeneralMotion>(solver);
}

std::unique_ptr<ExplicitMotion> make_motion(StageSolver& solver, const assembly::State& state,
                                            system::System::Workspace& work) {
  std::string& words = solver.counts().evaluation;
  if (!solver.settings().recursion) {
    words = "over all coordinates of the bodies, as asked for";
  } else if (auto tree = make_tree_motion(solver, state, work, words)) {
    return tree;
  }
  return make_general_motion(solver);
}

}  // namespace trunnion::solve
