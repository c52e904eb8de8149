#pragma once
// The work behind compile(): bodies, the blocks of states, constraints, forces, then what the states
// obey. Split over the files here by chapter.

#include <map>
#include <set>
#include <tuple>

#include "elements/user_law.hpp"
#include "system/beam_mesh.hpp"
#include "system/compile/compile.hpp"
#include "system/elements.hpp"
#include "system/frames.hpp"
#include "system/inputs.hpp"

namespace trunnion::elements {
class Corotation;
struct ContactData;
class UserTouch;
}  // namespace trunnion::elements
namespace trunnion::math {
class Mesh;
struct Shape;
}  // namespace trunnion::math

namespace trunnion::system {

struct ContactSolid;

struct FlexMatrices;
struct FlexSource;  // flex_source.hpp

class Compiler {
 public:
  Compiler(const model::Model& model, const Inactive& inactive, core::Diagnostics& diagnostics, double time,
           const UserCode& user);
  std::shared_ptr<const System> run();
  // For contacts.cpp and excerpt.cpp.
  static const Elements& elements_of(const System& system) { return *system.elements_; }
  static void update_drives(const System& system, const assembly::State& state, System::Workspace& work) {
    system.update_drives(state, work);
  }

 private:
  // A routine found for USER(…), and what it is called with.
  struct UserCall {
    FoundRoutine found;
    std::vector<double> parameters;
  };
  struct UserOwner {
    core::Words owner;
    core::Span span;
    int id;
  };
  enum class From : std::uint8_t { given, drawn };  // where turns are counted from: see measure()
  struct Segment {
    int first, outputs;  // of the routine's results
    int results;
  };
  // --- bodies.cpp
  void bodies();
  void part(const model::Part& part);
  void point_mass(const model::PointMass& mass);
  void markers();
  void exact(const model::Part& part, assembly::BlockId block, const Frame& X_GB, const math::Vec3& p_GC);
  void velocities(const model::Part& part, assembly::BlockId block, const Frame& X_GB);
  void planar_start(const model::Part& part, assembly::BlockId block, const assembly::Plane& plane);
  void set_start();
  // --- flex_body.cpp
  void flex_bodies();
  void flex_body(const model::FlexBody& body);
  bool flex_supported(const model::FlexBody& body);
  std::optional<FlexMatrices> flex_data(const model::FlexBody& body);
  FlexMatrices rigid_stand_in(const model::FlexBody& body);
  void flex_pattern(const model::FlexBody& body, FlexMatrices& matrices);
  bool flex_stiffness(const model::FlexBody& body, FlexSource& source, FlexInfo& info);
  bool damping_changes(const model::FlexBody& body) const;
  std::optional<Eigen::VectorXd> flex_ratios(const model::FlexBody& body, const std::vector<int>& numbers,
                                             const Eigen::VectorXd& hertz);
  std::optional<Eigen::VectorXd> flex_start(const model::FlexBody& body, const std::vector<double>& given,
                                            const char* argument, const std::vector<int>& numbers);
  void keep_modes(const model::FlexBody& body, assembly::BlockId block, const std::vector<int>& numbers);
  void place_on_node(const model::Marker& marker, const Frame& X_GB);
  void flex_marker(const model::Marker& marker, int body, assembly::MarkerDef& def);
  // --- fe_part.cpp
  void fe_part(const model::FePart& part);
  assembly::BlockId fe_node(const model::FePart& part, const BeamNode& node, const math::Vec3& centre);
  void fe_marker(const model::Marker& marker, int part);
  void fe_load(const model::FeLoad& load);
  void gather_outlines();
  // --- constraints.cpp
  void constraints();
  void joint(const model::Joint& joint);
  bool folded_back(const model::Joint& joint);
  void jprim(const model::Jprim& joint);
  void motion(const model::Motion& motion);
  void coupler(const model::Coupler& coupler);
  void gear(const model::Gear& gear);
  void gcon(const model::Gcon& gcon);
  void ptcv(const model::Ptcv& ptcv);
  void cvcv(const model::Cvcv& cvcv);
  struct CurveStart {
    assembly::BlockId parameter;
    const math::Curve& curve;
    const Frame& X_RM;
  };
  double start_on_curve(const CurveStart& on, const math::Vec3& other, const std::vector<double>& point,
                        const model::Ref<model::Marker>& frame, const std::optional<double>& speed,
                        const char* speed_word);
  math::Vec3 place_on_curve(const Frame& X_RM, const math::Vec3& other, const std::vector<double>& point,
                            const model::Ref<model::Marker>& frame);
  // Of a USER() curve without its routine.
  bool lost_curve(const model::Ref<model::Curve>& ref) const;
  void start_values(const model::Joint& joint);
  // --- forces.cpp
  void forces();
  void sforce(const model::Sforce& sforce);
  void vforce(const model::Vforce& vforce);
  void vtorque(const model::Vtorque& vtorque);
  void gforce(const model::Gforce& gforce);
  void spring_damper(const model::SpringDamper& spring);
  void bushing(const model::Bushing& bushing);
  void field(const model::Field& field);
  void beam(const model::Beam& beam);
  void nforce(const model::Nforce& nforce);
  // --- modal_loads.cpp
  void mforce(const model::Mforce& mforce);
  void load_case(const model::Mforce& mforce, const FlexSource& on, elements::Load& load,
                 elements::ModalLoad& modal, bool& good);
  void modal_routine(const model::Mforce& mforce, const FlexSource& on, elements::Load& load,
                     elements::ModalLoad& modal, bool& good);
  void changing_damping(const model::FlexBody& body);
  void add_modal_load(elements::ModalLoad load, double scale);
  std::optional<std::vector<elements::Signal>> modal_signals(const elements::UserRead& read) const;
  assembly::MarkerId frame_of(assembly::BlockId block);  // a marker on the block's own frame
  // --- contact.cpp
  void contact(const model::Contact& contact);
  bool contact_law(const model::Contact& contact, elements::ContactData& data);
  struct ContactSide;
  std::optional<std::vector<ContactSide>> contact_sides(const model::Contact& contact,
                                                        const model::RefList<model::Graphics>& list,
                                                        std::string_view argument, std::string& why);
  struct ContactPair;
  std::vector<ContactPair> contact_pairs(const core::Words& owner, const std::vector<ContactSide>& i_sides,
                                         const std::vector<ContactSide>& j_sides, bool one_body) const;
  void prepare(ContactPair& pair, std::string& why);
  void touch(const model::Contact& contact, ContactPair pair, elements::ContactData data);
  // `unreadable`: not because of what is in the file.
  std::shared_ptr<const math::Mesh> shell_mesh(const model::Graphics& graphics, std::string& why,
                                               bool& unreadable);
  ContactSolid contact_solid(const model::Contact& contact, const model::Graphics& graphics, bool turned,
                             char side, Owner body);
  std::shared_ptr<const math::Mesh> swept_mesh(const model::Graphics& graphics, const core::Words& owner,
                                               std::string& why);
  const math::Curve* contact_curve(const model::Graphics& graphics, const core::Words& owner,
                                   std::string& why);
  bool stand_in(const model::Graphics& graphics, Owner owner, math::Shape& shape);
  std::optional<int> node_of(int marker_id) const;
  void say_stand_ins(const std::vector<int>& graphics);
  bool fit_stand_ins(const core::Words& owner, ContactSide& i, ContactSide& j, std::string& why);
  // A CIRCLE, ARC or CURVE as the edge of something; false: why not.
  bool curve_shape(const model::Graphics& graphics, bool turned, const core::Words& owner, math::Shape& shape,
                   std::string& why);
  bool can_touch(const ContactPair& pair, std::string& why);
  bool can_touch(const math::Shape& i, const math::Shape& j, const Frame& X_JI, std::string& why) const;
  bool user_forces(const model::Contact& contact, elements::ContactData& data, elements::Load& load);
  double contact_time(const elements::ContactData& data, Owner i, Owner j) const;
  void add_stiction(const model::Contact& contact, const core::Words& owner, elements::ContactData& data);
  void add_refining(const model::Contact& contact, const core::Words& owner, elements::ContactData& data);
  void keep_points(const core::Words& owner, elements::ContactData& data);
  void give_meshes(std::vector<math::Shape>& side, const std::vector<math::Shape>& others);
  // --- friction.cpp
  class Rub;
  void friction(const model::Friction& friction);
  void joint_friction(const model::Joint& joint);  // by arguments of the JOINT
  struct Component {
    int axis;  // 0 1 2 force, 3 4 5 torque
    const model::Expression* expression;
    int outputs = 1;  // 3 for a vector, from that axis on
  };
  struct Sides {
    assembly::MarkerId i, j;
  };
  template <class T> std::optional<Sides> sides(const T& statement);
  template <class T> void vector_force(const T& statement, const std::vector<Component>& components);
  struct LinearLaw {
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(6, 6), C = K;
    Eigen::VectorXd free = Eigen::VectorXd::Zero(6), preload = free;
    std::shared_ptr<const elements::Law> law;  // in place of K
  };
  template <class T> void linear_force(const T& statement, const LinearLaw& law);
  template <class T> void large_rotation(const T& statement, elements::Corotation law);
  void add_load(elements::Load load, Force force, const std::string& suffix);
  // `floating`: the id of a J that floats. `suffix`: of the channel's name.
  template <class T>
  void add_load(elements::Load load, const T& statement, assembly::MarkerId i, assembly::MarkerId j,
                int floating = 0, const std::string& suffix = {}) {
    add_load(std::move(load),
             Force{model::kind_of<T>(), statement.id, name(statement), {}, 0, i, j, floating}, suffix);
  }
  // A frame of the body that a floating marker follows its partner on.
  std::optional<assembly::MarkerId> floating(int id, const core::Words& owner, core::Span span);
  // --- states.cpp
  void declare_states();  // the blocks, so that expressions can read them
  void equations();       // what they obey
  template <class T>
  assembly::BlockId declare(const T& statement, assembly::Dynamics dynamics, int count, std::string_view word,
                            std::string_view suffix = {});
  template <class T> StateInfo& info_of(const T& statement);
  void declare_lse(const model::Lse& lse);
  void declare_tfsiso(const model::Tfsiso& tfsiso);
  void state_space(const StateInfo& info, const elements::StateSpace& matrices, int input_array,
                   core::Span span);
  template <class T>
  void equation(const T& statement, assembly::BlockId block, elements::Equation::Left left);
  // --- implicit.cpp
  enum class Implicit { rate, algebraic, algebraic_with_rate };
  Implicit implicit_kind(const model::Diff& diff) const;
  void implicit_rate(const model::Diff& diff, assembly::BlockId rate);
  // --- states.cpp again
  void sensor(const model::Sensor& sensor);
  // `call`: in place of the expression, unless null.
  std::optional<elements::Response> observed(const model::Expression& expression, const UserCall* call,
                                             const UserOwner& of, assembly::Columns& columns);
  std::optional<Eigen::MatrixXd> matrix(int id, const core::Words& owner, core::Span span);
  // The same; zeros of this size in place of a file where the model is only drawn.
  std::optional<Eigen::MatrixXd> matrix(int id, const core::Words& owner, core::Span span, Eigen::Index rows,
                                        Eigen::Index cols);
  int length_of(const model::Ref<model::Array>& array) const;
  // --- gse.cpp
  void declare_gse(const model::Gse& gse);
  assembly::BlockId declare_bristles(const model::Friction& friction, int count);
  void gse(const model::Gse& gse);
  void sampling(const model::Gse& gse);
  void find_gse_code(const model::Gse& gse);
  // --- user.cpp
  void find_user_code();
  void tell_missing_code();
  template <class T>
  void look_up(const T& statement, const model::Expression& expression, const std::string& routine,
               const char* standard, int slot);
  void look_up_derivatives(const model::Coupler& coupler);
  // Takes a statement out of the system and remembers why.
  void leave_idle(model::Kind kind, int id, const core::Words& label, const std::string& why);
  template <class T> bool idle(const T& statement) const {
    return idle_.contains({model::kind_of<T>().index, statement.id});
  }
  // An error, or a statement left out where the user said so; always false.
  template <class T> bool cannot_act(const T& statement, const std::string& why);
  // slot 1: EVALUATE of a SENSOR
  template <class T> const UserCall* user_call(const T& statement, int slot = 0) const {
    const auto found = calls_.find({model::kind_of<T>().index, statement.id, slot});
    return found == calls_.end() ? nullptr : &found->second;
  }
  elements::UserRoutine routine(const UserCall& call, const core::Words& owner, int id, int results) const;
  // Makes the first call and gives the response what it read; false where there were errors.
  bool user_response(const UserCall& call, const UserOwner& of, Segment segment, elements::Response& response,
                     assembly::Columns& columns);
  std::optional<std::vector<elements::Signal>> user_signals(const elements::UserRead& read,
                                                            const core::Words& owner, core::Span span);
  std::optional<elements::Signal> user_signal(const std::string& function, std::vector<int> ids,
                                              const core::Words& owner, core::Span span);
  std::shared_ptr<const elements::Relation> user_relation(const model::Coupler& coupler);
  // slot 0: NORMAL_FUNCTION, 1: FRICTION_FUNCTION; null where there is none, or errors.
  std::shared_ptr<const elements::UserTouch> user_touch(const model::Contact& contact, int slot, int results,
                                                        int own, elements::Load& load);
  std::optional<int> user_time_function(const UserCall& call, const UserOwner& of);
  void user_requests();
  // --- functions.cpp
  // The compiled expression; reports what is wrong with it. USER() is refused: see user_response().
  std::shared_ptr<const expr::Program> program(const model::Expression& expression, const core::Words& owner,
                                               core::Span span);
  std::optional<std::vector<elements::Signal>> signals(const expr::Program& program, const core::Words& owner,
                                                       core::Span span);
  std::optional<elements::Signal> signal(const expr::Input& input, const core::Words& owner, core::Span span);
  class Sources;
  std::optional<elements::Signal> array_signal(int array, int component, const core::Words& owner,
                                               core::Span span);
  std::optional<elements::Signal> plant_signal(const model::RefList<model::Variable>& variables,
                                               int component, const core::Words& owner, core::Span span);
  std::optional<elements::Signal> state_signal(model::Kind kind, int id, assembly::Level level,
                                               const core::Words& owner, core::Span span);
  // A force read back: an unknown of its own, one for each distinct reading. What it obeys is added when all is there.
  elements::Signal reading_signal(const expr::Input& input, const core::Words& owner, core::Span span);
  void readings();
  struct Read;
  // Says why there is nothing to read.
  void no_sources(const Read& read, model::Kind kind);
  elements::ReadingSource source_of(const System::Acting& acting) const;
  std::optional<assembly::MarkerId> marker_or_ground(int id, const core::Words& owner, core::Span span);
  void keep_counting(const model::Expression& expression);
  void keep_counting(elements::MeasureKind kind, int i, int j, From from);
  void keep_counting_expressions();
  void keep_counting_pairs();
  void collect_counted_angles();
  void index();  // look-up by statement; readings need it
  std::optional<int> time_function(const model::Expression& expression, const core::Words& owner,
                                   core::Span span);
  int kept_function(int place);
  void read_through(int index, TimeFunction& function);
  void tables();
  void curve_tables();  // for CURVE() in expressions
  const math::Curve* curve(int id, const core::Words& owner, core::Span span);

  // --- shared
  template <class T> core::Words name(const T& statement) const {
    return label(model::schema_of(model::kind_of<T>()), statement);
  }
  template <class T> bool active(const T& statement) const {
    return !inactive_.contains({model::kind_of<T>().index, statement.id});
  }
  void error(core::Span span, const core::Words& owner, std::string message, std::string hint = {}) {
    diagnostics_.error(span, owner, std::move(message), std::move(hint));
  }
  // A body that was told to be in error is told once; what stands on it is only counted, and not looked at further.
  void rests_on(Owner body, int marker_id, const core::Words& owner, core::Span span);
  void count_resting();
  struct Resting {
    Owner body;
    int marker = 0;
    core::Span span;  // of the first
    std::vector<core::Words> statements;
  };
  std::map<std::pair<int, int>, Resting> resting_;  // by kind and id of the body
  // The frame of a marker; reports where its body is not one the solver has.
  std::optional<assembly::MarkerId> marker(int id, const core::Words& owner, core::Span span);
  // DX DY DZ, RACK and the angles of one marker in the axes of another. Turns are counted by the pair of markers, whoever reads them,
  // from the angle given to it: AZ(i, j) of an expression is the AZ of a SPRINGDAMPER. A COUPLER, GEAR, SCREW or RACKPIN holds two
  // such angles to each other; it counts from the place where the model was drawn, so that turns given at the start move nothing.
  elements::Measure measure(elements::MeasureKind kind, int i, int j, From from = From::given);
  elements::Measure joint_measure(bool turn, const model::Joint& joint, From from);
  int turns_place(elements::MeasureKind kind, int i, int j, From from = From::given);
  void give_turns(const elements::Measure& measure, double angle);  // where it starts
  std::vector<elements::Signal> displacements(int i, int j);
  void add_row(elements::MeasureRow row, model::Kind kind, int id, const core::Words& owner,
               assembly::MarkerId i, assembly::MarkerId j);
  // Reports an ARRAY that another statement fills with its states or outputs already.
  bool claim(const model::Ref<model::Array>& array, const core::Words& owner, core::Span span);
  int sensor_place(int id);                           // where SENVAL(id) is kept in State::memory
  int memory(double value, std::string key);          // a new place in State::memory, known by its key
  int counted(double angle, const std::string& key);  // the places of an angle counted over full turns
  template <class T> core::Span argument_span(const T& statement, std::string_view argument) const {
    const model::GivenArgument* given =
        statement.find_given(model::schema_of(model::kind_of<T>()).index_of(argument));
    return given ? given->value : statement.span;
  }

  const model::Model& model_;
  std::set<std::pair<int, int>> inactive_;  // (kind, id)
  std::set<int> driven_joints_;             // that have a MOTION
  core::Diagnostics& diagnostics_;
  double time_;
  Frames frames_;
  std::shared_ptr<System> system_;
  std::map<std::pair<int, int>, assembly::BlockId> blocks_;        // (kind, id) → block
  std::map<int, math::Vec3> p_BC_;                                 // mass centre of a PART in its body frame
  std::map<int, std::shared_ptr<const FlexSource>> flex_sources_;  // by FLEX_BODY
  struct BeamPart {
    BeamMesh mesh;
    std::vector<assembly::BlockId> blocks;  // of its nodes
  };
  std::map<int, BeamPart> beams_;  // FE_PARTs
  std::vector<std::pair<assembly::BlockId, assembly::Pose>> poses_;
  std::vector<std::pair<assembly::BlockId, Eigen::VectorXd>> speeds_;
  std::vector<std::pair<assembly::BlockId, double>> parameters_;  // of curves
  std::vector<double> memory_;
  struct ScalarStart {
    assembly::BlockId block;
    Eigen::VectorXd value, rate;
  };
  std::vector<ScalarStart> scalars_;
  std::map<std::pair<int, int>, StateInfo> states_;  // (kind, id)
  std::map<int, std::string> array_owners_;  // ARRAY of states or outputs → the statement that fills it
  std::map<int, int> sampled_;               // GSE → first place of its sampled states in memory
  struct Read {
    expr::Input input;
    assembly::BlockId block;
    core::Words owner;  // the first to read it
    core::Span span;
  };
  std::map<std::string, Read> readings_;           // by name
  std::map<std::string, int> counted_;             // measure's name → place in memory
  std::vector<elements::Measure> kept_counting_;   // read by a REQUEST, or by what is inactive now
  std::map<int, assembly::MarkerId> body_frames_;  // block → its own frame
  std::map<std::string, int> functions_;           // by expression text
  std::vector<std::string> function_stack_;
  std::vector<math::Jet> function_values_;  // scratch
  std::vector<core::Words> contact_reads_;  // who reads CONTACT()
  UserLibraries libraries_;
  std::map<std::tuple<int, int, int>, UserCall> calls_;      // (kind, id, slot)
  std::map<int, std::shared_ptr<const math::Mesh>> meshes_;  // of solids in CONTACTs, by GRAPHICS
  std::set<int> stood_in_;                                   // GRAPHICS whose stand-ins were told
  std::set<std::pair<int, int>> idle_;                       // (kind, id): cannot act
  std::map<int, std::string> lost_curves_;                   // USER() curves without a routine: why
  struct MissingCode {
    core::Span span;
    core::Words first;
    UserTrouble trouble;
    std::vector<std::string> others;  // that lack it for the same cause
  };
  std::vector<MissingCode> missing_code_;
};

}  // namespace trunnion::system
