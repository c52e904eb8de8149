#pragma once
// Every applied force between two markers: SFORCE, VFORCE, VTORQUE, GFORCE, SPRINGDAMPER, BUSHING, FIELD, BEAM.
//
// A force F and a torque T act on the body of I at the origin of I, their opposites on the body of J at that same point:
//   on J's body about the origin of J:   −F ,  −T − δ×F ,   δ = p_I − p_J
// That is where JFLOAT is kept, and it is the language's rule for BUSHING, FIELD and BEAM. The power of the pair is
// F·(v_I − v_J − ω_J×δ) + T·(ω_I − ω_J), so that the generalized forces are the rows of those velocity measures:
//   residual −Σ c_m w_m(q),   partials −(Σ c_m ∂w_m/∂q + w_m ∂c_m/∂q), −w_m ∂c_m/∂v, −w_m ∂c_m/∂a
// with w_m the row of component m. The components c_m are a Response; their directions are
//   axes    x, y, z of marker K for forces, the same for torques (VFORCE, GFORCE: RM; BUSHING …: J; SFORCE ROTATION: z of J)
//   line    from J to I, positive pushes apart (SFORCE, SPRINGDAMPER). Where I and J coincide there is no direction: no
//           force; a spring without free length keeps its stiffness there, in all directions.
// ACTIONONLY is a load whose J is ground's frame. A load on a point mass turns nothing.
//
// Linear laws, with x = displacement of I from J less its free value:
//   SPRINGDAMPER   F = −K (DM − LENGTH) − C VR + FORCE          T = −KT (AZ − ANGLE) − CT WZ + TORQUE
//   BUSHING        x = (DX DY DZ, AX AY AZ)(I, J) along J       F = −K x − C ẋ + preload, 3 + 3 uncoupled
//   FIELD          the same with full 6×6 matrices and a free position
//   BEAM           see beam.hpp
// Limits: AX, AY, AZ are projected angles. Two of the three must stay small (about 10°) for the torques to mean what K says; the
// forces are exact for any rotation of J, and torques are conservative for small relative rotations only. ẋ of the angles is WX … WZ.

#include <optional>
#include <vector>

#include "elements/function.hpp"
#include "elements/wrench.hpp"

namespace trunnion::elements {

// ½ xᵀ K x − xᵀ preload, x the first signals of the response less their free values.
struct Spring {
  Eigen::MatrixXd K;
  Eigen::VectorXd free, preload;
};

// How far a load acts that acts near by only.
class Reach {
 public:
  virtual ~Reach() = default;
  // How far apart the two sides are at least; beyond 0 the load is nothing and its law is not asked.
  virtual double apart_by(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j) const = 0;
  // Whether it acts, asked only where they are not apart by that.
  virtual bool acts(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j) const = 0;
  virtual double radius() const = 0;  // of the ball about marker I that all of its side lies in
  // What the first read_size() signals of its law are: straight from the motion of both markers, where nobody wants their partials.
  virtual Eigen::Index read_size() const = 0;
  virtual void read(const assembly::MarkerMotion& i, const assembly::MarkerMotion& j,
                    VecMap& signals) const = 0;
  // The rate of the law's potential, from its signals, which have all velocities that it takes: nobody has to differentiate them for it.
  virtual double stored_power(const VecMap& signals) const = 0;
};

struct Load {
  enum class Direction : std::uint8_t { axes, line };
  // Where all markers stand in the frames of bodies (load_framed.hpp): which these are, counted as they are met; −1 is none.
  struct Frames {
    int count = 0;
    std::array<int, 3> sides{};                 // of I, J, K
    std::vector<int> of_block;                  // of each of the load's blocks; −1: scalars
    std::vector<std::array<int, 4>> of_signal;  // of I, J, K, L of each signal that is a measure
  };
  Direction direction = Direction::axes;
  Port i, j, k;             // acted on; takes the opposite; gives the axes
  bool reaction = true;     // false: on I only
  bool j_floats = false;    // J follows I: reported about I on both sides
  std::vector<int> axes;    // of each output: 0 1 2 force, 3 4 5 torque along x y z of K; ignored for a line
  Measure line;             // DM(I, J)
  std::vector<Scatter> to;  // of `line`: one, or none
  Response response;
  Columns columns;
  Dependence dependence;         // of the balance rows
  std::optional<Frames> frames;  // none: evaluated for any carrier
  std::optional<Spring> spring;
  std::shared_ptr<const Reach> reach;  // none: it acts everywhere
  bool passive = false;  // what it takes beyond its potential is lost, not work done from outside
};

// The geometry of a load; what its components are is added to the response, then seal() closes it.
Load make_load(MarkerId i, MarkerId j, MarkerId k, std::vector<int> axes, const assembly::Layout& layout,
               const assembly::MarkerTable& table);
Load make_line_load(MarkerId i, MarkerId j, const assembly::Layout& layout,
                    const assembly::MarkerTable& table);
void seal(Load& load);

// c = −K (x − free) − C ẋ + preload over signals x then ẋ, each given in the order of the rows of K.
void set_linear(Load& load, std::vector<Signal> x, std::vector<Signal> rates, const Eigen::MatrixXd& K,
                const Eigen::MatrixXd& C, const Eigen::VectorXd& free, const Eigen::VectorXd& preload,
                const assembly::Layout& layout);
// The six displacements DX … AZ of I in J, or velocities VX … WZ, as signals. Angles are counted from `memory`, if ≥ 0.
std::vector<Signal> displacements(MarkerId i, MarkerId j, int memory, const assembly::Layout& layout,
                                  const assembly::MarkerTable& table);
std::vector<Signal> velocities(MarkerId i, MarkerId j, const assembly::Layout& layout,
                               const assembly::MarkerTable& table);

void evaluate(const Load& load, const Evaluation& at, expr::Workspace& work, assembly::Sink& sink);
// The same by way of carriers alone, whatever they are: what the kernel of load_framed.hpp must agree with.
void evaluate_by_carriers(const Load& load, const Evaluation& at, expr::Workspace& work,
                          assembly::Sink& sink);

// On I, about I; or on J, about J (about I where J floats). Zero on the J of ACTIONONLY.
Wrench wrench(const Load& load, const Evaluation& at, expr::Workspace& work, bool on_j);
// How far I and J are beyond the load's reach; 0: it may act.
double apart_by(const Load& load, const assembly::Kinematics& kinematics);
// Whether it is nothing here, with all its partials, because the two sides do not touch.
bool out_of_reach(const Load& load, const assembly::Kinematics& kinematics);
// Of the springs of linear laws and of laws that have one; zero for expressions.
double potential_energy(const Load& load, const Evaluation& at);
// What the pair does on the bodies a unit of time, and the rate of its potential: the power that no potential gives back.
double power_beyond_potential(const Load& load, const Evaluation& at, expr::Workspace& work);

// A force along a line whose ends coincide, so that it has no direction: its size, which does not act; or, where the ends are apart by no
// more than rounding, which acts along that. Nothing where the ends are apart or there is no force.
struct Undirected {
  double size = 0.0;
  bool exactly = true;
  bool damper = false;  // it damps, which it does not where the ends coincide
};
std::optional<Undirected> undirected(const Load& load, const Evaluation& at, expr::Workspace& work);

// How far the stiffness S of a linear law, over displacement and turn of I, is from symmetric in this place: the largest
// |S_ij − S_ji|/√(S_ii S_jj). Where it is not 0 the law has no potential and may feed a vibration. 0 for other laws.
double asymmetry(const Load& load, const Evaluation& at);

// Force and torque of a load on one side, in ground axes, with their gradients over the load's columns by level: columns × 3.
struct WrenchPartials {
  Wrench value;
  std::array<MatMap, 3> force{MatMap{nullptr, 0, 0}, MatMap{nullptr, 0, 0}, MatMap{nullptr, 0, 0}};
  std::array<MatMap, 3> torque{MatMap{nullptr, 0, 0}, MatMap{nullptr, 0, 0}, MatMap{nullptr, 0, 0}};
};
WrenchPartials wrench_partials(const Load& load, const Evaluation& at, expr::Workspace& work, bool on_j);

}  // namespace trunnion::elements
