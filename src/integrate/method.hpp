#pragma once
// A family of formulas as the step loop sees it. The families hold their own past; a rejected step leaves it untouched.

#include "integrate/norm.hpp"
#include "solve/corrector.hpp"

namespace trunnion::integrate {

enum class Rejection { error, corrector };

class Method : public solve::Stage {
 public:
  // Forgets the past: `state` is consistent at all levels.
  virtual void start(const assembly::State& state) = 0;
  // The trial state at t + h to start the corrector from. May be called again with another h after reject().
  virtual void predict(double h, assembly::State& trial) = 0;
  // Local error of the corrected trial over what ERROR allows; > 1 rejects it.
  virtual double error(const assembly::State& trial) = 0;
  // The tangent entry with the largest part in the error just found.
  virtual int worst_entry() const = 0;
  // A step length to go on with; for a rejected trial to repeat with. `largest` bounds it.
  virtual double next_step(double error, double largest) = 0;
  virtual double smaller_step(double error, Rejection why) = 0;
  virtual void accept(const assembly::State& trial) = 0;
  // Positions, velocities and states at a time within the step last accepted; the rest as guesses.
  virtual void interpolate(double t, assembly::State& state) const = 0;
  virtual int order() const = 0;
  virtual double h() const = 0;
};

}  // namespace trunnion::integrate
