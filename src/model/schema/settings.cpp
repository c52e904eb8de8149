#include <numbers>

#include "formulas/catalogue.hpp"
#include "model/define.hpp"
#include "model/schema/chapters.hpp"

namespace trunnion::model {

namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr std::string_view kToRounding = "accelerations and reactions are solved to rounding";
constexpr std::string_view kOneSolver =
    "there is one solver of linear equations, sparse, for models of any size; results do not depend on it";

// T:F:T patterns.
std::vector<Spelling<Switch>> true_false() {
  return {{"T", "", Switch::on},      {"F", "", Switch::off}, {"TRUE", "", Switch::on},
          {"FALSE", "", Switch::off}, {"ON", "", Switch::on}, {"OFF", "", Switch::off},
          {"YES", "", Switch::on},    {"NO", "", Switch::off}};
}

std::vector<Spelling<Switch>> on_off() {
  return {{"ON", "", Switch::on},     {"OFF", "", Switch::off}, {"TRUE", "", Switch::on},
          {"FALSE", "", Switch::off}, {"YES", "", Switch::on},  {"NO", "", Switch::off}};
}

Schema units() {
  using F = Units::Force;
  using M = Units::Mass;
  using L = Units::Length;
  using T = Units::Time;
  using S = Units::System;
  return Define<Units>("UNITS", "UNI", "Units of the model: force times UCF is mass times acceleration.")
      .acted_on()
      .group("Settings")
      .no_id()
      .dataset_only()
      .word<&Units::force>("FORCE", "", "unit of force",
                           {{"NEWTON", "NEW", F::newton},
                            {"DYNE", "", F::dyne},
                            {"KILOGRAM_FORCE", "", F::kilogram_force},
                            {"KNEWTON", "", F::knewton},
                            {"POUND_FORCE", "", F::pound_force},
                            {"KPOUND_FORCE", "", F::kpound_force},
                            {"OUNCE_FORCE", "", F::ounce_force},
                            {"POUNDAL", "", F::poundal},
                            {"CENTINEWTON", "", F::centinewton},
                            {"MEGANEWTON", "", F::meganewton},
                            {"MICRONEWTON", "", F::micronewton},
                            {"MILLINEWTON", "", F::millinewton},
                            {"NANONEWTON", "", F::nanonewton}})
      .word<&Units::mass>("MASS", "", "unit of mass",
                          {{"KILOGRAM", "KIL", M::kilogram},
                           {"GRAM", "", M::gram},
                           {"POUND_MASS", "", M::pound_mass},
                           {"KPOUND_MASS", "", M::kpound_mass},
                           {"OUNCE_MASS", "", M::ounce_mass},
                           {"SLUG", "", M::slug},
                           {"SLINCH", "", M::slinch},
                           {"TONNE", "", M::tonne},
                           {"US_TON", "", M::us_ton},
                           {"MILLIGRAM", "", M::milligram},
                           {"MICROGRAM", "", M::microgram},
                           {"NANOGRAM", "", M::nanogram}})
      .word<&Units::length>("LENGTH", "", "unit of length",
                            {{"METER", "MET", L::meter},
                             {"MILLIMETER", "MILLIM", L::millimeter},
                             {"CENTIMETER", "", L::centimeter},
                             {"KILOMETER", "", L::kilometer},
                             {"INCH", "", L::inch},
                             {"FOOT", "", L::foot},
                             {"YARD", "", L::yard},
                             {"MILE", "", L::mile},
                             {"MILS", "", L::mils, "thousandths of an inch"},
                             {"MICROINCH", "", L::microinch},
                             {"MICROMETER", "", L::micrometer},
                             {"NANOMETER", "", L::nanometer},
                             {"ANGSTROM", "", L::angstrom}})
      .word<&Units::time>("TIME", "", "unit of time",
                          {{"SECOND", "SEC", T::second},
                           {"MILLISECONDS", "", T::millisecond},
                           {"MICROSECOND", "", T::microsecond},
                           {"NANOSECOND", "", T::nanosecond},
                           {"MINUTE", "", T::minute},
                           {"HOUR", "", T::hour},
                           {"DAY", "", T::day}})
      .word<&Units::system>("SYSTEM", "", "a ready-made set in place of the four units",
                            {{"CGS", "", S::cgs, "dyne, gram, centimeter, second"},
                             {"FPS", "", S::fps, "pound-force, pound-mass, foot, second"},
                             {"IPS", "", S::ips, "pound-force, pound-mass, inch, second"},
                             {"MKS", "", S::mks, "newton, kilogram, meter, second"},
                             {"NONE", "", S::none, "consistent units without names"}})
      .arg<&Units::ucf>("UCF", "", "mass times acceleration in one unit of force")
      .range(kPositive)
      .default_help("from the units; 1 without UNITS")
      .exactly_one({"SYSTEM", "UCF", "FORCE"})
      .all_or_none({"FORCE", "MASS", "LENGTH", "TIME"});
}

// The catalogue's rows; a longer word wins over one that it begins with.
std::vector<Spelling<Integrator::Method>> formula_words() {
  std::vector<Spelling<Integrator::Method>> words;
  int index = 0;
  for (const formulas::Entry& entry : formulas::catalogue())
    words.push_back({entry.keyword, "", static_cast<Integrator::Method>(index++), entry.help});
  return words;
}

Schema integrator() {
  using M = Integrator::Method;
  using F = Integrator::Formulation;
  using P = Integrator::Predictor;
  using C = Integrator::Corrector;
  using O = Integrator::Order;
  return Define<Integrator>("INTEGRATOR", "INT", "Method and accuracy of dynamic simulations.")
      .acted_on()
      .group("Settings")
      .no_id()
      .choice<&Integrator::method>("method", "method; without one a command keeps the present method",
                                   formula_words())
      .defaults(static_cast<M>(formulas::index_of("GSTIFF")))
      .choice<&Integrator::formulation>("formulation", "form of the equations",
                                        {{"I3", "", F::i3, "index 3: constraints on positions"},
                                         {"SI2", "", F::si2, "stabilized index 2: positions and velocities"},
                                         {"SI1", "", F::si1, "stabilized index 1, run as SI2"}})
      .default_help("I3; SI2 with HASTIFF")
      .arg<&Integrator::defaults>("DEFAULT", "", "return to the standard values first")
      .arg<&Integrator::error>("ERROR", "ERR", "allowed local error of a step")
      .range(kPositive)
      .default_help("1e-3 for BDF; 1e-5 for the others")
      .arg<&Integrator::hinit>("HINIT", "", "first step tried")
      .unit("time")
      .range(kPositive)
      .default_help("1/20 of HMAX or the output step, whichever is smaller")
      .arg<&Integrator::hmax>("HMAX", "", "largest step")
      .unit("time")
      .range(kPositive)
      .default_help("the output step")
      .arg<&Integrator::hmin>("HMIN", "", "smallest step; the run fails below it")
      .unit("time")
      .range(kPositive)
      .default_help(
          "with I3 1e-6 of HMAX at ERROR = 1e-3, less in proportion to ERROR; otherwise 1e-12 of HMAX")
      .arg<&Integrator::kmax>("KMAX", "", "highest order")
      .range({1, 12})
      .default_help("6 for BDF, 12 for ABAM")
      .word<&Integrator::order>("ORDER", "", "formula of TLISMNI",
                                {{"4", "", O::fourth, "Adams-Moulton of order 4"},
                                 {"3", "", O::third, "Adams-Moulton of order 3"},
                                 {"TRAPEZOIDAL", "TRAP", O::trapezoidal, "the trapezoidal rule"}})
      .defaults(O::fourth)
      .arg<&Integrator::maxit>("MAXIT", "MAX", "iterations allowed in the corrector")
      .range({1})
      .defaults({10})
      .default_help("10; of the outer loop of TLISMNI 3, with ORDER=TRAPEZOIDAL 4")
      .word<&Integrator::pattern>("PATTERN", "PAT", "iterations at which the Jacobian is renewed, repeated",
                                  true_false())
      .count(1, 10)
      .default_help("F, by need: renewed where the iterations converge slowly; F:F only after a failure")
      .word<&Integrator::interpolate>("INTERPOLATE", "", "step past output times and interpolate the output",
                                      on_off())
      .defaults(Switch::off)
      .word<&Integrator::corrector>("CORRECTOR", "", "when an iteration counts as converged",
                                    {{"ORIGINAL", "", C::original, "all unknowns and equations"},
                                     {"MODIFIED", "", C::modified, "only unknowns under error control"},
                                     {"NEW", "", C::modified, "an old word for MODIFIED"},
                                     {"ORIG_CONSTANT", "", C::orig_constant, "as ORIGINAL"}})
      .defaults(C::original)
      .arg<&Integrator::adaptivity>("ADAPTIVITY", "", "ADAPTIVITY/step is added to the corrector tolerance")
      .unit("time")
      .range(kNotNegative)
      .defaults({0})
      .arg<&Integrator::alpha>("ALPHA", "", "numerical damping of HHT; 0 is none")
      .range({-1.0 / 3, 0})
      .defaults({-0.3})
      .arg<&Integrator::beta>("BETA", "", "NEWMARK weight of the new acceleration in positions")
      .range(kPositive)
      .defaults({0.36})
      .arg<&Integrator::gamma>("GAMMA", "", "NEWMARK weight of the new acceleration in velocities")
      .range({0.5})
      .defaults({0.7})
      .arg<&Integrator::rho>("RHO", "",
                             "spectral radius at infinity: what a step leaves of the fastest vibrations")
      .range({0, 1})
      .default_help("by formula: trunnion formulas")
      .arg<&Integrator::rho_states>(
          "RHO_STATES", "",
          "HHT, NEWMARK, GALPHA, WBZ: weight of the new rate in first-order states; 0.5 "
          "is of order 2, 1 damps most")
      .range({0.5, 1})
      .default_help("states are damped as accelerations are, with order 2")
      .arg<&Integrator::h>("H", "", "fixed step, the whole one where a formula has several stages")
      .unit("time")
      .range(kPositive)
      .default_help("steps are controlled by ERROR")
      .word<&Integrator::predictor>("PREDICTOR", "", "where the iterations of formulas with stages begin",
                                    {{"USUAL", "", P::usual, "as the formula's authors have it"},
                                     {"CONSTANT", "", P::constant, "the rates of the last point"},
                                     {"CUBIC", "", P::cubic, "through values and rates of two points"},
                                     {"QUINTIC", "", P::quintic, "through values and rates of three points"}})
      .defaults(P::usual)
      .word<&Integrator::augmented>(
          "AUGMENTED", "",
          "augmented Lagrangian: redundant constraint equations take part, reactions are shared", on_off())
      .defaults(Switch::off)
      .arg<&Integrator::fixit>("FIXIT", "", "do exactly this many corrector iterations")
      .range({1})
      .default_help("until converged")
      .arg<&Integrator::hratio>("HRATIO", "", "steps of CONSTANT_BDF in one output step or HMAX")
      .range({1})
      .defaults({1})
      .arg<&Integrator::maxerr>("MAXERR", "", "local error at which CONSTANT_BDF stops")
      .range(kPositive)
      .default_help("no check")
      .arg<&Integrator::scale>("SCALE", "", "error weights of the kinds of unknowns")
      .count(1, 16)
      .unused("errors are relative to the largest size of each coordinate");
}

Schema equilibrium() {
  using T = Equilibrium::Type;
  using M = Equilibrium::Method;
  return Define<Equilibrium>("EQUILIBRIUM", "EQU",
                             "Method and tolerances of static and quasi-static simulations.")
      .acted_on()
      .group("Settings")
      .no_id()
      .choice<&Equilibrium::type>("type", "how the state of rest is found",
                                  {{"STATIC", "", T::statics, "solve the force balance"},
                                   {"DYNAMIC", "", T::dynamic, "let a damped motion come to rest"}})
      .defaults(T::statics)
      .word<&Equilibrium::method>("METHOD", "", "solver of the force balance",
                                  {{"ORIGINAL", "", M::original, "Newton's method"},
                                   {"ADVANCED", "", M::advanced, "a search that needs no tuning"},
                                   {"AGGRESSIVE", "", M::aggressive, "the same search"},
                                   {"ALL", "", M::all, "the same search"}})
      .defaults(M::advanced)
      .arg<&Equilibrium::defaults>("DEFAULT", "", "return to the standard values first")
      .arg<&Equilibrium::alimit>("ALIMIT", "AL", "largest rotation in one iteration")
      .unit("angle")
      .range(kPositive)
      .defaults({10 * kDegree})
      .default_help("10D with ORIGINAL, no limit otherwise")
      .arg<&Equilibrium::tlimit>("TLIMIT", "TL", "largest translation in one iteration")
      .unit("length")
      .range(kPositive)
      .defaults({20})
      .default_help("20 with ORIGINAL, no limit otherwise")
      .arg<&Equilibrium::error>("ERROR", "ERR",
                                "largest correction left at convergence: radians, and model units with "
                                "ORIGINAL or lengths of the mechanism otherwise, no more than 1E-3 then")
      .range(kPositive)
      .defaults({1e-4})
      .arg<&Equilibrium::imbalance>("IMBALANCE", "IM", "largest force or torque left over at convergence")
      .unit("force")
      .range(kPositive)
      .defaults({1e-4})
      .arg<&Equilibrium::maxit>(
          "MAXIT", "MAX", "iterations allowed, of all methods tried; without it no limit but with ORIGINAL")
      .range({1})
      .defaults({25})
      .word<&Equilibrium::pattern>("PATTERN", "PAT",
                                   "with ORIGINAL: iterations at which the Jacobian is renewed, repeated",
                                   true_false())
      .count(1, 10)
      .defaults(Switch::on)
      .default_help("T, every iteration")
      .arg<&Equilibrium::stability>("STABILITY", "ST",
                                    "with ORIGINAL: share of mass and damping added to the stiffness")
      .range(kNotNegative)
      .defaults({1e-5})
      .arg<&Equilibrium::atol>("ATOL", "", "absolute tolerance of another solver's methods; not used")
      .range(kPositive)
      .defaults({1e-6})
      .arg<&Equilibrium::rtol>("RTOL", "", "relative tolerance of another solver's methods; not used")
      .range(kNotNegative)
      .defaults({0})
      .arg<&Equilibrium::maxitl>("MAXITL", "", "inner linear iterations of Krylov methods; not used")
      .range({1})
      .defaults({40})
      .arg<&Equilibrium::eta>("ETA", "", "decrease of the residual a line search must reach; not used")
      .range(kPositive)
      .defaults({1e-4})
      .arg<&Equilibrium::etamax>("ETAMAX", "", "loosest tolerance of inner linear iterations; not used")
      .range({0, 1, true, true})
      .defaults({0.9})
      .arg<&Equilibrium::acceleration_error>("ACCELERATION_ERROR", "",
                                             "with DYNAMIC: acceleration taken as rest")
      .unit("length/time**2")
      .range(kPositive)
      .defaults({1e-2})
      .arg<&Equilibrium::kinetic_energy_error>("KINETIC_ENERGY_ERROR", "",
                                               "with DYNAMIC: kinetic energy taken as rest")
      .unit("force*length")
      .range(kPositive)
      .defaults({1e-2})
      .arg<&Equilibrium::global_damping>("GLOBAL_DAMPING", "",
                                         "with DYNAMIC: damping per mass added to all bodies")
      .unit("1/time")
      .range(kNotNegative)
      .defaults({0})
      .arg<&Equilibrium::leave_unstable>(
          "LEAVE_UNSTABLE", "LEAVE",
          "goes on from an unstable place of rest where the search began; Trunnion's own word")
      .arg<&Equilibrium::settling_time>("SETTLING_TIME", "", "with DYNAMIC: longest motion allowed")
      .unit("time")
      .range(kPositive)
      .defaults({100});
}

Schema initial_conditions() {
  return Define<InitialConditions>("IC", "IC", "Tolerances of the assembly at the start of a simulation.")
      .acted_on()
      .group("Settings")
      .no_id()
      .arg<&InitialConditions::defaults>("DEFAULT", "", "return to the standard values first")
      .arg<&InitialConditions::error>("ERROR", "ERR", "gap left in constraints after assembly")
      .range(kPositive)
      .defaults({1e-10})
      .arg<&InitialConditions::maxit>("MAXIT", "MAX", "iterations allowed for positions")
      .range({1})
      .defaults({25})
      .word<&InitialConditions::pattern>(
          "PATTERN", "PAT", "iterations at which the Jacobian is renewed, repeated", true_false())
      .count(1, 10)
      .defaults(Switch::on)
      .default_help("T, every iteration")
      .arg<&InitialConditions::tlimit>("TLIMIT", "TL", "largest translation in one iteration")
      .unit("length")
      .range(kPositive)
      .defaults({1e10})
      .arg<&InitialConditions::alimit>("ALIMIT", "AL", "largest rotation in one iteration")
      .unit("angle")
      .range(kPositive)
      .defaults({30 * kDegree})
      .default_help("30D")
      .arg<&InitialConditions::verror>("VERROR", "VER", "error left in velocities")
      .range(kPositive)
      .defaults({1e-4})
      .arg<&InitialConditions::aerror>("AERROR", "AERR", "error left in accelerations and reactions")
      .range(kPositive)
      .unused(kToRounding)
      .arg<&InitialConditions::amaxit>("AMAXIT", "AMAX", "iterations allowed for accelerations")
      .range({1})
      .unused(kToRounding)
      .word<&InitialConditions::apattern>("APATTERN", "APAT", "as PATTERN, for accelerations", true_false())
      .count(1, 10)
      .unused(kToRounding);
}

Schema kinematics() {
  return Define<Kinematics>("KINEMATICS", "KIN", "Tolerances of simulations without degrees of freedom.")
      .acted_on()
      .group("Settings")
      .no_id()
      .arg<&Kinematics::defaults>("DEFAULT", "", "return to the standard values first")
      .arg<&Kinematics::error>("ERROR", "ERR", "position error left at each step")
      .range(kPositive)
      .defaults({1e-10})
      .arg<&Kinematics::maxit>("MAXIT", "MAX", "iterations allowed for positions")
      .range({1})
      .defaults({25})
      .word<&Kinematics::pattern>("PATTERN", "PAT", "iterations at which the Jacobian is renewed, repeated",
                                  true_false())
      .count(1, 10)
      .defaults(Switch::on)
      .default_help("T, every iteration")
      .arg<&Kinematics::tlimit>("TLIMIT", "TL", "largest translation in one iteration")
      .unit("length")
      .range(kPositive)
      .defaults({1e10})
      .arg<&Kinematics::alimit>("ALIMIT", "AL", "largest rotation in one iteration")
      .unit("angle")
      .range(kPositive)
      .defaults({30 * kDegree})
      .default_help("30D")
      .arg<&Kinematics::hmax>("HMAX", "", "largest step")
      .unit("time")
      .range(kPositive)
      .default_help("the output step")
      .arg<&Kinematics::aerror>("AERROR", "AERR", "error left in accelerations and reactions")
      .range(kPositive)
      .unused(kToRounding)
      .arg<&Kinematics::amaxit>("AMAXIT", "AMAX", "iterations allowed for accelerations")
      .range({1})
      .unused(kToRounding)
      .word<&Kinematics::apattern>("APATTERN", "APAT", "as PATTERN, for accelerations", true_false())
      .count(1, 10)
      .unused(kToRounding);
}

Schema lsolver() {
  using M = Lsolver::Method;
  return Define<Lsolver>("LSOLVER", "", "Solver of the linear equations; results do not depend on it.")
      .group("Settings")
      .no_id()
      .choice<&Lsolver::method>("method", "factorisation",
                                {{"AUTO", "", M::automatic, "chosen by the size of the model"},
                                 {"CALAHAN", "", M::calahan, "sparse, for small and medium models"},
                                 {"UMF", "", M::umf, "multifrontal, for large models"},
                                 {"HARWELL", "", M::harwell, "an old choice, read as AUTO"}})
      .defaults(M::automatic)
      .unused(kOneSolver)
      .arg<&Lsolver::stability>("STABILITY", "", "pivots smaller than this share of the largest are refused")
      .range({0, 1, true, true})
      .defaults({0.01})
      .unused("pivots are checked at every factorisation, and chosen anew where they are poor");
}

Schema preferences() {
  using P = Preferences;
  return Define<Preferences>("PREFERENCES", "PRE", "Settings of the program as a whole.")
      .acted_on()
      .group("Settings")
      .no_id()
      .arg<&P::contact_faceting_tolerance>("CONTACT_FACETING_TOLERANCE", "",
                                           "fineness of contact geometry; larger is finer")
      .range(kPositive)
      .defaults({300})
      .word<&P::contact_geometry_library>("CONTACT_GEOMETRY_LIBRARY", "",
                                          "program part that intersects solids",
                                          {{"RAPID", "", P::GeometryLibrary::rapid, "triangles"},
                                           {"PARASOLIDS", "", P::GeometryLibrary::parasolids, "exact solids"},
                                           {"DEFAULT_LIBRARY", "", P::GeometryLibrary::default_library}})
      .defaults(P::GeometryLibrary::default_library)
      .unused("plain shapes touch exactly, meshes by their triangles")
      .arg<&P::nthreads>("NTHREADS", "", "threads used")
      .range({1})
      .defaults({1})
      .unused("a run uses one thread; results do not depend on it")
      .arg<&P::libpath>("LIBPATH", "", "where user libraries are searched")
      .word<&P::simfail>("SIMFAIL", "", "what a failed simulation does to the command file",
                         {{"NOSTOPCF", "", P::Failure::nostopcf, "go on with the next command"},
                          {"STOPCF", "", P::Failure::stopcf, "stop reading commands, as every run does"}})
      .defaults(P::Failure::stopcf)
      .unused("the run stops at the first simulation that fails")
      .word<&P::status_message>("STATUS_MESSAGE", "", "more messages about progress", on_off())
      .defaults(Switch::off)
      .unused("a line on the terminal shows the progress of every run; DEBUG/EPRINT tells of each step")
      .word<&P::flex_limit_check>("FLEX_LIMIT_CHECK", "", "nodes watched for too large deformation",
                                  {{"NONE", "", P::LimitCheck::none},
                                   {"SKIN", "", P::LimitCheck::skin, "nodes on the surface"},
                                   {"SELNOD", "", P::LimitCheck::selnod, "selected nodes"}})
      .defaults(P::LimitCheck::none)
      .unused("the nodes of markers are watched in every run")
      .word<&P::flex_limit_check_action>("FLEX_LIMIT_CHECK_ACTION", "", "what too large a deformation does",
                                         {{"RETURN", "", P::LimitAction::return_, "end this simulation"},
                                          {"HALT", "", P::LimitAction::halt, "end the run"},
                                          {"MESSAGE_ONLY", "", P::LimitAction::message_only}})
      .defaults(P::LimitAction::message_only)
      .unused("it is told, and the run goes on")
      .arg<&P::flex_limit_check_frequency>("FLEX_LIMIT_CHECK_FREQUENCY", "", "output steps between checks")
      .range({1})
      .defaults({1})
      .unused("every output step is checked")
      .arg<&P::flex_limit_tolerance>("FLEX_LIMIT_TOLERANCE", "",
                                     "deformation allowed, as a share of the body's size")
      .range(kPositive)
      .word<&P::echo>("ECHO", "", "repeat the commands in the message file", on_off())
      .defaults(Switch::off)
      .unused("messages tell what each command did");
}

Schema debug() {
  using S = Switch;
  return Define<Debug>("DEBUG", "", "Extra output to find out why a simulation fails.")
      .acted_on()
      .group("Settings")
      .no_id()
      .choice<&Debug::eprint>("steps", "a table of each step and its iterations",
                              {{"EPRINT", "", S::on}, {"NOEPRINT", "", S::off}})
      .defaults(S::off)
      .choice<&Debug::dump>("model", "the model as the solver sees it",
                            {{"DUMP", "", S::on}, {"NODUMP", "", S::off}})
      .defaults(S::off)
      .choice<&Debug::jmdump>("Jacobian", "the Jacobian at each iteration",
                              {{"JMDUMP", "", S::on}, {"NOJMDUMP", "", S::off}})
      .defaults(S::off)
      .choice<&Debug::rhsdump>("residuals", "residuals, states and corrections at each iteration",
                               {{"RHSDUMP", "", S::on}, {"NORHSDUMP", "", S::off}})
      .defaults(S::off)
      .choice<&Debug::reqdump>("requests", "the requests at each iteration",
                               {{"REQDUMP", "", S::on}, {"NOREQDUMP", "", S::off}})
      .defaults(S::off)
      .unused("requests are in the results at each output time")
      .choice<&Debug::dof>("freedoms", "the count of degrees of freedom",
                           {{"DOF", "", S::on}, {"NODOF", "", S::off}})
      .defaults(S::off)
      .choice<&Debug::topology>("topology", "which elements connect which parts",
                                {{"TOPOLOGY", "", S::on}, {"NOTOPOLOGY", "", S::off}})
      .defaults(S::off)
      .choice<&Debug::subroutine_calls>("calls", "each call of a user subroutine",
                                        {{"SUBROUTINE_CALLS", "", S::on}, {"NOSUBROUTINE_CALLS", "", S::off}})
      .defaults(S::off)
      .unused("calls of user code are not listed")
      .choice<&Debug::verbose>("messages", "longer messages",
                               {{"VERBOSE", "", S::on}, {"NOVERBOSE", "", S::off}})
      .defaults(S::off)
      .arg<&Debug::matlab>("MATLAB", "", "write JMDUMP and RHSDUMP in MATLAB form");
}

Schema sensor() {
  using C = Sensor::Comparison;
  return Define<Sensor>("SENSOR", "", "Watches an expression and acts when it meets a value.")
      .acted_on()
      .group("Settings")
      .arg<&Sensor::function>("FUNCTION", "FU", "expression watched; USER(...) calls SENSUB")
      .required()
      .arg<&Sensor::value>("VALUE", "", "value that sets the sensor off")
      .defaults({0})
      .arg<&Sensor::error>("ERROR", "ERR", "allowed distance from VALUE")
      .range(kPositive)
      .defaults({1e-3})
      .arg<&Sensor::angle>("ANGLE", "", "the expression is an angle, full turns do not count")
      .choice<&Sensor::comparison>("comparison", "when the sensor goes off",
                                   {{"EQ", "", C::eq, "within ERROR of VALUE"},
                                    {"GE", "", C::ge, "at VALUE or above"},
                                    {"LE", "", C::le, "at VALUE or below"}})
      .defaults(C::eq)
      .arg<&Sensor::halt>("HALT", "", "end the run and the command file")
      .arg<&Sensor::return_>("RETURN", "", "end this simulation, go on with the next command")
      .arg<&Sensor::print>("PRINT", "", "write output at the event")
      .arg<&Sensor::restart>("RESTART", "", "restart the integrator at order one, as every event does")
      .arg<&Sensor::codgen>("CODGEN", "", "find a new pivot sequence, as every event does")
      .arg<&Sensor::yydump>("YYDUMP", "", "write out all states")
      .arg<&Sensor::dt>("DT", "", "output step from the event on")
      .unit("time")
      .range(kPositive)
      .default_help("unchanged")
      .arg<&Sensor::stepsize>("STEPSIZE", "", "first integrator step after the event")
      .unit("time")
      .range(kPositive)
      .default_help("unchanged")
      .arg<&Sensor::evaluate>("EVALUATE", "", "expression kept at the event; SENVAL(id) reads it")
      .arg<&Sensor::bisection>("BISECTION", "", "search the event by halving instead of secants")
      .unused("the search halves wherever a secant gains less")
      .arg<&Sensor::routine>("ROUTINE", "", "library::name of the subroutines for FUNCTION and EVALUATE")
      .count(1, 2)
      .default_help("SENSUB, SEVSUB")
      .at_most_one({"HALT", "RETURN"});
}

Schema environment() {
  return Define<Environment>("ENVIRONMENT", "", "Sets an environment variable of the solver.")
      .group("Settings")
      .no_id()
      .repeatable()
      .arg<&Environment::variable>("NAME", "", "name of the variable")
      .required()
      .arg<&Environment::value>("VALUE", "", "new value; without it the present one is shown");
}

}  // namespace

std::vector<Schema> setting_schemas() {
  return {units(),       integrator(), equilibrium(), initial_conditions(), kinematics(), lsolver(),
          preferences(), debug(),      sensor(),      environment()};
}

}  // namespace trunnion::model
