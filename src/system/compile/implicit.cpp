// DIFF/…, IMPLICIT whose FUNCTION does not read its own DIF1: an algebraic equation f(z, …) = 0, so that z is a variable. Where all
// that f reads is TIME and other states, their rates are known and DIF1 is a second variable (elements/rate_law.hpp).

#include <algorithm>

#include <fmt/format.h>

#include "elements/rate_law.hpp"
#include "system/compile/compiler.hpp"

namespace trunnion::system {

using elements::Equation;
using elements::RateLaw;
using elements::Signal;
using expr::InputKind;
using model::kind_of;

Compiler::Implicit Compiler::implicit_kind(const model::Diff& d) const {
  // What dynamics holds is a state, also where statics finds it from an equation without its rate.
  if (!d.implicit || d.dynamic_hold || idle(d) || user_call(d)) return Implicit::rate;
  const expr::CompileResult result = expr::compile(d.function.text);
  if (!result.program || result.program->is_user()) return Implicit::rate;
  const auto inputs = result.program->inputs();
  const bool own_rate = std::any_of(inputs.begin(), inputs.end(), [&](const expr::Input& in) {
    return in.kind == InputKind::diff_rate && in.ids[0] == d.id;
  });
  if (own_rate) return Implicit::rate;
  const bool known = std::all_of(inputs.begin(), inputs.end(), [](const expr::Input& in) {
    return in.kind == InputKind::time || in.kind == InputKind::diff;
  });
  return known ? Implicit::algebraic_with_rate : Implicit::algebraic;
}

// The second variable's equation.
void Compiler::implicit_rate(const model::Diff& d, assembly::BlockId rate) {
  const core::Words owner = name(d);
  const core::Span span = argument_span(d, "FUNCTION");
  const auto compiled = program(d.function, owner, span);
  if (!compiled) return;
  Equation e = elements::make_equation(rate, Equation::Left::none, system_->layout_);
  std::vector<RateLaw::Input> inputs;
  for (const expr::Input& input : compiled->inputs()) {
    auto value = signal(input, owner, span);
    if (!value) return;
    RateLaw::Input in{e.response.signals.add(std::move(*value), system_->layout_, e.columns), RateLaw::kOne};
    if (input.kind == InputKind::diff) {
      auto speed = state_signal(kind_of<model::Diff>(), input.ids[0], assembly::Level::v, owner, span);
      if (!speed) return;
      in.rate = e.response.signals.add(std::move(*speed), system_->layout_, e.columns);
    }
    inputs.push_back(in);
  }
  e.response.law = std::make_shared<RateLaw>(*compiled, std::move(inputs));
  elements::seal(e);
  system_->elements_->equations.push_back(std::move(e));
}

}  // namespace trunnion::system
