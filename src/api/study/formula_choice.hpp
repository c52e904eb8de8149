#pragma once
// A formula as command lines name it: NAME, NAME:RHO, NAME:SI2, NAME:RHO:SI2.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formulas/catalogue.hpp"

namespace trunnion::api {

struct FormulaChoice {
  int index = 0;              // in the catalogue
  std::optional<double> rho;  // unless given: the formula's own
  bool si2 = false;
  const formulas::Entry& entry() const { return formulas::entry(index); }
  double rho_used() const;
  std::string name() const;  // as it was given
  std::string_view formulation() const;
};

// Empty where the text is none; `why` then says what was expected.
std::optional<FormulaChoice> formula_choice(std::string_view text, std::string& why);
// Several, between commas.
std::optional<std::vector<FormulaChoice>> formula_choices(std::string_view text, std::string& why);

}  // namespace trunnion::api
