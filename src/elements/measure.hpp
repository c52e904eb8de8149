#pragma once
// The displacement, velocity and acceleration functions of the language, with partials by level and second partials.
//
//   DX DY DZ (i, j, k)       e_k · (p_i − p_j)                      DM (i, j)      |p_i − p_j|
//   AX AY AZ (i, j)          turn of i about x, y, z of j, counted over full turns:
//                            AX = atan2(−z_i·y_j, z_i·z_j)  AY = atan2(z_i·x_j, z_i·z_j)  AZ = atan2(x_i·y_j, x_i·x_j)
//   PSI THETA PHI (i, j)     body 3-1-3 angles of i in j            YAW PITCH ROLL body 3-2-1, PITCH minus the second
//                            where the first and third axes coincide the first takes the whole turn, the third is 0
//   B1 B2 B3 (i, j)          body 1-2-3 angles (MOTION)             RACK (i, j)    angle from z_j to x_i about z_i (RACKPIN)
//   INCANG (i, j, k)         angle at j between i and k
//   ORIENT (27, c, i, j)     Euler parameters e₀ … e₃ for c = 1 … 4, e₀ ≥ 0
//   ORIENT (29, c, i, j)     direction cosines: c = 1, 2, 3 x_i along x, y, z of j; 4 … 6 y_i; 7 … 9 z_i
//   VX VY VZ (i, j, k, l)    e_k · (d/dt in frame l of p_i − p_j)   VM |that|      VR = d/dt DM
//   WX WY WZ (i, j, k)       e_k · (ω_i − ω_j)                      WM |that|
//   ACCX … (i, j, k, l)      e_k · (d²/dt² in frame l of p_i − p_j) ACCM |that|
//   WDTX … (i, j, k, l)      e_k · (d/dt in frame l of ω_i − ω_j)   WDTM |that|
// Where a magnitude is zero or an angle undefined the partials are zero: the function has a corner there.

#include <optional>
#include <string_view>

#include "assembly/columns.hpp"
#include "assembly/evaluation.hpp"
#include "assembly/pullback.hpp"

namespace trunnion::elements {

using assembly::Columns;
using assembly::Evaluation;
using assembly::Level;
using assembly::MarkerId;
using assembly::MatMap;
using assembly::Port;
using assembly::VecMap;

enum class MeasureKind : std::uint8_t {
  dx,
  dy,
  dz,
  dm,
  ax,
  ay,
  az,
  psi,
  theta,
  phi,
  yaw,
  pitch,
  roll,
  b1,
  b2,
  b3,
  rack,
  incang,
  euler_parameter,
  direction_cosine,
  vx,
  vy,
  vz,
  vm,
  vr,
  wx,
  wy,
  wz,
  wm,
  accx,
  accy,
  accz,
  accm,
  wdtx,
  wdty,
  wdtz,
  wdtm,
};
inline constexpr int kMeasureKinds = static_cast<int>(MeasureKind::wdtm) + 1;

// From the function's name in the language, "DX"; nothing for ORIENT, whose kind depends on its first argument.
std::optional<MeasureKind> measure_kind(std::string_view name);
std::string_view measure_name(MeasureKind kind);
Level measure_level(MeasureKind kind);  // the highest it depends on

// Not every function has all four markers; those it lacks are ignored, those left out are the ground frame.
struct MeasureMarkers {
  MarkerId i = assembly::MarkerTable::kGroundMarker, j = i, k = i, l = i;
};

struct Measure {
  MeasureKind kind = MeasureKind::dx;
  int component = 0;  // from 0, of ORIENT
  int memory =
      -1;  // first of kCountedPlaces in State::memory of an angle counted over full turns; −1: not counted
  Port i, j, k, l;
  Columns columns;
};

// The order of the markers is the language's: VM(i, j, l) and the like put their third in l, INCANG(i, j, k) in k.
Measure make_measure(MeasureKind kind, int component, const MeasureMarkers& markers,
                     const assembly::Layout& layout, const assembly::MarkerTable& table);

enum class Order : std::uint8_t { value, first, second };

// Over the measure's columns; empty where the order or the level does not ask for it. Lives in the evaluation's scratch.
struct MeasureResult {
  double value = 0.0;
  VecMap q{nullptr, 0}, v{nullptr, 0}, a{nullptr, 0};  // ∂/∂q, ∂/∂v, ∂/∂a
  MatMap qq{nullptr, 0, 0}, vq{nullptr, 0, 0}, vv{nullptr, 0, 0};  // ∂(∂/∂q)/∂q, ∂(∂/∂v)/∂q, ∂(∂/∂v)/∂v
};

// Second order exists for measures of positions (qq) and velocities (vq, and vv for VM and WM).
// A tap hears weight × the wrenches of the gradient: ∂/∂q of a position measure, ∂/∂v of a velocity measure.
MeasureResult evaluate(const Measure& measure, const Evaluation& at, Order order,
                       assembly::WrenchTap* tap = nullptr, double tap_weight = 1.0);
// Its value alone, and how fast that changes along the motion, from the markers' own motion: no unknown is asked for. The rate of an
// acceleration is not known: NaN.
double value(const Measure& measure, const Evaluation& at);
double rate(const Measure& measure, const Evaluation& at);

// An angle is counted from its value, rate and time at the last accepted step: those three are kept in State::memory. It may
// turn any number of times since; its rate may change by what takes it less than half a turn off the course. Formulas see
// to that (assembly::kLargestTurn).
inline constexpr int kCountedPlaces = 3;
double expected_angle(const assembly::State& state, int memory);
// The value of an angle next to the one expected.
double unwrap(double angle, double expected);
// Angles that go on past half a turn: those that atan2 gives.
bool is_periodic(MeasureKind kind);

}  // namespace trunnion::elements
