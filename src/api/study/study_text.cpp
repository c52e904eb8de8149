#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "api/study/study.hpp"

namespace trunnion::api {

namespace {

std::string setting(const StudyRun& run) {
  return run.h > 0 ? fmt::format("H={:g}", run.h) : fmt::format("ERROR={:g}", run.error);
}

std::string line(const StudyRun& run) {
  const double per_step =
      run.steps > 0 ? static_cast<double>(run.iterations) / static_cast<double>(run.steps) : 0;
  std::string out = fmt::format("{:16} {:13}", run.formula.name(), setting(run));
  if (!run.done) return out + " failed: " + run.failure + "\n";
  return out + fmt::format(" {:9.2e} {:9.2e} {:9.2e} {:9.2e}  {:17} {:10.1e} {:8} {:6.2f} {:8} {:9.3g}\n",
                           run.off.q, run.off.v, run.off.a, run.off.lambda, orders_of(run), run.energy,
                           run.steps, per_step, run.matrices, run.seconds);
}

}  // namespace

std::string orders_of(const StudyRun& run) {
  if (!run.order) return "";
  const auto cell = [](double order) {
    if (order == kAtRounding) return std::string("rnd");
    return std::isfinite(order) ? fmt::format("{:.1f}", order) : "-";
  };
  const Off& order = *run.order;
  if (std::min({order.q, order.v, order.a, order.lambda}) == kAtRounding) return "at rounding";
  return fmt::format("{} {} {} {}", cell(order.q), cell(order.v), cell(order.a), cell(order.lambda));
}

std::string study_text(const Study& study) {
  std::string said;
  for (const std::string& message : study.messages) said += message + "\n";
  if (study.runs.empty()) return said;
  std::string out = study.motion + "\n";
  out += fmt::format("{:16} {:13} {:>9} {:>9} {:>9} {:>9}  {:17} {:>10} {:>8} {:>6} {:>8} {:>9}\n", "formula",
                     "setting", "q", "v", "a", "lambda", "order q v a λ", "energy", "steps", "iter.",
                     "matrices", "CPU s");
  for (const StudyRun& run : study.runs) out += line(run);
  out += fmt::format(
      "\nreference: {} {}, changed by {:.1e} (q), {:.1e} (v), {:.1e} (a), {:.1e} (λ) when made finer\n",
      study.reference.formula.name(), setting(study.reference), study.reference_off.q, study.reference_off.v,
      study.reference_off.a, study.reference_off.lambda);
  out +=
      "errors: the largest of all rows over the largest value of that kind; energy: what nothing explains, "
      "over the "
      "motion's; iter.: a step; order -: an error within five times the changes of the reference; rnd: and "
      "that is rounding, it does not fall with the step\n";
  return out + said;
}

std::string study_csv(const Study& study) {
  std::string out =
      "formula,rho_inf,formulation,h,error,done,error_q,error_v,error_a,error_lambda,order_q,order_v,order_a,"
      "order_lambda,"
      "energy,steps,iterations,evaluations,matrices,cpu_seconds,failure\n";
  for (const StudyRun& run : study.runs) {
    const auto number = [](bool there, double x) {
      return there ? fmt::format("{:.10g}", x) : std::string();
    };
    const bool rho = run.formula.entry().damping == formulas::Damping::rho;
    std::string why = run.failure;
    for (char& c : why) c = c == '"' ? '\'' : c == '\n' ? ' ' : c;
    const auto order = [&](double Off::*kind) {
      return number(run.order && std::isfinite((*run.order).*kind), run.order.value_or(Off{}).*kind);
    };
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.6g},\"{}\"\n",
                       run.formula.entry().keyword, number(rho, run.formula.rho_used()),
                       run.formula.formulation(), number(run.h > 0, run.h), number(run.error > 0, run.error),
                       run.done ? 1 : 0, number(run.done, run.off.q), number(run.done, run.off.v),
                       number(run.done, run.off.a), number(run.done, run.off.lambda), order(&Off::q),
                       order(&Off::v), order(&Off::a), order(&Off::lambda), number(run.done, run.energy),
                       run.steps, run.iterations, run.evaluations, run.matrices, run.seconds, why);
  }
  return out;
}

}  // namespace trunnion::api
