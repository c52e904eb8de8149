#include "formulas/catalogue.hpp"

#include "formulas/conditions.hpp"

namespace trunnion::formulas {

namespace {

constexpr double kBelowOne = 0.999;  // a multistep formula has no limit at 1, nor has its single-step form

const Entry kAll[] = {
    {"GSTIFF", "BDF of variable order with fixed coefficients",
     "most models; the default. SI2 where velocities and reactions must be exact", Bdf{}, 6, 6, 1, true,
     Damping::by_order},
    {"WSTIFF", "BDF of variable order with variable coefficients", "models whose step changes often",
     Bdf{.variable_coefficients = true}, 6, 6, 1, true, Damping::by_order},
    {"DSTIFF", "BDF of an old release, run as WSTIFF", "old models", Bdf{.variable_coefficients = true}, 6, 6,
     1, true, Damping::by_order},
    {"CONSTANT_BDF", "BDF of constant step",
     "steps that must not change, such as with a simulator in the loop", Bdf{.constant_step = true}, 6, 6, 1,
     true, Damping::by_order, 0, 1, Steps::fixed},
    {"HASTIFF", "BDF on stabilized equations", "as GSTIFF with SI2", Bdf{.stabilised = true}, 6, 6, 1, true,
     Damping::by_order},
    {"HHT", "Newmark type of order 2, damping set by ALPHA",
     "flexible and contact models with fast vibrations; few Jacobians",
     NewmarkType{[](const Parameters& p) { return hht_table(p.alpha); }}, 2, 1, 1, false, Damping::alpha},
    {"NEWMARK", "Newmark type with free BETA and GAMMA", "comparison; order 1 unless GAMMA = 0.5",
     NewmarkType{[](const Parameters& p) { return newmark_table(p.beta, p.gamma); }}, 2, 1, 1, false,
     Damping::gamma},
    {"GALPHA", "generalized-α of order 2, damping set by RHO",
     "as HHT, with less damping of slow motion for as much of fast vibration",
     NewmarkType{[](const Parameters& p) { return generalized_alpha_table(p.rho); }}, 2, 1, 1, false,
     Damping::rho, 0.8},
    {"WBZ", "Wood-Bossak-Zienkiewicz α of order 2, damping set by RHO", "comparison with HHT and GALPHA",
     NewmarkType{[](const Parameters& p) { return wbz_table(p.rho); }}, 2, 1, 1, false, Damping::rho, 0.6},
    {"TRAPEZOIDAL", "trapezoidal rule, order 2, no damping",
     "smooth motion whose energy must stay; not for stiff models",
     StagedType{[](double) { return trapezoidal_table(); }}, 2, 1, 1, false, Damping::none, 1},
    {"LMS2", "linear two-step formula of order 2, damping set by RHO",
     "cheap and robust; RHO = 0 is BDF of order 2",
     StagedType{[](double rho) { return lms_table(2, rho); }, lms2_row}, 2, 2, 1, true, Damping::rho, 0.6,
     kBelowOne},
    {"LMS3", "linear three-step formula of order 2, damping set by RHO",
     "fixed steps with little damping of slow motion",
     StagedType{[](double rho) { return lms_table(3, rho); }}, 2, 3, 1, true, Damping::rho, 0.6, kBelowOne,
     Steps::restart},
    {"LMS4", "linear four-step formula of order 2, damping set by RHO",
     "fixed steps with the least damping of slow motion",
     StagedType{[](double rho) { return lms_table(4, rho); }}, 2, 4, 1, true, Damping::rho, 0.6, kBelowOne,
     Steps::restart},
    {"SS2", "LMS2 as a single step with an auxiliary rate", "as LMS2 where steps change",
     SingleStepType{[](double rho) { return single_step_table(2, rho); }}, 2, 1, 1, true, Damping::rho, 0.6,
     kBelowOne},
    {"SS3", "LMS3 as a single step with auxiliary rates", "as LMS3 where steps change",
     SingleStepType{[](double rho) { return single_step_table(3, rho); }}, 2, 1, 1, true, Damping::rho, 0.6,
     kBelowOne},
    {"SS4", "LMS4 as a single step with auxiliary rates", "as LMS4 where steps change",
     SingleStepType{[](double rho) { return single_step_table(4, rho); }}, 2, 1, 1, true, Damping::rho, 0.6,
     kBelowOne},
    {"BATHE", "two substeps, order 2, damping set by RHO", "rid of start-up vibrations at once",
     StagedType{[](double rho) { return bathe_table(rho); }}, 2, 1, 2, true, Damping::rho, 0},
    {"MSSTC3", "three substeps, order 2, damping set by RHO", "slow motion kept, fast vibrations gone",
     StagedType{[](double rho) { return msstc_table(3, rho); }}, 2, 1, 3, true, Damping::rho, 0},
    {"MSSTC4", "four substeps, order 2, damping set by RHO", "as MSSTC3 with longer steps",
     StagedType{[](double rho) { return msstc_table(4, rho); }}, 2, 1, 4, true, Damping::rho, 0},
    {"MSSTC5", "five substeps, order 2, damping set by RHO", "as MSSTC3 with still longer steps",
     StagedType{[](double rho) { return msstc_table(5, rho); }}, 2, 1, 5, true, Damping::rho, 0},
    {"MSSTH3", "three substeps, order 3, damping set by RHO", "smooth motion at tight errors; keep RHO = 0",
     StagedType{[](double rho) { return mssth_table(3, rho); }}, 3, 1, 3, true, Damping::rho, 0},
    {"MSSTH4", "four substeps, order 4, damping set by RHO", "smooth motion at tight errors; keep RHO = 0",
     StagedType{[](double rho) { return mssth_table(4, rho); }}, 4, 1, 4, true, Damping::rho, 0},
    {"MSSTH5", "five substeps, order 5, damping set by RHO",
     "smooth motion at very tight errors; keep RHO = 0",
     StagedType{[](double rho) { return mssth_table(5, rho); }}, 5, 1, 5, true, Damping::rho, 0},
    {"ESDIRK34", "ESDIRK3(2)4L[2]SA: three implicit stages, order 3",
     "stiff models with error control in one step; SI2 keeps the order",
     StagedType{[](double) { return esdirk34_table(); }}, 3, 1, 3, true, Damping::fixed},
    {"ESDIRK35", "ESDIRK3(2)5L[2]SA: four implicit stages, order 3", "as ESDIRK34 with a smaller error",
     StagedType{[](double) { return esdirk35_table(); }}, 3, 1, 4, true, Damping::fixed},
    {"ESDIRK46", "ESDIRK4(3)6L[2]SA: five implicit stages, order 4",
     "smooth stiff motion at tight errors; SI2 keeps the order",
     StagedType{[](double) { return esdirk46_table(); }}, 4, 1, 5, true, Damping::fixed},
    {"RADAU3", "Radau IIA of two stages, order 3, solved together",
     "stiff models where vibrations must vanish at once",
     CollocationType{[](double) { return radau_table(2); }}, 3, 1, 2, true, Damping::fixed},
    {"RADAU5", "Radau IIA of three stages, order 5, solved together",
     "stiff and smooth motion at tight errors; a reference for all others",
     CollocationType{[](double) { return radau_table(3); }}, 5, 1, 3, true, Damping::fixed},
    {"MIDPOINT", "implicit midpoint rule (Gauss, one stage), order 2, no damping",
     "long undamped motion: keeps energy on average and momentum; not for stiff models",
     CollocationType{[](double) { return gauss_table(1); }}, 2, 1, 1, false, Damping::none, 1, 1,
     Steps::controlled, false},
    {"GAUSS2", "the midpoint rule by its other name", "as MIDPOINT",
     CollocationType{[](double) { return gauss_table(1); }}, 2, 1, 1, false, Damping::none, 1, 1,
     Steps::controlled, false},
    {"GAUSS4", "Gauss of two stages, order 4, solved together, no damping", "as MIDPOINT with longer steps",
     CollocationType{[](double) { return gauss_table(2); }}, 4, 1, 2, false, Damping::none, 1, 1,
     Steps::controlled, false},
    {"ENERGY_DECAYING", "two stages with a jump (time-discontinuous Galerkin), order 2, damping set by RHO",
     "flexible models: RHO = 0 takes energy from fast vibrations only, RHO = 1 keeps it",
     CollocationType{[](double rho) { return energy_decaying_table(rho); }}, 2, 1, 2, false, Damping::rho, 0,
     1, Steps::controlled, false},
    {"ABAM", "Adams-Bashforth-Moulton of variable order and step over independent coordinates",
     "smooth motion without stiff forces, at errors from medium to tight", AdamsType{}, 12, 12, 1, false},
    {"RKF45", "Runge-Kutta-Fehlberg of order 5 over independent coordinates",
     "motion without stiff forces and with frequent events", ExplicitType{rkf45_table}, 5, 1, 6, false},
    {"DOP853", "Runge-Kutta of order 8 by Dormand and Prince over independent coordinates",
     "smooth motion without stiff forces at tight errors", ExplicitType{dop853_table}, 8, 1, 12, false},
    {"TLISMNI", "Adams-Moulton of ORDER 3 or 4 or trapezoidal over independent coordinates, two loops",
     "comparison with the paper; no force is differentiated", AdamsType{.two_loops = true}, 4, 3, 1, false},
    {"AUTO", "ABAM while the motion is not stiff, GSTIFF SI2 where it is; changes by itself and says so",
     "motion whose stiffness is not known or changes: contacts, stops, stiff bushings", AutomaticType{}, 12,
     12, 1, true, Damping::by_order, 0, 1, Steps::controlled, false},
};

}  // namespace

std::span<const Entry> catalogue() { return kAll; }

int index_of(std::string_view keyword) {
  for (std::size_t k = 0; k < std::size(kAll); ++k) {
    if (kAll[k].keyword == keyword) return static_cast<int>(k);
  }
  return -1;
}

std::vector<std::string> failed_conditions(const Entry& entry, const Parameters& parameters) {
  if (const auto* staged = std::get_if<StagedType>(&entry.family))
    return conditions(staged->table(parameters.rho));
  if (const auto* single = std::get_if<SingleStepType>(&entry.family))
    return conditions(single->table(parameters.rho));
  if (const auto* collocation = std::get_if<CollocationType>(&entry.family))
    return conditions(collocation->table(parameters.rho));
  if (const auto* type = std::get_if<ExplicitType>(&entry.family)) return conditions(type->table());
  if (const auto* newmark = std::get_if<NewmarkType>(&entry.family))
    return conditions(newmark->table(parameters));
  return {};
}

}  // namespace trunnion::formulas
