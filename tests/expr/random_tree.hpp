#pragma once
// Random expression trees for the property tests, with a plain recursive evaluator that shares no code with
// src/. The evaluator runs in double (values) or long double (finite differences with digits to spare) and
// notes when a sample comes near a kink or a pole, where derivatives cannot be compared.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace trunnion::expr::testing {

struct Tree {
  std::string name;  // operator or function; "#" a number, "$" an input
  double number = 0.0;
  int input = 0;
  std::vector<Tree> kids;

  std::string text() const;
};

struct Watch {
  bool near_trouble = false;
  long double largest = 1.0L;  // of all intermediate values: the scale of rounding errors
};

inline const char* const kInputNames[] = {"TIME", "DX(1,2)", "VARVAL(3)", "VX(4,5,6,7)"};
inline constexpr int kInputCount = 4;

// Tables the tests bind: SPLINE/1 holds the cubic below, SPLINE/2 the parabola. The four-point cubic spline
// reproduces cubics, Akima's reproduces parabolas at equal spacing, so both have plain formulas, also beyond
// their ends.
template <class R> R table_cubic(R x) { return 1 + x * (R(-0.5) + x * (R(0.25) - R(0.125) * x)); }
template <class R> R table_parabola(R x) { return 2 + x * (R(0.5) - R(0.375) * x); }

inline std::string Tree::text() const {
  if (name == "#") {
    std::string digits = std::to_string(std::abs(number));  // six decimals; numbers are made to have fewer
    return number < 0 ? "(-" + digits + ")" : digits;
  }
  if (name == "$") return kInputNames[input];
  const auto kid = [&](std::size_t k) { return kids[k].text(); };
  if (name == "+" || name == "-" || name == "*" || name == "/" || name == "**") {
    return "(" + kid(0) + " " + name + " " + kid(1) + ")";
  }
  if (name == "neg") return "(-" + kid(0) + ")";
  if (name == "IF") return "IF(" + kid(0) + ": " + kid(1) + ", " + kid(2) + ", " + kid(3) + ")";
  if (name == "CUBSPL") return "CUBSPL(" + kid(0) + ", 0, 1)";
  if (name == "AKISPL") return "AKISPL(" + kid(0) + ", 0, 2)";
  std::string result = name + "(";
  for (std::size_t k = 0; k < kids.size(); ++k) result += (k == 0 ? "" : ", ") + kid(k);
  return result + ")";
}

template <class R> R evaluate(const Tree& t, const R* in, Watch& w) {
  if (t.name == "#") return R(t.number);
  if (t.name == "$") return in[t.input];
  const std::string& f = t.name;
  const auto arg = [&](std::size_t k) { return evaluate(t.kids[k], in, w); };
  const auto away = [&](R distance) {  // finite differences step up to 1e-3 in each input
    if (!(std::abs(distance) > R(0.02))) w.near_trouble = true;
  };
  const R pi = std::acos(R(-1));
  R y = 0;
  const auto note = [&](R value) {
    if (!std::isfinite(value) || std::abs(value) > R(1e4)) w.near_trouble = true;
    if (std::isfinite(value)) w.largest = std::max<long double>(w.largest, std::abs(value));
    return value;
  };
  if (f == "IF") {
    const R test = arg(0);
    away(test);
    return note(test < 0 ? arg(1) : test == 0 ? arg(2) : arg(3));
  }
  std::vector<R> a;
  for (std::size_t k = 0; k < t.kids.size(); ++k) a.push_back(arg(k));
  const R x = a[0], b = a.size() > 1 ? a[1] : R(0);
  const auto cubic_step = [](R u) { return u <= 0 ? R(0) : u >= 1 ? R(1) : u * u * (3 - 2 * u); };
  const auto contact = [&](R q, R qd, R q1, R k, R e, R c, R d) {
    if (q >= q1) return R(0);
    const R force = k * std::pow(q1 - q, e) - c * cubic_step((q1 - q) / d) * qd;
    away(force);
    return std::max(R(0), force);
  };
  if (f == "+") y = x + b;
  else if (f == "-") y = x - b;
  else if (f == "*") y = x * b;
  else if (f == "/") {
    away(b);
    y = x / b;
  } else if (f == "neg") y = -x;
  else if (f == "**") {
    if (b != std::trunc(b)) away(std::min(x, R(0.02)));
    if (b < 0) away(x);
    y = std::pow(x, b);
  } else if (f == "ABS") {
    away(x);
    y = std::abs(x);
  } else if (f == "ACOS") {
    away(1 - std::abs(x));
    if (std::abs(x) > 1) w.near_trouble = true;
    y = std::acos(x);
  } else if (f == "ASIN") {
    away(1 - std::abs(x));
    if (std::abs(x) > 1) w.near_trouble = true;
    y = std::asin(x);
  } else if (f == "AINT") {
    away(x - std::round(x));
    y = std::trunc(x);
  } else if (f == "ANINT") {
    away(x - std::floor(x) - R(0.5));
    y = std::round(x);
  } else if (f == "CEIL") {
    away(x - std::round(x));
    y = std::ceil(x);
  } else if (f == "FLOOR") {
    away(x - std::round(x));
    y = std::floor(x);
  } else if (f == "ATAN") y = std::atan(x);
  else if (f == "ATAN2") {
    away(std::hypot(x, b));
    if (b < 0) away(x);
    y = std::atan2(x, b);
  } else if (f == "COS") y = std::cos(x);
  else if (f == "COSH") y = std::cosh(x);
  else if (f == "DIM") {
    away(x - b);
    y = x > b ? x - b : R(0);
  } else if (f == "EXP") y = std::exp(x);
  else if (f == "LOG") {
    if (x < R(0.05)) w.near_trouble = true;
    y = std::log(x);
  } else if (f == "LOG10") {
    if (x < R(0.05)) w.near_trouble = true;
    y = std::log10(x);
  } else if (f == "MAX") {
    away(x - b);
    y = std::max(x, b);
  } else if (f == "MIN") {
    away(x - b);
    y = std::min(x, b);
  } else if (f == "MOD") {
    away(b);
    away(x / b - std::round(x / b));
    y = std::fmod(x, b);
  } else if (f == "SIGN") {
    away(x);
    away(b);
    y = b >= 0 ? std::abs(x) : -std::abs(x);
  } else if (f == "SIN") y = std::sin(x);
  else if (f == "SINH") y = std::sinh(x);
  else if (f == "SQRT") {
    if (x < R(0.05)) w.near_trouble = true;
    y = std::sqrt(x);
  } else if (f == "TAN") {
    away(std::cos(x));
    y = std::tan(x);
  } else if (f == "TANH") y = std::tanh(x);
  else if (f == "STEP" || f == "STEP5" || f == "HAVSIN") {
    const R width = a[3] - a[1];
    away(width);
    const R u = (x - a[1]) / width;
    away(u);
    away(u - 1);
    R s = cubic_step(u);
    if (f == "STEP5") s = u <= 0 ? R(0) : u >= 1 ? R(1) : u * u * u * (10 - 15 * u + 6 * u * u);
    if (f == "HAVSIN") s = u <= 0 ? R(0) : u >= 1 ? R(1) : (1 + std::sin(pi * u - pi / 2)) / 2;
    y = a[2] + (a[4] - a[2]) * s;
  } else if (f == "IMPACT") {
    away(a[2] - x);
    away(a[2] - x - a[6]);
    y = contact(x, a[1], a[2], a[3], a[4], a[5], a[6]);
  } else if (f == "BISTOP") {
    away(a[2] - x);
    away(x - a[3]);
    away(a[2] - x - a[7]);
    away(x - a[3] - a[7]);
    y = x < a[2] ? contact(x, a[1], a[2], a[4], a[5], a[6], a[7])
                 : -contact(-x, -a[1], -a[3], a[4], a[5], a[6], a[7]);
  } else if (f == "SHF") y = a[2] * std::sin(a[3] * (x - a[1]) - a[4]) + a[5];
  else if (f == "POLY") {
    for (std::size_t k = 2; k < a.size(); ++k) y += a[k] * std::pow(x - a[1], int(k) - 2);
  } else if (f == "CHEBY") {
    // By the recurrence: cos(j·acos ξ) would need |ξ| ≤ 1.
    const R xi = x - a[1];
    R t0 = 1, t1 = xi;
    for (std::size_t k = 2; k < a.size(); ++k) {
      y += a[k] * t0;
      const R t2 = 2 * xi * t1 - t0;
      t0 = t1;
      t1 = t2;
    }
  } else if (f == "FORCOS" || f == "FORSIN") {
    y = a[3];
    for (std::size_t k = 4; k < a.size(); ++k) {
      const R angle = R(k - 3) * a[2] * (x - a[1]);
      y += a[k] * (f == "FORCOS" ? std::cos(angle) : std::sin(angle));
    }
  } else if (f == "SWEEP") {
    const R x0 = a[2], f0 = a[3], x1 = a[4], f1 = a[5], dx = a[6];
    away(x - x0);
    away(x - x1);
    away(x - x0 - dx);
    const R phase = x < x0   ? f0 * x
                    : x < x1 ? f0 * x + (f1 - f0) * (x - x0) * (x - x0) / (2 * (x1 - x0))
                             : f1 * x - (f1 - f0) * (x0 + x1) / 2;
    const R u = (x - x0) / dx;
    const R r = u <= 0 ? R(0) : u >= 1 ? R(1) : u * u * u * (10 - 15 * u + 6 * u * u);
    y = r * a[1] * std::sin(2 * pi * phase);
  } else if (f == "CUBSPL") y = table_cubic(x);
  else if (f == "AKISPL") y = table_parabola(x);
  else w.near_trouble = true;
  return note(y);
}

class TreeMaker {
 public:
  explicit TreeMaker(std::uint64_t seed) : random_(seed) {}

  double uniform(double low, double high) { return low + (high - low) * (random_() >> 11) * 0x1p-53; }

  Tree make(int depth) {
    if (depth == 0 || pick(8) == 0) return pick(3) == 0 ? number(-3, 3) : input();
    static const char* const kUnary[] = {"neg",  "ABS",  "ACOS", "AINT", "ANINT", "ASIN",   "ATAN",
                                         "CEIL", "COS",  "COSH", "EXP",  "FLOOR", "LOG",    "LOG10",
                                         "SIN",  "SINH", "SQRT", "TAN",  "TANH",  "CUBSPL", "AKISPL"};
    static const char* const kBinary[] = {"+",     "-",   "*",   "/",   "+",   "-",   "*",
                                          "ATAN2", "DIM", "MAX", "MIN", "MOD", "SIGN"};
    switch (pick(8)) {
      case 0:
      case 1: return node(kUnary[pick(21)], {make(depth - 1)});
      case 2:
      case 3:
      case 4: return node(kBinary[pick(13)], {make(depth - 1), make(depth - 1)});
      case 5: return power(depth);
      case 6: return node("IF", {make(depth - 1), make(depth - 1), make(depth - 1), make(depth - 1)});
      default: return shape(depth);
    }
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  Tree number(double low, double high) { return {"#", std::round(uniform(low, high) * 100) / 100, 0, {}}; }
  Tree input() { return {"$", 0.0, pick(kInputCount), {}}; }
  static Tree node(std::string name, std::vector<Tree> kids) {
    return {std::move(name), 0.0, 0, std::move(kids)};
  }
  Tree positive(int depth) { return node("+", {number(0.5, 1), node("ABS", {make(depth)})}); }
  Tree parameter(int depth, double low, double high) {
    return pick(4) == 0 ? make(depth) : number(low, high);
  }

  Tree power(int depth) {
    if (pick(2) == 0) {
      return node("**", {make(depth - 1), {"#", static_cast<double>(pick(9) - 3), 0, {}}});
    }
    Tree exponent = pick(2) == 0 ? number(-2, 3) : make(depth - 1);
    return node("**", {positive(depth - 1), std::move(exponent)});
  }

  Tree shape(int depth) {
    static const char* const kRamps[] = {"STEP", "STEP5", "HAVSIN"};
    const int d = depth - 1;
    switch (pick(9)) {
      case 0:
      case 1:
      case 2:
        return node(kRamps[pick(3)], {make(d), parameter(d, -2, 0), parameter(d, -2, 2), parameter(d, 0.5, 2),
                                      parameter(d, -2, 2)});
      case 3:
        return node("IMPACT", {make(d), make(d), parameter(d, 0, 2), parameter(d, 1, 5), number(1, 3),
                               parameter(d, 0, 1), number(0.1, 1)});
      case 4:
        return node("BISTOP", {make(d), make(d), number(-1, -0.2), number(0.2, 1), parameter(d, 1, 5),
                               number(1, 3), parameter(d, 0, 1), number(0.1, 1)});
      case 5:
        return node("SHF", {make(d), parameter(d, -1, 1), parameter(d, -2, 2), parameter(d, 0, 3),
                            parameter(d, 0, 3), parameter(d, -1, 1)});
      case 6:
        return node(pick(2) ? "POLY" : "CHEBY", {make(d), parameter(d, -1, 1), parameter(d, -1, 1),
                                                 parameter(d, -1, 1), number(-1, 1), number(-1, 1)});
      case 7:
        return node(pick(2) ? "FORCOS" : "FORSIN", {make(d), parameter(d, -1, 1), parameter(d, 0, 2),
                                                    parameter(d, -1, 1), number(-1, 1), number(-1, 1)});
      default:
        return node("SWEEP", {make(d), parameter(d, 0, 2), number(-1, 0), number(0.1, 0.5), number(0.5, 1),
                              number(0.5, 1), number(0.2, 0.8)});
    }
  }

  std::mt19937_64 random_;
};

}  // namespace trunnion::expr::testing
