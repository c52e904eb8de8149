#pragma once
// `trunnion formulas`: the catalogue for people who have to choose, and for programs.

#include <string>
#include <string_view>

namespace trunnion::api {

// A line each.
std::string formula_list();
// Facts, numbers and the conditions they meet; empty where no formula has that name. `rho` below zero: as the formula has it.
std::string formula_details(std::string_view keyword, double rho);
// All of them, or where a name is given one with its numbers and conditions; empty where no formula has it.
std::string formulas_json(std::string_view keyword, double rho);
std::string nearest_formula(std::string_view keyword);

}  // namespace trunnion::api
