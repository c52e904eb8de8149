#pragma once
// The searches for a state of rest that statics and quasi-statics are made of.

#include <algorithm>
#include <utility>

#include "analysis/statics/equations.hpp"
#include "analysis/statics/statics.hpp"

namespace trunnion::analysis {

// A step turns no part by more than this, and moves none farther than this part of the mechanism's length: beyond, nothing that
// is known at its start says much about its end.
inline constexpr double kLongestStep = 0.5;

enum class Search {
  converged,
  not_converged,
  runs_away,
  singular,
  undetermined,  // a state or variable, by its own equation: no shift helps
  interrupted,
  spent,  // MAXIT
};

class StaticDescent;

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
  // Newton along a path of equilibria, from a predicted place (follow.cpp). With a plane the time is an unknown too.
  Followed follow(assembly::State& state, const PathPlane* plane);
  // Rates dx/dt along the path at an equilibrium, over [tangent entries; multipliers]; leaves the stiffness there factored.
  bool path_rate(const assembly::State& state, double dt, Eigen::VectorXd& rate);
  // Redundant rows that do not hold at the place last evaluated with those that imply them.
  std::vector<RedundantRow> parted_rows(const assembly::State& state) const;
  // In the metric of a path: turns, travels in lengths of the mechanism, relative changes of states.
  Eigen::VectorXd path_metric(const assembly::State& state) const;
  // A motion with much damping, until it is nearly at rest.
  bool settle(assembly::State& state);
  const core::Words& settling_note() const { return settling_note_; }  // where it did not come to rest
  // A place nearby, on the constraints; the same for the same number.
  assembly::State perturbed(const assembly::State& state, int number);
  // What it moves parts by, constraints left aside: some radians or part of the mechanism's length, the same in every run.
  Eigen::VectorXd random_displacement(int number) const;

  // All of it computed anew in a fresh workspace. False, with messages, where the place is no equilibrium.
  bool verify(const assembly::State& state, StaticResult& result) const;
  std::vector<core::Words> explain(const assembly::State& state, Search ended);

  // Asks whether to stop, between searches.
  bool goes_on() {
    interrupted_ = interrupted_ || (listener_.go_on && !listener_.go_on());
    return !interrupted_;
  }
  // MAXIT is for each equilibrium sought: what a path took to come here does not count.
  void count_anew() { counted_from_ = iterations_; }
  // Asked to stop, or out of iterations: whoever iterates ends then, with how_stopped().
  bool stopped() const { return interrupted_ || spent(); }
  Search how_stopped() const { return interrupted_ ? Search::interrupted : Search::spent; }

  // Largest turn in radians and travel in model units.
  std::pair<double, double> turn_and_travel(const Eigen::VectorXd& d) const;
  // The larger of the two, travel in lengths of the mechanism.
  double extent(const Eigen::VectorXd& d) const;
  double distance(const assembly::State& a, const assembly::State& b) const;
  int stiffness_sign() const { return equations_.stiffness_sign(); }
  int iterations() const { return iterations_; }
  double tolerance() const;  // of the imbalance
  // Forces that balance are sums of larger ones, each known to its rounding; without forces, to that of what the user calls nothing.
  double known_force() const {
    constexpr double kOfTolerance = 1e-6, kNothing = 2.2e-16;
    return std::max(kOfTolerance * tolerance(), kNothing * settings_.imbalance);
  }
  // Of the correction: ERROR, but no more than a step that Newton's method can be trusted with.
  double largest_correction() const { return std::min(settings_.error, 1e-3); }
  StaticEquations& equations() { return equations_; }
  const StaticSettings& settings() const { return settings_; }
  // States that keep their value though STATIC_HOLD is not given, see StaticEquations.
  const std::vector<int>& held_idle_states() const { return idle_states_; }

 private:
  friend class StaticDescent;

  bool spent() const { return settings_.maxit_given && iterations_ - counted_from_ >= settings_.maxit; }
  double force_scale() const;
  double smallest_shift() const;
  double gap_tolerance(const assembly::State& state) const;
  // Of each equation at the last evaluation, with the stiffness: no more than asked for, or than rounding leaves of it.
  bool balanced(const assembly::State& state) const;
  // Whether forces that balance here are of another size a tiny way off: a spring between two markers in one place has no direction
  // there, and all of its force beside it.
  bool forces_jump(const assembly::State& state) const;
  double merit(const Eigen::VectorXd& x) const;
  double merit_of(const Eigen::VectorXd& d) const;                                // dᵀWd
  double work_product(const Eigen::VectorXd& r, const Eigen::VectorXd& d) const;  // r·d of mechanical entries
  void note_direction(const Eigen::VectorXd& d) { last_direction_ = d; }
  void note_singular();
  void remember(assembly::State& state);
  void polish(assembly::State& state);
  void note_imbalance(const StaticEquations& at, StaticResult& result) const;
  bool in_balance(const StaticEquations& at, const assembly::State& state, StaticResult& result) const;
  std::vector<core::Words> not_numbers(const assembly::State& state);
  std::vector<core::Words> imbalances() const;
  std::vector<core::Words> carried_off() const;
  // One Newton step along a path: of the unknowns, and of the time where there is a plane.
  bool path_correction(const assembly::State& state, const PathPlane* plane, Eigen::VectorXd& d,
                       double& later);
  std::vector<core::Words> pushed(const assembly::State& state);
  std::vector<core::Words> idle_states(const assembly::State& state);
  void tell(const char* phase, double imbalance, double correction, double shift, const Eigen::VectorXd& r,
            const Eigen::VectorXd& d, bool accepted);
  void tell(const char* phase, double correction, double shift, const Eigen::VectorXd& d, bool accepted);
  void tell_motion(double h, double moved, double energy, bool accepted);

  const system::System& system_;
  const assembly::Layout& layout_;
  const AssemblyResult& from_;
  StaticSettings settings_;
  const StaticListener& listener_;
  StaticEquations equations_;
  std::vector<int> idle_states_;
  Eigen::VectorXd last_direction_;
  core::Words settling_note_;
  int singular_at_ = -1;  // the coordinate, state or variable where the stiffness first was
  int iterations_ = 0, counted_from_ = 0;
  bool interrupted_ = false;
};

}  // namespace trunnion::analysis
