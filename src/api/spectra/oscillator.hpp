#pragma once
// A point mass on a spring of 1 rad/s without damping, on which the program's own formulas are driven.

#include <memory>

#include "formulas/motion_roots.hpp"
#include "integrate/formula.hpp"
#include "system/system.hpp"

namespace trunnion::api {

class Oscillator {
 public:
  Oscillator();

  const assembly::Layout& layout() const { return system_->layout(); }
  // Steps of equal length `omega_h` from unit position, and again from unit velocity. Empty where a step failed.
  formulas::Motion drive(integrate::Formula& formula, bool stabilised, double omega_h) const;

 private:
  bool from(const assembly::State& start, integrate::Formula& formula, bool stabilised, double h, int column,
            formulas::Motion& motion) const;

  std::shared_ptr<const system::System> system_;
};

}  // namespace trunnion::api
