#pragma once
// LINEAR: the equations of motion about a state at rest, as a linear system in independent coordinates.
//
// The constraints let δq = N y with y some of the coordinates themselves, chosen by rank; velocity-level rows take freedom from the
// velocities only: δv = N_v u. With the states z
//   s = (y, u, z),   ṡ = A s + B i,   o = C s + D i
// The highest levels follow from the equations as in a dynamic analysis, with the same matrix:
//   [ A_a  A_v,z  A_q,w  L ] (δa, ż, w, λ)ᵀ = −(A_q N y + A_v N_v u + A_q,z z),     G δa = 0
// so that forces which read accelerations, reactions or variables need no case of their own. Inputs are VARIABLEs taken out of the
// loop: their own function no longer counts. Outputs are VARIABLEs as they are.

#include <complex>
#include <string>
#include <vector>

#include "analysis/statics.hpp"
#include "system/system.hpp"

namespace trunnion::analysis {

struct LinearOptions {
  bool damping = true;                             // false: NODAMPIN, all partials by velocities left out
  std::vector<assembly::BlockId> inputs, outputs;  // algebraic blocks of one variable each
};

struct LinearSystem {
  bool ok = false;
  Eigen::MatrixXd A, B, C, D;
  int positions = 0, velocities = 0, states = 0;  // of s
  std::vector<std::string> names;                 // of the entries of s
  std::vector<int> free_positions;                // tangent entries that y stands for
  Eigen::MatrixXd shape;  // δ of all tangent entries by s: N y and z; variables left at zero
  Eigen::MatrixXd N;      // of the positions
  std::vector<std::string> messages;
};
LinearSystem linearise(const system::System& system, const AssemblyResult& at, const LinearOptions& options);

struct Mode {
  std::complex<double> value;  // of exp(value t); of a pair the one above the axis
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
  bool vectors = true;
  int dense_up_to = kDenseModes;  // states
  int count = 0;  // for models too large for a dense matrix: how many, those of lowest frequency
};
struct ModesResult {
  bool ok = false;
  bool all = true;          // false: only those of lowest frequency
  std::vector<Mode> modes;  // by rising frequency
  int states = 0;
  std::vector<std::string> messages;
};
ModesResult modes(const system::System& system, const AssemblyResult& at, const ModesOptions& options);

// Share of each body in the kinetic energy of a mode, in the order of System::bodies().
std::vector<double> kinetic_shares(const system::System& system, const Mode& mode);

struct StabilityResult {
  Stability stability = Stability::unknown;
  int growing = 0, neutral = 0;
  Eigen::VectorXd away;  // a displacement that grows without turning back; empty where there is none
  std::vector<std::string> messages;  // one line, and the free directions
};
StabilityResult judge_stability(const system::System& system, const AssemblyResult& at);

// M, K, B (damping) in the independent coordinates y, and what the coordinates are.
struct StructuralMatrices {
  bool ok = false;
  Eigen::MatrixXd M, K, B;
  std::vector<std::string> names;
};
StructuralMatrices structural_matrices(const system::System& system, const AssemblyResult& at);

// Eigenvalues and vectors of a real matrix, balanced first: stiffness and velocity differ by many powers of ten.
void balanced_eigen(const Eigen::MatrixXd& A, bool vectors, Eigen::VectorXcd& values,
                    Eigen::MatrixXcd& shapes);

}  // namespace trunnion::analysis
