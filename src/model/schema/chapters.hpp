#pragma once
// The chapters of the schema table, one file each beside this one.

#include <vector>

#include "model/schema.hpp"

namespace trunnion::model {

std::vector<Schema> body_schemas();
std::vector<Schema> constraint_schemas();
std::vector<Schema> force_schemas();
std::vector<Schema> contact_schemas();  // the part of force_schemas() about surfaces that touch or rub
std::vector<Schema> state_schemas();
std::vector<Schema> output_schemas();
std::vector<Schema> setting_schemas();
std::vector<Schema> command_schemas();

}  // namespace trunnion::model
