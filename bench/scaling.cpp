// The study of scaling, as a page and as the drawing on it:
//   bench_scaling > docs/studies/scaling.md
//   bench_scaling chart > docs/images/scaling.svg
//   bench_scaling beam, a part of docs/studies/crank-beam.md

#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "dynamics/mechanisms.hpp"
#include "run_model.hpp"
#include "solve/ordering.hpp"
#include "solve/scaling_problem.hpp"

namespace trunnion {
namespace {

using test::ScalingProblem;
using Three = std::array<double, 3>;  // without scaling, s = 1, s of Eq. 6

// κ∞ at the end of one second.
Three conditions(double m, double h) {
  ScalingProblem p;
  p.m = m;
  p.h = h;
  p.s = ScalingProblem::physical(m, p.k, h);
  const int steps = static_cast<int>(std::lround(1 / h));
  for (int k = 0; k < steps; ++k) {
    if (p.step(ScalingProblem::pivoted) < 0) return {NAN, NAN, NAN};
  }
  return {p.condition(0), p.condition(1), p.condition(p.s)};
}

struct Row {
  double x;
  Three paper, here;
};

std::vector<Row> steps() {
  std::vector<Row> rows{
      {1e-1, {4e4, 10, 12}, {}},   {5e-2, {6e5, 8.9, 13}, {}},  {1e-2, {3e8, 9.2, 14}, {}},
      {5e-3, {5e9, 9.2, 14}, {}},  {1e-3, {3e12, 9.2, 14}, {}}, {5e-4, {5e13, 9.2, 14}, {}},
      {1e-4, {3e16, 9.2, 14}, {}}, {5e-5, {5e17, 9.2, 14}, {}}, {1e-5, {3e20, 9.2, 14}, {}}};
  for (Row& row : rows) row.here = conditions(1, row.x);
  return rows;
}

// The paper's masses are a tenth of those its numbers belong to: its Table 1 has m = 1 and h = 0.01 too.
std::vector<Row> masses() {
  std::vector<Row> rows{{1e-1, {3e6, 20, 13}, {}},  {1e0, {3e8, 9, 14}, {}},    {1e1, {3e10, 4e2, 14}, {}},
                        {1e2, {3e12, 3e4, 14}, {}}, {1e3, {3e14, 3e6, 14}, {}}, {1e4, {3e16, 3e8, 14}, {}},
                        {1e5, {3e18, 3e10, 14}, {}}};
  for (Row& row : rows) row.here = conditions(row.x, 1e-2);
  return rows;
}

void print(const std::vector<Row>& rows, const char* name) {
  fmt::print(
      "| {} | none: paper | here | s = 1: paper | here | s of Eq. 6: paper | here |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n",
      name);
  for (const Row& r : rows)
    fmt::print("| {:.0e} | {:.0e} | {:.1e} | {:.2g} | {:.3g} | {:.2g} | {:.3g} |\n", r.x, r.paper[0],
               r.here[0], r.paper[1], r.here[1], r.paper[2], r.here[2]);
}

// Of log κ over log x between two rows.
double slope(const Row& a, const Row& b, std::size_t which) {
  return std::log(b.here[which] / a.here[which]) / std::log(b.x / a.x);
}

// Most iterations of a hundred steps with five digits and no pivoting.
std::string outcome(double m, double rho, bool scaled) {
  ScalingProblem p;
  p.m = m;
  p.k = 0;
  p.h = 1e-3;
  p.rho = rho;
  p.v = p.h * Eigen::Vector3d(std::cos(0.3), std::sin(0.3), 1);
  if (scaled) p.s = ScalingProblem::physical(m, p.k, p.h);
  int worst = 0;
  for (int k = 0; k < 100; ++k) {
    const int took = p.step(test::solve_chopped<ScalingProblem::Matrix, ScalingProblem::Vector>, 1e-9, 40);
    if (took < 0)
      return fmt::format("{} in step {}",
                         took == -2 ? "zero pivot" : "factorises, iterations do not converge", k + 1);
    worst = std::max(worst, took);
  }
  return fmt::format("{} iterations a step at most", worst);
}

// Eq. 35, solved without pivoting in five digits.
std::string five_digits(double rho) {
  const double h = 1e-3;
  Eigen::Matrix3d J;
  J << 1, 0, 0, 0, h * h + rho, 1, 0, 1, 0;
  Eigen::Vector3d b(1, 1 + rho, 1), x;
  if (!test::solve_chopped(J, b, x)) return "zero pivot";
  return fmt::format("{:.5g}, {:.5g}, {:.5g}", x[0], x[1], x[2]);
}

// Condition number of a stage's matrix of the program, all masses times `factor`, for a step h of the trapezoidal rule.
double condition(const std::string& text, double factor, bool physical, bool stabilised, double h = 1e-3) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  auto model = lang::read_model(sources, sources.add("model", text), diagnostics);
  api::Session session(model);
  if (!session.assemble()) return NAN;
  const system::System& system = *session.system();
  system::System::Workspace work(system, assembly::AnalysisMode::dynamics);
  solve::LevelMaps maps;
  maps.body = {h * h / 4, h / 2, factor};  // [ fM + vC + qK , Gᵀ ; G , 0 ]
  solve::StageEquations stage(system.layout(), session.place().active, solve::StageEquations::Rows::position,
                              stabilised);
  if (physical) stage.use_physical_scale();
  const Eigen::VectorXd y = Eigen::VectorXd::Zero(system.layout().size());
  stage.evaluate(system, session.place().state, work, maps, true, &y);
  const solve::GroupedOrder order = solve::grouped_order(system.layout(), stage);
  sparse::Factorisation lu;
  if (!lu.analyse(stage.matrix(), sparse::Plan{.order = order.order, .groups = order.groups}) ||
      lu.factor(stage.matrix()) == sparse::FactorStatus::singular)
    return NAN;
  return lu.condition(stage.matrix());
}

// The one freedom of the four-bars, θ of the standing rods: θ'' = k sin θ from θ = 0, θ' = 1, by the classical Runge-Kutta formula.
double exact_angle(int n, double end) {
  const double k = 9.81 * ((n + 1) * 0.5 + n) / ((n + 1) / 3.0 + n);
  constexpr int kSteps = 200000;
  const double h = end / kSteps;
  Eigen::Vector2d y(0, 1);
  const auto f = [&](const Eigen::Vector2d& x) { return Eigen::Vector2d(x[1], k * std::sin(x[0])); };
  for (int i = 0; i < kSteps; ++i) {
    const Eigen::Vector2d a = f(y), b = f(y + h / 2 * a), c = f(y + h / 2 * b), d = f(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y[0];
}

void print_crossing() {
  constexpr int kWindows = 40;
  constexpr double kEnd = 10;
  const double angle = exact_angle(kWindows, kEnd);
  const math::Vec3 exact(0.5 * std::sin(angle), 0.5 * std::cos(angle), 0);
  fmt::print("| INTEGRATOR | steps | iterations | error of the first rod, m |\n| --- | --- | --- | --- |\n");
  for (const char* integrator :
       {"GSTIFF, ERROR=1E-5", "GSTIFF, ERROR=1E-9", "GSTIFF, ERROR=1E-10", "GSTIFF, SI2, ERROR=1E-8",
        "GSTIFF, SI2, ERROR=1E-10", "HHT, ERROR=1E-7", "HHT, ERROR=1E-9", "RADAU5, ERROR=1E-9",
        "RADAU5, SI2, ERROR=1E-9", "ESDIRK46, ERROR=1E-9"}) {
    const bench::Outcome out =
        bench::run(test::four_bars(kWindows, std::string(integrator) + ", INTERPOLATE=ON"), kEnd);
    const auto& r = out.result;
    fmt::print("| {} | {} | {} | {} |\n", integrator, r.loop.counts.steps, r.corrector.iterations,
               out.ok ? fmt::format("{:.1e}", (out.places.front() - exact).norm()) : "stopped");
  }
}

// Both tables, double logarithmic: κ from 1 to 1e22.
void print_chart() {
  constexpr double kWidth = 340, kHeight = 260, kLeft = 50, kTop = 30, kDecades = 22;
  const char* const colours[] = {"#c0392b", "#2471a3", "#1e8449"};
  fmt::print(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"350\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"860\" height=\"350\" fill=\"white\"/>\n");
  const auto panel = [&](double left, const std::vector<Row>& rows, const char* title, const char* label) {
    const double first = std::log10(rows.front().x), last = std::log10(rows.back().x);
    const auto x = [&](double v) { return left + kWidth * (std::log10(v) - first) / (last - first); };
    const auto y = [&](double v) { return kTop + kHeight * (1 - std::log10(v) / kDecades); };
    fmt::print("<text x=\"{}\" y=\"18\">{}</text>\n", left, title);
    fmt::print("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#888\"/>\n", left,
               kTop, kWidth, kHeight);
    for (int d = 0; d <= kDecades; d += 4)
      fmt::print("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">1e{}</text>\n", left - 5,
                 y(std::pow(10, d)) + 4, d);
    for (const Row& r : {rows.front(), rows.back()})
      fmt::print("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{} = {:.0e}</text>\n", x(r.x),
                 kTop + kHeight + 18, label, r.x);
    for (std::size_t k = 0; k < 3; ++k) {
      std::string points;
      for (const Row& r : rows) points += fmt::format("{:.1f},{:.1f} ", x(r.x), y(r.here[k]));
      fmt::print("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points,
                 colours[k]);
      for (const Row& r : rows)
        fmt::print("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"none\" stroke=\"{}\"/>\n", x(r.x),
                   y(r.paper[k]), colours[k]);
    }
  };
  panel(kLeft, steps(), "κ over the step, m = 1", "h");
  panel(kLeft + kWidth + 80, masses(), "κ over the mass, h = 0.01", "m");
  const char* const names[] = {"no scaling", "s = 1", "s = m_r + k_r h²"};
  for (int k = 0; k < 3; ++k)
    fmt::print("<text x=\"{}\" y=\"335\" fill=\"{}\">{}</text>\n", kLeft + 150 * k, colours[k], names[k]);
  fmt::print("<text x=\"{}\" y=\"335\">lines: here; circles: the paper</text>\n</svg>\n", kLeft + 480);
}

// A beam with joints over steps and units: examples/lateral-buckling.
bool print_beam() {
  std::ifstream file(TRUNNION_SOURCE_DIR "/examples/lateral-buckling/lateral_buckling.adm");
  if (!file) {
    fmt::print(stderr, "no examples/lateral-buckling in " TRUNNION_SOURCE_DIR "\n");
    return false;
  }
  std::ostringstream text;
  text << file.rdbuf();
  fmt::print(
      "The mechanism of `examples/lateral-buckling`, all inertia times f; *none*: forces and constraints as "
      "they are, σ: in "
      "units of mass and stiffness ([how](../theory/elimination.md#scaling)).\n\n"
      "| step, s | f = 1: none | σ | f = 1000: none | σ |\n| --- | --- | --- | --- | --- |\n");
  for (const double h : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
    fmt::print("| {:.0e} | {:.1e} | {:.1e} | {:.1e} | {:.1e} |\n", h,
               condition(text.str(), 1, false, false, h), condition(text.str(), 1, true, false, h),
               condition(text.str(), 1e3, false, false, h), condition(text.str(), 1e3, true, false, h));
  return true;
}

void print_page() {
  fmt::print(
      "# Scaling and the augmented Lagrangian term\n\n"
      "Generated by `bench_scaling`; the same numbers are tested by `tests/solve/scaling_test.cpp`, which "
      "says "
      "where the problem comes from. A mass m on a circle, and an angle without inertia that a spring k = 10 "
      "holds, by the mid-point rule: condition number κ∞ of Newton's matrix after one second. *None*: forces "
      "over h², constraints as they are. *s = 1*: forces times h². *s of Eq. 6*: m_r + k_r h², multipliers "
      "and "
      "constraints measured in the mean mass and stiffness as well. The paper does not say where its motion "
      "begins; here φ = 0.3 at rest.\n\n![κ over step and mass](../images/scaling.svg)\n\n");
  const std::vector<Row> by_step = steps(), by_mass = masses();
  fmt::print(
      "## The step\n\nTable 1, m = 1. Without scaling κ grows as h^{:.2f}; with either factor it does not "
      "depend on h.\n\n",
      slope(by_step[4], by_step.back(), 0));
  print(by_step, "h");
  fmt::print(
      "\n## The mass\n\nTable 2, h = 0.01, with the paper's masses times ten, where its Table 1 has the same "
      "numbers. From m = 100 on κ grows as m^{:.2f} without scaling and m^{:.2f} with s = 1: units of mass "
      "decide over it unless they are in the factor.\n\n",
      slope(by_mass[3], by_mass.back(), 0), slope(by_mass[3], by_mass.back(), 1));
  print(by_mass, "m");
  fmt::print(
      "\n## Elimination without pivoting\n\nEq. 35, [1 0 0; 0 h² 1; 0 1 0] x = (1, 1, 1), h = 1e-3, in five "
      "decimal digits, the rest cut off, without pivoting: x = ({}), where (1, 1, 0.999999) is right. With "
      "the "
      "third equation added to the second, which is what ρ = 1 does: ({}).\n\n"
      "Problem II in five digits, each multiplier after the coordinates it holds; h = 1e-3, no spring, so "
      "that "
      "the angle has no pivot of its own. A hundred steps: the three outcomes of the paper's section 9.\n\n"
      "| m | no augmented term | ρ = 1, s = 1 | ρ = 1, s = m_r + k_r h² |\n| --- | --- | --- | --- |\n",
      five_digits(0), five_digits(1));
  for (const double m : {1.0, 3e-4, 1e-4, 5e-5, 1e-5})
    fmt::print("| {:.0e} | {} | {} | {} |\n", m, outcome(m, 0, true), outcome(m, 1, false),
               outcome(m, 1, true));
  fmt::print(
      "\n## The program's own matrices\n\nEstimates of κ₁ of a stage's matrix, h = 1e-3, with all inertia "
      "times "
      "f, without and with σ ([how](../theory/elimination.md#scaling)).\n\n"
      "| model | f | I3: none | σ | SI2: none | σ |\n| --- | --- | --- | --- | --- | --- |\n");
  const std::pair<const char*, std::string> models[] = {{"Andrews' squeezer", test::andrews("HHT")},
                                                        {"10 four-bars", test::four_bars(10, "HHT")},
                                                        {"governor", test::governor("HHT")}};
  for (const auto& [name, text] : models) {
    for (const double f : {1e-6, 1e-3, 1.0, 1e3, 1e6})
      fmt::print("| {} | {:.0e} | {:.1e} | {:.1e} | {:.1e} | {:.1e} |\n", name, f,
                 condition(text, f, false, false), condition(text, f, true, false),
                 condition(text, f, false, true), condition(text, f, true, true));
  }
  fmt::print(
      "\n## Through singular places\n\nForty four-bars (IFToMM A02), spatial revolutes with 120 redundant "
      "rows, 10 s: "
      "ten times all rods lie flat and forty more rows lose their rank at once. Beside the motion of its one "
      "freedom, integrated apart.\n\n");
  print_crossing();
}

}  // namespace
}  // namespace trunnion

int main(int count, char** words) {
  const std::string_view what = count > 1 ? words[1] : "";
  if (what == "chart") trunnion::print_chart();
  else if (what == "beam") return trunnion::print_beam() ? 0 : 1;
  else trunnion::print_page();
  return 0;
}
