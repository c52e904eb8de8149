#pragma once
// What is in a model, counted: the facts behind `trunnion check`.

#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"
#include "model/units.hpp"

namespace trunnion::api {

struct BodySummary {
  std::string label;  // "PART/3 'crank'"
  std::string kind;   // ground, part, planar part, point mass, flexible body, beam
  double mass = 0;
  int freedoms = 0;       // before constraints; 0 for ground and for bodies the count leaves out
  std::string also = {};  // what else an engineer would look at
};

struct ConstraintSummary {
  std::string label;
  std::string type;     // "REVOLUTE", "MOTION", …
  std::string between;  // "PART/2 'arm' – PART/1 'ground'"; may be empty
  int rows = 0;         // scalar equations
};

struct FrictionSummary {
  std::string label, joint;
  std::vector<std::string> defaults;  // "PIN_RADIUS = 1": geometry that the statement leaves open
};

struct CountSummary {
  std::string_view keyword;
  std::size_t count = 0;
};

struct Summary {
  std::string title;
  model::UnitSystem units;
  std::vector<CountSummary> counts;  // in the manual's order
  std::vector<BodySummary> bodies;
  std::vector<ConstraintSummary> constraints;
  std::vector<FrictionSummary> frictions;
  std::vector<CountSummary> not_acted_on;
  double mass = 0;
  int freedoms = 0;         // of all bodies
  int equations = 0;        // of all constraints
  int flexible_bodies = 0;  // their modes, or nodes, are left out of the count

  // Gruebler's count; redundant constraints make it smaller than the true freedom.
  int gruebler() const { return freedoms - equations; }
};

// `folder`: of the model, where its MATRIX files are looked for.
Summary summarise(const model::Model& model, const std::string& folder = {});

}  // namespace trunnion::api
