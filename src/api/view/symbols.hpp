#pragma once
// What the viewer draws for forces between two markers that the model has no GRAPHICS for: springs, dampers, beams,
// bushings, fields, lines of action. How large is the viewer's affair; only a beam brings its section along.

#include <functional>
#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "model/model.hpp"

namespace trunnion::api {

// A section with the area and moments of a BEAM: its outside, along y and z of the beam's J marker.
struct Section {
  bool round = false;
  double y = 0, z = 0;  // widths; of a round one the diameter, twice
};
// Nothing where the statement does not say enough.
std::optional<Section> section_of(const model::Beam& beam);

// Adds `symbols` to a scene; `marker` leads from ids to places in its list of markers, −1 where there is none.
void symbols(nlohmann::ordered_json& scene, const model::Model& model, const std::function<int(int)>& marker);

}  // namespace trunnion::api
