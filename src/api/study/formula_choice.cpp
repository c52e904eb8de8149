#include "api/study/formula_choice.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "api/present/formulas.hpp"

namespace trunnion::api {

namespace {

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

double FormulaChoice::rho_used() const { return std::min(rho.value_or(entry().rho), entry().largest_rho); }

std::string FormulaChoice::name() const {
  std::string out(entry().keyword);
  if (rho) out += fmt::format(":{:g}", *rho);
  return out + (si2 && entry().i3 ? ":SI2" : "");
}

std::string_view FormulaChoice::formulation() const {
  if (formulas::on_independent_coordinates(entry())) return "independent";
  if (formulas::is<formulas::AutomaticType>(entry())) return "either";
  if (formulas::index2(entry())) return "I2";
  return si2 ? "SI2" : "I3";
}

std::optional<FormulaChoice> formula_choice(std::string_view text, std::string& why) {
  const std::vector<std::string_view> parts = parts_of(text, ':');
  FormulaChoice choice;
  if (parts[0].empty()) {
    why = "the name of a formula was expected; `trunnion formulas` lists them";
    return {};
  }
  choice.index = formulas::index_of(upper(parts[0]));
  if (choice.index < 0) {
    const std::string near = nearest_formula(parts[0]);
    why = fmt::format("{} is no formula of INTEGRATOR{}; `trunnion formulas` lists them", parts[0],
                      near.empty() ? "" : fmt::format("; did you mean {}?", near));
    return {};
  }
  if (formulas::is<formulas::NotYet>(choice.entry())) {
    why = fmt::format("{} is not in this version", choice.entry().keyword);
    return {};
  }
  choice.si2 = choice.entry().si2 && !choice.entry().i3;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const std::string word = upper(parts[k]);
    if (word == "I3" && !choice.entry().i3) {
      why = fmt::format("{} does not solve index 3; leave I3 out", choice.entry().keyword);
      return {};
    }
    if (word == "I3") continue;
    if (word == "SI2") {
      choice.si2 = true;
      continue;
    }
    double rho = -1;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), rho);
    if (error != std::errc() || rest != word.data() + word.size() || !(rho >= 0 && rho <= 1)) {
      why = fmt::format(
          "{}: after the colon a number from 0 to 1 was expected, the spectral radius RHO, or I3 or SI2",
          text);
      return {};
    }
    choice.rho = rho;
  }
  if (choice.si2 && !choice.entry().si2) {
    why = fmt::format("{}: {} solves index 3 only, not SI2", text, choice.entry().keyword);
    return {};
  }
  if (choice.rho && choice.entry().damping != formulas::Damping::rho) {
    why = fmt::format("{}: {} takes no RHO", text, choice.entry().keyword);
    return {};
  }
  if (choice.rho && *choice.rho > choice.entry().largest_rho) {
    why = fmt::format("{}: {} needs RHO below 1", text, choice.entry().keyword);
    return {};
  }
  return choice;
}

std::optional<std::vector<FormulaChoice>> formula_choices(std::string_view text, std::string& why) {
  std::vector<FormulaChoice> all;
  for (const std::string_view part : parts_of(text, ',')) {
    const std::optional<FormulaChoice> one = formula_choice(part, why);
    if (!one) return {};
    all.push_back(*one);
  }
  return all;
}

}  // namespace trunnion::api
