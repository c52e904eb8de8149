#include "api/present/function_notes.hpp"

#include <array>
#include <utility>

namespace trunnion::api {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kNotes{{
    {"STEP", R"(
  u = (x - x0)/(x1 - x0);  h0 before x0, h1 after x1, between them h0 + (h1 - h0) u^2 (3 - 2u)

    h1 |             ________     slope is continuous, curvature jumps at x0 and x1;
       |          .'              steepest in the middle: 1.5 (h1 - h0)/(x1 - x0)
       |         /
    h0 |_______.'                 STEP(TIME, 0, 0, 0.5, 10): from 0 to 10 in half a second
               x0    x1
)"},
    {"STEP5", R"(
  u = (x - x0)/(x1 - x0);  h0 before x0, h1 after x1, between them h0 + (h1 - h0) u^3 (10 - 15u + 6u^2)

    h1 |             ________     slope and curvature are continuous: the better choice for a MOTION;
       |          .'              steepest in the middle: 1.875 (h1 - h0)/(x1 - x0)
       |         /
    h0 |_______.'
               x0    x1
)"},
    {"HAVSIN", R"(
  u = (x - x0)/(x1 - x0);  h0 before x0, h1 after x1, between them (h0 + h1)/2 - (h1 - h0)/2 cos(pi u)

    h1 |             ________     slope is continuous, curvature jumps at x0 and x1;
       |          .'              steepest in the middle: pi/2 (h1 - h0)/(x1 - x0)
       |         /
    h0 |_______.'
               x0    x1
)"},
    {"IMPACT", R"(
  0 for x >= x1; else the larger of 0 and  k (x1 - x)^e - cmax STEP(x, x1 - d, 1, x1, 0) xdot

    F |\            xdot is the rate of x; the damper grows to cmax over the penetration d,
      | \           and the force never pulls
      |  '.____________
      +----x1---------- x
)"},
    {"BISTOP", R"(
  x below x1:  the larger of 0 and    k (x1 - x)^e - cmax STEP(x, x1 - d, 1, x1, 0) xdot
  x above x2:  the smaller of 0 and  -k (x - x2)^e - cmax STEP(x, x2, 0, x2 + d, 1) xdot

    F |\                   no force between x1 and x2; the stops push back only
      |  '._________
      +----x1------x2.---- x
      |               \
)"},
    {"SHF", R"(
  a sin(w (x - x0) - phi) + b;  w and phi in radians (a D after a number makes it degrees: 360D*TIME is one turn a second)
)"},
    {"SWEEP", R"(
  a sine of amplitude a: frequency f0 (cycles in a unit of x) before x0, rising linearly to f1 at x1, f1 after it; faded in over
  dx from x0
)"},
    {"IF", R"(
  IF(test: below, equal, above): mind the colon. A jump in a force costs many small steps and may stop the run: STEP over a finite
  width is the better choice
)"},
}};

}  // namespace

std::string_view function_note(std::string_view name) {
  for (const auto& [function, note] : kNotes) {
    if (function == name) return note;
  }
  return {};
}

}  // namespace trunnion::api
