#pragma once
// A value and its derivative in one direction. The formulas for first partials in this folder are templates
// over the scalar; run with Dual they also give every second partial in that direction, exactly and without a
// second derivation.

#include <cmath>
#include <limits>

namespace trunnion::math {

struct Dual {
  double v = 0.0;
  double d = 0.0;

  constexpr Dual() = default;
  constexpr Dual(double value) : v(value) {}  // implicit: constants appear in the formulas as plain numbers
  constexpr Dual(double value, double derivative) : v(value), d(derivative) {}
};

// A function of one variable with its first two derivatives.
struct Jet {
  double value = 0.0;
  double d1 = 0.0;
  double d2 = 0.0;
};

constexpr double value_of(double x) { return x; }
constexpr double value_of(Dual x) { return x.v; }
constexpr bool is_zero(double x) { return x == 0.0; }
constexpr bool is_zero(Dual x) { return x.v == 0.0 && x.d == 0.0; }

constexpr Dual operator-(Dual a) { return {-a.v, -a.d}; }
constexpr Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
constexpr Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
constexpr Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
constexpr Dual operator/(Dual a, Dual b) {
  const double q = a.v / b.v;
  return {q, (a.d - q * b.d) / b.v};
}
constexpr Dual& operator+=(Dual& a, Dual b) { return a = a + b; }
constexpr Dual& operator-=(Dual& a, Dual b) { return a = a - b; }
constexpr Dual& operator*=(Dual& a, Dual b) { return a = a * b; }

// A zero direction stays zero even where the slope is infinite: SQRT(0) of a constant has no derivative to
// spoil.
constexpr Dual chain(double value, double slope, double d) { return {value, d == 0.0 ? 0.0 : slope * d}; }

inline Dual sin(Dual x) { return chain(std::sin(x.v), std::cos(x.v), x.d); }
inline Dual cos(Dual x) { return chain(std::cos(x.v), -std::sin(x.v), x.d); }
inline Dual sinh(Dual x) { return chain(std::sinh(x.v), std::cosh(x.v), x.d); }
inline Dual cosh(Dual x) { return chain(std::cosh(x.v), std::sinh(x.v), x.d); }
inline Dual exp(Dual x) {
  const double e = std::exp(x.v);
  return chain(e, e, x.d);
}
inline Dual log(Dual x) { return chain(std::log(x.v), 1.0 / x.v, x.d); }
inline Dual sqrt(Dual x) {
  const double s = std::sqrt(x.v);
  return chain(s, 0.5 / s, x.d);
}
inline Dual tan(Dual x) {
  const double t = std::tan(x.v);
  return chain(t, 1.0 + t * t, x.d);
}
inline Dual tanh(Dual x) {
  const double t = std::tanh(x.v);
  return chain(t, 1.0 - t * t, x.d);
}
inline Dual asin(Dual x) { return chain(std::asin(x.v), 1.0 / std::sqrt((1.0 - x.v) * (1.0 + x.v)), x.d); }
inline Dual acos(Dual x) { return chain(std::acos(x.v), -1.0 / std::sqrt((1.0 - x.v) * (1.0 + x.v)), x.d); }
inline Dual atan(Dual x) { return chain(std::atan(x.v), 1.0 / (1.0 + x.v * x.v), x.d); }

inline Dual atan2(Dual y, Dual x) {
  const double r2 = x.v * x.v + y.v * y.v;
  const double value = std::atan2(y.v, x.v);
  if (y.d == 0.0 && x.d == 0.0) return {value};
  return {value, (x.v * y.d - y.v * x.d) / r2};
}

inline Dual pow(Dual x, Dual y) {
  Dual result(std::pow(x.v, y.v));
  if (x.d != 0.0 && y.v != 0.0) result.d += y.v * std::pow(x.v, y.v - 1.0) * x.d;
  if (y.d != 0.0) result.d += (x.v == 0.0 && y.v > 0.0 ? 0.0 : result.v * std::log(x.v)) * y.d;
  return result;
}

// x to an integer power by repeated squaring, so that X**2 is exactly X*X.
template <class T> constexpr T integer_power(T x, int n) {
  unsigned m = n < 0 ? 0u - static_cast<unsigned>(n) : static_cast<unsigned>(n);
  T result(1.0);
  bool first = true;  // avoids a multiplication by 1, which would cost nothing in digits but one operation
  while (m != 0) {
    if (m & 1u) {
      result = first ? x : result * x;
      first = false;
    }
    m >>= 1;
    if (m != 0) x = x * x;
  }
  return n < 0 ? T(1.0) / result : result;
}

}  // namespace trunnion::math
