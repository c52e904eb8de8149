#pragma once
// A mechanism without freedom at one time: positions by Newton from a predicted place, velocities, accelerations and
// multipliers on the same factorisation (primer Eqs. 44, 20, 21, 45). After the first call nothing is allocated.

#include <string>
#include <vector>

#include "analysis/initial/initial_conditions.hpp"
#include "analysis/kinematics/singularity.hpp"
#include "model/model.hpp"
#include "solve/dependent_coordinates.hpp"
#include "system/levels.hpp"

namespace trunnion::analysis {

// The KINEMATICS statement. Its ERROR counts where it is given; without, positions are as good as after assembly, which costs
// one iteration more at most and leaves velocities and accelerations their digits.
struct KinematicSettings {
  double error = 1e-10;  // largest |φ|
  int maxit = 25;
  double alimit = 0.5235987755982988;  // largest turn in one iteration: 30D
  double tlimit = 1e10;                // largest travel in one iteration
  double hmax = 0;                     // largest step; 0: the output step
  std::vector<bool> pattern{true};     // iterations that renew the Jacobian, repeated
  ConstraintListener listener{};       // hears of every iteration; may be empty
};
KinematicSettings kinematic_settings(const model::Model& model);

enum class Placing { done, not_converged, singular, conflict };

class KinematicPlace {
 public:
  KinematicPlace(const system::System& system, const KinematicSettings& settings);

  // Rows that determine the motion, as many as coordinates, and those that must go on agreeing with them.
  void use_rows(const std::vector<int>& active, const std::vector<RedundantRow>& redundant);

  // Positions at `time`, predicted from the velocities and accelerations of the state.
  Placing find_positions(assembly::State& state, double time);
  // All levels; the state is accepted.
  Placing find_all(assembly::State& state, double time);
  // φ and G at a state.
  void evaluate(const assembly::State& state, bool accelerations = false);

  double tolerance(const assembly::State& state) const;
  const system::Levels& constraints() const { return rows_; }
  const std::vector<int>& active() const { return active_; }
  const std::vector<RedundantRow>& redundant() const { return redundant_; }
  // Redundant rows that no longer agree at the place last found.
  std::vector<RedundantRow> conflicts(const assembly::State& state) const;
  // Of the place last found: smallest singular value of the Jacobian, and the sign of its determinant.
  double regularity() const { return singularity_.size(); }
  int orientation() const { return dependent_.factors().determinant_sign(); }
  std::vector<int> singular_rows() const;  // rows of the layout, the strongest first
  double best_regularity() const { return best_; }
  // The place last found is one the mechanism has been to.
  void keep_best();
  // Rows of the place last evaluated that have shrunk to less than `part` of the longest they have been.
  std::vector<int> vanished_rows(double part) const;
  int iterations() const { return iterations_; }

  // Near a singular place gaps of size ε leave positions uncertain by ε/σ, and rates by ε/σ², σ the smallest singular value
  // as a part of the best seen. With gaps down to rounding, 1e-15, rates have five digits at kSingular and nine at kSafe.
  static constexpr double kSingular = 1e-5, kSafe = 1e-3;

 private:
  class Following;
  class Polishing;
  bool factor();
  Placing newton(assembly::State& state);
  // By one iteration on the factors there are. `iteration` and `renewed`: for the listener.
  bool correct(assembly::State& state, int iteration, bool renewed);
  bool polish(assembly::State& state);
  bool velocities(assembly::State& state);
  bool accelerations(assembly::State& state);
  double largest_gap() const;
  void measure_rows();  // into squares_
  void take_measure();  // of the regularity
  bool agrees(const RedundantRow& row, double tolerance) const;

  const system::System& system_;
  const assembly::Layout& layout_;
  KinematicSettings settings_;
  system::System::Workspace work_;
  system::Levels rows_;
  solve::DependentCoordinates dependent_;  // all are
  Singularity singularity_;
  std::vector<int> active_;
  std::vector<RedundantRow> redundant_;
  Eigen::VectorXd step_;
  Eigen::VectorXd squares_, longest_;  // of all rows: squared lengths, and the largest of them so far
  Eigen::VectorXd length_;             // of the active ones
  bool forces_read_reactions_ = false;
  double best_ = 0;
  int iterations_ = 0;
};

}  // namespace trunnion::analysis
