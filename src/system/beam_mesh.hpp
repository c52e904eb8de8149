#pragma once
// The nodes of an FE_PART with their cross sections, as its statement, its FE_NODEs and SUBDIVIDE give them.

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "elements/beam_element.hpp"
#include "model/model.hpp"
#include "system/frames.hpp"

namespace trunnion::system {

// The plane that a 2DBEAM stays parallel to, by its normal; nothing for a spatial one.
std::optional<math::Vec3> plane_of(const model::FePart& part);

struct BeamNode {
  std::string name;     // "3"; "3_1" for the first that lies between nodes 3 and the next
  int label = 0;        // 0: only there for SUBDIVIDE
  bool added = false;   // by an FE_NODE, at its S: markers without a place of their own are at the node
  double s = 0.0;       // 0 … 1 along the axis
  assembly::Pose pose;  // unstressed, in ground
  elements::BeamCrossSection section;
};

struct BeamMesh {
  std::vector<BeamNode> nodes;  // along the axis
  int order = 1;                // 2: every second node is half-way along an element of three
  double length = 0.0, mass = 0.0;

  const BeamNode* find(int label) const;  // null: none
};

// Nothing where the data have errors, which are reported. `folder`: of the model, for MATRIX FILE=.
std::optional<BeamMesh> make_beam_mesh(const model::Model& model, const model::FePart& part,
                                       const Frame& X_GB, const std::string& folder,
                                       core::Diagnostics& diagnostics);

// Of a straight, evenly made beam with the mean stiffness and mass of this one, clamped at one end: cycles per time in its weaker plane.
double cantilever_frequency(const BeamMesh& mesh);

}  // namespace trunnion::system
