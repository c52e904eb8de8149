#pragma once
// The searches for a state of rest that statics and quasi-statics are made of.

#include "analysis/static_equations.hpp"
#include "analysis/statics.hpp"

namespace trunnion::analysis {

// A step turns no part by more than this, and moves none farther than this part of the mechanism's length: beyond, nothing that
// is known at its start says much about its end.
inline constexpr double kLongestStep = 0.5;

enum class Search { converged, not_converged, runs_away, singular };

// Where along a path the place sought is: normal · (q − predicted) = 0.
struct PathPlane {
  const assembly::State* predicted = nullptr;
  Eigen::VectorXd normal;  // over tangent entries
  double dt = 0;           // for differences in time
};

struct Followed {
  Search ended = Search::not_converged;
  double contraction = 0;  // largest ratio of one correction to the one before it
};

class StaticSearch {
 public:
  enum class Merit { work, residual };

  StaticSearch(const system::System& system, const AssemblyResult& from, const StaticSettings& settings,
               const StaticListener& listener);

  // The primer's method.
  Search newton(assembly::State& state);
  // Along the constraints, by shifted Newton steps.
  Search descend(assembly::State& state, Merit merit);
  // Newton along a path of equilibria, from a predicted place (static_follow.cpp). With a plane the time is an unknown too.
  Followed follow(assembly::State& state, const PathPlane* plane);
  // Rates dx/dt along the path at an equilibrium, over [tangent entries; multipliers]; leaves the stiffness there factored.
  bool path_rate(const assembly::State& state, double dt, Eigen::VectorXd& rate);
  // Redundant rows that do not hold at the place last evaluated with those that imply them.
  std::vector<RedundantRow> parted_rows(const assembly::State& state) const;
  // In the metric of a path: turns, travels in lengths of the mechanism, relative changes of states.
  Eigen::VectorXd path_metric(const assembly::State& state) const;
  // A motion with much damping, until it is nearly at rest.
  bool settle(assembly::State& state);
  // A place nearby, on the constraints; the same for the same number.
  assembly::State perturbed(const assembly::State& state, int number);
  // What it moves parts by, constraints left aside: some radians or part of the mechanism's length, the same in every run.
  Eigen::VectorXd random_displacement(int number) const;

  // All of it computed anew in a fresh workspace. False, with messages, where the place is no equilibrium.
  bool verify(const assembly::State& state, StaticResult& result) const;
  std::vector<std::string> explain(const assembly::State& state, Search ended);

  // Largest turn in radians, or travel in lengths of the mechanism.
  double extent(const Eigen::VectorXd& d) const;
  double distance(const assembly::State& a, const assembly::State& b) const;
  int stiffness_sign() const { return equations_.stiffness_sign(); }
  int iterations() const { return iterations_; }
  double tolerance() const;  // of the imbalance
  StaticEquations& equations() { return equations_; }

 private:
  double smallest_shift() const;
  double gap_tolerance(const assembly::State& state) const;
  double merit(const Eigen::VectorXd& x) const;
  void polish(assembly::State& state);
  // One Newton step along a path: of the unknowns, and of the time where there is a plane.
  bool path_correction(const assembly::State& state, const PathPlane* plane, Eigen::VectorXd& d,
                       double& later);
  std::vector<std::string> not_numbers() const;
  std::vector<std::string> pushed(const assembly::State& state);
  void tell(const char* phase, double correction, double shift, const Eigen::VectorXd& d, bool accepted);

  const system::System& system_;
  const assembly::Layout& layout_;
  const AssemblyResult& from_;
  StaticSettings settings_;
  const StaticListener& listener_;
  StaticEquations equations_;
  Eigen::VectorXd last_direction_;
  int iterations_ = 0;
};

}  // namespace trunnion::analysis
