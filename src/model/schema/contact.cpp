// FRICTION, CONTACT, TIRE and CLEARANCE.

#include "model/define.hpp"
#include "model/schema/chapters.hpp"

namespace trunnion::model {

namespace {

Schema friction() {
  using F = Friction::Formulation;
  using E = Friction::Effect;
  using I = Friction::Input;
  using O = Friction::Overlap;
  return Define<Friction>("FRICTION", "", "Friction in a joint.")
      .acted_on()
      .group("Forces")
      .arg<&Friction::joint>("JOINT", "",
                             "joint that rubs: revolute, translational, cylindrical, cardan or spherical")
      .required()
      .word<&Friction::formulation>(
          "FORMULATION", "", "friction model (unconfirmed spelling)",
          {{"ORIGINAL", "", F::original, "stick-slip"},
           {"LUGRE", "", F::lugre, "bristle deflection as a state, which statics does not change"}})
      .defaults(F::original)
      .arg<&Friction::mu_static>("MU_STATIC", "", "friction coefficient while sticking")
      .defaults({0})
      .range(kNotNegative)
      .arg<&Friction::mu_dynamic>("MU_DYNAMIC", "", "friction coefficient while sliding")
      .defaults({0})
      .range(kNotNegative)
      .arg<&Friction::stiction_transition_velocity>("STICTION_TRANSITION_VELOCITY", "",
                                                    "slip speed below which the joint sticks")
      .unit("length/time")
      .defaults({0.1})
      .range(kPositive)
      .arg<&Friction::max_stiction_deformation>("MAX_STICTION_DEFORMATION", "",
                                                "creep allowed while sticking")
      .unit("length")
      .defaults({0.01})
      .range(kPositive)
      .arg<&Friction::friction_force_preload>("FRICTION_FORCE_PRELOAD", "",
                                              "friction force of the unloaded joint")
      .unit("force")
      .defaults({0})
      .range(kNotNegative)
      .arg<&Friction::friction_torque_preload>("FRICTION_TORQUE_PRELOAD", "",
                                               "friction torque of the unloaded joint")
      .unit("torque")
      .defaults({0})
      .range(kNotNegative)
      .word<&Friction::effect>("EFFECT", "", "regimes that are modelled",
                               {{"ALL", "", E::all, "sticking and sliding"},
                                {"STICTION", "", E::stiction, "sticking"},
                                {"SLIDING", "", E::sliding, "sliding"}})
      .count(1, 2)
      .defaults(E::all)
      .word<&Friction::inputs>("INPUTS", "", "joint loads that press the surfaces together",
                               {{"ALL", "", I::all, "all that apply to the joint"},
                                {"NONE", "", I::none, "none"},
                                {"PRELOAD", "", I::preload, "the two preloads"},
                                {"REACTION_FORCE", "", I::reaction_force, "reaction force"},
                                {"BENDING_MOMENT", "", I::bending_moment, "moment across the axis"},
                                {"TORSIONAL_MOMENT", "", I::torsional_moment, "moment about the axis"}})
      .count(1, 4)
      .defaults(I::all)
      .word<&Friction::inactive_during>(
          "INACTIVE_DURING", "", "analysis without friction",
          {{"STATIC", "", Friction::Phase::statics, "statics and quasi-statics"},
           {"STATICS", "", Friction::Phase::statics}})
      .alias("INACTIVE")
      .default_help("none")
      .arg<&Friction::pin_radius>("PIN_RADIUS", "", "pin radius: revolute, cylindrical, cardan")
      .unit("length")
      .defaults({1})
      .range(kPositive)
      .arg<&Friction::friction_arm>("FRICTION_ARM", "", "arm of the axial load: revolute, cardan")
      .unit("length")
      .defaults({1})
      .range(kPositive)
      .arg<&Friction::bending_reaction_arm>("BENDING_REACTION_ARM", "",
                                            "arm of the bending moment: revolute, cardan")
      .unit("length")
      .defaults({1})
      .range(kPositive)
      .arg<&Friction::ball_radius>("BALL_RADIUS", "", "ball radius: spherical")
      .unit("length")
      .defaults({1})
      .range(kPositive)
      .arg<&Friction::reaction_arm>("REACTION_ARM", "", "arm of the torsional moment: translational")
      .unit("length")
      .defaults({1})
      .range(kPositive)
      .arg<&Friction::initial_overlap>("INITIAL_OVERLAP", "",
                                       "guiding length at the start: translational, cylindrical")
      .unit("length")
      .defaults({1000})
      .range(kPositive)
      .word<&Friction::overlap_delta>("OVERLAP_DELTA", "", "how travel changes the guiding length",
                                      {{"CONSTANT", "", O::constant, "not at all"},
                                       {"INCREASE", "", O::increase, "longer with travel"},
                                       {"DECREASE", "", O::decrease, "shorter with travel"}})
      .defaults(O::constant)
      .choice<&Friction::yoke>("yoke", "which yoke of a cardan joint rubs",
                               {{"I_YOKE", "", Friction::Yoke::i, "the one on the I part"},
                                {"J_YOKE", "", Friction::Yoke::j, "the one on the J part"}})
      .defaults(Friction::Yoke::i)
      .arg<&Friction::yield>("YIELD", "", "left over from old releases (unconfirmed spelling)")
      .unused("nothing is known of what it did")
      .arg<&Friction::bristle_stiffness>("BRISTLE_STIFFNESS", "",
                                         "LuGre bristle stiffness over the force that presses")
      .unit("1/length")
      .default_help("MU_STATIC/MAX_STICTION_DEFORMATION")
      .range(kPositive)
      .arg<&Friction::damping_coefficient>("DAMPING_COEFFICIENT", "",
                                           "LuGre bristle damping over the force that presses")
      .unit("time/length")
      .default_help("MU_STATIC/STRIBECK_VELOCITY")
      .range(kNotNegative)
      .arg<&Friction::viscous_coefficient>("VISCOUS_COEFFICIENT", "",
                                           "LuGre viscous friction over the force that presses")
      .unit("time/length")
      .defaults({0})
      .range(kNotNegative)
      .arg<&Friction::stribeck_velocity>("STRIBECK_VELOCITY", "",
                                         "LuGre speed at which static friction fades")
      .unit("length/time")
      .default_help("STICTION_TRANSITION_VELOCITY")
      .range(kPositive);
}

Schema contact() {
  using L = Contact::Law;
  using C = Contact::Coulomb;
  using S = Switch;
  return Define<Contact>("CONTACT", "",
                         "Pushes two sets of geometry apart where they overlap, with friction.")
      .acted_on()
      .group("Forces")
      .arg<&Contact::igeom>("IGEOM", "", "graphics of the first side, all on one part")
      .arg<&Contact::jgeom>("JGEOM", "", "graphics of the second side, all on one other part")
      .arg<&Contact::iflex>("IFLEX", "", "flexible body as first side")
      .arg<&Contact::jflex>("JFLEX", "", "flexible body as second side")
      .word<&Contact::iflip>(
          "IFLIP", "", "reverses normals of first-side curves (unconfirmed spelling)",
          {{"T", "", S::on}, {"F", "", S::off}, {"TRUE", "", S::on}, {"FALSE", "", S::off}})
      .defaults(S::off)
      .word<&Contact::jflip>(
          "JFLIP", "", "reverses normals of second-side curves (unconfirmed spelling)",
          {{"T", "", S::on}, {"F", "", S::off}, {"TRUE", "", S::on}, {"FALSE", "", S::off}})
      .defaults(S::off)
      .arg<&Contact::iedge>("IEDGE", "", "edge of the first flexible body (unconfirmed spelling)")
      .unused("contacts of edges are not simulated")
      .arg<&Contact::jedge>("JEDGE", "", "edge of the second flexible body (unconfirmed spelling)")
      .unused("contacts of edges are not simulated")
      .arg<&Contact::type>("TYPE", "", "kinds of geometry, such as SOLID_TO_SOLID, for information")
      .default_help("from the geometry")
      .arg<&Contact::geometry_routines>("GEOMETRY_ROUTINES", "",
                                        "user geometry library (unconfirmed spelling)")
      .unused("where solids touch is found by the program itself")
      .choice<&Contact::law>("law", "how the normal force is found",
                             {{"IMPACT", "", L::impact, "spring with exponent and ramped damping"},
                              {"POISSON", "", L::poisson, "penalty and coefficient of restitution"}})
      .arg<&Contact::stiffness>("STIFFNESS", "", "IMPACT: force at unit penetration")
      .unit("force/length^exponent")
      .range(kPositive)
      .arg<&Contact::exponent>("EXPONENT", "", "IMPACT: power of the penetration; above 1 is smooth")
      .range(kPositive)
      .arg<&Contact::damping>("DAMPING", "", "IMPACT: damping at full depth")
      .unit("force*time/length")
      .range(kNotNegative)
      .arg<&Contact::dmax>("DMAX", "", "IMPACT: penetration at which damping is full")
      .unit("length")
      .range(kPositive)
      .arg<&Contact::penalty>("PENALTY", "", "POISSON: stiffness")
      .unit("force/length")
      .range(kPositive)
      .arg<&Contact::restitution_coefficient>("RESTITUTION_COEFFICIENT", "",
                                              "POISSON: 0 without rebound, 1 without loss")
      .range({0, 1})
      .arg<&Contact::augmented_lagrangian_formulation>("AUGMENTED_LAGRANGIAN_FORMULATION", "",
                                                       "POISSON: refines the force to reduce penetration")
      .arg<&Contact::normal_function>("NORMAL_FUNCTION", "", "USER(...): normal force from a subroutine")
      .arg<&Contact::normal_routine>("NORMAL_ROUTINE", "", "library::name of the normal-force subroutine")
      .default_help("CNFSUB")
      .word<&Contact::coulomb_friction>("COULOMB_FRICTION", "", "friction at the contact",
                                        {{"OFF", "", C::off, "none"},
                                         {"ON", "", C::on, "always"},
                                         {"DYNAMICS_ONLY", "", C::dynamics_only, "not in statics"},
                                         {"DYNAMICSONLY", "", C::dynamics_only}})
      .defaults(C::off)
      .arg<&Contact::mu_static>("MU_STATIC", "", "friction coefficient at STICTION_TRANSITION_VELOCITY")
      .range(kNotNegative)
      .arg<&Contact::mu_dynamic>("MU_DYNAMIC", "",
                                 "friction coefficient from FRICTION_TRANSITION_VELOCITY on")
      .range(kNotNegative)
      .arg<&Contact::stiction_transition_velocity>("STICTION_TRANSITION_VELOCITY", "",
                                                   "slip speed of the largest friction coefficient")
      .unit("length/time")
      .range(kPositive)
      .arg<&Contact::friction_transition_velocity>("FRICTION_TRANSITION_VELOCITY", "",
                                                   "slip speed from which MU_DYNAMIC holds")
      .unit("length/time")
      .range(kPositive)
      .word<&Contact::stiction>("STICTION", "", "true sticking, with a small elastic creep",
                                {{"ON", "", S::on}, {"OFF", "", S::off}})
      .defaults(S::off)
      .arg<&Contact::max_stiction_deformation>("MAX_STICTION_DEFORMATION", "", "creep allowed while sticking")
      .unit("length")
      .range(kPositive)
      .arg<&Contact::friction_function>("FRICTION_FUNCTION", "",
                                        "USER(...): friction force from a subroutine")
      .arg<&Contact::friction_routine>("FRICTION_ROUTINE", "", "library::name of the friction subroutine")
      .default_help("CFFSUB")
      .exactly_one({"IGEOM", "IFLEX"})
      .exactly_one({"JGEOM", "JFLEX"})
      .exactly_one({"IMPACT", "POISSON", "NORMAL_FUNCTION"})
      .needs({"IMPACT", "STIFFNESS"})
      .needs({"IMPACT", "EXPONENT"})
      .needs({"IMPACT", "DAMPING"})
      .needs({"IMPACT", "DMAX"})
      .needs({"POISSON", "PENALTY"})
      .needs({"POISSON", "RESTITUTION_COEFFICIENT"})
      .needs({"AUGMENTED_LAGRANGIAN_FORMULATION", "POISSON"})
      .at_most_one({"COULOMB_FRICTION", "FRICTION_FUNCTION"});
}

Schema tire() {
  return Define<Tire>("TIRE", "", "Tyre force of old releases (argument spellings unconfirmed); use GFORCE.")
      .group("Forces")
      .arg<&Tire::i>("I", "", "marker at the wheel centre")
      .alias("CM")
      .arg<&Tire::j>("J", "", "marker of the road")
      .alias("JMARKER")
      .arg<&Tire::model>("MODEL", "", "tyre model: FIALA, SMITHERS, UA, EQUATION, INTERPOLATION")
      .arg<&Tire::mass>("MASS", "", "mass of the tyre")
      .unit("mass")
      .range(kNotNegative)
      .arg<&Tire::ip>("IP", "", "moments of inertia of the tyre")
      .unit("inertia")
      .count(2, 3)
      .arg<&Tire::length>("LENGTH", "", "offset of the tyre")
      .unit("length")
      .arg<&Tire::radii>("RADII", "", "unloaded radius and carcass radius")
      .unit("length")
      .arg<&Tire::cn>("CN", "", "radial stiffness")
      .unit("force/length")
      .arg<&Tire::cslip>("CSLIP", "", "longitudinal stiffness per slip")
      .unit("force")
      .arg<&Tire::calpha>("CALPHA", "", "cornering stiffness per slip angle")
      .unit("force/angle")
      .arg<&Tire::cgamma>("CGAMMA", "", "camber stiffness per inclination")
      .unit("force/angle")
      .arg<&Tire::rr>("RR", "", "rolling resistance coefficient")
      .arg<&Tire::rdr>("RDR", "", "radial damping ratio")
      .arg<&Tire::u0>("U0", "", "friction coefficient without slip")
      .arg<&Tire::u1>("U1", "", "friction coefficient at full slip")
      .arg<&Tire::damping>("DAMPING", "", "radial damping")
      .arg<&Tire::file>("FILE", "", "tyre property file")
      .alias("PROP_FILE")
      .arg<&Tire::road>("ROAD", "", "road file")
      .arg<&Tire::string>("STRING", "", "text passed to the subroutine")
      .arg<&Tire::function>("FUNCTION", "FU", "USER(...): the force from a subroutine")
      .arg<&Tire::routine>("ROUTINE", "", "library::name of the subroutine")
      .default_help("TIRSUB");
}

Schema clearance() {
  using S = Switch;
  return Define<Clearance>("CLEARANCE", "", "Measures the least distance between two sets of geometry.")
      .group("Forces")
      .arg<&Clearance::igeom>("IGEOM", "", "graphics of the first side")
      .arg<&Clearance::jgeom>("JGEOM", "", "graphics of the second side")
      .arg<&Clearance::iflex>("IFLEX", "", "flexible bodies of the first side")
      .arg<&Clearance::jflex>("JFLEX", "", "flexible bodies of the second side")
      .arg<&Clearance::iregion>("IREGION", "", "matrices listing nodes of IFLEX")
      .default_help("all nodes")
      .arg<&Clearance::jregion>("JREGION", "", "matrices listing nodes of JFLEX")
      .default_help("all nodes")
      .word<&Clearance::iexclude>(
          "IEXCLUDE", "", "per region of IREGION: leave those nodes out",
          {{"TRUE", "", S::on}, {"FALSE", "", S::off}, {"T", "T", S::on}, {"F", "F", S::off}})
      .defaults(S::off)
      .word<&Clearance::jexclude>(
          "JEXCLUDE", "", "per region of JREGION: leave those nodes out",
          {{"TRUE", "", S::on}, {"FALSE", "", S::off}, {"T", "T", S::on}, {"F", "F", S::off}})
      .defaults(S::off)
      .arg<&Clearance::threshold>("THRESHOLD", "",
                                  "distance beyond which a rough value will do; 0 always exact")
      .unit("length")
      .defaults({0})
      .range(kNotNegative)
      .exactly_one({"IGEOM", "IFLEX"})
      .exactly_one({"JGEOM", "JFLEX"})
      .needs({"IREGION", "IFLEX"})
      .needs({"JREGION", "JFLEX"});
}

}  // namespace

std::vector<Schema> contact_schemas() { return {friction(), contact(), tire(), clearance()}; }

}  // namespace trunnion::model
