#pragma once
// A mechanism as equations: immutable, made by compile(), evaluated at any State into any Sink. Evaluation is const and
// thread-safe; each thread has a Workspace of its own.

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <Eigen/SparseCore>

#include "assembly/kinematics.hpp"
#include "assembly/scratch.hpp"
#include "assembly/sink.hpp"
#include "elements/function.hpp"
#include "elements/wrench.hpp"
#include "expr/tables.hpp"
#include "model/model.hpp"
#include "model/units.hpp"
#include "system/time_function.hpp"

namespace trunnion::elements {
struct BeamElement;
struct Body;
struct Undirected;
class Troubles;
}  // namespace trunnion::elements

namespace trunnion::system {

struct Elements;  // system/elements.hpp

// A prescribed function of time. Given as velocity or acceleration it is integrated from the last accepted time, whose
// time, value and rate are kept in three places of State::memory.
struct Drive {
  enum class Level { displacement, velocity, acceleration };
  Level level = Level::displacement;
  int function = 0;                  // index into System::functions
  int memory = -1;                   // first of three, for the integrated levels
  double start = 0, start_rate = 0;  // ICDISP, ICVEL
  bool from_here = false;            // no ICDISP: starts at the place the mechanism has
};

// When the function of a drive changes its course, as far as it was looked up.
struct DriveKnots {
  double begin = 0, end = 0;
  std::vector<double> times = {};
};

// A statement that holds parts together, and the element behind it.
struct Constraint {
  enum class Element { joint, measure_row, gcon, ptcv, cvcv };
  model::Kind kind;  // JOINT, JPRIM, MOTION, …
  int id = 0;
  core::Words label;
  Element element = Element::joint;
  std::size_t index = 0;  // into the vector of that element
  assembly::MarkerId i, j;
};

// A statement that applies forces, and the load behind it.
struct Force {
  model::Kind kind;  // SFORCE, VFORCE, BUSHING, …
  int id = 0;
  core::Words label;
  std::string channel;  // "SFORCE/1"; an NFORCE is a load for each of its markers: "NFORCE/1.12"
  std::size_t load = 0;
  assembly::MarkerId i, j;  // J is the body's own frame where the statement's J floats …
  int floating = 0;         // … and this the floating marker's id
};

// A statement with states or variables of its own: DIFF, VARIABLE, LSE, TFSISO.
struct StateInfo {
  model::Kind kind;
  int id = 0;
  core::Words label;
  assembly::BlockId states;   // first order, or a VARIABLE's value
  assembly::BlockId outputs;  // of LSE, TFSISO and GSE; invalid where there are none
  assembly::BlockId rate;     // of a DIFF that is an algebraic equation: what DIF1 reads; else invalid
  bool implicit = false;
  bool static_hold = false;   // keeps its states in statics, where others solve for a rate of zero
  bool dynamic_hold = false;  // keeps them in dynamics
};

// A SENSOR as functions of the state; when it acts is for the analysis to find.
struct Sensor {
  model::Sensor statement;
  core::Words label;
  elements::Response function, evaluate;  // evaluate has no outputs where EVALUATE is not given
  int columns = 0;
  int memory = -1;  // where SENVAL is kept in State::memory
};

// REQUEST/…, FUNCTION=USER(…)
struct UserRequest {
  int id = 0;
  elements::Response response;
  int columns = 0;
};

// One whose routine cannot be called: it has no numbers, and the rest runs without them.
struct LostRequest {
  int id = 0;
  std::string why, hint;
};

// The sampled states of a GSE. At its sample times tₙ:  xₙ takes effect,  xₙ₊₁ = f(xₙ, u(tₙ), tₙ) is computed and waits for tₙ₊₁.
struct Sampled {
  core::Words label;
  elements::Response update;  // xₙ₊₁
  elements::Response period;  // tₙ₊₁ − tₙ
  int columns = 0;
  int count = 0;
  int states = -1, waiting = -1, next = -1;  // first places in State::memory: xₙ, xₙ₊₁, tₙ₊₁
};

// A statement that is in the model and does not act.
struct Idle {
  core::Words label;
  std::string why;
  bool left_out = false;  // the whole statement
};

struct Energy {
  double kinetic = 0, potential = 0;
};
// Of everything but what has a potential, or integrated over time. Dissipated: in SPRINGDAMPER, BUSHING, FIELD, BEAM, NFORCE and
// FRICTION. Work: put in by forces given as functions or by user code (also where they take it out) and by constraints that
// depend on time.
struct Power {
  double dissipated = 0, work = 0;
};

// A body and where the model's own frames are on it.
struct BodyInfo {
  core::Words label;
  std::string channel;      // "PART/2"
  assembly::BlockId block;  // invalid for ground
  assembly::MarkerId cm;    // frame at the mass centre with the axes of the CM marker
  math::Mat3 R_BC = math::Mat3::Identity();
  math::Vec3 p_BC = math::Vec3::Zero();  // from the origin of the part, along the axes of its pose
};

// A FLEX_BODY: its modes, and what nodes do by them.
struct FlexInfo {
  struct Node {
    int id = 0;
    math::Vec3 place = math::Vec3::Zero();  // in B
  };
  core::Words label;
  std::string channel;                // "FLEX_BODY/2"
  assembly::BlockId frame, modes;     // modes invalid where there are none
  std::vector<int> numbers;           // of the modes
  std::vector<double> hertz, ratios;  // of the free body's modes: frequency, share of critical damping
  Eigen::MatrixXd shapes;             // 3n × M: translations of the nodes that markers can stand on
  std::vector<Node> stress_nodes;
  Eigen::MatrixXd stress;  // 6n × M: xx, yy, zz, xy, yz, zx in axes of B
  double size = 0;         // CHAR_LEN, or the extent of its nodes
};

// An FE_PART: its elements follow one another.
struct BeamInfo {
  int id = 0;
  core::Words label;
  std::size_t first = 0;  // of beam_elements()
  std::size_t count = 0;  // nodes less one: as many elements of two nodes, half as many of three
  std::vector<std::string> node_names;  // along the axis
  double length = 0.0;                  // unstressed
};

// What the assembly starts from: coordinates and velocities to keep, each a row c with c·δ to be left alone.
struct Weight {
  int offset = 0;  // first tangent entry of c
  Eigen::Matrix<double, 6, 1> c = Eigen::Matrix<double, 6, 1>::Zero();
  int size = 6;
  const char* word = "";  // what gave it: "VX"
};

class System {
 public:
  System();
  ~System();
  System(const System&) = delete;  // readings point to other elements
  System& operator=(const System&) = delete;

  class Workspace {
   public:
    Workspace(const System& system, assembly::AnalysisMode analysis);
    assembly::Kinematics kinematics;
    assembly::Scratch scratch;
    expr::Workspace expression;
    TimeWorkspace time;
    std::vector<math::Jet> functions;
    std::vector<math::Jet> drives;
    std::vector<DriveKnots> knots;  // of each drive
    assembly::AnalysisMode mode;
    std::vector<std::pair<int, double>> kept;  // of accept()
  };

  const assembly::Layout& layout() const { return layout_; }

  // Brings the workspace to the state and lets every element emit into the sink.
  void evaluate(const assembly::State& state, Workspace& work, assembly::Sink& sink) const;
  // Only what measures and reactions need: the kinematics and the drives.
  void update(const assembly::State& state, Workspace& work) const;
  // Writes what a step leaves behind (turns counted, integrals of drives); call when a state is accepted. The way a search takes to
  // an equilibrium is no motion: what sticks keeps its creep until it is there.
  enum class Way { motion, search };
  void accept(assembly::State& state, Workspace& work, Way way = Way::motion) const;

  // The state as the model gives it, before assembly.
  assembly::State start() const { return start_; }

  // Force and torque of a constraint on the body of its marker I (or J), in ground axes, about that marker.
  elements::Wrench reaction(const Constraint& constraint, const assembly::State& state, Workspace& work,
                            bool on_j) const;
  const Constraint* find_constraint(model::Kind kind, int id) const;
  const Constraint* find_constraint(core::Subject s) const { return find_constraint(s.kind, s.id); }
  // The same for an applied force; about I on both sides where J floats.
  elements::Wrench wrench(const Force& force, const assembly::State& state, Workspace& work, bool on_j) const;
  double asymmetry(const Force& force, const assembly::State& state,
                   Workspace& work) const;  // of its stiffness
  // Its size where it has no direction: SFORCE and SPRINGDAMPER between coincident markers. The workspace must have been brought to
  // the state.
  std::optional<elements::Undirected> undirected(const Force& force, const assembly::State& state,
                                                 Workspace& work) const;
  const Force* find_force(model::Kind kind, int id) const;
  const StateInfo* find_states(model::Kind kind, int id) const;
  // The entries of an ARRAY, as far as something gives it values.
  const std::vector<elements::Signal>* find_array(int id) const;
  // Where SENVAL(id) is kept in State::memory; none: the sensor has no EVALUATE, and it is 0.
  std::optional<int> find_sensor_value(int id) const;
  // Gives an expression from outside the model the tables of this system.
  std::vector<expr::ExprError> bind(expr::Program& program) const { return program.bind(*tables_); }
  // SPLINEs that AKISPL or CUBSPL read beyond their points since the last call, at this state: an evaluation makes sure, so that
  // trial states of iterations do not count.
  std::vector<expr::OutsideReading> extrapolations(const assembly::State& state, Workspace& work) const;
  const expr::TableSet& tables() const { return *tables_; }
  // What acts between two markers of the model, on the first of them; all that acts at the first where the second is 0.
  // A floating marker's id stands for the side of the force it belongs to.
  struct Acting {
    const Constraint* constraint = nullptr;  // this or …
    const Force* force = nullptr;            // … this
    bool on_j = false;
  };
  std::vector<Acting> acting_between(int i, int j) const;
  // What an element function reads: JOINT(id, jflag, …), or NFORCE(id, marker, …). Empty where the element is not there.
  std::vector<Acting> acting_element(model::Kind kind, int id, int side) const;
  // What the sensor watches, and what it keeps when it acts; the workspace must have been brought to the state.
  double watch(const Sensor& sensor, const assembly::State& state, Workspace& work) const;
  double evaluate(const Sensor& sensor, const assembly::State& state, Workspace& work) const;
  // Of bodies, gravity and linear springs; the workspace must have been brought to the state.
  Energy energy(const assembly::State& state, Workspace& work) const;
  // At a state with its reactions; the workspace must have been brought to it.
  Power power(const assembly::State& state, Workspace& work) const;
  // ∂r/∂v of bodies alone, without what damps them: what stays where damping is left out. The workspace must have been brought to the
  // state.
  Eigen::SparseMatrix<double> gyroscopic(const assembly::State& state, Workspace& work) const;
  // What the damping of beams has in the partials by q.
  Eigen::SparseMatrix<double> damping_by_place(const assembly::State& state, Workspace& work) const;
  // v·M v of each of bodies() alone, for velocities that may be complex; the workspace must have been brought to the state.
  std::vector<double> twice_kinetic(const Eigen::VectorXcd& velocity, const assembly::State& state,
                                    Workspace& work) const;
  // The frame of a marker of the model; nothing where its body is not part of the system.
  std::optional<assembly::MarkerId> find_marker(int id) const;
  int id_of(assembly::MarkerId marker) const;  // in the model; 0 for frames of the solver's own
  // Where an angle counted over full turns is kept in State::memory, by name as in "AZ(11,21)"; −1: nowhere.
  int counted_place(const std::string& name) const;

  const assembly::MarkerTable& markers() const { return markers_; }
  const std::vector<BodyInfo>& bodies() const { return body_info_; }
  // Every body as a rigid one, for scales: a FLEX_BODY undeformed, about its frame's origin; the nodes of beams with what they weigh.
  const std::vector<elements::Body>& body_elements() const;
  const std::vector<FlexInfo>& flexible() const { return flex_info_; }
  Eigen::VectorXd modal_masses(const FlexInfo& body) const;  // generalised masses of its modes
  const std::vector<elements::BeamElement>& beam_elements() const;
  const std::vector<BeamInfo>& beams() const { return beam_info_; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  const std::vector<Force>& forces() const { return forces_; }
  const std::vector<StateInfo>& states() const { return states_; }
  const std::vector<Sensor>& sensors() const { return sensors_; }
  const std::vector<Sampled>& sampled() const { return sampled_; }
  // When sampled states change next; infinity where there are none.
  double next_sample(const assembly::State& state) const;
  // Does it for those that are due. Empty, or what went wrong.
  std::string take_samples(assembly::State& state, Workspace& work) const;
  // In the order of the model; empty unless compile() was told to go on without user code, or CONTACT() is read.
  const std::vector<Idle>& idle() const { return idle_; }
  const std::vector<UserRequest>& user_requests() const { return user_requests_; }
  const std::vector<LostRequest>& lost_requests() const { return lost_requests_; }
  // Its eight numbers; the workspace must have been brought to the state.
  void evaluate(const UserRequest& request, const assembly::State& state, Workspace& work,
                std::span<double> values) const;
  // The expressions that have no finite value or slope at this state, with owner, time, operation and arguments: those that are the
  // cause, not those that read their values. Brings the workspace to the state; meant for messages.
  // Slopes do not matter where only values are asked for.
  enum class Asked { values, slopes_too };
  std::vector<core::Words> not_finite(const assembly::State& state, Workspace& work,
                                      Asked asked = Asked::slopes_too) const;
  // The same of one sensor.
  // Contacts of PTCV and CVCV that have run over the end of an open curve, which goes on there as its last piece does.
  struct OffCurve {
    core::Words owner;
    double parameter, end;
  };
  std::vector<OffCurve> off_curves(const assembly::State& state) const;
  core::Words not_finite(const Sensor& sensor, const assembly::State& state, Workspace& work) const;
  // What user code and elements at a singular place have complained about since this was asked last.
  std::vector<std::string> user_troubles() const;
  const std::vector<Weight>& exact_coordinates() const { return exact_coordinates_; }
  const std::vector<Weight>& exact_velocities() const { return exact_velocities_; }
  // The state to go on from: poses, velocities, time and counters of `earlier`, matched by name. What is new (a motion
  // switched on, a curve) starts at the place the mechanism has.
  assembly::State carry_over(const System& before, const assembly::State& earlier) const;
  // Gives motions without ICDISP the value their joint has, where `fresh` says that nothing was carried over.
  void begin_drives(assembly::State& state, const std::vector<bool>& fresh) const;
  // How far any drive turns from a state to a later time, whole turns with it.
  double driven_turn(const assembly::State& from, double t, Workspace& work) const;

  const std::vector<int>& start_positions_only() const {
    return start_positions_only_;
  }  // no velocity was given
  const std::vector<int>& start_rows() const {
    return start_rows_;
  }  // hold during assembly only: ICTRAN, ICROT
  const model::UnitSystem& units() const { return units_; }

 private:
  const std::vector<double>& knots_of(std::size_t drive, double from, double to, Workspace& work) const;
  math::Vec3 mass_centre_of(assembly::BlockId block) const;  // in its part

  friend class Compiler;

  assembly::Layout layout_;
  assembly::MarkerTable markers_;
  std::unique_ptr<Elements> elements_;
  std::map<std::string, int>
      counted_places_;  // where angles are counted over full turns, by name: AZ(11, 21)
  std::vector<TimeFunction> functions_;
  std::vector<Drive> drives_;
  std::vector<std::shared_ptr<const expr::Program>> programs_;
  std::shared_ptr<expr::TableSet> tables_;
  assembly::State start_;
  std::vector<BodyInfo> body_info_;
  std::vector<Constraint> constraints_;
  std::vector<Force> forces_;
  std::vector<StateInfo> states_;
  std::vector<Sensor> sensors_;
  std::unordered_map<int, int> sensor_values_;
  std::vector<Sampled> sampled_;
  std::vector<Idle> idle_;
  std::vector<UserRequest> user_requests_;
  std::vector<LostRequest> lost_requests_;
  std::shared_ptr<elements::Troubles> troubles_;
  std::vector<Weight> exact_coordinates_, exact_velocities_;
  std::vector<int> start_rows_, start_positions_only_;
  std::vector<std::string> memory_keys_;
  std::unordered_map<int, assembly::MarkerId> marker_ids_;
  std::unordered_map<int, std::vector<elements::Signal>> arrays_;
  // (kind, id) → place in constraints_ and forces_, the first where there are several
  std::map<std::pair<int, int>, std::size_t> constraint_places_, force_places_;
  model::UnitSystem units_;
  std::vector<FlexInfo> flex_info_;
  std::vector<BeamInfo> beam_info_;

  assembly::Evaluation at(const assembly::State& state, Workspace& work) const {
    return {state, work.kinematics, work.scratch, work.mode, work.drives};
  }
  void update_drives(const assembly::State& state, Workspace& work) const;
};

}  // namespace trunnion::system
