#pragma once
// GRAPHICS/EXTRUSION and REVOLUTION: the solid that a curve sweeps.

#include <memory>
#include <string>

#include "model/output.hpp"

namespace trunnion::math {
class Curve;
class Mesh;
}  // namespace trunnion::math

namespace trunnion::model {
struct Model;
}

namespace trunnion::system {

// The straight pieces of a circle by the fineness that the language has for it: 64 at its default.
int corners_for(const model::Model& model, const model::Graphics& graphics);

bool is_swept(const model::Graphics& graphics);
// In the axes of CM. Null, with the reason, where the curve bounds no solid.
std::shared_ptr<const math::Mesh> swept_solid(const model::Graphics& graphics, const math::Curve& curve,
                                              int corners, std::string& why);

}  // namespace trunnion::system
