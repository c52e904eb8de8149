#include "system/time_function.hpp"

#include <array>

namespace trunnion::system {

math::Jet evaluate(const TimeFunction& function, double t, assembly::AnalysisMode mode,
                   const std::vector<math::Jet>& earlier, TimeWorkspace& work) {
  if (function.user) {
    std::array<double, 3> f{};
    elements::call_at(*function.user, t, f);
    return {f[0], f[1], f[2]};
  }
  if (function.kept >= 0)
    return {work.memory ? (*work.memory)[static_cast<std::size_t>(function.kept)] : 0.0, 0, 0};
  const std::size_t n = function.inputs.size();
  if (work.in.size() < n) work.in.resize(n);
  if (work.gradient.size() < n) work.gradient.resize(n);
  if (work.hessian.size() < n * n) work.hessian.resize(n * n);
  work.expression.reserve(*function.program);
  const auto jet_of = [&](std::size_t k) -> math::Jet {
    const int input = function.inputs[k];
    if (input == TimeFunction::kTime) return {t, 1, 0};
    if (input == TimeFunction::kMode) return {assembly::number(mode), 0, 0};
    return earlier[static_cast<std::size_t>(input)];
  };
  for (std::size_t k = 0; k < n; ++k) work.in[k] = jet_of(k).value;
  math::Jet f;
  f.value = function.program->hessian({work.in.data(), n}, work.expression, {work.gradient.data(), n},
                                      {work.hessian.data(), n * n});
  // Chain rule: f′ = Σ gₖ xₖ′, f″ = Σ gₖ xₖ″ + Σ xₖ′ Hₖₗ xₗ′.
  for (std::size_t k = 0; k < n; ++k) {
    const math::Jet x = jet_of(k);
    f.d1 += work.gradient[k] * x.d1;
    f.d2 += work.gradient[k] * x.d2;
    for (std::size_t l = 0; l < n; ++l) f.d2 += x.d1 * work.hessian[k * n + l] * jet_of(l).d1;
  }
  return f;
}

math::Jet evaluate_alone(const std::vector<TimeFunction>& functions, int which, double t,
                         assembly::AnalysisMode mode, std::vector<math::Jet>& values, TimeWorkspace& work) {
  const TimeFunction& function = functions[static_cast<std::size_t>(which)];
  for (const int k : function.reads) {
    const auto at = static_cast<std::size_t>(k);
    values[at] = evaluate(functions[at], t, mode, values, work);
  }
  return values[static_cast<std::size_t>(which)] = evaluate(function, t, mode, values, work);
}

}  // namespace trunnion::system
