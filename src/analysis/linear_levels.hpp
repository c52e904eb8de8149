#pragma once
// What every linear analysis starts from: the equations at a state by level, and which entries are what.

#include <vector>

#include "analysis/linear.hpp"
#include "sparse/pattern.hpp"
#include "system/level_sink.hpp"

namespace trunnion::analysis {

struct LinearLevels {
  using Matrix = system::LevelSink::Matrix;
  Matrix q, v, a, L, G;
  std::vector<char> mechanical;              // tangent entries of bodies
  std::vector<int> states, variables;        // tangent entries
  std::vector<int> position_rows, all_rows;  // of G

  LinearLevels(const system::System& system, const AssemblyResult& at);
  void leave_out_damping();
};

sparse::CscMatrix to_csc(LinearLevels::Matrix m);

// (A − σ)⁻¹ of each column of `basis`, about a shift of its own choice; columns are (positions and states; velocities).
bool inverse_about_shift(const LinearLevels& at, const Eigen::MatrixXd& basis, double& shift,
                         Eigen::MatrixXd& images);

// The modes nearest to zero, by Arnoldi's method on the inverse about a real shift.
ModesResult slowest_modes(const system::System& system, const AssemblyResult& at,
                          const ModesOptions& options);

}  // namespace trunnion::analysis
