#pragma once
// Order and step of the formulas of variable order: by the derivatives that a step shows, and by what is known of their peaks, so
// that vibrations are not fed and an error that hides is not overlooked (docs/theory/dynamics.md).

#include <cmath>

#include "integrate/damping_spell.hpp"
#include "integrate/formula.hpp"
#include "integrate/stability_limit.hpp"

namespace trunnion::integrate {

inline constexpr int kHighestBdf = 6;

class OrderControl {
 public:
  struct Limits {
    int highest = kHighestBdf;  // KMAX
    bool constant = false;      // order and step as given once the past is long enough
    double growth = 1e-4;       // of a vibration in a step, from which on its order is not trusted with it
  };
  // What a step shows: ‖h^(j+1) y^(j+1)‖ over what is allowed, −1 where not known.
  struct Derivatives {
    double of[kHighestBdf + 3] = {};
    double plain[kHighestBdf + 3] = {};  // without the amplitude test
    double plain_error = 0;
    StabilityLimit::Differences high;  // plain; 0 where not known
    double low = -1;                   // of the third, which order 2 errs by; −1 where not known
    bool spin_axes_change = false;
  };

  // The lowest of three derivatives, in powers of h, in which a small vibration is looked for: so high that a slow motion does not hide it.
  static constexpr int kWatched = 5;

  explicit OrderControl(const Limits& limits) : limits_(limits) {}

  void start(int order);
  void go_on(int order);      // with a past
  void begin_step(double h);  // of this length
  void limit(int order) { order_ = std::min(order_, order); }
  int order() const { return order_; }
  int highest() const { return limits_.highest; }
  bool starting() const { return starting_; }
  // Whether it looks for vibrations: where there is a choice of order that may feed them.
  bool watches() const { return !limits_.constant && limits_.highest > kDamping; }

  void see(const Derivatives& seen);
  bool hidden(int j) const;
  double usual(int j) const;

  // `points` of the past are known.
  double next_step(double error, double largest, int points);
  double smaller_step(double error, Rejection why);
  // ω of an undamped vibration that order 2 was chosen for because it set the step; 0: none yet.
  double in_the_way() const { return spell_.in_the_way(); }

 private:
  static constexpr int kDamping =
      DampingSpell::kOrder;             // orders up to this take energy out of every vibration …
  static constexpr int kFeeding = 4;    // … those up to this put some in
  static constexpr int kSeen = 12;      // steps after which the pace of a swing is known
  static constexpr double kFast = 0.6;  // ωh from which on they are not trusted with one

  void keep_peaks();
  void keep_hidden();
  double pace(int k) const;
  void change_order(int by);
  double while_starting(double error, double largest, int points);
  double at_largest(double largest);
  double by_derivatives(double error, double largest, int points);
  bool feeds();
  bool may_rise() const { return order_ < kDamping || !spell_.lasts(); }
  double low_step() const;  // what order 2 makes of the step

  Limits limits_;
  int order_ = 1;
  double h_ = 0, accepted_h_ = 0;
  int equal_steps_ = 0;    // of the last, as long as the one before each
  int steps_at_this_ = 0;  // with this order and step
  bool starting_ = true;   // order and step still grow with every step
  int failures_ = 0;       // of error tests in a row
  Derivatives seen_;
  double peak_[kHighestBdf + 3] = {};          // of the derivatives, fading
  double hidden_phase_[kHighestBdf + 3] = {};  // for how many radians of a swing in a row
  int peaks_order_ = 0, steps_at_order_ = 0;
  StabilityLimit stability_{kWatched};
  DampingSpell spell_{limits_.growth};
};

}  // namespace trunnion::integrate
