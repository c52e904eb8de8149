#pragma once
// What a formula gives the stage solver, and what that tells of its iterations.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solve/stage_equations.hpp"
#include "sparse/factorisation.hpp"

namespace trunnion::solve {

// What the equations of a stage are evaluated with.
class StagePlace {
 public:
  virtual ~StagePlace() = default;
  // At the present iterate; `turns` too where a matrix will be made.
  virtual const LevelMaps& maps(bool turns) = 0;
  virtual const Eigen::VectorXd* y() const { return nullptr; }
  // Rows that are closed and unknowns that are held for now.
  virtual const Choice& choice() const {
    static const Choice all;
    return all;
  }
};

// A Stage says how its unknowns move the state and how large a correction is in units of what the user allows (1 = ERROR).
class Stage : public StagePlace {
 public:
  // Moves the iterate: the entries are those of the matrix' unknowns, [u; λ] or [u; λ; y; μ]; λ and μ are the corrector's.
  virtual void add(const Eigen::VectorXd& du, assembly::State& trial) = 0;
  // ‖Δ‖ of a correction over what is allowed.
  virtual double size(const Eigen::VectorXd& du) const = 0;
  // The ‖Δ‖ that rounding of the coordinates alone makes: no correction can be asked to be smaller.
  virtual double rounding() const { return 0; }
};

enum class NewMatrix : std::uint8_t { first, asked_for, slow, failed, cheaper, pattern };
inline constexpr int kNewMatrixReasons = 6;

struct CorrectorSettings {
  int maxit = 10;
  double c = 1e-3;              // what iterations may leave, over what is allowed
  bool all_variables = true;    // CORRECTOR=ORIGINAL: reactions and variables must converge too
  std::vector<char> pattern;    // PATTERN: whether iteration k starts with a new matrix; empty: by need
  int exactly = 0;              // FIXIT
  int patience = 0;             // iterations that may diverge before it counts
  bool keep_redundant = false;  // rows that take part may depend on each other
  bool redundant_kept = false;  // and some do from the start: they may come to contradict each other
  // Stages that are solved together, one matrix serving all: corrections are made better by those before. For places where constraints lose
  // rank: rows that vanish at one stage do not at another.
  bool by_past = false;
  bool recursion = true;  // explicit formulas take coordinates of joints where the mechanism allows
};

struct CorrectorCounts {
  long iterations = 0, evaluations = 0, factorisations = 0, refactorisations = 0, solves = 0;
  long matrices[kNewMatrixReasons] = {};
  long combined = 0;             // of the matrices, those that took K, C and M from an earlier evaluation
  std::string_view solver = "";  // of linear equations, the last that was used
  std::string evaluation = {};   // of an explicit formula: over which coordinates it goes, and why
  int gave_up = 0;               // times that a solver without pivoting left a matrix to another one
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

}  // namespace trunnion::solve
