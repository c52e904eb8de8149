#pragma once
// Models that are the same mechanism written in another way, and how to read their motion as that of the first.

#include <optional>
#include <random>

#include "metamorphic/history.hpp"
#include "system/frames.hpp"

namespace trunnion::metamorphic {

using Random = std::mt19937_64;
double uniform(Random& random, double low, double high);
int whole(Random& random, int low, int high);  // both ends included
math::Mat3 any_rotation(Random& random);

// How the other model's numbers become those of the first.
struct Reading {
  system::Frame X;                                   // where the ground of the first is in the other
  double later = 0;                                  // its clock shows this at the start
  double length = 1, mass = 1, time = 1, force = 1;  // one of the first's in the other's
};
History read_as_first(History history, const Reading& reading);

struct Variant {
  model::Model model;
  Reading reading;
};

// What every relation starts from: no graphics; every marker names its body.
model::Model plain(const model::Model& model);
void set_integrator(model::Model& model, const model::Integrator& integrator);

Variant reordered(const model::Model& model, Random& random);
// Empty where the model says something that a moved copy cannot (EXACT).
std::optional<Variant> moved(const model::Model& model, Random& random);
// Empty where a joint is given a rate at t = 0.
std::optional<Variant> started_later(const model::Model& model, double by);
// Empty where the model has data whose dimension is not known.
std::optional<Variant> in_other_units(const model::Model& model, Random& random);
// A balanced rotor on the ground that touches nothing; the last VARIABLE and the last REQUEST (F2) read the angle it turned by.
Variant with_spinner(const model::Model& model, double spin);
// Orientations and motions given as so many turns more, with the free angles of springs between the markers that turn.
Variant wound(const model::Model& model, int turns);
// Every number changed in its last digits: what a result makes of that is what rounding may do to it.
Variant jittered(const model::Model& model, double relative, Random& random);
// Parts where a row of `history` has them, at rest; for models of PARTs and of POINT_MASSes whose marker CM is their origin.
Variant placed_at(const model::Model& model, const History& history, std::size_t row);

}  // namespace trunnion::metamorphic
