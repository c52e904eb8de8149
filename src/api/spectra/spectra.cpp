#include "api/spectra/spectra.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "api/study/plain_page.hpp"
#include "results/read/plot.hpp"

namespace trunnion::api {

namespace {

constexpr double kLinear = 0.2;  // up to here decay and elongation are drawn

const formulas::SpectrumPoint& at(const Spectrum& spectrum, double x) {
  return *std::min_element(spectrum.points.begin(), spectrum.points.end(), [x](const auto& p, const auto& q) {
    return std::abs(p.x - x) < std::abs(q.x - x);
  });
}

// What the table shows: a heading and a cell of each spectrum.
struct Column {
  const char* heading;
  double x;
  double formulas::SpectrumPoint::*value;
  int digits;
};
constexpr double formulas::SpectrumPoint::*kDecay = &formulas::SpectrumPoint::decay_percent;
constexpr double formulas::SpectrumPoint::*kElongation = &formulas::SpectrumPoint::elongation_percent;
constexpr double formulas::SpectrumPoint::*kRadius = &formulas::SpectrumPoint::radius;
constexpr Column kColumns[] = {
    {"decay %", 0.02, kDecay, 4},       {"elong. %", 0.02, kElongation, 4}, {"decay %", 0.05, kDecay, 4},
    {"elong. %", 0.05, kElongation, 4}, {"decay %", 0.1, kDecay, 4},        {"elong. %", 0.1, kElongation, 4},
    {"radius", 0.1, kRadius, 5},        {"radius", 1, kRadius, 4},          {"radius", 10, kRadius, 4}};

std::string cell(const Spectrum& spectrum, const Column& column) {
  constexpr double kSame = 1e-9, kWide = 1e4;
  const formulas::SpectrumPoint& point = at(spectrum, column.x);
  if (std::abs(point.x - column.x) > kSame) return "-";  // an explicit formula's, far beyond its stability
  const double value = point.*column.value;
  if (std::abs(value) >= kWide) return fmt::format("{:.1e}", value);
  std::string text = fmt::format("{:.{}f}", value, column.digits);
  const bool zero = text.find_first_not_of("-0.") == std::string::npos;
  return zero && text.front() == '-' ? text.substr(1) : text;
}

results::Curve curve(const Spectrum& spectrum, const char* what, double formulas::SpectrumPoint::*value,
                     bool wide) {
  results::Curve out{spectrum.label(), what, {}, {}};
  for (const formulas::SpectrumPoint& point : spectrum.points) {
    if (!wide && point.x > kLinear * (1 + 1e-9)) break;
    out.x.push_back(wide ? std::log10(point.x) : point.x);
    out.y.push_back(point.*value);
  }
  return out;
}

constexpr const char* kTitle = "Spectra of formulas on an undamped vibration";
}  // namespace

std::string Spectrum::label() const { return rho_given ? fmt::format("{} {:.6g}", formula, rho) : formula; }

std::vector<double> spectrum_places() {
  std::vector<double> x;
  for (int k = 1; k <= 40; ++k) x.push_back(k / 200.0);
  for (const double decade : {0.1, 1.0})
    for (const double mantissa : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
      if (decade * mantissa > kLinear * (1 + 1e-9)) x.push_back(decade * mantissa);
  x.push_back(10);
  return x;
}

std::string spectra_table(const std::vector<Spectrum>& spectra) {
  std::string first = fmt::format("{:<18}{:>8}", "dt/(nT)", ""),
              second = fmt::format("{:<18}{:>8}", "formula", "rho_inf");
  for (const Column& column : kColumns) {
    first += fmt::format("{:>10}", column.x);
    second += fmt::format("{:>10}", column.heading);
  }
  std::string out = first + "\n" + second + "\n";
  for (const Spectrum& spectrum : spectra) {
    out += fmt::format("{:<18}{:>8.6g}", spectrum.formula, spectrum.rho);
    for (const Column& column : kColumns) out += fmt::format("{:>10}", cell(spectrum, column));
    out += "\n";
  }
  return out;
}

std::string spectra_csv(const std::vector<Spectrum>& spectra) {
  std::string out = "formula,rho_inf,x,decay_percent,elongation_percent,radius\n";
  for (const Spectrum& spectrum : spectra)
    for (const formulas::SpectrumPoint& point : spectrum.points)
      // Adding 0 makes −0 a 0.
      out += fmt::format("{},{:.15g},{:.15g},{:.15g},{:.15g},{:.15g}\n", spectrum.formula, spectrum.rho,
                         point.x, point.decay_percent + 0.0, point.elongation_percent + 0.0, point.radius);
  return out;
}

std::string spectra_svg(const std::vector<Spectrum>& spectra) {
  std::vector<results::Curve> low, wide;
  for (const Spectrum& spectrum : spectra) {
    low.push_back(curve(spectrum, "amplitude decay [%]", kDecay, false));
    wide.push_back(curve(spectrum, "spectral radius", kRadius, true));
  }
  for (const Spectrum& spectrum : spectra)
    low.push_back(curve(spectrum, "period elongation [%]", kElongation, false));
  return results::stacked({results::svg(low, "Δt/(nT)", kTitle), results::svg(wide, "log₁₀ Δt/(nT)", "")});
}

std::string spectra_page(const std::vector<Spectrum>& spectra) {
  std::string head = "<th>formula</th>", body;
  for (const Column& column : kColumns) head += fmt::format("<th>{} at {}</th>", column.heading, column.x);
  for (const Spectrum& spectrum : spectra) {
    body += fmt::format("<tr><td>{}</td>", spectrum.label());
    for (const Column& column : kColumns) body += fmt::format("<td>{}</td>", cell(spectrum, column));
    body += "</tr>\n";
  }
  return plain_page(kTitle,
                    "Taken from the program's own steps on a mass with a spring. Δt is the step, n its "
                    "implicit stages, T the "
                    "period; the number after a formula is its spectral radius at infinity.",
                    fmt::format("{}\n<table><tr>{}</tr>\n{}</table>", spectra_svg(spectra), head, body));
}

}  // namespace trunnion::api
