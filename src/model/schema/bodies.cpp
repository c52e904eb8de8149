#include "model/define.hpp"
#include "model/schema/chapters.hpp"

namespace trunnion::model {

namespace {

constexpr std::size_t kMany = std::numeric_limits<std::size_t>::max();

Schema part() {
  using C = Coordinate;
  return Define<Part>("PART", "P", "A rigid body, or the ground.")
      .acted_on()
      .group("Bodies")
      .arg<&Part::ground>("GROUND", "G", "the body at rest that carries the global frame")
      .arg<&Part::planar>("PLANAR", "",
                          "moves in a plane parallel to ground's xy, whatever its own axes (three freedoms)")
      .arg<&Part::mass>("MASS", "M", "mass of the body")
      .unit("mass")
      .defaults({0})
      .range(kNotNegative)
      .arg<&Part::cm>("CM", "CM", "marker at the mass centre, own marker of the body")
      .arg<&Part::im>("IM", "IM", "marker whose origin and axes IP refers to")
      .default_help("the CM marker")
      .arg<&Part::ip>("IP", "IP", "Ixx,Iyy,Izz[,Ixy,Ixz,Iyz], products as positive integrals of xy dm")
      .unit("inertia")
      .counts({3, 6})
      .defaults({0, 0, 0})
      .arg<&Part::material>("MATERIAL", "MAT", "name of a MATERIAL, for information")
      .arg<&Part::qg>("QG", "Q", "origin of the body frame in global coordinates")
      .at_start()
      .unit("length")
      .count(3)
      .defaults({0, 0, 0})
      .arg<&Part::reuler>("REULER", "R", "3-1-3 angles turning the global axes into the body axes")
      .at_start()
      .unit("angle")
      .count(3)
      .defaults({0, 0, 0})
      .arg<&Part::zg>("ZG", "ZG", "global point on the +z axis of the body frame")
      .at_start()
      .unit("length")
      .count(3)
      .default_help("along global z")
      .arg<&Part::xg>("XG", "XG", "global point in the body x-z plane, on the +x side")
      .at_start()
      .unit("length")
      .count(3)
      .default_help("along global x")
      .arg<&Part::vm>("VM", "VM", "marker giving the axes of VX, VY, VZ")
      .default_help("the global axes")
      .arg<&Part::wm>("WM", "WM", "marker giving the axes of WX, WY, WZ")
      .default_help("the global axes")
      .arg<&Part::vx>("VX", "VX", "start velocity of the mass centre along x")
      .at_start()
      .unit("length/time")
      .default_help("0, free to be adjusted")
      .arg<&Part::vy>("VY", "VY", "start velocity of the mass centre along y")
      .at_start()
      .unit("length/time")
      .default_help("0, free to be adjusted")
      .arg<&Part::vz>("VZ", "VZ", "start velocity of the mass centre along z")
      .at_start()
      .unit("length/time")
      .default_help("0, free to be adjusted")
      .arg<&Part::wx>("WX", "WX", "start angular velocity about x")
      .at_start()
      .unit("angle/time")
      .default_help("0, free to be adjusted")
      .arg<&Part::wy>("WY", "WY", "start angular velocity about y")
      .at_start()
      .unit("angle/time")
      .default_help("0, free to be adjusted")
      .arg<&Part::wz>("WZ", "WZ", "start angular velocity about z")
      .at_start()
      .unit("angle/time")
      .default_help("0, free to be adjusted")
      .word<&Part::exact>("EXACT", "EX", "coordinates the assembly should leave as given",
                          {{"X", "", C::x},
                           {"Y", "", C::y},
                           {"Z", "", C::z},
                           {"PSI", "", C::psi},
                           {"THETA", "", C::theta},
                           {"PHI", "", C::phi}})
      .count(1, 6)
      .at_most_one({"GROUND", "MASS"})
      .at_most_one({"GROUND", "PLANAR"})
      .at_most_one({"REULER", "ZG"})
      .at_most_one({"REULER", "XG"})
      .needs({"IP", "CM", "IM"});
}

Schema point_mass() {
  using C = Coordinate;
  return Define<PointMass>("POINT_MASS", "POI", "A particle: three translations, no rotation.")
      .acted_on()
      .group("Bodies")
      .arg<&PointMass::mass>("MASS", "M", "mass of the particle")
      .unit("mass")
      .defaults({0})
      .range(kNotNegative)
      .arg<&PointMass::cm>("CM", "CM", "marker where the mass sits")
      .arg<&PointMass::qg>("QG", "Q", "origin of its frame in global coordinates")
      .at_start()
      .unit("length")
      .count(3)
      .defaults({0, 0, 0})
      .arg<&PointMass::reuler>("REULER", "R", "fixed 3-1-3 angles of its frame from the global axes")
      .at_start()
      .unit("angle")
      .count(3)
      .defaults({0, 0, 0})
      .arg<&PointMass::zg>("ZG", "ZG", "global point on the +z axis of its frame")
      .at_start()
      .unit("length")
      .count(3)
      .default_help("along global z")
      .arg<&PointMass::xg>("XG", "XG", "global point in its x-z plane, on the +x side")
      .at_start()
      .unit("length")
      .count(3)
      .default_help("along global x")
      .arg<&PointMass::vx>("VX", "VX", "start velocity along global x")
      .at_start()
      .unit("length/time")
      .default_help("0, free to be adjusted")
      .arg<&PointMass::vy>("VY", "VY", "start velocity along global y")
      .at_start()
      .unit("length/time")
      .default_help("0, free to be adjusted")
      .arg<&PointMass::vz>("VZ", "VZ", "start velocity along global z")
      .at_start()
      .unit("length/time")
      .default_help("0, free to be adjusted")
      .word<&PointMass::exact>("EXACT", "EX", "coordinates the assembly should leave as given",
                               {{"X", "", C::x}, {"Y", "", C::y}, {"Z", "", C::z}})
      .count(1, 3)
      .at_most_one({"REULER", "ZG"})
      .at_most_one({"REULER", "XG"});
}

constexpr std::string_view kModesOnly = "bodies are simulated by their modes; MFORCE loads them";

Schema flex_body() {
  using C = Coordinate;
  using D = FlexBody::Damping;
  using R = FlexBody::Representation;
  using S = Switch;
  return Define<FlexBody>("FLEX_BODY", "", "A flexible body described by mode shapes.")
      .acted_on()
      .group("Bodies")
      .arg<&FlexBody::mnf_file>("MNF_FILE", "", "modal neutral file with the body's data")
      .arg<&FlexBody::db_file>("DB_FILE", "", "finite-element database with the body's data")
      .arg<&FlexBody::index_in_database>("INDEX_IN_DATABASE", "",
                                         "which body of DB_FILE (unconfirmed spelling)")
      .defaults({1})
      .range(kPositive)
      .arg<&FlexBody::bdf_file>("BDF_FILE", "", "finite-element deck of a nonlinear flexible body")
      .arg<&FlexBody::matrices>("MATRICES", "",
                                "matrices with modal stiffness, invariants and shapes; required")
      .arg<&FlexBody::qg>("QG", "Q", "origin of the body frame in global coordinates")
      .unit("length")
      .count(3)
      .defaults({0, 0, 0})
      .arg<&FlexBody::reuler>("REULER", "R", "3-1-3 angles turning the global axes into the body axes")
      .unit("angle")
      .count(3)
      .defaults({0, 0, 0})
      .arg<&FlexBody::zg>("ZG", "ZG", "global point on the +z axis of the body frame")
      .unit("length")
      .count(3)
      .default_help("along global z")
      .arg<&FlexBody::xg>("XG", "XG", "global point in the body x-z plane, on the +x side")
      .unit("length")
      .count(3)
      .default_help("along global x")
      .arg<&FlexBody::vm>("VM", "VM", "marker giving the axes of VX, VY, VZ")
      .default_help("the global axes")
      .arg<&FlexBody::wm>("WM", "WM", "marker giving the axes of WX, WY, WZ")
      .default_help("the global axes")
      .arg<&FlexBody::vx>("VX", "VX", "start velocity of the body frame along x")
      .unit("length/time")
      .default_help("0, free to be adjusted")
      .arg<&FlexBody::vy>("VY", "VY", "start velocity of the body frame along y")
      .unit("length/time")
      .default_help("0, free to be adjusted")
      .arg<&FlexBody::vz>("VZ", "VZ", "start velocity of the body frame along z")
      .unit("length/time")
      .default_help("0, free to be adjusted")
      .arg<&FlexBody::wx>("WX", "WX", "start angular velocity of the body frame about x")
      .unit("angle/time")
      .default_help("0, free to be adjusted")
      .arg<&FlexBody::wy>("WY", "WY", "start angular velocity of the body frame about y")
      .unit("angle/time")
      .default_help("0, free to be adjusted")
      .arg<&FlexBody::wz>("WZ", "WZ", "start angular velocity of the body frame about z")
      .unit("angle/time")
      .default_help("0, free to be adjusted")
      .word<&FlexBody::exact>("EXACT", "EX", "coordinates the assembly should leave as given",
                              {{"X", "", C::x},
                               {"Y", "", C::y},
                               {"Z", "", C::z},
                               {"PSI", "", C::psi},
                               {"THETA", "", C::theta},
                               {"PHI", "", C::phi}})
      .count(1, 6)
      .arg<&FlexBody::modes>("MODES", "", "numbers of the modes that take part")
      .default_help("as stored")
      .arg<&FlexBody::mexact>("MEXACT", "", "modes whose coordinate the assembly should leave as given")
      .arg<&FlexBody::dmode>("DMODE", "", "start values of the modal coordinates")
      .defaults({0})
      .arg<&FlexBody::vmode>("VMODE", "", "start rates of the modal coordinates")
      .defaults({0})
      .arg<&FlexBody::cratio>("CRATIO", "", "modal damping as a fraction of critical; number or expression")
      .default_help("0.01 below 100 Hz, 0.1 to 1 kHz, 1 above")
      .arg<&FlexBody::routine>("ROUTINE", "", "library::name of the damping subroutine")
      .default_help("DMPSUB")
      .word<&FlexBody::generalized_damping>(
          "GENERALIZED_DAMPING", "", "use of the damping matrix stored with the modes",
          {{"OFF", "", D::off, "not used"},
           {"FULL", "", D::full, "all of it"},
           {"INTERNAL_ONLY", "", D::internal_only, "without rigid-body part"}})
      .defaults(D::off)
      .arg<&FlexBody::g>("G", "", "structural damping coefficient")
      .defaults({0})
      .arg<&FlexBody::gefact>("GEFACT", "", "factor on the elements' own structural damping")
      .defaults({1})
      .arg<&FlexBody::alpha1>("ALPHA1", "", "mass-proportional damping factor")
      .unit("1/time")
      .defaults({0})
      .arg<&FlexBody::alpha2>("ALPHA2", "", "stiffness-proportional damping factor")
      .unit("time")
      .defaults({0})
      .arg<&FlexBody::w3>("W3", "", "frequency that turns G into viscous damping")
      .unit("1/time")
      .defaults({0})
      .arg<&FlexBody::w4>("W4", "", "frequency that turns element damping into viscous damping")
      .unit("1/time")
      .defaults({0})
      .arg<&FlexBody::dynamic_limit>("DYNAMIC_LIMIT", "",
                                     "modes above this frequency respond without inertia")
      .unit("1/time")
      .default_help("no limit")
      .arg<&FlexBody::stability_factor>("STABILITY_FACTOR", "",
                                        "artificial damping of the modes without inertia")
      .defaults({0})
      .unused("there are no modes without inertia (DYNAMIC_LIMIT)")
      .word<&FlexBody::invariants>(
          "INVARIANTS", "", "which of the nine inertia invariants count",
          {{"T", "", S::on}, {"F", "", S::off}, {"TRUE", "", S::on}, {"FALSE", "", S::off}})
      .count(9)
      .default_help("T:T:T:T:F:T:T:T:F")
      .arg<&FlexBody::char_len>("CHAR_LEN", "", "size of the body; deformation beyond a tenth is doubtful")
      .unit("length")
      .range(kPositive)
      .default_help("from the modal data")
      .word<&FlexBody::representation>("REPRESENTATION", "", "how the body is simulated",
                                       {{"RIGID", "", R::rigid, "undeformed"},
                                        {"MODAL", "", R::modal, "by its modes"},
                                        {"NFORCE", "", R::nforce, "parts joined by a stiffness matrix"},
                                        {"NONLINEAR", "", R::nonlinear, "by its finite elements"},
                                        {"NONE", "", R::none, "left out"}})
      .defaults(R::modal)
      .arg<&FlexBody::select_loads>("SELECT_LOADS", "", "load cases of the deck used (unconfirmed spelling)")
      .unused(kModesOnly)
      .word<&FlexBody::self_contact>("SELF_CONTACT", "",
                                     "contact of the body with itself (unconfirmed spelling)",
                                     {{"ON", "", S::on},
                                      {"OFF", "", S::off},
                                      {"TRUE", "", S::on},
                                      {"FALSE", "", S::off},
                                      {"YES", "", S::on},
                                      {"NO", "", S::off}})
      .unused(kModesOnly)
      .word<&FlexBody::nlfe_stress>("NLFE_STRESS", "", "writes element stresses (unconfirmed spelling)",
                                    {{"ON", "", S::on},
                                     {"OFF", "", S::off},
                                     {"TRUE", "", S::on},
                                     {"FALSE", "", S::off},
                                     {"YES", "", S::on},
                                     {"NO", "", S::off}})
      .unused(kModesOnly)
      .word<&FlexBody::nlfe_strain>("NLFE_STRAIN", "", "writes element strains (unconfirmed spelling)",
                                    {{"ON", "", S::on},
                                     {"OFF", "", S::off},
                                     {"TRUE", "", S::on},
                                     {"FALSE", "", S::off},
                                     {"YES", "", S::on},
                                     {"NO", "", S::off}})
      .unused(kModesOnly)
      .arg<&FlexBody::nthreads>("NTHREADS", "", "threads for the finite elements (unconfirmed spelling)")
      .range(kPositive)
      .unused(kModesOnly)
      .arg<&FlexBody::buffer_size>("BUFFER_SIZE", "", "memory for the finite elements (unconfirmed spelling)")
      .range(kPositive)
      .unused(kModesOnly)
      .at_most_one({"MNF_FILE", "DB_FILE", "BDF_FILE"})
      .at_most_one({"REULER", "ZG"})
      .at_most_one({"REULER", "XG"});
}

Schema fe_part() {
  using C = Coordinate;
  using T = FePart::Type;
  return Define<FePart>("FE_PART", "", "A beam with mass that bends and twists by any amount.")
      .acted_on()
      .group("Bodies")
      .word<&FePart::type>("TYPE", "", "kind of element",
                           {{"3DBEAM", "", T::beam3d, "spatial beam"},
                            {"2DBEAMXY", "", T::beam2d_xy, "beam staying parallel to the xy plane"},
                            {"2DBEAMYZ", "", T::beam2d_yz, "beam staying parallel to the yz plane"},
                            {"2DBEAMZX", "", T::beam2d_zx, "beam staying parallel to the zx plane"},
                            {"3DBEAM3", "", T::beam3d3,
                             "spatial beam, elements of three nodes: the one half-way along is added"},
                            {"2DBEAMXY3", "", T::beam2d_xy3, "2DBEAMXY of such elements"},
                            {"2DBEAMYZ3", "", T::beam2d_yz3, "2DBEAMYZ of such elements"},
                            {"2DBEAMZX3", "", T::beam2d_zx3, "2DBEAMZX of such elements"},
                            {"CABLE", "", T::cable, "no bending stiffness (unconfirmed spelling)"}})
      .required()
      .arg<&FePart::material>("MATERIAL", "", "material of the beam")
      .default_help("needed with SECTION")
      .arg<&FePart::node_labels>("NODE_LABELS", "", "labels of the nodes, in order along the axis")
      .required()
      .count(2, kMany)
      .range(kPositive)
      .arg<&FePart::coordinates>("COORDINATES", "", "per node: label, x,y,z, 3-1-3 angles, in the body frame")
      .count(14, kMany)
      .arg<&FePart::section>("SECTION", "", "per node: label, area, Iyy, Izz, Iyz, torsion constant")
      .count(12, kMany)
      .arg<&FePart::asy>("ASY", "", "area over the shear area along y")
      .defaults({1.2})
      .range(kPositive)
      .arg<&FePart::asz>("ASZ", "", "area over the shear area along z")
      .defaults({1.2})
      .range(kPositive)
      .arg<&FePart::section_stiffness>(
          "SECTION_STIFFNESS", "",
          "6x6 MATRIX of the section, or one per node, in place of SECTION: forces and "
          "moments by stretch, shear y, shear z, twist, bending y, bending z")
      .arg<&FePart::section_inertia>(
          "SECTION_INERTIA", "",
          "6x6 MATRIX of mass per length, or one per node, over velocity and angular velocity of the node")
      .arg<&FePart::section_damping>("SECTION_DAMPING", "",
                                     "6x6 MATRIX, or one per node: forces and moments by rates of strain")
      .arg<&FePart::subdivide>("SUBDIVIDE", "", "elements from each node to the next")
      .defaults({1})
      .range({1, 1000})
      .arg<&FePart::cratiok>("CRATIOK", "", "damping matrix as a multiple of the stiffness matrix")
      .unit("time")
      .defaults({0})
      .range(kNotNegative)
      .arg<&FePart::cratiom>("CRATIOM", "", "damping matrix as a multiple of the mass matrix")
      .unit("1/time")
      .defaults({0})
      .range(kNotNegative)
      .arg<&FePart::cratio>("CRATIO", "CRATIO", "older form of CRATIOK (unconfirmed spelling)")
      .unit("time")
      .range(kNotNegative)
      .arg<&FePart::qg>("QG", "Q", "origin of the body frame in global coordinates")
      .unit("length")
      .count(3)
      .defaults({0, 0, 0})
      .arg<&FePart::reuler>("REULER", "R", "3-1-3 angles turning the global axes into the body axes")
      .unit("angle")
      .count(3)
      .defaults({0, 0, 0})
      .arg<&FePart::vm>("VM", "VM", "marker giving the axes of VX, VY, VZ")
      .default_help("the global axes")
      .arg<&FePart::wm>("WM", "WM", "marker giving the axes of WX, WY, WZ")
      .default_help("the global axes")
      .arg<&FePart::vx>("VX", "VX", "start velocity of the whole beam along x")
      .unit("length/time")
      .defaults({0})
      .arg<&FePart::vy>("VY", "VY", "start velocity of the whole beam along y")
      .unit("length/time")
      .defaults({0})
      .arg<&FePart::vz>("VZ", "VZ", "start velocity of the whole beam along z")
      .unit("length/time")
      .defaults({0})
      .arg<&FePart::wx>("WX", "WX", "start angular velocity of the whole beam about x")
      .unit("angle/time")
      .defaults({0})
      .arg<&FePart::wy>("WY", "WY", "start angular velocity of the whole beam about y")
      .unit("angle/time")
      .defaults({0})
      .arg<&FePart::wz>("WZ", "WZ", "start angular velocity of the whole beam about z")
      .unit("angle/time")
      .defaults({0})
      .word<&FePart::exact>("EXACT", "EX", "coordinates the assembly should leave as given",
                            {{"X", "", C::x},
                             {"Y", "", C::y},
                             {"Z", "", C::z},
                             {"PSI", "", C::psi},
                             {"THETA", "", C::theta},
                             {"PHI", "", C::phi}})
      .count(1, 6);
}

Schema fe_node() {
  return Define<FeNode>("FE_NODE", "", "A node of an FE_PART.")
      .group("Bodies")
      .arg<&FeNode::fe_part>("FE_PART", "", "beam the node belongs to")
      .required()
      .arg<&FeNode::label>("LABEL", "", "its label, as in NODE_LABELS")
      .required()
      .range(kPositive)
      .arg<&FeNode::s>(
          "S", "",
          "place along the axis, from 0 at the first node to 1; with a label that is not in NODE_LABELS a "
          "node is put there")
      .range({0, 1})
      .arg<&FeNode::angle>("ANGLE", "", "roll about the axis")
      .unit("angle")
      .defaults({0})
      .arg<&FeNode::section_node>("SECTION_NODE", "", "cross section at the node")
      .unused("sections are those of the FE_PART")
      .arg<&FeNode::qg>("QG", "Q", "position in global coordinates")
      .unit("length")
      .count(3)
      .arg<&FeNode::reuler>("REULER", "R", "3-1-3 angles from the global axes")
      .unit("angle")
      .count(3)
      .defaults({0, 0, 0});
}

Schema fe_load() {
  return Define<FeLoad>("FE_LOAD", "", "A load spread along an FE_PART, without reaction.")
      .acted_on()
      .group("Bodies")
      .arg<&FeLoad::fe_part>("FE_PART", "", "beam that is loaded")
      .required()
      .arg<&FeLoad::rm>("RM", "RM", "marker giving the axes of the components")
      .default_help("the global axes")
      .arg<&FeLoad::fx>("FX", "", "force per length along x")
      .unit("force/length")
      .defaults({0})
      .arg<&FeLoad::fy>("FY", "", "force per length along y")
      .unit("force/length")
      .defaults({0})
      .arg<&FeLoad::fz>("FZ", "", "force per length along z")
      .unit("force/length")
      .defaults({0})
      .arg<&FeLoad::tx>("TX", "", "moment per length about x")
      .unit("torque/length")
      .defaults({0})
      .arg<&FeLoad::ty>("TY", "", "moment per length about y")
      .unit("torque/length")
      .defaults({0})
      .arg<&FeLoad::tz>("TZ", "", "moment per length about z")
      .unit("torque/length")
      .defaults({0})
      .arg<&FeLoad::function>("FUNCTION", "FU", "USER(...): all six components from a subroutine")
      .arg<&FeLoad::routine>("ROUTINE", "", "library::name of the subroutine")
      .at_least_one({"FX", "FY", "FZ", "TX", "TY", "TZ", "FUNCTION"})
      .at_most_one({"FUNCTION", "FX"})
      .at_most_one({"FUNCTION", "FY"})
      .at_most_one({"FUNCTION", "FZ"})
      .at_most_one({"FUNCTION", "TX"})
      .at_most_one({"FUNCTION", "TY"})
      .at_most_one({"FUNCTION", "TZ"});
}

Schema marker() {
  return Define<Marker>("MARKER", "M", "A point with axes, fixed on a body or floating.")
      .acted_on()
      .group("Bodies")
      .arg<&Marker::part>("PART", "P", "rigid body it is fixed to")
      .default_help("the body stated last before it")
      .arg<&Marker::point_mass>("POINT_MASS", "POI", "particle it is fixed to")
      .arg<&Marker::flex_body>("FLEX_BODY", "FLE", "flexible body it is fixed to")
      .arg<&Marker::fe_part>("FE_PART", "FE", "nonlinear beam it is fixed to")
      .arg<&Marker::curve>("CURVE", "", "curve it slides on, with axes tangent, normal, binormal")
      .arg<&Marker::surface>("SURFACE", "", "surface it slides on")
      .arg<&Marker::node_id>("NODE_ID", "NOD", "node of the FLEX_BODY it rides on")
      .arg<&Marker::node_label>("NODE_LABEL", "NODE_L", "node of the FE_PART it rides on")
      .arg<&Marker::floating>("FLOATING", "FLO", "has no place of its own; the JFLOAT user moves it")
      .arg<&Marker::rm>("RM", "RM", "marker that replaces the body frame for QP, ZP, XP, REULER")
      .default_help("the body frame")
      .arg<&Marker::qp>("QP", "Q", "its origin in body coordinates")
      .unit("length")
      .count(3)
      .defaults({0, 0, 0})
      .arg<&Marker::reuler>("REULER", "R", "3-1-3 angles turning the body axes into its axes")
      .unit("angle")
      .count(3)
      .defaults({0, 0, 0})
      .arg<&Marker::zp>("ZP", "Z", "point on its +z axis, in body coordinates")
      .unit("length")
      .count(3)
      .default_help("along body z")
      .arg<&Marker::xp>("XP", "X", "point in its x-z plane, on the +x side, in body coordinates")
      .unit("length")
      .count(3)
      .default_help("along body x")
      .arg<&Marker::usexp>("USEXP", "USEXP", "XP lies on the x axis and ZP in the x-z plane")
      .arg<&Marker::velocity>("VELOCITY", "",
                              "start velocity along the curve, or along both surface directions")
      .unit("length/time")
      .count(1, 2)
      .defaults({0})
      .at_most_one({"PART", "POINT_MASS", "FLEX_BODY", "FE_PART", "CURVE", "SURFACE"})
      .at_most_one({"FLOATING", "QP"})
      .at_most_one({"FLOATING", "ZP", "REULER"})
      .at_most_one({"FLOATING", "XP", "REULER"})
      .at_most_one({"FLOATING", "NODE_ID", "NODE_LABEL"});
}

Schema material() {
  return Define<Material>("MATERIAL", "", "Elastic constants and density under a name.")
      .group("Bodies")
      .arg<&Material::material_name>("NAME", "", "name by which a PART refers to it")
      .arg<&Material::youngs_modulus>("YOUNGS_MODULUS", "", "elastic modulus in tension")
      .unit("force/length^2")
      .range(kPositive)
      .arg<&Material::poissons_ratio>("POISSONS_RATIO", "", "contraction across over extension along")
      .range({-1, 0.5, true, false})
      .arg<&Material::density>("DENSITY", "", "mass per volume")
      .unit("mass/length^3")
      .range(kNotNegative);
}

Schema section() {
  return Define<Section>("SECTION", "", "Cross section of an FE_PART.")
      .group("Bodies")
      .arg<&Section::type>("TYPE", "", "name of the shape, such as Solid Rectangular")
      .arg<&Section::rect_base>("RECT_BASE", "", "width of a rectangle along z")
      .unit("length")
      .range(kPositive)
      .arg<&Section::rect_height>("RECT_HEIGHT", "", "height of a rectangle along y")
      .unit("length")
      .range(kPositive)
      .arg<&Section::rect_thickness>("RECT_THICKNESS", "",
                                     "wall of a hollow rectangle (unconfirmed spelling)")
      .unit("length")
      .range(kPositive)
      .arg<&Section::area>("AREA", "", "area")
      .unit("length^2")
      .range(kPositive)
      .arg<&Section::iyy>("IYY", "", "second moment about y, the integral of z squared")
      .unit("length^4")
      .range(kPositive)
      .arg<&Section::izz>("IZZ", "", "second moment about z, the integral of y squared")
      .unit("length^4")
      .range(kPositive)
      .arg<&Section::iyz>("IYZ", "", "mixed moment, the integral of y times z")
      .unit("length^4")
      .defaults({0})
      .arg<&Section::jxx>("JXX", "", "torsion constant")
      .unit("length^4")
      .range(kPositive);
}

}  // namespace

std::vector<Schema> body_schemas() {
  return {part(),    point_mass(), flex_body(), fe_part(), fe_node(),
          fe_load(), marker(),     material(),  section()};
}

}  // namespace trunnion::model
