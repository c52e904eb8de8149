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

// Where MATRIX FILE= is looked for, and whether elsewhere than in that folder too.
struct ModelFiles {
  std::string folder;
  bool allow_outside = false;
};

// For a system that is only drawn: in place of the files that beams take their sections from, any section that there can be; in place
// of a curve's that is not to be read, any curve.
model::Model without_files(model::Model model, const ModelFiles& files);
// Why the points of a curve are not read; nothing where they are.
std::string not_read(const model::Model& model, const model::Curve& curve, const ModelFiles& files);

// Adds `beams` to a scene; `body` leads from blocks to places in its list of bodies. A beam whose files cannot be had is drawn
// plainly, and a note says why.
void beams(nlohmann::ordered_json& scene, const model::Model& model, const system::System& system,
           const ModelFiles& files, const std::function<int(assembly::BlockId)>& body,
           std::vector<std::string>& notes);

}  // namespace trunnion::api
