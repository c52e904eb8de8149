#include "model/define.hpp"
#include "model/schema/chapters.hpp"

namespace trunnion::model {

namespace {

Schema joint() {
  using T = Joint::Type;
  using R = Joint::Rubbing;
  return Define<Joint>("JOINT", "J", "Connects marker I of one part to marker J of another.")
      .acted_on()
      .group("Constraints")
      .choice<&Joint::type>("type", "which freedoms are left",
                            {{"REVOLUTE", "RE", T::revolute, "rotation about the common z axis"},
                             {"TRANSLATIONAL", "T", T::translational, "sliding along the common z axis"},
                             {"CYLINDRICAL", "C", T::cylindrical, "sliding along and rotation about z"},
                             {"SPHERICAL", "SP", T::spherical, "all rotations about the common origin"},
                             {"UNIVERSAL", "U", T::universal, "cross with arms along z of I and z of J"},
                             {"HOOKE", "HO", T::hooke, "cardan joint of two shafts along z"},
                             {"FIXED", "FIX", T::fixed, "none: the parts are welded"},
                             {"PLANAR", "PL", T::planar, "sliding in the xy plane, rotation about z"},
                             {"CONVEL", "CONV", T::convel, "constant-velocity joint of two shafts along z"},
                             {"SCREW", "SC", T::screw, "all, with travel along z tied to rotation"},
                             {"RACKPIN", "RA", T::rackpin,
                              "all, with the pinion (part of I, turning about z of I) rolling along the rack "
                              "(part of J, along z of J); PD is the pinion's pitch diameter"}})
      .required()
      .arg<&Joint::i>("I", "I", "marker on the first part")
      .required()
      .arg<&Joint::j>("J", "J", "marker on the second part; I is measured from it")
      .required()
      .arg<&Joint::ic>("IC", "IC", "start travel (translational) or angle (revolute), and its rate")
      .at_start()
      .count(1, 2)
      .default_help("left to the assembly")
      .arg<&Joint::ictran>("ICTRAN", "ICT", "start travel of I along z of J, and its rate")
      .at_start()
      .unit("length, length/time")
      .count(1, 2)
      .default_help("left to the assembly")
      .arg<&Joint::icrot>("ICROT", "ICR", "start angle of I about z of J, and its rate")
      .at_start()
      .unit("angle, angle/time")
      .count(1, 2)
      .default_help("left to the assembly")
      .arg<&Joint::pitch>("PITCH", "PI", "travel per turn of a screw; negative for left-hand")
      .unit("length")
      .arg<&Joint::pd>("PD", "PD", "pitch diameter of the pinion; the sign sets the sense")
      .unit("length")
      .word<&Joint::friction>("FRICTION", "FRI", "friction inside the joint (old form; see FRICTION)",
                              {{"ON", "", R::on, "from reaction and preload"},
                               {"OFF", "", R::off, "none"},
                               {"PRELOAD_ONLY", "PRE", R::preload_only, "from preload alone"}})
      .default_help("ON where friction data is given")
      .arg<&Joint::delta_v>("DELTA_V", "DEL", "slip speed below which the joint sticks")
      .unit("length/time")
      .range(kPositive)
      .arg<&Joint::maximum_deformation>("MAXIMUM_DEFORMATION", "MAXIMUM_D", "creep allowed while sticking")
      .unit("length")
      .defaults({0.01})
      .range(kPositive)
      .arg<&Joint::mu_dyn_rot>("MU_DYN_ROT", "MU_DYN_R", "sliding friction coefficient, revolute")
      .range(kNotNegative)
      .arg<&Joint::mu_stat_rot>("MU_STAT_ROT", "MU_STAT_R", "sticking friction coefficient, revolute")
      .range(kNotNegative)
      .arg<&Joint::mu_dyn_trans>("MU_DYN_TRANS", "MU_DYN_T", "sliding friction coefficient, translational")
      .range(kNotNegative)
      .arg<&Joint::mu_stat_trans>("MU_STAT_TRANS", "MU_STAT_T",
                                  "sticking friction coefficient, translational")
      .range(kNotNegative)
      .arg<&Joint::max_fric_rot>("MAX_FRIC_ROT", "MAX_", "largest friction torque; 0 for no limit")
      .unit("torque")
      .defaults({0})
      .range(kNotNegative)
      .arg<&Joint::max_fric_trans>("MAX_FRIC_TRANS", "MAX_FRIC_T", "largest friction force; 0 for no limit")
      .unit("force")
      .defaults({0})
      .range(kNotNegative)
      .arg<&Joint::preload_radial>("PRELOAD_RADIAL", "PRELOAD_R", "radial preload of the bearing, revolute")
      .unit("force")
      .defaults({0})
      .arg<&Joint::preload_axial>("PRELOAD_AXIAL", "PRELOAD_A", "axial preload of the bearing, revolute")
      .unit("force")
      .defaults({0})
      .arg<&Joint::preload_x>("PRELOAD_X", "", "preload of the guide along x, translational")
      .unit("force")
      .defaults({0})
      .arg<&Joint::preload_y>("PRELOAD_Y", "", "preload of the guide along y, translational")
      .unit("force")
      .defaults({0})
      .arg<&Joint::inner_radius>("INNER_RADIUS", "INN", "radius of the pin, revolute")
      .unit("length")
      .range(kPositive)
      .arg<&Joint::outer_radius>("OUTER_RADIUS", "OUT", "outer radius of the bearing, revolute")
      .unit("length")
      .range(kPositive)
      .arg<&Joint::height>("HEIGHT", "HEI", "height of the guide along y, translational")
      .unit("length")
      .range(kPositive)
      .arg<&Joint::width>("WIDTH", "WID", "width of the guide along x, translational")
      .unit("length")
      .range(kPositive)
      .needs({"SCREW", "PITCH"})
      .needs({"RACKPIN", "PD"});
}

Schema jprim() {
  using T = Jprim::Type;
  return Define<Jprim>("JPRIM", "JP", "One elementary constraint between markers I and J.")
      .acted_on()
      .group("Constraints")
      .choice<&Jprim::type>(
          "type", "what is held",
          {{"ATPOINT", "AT", T::atpoint, "the origins coincide (3 equations)"},
           {"INLINE", "INL", T::inline_, "origin of I on the z axis of J (2)"},
           {"INPLANE", "INP", T::inplane, "origin of I in the xy plane of J (1)"},
           {"ORIENTATION", "OR", T::orientation, "no relative rotation (3)"},
           {"PARALLEL_AXES", "PAR", T::parallel_axes, "the z axes stay parallel (2)"},
           {"PERPENDICULAR", "PERP", T::perpendicular, "the z axes stay perpendicular (1)"}})
      .required()
      .arg<&Jprim::i>("I", "I", "marker on the first part")
      .required()
      .arg<&Jprim::j>("J", "J", "marker on the second part")
      .required();
}

Schema motion() {
  using D = Motion::Direction;
  using L = Motion::Level;
  return Define<Motion>("MOTION", "", "Prescribes a motion of a joint or between two markers.")
      .acted_on()
      .group("Constraints")
      .arg<&Motion::joint>("JOINT", "", "translational, revolute or cylindrical joint that is driven")
      .choice<&Motion::freedom>("freedom", "which freedom of the joint is driven",
                                {{"TRANSLATIONAL", "TR", Freedom::translation, "travel along z"},
                                 {"ROTATIONAL", "RO", Freedom::rotation, "angle about z"}})
      .default_help("the one the joint has")
      .arg<&Motion::i>("I", "I", "marker that is moved")
      .arg<&Motion::j>("J", "J", "marker it is moved against")
      .choice<&Motion::direction>("direction", "what is prescribed between I and J",
                                  {{"X", "X", D::x, "distance along x of J"},
                                   {"Y", "Y", D::y, "distance along y of J"},
                                   {"Z", "Z", D::z, "distance along z of J"},
                                   {"B1", "B1", D::b1, "first body 1-2-3 angle of I from J"},
                                   {"B2", "B2", D::b2, "second body 1-2-3 angle"},
                                   {"B3", "B3", D::b3, "third body 1-2-3 angle"}})
      .choice<&Motion::level>("level", "what FUNCTION gives",
                              {{"DISPLACEMENT", "", L::displacement, "the travel or angle itself"},
                               {"VELOCITY", "", L::velocity, "its rate"},
                               {"ACCELERATION", "", L::acceleration, "its second derivative"}})
      .defaults(L::displacement)
      .arg<&Motion::icdisp>("ICDISP", "", "start travel or angle, with VELOCITY or ACCELERATION")
      .at_start()
      .default_help("as assembled")
      .arg<&Motion::icvel>("ICVEL", "", "start rate, with ACCELERATION")
      .at_start()
      .defaults({0})
      .arg<&Motion::function>("FUNCTION", "FU", "prescribed value over time")
      .required()
      .arg<&Motion::routine>("ROUTINE", "", "library::name of the subroutine for FUNCTION=USER(...)")
      .default_help("MOTSUB")
      .exactly_one({"JOINT", "I"})
      .all_or_none({"I", "J"})
      .needs({"I", "X", "Y", "Z", "B1", "B2", "B3"});
}

Schema coupler() {
  return Define<Coupler>("COUPLER", "", "Ties the motions of joints: r1*q1 + r2*q2 [+ r3*q3] = 0.")
      .acted_on()
      .group("Constraints")
      .arg<&Coupler::joints>("JOINTS", "", "two or three translational, revolute or cylindrical joints")
      .required()
      .count(2, 3)
      .word<&Coupler::type>(
          "TYPE", "", "which freedom of each joint",
          {{"T", "T", Freedom::translation, "travel"}, {"R", "R", Freedom::rotation, "angle"}})
      .count(2, 3)
      .default_help("the one the joint has")
      .arg<&Coupler::scales>("SCALES", "", "factors r1,r2[,r3]; a single value is r2, with r1=1")
      .count(1, 3)
      .arg<&Coupler::function>("FUNCTION", "FU", "USER(...): the relation from a subroutine")
      .arg<&Coupler::routine>("ROUTINE", "", "library::name of relation, first and second derivatives")
      .count(1, 3)
      .default_help("COUSUB,COUXX,COUXX2")
      .exactly_one({"SCALES", "FUNCTION"});
}

Schema gear() {
  return Define<Gear>("GEAR", "", "A gear pair: two joints on one carrier roll on each other.")
      .acted_on()
      .group("Constraints")
      .arg<&Gear::joints>("JOINTS", "",
                          "two translational, revolute or cylindrical joints on the same carrier")
      .required()
      .count(2)
      .arg<&Gear::cv>(
          "CV", "",
          "marker on the carrier at the pitch point, z along the common velocity; tooth forces act along it")
      .required();
}

Schema gcon() {
  return Define<Gcon>("GCON", "", "Keeps an expression at zero.")
      .acted_on()
      .group("Constraints")
      .arg<&Gcon::i>("I", "", "markers at which the reaction is reported")
      .arg<&Gcon::function>("FUNCTION", "FU", "expression in positions or velocities that is kept at zero")
      .required();
}

Schema ucon() {
  return Define<Ucon>("UCON", "", "A constraint from a subroutine (F77; GCON replaces it).")
      .group("Constraints")
      .arg<&Ucon::function>("FUNCTION", "FU", "USER(...): the constraint and its derivatives")
      .required()
      .arg<&Ucon::routine>("ROUTINE", "", "library::name of the subroutine")
      .default_help("UCOSUB");
}

Schema ptcv() {
  return Define<Ptcv>("PTCV", "", "Keeps a point of one part on a curve of another.")
      .acted_on()
      .group("Constraints")
      .arg<&Ptcv::i>("I", "I", "marker whose origin stays on the curve")
      .required()
      .arg<&Ptcv::jfloat>("JFLOAT", "JF", "floating marker kept at the contact: x tangent, z binormal")
      .required()
      .arg<&Ptcv::curve>("CURVE", "", "the curve")
      .required()
      .arg<&Ptcv::rm>("RM", "RM", "marker in whose frame the curve is given, on the JFLOAT part")
      .required()
      .arg<&Ptcv::disp>("DISP", "", "start point on the curve")
      .at_start()
      .unit("length")
      .count(3)
      .default_help("nearest to I, free to be adjusted")
      .arg<&Ptcv::icm>("ICM", "", "marker giving the frame of DISP")
      .default_help("the RM marker")
      .arg<&Ptcv::vel>("VEL", "", "start velocity along the curve (unconfirmed spelling)")
      .at_start()
      .unit("length/time")
      .default_help("left to the assembly");
}

Schema cvcv() {
  return Define<Cvcv>("CVCV", "", "Keeps two planar curves on two parts in contact and tangent.")
      .acted_on()
      .group("Constraints")
      .arg<&Cvcv::icurve>("ICURVE", "", "first curve, with z=0")
      .required()
      .arg<&Cvcv::jcurve>("JCURVE", "", "second curve, with z=0")
      .required()
      .arg<&Cvcv::irm>("IRM", "", "marker in whose frame the first curve is given")
      .required()
      .arg<&Cvcv::jrm>("JRM", "", "marker in whose frame the second curve is given")
      .required()
      .arg<&Cvcv::ifloat>("IFLOAT", "", "floating marker kept at the contact, on the IRM part")
      .required()
      .arg<&Cvcv::jfloat>("JFLOAT", "", "floating marker kept at the contact, on the JRM part")
      .required()
      .arg<&Cvcv::idisp>("IDISP", "", "start contact point on the first curve")
      .at_start()
      .unit("length")
      .count(3)
      .default_help("nearest point, free to be adjusted")
      .arg<&Cvcv::jdisp>("JDISP", "", "start contact point on the second curve")
      .at_start()
      .unit("length")
      .count(3)
      .default_help("nearest point, free to be adjusted")
      .arg<&Cvcv::iicm>("IICM", "", "marker giving the frame of IDISP")
      .default_help("the IRM marker")
      .arg<&Cvcv::jicm>("JICM", "", "marker giving the frame of JDISP")
      .default_help("the JRM marker")
      .arg<&Cvcv::ivel>("IVEL", "", "start velocity of the contact along the first curve")
      .at_start()
      .unit("length/time")
      .default_help("left to the assembly")
      .alias("IVTAN")
      .arg<&Cvcv::jvel>("JVEL", "", "start velocity of the contact along the second curve")
      .at_start()
      .unit("length/time")
      .default_help("left to the assembly")
      .alias("JVTAN");
}

Schema curve() {
  using E = Curve::Ends;
  using P = Curve::Points;
  return Define<Curve>("CURVE", "", "A space curve with a parameter, for PTCV, CVCV and CURVE().")
      .acted_on()
      .group("Constraints")
      .choice<&Curve::ends>("ends", "whether the ends meet",
                            {{"OPEN", "", E::open, "they do not"},
                             {"CLOSED", "", E::closed, "smoothly; first and last point equal"}})
      .defaults(E::open)
      .arg<&Curve::matrix>("MATRIX", "", "matrix of points, a row x,y,z each, at least four")
      .unit("length")
      .choice<&Curve::points>("points", "meaning of the matrix rows",
                              {{"CURVE_POINTS", "", P::curve_points, "points the curve passes through"},
                               {"CONTROL_POINTS", "", P::control_points, "control points of a B-spline"}})
      .defaults(P::curve_points)
      .arg<&Curve::order>("ORDER", "", "degree of the spline plus one: 2 polyline, 4 cubic")
      .defaults({4})
      .range({2, 100})
      .arg<&Curve::minpar>("MINPAR", "", "least parameter of a curve from a subroutine")
      .defaults({-1})
      .arg<&Curve::maxpar>("MAXPAR", "", "largest parameter of a curve from a subroutine")
      .defaults({1})
      .arg<&Curve::function>("FUNCTION", "FU", "USER(...): the curve from a subroutine")
      .arg<&Curve::routine>("ROUTINE", "", "library::name of the subroutine")
      .default_help("CURSUB")
      .exactly_one({"MATRIX", "FUNCTION"})
      .needs({"CURVE_POINTS", "MATRIX"})
      .needs({"CONTROL_POINTS", "MATRIX"});
}

Schema surface() {
  return Define<Surface>("SURFACE", "", "A surface with two parameters, for markers that slide on it.")
      .group("Constraints")
      .arg<&Surface::file>("FILE", "", "geometry file holding one face")
      .arg<&Surface::minpar>("MINPAR", "", "least parameters u,v")
      .count(2)
      .defaults({-1, -1})
      .arg<&Surface::maxpar>("MAXPAR", "", "largest parameters u,v")
      .count(2)
      .defaults({1, 1})
      .arg<&Surface::uclosed>("UCLOSED", "", "meets itself in the direction of u")
      .arg<&Surface::vclosed>("VCLOSED", "", "meets itself in the direction of v")
      .arg<&Surface::function>("FUNCTION", "FU", "USER(...): the surface from a subroutine")
      .arg<&Surface::routine>("ROUTINE", "", "library::name of the subroutine")
      .default_help("SURSUB")
      .exactly_one({"FILE", "FUNCTION"});
}

}  // namespace

std::vector<Schema> constraint_schemas() {
  return {joint(), jprim(), motion(), coupler(), gear(), gcon(), ucon(), ptcv(), cvcv(), curve(), surface()};
}

}  // namespace trunnion::model
