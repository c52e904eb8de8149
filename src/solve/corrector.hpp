#pragma once
// The one Newton corrector: every formula, every analysis that iterates on a stage.
//
// A Stage says how its unknowns move the state and how large a correction is in units of what the user allows (1 = ERROR).
// Iterations reuse the matrix while it serves. They stop when the error that is left, estimated from the rate ξ at which
// corrections shrink, is a small part c of what is allowed (HHT paper, Eqs. 42-47):
//   ξ/(1 − ξ) ‖Δ‖ ≤ c
// The rate seen with a matrix is kept for later stages with the same matrix, so that an easy step costs one iteration.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solve/stage_equations.hpp"
#include "sparse/lu.hpp"
#include "system/system.hpp"

namespace trunnion::solve {

class Stage {
 public:
  virtual ~Stage() = default;
  // At the present iterate; `turns` too where a matrix will be made.
  virtual const LevelMaps& maps(bool turns) = 0;
  // Moves the iterate: the entries are those of the matrix' unknowns, [u; λ] or [u; λ; y; μ]; λ and μ are the corrector's.
  virtual void add(const Eigen::VectorXd& du, assembly::State& trial) = 0;
  // ‖Δ‖ of a correction over what is allowed.
  virtual double size(const Eigen::VectorXd& du) const = 0;
  // The ‖Δ‖ that rounding of the coordinates alone makes: no correction can be asked to be smaller.
  virtual double rounding() const { return 0; }
  virtual const Eigen::VectorXd* y() const { return nullptr; }
};

enum class NewMatrix : std::uint8_t { first, asked_for, slow, failed, cheaper, pattern };
inline constexpr int kNewMatrixReasons = 6;

struct CorrectorSettings {
  int maxit = 10;
  double c = 1e-3;            // what iterations may leave, over what is allowed
  bool all_variables = true;  // CORRECTOR=ORIGINAL: reactions and variables must converge too
  std::vector<char> pattern;  // PATTERN: whether iteration k starts with a new matrix; empty: by need
  int exactly = 0;            // FIXIT
};

struct CorrectorCounts {
  long iterations = 0, evaluations = 0, factorisations = 0, refactorisations = 0, solves = 0;
  long matrices[kNewMatrixReasons] = {};
};

// What DEBUG shows of one iteration.
struct IterationRecord {
  int iteration = 0;
  double residual = 0, change = 0;
  int equation = 0, variable = 0;  // of the stage's matrix
  bool new_matrix = false, new_pivots = false;
  std::optional<sparse::SingularPivot> left_pivot;  // that made the pivots be chosen anew
  const assembly::State& before;                    // this iteration's correction
  const Eigen::VectorXd& correction;
};

enum class Outcome : std::uint8_t { converged, diverged, slow, singular, not_finite };

class Corrector {
 public:
  Corrector(const system::System& system, const std::vector<int>& active_rows, bool stabilised,
            CorrectorSettings settings);

  // A fast motion makes a matrix old within a step; then a new one for each stage is cheaper than the iterations it saves.
  Outcome solve(Stage& stage, assembly::State& trial, system::System::Workspace& work);

  // The next stage starts with a new matrix.
  void renew(NewMatrix reason) {
    if (fresh_wanted_ < 0) fresh_wanted_ = static_cast<int>(reason);
  }
  bool matrix_is_current() const { return matrix_age_ == 0; }

  const StageEquations& equations() const { return equations_; }
  const sparse::SparseLu& lu() const { return lu_; }
  const CorrectorCounts& counts() const { return counts_; }
  CorrectorSettings& settings() { return settings_; }
  int last_iterations() const { return last_iterations_; }
  double rate() const { return rate_; }
  // After a failure: where the largest residual and the slowest correction were.
  int worst_equation() const { return worst_equation_; }
  int worst_variable() const { return worst_variable_; }
  double worst_residual() const { return worst_residual_; }

  std::function<void(const IterationRecord&)> listener;
  // Seconds by phase, measured only while `timed`.
  bool timed = false;
  double seconds_evaluating = 0, seconds_factoring = 0, seconds_solving = 0;

 private:
  Outcome iterate(Stage& stage, assembly::State& trial, system::System::Workspace& work);
  bool build(Stage& stage, const assembly::State& trial, system::System::Workspace& work);
  void evaluate(Stage& stage, const assembly::State& trial, system::System::Workspace& work, bool matrix);
  bool others_converged(const assembly::State& trial, double factor) const;
  bool residual_is_rounding(Stage& stage, const assembly::State& trial) const;
  void note_worst();
  bool old_matrix_costs_more() const;
  void learn(bool began_fresh, Outcome outcome);

  const system::System& system_;
  CorrectorSettings settings_;
  StageEquations equations_;
  sparse::SparseLu lu_;
  bool analysed_ = false, new_pivots_ = false;
  int fresh_wanted_ = static_cast<int>(NewMatrix::first);
  long matrix_age_ = 0;  // stages solved with it
  double rate_ = 0;      // ξ with this matrix; 0: not known
  double iterations_new_ = 0,
         iterations_old_ = 0;  // usual ones of a stage that begins with a new matrix or an old one
  int last_iterations_ = 0;
  int worst_equation_ = 0, worst_variable_ = 0;
  double worst_residual_ = 0;
  CorrectorCounts counts_;
  Eigen::VectorXd x_;
};

}  // namespace trunnion::solve
