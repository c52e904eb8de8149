#pragma once
// Gravity, the forces between markers, contact and friction.

#include "model/statement.hpp"
#include "model/values.hpp"

namespace trunnion::model {

struct FlexBody;
struct Graphics;
struct Joint;
struct Marker;
struct Matrix;
struct String;

struct Accgrav : Statement {
  std::optional<double> igrav, jgrav, kgrav;  // global; length/time²
};

struct Sforce : Statement {
  Choice<Freedom> type;
  bool actiononly = false;  // no reaction; along or about z of J
  Ref<Marker> i, j;
  Expression function;  // force, positive repels, or torque
  std::optional<std::string> routine;
};

struct Vforce : Statement {
  Ref<Marker> i;
  Ref<Marker> jfloat;     // takes the reaction, follows I
  Ref<Marker> rm;         // axes of the components
  Expression fx, fy, fz;  // force
  Expression fxyz;        // vector; force
  Expression function;    // USER(…)
  std::optional<std::string> routine;
};

struct Vtorque : Statement {
  Ref<Marker> i;
  Ref<Marker> jfloat;
  Ref<Marker> rm;
  Expression tx, ty, tz;  // torque
  Expression txyz;        // vector; torque
  Expression function;    // USER(…)
  std::optional<std::string> routine;
};

struct Gforce : Statement {
  Ref<Marker> i;
  Ref<Marker> jfloat;
  Ref<Marker> rm;
  Expression fx, fy, fz;  // force
  Expression tx, ty, tz;  // torque
  Expression fxyz, txyz;  // vectors
  Expression function;    // USER(…)
  std::optional<std::string> routine;
};

struct Nforce : Statement {
  RefList<Marker> imarkers;      // n markers
  Ref<Marker> j;                 // takes the reaction
  Ref<Matrix> kmatrix, cmatrix;  // 6n × 6n, in J axes
  std::optional<double> cratio;  // cmatrix = cratio · kmatrix; time
  Ref<Matrix> length;            // 6n × 1: x, y, z, a, b, c of each marker where the preload acts
  Ref<Matrix> force;             // 6n × 1: preload
};

struct Mforce : Statement {
  Ref<FlexBody> flex_body;
  Ref<Marker> jfloat;
  std::optional<int> case_index;  // column of the modal load matrix
  Expression scale;
  Expression function, force;  // USER(…)
  std::optional<std::string> routine;
};

// F = −c·VR − k·(DM − length) + force, positive repels; T = −ct·ω − kt·(θ − angle) + torque
struct SpringDamper : Statement {
  Choice<Freedom> type;
  Ref<Marker> i, j;
  std::optional<double> c;       // force·time/length
  std::optional<double> k;       // force/length
  std::optional<double> force;   // force
  std::optional<double> length;  // length
  std::optional<double> ct;      // torque·time/angle
  std::optional<double> kt;      // torque/angle
  std::optional<double> torque;  // torque
  std::optional<double> angle;   // angle
};

// Three values each, along or about x, y, z of J.
struct Bushing : Statement {
  Ref<Marker> i, j;
  std::vector<double> k;       // force/length
  std::vector<double> c;       // force·time/length
  std::vector<double> kt;      // torque/angle
  std::vector<double> ct;      // torque·time/angle
  std::vector<double> force;   // force
  std::vector<double> torque;  // torque
};

// {F, T} = −K·({x, y, z, a, b, c} − length) − C·{v, ω} + force
struct Field : Statement {
  enum class Formulation { linear, nonlinear };
  Ref<Marker> i, j;
  std::vector<double> kmatrix, cmatrix;  // 6 × 6 by columns, in J axes
  std::optional<double> cratio;          // cmatrix = cratio · kmatrix; time
  std::vector<double> length;            // three lengths, three angles
  std::vector<double> force;             // three forces, three torques
  Choice<Formulation> formulation;
  Expression function;  // USER(…)
  std::optional<std::string> routine;
};

// Massless beam along x of J.
struct Beam : Statement {
  enum class Formulation { linear, string, nonlinear };
  Ref<Marker> i, j;
  std::optional<double> length;              // length
  std::optional<double> area;                // length²
  std::optional<double> ixx, iyy, izz;       // torsion constant and area moments; length⁴
  std::optional<double> asy, asz;            // shear correction factors
  std::optional<double> emodulus, gmodulus;  // force/length²
  std::optional<double> cratio;              // damping = cratio · stiffness; time
  std::vector<double> cmatrix;               // 21 values: one half of the symmetric 6 × 6, by columns
  Choice<Formulation> formulation;
};

struct Friction : Statement {
  enum class Formulation { original, lugre };
  enum class Effect { all, stiction, sliding };
  enum class Input { all, none, preload, reaction_force, bending_moment, torsional_moment };
  enum class Phase { statics };
  enum class Overlap { constant, increase, decrease };
  enum class Yoke { i, j };

  Ref<Joint> joint;
  Choice<Formulation> formulation;
  std::optional<double> mu_static, mu_dynamic;
  std::optional<double> stiction_transition_velocity;  // length/time
  std::optional<double> max_stiction_deformation;      // length
  std::optional<double> friction_force_preload;        // force
  std::optional<double> friction_torque_preload;       // torque
  ChoiceList<Effect> effect;
  ChoiceList<Input> inputs;  // loads of the joint that press the surfaces together
  Choice<Phase> inactive_during;

  std::optional<double> pin_radius;            // revolute, cylindrical, hooke, universal; length
  std::optional<double> friction_arm;          // revolute, hooke, universal; length
  std::optional<double> bending_reaction_arm;  // revolute, hooke, universal; length
  std::optional<double> ball_radius;           // spherical; length
  std::optional<double> reaction_arm;          // translational; length
  std::optional<double> initial_overlap;       // translational, cylindrical; length
  Choice<Overlap> overlap_delta;
  Choice<Yoke> yoke;   // hooke, universal
  bool yield = false;  // left over from F77

  std::optional<double> bristle_stiffness, damping_coefficient, viscous_coefficient,
      stribeck_velocity;  // LuGre
};

struct Contact : Statement {
  enum class Law { impact, poisson };
  enum class Coulomb { off, on, dynamics_only };

  RefList<Graphics> igeom, jgeom;
  Ref<FlexBody> iflex, jflex;
  ChoiceList<Switch> iflip, jflip;          // reverse the normal of a planar curve
  std::optional<std::string> iedge, jedge;  // edge of a flexible body
  std::optional<std::string> type;          // SOLID_TO_SOLID …, informative
  std::vector<std::string> geometry_routines;

  Choice<Law> law;                  // none where normal_function is given
  std::optional<double> stiffness;  // force/length^exponent
  std::optional<double> exponent;
  std::optional<double> damping;  // force·time/length
  std::optional<double> dmax;     // penetration of full damping; length
  std::optional<double> penalty;  // force/length
  std::optional<double> restitution_coefficient;
  bool augmented_lagrangian_formulation = false;
  Expression normal_function;  // USER(…)
  std::optional<std::string> normal_routine;

  Choice<Coulomb> coulomb_friction;
  std::optional<double> mu_static, mu_dynamic;
  std::optional<double> stiction_transition_velocity, friction_transition_velocity;  // length/time
  Choice<Switch> stiction;
  std::optional<double> max_stiction_deformation;  // length
  Expression friction_function;                    // USER(…)
  std::optional<std::string> friction_routine;
};

// The tyre element of old releases; no file or page with its arguments is known.
struct Tire : Statement {
  Ref<Marker> i, j;  // wheel centre, road
  std::optional<std::string> model;
  std::optional<double> mass;             // mass
  std::vector<double> ip;                 // inertia
  std::optional<double> length;           // length
  std::vector<double> radii;              // length
  std::optional<double> cn;               // radial stiffness; force/length
  std::optional<double> cslip;            // force
  std::optional<double> calpha, cgamma;   // force/angle
  std::optional<double> rr, rdr, u0, u1;  // rolling resistance, radial damping ratio, friction coefficients
  std::optional<double> damping;
  std::optional<std::string> file, road;
  RefList<String> string;
  Expression function;  // USER(…)
  std::optional<std::string> routine;
};

// Measures the least distance between two sets of geometry; no force.
struct Clearance : Statement {
  RefList<Graphics> igeom, jgeom;
  RefList<FlexBody> iflex, jflex;
  RefList<Matrix> iregion, jregion;       // node lists
  ChoiceList<Switch> iexclude, jexclude;  // the nodes of a region are left out
  std::optional<double> threshold;        // length
};

}  // namespace trunnion::model
