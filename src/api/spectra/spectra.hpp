#pragma once
// Spectra of formulas as a table, CSV, a drawing or a page: amplitude decay, period elongation and spectral radius of an undamped
// vibration of period T against Δt/(nT), n the implicit stages of a step (docs/theory/formula-tables.md).

#include <optional>
#include <string>
#include <vector>

#include "api/study/formula_choice.hpp"
#include "formulas/amplification.hpp"

namespace trunnion::api {

struct Spectrum {
  std::string formula;
  double rho = 0;          // spectral radius at infinity
  bool rho_given = false;  // it can be chosen
  std::vector<formulas::SpectrumPoint> points;

  std::string label() const;  // "LMS2 0.6", "ESDIRK34"
};

// Of the program's own formula, driven on an oscillator. Empty where it has none; `why` then says why.
std::optional<Spectrum> driven_spectrum(const FormulaChoice& choice, std::span<const double> x,
                                        std::string& why);

// Where spectra are taken: every 0.005 up to 0.2, then round numbers up to 10.
std::vector<double> spectrum_places();

std::string spectra_table(const std::vector<Spectrum>& spectra);
std::string spectra_csv(const std::vector<Spectrum>& spectra);
std::string spectra_svg(const std::vector<Spectrum>& spectra);
std::string spectra_page(const std::vector<Spectrum>& spectra);

}  // namespace trunnion::api
