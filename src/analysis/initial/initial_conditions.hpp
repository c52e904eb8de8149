#pragma once
// SIMULATE/INITIAL_CONDITIONS: consistent positions, velocities, accelerations and reactions (primer §3).
//   positions      successive weighted least-change problems, Eqs. 24-34, on the manifold
//   velocities     the same, Eqs. 38-39; Newton where a velocity-level constraint is not linear
//   accelerations  and multipliers from one linear system, Eq. 40
// Redundant constraints are found by rank, named, left out and watched; incompatible ones end the analysis.

#include <string>
#include <vector>

#include "analysis/initial/constraint_iteration.hpp"
#include "analysis/initial/data_precision.hpp"
#include "analysis/initial/gap_words.hpp"
#include "model/settings.hpp"
#include "sparse/rank.hpp"
#include "system/system.hpp"

namespace trunnion::analysis {

// A constraint row that others imply.
struct RedundantRow {
  int row = 0;
  std::vector<int> implied_by = {};  // rows
  std::vector<double> shares = {};   // of each of them
  double magnification = 1;          // of the errors of those rows: 1 + Σ |share|
  double slack = 0;                  // what the precision of the model's numbers lets it be off by
};

// Independent rows and freedoms are those of the motion from velocities on; statics needs no more, and parts without mass may have no
// accelerations.
enum class Upto { positions, velocities, accelerations };

struct AssemblySettings {
  double error = 1e-10;                // largest |φ|
  double alimit = 0.5235987755982988;  // largest turn in one iteration: 30D
  double tlimit = 1e10;                // largest travel in one iteration
  int maxit = 25;
  bool first = true;     // ICTRAN, ICROT and IC of joints count: only where the model itself is the start
  bool struck = false;   // in mid-run: constraints that close act as impulses
  double verror = 1e-4;  // largest |φ̇|, relative to the velocities
  std::vector<bool> pattern{true};  // iterations that renew the Jacobian, repeated
  DataPrecision data;               // of the model's numbers: redundant rows need agree no better
  ConstraintListener listener{};    // hears of every iteration; may be empty
};
// PATTERN of a statement; every iteration where it is not given.
std::vector<bool> renewals(const model::ChoiceList<model::Switch>& pattern);
AssemblySettings assembly_settings(const model::Model& model);

struct AssemblyResult {
  bool ok = false;
  assembly::State state;    // the best found, also where it failed
  std::vector<int> active;  // independent rows
  std::vector<RedundantRow> redundant;
  int freedoms = 0;  // true degrees of freedom
  int iterations = 0;
  double violation = 0;               // largest |φ| left
  DataPrecision data;                 // as in the settings
  std::vector<core::Words> messages;  // what happened, one line each
};

// From `start`: the state the model gives, or the one an earlier analysis reached.
AssemblyResult initial_conditions(const system::System& system, const assembly::State& start,
                                  const AssemblySettings& settings, Upto upto);

// Rows of `among` that are independent at a state, and the others with what implies them.
std::vector<int> independent_rows(const assembly::Layout& layout, const sparse::CscMatrix& G,
                                  const std::vector<int>& among, std::vector<RedundantRow>& redundant,
                                  double tolerance = sparse::kRankTolerance);

// Their slack: the rows they hang on and they themselves are as good as the data.
void give_slack(const assembly::Layout& layout, const DataPrecision& data,
                std::vector<RedundantRow>& redundant);

// "JOINT/3 'hinge_b': rotation about y is redundant with JOINT/1 'a', JOINT/2 'b'"
core::Words describe(const system::System& system, const RedundantRow& row);

}  // namespace trunnion::analysis
