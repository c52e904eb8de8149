#include "sparse/linear_solver.hpp"

#include <algorithm>

#include "sparse/solvers.hpp"

namespace trunnion::sparse {
namespace {

std::vector<SolverEntry>& table() {
  static std::vector<SolverEntry> all{mumps_solver(), dense_solver(), block_solver(), klu_solver()};
  return all;
}

}  // namespace

std::span<const SolverEntry> linear_solvers() { return table(); }

const SolverEntry& choose_solver(const CscMatrix& A, const Plan& plan) {
  const auto suits = [&](const SolverEntry& entry) { return entry.suits(A, plan); };
  const auto found = std::find_if(table().begin(), table().end(), suits);
  return found != table().end() ? *found : table().back();
}

AddedSolver::AddedSolver(const SolverEntry& entry) { table().insert(table().begin(), entry); }
AddedSolver::~AddedSolver() { table().erase(table().begin()); }

}  // namespace trunnion::sparse
