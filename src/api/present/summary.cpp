#include "api/present/summary.hpp"

#include <fmt/format.h>

#include "elements/joint.hpp"
#include "system/beam_mesh.hpp"
#include "system/check.hpp"
#include "system/owner.hpp"

namespace trunnion::api {

using model::kind_of;
using model::Model;
using model::schema_of;

namespace {

int rows_of(core::JointType type) {
  const std::size_t primitives = elements::joint_rows(type).size();
  return primitives > 0 ? static_cast<int>(primitives) : 1;
}

class Counter {
 public:
  Counter(const Model& model, const std::string& folder) : model_(model), folder_(folder), owners_(model) {}

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
    frictions();
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
      summary_.bodies.push_back({name(p), "flexible body", 0, 6, "mass and modes as its matrices have them"});
      ++summary_.flexible_bodies;
    }
    for (const model::FePart& p : model_.all<model::FePart>()) {
      beam(p);
    }
  }

  // As far as its data are good; what is wrong with them is said where it is compiled.
  void beam(const model::FePart& p) {
    core::Diagnostics said_elsewhere;
    system::Frames frames(model_, said_elsewhere);
    const auto mesh = system::make_beam_mesh(model_, p, frames.body({kind_of<model::FePart>(), p.id}),
                                             folder_, said_elsewhere);
    if (!mesh) {
      summary_.bodies.push_back({name(p), "beam", 0, 0});
      ++summary_.flexible_bodies;
      return;
    }
    const bool planar = system::plane_of(p).has_value();
    const int nodes = static_cast<int>(mesh->nodes.size()), elements = (nodes - 1) / mesh->order;
    summary_.bodies.push_back(
        {name(p), "beam", mesh->mass, (planar ? 3 : 6) * nodes,
         fmt::format(
             "length {:.6g}, {} element{}{}, {:.4g} cycles per unit of time in bending as a cantilever",
             mesh->length, elements, elements == 1 ? "" : "s", mesh->order == 2 ? " of three nodes" : "",
             system::cantilever_frequency(*mesh))});
  }

  // Lengths and coefficients that FRICTION takes for itself decide how much a joint rubs.
  void frictions() {
    const model::Schema& schema = model::schema_of(kind_of<model::Friction>());
    for (const model::Friction& f : model_.all<model::Friction>()) {
      const model::Joint* joint = model_.find(f.joint);
      if (!joint || !joint->type.given()) continue;
      const bool bristles = f.formulation == model::Friction::Formulation::lugre;
      FrictionSummary out{name(f), name(*joint), {}};
      for (std::size_t k = 0; k < schema.arguments.size(); ++k) {
        const model::Argument& a = schema.arguments[k];
        if (a.kind != model::ValueKind::real || a.defaults.empty() || f.find_given(static_cast<int>(k)) ||
            !system::friction_reads(a.name, joint->type.value()) ||
            (a.name == "VISCOUS_COEFFICIENT" && !bristles))
          continue;
        out.defaults.push_back(fmt::format("{} = {:g}", a.name, a.defaults.front()));
      }
      summary_.frictions.push_back(std::move(out));
    }
  }

  void constraints() {
    auto& out = summary_.constraints;
    for (const model::Joint& j : model_.all<model::Joint>()) {
      if (!j.type.given()) continue;
      const model::Argument& type = *schema_of(kind_of<model::Joint>()).find("type");
      out.push_back({name(j), std::string(type.spelled(j.type.index)), between(j), rows_of(j.type.value())});
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
  const std::string& folder_;
  system::Owners owners_;
  Summary summary_;
};

}  // namespace

Summary summarise(const Model& model, const std::string& folder) { return Counter(model, folder).run(); }

}  // namespace trunnion::api
