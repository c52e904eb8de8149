#pragma once
// (A − σ)⁻¹ about a real shift σ as one sparse solve, of vectors (ξ and states; ν), 2n numbers, that the constraints allow. It exists
// where parts without mass have no accelerations.

#include <memory>
#include <vector>

#include "analysis/linear/levels.hpp"

namespace trunnion::analysis {

class LinearInverse {
 public:
  virtual ~LinearInverse() = default;
  virtual bool factor(double shift) = 0;
  virtual void apply(const double* in, double* out) const = 0;
  double shift() const { return shift_; }
  int factorisations() const { return factorisations_; }
  int solutions() const { return solutions_; }

 protected:
  double shift_ = 0;
  int factorisations_ = 0;
  mutable int solutions_ = 0;
};

// `order`: of elimination, of a time step's matrix; empty: the solver's own choice. Null where the constraints are dependent.
std::unique_ptr<LinearInverse> make_inverse(const LinearLevels& at, std::vector<int> order);

}  // namespace trunnion::analysis
