#include "api/view/symbols.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

namespace trunnion::api {

namespace {

using Json = nlohmann::ordered_json;
using model::kind_of;

class SymbolMaker {
 public:
  SymbolMaker(const model::Model& model, const std::function<int(int)>& marker)
      : model_(model), marker_(marker) {
    for (const model::Graphics& g : model.all<model::Graphics>()) take_drawn(g);
  }

  Json make() {
    for (const model::SpringDamper& s : model_.all<model::SpringDamper>()) {
      if (s.type.given() && s.type.value() == model::Freedom::rotation) add(s, "torsion");
      else add(s, "spring", {{"spring", s.k.value_or(0) != 0}, {"damper", s.c.value_or(0) != 0}});
    }
    for (const model::Beam& b : model_.all<model::Beam>()) add(b, "beam", section(b));
    for (const model::Bushing& b : model_.all<model::Bushing>()) add(b, "bushing");
    for (const model::Field& f : model_.all<model::Field>()) add(f, "field");
    for (const model::Sforce& s : model_.all<model::Sforce>()) {
      const bool turns = s.type.given() && s.type.value() == model::Freedom::rotation;
      if (!turns && !s.actiononly) add(s, "line");
    }
    return std::move(list_);
  }

 private:
  static std::pair<int, int> pair(int a, int b) { return std::minmax(a, b); }

  // Pairs of markers between which the model draws something itself.
  void take_drawn(const model::Graphics& g) {
    if (g.outline.given()) {
      const std::vector<int>& ids = g.outline.ids;
      for (std::size_t k = 1; k < ids.size(); ++k) drawn_.insert(pair(ids[k - 1], ids[k]));
    }
    if (g.type.given() && g.type.value() == model::Graphics::Type::spdp) drawn_.insert(pair(g.i.id, g.j.id));
  }

  static Json section(const model::Beam& beam) {
    const auto s = section_of(beam);
    if (!s) return Json::object();
    return {{"section", {{"round", s->round}, {"y", s->y}, {"z", s->z}}}};
  }

  template <class T> void add(const T& statement, const char* type, Json more = Json::object()) {
    const int i = marker_(statement.i.id), j = marker_(statement.j.id);
    if (i < 0 || j < 0 || drawn_.contains(pair(statement.i.id, statement.j.id))) return;
    const model::Schema& schema = model::schema_of(kind_of<T>());
    Json symbol{{"type", type}, {"name", label(schema, statement)}, {"i", i}, {"j", j}};
    symbol.update(more);
    list_.push_back(std::move(symbol));
  }

  const model::Model& model_;
  const std::function<int(int)>& marker_;
  std::set<std::pair<int, int>> drawn_;
  Json list_ = Json::array();
};

}  // namespace

// A rectangle b × h has A = bh, Izz = hb³/12 across y, Iyy = bh³/12 across z; a tube of radii R, r has A = π(R² − r²),
// I = π(R⁴ − r⁴)/4, so 2R² = 4I/A + A/π. Equal moments: of a disc A²/4π, of a square A²/12; larger ones are a tube's.
std::optional<Section> section_of(const model::Beam& beam) {
  const double area = beam.area.value_or(0), iyy = beam.iyy.value_or(0), izz = beam.izz.value_or(0);
  if (!(area > 0) || !std::isfinite(area) || !std::isfinite(iyy) || !std::isfinite(izz)) return {};
  constexpr double kAlike = 0.01;
  const bool even = std::abs(iyy - izz) <= kAlike * std::max(iyy, izz);
  if (!(iyy > 0) || !(izz > 0)) {
    const double d = 2 * std::sqrt(area / M_PI);
    return Section{true, d, d};
  }
  const double square = area * area / 12;
  if (!even || std::abs(iyy - square) <= kAlike * square)
    return Section{false, std::sqrt(12 * izz / area), std::sqrt(12 * iyy / area)};
  const double d = 2 * std::sqrt((4 * iyy / area + area / M_PI) / 2);
  return Section{true, d, d};
}

void symbols(Json& scene, const model::Model& model, const std::function<int(int)>& marker) {
  scene["symbols"] = SymbolMaker(model, marker).make();
}

}  // namespace trunnion::api
