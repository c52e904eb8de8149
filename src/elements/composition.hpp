#pragma once
// f(s₁ … sₙ) of a few scalars with first and second partials; the chain rule over them is written once, in measure.cpp.
// Three more functions as such: each says which scalars it needs by its order of arguments.

#include <array>

namespace trunnion::elements {

struct Composition {
  static constexpr int kMost = 3;
  int count = 1;
  double value = 0.0;
  std::array<double, kMost> first{};
  std::array<std::array<double, kMost>, kMost> second{};
};

Composition constant_of(double value);
Composition identity_of(double s);
Composition root_of(double s);                   // √s; s = 0: a corner
Composition arc_tangent_of(double y, double x);  // atan2(y, x)
Composition arc_sine_of(double s);               // |s| may exceed 1 by rounding
Composition arc_cosine_of(double s);
Composition length_of(double x, double y, double z);             // √(x² + y² + z²)
Composition included_angle_of(double ab, double aa, double bb);  // between a and b, from their products

}  // namespace trunnion::elements
