#pragma once
// What a linear solver must be able to do to stand behind Factorisation, and the table it is chosen from. A new solver is one file
// that implements this, and a line of the table in linear_solver.cpp. Clients see Factorisation only.
//
// A solver chooses pivots, keeps them, and solves; it judges nothing. Whether factors are good enough, when pivots are to be chosen
// anew, which equation a vanished pivot belongs to: Factorisation decides from what the solver tells of its pivots.

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "sparse/inertia.hpp"
#include "sparse/pattern.hpp"
#include "sparse/pivots.hpp"

namespace trunnion::sparse {

// The first pivot that vanished: this row and column depend on those before them.
struct SingularPivot {
  int row = -1, col = -1;
  double size = 0;  // of the pivot, the row's largest entry being 1
};

// How a client wants its matrix eliminated.
struct Plan {
  std::span<const int> order =
      {};  // first to be eliminated first, pivots on the diagonal; empty: the solver's own
  std::span<const int> groups =
      {};  // where in the order groups begin whose blocks are full and whose pivots are good within the group
  bool matching = true;    // block triangular form may be looked for
  bool symmetric = false;  // and its eigenvalues below zero are to be counted
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  // Once for each pattern. False if the pattern alone makes every such matrix singular; unmatched() then tells one row and column.
  virtual bool analyse(const CscMatrix& A, const Plan& plan) = 0;
  virtual SingularPivot unmatched() const { return {}; }
  // Chooses pivots; a vanished one is kept and passed over. False only where there is nothing to judge: numbers that are not finite.
  virtual bool factor(const CscMatrix& A) = 0;
  // New numbers on the pivots of the last factor(). Allocates nothing.
  virtual void refactor(const CscMatrix& A) = 0;
  virtual void solve(Eigen::Ref<Eigen::VectorXd> b) const = 0;            // b ← A⁻¹ b
  virtual void solve_transpose(Eigen::Ref<Eigen::VectorXd> b) const = 0;  // b ← A⁻ᵀ b

  // In the order of elimination: the pivots of the matrix with its rows scaled by positive numbers to a largest entry of 1, and the
  // row and column of A that each belongs to. No pivots: the solver cannot tell, and vanished() counts those that are zero.
  virtual std::span<const double> pivots() const = 0;
  virtual std::span<const int> pivot_rows() const = 0;
  virtual std::span<const int> pivot_cols() const = 0;
  virtual int vanished() const { return 0; }
  // Least over the columns of max |A| / max |U|.
  virtual double growth(const CscMatrix& A) const = 0;
  // Whether the pivots of the last factor() give solutions: a solver without pivoting leaves other matrices to the next one.
  virtual bool usable() const { return true; }
  // Estimate of ‖A‖₁‖A⁻¹‖₁.
  virtual double condition(const CscMatrix& A) const = 0;
  // L and U by diagonal blocks that begin at `blocks`, to look into small pivots. False where they are not to be had.
  virtual bool factors(Factors& out, std::vector<int>& blocks) const = 0;
  // Of a symmetric plan.
  virtual std::optional<Inertia> inertia() const { return std::nullopt; }
};

struct SolverEntry {
  std::string_view name;
  bool (*suits)(const CscMatrix& A, const Plan& plan);
  std::unique_ptr<LinearSolver> (*make)();
};

// In the order they are asked; the last suits everything.
std::span<const SolverEntry> linear_solvers();
const SolverEntry& choose_solver(const CscMatrix& A, const Plan& plan);

// Asked before all others as long as it lives: for tests, and for code that brings a solver of its own.
class AddedSolver {
 public:
  explicit AddedSolver(const SolverEntry& entry);
  ~AddedSolver();
  AddedSolver(const AddedSolver&) = delete;
  AddedSolver& operator=(const AddedSolver&) = delete;
};

}  // namespace trunnion::sparse
