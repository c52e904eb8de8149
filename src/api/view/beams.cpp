#include "api/view/beams.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "system/beam_mesh.hpp"

namespace trunnion::api {

using Json = nlohmann::ordered_json;
using model::kind_of;

namespace {

Json numbers(const std::optional<Section>& s) {
  if (!s) return nullptr;
  return {s->round ? 1 : 0, static_cast<float>(s->y), static_cast<float>(s->z)};
}

// Where the axis goes from a node, in its axes: x unless nodes are put otherwise.
Json directions(const system::System& system, const system::BeamInfo& info) {
  Json out = Json::array();
  bool along_x = true;
  for (std::size_t k = 0; k < info.count; ++k) {
    const elements::BeamElement& element = system.beam_elements()[info.first + k];
    const math::Vec3& t = element.tangent;
    constexpr double kSame = 1e-6;
    along_x = along_x && (t - math::Vec3::UnitX()).norm() < kSame;
    for (int s = 0; s < element.segments(); ++s) out.push_back({t.x(), t.y(), t.z()});
  }
  return along_x ? Json::array() : out;
}

}  // namespace

// Bending with the stretch left free: about the centroid, wherever the axis is.
std::optional<Section> section_of(const elements::BeamCrossSection& section, double youngs) {
  const math::Mat6& K = section.K;
  const double ea = K(0, 0), ei_y = K(4, 4) - K(0, 4) * K(0, 4) / ea, ei_z = K(5, 5) - K(0, 5) * K(0, 5) / ea;
  if (!(ea > 0) || !(ei_y > 0) || !(ei_z > 0) || !std::isfinite(ea + ei_y + ei_z)) return {};
  model::Beam beam;
  // Of an unknown material a solid rectangle or disc with these radii of gyration: A = 4π I/A of a disc.
  const double area = youngs > 0 ? ea / youngs : 4 * M_PI * ei_y / ea;
  beam.area = area;
  beam.iyy = area * ei_y / ea;
  beam.izz = area * ei_z / ea;
  return section_of(beam);
}

void beams(Json& scene, const model::Model& model, const system::System& system, const std::string& folder,
           const std::function<int(assembly::BlockId)>& body) {
  Json list = Json::array();
  core::Diagnostics said_before;
  system::Frames frames(model, said_before);
  for (const system::BeamInfo& info : system.beams()) {
    const auto* part = model.find<model::FePart>(info.id);
    Json nodes = Json::array(), names = Json::array(), sections = Json::array();
    for (std::size_t k = 0; k < info.count; ++k) {
      const elements::BeamElement& element = system.beam_elements()[info.first + k];
      for (int n = k == 0 ? 0 : 1; n < element.count; ++n)
        nodes.push_back(body(element.nodes[static_cast<std::size_t>(n)]));
    }
    for (const std::string& name : info.node_names) names.push_back(name);
    const auto mesh =
        part ? system::make_beam_mesh(model, *part, frames.body({kind_of<model::FePart>(), info.id}), folder,
                                      said_before)
             : std::nullopt;
    const model::Material* material = part && !part->section.empty() ? model.find(part->material) : nullptr;
    const double youngs = material ? material->youngs_modulus.value_or(0) : 0.0;
    for (std::size_t k = 0; mesh && k < mesh->nodes.size(); ++k)
      sections.push_back(numbers(section_of(mesh->nodes[k].section, youngs)));
    // One for all where all are the same.
    bool same = !sections.empty();
    for (const Json& section : sections) same = same && section == sections[0];
    if (same) sections = Json::array({sections[0]});
    list.push_back({{"name", info.label},
                    {"channel", fmt::format("FE_PART/{}", info.id)},
                    {"nodes", std::move(nodes)},
                    {"names", std::move(names)},
                    {"sections", std::move(sections)},
                    {"directions", directions(system, info)}});
  }
  scene["beams"] = std::move(list);
}

}  // namespace trunnion::api
