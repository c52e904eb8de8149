#pragma once
// The two sweeps over a tape, for T = double (value, gradient) and T = Dual (one column of the Hessian).
// Internal to src/expr. Conventions at kinks are listed in docs/theory/expressions.md.

#include <cmath>
#include <limits>
#include <numbers>

#include "expr/tables.hpp"
#include "expr/tape.hpp"
#include "math/dual.hpp"
#include "math/harmonic.hpp"
#include "math/impact.hpp"
#include "math/ramp.hpp"
#include "math/series.hpp"

namespace trunnion::expr {

inline constexpr int kMaxListed = 34;  // FORCOS has the longest list of arguments

// A value with a given first and second derivative by x.
inline double lift(double value, double, double) { return value; }
inline math::Dual lift(double value, double slope, math::Dual x) { return math::chain(value, slope, x.d); }

template <class T> T table_value(const BoundTable& table, Op op, const T* a, T* p) {
  using math::value_of;
  const double x = value_of(a[0]);
  if (op == Op::signal) {
    if (table.signal.count() == 0) return p[0] = T(std::numeric_limits<double>::quiet_NaN());
    const math::Jet jet = table.signal.jet(x);
    p[0] = lift(jet.d1, jet.d2, a[0]);
    return lift(jet.value, jet.d1, a[0]);
  }
  const auto k = static_cast<std::size_t>(table.order);
  if (op == Op::curve) {
    if (!table.curve) return p[0] = T(std::numeric_limits<double>::quiet_NaN());
    const math::Derivatives d = table.curve->derivatives(x, table.component);
    p[0] = lift(d[k + 1], d[k + 2], a[0]);
    return lift(d[k], d[k + 1], a[0]);
  }
  if (!table.surface) return p[0] = p[1] = T(std::numeric_limits<double>::quiet_NaN());
  if (table.range) table.range->note(x, value_of(a[1]));
  const math::SurfaceDerivatives s = table.surface->derivatives(x, value_of(a[1]));
  // Linear in z: ∂²/∂z² = 0.
  if constexpr (std::is_same_v<T, double>) {
    p[0] = s.d[k + 1];
    p[1] = s.dz[k];
    return s.d[k];
  } else {
    const double dx = a[0].d, dz = a[1].d;
    p[0] = {s.d[k + 1], s.d[k + 2] * dx + s.dz[k + 1] * dz};
    p[1] = {s.dz[k], s.dz[k + 1] * dx};
    return {s.d[k], s.d[k + 1] * dx + s.dz[k] * dz};
  }
}

inline double table_value_only(const BoundTable& table, Op op, const double* a) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (op == Op::signal) return table.signal.count() == 0 ? kNaN : table.signal.value(a[0]);
  if (op == Op::curve) {
    return table.curve
               ? table.curve->derivatives(a[0], table.component)[static_cast<std::size_t>(table.order)]
               : kNaN;
  }
  if (table.range) table.range->note(a[0], a[1]);
  return table.surface ? table.surface->derivative(a[0], a[1], table.order) : kNaN;
}

// x**y with both varying. For x < 0 only whole y have a value, and no derivative by y.
template <class T> T power_partials(const T* a, T* p) {
  using std::log;
  using std::pow;
  const T value = pow(a[0], a[1]);
  p[0] = math::value_of(a[1]) == 0.0 ? T(0.0) : a[1] * pow(a[0], a[1] - T(1.0));
  p[1] = math::value_of(a[0]) == 0.0 && math::value_of(a[1]) > 0.0 ? T(0.0) : value * log(a[0]);
  return value;
}

// Operations whose operands are listed. `p` receives as many partials; the flag of IMPACT and BISTOP in
// `param` says whether the exponent varies.
template <class T> T listed_value(const Instruction& i, const BoundTable* tables, const T* a, T* p) {
  using math::RampShape;
  switch (i.op) {
    case Op::power: return power_partials(a, p);
    case Op::step: return math::ramp_partials<RampShape::cubic>(a, p);
    case Op::step5: return math::ramp_partials<RampShape::quintic>(a, p);
    case Op::havsin: return math::ramp_partials<RampShape::haversine>(a, p);
    case Op::impact: return math::impact_partials(a, p, i.param != 0);
    case Op::bistop: return math::bistop_partials(a, p, i.param != 0);
    case Op::shf: return math::shf_partials(a, p);
    case Op::poly: return math::poly_partials(a, i.count, p);
    case Op::cheby: return math::cheby_partials(a, i.count, p);
    case Op::forcos: return math::fourier_partials<true>(a, i.count, p);
    case Op::forsin: return math::fourier_partials<false>(a, i.count, p);
    case Op::sweep: return math::sweep_partials(a, p);
    default: return table_value(tables[i.param], i.op, a, p);
  }
}

inline double listed_value_only(const Instruction& i, const BoundTable* tables, const double* a) {
  using math::RampShape;
  const std::size_t n = i.count;
  switch (i.op) {
    case Op::power: return std::pow(a[0], a[1]);
    case Op::step: return math::ramp<RampShape::cubic>(a);
    case Op::step5: return math::ramp<RampShape::quintic>(a);
    case Op::havsin: return math::ramp<RampShape::haversine>(a);
    case Op::impact: return math::impact(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
    case Op::bistop: return math::bistop(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    case Op::shf: return math::shf(a[0], a[1], a[2], a[3], a[4], a[5]);
    case Op::poly: return math::poly(a[0], a[1], {a + 2, n - 2});
    case Op::cheby: return math::cheby(a[0], a[1], {a + 2, n - 2});
    case Op::forcos: return math::forcos(a[0], a[1], a[2], {a + 3, n - 3});
    case Op::forsin: return math::forsin(a[0], a[1], a[2], {a + 3, n - 3});
    case Op::sweep: return math::sweep(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
    default: return table_value_only(tables[i.param], i.op, a);
  }
}

// a/b, and 0 where both vanish, as the commercial solver's results have it: no direction, no force, no derivative.
template <class T> bool is_nothing_by_nothing(const T& a, const T& b) {
  return math::value_of(b) == 0.0 && math::value_of(a) == 0.0;
}
// A factor of exactly zero is stronger than an infinite slope: (x**2)**0.5 has the slope 0 at x = 0.
inline double times(double slope, double factor) { return factor == 0.0 ? 0.0 : slope * factor; }
inline math::Dual times(math::Dual slope, math::Dual factor) {
  if (math::is_zero(factor)) return math::Dual(0.0);
  return {times(slope.v, factor.v), slope.d * factor.v + slope.v * factor.d};
}

// Block of an IF to run: 0, 1, 2 for test < 0, = 0, > 0; 3 for NaN.
inline std::uint32_t chosen_block(double test) {
  return test < 0.0 ? 0u : test == 0.0 ? 1u : test > 0.0 ? 2u : 3u;
}

template <class T, bool kPartials>
void forward(const Instruction* code, std::size_t size, const std::uint32_t* arguments,
             const BoundTable* tables, T* v, T* p) {
  using math::value_of;
  using std::acos, std::asin, std::atan, std::cos, std::cosh, std::exp, std::log, std::sin, std::sinh,
      std::sqrt, std::tan, std::tanh, std::atan2, std::pow;
  for (std::size_t pc = 0; pc < size; ++pc) {
    const Instruction& i = code[pc];
    switch (i.op) {
      case Op::add: v[i.dst] = v[i.a] + v[i.b]; break;
      case Op::sub: v[i.dst] = v[i.a] - v[i.b]; break;
      case Op::mul: v[i.dst] = v[i.a] * v[i.b]; break;
      case Op::div: v[i.dst] = is_nothing_by_nothing(v[i.a], v[i.b]) ? T(0.0) : v[i.a] / v[i.b]; break;
      case Op::atan2: v[i.dst] = atan2(v[i.a], v[i.b]); break;
      case Op::mod: {
        const T a = v[i.a], b = v[i.b];
        const double remainder = std::fmod(value_of(a), value_of(b));
        T result = a - std::trunc(value_of(a) / value_of(b)) * b;
        if constexpr (std::is_same_v<T, double>) {
          result = remainder;
        } else {
          result.v = remainder;
        }
        v[i.dst] = result;
        break;
      }
      case Op::sign: {
        const bool negative = (value_of(v[i.a]) < 0.0) != (value_of(v[i.b]) < 0.0);
        v[i.dst] = negative ? -v[i.a] : v[i.a];
        if (value_of(v[i.b]) != value_of(v[i.b])) v[i.dst] = v[i.b];
        break;
      }
      case Op::dim: v[i.dst] = value_of(v[i.a]) <= value_of(v[i.b]) ? T(0.0) : v[i.a] - v[i.b]; break;
      case Op::max:  // the first of equals; a NaN in either wins
        v[i.dst] =
            value_of(v[i.a]) >= value_of(v[i.b]) || value_of(v[i.a]) != value_of(v[i.a]) ? v[i.a] : v[i.b];
        break;
      case Op::min:
        v[i.dst] =
            value_of(v[i.a]) <= value_of(v[i.b]) || value_of(v[i.a]) != value_of(v[i.a]) ? v[i.a] : v[i.b];
        break;
      case Op::neg: v[i.dst] = -v[i.a]; break;
      case Op::abs:
        if constexpr (kPartials) p[i.partial] = T(value_of(v[i.a]) < 0.0 ? -1.0 : 1.0);
        v[i.dst] = value_of(v[i.a]) < 0.0 ? -v[i.a] : v[i.a];
        break;
      case Op::aint:
        if constexpr (kPartials) p[i.partial] = T(0.0);
        v[i.dst] = T(std::trunc(value_of(v[i.a])));
        break;
      case Op::anint:
        if constexpr (kPartials) p[i.partial] = T(0.0);
        v[i.dst] = T(std::round(value_of(v[i.a])));
        break;
      case Op::ceil:
        if constexpr (kPartials) p[i.partial] = T(0.0);
        v[i.dst] = T(std::ceil(value_of(v[i.a])));
        break;
      case Op::floor:
        if constexpr (kPartials) p[i.partial] = T(0.0);
        v[i.dst] = T(std::floor(value_of(v[i.a])));
        break;
      case Op::acos:
        if constexpr (kPartials) p[i.partial] = T(-1.0) / sqrt((1.0 - v[i.a]) * (1.0 + v[i.a]));
        v[i.dst] = acos(v[i.a]);
        break;
      case Op::asin:
        if constexpr (kPartials) p[i.partial] = T(1.0) / sqrt((1.0 - v[i.a]) * (1.0 + v[i.a]));
        v[i.dst] = asin(v[i.a]);
        break;
      case Op::atan:
        if constexpr (kPartials) p[i.partial] = T(1.0) / (1.0 + v[i.a] * v[i.a]);
        v[i.dst] = atan(v[i.a]);
        break;
      case Op::cos: {
        const T x = v[i.a];
        if constexpr (kPartials) p[i.partial] = -sin(x);
        v[i.dst] = cos(x);
        break;
      }
      case Op::sin: {
        const T x = v[i.a];
        if constexpr (kPartials) p[i.partial] = cos(x);
        v[i.dst] = sin(x);
        break;
      }
      case Op::cosh:
        if constexpr (kPartials) p[i.partial] = sinh(v[i.a]);
        v[i.dst] = cosh(v[i.a]);
        break;
      case Op::sinh:
        if constexpr (kPartials) p[i.partial] = cosh(v[i.a]);
        v[i.dst] = sinh(v[i.a]);
        break;
      case Op::exp:
        v[i.dst] = exp(v[i.a]);
        if constexpr (kPartials) p[i.partial] = v[i.dst];
        break;
      case Op::log:
        if constexpr (kPartials) p[i.partial] = T(1.0) / v[i.a];
        v[i.dst] = log(v[i.a]);
        break;
      case Op::log10:
        if constexpr (kPartials) p[i.partial] = T(std::numbers::log10e) / v[i.a];
        v[i.dst] = lift(std::log10(value_of(v[i.a])), std::numbers::log10e / value_of(v[i.a]), v[i.a]);
        break;
      case Op::sqrt:
        v[i.dst] = sqrt(v[i.a]);
        if constexpr (kPartials) p[i.partial] = T(0.5) / v[i.dst];
        break;
      case Op::tan:
        v[i.dst] = tan(v[i.a]);
        if constexpr (kPartials) p[i.partial] = 1.0 + v[i.dst] * v[i.dst];
        break;
      case Op::tanh:
        v[i.dst] = tanh(v[i.a]);
        if constexpr (kPartials) p[i.partial] = 1.0 - v[i.dst] * v[i.dst];
        break;
      case Op::power_integer: {
        const int n = static_cast<int>(i.param);
        if constexpr (kPartials) p[i.partial] = static_cast<double>(n) * math::integer_power(v[i.a], n - 1);
        v[i.dst] = math::integer_power(v[i.a], n);
        break;
      }
      case Op::power_constant:
        v[i.dst] = pow(v[i.a], v[i.b]);
        if constexpr (kPartials) {
          // v/x saves the second power; at x = 0 only the power itself knows whether the slope is 0, 1 or
          // infinite.
          p[i.partial] =
              value_of(v[i.a]) == 0.0 ? v[i.b] * pow(v[i.a], v[i.b] - 1.0) : v[i.b] * v[i.dst] / v[i.a];
        }
        break;
      case Op::power:
      case Op::step:
      case Op::step5:
      case Op::havsin:
      case Op::impact:
      case Op::bistop:
      case Op::shf:
      case Op::poly:
      case Op::cheby:
      case Op::forcos:
      case Op::forsin:
      case Op::sweep:
      case Op::surface:
      case Op::curve:
      case Op::signal: {
        T a[kMaxListed];
        for (std::size_t k = 0; k < i.count; ++k) a[k] = v[arguments[i.a + k]];
        if constexpr (kPartials) {
          v[i.dst] = listed_value(i, tables, a, p + i.partial);
        } else {
          v[i.dst] = listed_value_only(i, tables, a);
        }
        break;
      }
      case Op::branch: {
        const std::uint32_t block = chosen_block(value_of(v[i.a]));
        if (block == 3) {
          for (std::uint32_t k = 0; k < i.count; ++k)
            v[i.dst + k] = T(std::numeric_limits<double>::quiet_NaN());
        }
        pc = arguments[i.b +
                       block];  // a begin or the join: both do nothing, so being moved past them is right
        break;
      }
      case Op::move: v[i.dst] = v[i.a]; break;
      case Op::jump: pc = i.a; break;
      case Op::begin:
      case Op::join: break;
    }
  }
}

// Adds to adj[s] the derivative of Σ adj[output] by slot s. adj must hold the seeds and zeros.
template <class T>
void reverse(const Instruction* code, std::size_t size, const std::uint32_t* arguments, const T* v,
             const T* p, T* adj) {
  using math::value_of;
  for (std::size_t pc = size; pc-- > 0;) {
    const Instruction& i = code[pc];
    if (i.op >= Op::branch) {
      if (i.op == Op::join) {
        const std::uint32_t block = chosen_block(value_of(v[i.a]));
        if (block == 3) adj[i.a] += v[i.a];                  // NaN in, NaN out
        pc = block == 3 ? i.b : arguments[i.param + block];  // a jump, or the branch: nothing to do there
      } else if (i.op == Op::begin) {
        pc = i.a;
      } else if (i.op == Op::move) {
        adj[i.a] += adj[i.dst];
      }
      continue;
    }
    const T g = adj[i.dst];
    if (math::is_zero(g)) continue;  // also keeps 0 × ∞ from spoiling what does not matter
    switch (i.op) {
      case Op::add:
        adj[i.a] += g;
        adj[i.b] += g;
        break;
      case Op::sub:
        adj[i.a] += g;
        adj[i.b] -= g;
        break;
      case Op::mul:
        adj[i.a] += times(g, v[i.b]);
        adj[i.b] += times(g, v[i.a]);
        break;
      case Op::div: {
        if (is_nothing_by_nothing(v[i.a], v[i.b])) break;
        const T q = g / v[i.b];
        adj[i.a] += q;
        adj[i.b] -= q * v[i.dst];
        break;
      }
      case Op::atan2: {
        const T r = g / (v[i.a] * v[i.a] + v[i.b] * v[i.b]);
        adj[i.a] += r * v[i.b];
        adj[i.b] -= r * v[i.a];
        break;
      }
      case Op::mod:
        adj[i.a] += g;
        adj[i.b] -= g * T(std::trunc(value_of(v[i.a]) / value_of(v[i.b])));
        break;
      case Op::sign: adj[i.a] += (value_of(v[i.a]) < 0.0) != (value_of(v[i.b]) < 0.0) ? -g : g; break;
      case Op::dim:
        if (!(value_of(v[i.a]) <= value_of(v[i.b]))) {
          adj[i.a] += g;
          adj[i.b] -= g;
        }
        break;
      case Op::max:
        adj[value_of(v[i.a]) >= value_of(v[i.b]) || value_of(v[i.a]) != value_of(v[i.a]) ? i.a : i.b] += g;
        break;
      case Op::min:
        adj[value_of(v[i.a]) <= value_of(v[i.b]) || value_of(v[i.a]) != value_of(v[i.a]) ? i.a : i.b] += g;
        break;
      case Op::neg: adj[i.a] -= g; break;
      default:
        if (i.op <= Op::power_constant) {
          adj[i.a] += times(g, p[i.partial]);
        } else {
          for (std::uint32_t k = 0; k < i.count; ++k) adj[arguments[i.a + k]] += times(g, p[i.partial + k]);
        }
        break;
    }
  }
}

}  // namespace trunnion::expr
