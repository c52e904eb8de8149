#pragma once
// From Model to System. All that cannot be turned into equations is reported, by statement, with its place.

#include <memory>
#include <vector>

#include "core/diagnostics.hpp"
#include "system/compile/user_library.hpp"
#include "system/system.hpp"

namespace trunnion::system {

// Statements that are left out of the system: switched off by DEACTIVATE.
struct Inactive {
  std::vector<std::pair<model::Kind, int>> statements;
};

// Whether statements of this kind can be switched off at all: constraints, forces, contacts, sensors.
bool can_be_inactive(model::Kind kind);

// Null where there are errors. `time` is where the system will start: angles that a motion drives are counted from there.
std::shared_ptr<const System> compile(const model::Model& model, const Inactive& inactive,
                                      core::Diagnostics& diagnostics, double time = 0,
                                      const UserCode& user = {});

}  // namespace trunnion::system
