#pragma once
// INTEGRATOR/AUTO: an explicit formula over independent coordinates where the motion allows it, an implicit one where it is stiff. It starts
// with ABAM and hands over to GSTIFF SI2 where stability and not accuracy holds the step, or where independent coordinates give no motion. From there ABAM is tried again after a while, each time after twice as many steps if it was in vain.
// A change takes place between two steps, from a state that satisfies all equations.

#include <memory>

#include "integrate/independent/independent_formula.hpp"

namespace trunnion::integrate {

class Automatic final : public Formula {
 public:
  Automatic(std::unique_ptr<IndependentFormula> soft, std::unique_ptr<Formula> stiff);

  void start(std::span<const assembly::State> past) override;
  void predict(double h, assembly::State& trial) override { active_->predict(h, trial); }
  solve::Outcome step(double h, solve::StageSolver& solver, system::System::Workspace& work,
                      assembly::State& trial) override;
  double error(const assembly::State& trial) override { return active_->error(trial); }
  void note_rounding(solve::StageSolver& solver, const assembly::State& trial) override {
    active_->note_rounding(solver, trial);
  }
  double error_beyond_rounding() const override { return active_->error_beyond_rounding(); }
  int worst_entry() const override { return active_->worst_entry(); }
  double next_step(double error, double largest) override;
  double smaller_step(double error, Rejection why) override { return active_->smaller_step(error, why); }
  void accept(const assembly::State& trial) override;
  void interpolate(double t, assembly::State& state) const override { active_->interpolate(t, state); }
  bool reactions_hold() const override { return active_->reactions_hold(); }
  core::Words trouble() const override { return active_->trouble(); }
  std::string remark() override;
  int order() const override { return active_->order(); }
  double h() const override { return active_->h(); }

 private:
  static constexpr long kPatience = 60;  // steps before the first attempt to go back
  static constexpr long kMost = 100000;
  static constexpr long kSettled = 200;  // steps after which the explicit formula has proved itself again
  bool explicitly() const { return active_ == soft_.get(); }
  void hand_over(Formula& to, std::string why);
  solve::Outcome take_over(solve::StageSolver& solver, system::System::Workspace& work);

  std::unique_ptr<IndependentFormula> soft_;
  std::unique_ptr<Formula> stiff_;
  Formula* active_;          // made the last step
  Formula* next_ = nullptr;  // makes the next one; none: the same
  assembly::State now_;
  long steps_ = 0, patience_ = kPatience;  // steps of the active one since it took over
  std::string remark_;
};

}  // namespace trunnion::integrate
