#include "api/view/scene.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/view/base64.hpp"
#include "api/view/beams.hpp"
#include "api/view/flexible.hpp"
#include "api/view/symbols.hpp"
#include "core/text.hpp"
#include "math/mesh.hpp"
#include "math/shell.hpp"
#include "math/so3.hpp"
#include "results/channels/unit_names.hpp"
#include "system/compile/compile.hpp"
#include "system/swept_solid.hpp"

namespace trunnion::api {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using assembly::MarkerId;
using model::Graphics;
using model::kind_of;

namespace {

Json numbers(const math::Vec3& v) { return {v.x(), v.y(), v.z()}; }
Json numbers(const math::Mat3& R) {
  const Eigen::Quaterniond q(R);
  return {q.x(), q.y(), q.z(), q.w()};
}

template <class Numbers> std::string bytes(const Numbers& numbers) {
  return base64({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers[0]});
}

class SceneMaker {
 public:
  SceneMaker(const model::Model& model, const system::System& system, const std::string& folder,
             bool allow_outside, const std::vector<results::DeformingBody>& flexible)
      : model_(model), system_(system), folder_(folder), allow_outside_(allow_outside), flexible_(flexible) {}

  Json make() {
    out_["title"] = model_.title;
    if (const auto* g = model_.single<model::Accgrav>())
      out_["gravity"] = {g->igrav.value_or(0), g->jgrav.value_or(0), g->kgrav.value_or(0)};
    bodies();
    markers();
    graphics();
    joints();
    forces();
    contacts();
    beams(
        out_, model_, system_, {folder_, allow_outside_},
        [this](assembly::BlockId block) { return place_of(block); }, notes_);
    flexible();
    symbols(out_, model_, [this](int id) { return marker(id); });
    out_["notes"] = notes_;
    return std::move(out_);
  }

 private:
  void bodies() {
    system::System::Workspace work(system_, assembly::AnalysisMode::initial_conditions);
    const assembly::State start = system_.start();
    work.kinematics.update(start, assembly::Level::q);
    Json list = Json::array({{{"name", "ground"}, {"channel", ""}, {"p", {0, 0, 0}}, {"q", {0, 0, 0, 1}}}});
    for (const system::BodyInfo& body : system_.bodies()) {
      const assembly::MarkerMotion& cm = work.kinematics.marker(body.cm);
      places_[body.block.index] = static_cast<int>(list.size());
      list.push_back(
          {{"name", body.label}, {"channel", body.channel}, {"p", numbers(cm.p)}, {"q", numbers(cm.R)}});
    }
    out_["bodies"] = std::move(list);
  }

  void markers() {
    Json list = Json::array();
    for (const model::Marker& m : model_.all<model::Marker>()) {
      const auto found = system_.find_marker(m.id);
      if (!found) continue;
      const assembly::MarkerDef& def = system_.markers()[*found];
      const int body = place_of(def.body);
      math::Vec3 p = def.p_BM;
      math::Mat3 R = def.R_BM;
      if (body > 0) {
        const system::BodyInfo& info = system_.bodies()[static_cast<std::size_t>(body) - 1];
        const assembly::MarkerDef& cm = system_.markers()[info.cm];
        p = cm.R_BM.transpose() * (p - cm.p_BM);
        R = cm.R_BM.transpose() * R;
      }
      marker_places_[m.id] = static_cast<int>(list.size());
      list.push_back({{"id", m.id}, {"name", m.name}, {"body", body}, {"p", numbers(p)}, {"q", numbers(R)}});
    }
    out_["markers"] = std::move(list);
  }

  int place_of(assembly::BlockId block) const {
    const auto found = places_.find(block.index);
    return found == places_.end() ? 0 : found->second;
  }
  // −1 where there is none.
  int marker(int id) const {
    const auto found = marker_places_.find(id);
    return found == marker_places_.end() ? -1 : found->second;
  }

  void graphics() {
    Json list = Json::array();
    for (const Graphics& g : model_.all<Graphics>()) {
      Json shape = describe(g);
      if (shape.is_null()) continue;
      shape["id"] = g.id;
      if (!g.name.empty()) shape["name"] = g.name;
      list.push_back(std::move(shape));
    }
    out_["graphics"] = std::move(list);
  }

  static double value(const std::optional<double>& v, double other = 0) { return v.value_or(other); }

  // More could not be told apart, and would keep the browser busy.
  static constexpr int kCoils = 40, kPieces = 2000;
  int at_most(int most, int wanted, const Graphics& g, const char* what) {
    if (wanted <= most) return wanted;
    notes_.push_back(fmt::format("{}: {} of its {} {} are drawn",
                                 label(model::schema_of(kind_of<Graphics>()), g), most, wanted, what));
    return most;
  }

  Json describe(const Graphics& g) {
    using T = Graphics::Type;
    if (g.outline.given()) {
      Json points = Json::array();
      for (const int id : g.outline.ids) {
        if (marker(id) >= 0) points.push_back(marker(id));
      }
      return {{"type", "outline"}, {"markers", points}};
    }
    const auto at = [&](const char* type, int id) { return Json{{"type", type}, {"marker", marker(id)}}; };
    Json j;
    switch (g.type.value_or(T::point)) {
      case T::box:
        j = at("box", g.corner.id);
        j["size"] = {value(g.x), value(g.y), value(g.z)};
        break;
      case T::cylinder:
        j = at("frustum", g.cm.id);
        j["length"] = value(g.length);
        j["bottom"] = j["top"] = value(g.radius);
        break;
      case T::frustum:
        j = at("frustum", g.cm.id);
        j["length"] = value(g.length);
        j["bottom"] = value(g.bottom);
        j["top"] = value(g.top);
        break;
      case T::ellipsoid:
        j = at("ellipsoid", g.cm.id);
        j["size"] = {value(g.xscale), value(g.yscale), value(g.zscale)};
        break;
      case T::circle:
      case T::arc:
        j = at("arc", g.cm.id);
        j["radius"] = value(g.radius);
        if (g.type == T::arc) j["angle"] = value(g.rangle);
        break;
      case T::torus:
        j = at("torus", g.cm.id);
        j["major"] = value(g.major_radius);
        j["minor"] = value(g.minor_radius);
        break;
      case T::plane:
        j = at("plane", g.rm.id);
        j["range"] = {value(g.xmin), value(g.xmax), value(g.ymin), value(g.ymax)};
        break;
      case T::point: j = at("point", g.rm.id); break;
      case T::spdp:
        j = {{"type", "spdp"}, {"i", marker(g.i.id)}, {"j", marker(g.j.id)}};
        j["coils"] = at_most(kCoils, g.coils.value_or(0), g, "coils");
        j["diameter"] = value(g.da);
        j["damper"] = value(g.db, value(g.dc));
        return j["i"] < 0 || j["j"] < 0 ? Json() : j;
      case T::force:
        j = at("force", g.emarker.id);
        j["channel"] = model::schema_of(model::Kind{g.etype.index}).keyword;
        j["channel"] = j["channel"].get<std::string>() + "/" + std::to_string(g.eid.value_or(0));
        break;
      case T::curve: return curve(g);
      case T::external: return shell(g);
      case T::extrusion:
      case T::revolution: return swept(g);
    }
    return j["marker"] < 0 ? Json() : j;
  }

  // A curve that a PTCV or CVCV uses, as a line of SEG pieces: the system knows it as CURVE(…).
  Json curve(const Graphics& g) {
    const auto* statement = model_.find(g.cid);
    if (!statement || marker(g.crm.id) < 0) return {};
    if (const std::string why = not_read(model_, *statement, {folder_, allow_outside_}); !why.empty()) {
      notes_.push_back(
          fmt::format("{} is not drawn: {}", label(model::schema_of(kind_of<Graphics>()), g), why));
      return {};
    }
    constexpr int kUsual = 200;
    const int pieces = std::max(at_most(kPieces, g.seg.value_or(kUsual), g, "segments"), 2);
    const double from = statement->minpar.value_or(-1), to = statement->maxpar.value_or(1);
    std::vector<std::array<double, 3>> points(static_cast<std::size_t>(pieces) + 1);
    expr::Workspace work;
    for (std::size_t c = 0; c < 3; ++c) {
      auto compiled = expr::compile(fmt::format("CURVE(TIME,0,{},{})", c + 1, g.cid.id));
      if (!compiled.program || !system_.bind(*compiled.program).empty()) return {};
      work.reserve(*compiled.program);
      for (int k = 0; k <= pieces; ++k) {
        const std::vector<double> along{from + (to - from) * k / pieces};
        points[static_cast<std::size_t>(k)][c] = compiled.program->value(along, work);
      }
    }
    return {{"type", "polyline"}, {"marker", marker(g.crm.id)}, {"points", points}};
  }

  // Of a curve that is not read there is another one in its place.
  Json swept(const Graphics& g) {
    const auto* statement = model_.find(g.cid);
    if (!statement || marker(g.cm.id) < 0) return {};
    std::string why = not_read(model_, *statement, {folder_, allow_outside_});
    const math::Curve* curve = system_.tables().curve(g.cid.id);
    if (why.empty() && !curve) why = "its curve is computed by user code";
    const auto mesh =
        why.empty() ? system::swept_solid(g, *curve, system::corners_for(model_, g), why) : nullptr;
    if (!mesh) {
      notes_.push_back(
          fmt::format("{} is not drawn: {}", label(model::schema_of(kind_of<Graphics>()), g), why));
      return {};
    }
    math::Shell shell;
    for (const math::Vec3& p : mesh->points()) {
      for (int k = 0; k < 3; ++k) shell.points.push_back(static_cast<float>(p[k]));
    }
    for (const math::Mesh::Triangle& t : mesh->triangles())
      shell.faces.insert(shell.faces.end(), t.corners.begin(), t.corners.end());
    return shape_of(g, g.cm.id, shell);
  }

  Json shell(const Graphics& g) {
    math::Shell shell;
    std::string error;
    if (!g.file || marker(g.rm.id) < 0) return {};
    const fs::path file = fs::path(folder_) / *g.file;
    std::error_code code;
    if (!allow_outside_ && fs::exists(file, code) && !inside_folder(file.string(), folder_)) {
      notes_.push_back(
          fmt::format("{}: {} is not drawn: it lies outside of the model's folder; --allow-outside draws it",
                      label(model::schema_of(kind_of<Graphics>()), g), core::printable(*g.file)));
      return {};
    }
    if (!math::read_shell(file.string(), shell, error)) return {};
    return shape_of(g, g.rm.id, shell);
  }

  Json shape_of(const Graphics& g, int marker_id, const math::Shell& shell) {
    constexpr std::size_t kMost = std::size_t{96} << 20;  // bytes of all of them that a browser should take
    const std::size_t size =
        shell.points.size() * sizeof shell.points[0] + shell.faces.size() * sizeof shell.faces[0];
    if (shell_bytes_ + size > kMost) {
      notes_.push_back(fmt::format("{}{} is not drawn: with it the page would have {} MB of shapes",
                                   label(model::schema_of(kind_of<Graphics>()), g),
                                   g.file ? ": " + *g.file : "", (shell_bytes_ + size) >> 20));
      return {};
    }
    shell_bytes_ += size;
    return {{"type", "shell"},
            {"marker", marker(marker_id)},
            {"points", bytes(shell.points)},
            {"faces", bytes(shell.faces)}};
  }

  void joints() {
    Json list = Json::array();
    for (const system::Constraint& c : system_.constraints()) {
      Json j{{"name", c.label}, {"channel", keyword(c.kind) + "/" + std::to_string(c.id)}};
      if (c.kind == kind_of<model::Joint>()) {
        const auto* joint = model_.find<model::Joint>(c.id);
        j["i"] = marker(joint->i.id);
        j["j"] = marker(joint->j.id);
        const model::Argument& type = *model::schema_of(c.kind).find("type");
        j["type"] = core::to_lower(type.spelled(joint->type.index));
      }
      list.push_back(std::move(j));
    }
    out_["joints"] = std::move(list);
  }

  void forces() {
    Json list = Json::array();
    const std::map<int, int> ids = marker_ids();
    for (const system::Force& f : system_.forces()) {
      const auto at = ids.find(f.i.index);
      list.push_back(
          {{"name", f.label}, {"channel", f.channel}, {"i", at == ids.end() ? -1 : marker(at->second)}});
    }
    out_["forces"] = std::move(list);
    Json requests = Json::array();
    for (const model::Request& r : model_.all<model::Request>())
      requests.push_back({{"name", label(model::schema_of(kind_of<model::Request>()), r)},
                          {"channel", "REQUEST/" + std::to_string(r.id)},
                          {"comment", r.comment.value_or("")}});
    out_["requests"] = std::move(requests);
  }

  // Of a FLEX_BODY or FE_PART; 0 on other bodies.
  int node_of(int id) const {
    const auto& m = *model_.find<model::Marker>(id);
    return m.node_id ? *m.node_id : m.node_label.value_or(0);
  }
  int node_at(int place) const {
    for (const auto& [id, known] : marker_places_) {
      if (known == place) return node_of(id);
    }
    return 0;
  }

  // The solids of IGEOM are where an arrow ends; the torque is about the marker of the first.
  void contacts() {
    Json list = Json::array();
    const std::map<int, int> ids = marker_ids();
    for (const system::Force& f : system_.forces()) {
      const auto* contact = f.kind == kind_of<model::Contact>() ? model_.find<model::Contact>(f.id) : nullptr;
      const auto at = ids.find(f.i.index);
      if (!contact || at == ids.end()) continue;
      const bool several = f.channel != "CONTACT/" + std::to_string(f.id);  // nodes: one force each
      Json solids = Json::array();
      for (std::size_t k = 0; k < out_["graphics"].size(); ++k) {
        const int id = out_["graphics"][k]["id"].get<int>();
        const std::vector<int>& own = contact->igeom.ids;
        const bool here = !several || node_at(out_["graphics"][k].value("marker", -1)) == node_of(at->second);
        if (here && std::find(own.begin(), own.end(), id) != own.end()) solids.push_back(k);
      }
      list.push_back({{"name", f.label},
                      {"channel", f.channel},
                      {"i", marker(at->second)},
                      {"solids", std::move(solids)}});
    }
    out_["contacts"] = std::move(list);
  }

  // Nodes move with modal coordinates in the body's frame; so do markers that stand on them.
  void flexible() {
    Json list = Json::array();
    const results::UnitNames u = results::unit_names(system_.units());
    for (const results::DeformingBody& b : flexible_) {
      const auto body = std::find_if(out_["bodies"].begin(), out_["bodies"].end(),
                                     [&](const Json& j) { return j["channel"] == b.channel; });
      if (body == out_["bodies"].end() || !b.whole()) continue;
      for (std::size_t k = 0; k < b.markers.size(); ++k) carried_marker(b, k, list.size());
      list.push_back({{"body", body - out_["bodies"].begin()},
                      {"channel", b.channel},
                      {"modes", b.numbers},
                      {"nodes", b.nodes},
                      {"places", bytes(b.places)},
                      {"shapes", bytes(b.shapes)},
                      {"triangles", bytes(b.triangles)},
                      {"lines", bytes(b.lines)},
                      {"stressed", bytes(b.stressed)},
                      {"stresses", bytes(b.stresses)},
                      {"unit", u.force + "/" + u.length + "^2"}});
      for (const std::string& note : b.notes) notes_.push_back(b.channel + ": " + note);
    }
    out_["flexible"] = std::move(list);
  }

  void carried_marker(const results::DeformingBody& b, std::size_t k, std::size_t place) {
    const auto found = marker_places_.find(b.markers[k]);
    const auto* statement = model_.find<model::Marker>(b.markers[k]);
    if (found == marker_places_.end() || !statement) return;
    Json& m = out_["markers"][static_cast<std::size_t>(found->second)];
    const std::span<const float> s(b.stands.data() + 3 * k, 3);
    const std::size_t count = 6 * b.numbers.size();
    const std::span<const float> shapes(b.turns.data() + count * k, count);
    // As the solver places it: on its node, unless the model says where.
    if (statement->qp.empty() && !statement->rm.given()) m["p"] = {s[0], s[1], s[2]};
    m["flexible"] = place;
    m["stand"] = {s[0], s[1], s[2]};
    m["shapes"] = bytes(shapes);
  }

  // The model's number of each marker of the system.
  std::map<int, int> marker_ids() const {
    std::map<int, int> out;
    for (const model::Marker& m : model_.all<model::Marker>()) {
      if (const auto found = system_.find_marker(m.id)) out.emplace(found->index, m.id);
    }
    return out;
  }

  static std::string keyword(model::Kind kind) { return std::string(model::schema_of(kind).keyword); }

  const model::Model& model_;
  const system::System& system_;
  const std::string& folder_;
  bool allow_outside_;
  const std::vector<results::DeformingBody>& flexible_;
  Json out_;
  std::vector<std::string> notes_;
  std::size_t shell_bytes_ = 0;       // of the shapes read from files
  std::map<int, int> places_;         // block → body
  std::map<int, int> marker_places_;  // id → marker
};

}  // namespace

Json scene(const model::Model& model, const std::string& folder, bool allow_outside,
           const std::vector<results::DeformingBody>& flexible) {
  core::Diagnostics diagnostics;
  // Drawn from where the bodies went: user code is not needed, and a file to look at must not run any.
  system::UserCode none;
  none.ignore = true;
  none.look_only = true;
  none.for_drawing = true;
  none.folder = folder;
  const auto system =
      system::compile(without_files(model, {folder, allow_outside}), {}, diagnostics, 0, none);
  if (!system) return {};
  return SceneMaker(model, *system, folder, allow_outside, flexible).make();
}

}  // namespace trunnion::api
