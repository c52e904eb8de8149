#include "elements/composition.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::elements {

Composition constant_of(double value) {
  Composition f;
  f.value = value;
  return f;
}

Composition identity_of(double s) {
  Composition f;
  f.value = s;
  f.first[0] = 1.0;
  return f;
}

Composition root_of(double s) {
  Composition f;
  f.value = std::sqrt(std::max(s, 0.0));
  if (f.value == 0.0) return f;
  f.first[0] = 0.5 / f.value;
  f.second[0][0] = -0.25 / (f.value * f.value * f.value);
  return f;
}

Composition arc_tangent_of(double y, double x) {
  Composition f;
  f.count = 2;
  f.value = std::atan2(y, x);
  const double r2 = x * x + y * y;
  if (r2 == 0.0) return f;
  f.first = {x / r2, -y / r2, 0.0};
  const double r4 = r2 * r2;
  f.second[0][0] = -2.0 * x * y / r4;
  f.second[1][1] = 2.0 * x * y / r4;
  f.second[0][1] = f.second[1][0] = (y * y - x * x) / r4;
  return f;
}

Composition arc_sine_of(double s) {
  Composition f;
  const double c2 = (1.0 - s) * (1.0 + s);
  f.value = std::asin(std::clamp(s, -1.0, 1.0));
  if (c2 <= 0.0) return f;
  const double c = std::sqrt(c2);
  f.first[0] = 1.0 / c;
  f.second[0][0] = s / (c2 * c);
  return f;
}

Composition arc_cosine_of(double s) {
  Composition f = arc_sine_of(s);
  f.value = std::acos(std::clamp(s, -1.0, 1.0));
  f.first[0] = -f.first[0];
  f.second[0][0] = -f.second[0][0];
  return f;
}

Composition length_of(double x, double y, double z) {
  Composition f;
  f.count = 3;
  const std::array<double, 3> s = {x, y, z};
  f.value = std::hypot(x, y, z);
  if (f.value == 0.0) return f;
  for (int i = 0; i < 3; ++i) {
    f.first[i] = s[i] / f.value;
    for (int j = 0; j < 3; ++j)
      f.second[i][j] = ((i == j ? 1.0 : 0.0) - s[i] * s[j] / (f.value * f.value)) / f.value;
  }
  return f;
}

Composition included_angle_of(double ab, double aa, double bb) {
  Composition f;
  f.count = 3;
  const double sine2 = aa * bb - ab * ab;  // |a × b|²
  f.value = std::atan2(std::sqrt(std::max(sine2, 0.0)), ab);
  if (!(sine2 > 0.0)) return f;
  // acos u with u = ab/√(aa·bb)
  const double u0 = 1.0 / std::sqrt(aa * bb), u = ab * u0;
  const std::array<double, 3> du = {u0, -0.5 * u / aa, -0.5 * u / bb};
  const double d2u[3][3] = {{0.0, -0.5 * u0 / aa, -0.5 * u0 / bb},
                            {-0.5 * u0 / aa, 0.75 * u / (aa * aa), 0.25 * u / (aa * bb)},
                            {-0.5 * u0 / bb, 0.25 * u / (aa * bb), 0.75 * u / (bb * bb)}};
  const double s2 = sine2 / (aa * bb), s = std::sqrt(s2);
  for (int i = 0; i < 3; ++i) {
    f.first[i] = -du[i] / s;
    for (int j = 0; j < 3; ++j) f.second[i][j] = -d2u[i][j] / s - u / (s2 * s) * du[i] * du[j];
  }
  return f;
}

}  // namespace trunnion::elements
