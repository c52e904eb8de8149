#pragma once
// What every linear analysis starts from: the equations at a state by level, in the coordinates of linear/coordinates.hpp, and
// which entries are what.
//   a ν̇ + v ν + q ξ + L λ = 0                 with what belongs to states and variables; balances along the same axes
//   G ξ = 0                                    position rows
//   G ν + B ξ = 0                              all rows
//   G ν̇ + C ν + D ξ = 0                        their rate: C = Ġ + B, D = Ḃ
// Ġ and Ḃ are taken along the motion of the state itself (positions by v, velocities by a), so that third partials of a constraint
// are needed in one direction only: they come from differences of eighth order between exact G and B at eight places along it.

#include <string>
#include <vector>

#include "analysis/linear/linear.hpp"
#include "sparse/pattern.hpp"
#include "system/levels.hpp"

namespace trunnion::analysis {

struct LinearLevels {
  using Matrix = system::Levels::Matrix;
  Matrix q, v, a, L, G;
  Matrix B, C, D;
  Matrix E, E1;         // tangent entries and their rates by coordinates: δ = E ξ, η = E ν + E₁ ξ
  bool moving = false;  // else G alone holds: B, C, D are zero but for velocity rows
  std::vector<char> mechanical;        // entries of bodies
  double length = 1;                   // of the mechanism
  std::vector<double> unit;            // of an entry's motion: 1 for travel, a turn counts by four lengths
  std::vector<int> states, variables;  // entries
  std::vector<int> position_rows, all_rows;  // of G
  core::Words trouble;                       // not empty: there are no linear equations here
  core::Words strange;    // not empty: a row that reads a state or variable, whose rates it needs as well
  double rate_error = 0;  // of C and D, relative to the largest of them; an estimate

  // Without damping: all partials by velocities left out but those of the bodies' own inertia.
  LinearLevels(const system::System& system, const AssemblyResult& at, assembly::MarkerId rm, bool damping);
  bool has_velocity_rows() const { return position_rows.size() != all_rows.size(); }

 private:
  void sort_entries(const assembly::Layout& layout, const std::vector<int>& active);
  core::Words strange_row(const assembly::Layout& layout, const std::vector<int>& active) const;
  bool moves(const assembly::State& state, double gravity) const;
};

sparse::CscMatrix to_csc(LinearLevels::Matrix m);

// A matrix that is handed on does not show what cancelled in it: along a free motion the stiffness is nothing but the rounding of
// its parts, and looks like a stiffness. With |ξ|ᵀ |q| |ξ| for the sum of the parts without their signs, c ε of it over ξᴴ a ξ is how
// well λ² is known. c: the place is known to some ε only, rates along a motion are differences besides.
class StiffnessDoubt {
 public:
  explicit StiffnessDoubt(const LinearLevels& at);
  // Of λ² of a mode with this shape over tangent entries; nothing for one of states alone.
  double of(const Eigen::VectorXcd& shape) const;

 private:
  const LinearLevels& at_;
  LinearLevels::Matrix parts_, turned_;
  double rounding_;
};

// Of the inverse's eigenvalues: rounding moves a double root at zero by the square root of its size, 1e-8 of the largest. What is
// below this part of it moves infinitely fast: directions that the constraints do not allow, or without mass.
inline constexpr double kInfinitelyFast = 1e-7;

// (A − σ)⁻¹ of each column of `basis`, about a shift of its own choice; columns are (positions and states; velocities) that the
// constraints allow.
bool inverse_about_shift(const LinearLevels& at, const Eigen::MatrixXd& basis, double& shift,
                         Eigen::MatrixXd& images);

// The modes nearest to zero, by Arnoldi's method on the inverse about a real shift.
ModesResult slowest_modes(const system::System& system, const AssemblyResult& at,
                          const ModesOptions& options);

}  // namespace trunnion::analysis
