#pragma once
// Statements that remove freedoms: joints, motions, couplers and general constraints, and the curves and
// surfaces some of them run on.

#include "core/joint_type.hpp"
#include "model/statement.hpp"
#include "model/values.hpp"

namespace trunnion::model {

struct Curve;
struct Marker;
struct Matrix;

struct Joint : Statement {
  using Type = core::JointType;
  enum class Rubbing { off, on, preload_only };

  Choice<Type> type;
  Ref<Marker> i, j;
  std::vector<double> ic;       // start value and rate of a revolute's angle or a translational's travel
  std::vector<double> ictran;   // length, length/time
  std::vector<double> icrot;    // angle, angle/time
  std::optional<double> pitch;  // travel per turn; length
  std::optional<double> pd;     // pitch diameter; length

  // Friction inside the joint, the form before FRICTION.
  Choice<Rubbing> friction;
  std::optional<double> delta_v;                        // length/time
  std::optional<double> maximum_deformation;            // length
  std::optional<double> mu_dyn_rot, mu_stat_rot;        // revolute
  std::optional<double> mu_dyn_trans, mu_stat_trans;    // translational
  std::optional<double> max_fric_rot;                   // torque
  std::optional<double> max_fric_trans;                 // force
  std::optional<double> preload_radial, preload_axial;  // revolute; force
  std::optional<double> preload_x, preload_y;           // translational; force
  std::optional<double> inner_radius, outer_radius;     // revolute; length
  std::optional<double> height, width;                  // translational, along y and x; length
};

struct Jprim : Statement {
  using Type = core::JointType;
  Choice<Type> type;
  Ref<Marker> i, j;
};

struct Motion : Statement {
  enum class Direction { x, y, z, b1, b2, b3 };  // b1 … b3: body 1-2-3 angles of I relative to J
  enum class Level { displacement, velocity, acceleration };

  Ref<Joint> joint;  // either a joint and perhaps which freedom of it …
  Choice<Freedom> freedom;
  Ref<Marker> i, j;  // … or two markers and a direction
  Choice<Direction> direction;

  Choice<Level> level;
  std::optional<double> icdisp;  // length or angle
  std::optional<double> icvel;   // length/time or angle/time
  Expression function;
  std::optional<std::string> routine;
};

// r1·q1 + r2·q2 (+ r3·q3) = 0
struct Coupler : Statement {
  RefList<Joint> joints;
  ChoiceList<Freedom> type;
  std::vector<double> scales;  // r1, r2[, r3]; a single value is r2 with r1 = 1
  Expression function;         // USER(…)
  std::vector<std::string> routine;
};

struct Gear : Statement {
  RefList<Joint> joints;
  Ref<Marker> cv;  // at the pitch point, z along the common velocity
};

struct Gcon : Statement {
  RefList<Marker> i;    // where the reaction is reported
  Expression function;  // kept at zero
};

struct Ucon : Statement {
  Expression function;  // USER(…)
  std::optional<std::string> routine;
};

struct Ptcv : Statement {
  Ref<Marker> i;
  Ref<Marker> jfloat;  // kept at the contact: x tangent, y normal, z binormal
  Ref<Curve> curve;
  Ref<Marker> rm;             // frame of the curve
  std::vector<double> disp;   // start point on the curve; length
  Ref<Marker> icm;            // axes of disp
  std::optional<double> vel;  // start velocity along the curve; length/time
};

struct Cvcv : Statement {
  Ref<Curve> icurve, jcurve;
  Ref<Marker> irm, jrm;              // frames of the curves
  Ref<Marker> ifloat, jfloat;        // kept at the contact
  std::vector<double> idisp, jdisp;  // start points on the curves; length
  Ref<Marker> iicm, jicm;            // axes of idisp, jdisp
  std::optional<double> ivel, jvel;  // start velocities along the curves; length/time
};

struct Curve : Statement {
  enum class Ends { open, closed };
  enum class Points { curve_points, control_points };
  Choice<Ends> ends;
  Ref<Matrix> matrix;  // n × 3; length
  Choice<Points> points;
  std::optional<int> order;  // degree + 1
  std::optional<double> minpar, maxpar;
  Expression function;  // USER(…)
  std::optional<std::string> routine;
};

struct Surface : Statement {
  std::optional<std::string> file;
  std::vector<double> minpar, maxpar;  // u, v
  bool uclosed = false, vclosed = false;
  Expression function;  // USER(…)
  std::optional<std::string> routine;
};

}  // namespace trunnion::model
