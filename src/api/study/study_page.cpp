#include <cmath>

#include <fmt/format.h>

#include "api/study/plain_page.hpp"
#include "api/study/study.hpp"
#include "results/read/plot.hpp"

namespace trunnion::api {

namespace {

// Error over work, both as powers of ten: one curve a formula.
std::vector<results::Curve> work_precision(const Study& study, const char* what, double Off::*error) {
  std::vector<results::Curve> curves;
  for (const StudyRun& run : study.runs) {
    if (!run.done || !(run.off.*error > 0) || !(run.seconds > 0)) continue;
    const std::string name = run.formula.name();
    if (curves.empty() || curves.back().name != name) curves.push_back({name, what, {}, {}});
    curves.back().x.push_back(std::log10(run.seconds));
    curves.back().y.push_back(std::log10(run.off.*error));
  }
  return curves;
}

std::string row_of(const StudyRun& run) {
  const std::string setting =
      run.h > 0 ? fmt::format("H = {:g}", run.h) : fmt::format("ERROR = {:g}", run.error);
  std::string row = fmt::format("<tr><td>{}</td><td>{}</td>", escaped(run.formula.name()), setting);
  if (!run.done) return row + fmt::format("<td colspan=\"9\">failed: {}</td></tr>\n", escaped(run.failure));
  return row + fmt::format(
                   "<td>{:.2e}</td><td>{:.2e}</td><td>{:.2e}</td><td>{:.2e}</td><td>{}</td><td>{:.1e}</"
                   "td><td>{}</td>"
                   "<td>{:.2f}</td><td>{:.3g}</td></tr>\n",
                   run.off.q, run.off.v, run.off.a, run.off.lambda, orders_of(run), run.energy, run.steps,
                   run.steps > 0 ? static_cast<double>(run.iterations) / static_cast<double>(run.steps) : 0.0,
                   run.seconds);
}

}  // namespace

std::string study_page(const Study& study) {
  std::string rows;
  for (const StudyRun& run : study.runs) rows += row_of(run);
  const char* x = "log₁₀ of CPU seconds";
  const std::string drawing = results::stacked(
      {results::svg(work_precision(study, "log₁₀ error q", &Off::q), x, "Work and precision"),
       results::svg(work_precision(study, "log₁₀ error v", &Off::v), x, ""),
       results::svg(work_precision(study, "log₁₀ error λ", &Off::lambda), x, "")});
  return plain_page(
      "Formulas compared: " + study.motion,
      fmt::format("Errors are the largest of all rows over the largest value of that kind, against {}.",
                  study.reference.formula.name()),
      drawing +
          "\n<table><tr><th>formula</th><th>setting</th><th>q</th><th>v</th><th>a</th><th>λ</th>"
          "<th>order q v a λ</th><th>energy</th><th>steps</th><th>iterations a step</th><th>CPU "
          "s</th></tr>\n" +
          rows + "</table>");
}

}  // namespace trunnion::api
