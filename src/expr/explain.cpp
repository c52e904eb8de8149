// Program::trouble: which subexpression has no value, or no derivative, and why.

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/text.hpp"
#include "expr/program.hpp"
#include "expr/sweep.hpp"

namespace trunnion::expr {

namespace {

constexpr std::size_t kLongestShown = 80;

std::string shown(const std::string& text, SourceRange where) {
  std::string part = text.substr(where.offset, where.length);
  if (part.size() > kLongestShown) part.replace(kLongestShown - 3, std::string::npos, "...");
  return core::printable(part);
}

std::string values_text(const std::vector<double>& a) {
  std::string text;
  for (std::size_t k = 0; k < a.size(); ++k) text += fmt::format("{}{:.9g}", k == 0 ? "" : ", ", a[k]);
  return text;
}

// With as many digits as it takes to see that it lies outside of -1 to 1.
std::string outside_one(double x) {
  for (const int digits : {9, 12, 15}) {
    std::string text = fmt::format("{:.{}g}", x, digits);
    if (std::abs(std::stod(text)) > 1) return text;
  }
  return fmt::format("{:.17g}", x);
}

std::string reason(Op op, const std::vector<double>& a, double result) {
  switch (op) {
    case Op::div:
      if (a[1] == 0.0) return fmt::format("division of {:.9g} by zero", a[0]);
      break;
    case Op::mod:
      if (a[1] == 0.0) return fmt::format("MOD of {:.9g} by zero", a[0]);
      break;
    case Op::sqrt: return fmt::format("square root of the negative number {:.9g}", a[0]);
    case Op::log:
    case Op::log10: return fmt::format("logarithm of {:.9g}, which is not positive", a[0]);
    case Op::asin:
    case Op::acos: return fmt::format("the argument is {}, outside of -1 to 1", outside_one(a[0]));
    case Op::power_constant:
    case Op::power:
      if (a[0] < 0.0 && std::isnan(result))
        return fmt::format("the negative number {:.9g} to the power {:.9g}", a[0], a[1]);
      if (a[0] == 0.0) return fmt::format("zero to the power {:.9g}", a[1]);
      break;
    case Op::power_integer:
      if (a[0] == 0.0) return "zero to a negative power";
      break;
    case Op::step:
    case Op::step5:
    case Op::havsin:
      if (a[1] == a[3]) return fmt::format("x0 and x1 are both {:.9g}", a[1]);
      break;
    case Op::surface:
    case Op::curve:
    case Op::signal:
      return fmt::format("the table is missing, or its value at {} is not finite", values_text(a));
    default: break;
  }
  if (std::isinf(result)) return fmt::format("too large to represent, for arguments {}", values_text(a));
  return fmt::format("undefined for arguments {}", values_text(a));
}

}  // namespace

Trouble Program::trouble(std::span<const double> inputs) const {
  using Kind = Trouble::Kind;
  if (is_user_)
    return {Kind::operation, "USER is computed by a user-written subroutine, not by an expression"};
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    if (!std::isfinite(inputs[k]))
      return {Kind::input, fmt::format("{} is {}", inputs_[k].name(),
                                       std::isnan(inputs[k]) ? "not a number" : "infinite")};
  }
  std::vector<double> values(tape_.slot_count), partials(tape_.partial_count);
  load(inputs, values.data());
  run<double, true>(values.data(), partials.data());

  // The way the forward sweep went; every slot on it still holds its value.
  std::string derivative_trouble;
  for (std::size_t pc = 0; pc < tape_.code.size(); ++pc) {
    const Instruction& i = tape_.code[pc];
    if (i.op == Op::branch) {
      pc = tape_.arguments[i.b + chosen_block(values[i.a])];
    } else if (i.op == Op::jump) {
      pc = i.a;
    }
    if (i.op >= Op::branch) continue;
    std::vector<double> a;
    if (i.op >= Op::power) {
      for (std::uint32_t k = 0; k < i.count; ++k) a.push_back(values[tape_.arguments[i.a + k]]);
    } else {
      a.push_back(values[i.a]);
      if (i.op < Op::neg || i.op == Op::power_constant) a.push_back(values[i.b]);
    }
    const double result = values[i.dst];
    if (!std::isfinite(result)) {
      return {Kind::operation,
              fmt::format("{} is {}: {}", shown(text_, tape_.where[pc]),
                          std::isnan(result) ? "not a number" : "infinite", reason(i.op, a, result))};
    }
    const std::uint32_t stored = i.op >= Op::power ? i.count : i.op >= Op::abs ? 1u : 0u;
    for (std::uint32_t k = 0; k < stored && derivative_trouble.empty(); ++k) {
      if (!std::isfinite(partials[i.partial + k])) {
        derivative_trouble =
            fmt::format("{} has no finite derivative by its argument {} where the arguments are {}",
                        shown(text_, tape_.where[pc]), k + 1, values_text(a));
      }
    }
    if (i.op == Op::atan2 && a[0] == 0.0 && a[1] == 0.0 && derivative_trouble.empty()) {
      derivative_trouble = fmt::format("{} has no derivative at (0, 0)", shown(text_, tape_.where[pc]));
    }
  }
  return {derivative_trouble.empty() ? Kind::none : Kind::derivative, derivative_trouble};
}

}  // namespace trunnion::expr
