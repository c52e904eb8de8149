#pragma once
// From a row of the catalogue (formulas/catalogue.hpp) to the formula that runs: one line per family.

#include <memory>

#include "formulas/catalogue.hpp"
#include "integrate/formula.hpp"
#include "integrate/staged.hpp"

namespace trunnion::integrate {

struct FormulaSettings {
  formulas::Parameters parameters;
  bool stabilised = false;  // SI2
  bool index2 = false;      // by the catalogue
  double error = 1e-3;
  int kmax = 6;
  bool constant = false;  // BDF: order and step as given
  Predictor predictor = Predictor::usual;
  AmplitudeTest amplitude = {};
};

// The level at which its stages hold constraints: what the stage solver is to be made with.
inline solve::StageEquations::Rows rows_of(const formulas::Entry& entry) {
  using Rows = solve::StageEquations::Rows;
  return formulas::index2(entry) ? Rows::velocity : Rows::position;
}

// None where this version does not have it.
std::unique_ptr<Formula> make_formula(const formulas::Entry& entry, const assembly::Layout& layout,
                                      const FormulaSettings& settings);

}  // namespace trunnion::integrate
