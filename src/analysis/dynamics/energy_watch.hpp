#pragma once
// Energy that a motion gains or loses with nothing to account for it: what the formula, not the mechanism, does to it.
//
// Kinetic + potential + dissipated − work is constant in an exact motion. Its change is judged by the energy the motion has to do
// with: the kinetic energy at the start, what the potential has given since, and the work put in. The present kinetic energy is no
// measure, because it grows with what is fed.

#include <optional>

#include "system/system.hpp"

namespace trunnion::analysis {

struct EnergyDrift {
  double t = 0;
  double amount = 0;  // gained; lost where negative
  double part = 0;    // its size over the energy of the motion
};

class EnergyWatch {
 public:
  static constexpr double kTold = 0.01;  // part of the energy of the motion
  // `least`: an energy below which there is no motion to speak of. Up to the time `begun` there is too little of it to judge by.
  EnergyWatch(double least, double begun) : least_(least), begun_(begun) {}
  // Something to tell: the first time a hundredth is gone astray, a tenth, all of it …; of gains and of losses each.
  std::optional<EnergyDrift> step(double t, const system::Energy& energy, const system::Power& spent);
  // What there is to tell at the end that was not told on the way.
  std::optional<EnergyDrift> end() const;
  const EnergyDrift& now() const { return now_; }

 private:
  static constexpr int kLasting =
      10;  // steps: the first of a motion from rest have no energy to be judged by
  double least_, begun_;
  double span_ = 0, since_ = 0;  // that a motion takes to begin; when what is off began to be
  bool began_ = false;
  double first_ = 0, kinetic_ = 0, potential_ = 0, work_ = 0;  // at the start
  double lowest_ = 0, most_work_ = 0, size_ = 0;
  EnergyDrift now_;
  int above_ = 0;
  double& limit() { return now_.amount > 0 ? gain_limit_ : loss_limit_; }
  double gain_limit_ = kTold, loss_limit_ = kTold;
};

}  // namespace trunnion::analysis
