#pragma once
// Bodies with mass, the markers on them, and the material and section data of beams.

#include "model/statement.hpp"
#include "model/values.hpp"

namespace trunnion::model {

struct Curve;
struct Marker;
struct Material;
struct Matrix;
struct Surface;

// Coordinates of a body that the assembly can be told to keep: EXACT=X:Y:PSI.
enum class Coordinate { x, y, z, psi, theta, phi };

struct Part : Statement {
  bool ground = false;
  bool planar = false;  // three freedoms only

  std::optional<double> mass;           // mass
  Ref<Marker> cm;                       // mass centre; inertia axes where im is absent
  Ref<Marker> im;                       // origin and axes of ip
  std::vector<double> ip;               // Ixx, Iyy, Izz[, Ixy, Ixz, Iyz], products +∫xy dm; inertia
  std::optional<std::string> material;  // name of a MATERIAL

  std::vector<double> qg;      // origin of the body frame, global; length
  std::vector<double> reuler;  // body 3-1-3 angles of the body frame from global; angle
  std::vector<double> zg;      // global point on +z of the body frame; length
  std::vector<double> xg;      // global point in the x-z plane, on the +x side; length

  Ref<Marker> vm, wm;                // axes of v and w
  std::optional<double> vx, vy, vz;  // start velocity of the mass centre; length/time
  std::optional<double> wx, wy, wz;  // start angular velocity; angle/time
  ChoiceList<Coordinate> exact;
};

struct PointMass : Statement {
  std::optional<double> mass;        // mass
  Ref<Marker> cm;                    // where the mass is
  std::vector<double> qg;            // length
  std::vector<double> reuler;        // angle
  std::vector<double> zg, xg;        // length
  std::optional<double> vx, vy, vz;  // length/time, global axes
  ChoiceList<Coordinate> exact;      // x, y, z
};

struct FlexBody : Statement {
  enum class Damping { off, full, internal_only };
  enum class Representation { rigid, modal, nforce, nonlinear, none };

  std::optional<std::string> mnf_file, db_file, bdf_file;
  std::optional<int> index_in_database;
  RefList<Matrix> matrices;  // stiffness, inertia invariants and mode shapes, F77

  std::vector<double> qg;            // length
  std::vector<double> reuler;        // angle
  std::vector<double> zg, xg;        // length
  Ref<Marker> vm, wm;                // axes of v and w
  std::optional<double> vx, vy, vz;  // length/time
  std::optional<double> wx, wy, wz;  // angle/time
  ChoiceList<Coordinate> exact;

  std::vector<int> modes;     // active mode numbers
  std::vector<int> mexact;    // modal coordinates the assembly keeps
  std::vector<double> dmode;  // start modal coordinates
  std::vector<double> vmode;  // start modal velocities

  Expression cratio;  // modal damping ratio, of critical
  std::optional<std::string> routine;
  Choice<Damping> generalized_damping;
  std::optional<double> g, gefact;      // structural damping
  std::optional<double> alpha1;         // mass-proportional damping; 1/time
  std::optional<double> alpha2;         // stiffness-proportional damping; time
  std::optional<double> w3, w4;         // frequencies that turn structural into viscous damping; 1/time
  std::optional<double> dynamic_limit;  // modes above it are quasi-static; 1/time
  std::optional<double> stability_factor;
  ChoiceList<Switch> invariants;   // nine
  std::optional<double> char_len;  // length
  Choice<Representation> representation;

  std::vector<int> select_loads;  // from here on: nonlinear (BDF) bodies
  Choice<Switch> self_contact, nlfe_stress, nlfe_strain;
  std::optional<int> nthreads, buffer_size;
};

struct FePart : Statement {
  // Those with a 3 at the end: elements of three nodes.
  enum class Type {
    beam3d,
    beam2d_xy,
    beam2d_yz,
    beam2d_zx,
    cable,
    beam3d3,
    beam2d_xy3,
    beam2d_yz3,
    beam2d_zx3
  };
  Choice<Type> type;
  Ref<Material> material;
  std::vector<int> node_labels;     // along the axis
  std::vector<double> coordinates;  // per node: label, x, y, z, psi, theta, phi in the body frame
  std::vector<double> section;      // per node: label, area, Iyy, Izz, Iyz, Jxx
  std::optional<double> asy, asz;   // area over shear area
  RefList<Matrix> section_stiffness, section_inertia, section_damping;  // 6×6, of all nodes or of each
  std::optional<int> subdivide;                                         // elements from node to node
  std::optional<double> cratiok;  // damping = cratiok · stiffness; time
  std::optional<double> cratiom;  // damping = cratiom · mass; 1/time
  std::optional<double> cratio;   // older spelling; time

  std::vector<double> qg;            // length
  std::vector<double> reuler;        // angle
  Ref<Marker> vm, wm;                // axes of v and w
  std::optional<double> vx, vy, vz;  // length/time
  std::optional<double> wx, wy, wz;  // angle/time
  ChoiceList<Coordinate> exact;
};

struct FeNode : Statement {
  Ref<FePart> fe_part;
  std::optional<int> label;         // as in node_labels of the FE_PART
  std::optional<double> s;          // 0 … 1 along the axis
  std::optional<double> angle;      // roll about the axis; angle
  std::optional<int> section_node;  // always 1 in the one file known: a SECTION id or a switch
  std::vector<double> qg;           // global; length
  std::vector<double> reuler;       // from global; angle
};

struct FeLoad : Statement {
  Ref<FePart> fe_part;
  Ref<Marker> rm;         // axes of the components
  Expression fx, fy, fz;  // force/length
  Expression tx, ty, tz;  // torque/length
  Expression function;    // USER(…)
  std::optional<std::string> routine;
};

struct Marker : Statement {
  Ref<Part> part;  // owner: one of these six, else the body stated last before the marker
  Ref<PointMass> point_mass;
  Ref<FlexBody> flex_body;
  Ref<FePart> fe_part;
  Ref<Curve> curve;      // slides on it, axes along tangent, normal and binormal
  Ref<Surface> surface;  // slides on it

  std::optional<int> node_id;     // of the FLEX_BODY
  std::optional<int> node_label;  // of the FE_PART
  bool floating = false;          // placed by the element that uses it as JFLOAT

  Ref<Marker> rm;                // frame of qp, zp, xp and reuler in place of the body's
  std::vector<double> qp;        // length
  std::vector<double> reuler;    // 3-1-3; angle
  std::vector<double> zp;        // point on +z; length
  std::vector<double> xp;        // point in the x-z plane, on the +x side; length
  bool usexp = false;            // xp on +x, zp in the x-z plane
  std::vector<double> velocity;  // start velocity on the curve or surface; length/time
};

struct Material : Statement {
  std::optional<std::string> material_name;  // NAME=; Statement::name is the object's name
  std::optional<double> youngs_modulus;      // force/length²
  std::optional<double> poissons_ratio;
  std::optional<double> density;  // mass/length³
};

struct Section : Statement {
  std::optional<std::string> type;       // "Solid Rectangular"
  std::optional<double> rect_base;       // along z of the section; length
  std::optional<double> rect_height;     // along y of the section; length
  std::optional<double> rect_thickness;  // length
  std::optional<double> area;            // length²
  std::optional<double> iyy, izz;        // ∫z² dA, ∫y² dA; length⁴
  std::optional<double> iyz;             // ∫yz dA; length⁴
  std::optional<double> jxx;             // torsion constant; length⁴
};

}  // namespace trunnion::model
