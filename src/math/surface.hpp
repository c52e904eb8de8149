#pragma once
// SPLINE data as one curve or a family of curves y(x) at increasing z: cubic (or linear) in x, linear in z.
// Beyond the first and last z the outer two curves go on linearly. One curve ignores z.

#include <string>
#include <vector>

#include "math/piecewise.hpp"

namespace trunnion::math {

struct SplineData {
  std::vector<double> x;
  std::vector<double> z;               // one per family member; empty or one entry for a single curve
  std::vector<std::vector<double>> y;  // one row per family member, each as long as x
  bool linear_extrapolate = false;
};

// Empty if a Surface can be made of the data; otherwise what is wrong, in words for the user.
std::string check_spline_data(const SplineData& data);

enum class Interpolation {
  akima,        // AKISPL
  cubic,        // CUBSPL
  linear_hold,  // INTERP method 1: the end value goes on
  cubic_hold,   // INTERP method 3: the end value goes on
};

// d[k] = ∂ᵏy/∂xᵏ; dz[k] = ∂ᵏ⁺¹y/∂xᵏ∂z. ∂²/∂z² is zero.
struct SurfaceDerivatives {
  Derivatives d{};
  Derivatives dz{};
};

class Surface {
 public:
  Surface() = default;
  Surface(const SplineData& data, Interpolation method);  // data must have passed check_spline_data

  double value(double x, double z) const;
  double derivative(double x, double z, int order) const;
  SurfaceDerivatives derivatives(double x, double z) const;

 private:
  std::size_t member(double z) const;

  std::vector<double> z_;
  std::vector<PiecewisePolynomial> curves_;
};

}  // namespace trunnion::math
