#pragma once
// Mechanisms drawn at random, always assembled: bodies are placed first, and every joint, loop and spring is put where they are.

#include <cstdint>
#include <string>

#include "model/model.hpp"

namespace trunnion::metamorphic {

struct Case {
  std::string name;  // "seed 12"
  model::Model model;
  double duration = 1;
};

// Trees and loops of one to eight bodies, of all joints, gear trains and cams; gravity, springs, beams, forces by functions, friction,
// states, controllers, motions, rotors. The same seed gives the same mechanism on every machine.
Case random_mechanism(std::uint64_t seed);

// No damping, no function, no motion: energy stays; half of them also touch the ground nowhere, so that momentum does.
Case random_conservative(std::uint64_t seed);

}  // namespace trunnion::metamorphic
