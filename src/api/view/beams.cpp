#include "api/view/beams.hpp"

#include <cmath>
#include <filesystem>
#include <set>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/view/flexible.hpp"
#include "core/text.hpp"
#include "system/beam_mesh.hpp"
#include "system/compile/matrix_data.hpp"

namespace trunnion::api {

using Json = nlohmann::ordered_json;
using model::kind_of;

namespace {

Json numbers(const std::optional<Section>& s) {
  if (!s) return nullptr;
  return {s->round ? 1 : 0, static_cast<float>(s->y), static_cast<float>(s->z)};
}

// The elements of a beam: one of three nodes takes two of its segments.
std::span<const elements::BeamElement> elements_of(const system::System& system,
                                                   const system::BeamInfo& info) {
  const std::span<const elements::BeamElement> from = std::span(system.beam_elements()).subspan(info.first);
  std::size_t taken = 0, count = 0;
  while (taken < info.count) taken += static_cast<std::size_t>(from[count++].segments());
  return from.first(count);
}

// Where the axis goes from a node, in its axes: x unless nodes are put otherwise.
Json directions(const system::System& system, const system::BeamInfo& info) {
  Json out = Json::array();
  bool along_x = true;
  for (const elements::BeamElement& element : elements_of(system, info)) {
    const math::Vec3& t = element.tangent;
    constexpr double kSame = 1e-6;
    along_x = along_x && (t - math::Vec3::UnitX()).norm() < kSame;
    for (int s = 0; s < element.segments(); ++s) out.push_back({t.x(), t.y(), t.z()});
  }
  return along_x ? Json::array() : out;
}

std::set<int> section_matrices(const model::FePart& part) {
  std::set<int> ids;
  for (const model::RefListBase* list : std::initializer_list<const model::RefListBase*>{
           &part.section_stiffness, &part.section_inertia, &part.section_damping})
    ids.insert(list->ids.begin(), list->ids.end());
  return ids;
}

// Why a matrix is not read; nothing where it is, or stands in the model.
std::string not_read(const model::Matrix& m, const ModelFiles& files) {
  if (!m.file) return {};
  const std::string path = system::matrix_path(*m.file, files.folder);
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return core::printable(*m.file) + " is not there";
  if (!files.allow_outside && !inside_folder(path, files.folder))
    return core::printable(*m.file) + " lies outside of the model's folder; --allow-outside reads it";
  return {};
}

// Why the sections of a beam cannot be had; nothing where they can.
std::string unreadable(const model::Model& model, const model::FePart& part, const ModelFiles& files) {
  for (const int id : section_matrices(part)) {
    const auto* m = model.find<model::Matrix>(id);
    if (std::string why = m ? not_read(*m, files) : ""; !why.empty()) return why;
  }
  return {};
}

std::optional<system::BeamMesh> mesh_of(const model::Model& model, const model::FePart& part,
                                        const system::Frame& X_GB, const ModelFiles& files,
                                        std::vector<std::string>& notes) {
  core::Diagnostics found;
  std::optional<system::BeamMesh> mesh;
  std::string why = unreadable(model, part, files);
  if (why.empty()) {
    mesh = system::make_beam_mesh(model, part, X_GB, files.folder, found);
    for (const core::Diagnostic& d : found.all()) {
      if (d.severity == core::Severity::error && why.empty()) why = d.message;
    }
  }
  if (!mesh)
    notes.push_back(fmt::format("{} is drawn without its sections: {}",
                                label(model::schema_of(kind_of<model::FePart>()), part), why));
  return mesh;
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

namespace {

// Any section, and any curve; open or closed, of any order.
model::Matrix some_section() {
  model::Matrix any;
  any.sparse = true;
  any.rows = any.columns = 6;
  any.i = any.j = {1, 2, 3, 4, 5, 6};
  any.values.assign(6, 1.0);
  return any;
}
model::Matrix some_curve() {
  constexpr int kPoints = 50;
  model::Matrix any;
  any.full = model::Matrix::Order::rows;
  any.rows = kPoints;
  any.columns = 3;
  for (int k = 0; k < kPoints; ++k) {
    const double angle = 2 * M_PI * k / kPoints;
    any.values.insert(any.values.end(), {std::cos(angle), std::sin(angle), 0.0});
  }
  return any;
}

}  // namespace

std::string not_read(const model::Model& model, const model::Curve& curve, const ModelFiles& files) {
  const auto* m = model.find(curve.matrix);
  return m ? not_read(*m, files) : "";
}

model::Model without_files(model::Model model, const ModelFiles& files) {
  std::set<int> sections, curves;
  for (const model::FePart& part : model.all<model::FePart>()) sections.merge(section_matrices(part));
  for (const model::Curve& curve : model.all<model::Curve>()) {
    if (!not_read(model, curve, files).empty()) curves.insert(curve.matrix.id);
  }
  for (model::Matrix& m : model.all<model::Matrix>()) {
    if (!m.file || !(sections.contains(m.id) || curves.contains(m.id))) continue;
    const int id = m.id;
    m = curves.contains(id) ? some_curve() : some_section();
    m.id = id;
  }
  return model;
}

void beams(Json& scene, const model::Model& model, const system::System& system, const ModelFiles& files,
           const std::function<int(assembly::BlockId)>& body, std::vector<std::string>& notes) {
  Json list = Json::array();
  core::Diagnostics said_before;
  system::Frames frames(model, said_before);
  for (const system::BeamInfo& info : system.beams()) {
    const auto* part = model.find<model::FePart>(info.id);
    Json nodes = Json::array(), names = Json::array(), sections = Json::array();
    for (const elements::BeamElement& element : elements_of(system, info)) {
      for (int n = nodes.empty() ? 0 : 1; n < element.count; ++n)
        nodes.push_back(body(element.nodes[static_cast<std::size_t>(n)]));
    }
    for (const std::string& name : info.node_names) names.push_back(name);
    const auto mesh =
        part ? mesh_of(model, *part, frames.body({kind_of<model::FePart>(), info.id}), files, notes)
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
