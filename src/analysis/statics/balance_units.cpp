#include "analysis/statics/balance_units.hpp"

#include <fmt/format.h>

namespace trunnion::analysis {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

// Balances of lengths are forces, those of angles torques; equations of states are neither.
bool is_force(assembly::Quantity quantity) { return quantity != assembly::Quantity::number; }

}  // namespace

double in_user_units(const system::System& system, int entry, double balance) {
  return is_force(system.layout().quantity(entry)) ? balance / system.units().ucf : balance;
}

std::string balance_unit(const system::System& system, int entry) {
  const assembly::Quantity quantity = system.layout().quantity(entry);
  if (!is_force(quantity)) return "";
  const model::UnitSystem& units = system.units();
  if (!units.named()) return system.layout().balance_unit(entry);
  const std::string force = units.force.empty() ? "force" : lower(units.force);
  return quantity == assembly::Quantity::length ? force : force + "*" + lower(units.length);
}

std::string balance_text(const system::System& system, int entry, double balance) {
  const std::string unit = balance_unit(system, entry);
  return fmt::format("{:.4g}{}{}", in_user_units(system, entry, balance), unit.empty() ? "" : " ", unit);
}

}  // namespace trunnion::analysis
