#pragma once
// What the viewer draws of an FE_PART: its nodes, which are bodies of the scene, and the sections swept along them.

#include <functional>

#include <nlohmann/json_fwd.hpp>

#include "api/view/symbols.hpp"
#include "elements/beam_element.hpp"
#include "system/system.hpp"

namespace trunnion::api {

// By the radii of gyration where only stiffnesses are known; `youngs` 0: not known.
std::optional<Section> section_of(const elements::BeamCrossSection& section, double youngs);

// Adds `beams` to a scene; `body` leads from blocks to places in its list of bodies. `folder`: of the model, for MATRIX FILE=.
void beams(nlohmann::ordered_json& scene, const model::Model& model, const system::System& system,
           const std::string& folder, const std::function<int(assembly::BlockId)>& body);

}  // namespace trunnion::api
