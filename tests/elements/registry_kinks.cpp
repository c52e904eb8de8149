// Expressions whose kinks and jumps lie at random places among the states, so that these stand on both sides of each.

#include <fmt/format.h>

#include "elements/building.hpp"
#include "elements/registry_loads.hpp"

namespace trunnion::elements::test {
namespace {

// Where coordinates and velocities at the random states have their middle.
double amid(Example& e) { return e.uniform(-0.4, 0.4); }

void jumps_and_corners(Example& e, MarkerId i, MarkerId j, MarkerId rm, BlockId z) {
  Load load = make_load(i, j, rm, {0, 1, 2, 3, 4, 5}, e.layout, e.markers);
  load.j_floats = true;
  const double a = amid(e), b = amid(e), c = amid(e), m = e.uniform(0.7, 1.2), d = amid(e),
               f = e.uniform(0.3, 0.8);
  const std::vector<std::string> texts = {
      fmt::format("IF(DX(1,2,3)-({:.17g}):VARVAL(1)*DX(1,2,3)**2,0,VX(1,2,3)*DX(1,2,3))", a),
      fmt::format("ABS(DY(1,2,3)-({:.17g}))*VX(1,2,3)", b),
      fmt::format("SIGN(DZ(1,2,3),VX(1,2,3)-({:.17g}))+MOD(DX(1,2,3),{:.17g})", c, m),
      "MAX(DX(1,2,3),DY(1,2,3))-MIN(VARVAL(1)*DZ(1,2,3),VR(1,2))",
      fmt::format("DIM(DX(1,2,3),{:.17g})*DIM(VY(1,2,3),{:.17g})", d, b),
      fmt::format("STEP(DZ(1,2,3),-{0:.17g},0,{0:.17g},2)+STEP5(DY(1,2,3),-{0:.17g},1,{0:.17g},2)"
                  "+HAVSIN(DX(1,2,3),-{0:.17g},1,{0:.17g},2)",
                  f)};
  add_kinks_of(e,
               {fmt::format("DX(1,2,3)-({:.17g})", a), fmt::format("DY(1,2,3)-({:.17g})", b), "DZ(1,2,3)",
                fmt::format("VX(1,2,3)-({:.17g})", c), fmt::format("SIN(PI*DX(1,2,3)/{:.17g})", m),
                "DX(1,2,3)-DY(1,2,3)", "VARVAL(1)*DZ(1,2,3)-VR(1,2)", fmt::format("DX(1,2,3)-({:.17g})", d),
                fmt::format("VY(1,2,3)-({:.17g})", b), fmt::format("ABS(DX(1,2,3))-{:.17g}", f),
                fmt::format("ABS(DY(1,2,3))-{:.17g}", f), fmt::format("ABS(DZ(1,2,3))-{:.17g}", f)},
               {i, j, rm}, z);
  fill(e, load, texts, {i, j, rm}, z);
}

// IMPACT and BISTOP: contact begins, the damping is full, and damping takes all of the force.
void contacts(Example& e, MarkerId i, MarkerId j, MarkerId rm, BlockId z) {
  Load load = make_load(i, j, rm, {0, 1}, e.layout, e.markers);
  load.j_floats = true;
  const double touch = e.uniform(1.0, 1.6), low = e.uniform(-0.4, -0.1), high = e.uniform(0.1, 0.4),
               deep = 0.3;
  const std::string impact = fmt::format("IMPACT(DM(1,2),VR(1,2),{:.17g},3,1.7,4,{:g})", touch, deep),
                    bistop = fmt::format("BISTOP(DX(1,2,3),VX(1,2,3),{:.17g},{:.17g},3,1.7,4,{:g})", low,
                                         high, deep);
  // The forces before they are cut off at zero.
  const std::string pushed = fmt::format(
                        "3*DIM({0:.17g},DM(1,2))**1.7-VR(1,2)*STEP(DM(1,2),{1:.17g},4,{0:.17g},0)", touch,
                        touch - deep),
                    left = fmt::format(
                        "3*DIM({0:.17g},DX(1,2,3))**1.7-VX(1,2,3)*STEP(DX(1,2,3),{1:.17g},4,{0:.17g},0)", low,
                        low - deep),
                    right = fmt::format(
                        "-3*DIM(DX(1,2,3),{0:.17g})**1.7-VX(1,2,3)*STEP(DX(1,2,3),{0:.17g},0,{1:.17g},4)",
                        high, high + deep);
  const auto at = [](const char* x, double where) { return fmt::format("{}-({:.17g})", x, where); };
  add_kinks_of(
      e,
      {at("DM(1,2)", touch), at("DM(1,2)", touch - deep), pushed, at("DX(1,2,3)", low),
       at("DX(1,2,3)", low - deep), left, at("DX(1,2,3)", high), at("DX(1,2,3)", high + deep), right},
      {i, j, rm}, z);
  fill(e, load, {impact, bistop}, {i, j, rm}, z);
}

// A family of curves: between curves the law is linear in z, at points of x its third (Akima: second) derivative jumps.
void splines(Example& e, MarkerId i, MarkerId j, MarkerId rm, BlockId z) {
  math::SplineData family;
  for (int k = 0; k < 7; ++k) family.x.push_back(-0.75 + 0.25 * k + e.uniform(-0.05, 0.05));
  for (const double at : {-0.9, 0.1, 0.8}) {
    family.z.push_back(at);
    family.y.emplace_back();
    for (int k = 0; k < 7; ++k) family.y.back().push_back(e.uniform());
  }
  math::SplineData single;
  single.x = family.x;
  single.y = {family.y[1]};
  single.linear_extrapolate = true;
  std::vector<std::string> kinks;
  for (const double x : family.x) {
    kinks.push_back(fmt::format("DX(1,2,3)-({:.17g})", x));
    kinks.push_back(fmt::format("DY(1,2,3)-({:.17g})", x));
  }
  kinks.push_back(fmt::format("VY(1,2,3)-({:.17g})", family.z[1]));
  if (!e.tables.add_spline(1, family).empty() || !e.tables.add_spline(2, single).empty())
    throw std::runtime_error("bad test spline");
  add_kinks_of(e, kinks, {i, j, rm}, z);
  Load load = make_load(i, j, rm, {0, 1, 2, 3, 4, 5}, e.layout, e.markers);
  load.j_floats = true;
  fill(e, load,
       {"AKISPL(DX(1,2,3),VY(1,2,3),1)", "CUBSPL(DY(1,2,3),VY(1,2,3),1)", "AKISPL(DX(1,2,3),0,2)*VARVAL(1)",
        "CUBSPL(DY(1,2,3),0,2)", "CUBSPL(DX(1,2,3),VY(1,2,3),1,1)", "AKISPL(DY(1,2,3),VY(1,2,3),1)"},
       {i, j, rm}, z);
}

}  // namespace

void add_kinks(const AddLoad& add) {
  add("gforce_kinks", jumps_and_corners);
  add("gforce_contacts", contacts);
  add("gforce_splines", splines);
}

}  // namespace trunnion::elements::test
