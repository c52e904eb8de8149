#pragma once
// LINEAR: the equations of motion about a state, at rest or moving, as a linear system in independent coordinates.
//
// In the coordinates ξ of linear/coordinates.hpp the constraints let ξ = N y with y some of the coordinates themselves, chosen by
// rank, and ν = ξ̇ = N_v u + S y (S: what the motion of the constraints asks for; velocity-level rows take freedom from ν only).
// With the states z
//   s = (y, u, z),   ṡ = A s + B i,   o = C s + D i
// The highest levels follow from the equations as in a dynamic analysis, with the same matrix (linear/levels.hpp has the letters):
//   [ a  v_z  q_w  L ] (ν̇, ż, w, λ)ᵀ = −(q ξ + v ν + q_z z),     G ν̇ = −(C ν + D ξ)
// so that forces which read accelerations, reactions or variables need no case of their own. Inputs are VARIABLEs taken out of the
// loop: their own function no longer counts. Outputs are VARIABLEs as they are.

#include <complex>
#include <string>
#include <vector>

#include "analysis/statics/statics.hpp"
#include "system/system.hpp"

namespace trunnion::analysis {

// The axes of the coordinates.
struct LinearFrame {
  assembly::MarkerId rm;  // invalid: ground
  core::Words name;       // "MARKER/5"
};

struct LinearOptions {
  bool damping = true;  // false: NODAMPIN, partials of forces by velocities left out
  LinearFrame frame;
  std::vector<assembly::BlockId> inputs, outputs;  // algebraic blocks of one variable each
  std::vector<assembly::BlockId> coordinates;      // PSTATE, likewise; empty: those of parts
};

struct LinearSystem {
  bool ok = false;
  Eigen::MatrixXd A, B, C, D;
  int positions = 0, velocities = 0, states = 0;  // of s
  std::vector<core::Words> names;                 // of the entries of s
  std::vector<int> free_positions;                // entries of ξ that y stands for, …
  std::vector<int> free_velocities;               // … of ν for u; before PSTATE
  Eigen::MatrixXd shape;   // δ of all tangent entries by s: of y and z; variables left at zero
  Eigen::MatrixXd speeds;  // of their velocities
  bool moving = false;
  std::vector<core::Words> messages;
};
LinearSystem linearise(const system::System& system, const AssemblyResult& at, const LinearOptions& options);

struct Mode {
  std::complex<double> value;  // of exp(value t); of a pair the one above the axis
  double doubt = 0;            // how far it may be from the true one, where that is known
  Eigen::VectorXcd shape;      // over tangent entries, largest entry 1
  double frequency() const {
    return std::abs(value) / 6.283185307179586;
  }  // undamped natural, cycles per time
  double damping() const { return std::abs(value) > 0 ? 0.0 - value.real() / std::abs(value) : 0.0; }
};
// Beyond so many states the dense eigenvalue problem takes minutes: the slowest modes are then found by a sparse method.
inline constexpr int kDenseModes = 1200;

struct ModesOptions {
  bool damping = true;
  LinearFrame frame;
  std::vector<assembly::BlockId> coordinates;  // PSTATE
  bool vectors = true;
  int dense_up_to = kDenseModes;  // states
  int count = 0;  // for models too large for a dense matrix: how many, those of lowest frequency
};
struct ModesResult {
  bool ok = false;
  bool all = true;          // false: only those of lowest frequency
  std::vector<Mode> modes;  // by rising frequency
  int states = 0;
  bool moving = false;
  int factorisations = 0, solutions = 0;  // of a large model: what it cost
  std::vector<core::Words> messages;
};
ModesResult modes(const system::System& system, const AssemblyResult& at, const ModesOptions& options);

// Share of each body in the kinetic energy of a mode at a state, in the order of System::bodies().
std::vector<double> kinetic_shares(const system::System& system, const assembly::State& state,
                                   const Mode& mode);

struct StabilityResult {
  Stability stability = Stability::unknown;
  int growing = 0, neutral = 0;
  Eigen::VectorXd away;  // a displacement that grows without turning back; empty where there is none
  std::vector<core::Words> messages;  // one line, and the free directions
};
// `force`: what the forces of the equilibrium are known to.
StabilityResult judge_stability(const system::System& system, const AssemblyResult& at, double force = 0);

// M, K, B (damping, gyroscopic forces) in the independent coordinates y, and what the coordinates are: M ÿ + B ẏ + K y = 0 with
// states held still. VARIABLEs are solved for.
struct StructuralMatrices {
  bool ok = false;
  Eigen::MatrixXd M, K, B;
  std::vector<core::Words> names, messages;
};
StructuralMatrices structural_matrices(const system::System& system, const AssemblyResult& at,
                                       const LinearFrame& frame = {},
                                       const std::vector<assembly::BlockId>& coordinates = {},
                                       bool damping = true);

}  // namespace trunnion::analysis
