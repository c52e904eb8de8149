#include "integrate/automatic.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace trunnion::integrate {

using assembly::State;
using solve::Outcome;

Automatic::Automatic(std::unique_ptr<IndependentFormula> soft, std::unique_ptr<Formula> stiff)
    : soft_(std::move(soft)), stiff_(std::move(stiff)), active_(soft_.get()) {}

void Automatic::start(std::span<const State> past) {
  now_ = past[0];
  active_ = soft_.get();
  next_ = nullptr;
  steps_ = 0;
  patience_ = kPatience;
  active_->start(past);
}

void Automatic::hand_over(Formula& to, std::string why) {
  next_ = &to;
  remark_ = std::move(why);
}

Outcome Automatic::take_over(solve::StageSolver& solver, system::System::Workspace& work) {
  if (!solver.reconcile(now_, work)) return Outcome::singular;
  active_ = std::exchange(next_, nullptr);
  active_->start({&now_, 1});
  solver.renew(solve::NewMatrix::first);
  steps_ = 0;
  return Outcome::converged;
}

Outcome Automatic::step(double h, solve::StageSolver& solver, system::System::Workspace& work, State& trial) {
  if (next_ != nullptr) {
    if (const Outcome taken = take_over(solver, work); taken != Outcome::converged) return taken;
  }
  const Outcome outcome = active_->step(h, solver, work, trial);
  if (outcome == Outcome::converged || !explicitly() || soft_->trouble().empty()) return outcome;
  // No shorter step would mend that.
  hand_over(*stiff_, fmt::format("from here GSTIFF SI2: {}", soft_->trouble()));
  patience_ = std::min(2 * patience_, kMost);
  if (const Outcome taken = take_over(solver, work); taken != Outcome::converged) return taken;
  return active_->step(h, solver, work, trial);
}

void Automatic::accept(const State& trial) {
  active_->accept(trial);
  now_ = trial;
  ++steps_;
  if (!explicitly()) {
    if (steps_ >= patience_) hand_over(*soft_, {});
    return;
  }
  if (steps_ == kSettled) patience_ = kPatience;
  if (!soft_->stiff() || soft_->stiffness().empty()) return;      // the words come with the next step
  const bool tried = steps_ < kSettled && patience_ > kPatience;  // told already
  hand_over(*stiff_, tried ? std::string() : fmt::format("from here GSTIFF SI2: {}", soft_->stiffness()));
  patience_ = std::min(2 * patience_, kMost);
}

double Automatic::next_step(double error, double largest) {
  return next_ == nullptr ? active_->next_step(error, largest) : std::min(active_->h(), largest);
}

std::string Automatic::remark() {
  const std::string own = active_->remark();  // of another choice of coordinates, or of equal steps
  if (!remark_.empty()) return std::exchange(remark_, {});
  return explicitly() && soft_->stiff() ? std::string() : own;
}

}  // namespace trunnion::integrate
