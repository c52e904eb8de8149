#pragma once
// When BDF above order 2 gives way to order 2 so that a vibration that nothing damps dies away, and for how long (docs/theory/formulas.md).
//
// Followed at order 3 or higher it errs by ERROR a step, in its amplitude too, and grows; at order 2 it errs as much, towards rest. So a spell
// at order 2 costs the steps that it takes, n ≈ 1/|growth of order 2|, and then the vibration is gone from error and step. It is
// begun after as many steps have been spent on following it: that costs at most twice what the better choice would have.
// One that goes on after some spell of n is driven, not free: each such spell makes the next wait longer.

#include "integrate/stability_limit.hpp"

namespace trunnion::integrate {

class DampingSpell {
 public:
  static constexpr int kOrder = 2;  // the highest that takes energy out of every vibration

  // From which growth in a step on a vibration is not left to an order.
  explicit DampingSpell(double growth) : growth_(growth) {}

  // What a step shows.
  struct Step {
    int order = 0;
    double h = 0;
    double low_step = 1;  // what order 2 leaves of it
    int equal = 0;        // steps before it that were as long
  };

  void forget();
  // After each accepted step; true: order 2 from here on.
  bool begins(const StabilityLimit& seen, const Step& step);
  bool lasts() const { return left_ > 0; }  // the order must not rise
  // ω of a vibration that set the step before it was damped, for who tells of it; 0: none yet.
  double in_the_way() const { return told_; }

 private:
  static constexpr int kLook = 4;  // steps from one look to the next

  bool feeds(const StabilityLimit::Vibration& v, const Step& step);
  void go_on(const StabilityLimit& seen, const Step& step);
  void start(double steps, double size);
  static double steps_for(double y);  // at order 2

  double growth_;
  int since_ = 0;                      // the last look
  double followed_ = 0;                // steps spent on it at orders that feed it
  double left_ = 0;                    // steps of the spell
  double least_ = 0, least_left_ = 0;  // of them
  double free_ = 1e9;                  // since it
  double size_ = 0;                    // as it begins,
  double gone_ = 0;                    // and at which it ends
  double omega_ = 0;                   // what it is for
  double driven_ = 0;                  // what outlived its spell
  double patience_ = 1;                // spells that are waited for, of what is driven
  double told_ = 0;
};

}  // namespace trunnion::integrate
