#include <algorithm>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "api/spectra/oscillator.hpp"
#include "api/spectra/spectra.hpp"
#include "formulas/newmark_table.hpp"
#include "integrate/registry.hpp"

namespace trunnion::api {

namespace {

// ρ∞ of a formula that has no RHO to choose it by.
double own_radius(const formulas::Entry& entry, const formulas::Parameters& parameters) {
  if (const auto* newmark = std::get_if<formulas::NewmarkType>(&entry.family))
    return formulas::radius_at_infinity(newmark->table(parameters));
  if (const auto* staged = std::get_if<formulas::StagedType>(&entry.family)) return staged->table(0).rho;
  if (formulas::on_independent_coordinates(entry)) return std::numeric_limits<double>::infinity();
  return entry.rho;
}

}  // namespace

std::optional<Spectrum> driven_spectrum(const FormulaChoice& choice, std::span<const double> x,
                                        std::string& why) {
  const formulas::Entry& entry = choice.entry();
  const auto* adams = std::get_if<formulas::AdamsType>(&entry.family);
  if (formulas::is<formulas::Bdf>(entry) || formulas::is<formulas::AutomaticType>(entry) ||
      (adams != nullptr && !adams->two_loops)) {
    why = fmt::format("{} changes its order as it goes and has no one spectrum; LMS2:0 is BDF of order 2",
                      entry.keyword);
    return {};
  }
  const Oscillator oscillator;
  integrate::FormulaSettings settings;
  settings.parameters.rho = choice.rho_used();
  settings.stabilised = choice.si2;
  const std::unique_ptr<integrate::Formula> formula =
      integrate::make_formula(entry, oscillator.layout(), settings);
  if (!formula) {
    why = fmt::format("{} is not in this version", entry.keyword);
    return {};
  }
  Spectrum spectrum;
  spectrum.formula = entry.keyword;
  spectrum.rho_given = entry.damping == formulas::Damping::rho;
  spectrum.rho = spectrum.rho_given ? choice.rho_used() : own_radius(entry, settings.parameters);
  // Explicit formulas leave the range of numbers within a few long steps.
  double beyond = std::numeric_limits<double>::infinity();
  const auto roots = [&](double omega_h) -> formulas::Roots {
    if (omega_h >= beyond) return {1.0};
    const formulas::Motion motion = oscillator.drive(*formula, choice.si2, omega_h);
    if (!motion.empty()) return formulas::motion_roots(motion);
    if (formulas::on_independent_coordinates(entry)) {
      beyond = omega_h;
      return {1.0};
    }
    why = fmt::format("{}: the corrector failed at h = {:.3g}/omega", choice.name(), omega_h);
    return {1.0};
  };
  why.clear();
  spectrum.points = formulas::spectrum_of(roots, entry.stages, x);
  if (!why.empty()) return {};
  const double known = beyond / (2 * std::numbers::pi * entry.stages);
  std::erase_if(spectrum.points, [known](const auto& point) { return point.x >= known; });
  return spectrum;
}

}  // namespace trunnion::api
