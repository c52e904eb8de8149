#pragma once
// SIMULATE/STATICS: a state of rest where all forces balance, at a frozen time (primer §6, §7.5, §8.2).
//
// METHOD=ORIGINAL   Newton on the balance, with STABILITY of mass and damping in the stiffness; where a correction exceeds
//                   ALIMIT or TLIMIT all of it is scaled.
// otherwise         no tuning. The mechanism is moved along its constraints. Each step solves
//                     (K + Hλ + sW) δ + Gᵀ δλ = −r,  G δ = 0
//                   which is Newton for s = 0 and a step down the forces for large s. A step counts by the work the forces do
//                   along it: where they do about what the step promised, s falls; where they do less, it grows. Hence the
//                   search runs downhill to a stable place wherever one can be reached, and ends as Newton's method does.
//                   Where forces have no potential, or states are involved, the size of the residual decides instead; then
//                   starts from perturbed places; at last, with a message, a damped motion. A start where the constraints
//                   are dependent for that place only (links in one line) is left for a place nearby, and rows chosen anew.
// EQUILIBRIUM/DYNAMIC  the damped motion at once.
//
// Whatever found it, a place is called an equilibrium only after all has been computed anew and found in balance.

#include <functional>
#include <string>
#include <vector>

#include "analysis/initial/initial_conditions.hpp"
#include "model/settings.hpp"

namespace trunnion::analysis {

// EQUILIBRIUM as asked for.
struct StaticSettings {
  bool plain_newton = false;            // METHOD=ORIGINAL
  bool dynamic = false;                 // EQUILIBRIUM/DYNAMIC
  double alimit = 0.17453292519943295;  // largest turn in one iteration of ORIGINAL: 10D
  double tlimit = 20;                   // and travel
  bool bounded = false;                 // ALIMIT or TLIMIT were given: they bound the steps of every search
  double error = 1e-4;                  // largest correction left
  double imbalance = 1e-4;              // largest force or torque left, in mass · length / time²
  int maxit = 25;
  bool maxit_given = false;         // it then limits every search
  std::vector<bool> pattern{true};  // iterations that renew the stiffness, repeated
  double stability = 1e-5;
  double acceleration_error = 1e-2, kinetic_energy_error = 1e-2, global_damping = 0, settling_time = 100;
  double gap = 1e-10;           // largest |φ|: IC's ERROR
  bool judge = true;            // say whether the place is stable
  bool leave_unstable = false;  // goes on also where it began in an unstable place
  assembly::AnalysisMode mode = assembly::AnalysisMode::statics;  // or quasi-statics, along a path
  std::vector<core::Words> notes;  // settings given that this method does not use
};
StaticSettings static_settings(const model::Model& model);

// What DEBUG/EPRINT shows of one iteration. The imbalance, in mass · length / time², is that of the place where it begins.
struct StaticIteration {
  const char* phase = "";
  int iteration = 0;
  double imbalance = 0, correction = 0, shift = 0;
  int equation = 0, coordinate = 0;  // of the largest, tangent entries
  bool accepted = true;
  // Of a step of the damped motion: its length in time, and the kinetic energy at its end, in mass · length² / time².
  double step = 0, energy = 0;
};
struct StaticListener {
  std::function<bool(const StaticIteration&)> iteration;  // false: stop here
  std::function<void(const core::Words&)>
      note;                          // what is tried next, and why; none: it is among the messages
  std::function<bool()> go_on = {};  // asked where there is no iteration; false: stop here
};

enum class Stability { unknown, stable, neutral, unstable };

struct StaticResult {
  bool ok = false;
  bool interrupted = false;
  int iterations = 0;
  std::string method;             // what found it: "Newton", "descent", …
  double imbalance = 0, gap = 0;  // left, largest; the imbalance in the user's units
  std::string imbalance_unit;     // "newton"
  Stability stability = Stability::unknown;
  bool rows_part = false;  // rows that others implied at the start no longer hold with them
  std::vector<core::Words> messages;
};

// From an assembled state; it is left in equilibrium, at rest, or where the search began.
StaticResult statics(const system::System& system, AssemblyResult& from, const StaticSettings& settings,
                     const StaticListener& listener = {});

}  // namespace trunnion::analysis
