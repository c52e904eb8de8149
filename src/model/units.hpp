#pragma once
// The units a model is written in. Inside, the solver works in the model's own length, mass, time and radians;
// force is the one that may not fit (kN with kg and m, lbf with lbm and in), and `ucf` is the factor then:
//   force · ucf = mass · length / time²

#include <string_view>

#include "model/model.hpp"

namespace trunnion::model {

struct UnitSystem {
  // Names as the language spells them; empty where the model names none.
  std::string_view force, mass, length, time;
  // One of each in SI: N, kg, m, s. 1 where unnamed.
  double force_si = 1, mass_si = 1, length_si = 1, time_si = 1;
  double ucf = 1;

  bool named() const { return !length.empty(); }
};

UnitSystem units_of(const Model& model);

}  // namespace trunnion::model
