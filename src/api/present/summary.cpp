#include "api/present/summary.hpp"

#include <fmt/format.h>

#include "system/owner.hpp"

namespace trunnion::api {

using model::kind_of;
using model::Model;
using model::schema_of;

namespace {

int rows_of(model::Joint::Type type) {
  using T = model::Joint::Type;
  switch (type) {
    case T::revolute:
    case T::translational: return 5;
    case T::cylindrical:
    case T::universal:
    case T::hooke:
    case T::convel: return 4;
    case T::spherical:
    case T::planar: return 3;
    case T::fixed: return 6;
    case T::screw:
    case T::rackpin: return 1;
  }
  return 0;
}

int rows_of(model::Jprim::Type type) {
  using T = model::Jprim::Type;
  switch (type) {
    case T::atpoint:
    case T::orientation: return 3;
    case T::inline_:
    case T::parallel_axes: return 2;
    case T::inplane:
    case T::perpendicular: return 1;
  }
  return 0;
}

class Counter {
 public:
  explicit Counter(const Model& model) : model_(model), owners_(model) {}

  Summary run() {
    summary_.title = model_.title;
    summary_.units = model::units_of(model_);
    for (const model::Schema& schema : model::all_schemas()) {
      const std::size_t count = model_.count(schema.kind);
      if (count == 0) continue;
      summary_.counts.push_back({schema.keyword, count});
      if (!schema.acted_on) summary_.not_acted_on.push_back({schema.keyword, count});
    }
    bodies();
    constraints();
    for (const BodySummary& body : summary_.bodies) {
      summary_.freedoms += body.freedoms;
      summary_.mass += body.mass;
    }
    for (const ConstraintSummary& constraint : summary_.constraints) summary_.equations += constraint.rows;
    return std::move(summary_);
  }

 private:
  template <class T> std::string name(const T& statement) const {
    return label(schema_of(kind_of<T>()), statement);
  }

  template <class T> std::string between(const T& s) const {
    const system::Owner i = owners_.of(s.i.id);
    const system::Owner j = owners_.of(s.j.id);
    if (!i.known() || !j.known()) return {};
    return fmt::format("{} – {}", label(model_, i.kind, i.id), label(model_, j.kind, j.id));
  }

  void bodies() {
    for (const model::Part& p : model_.all<model::Part>()) {
      const char* kind = p.ground ? "ground" : p.planar ? "planar part" : "part";
      summary_.bodies.push_back({name(p), kind, p.mass.value_or(0), p.ground ? 0 : p.planar ? 3 : 6});
    }
    for (const model::PointMass& p : model_.all<model::PointMass>()) {
      summary_.bodies.push_back({name(p), "point mass", p.mass.value_or(0), 3});
    }
    for (const model::FlexBody& p : model_.all<model::FlexBody>()) {
      summary_.bodies.push_back({name(p), "flexible body", 0, 6});
      ++summary_.flexible_bodies;
    }
    for (const model::FePart& p : model_.all<model::FePart>()) {
      summary_.bodies.push_back({name(p), "beam", 0, 0});
      ++summary_.flexible_bodies;
    }
  }

  void constraints() {
    auto& out = summary_.constraints;
    for (const model::Joint& j : model_.all<model::Joint>()) {
      if (!j.type.given()) continue;
      const model::Argument& type = *schema_of(kind_of<model::Joint>()).find("type");
      std::string spelled;
      for (const model::Word& word : type.words) {
        if (word.value == j.type.index) spelled = std::string(word.name);
      }
      out.push_back({name(j), spelled, between(j), rows_of(j.type.value())});
    }
    for (const model::Jprim& j : model_.all<model::Jprim>()) {
      if (j.type.given()) out.push_back({name(j), "JPRIM", between(j), rows_of(j.type.value())});
    }
    simple<model::Motion>("MOTION", 1);
    simple<model::Coupler>("COUPLER", 1);
    simple<model::Gear>("GEAR", 1);
    simple<model::Gcon>("GCON", 1);
    simple<model::Ucon>("UCON", 1);
    // Net of the curve parameters, which are unknowns of their own.
    simple<model::Ptcv>("PTCV", 2);
    simple<model::Cvcv>("CVCV", 2);
  }

  template <class T> void simple(const char* type, int rows) {
    for (const T& s : model_.all<T>()) summary_.constraints.push_back({name(s), type, {}, rows});
  }

  const Model& model_;
  system::Owners owners_;
  Summary summary_;
};

}  // namespace

Summary summarise(const Model& model) { return Counter(model).run(); }

}  // namespace trunnion::api
