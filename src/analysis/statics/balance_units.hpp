#pragma once
// What is left of a balance, in the user's own units.

#include <string>

#include "system/system.hpp"

namespace trunnion::analysis {

// Forces inside are masses times lengths over times squared; the user's are UNITS/FORCE. States' equations have no unit of force.
double in_user_units(const system::System& system, int entry, double balance);
// "newton", "newton*meter"; "force", "torque" in a model without units; empty for a state's equation.
std::string balance_unit(const system::System& system, int entry);
// "9.81 newton"
std::string balance_text(const system::System& system, int entry, double balance);

}  // namespace trunnion::analysis
