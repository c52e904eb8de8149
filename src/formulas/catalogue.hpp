#pragma once
// Every formula that INTEGRATOR knows, one row each: the words of the language, `trunnion formulas`, reports, the program that runs them
// (integrate/registry.hpp) and the tests that prove them all read this table. A new formula of a family that is there already
// is a row here and a maker of its numbers; a new family is one file in src/integrate beside it.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "formulas/collocation_table.hpp"
#include "formulas/explicit_table.hpp"
#include "formulas/newmark_table.hpp"
#include "formulas/single_step_table.hpp"
#include "formulas/staged_table.hpp"

namespace trunnion::formulas {

// What a user may set; each formula reads its own.
struct Parameters {
  double rho = 0;                         // RHO: spectral radius at infinity
  double alpha = -0.3;                    // HHT
  double beta = 0.36, gamma = 0.7;        // NEWMARK
  std::optional<double> rho_states = {};  // Newmark's family: of first-order states
  int order = 4;                          // TLISMNI: 4, 3, or 2, which is the trapezoidal rule
  int outer = 3;                          // TLISMNI: iterations of the outer loop
};

// Families, with what makes their numbers.
struct Bdf {
  bool variable_coefficients = false;
  bool constant_step = false;
  bool stabilised = false;  // SI2 unless said otherwise
};
struct NewmarkType {
  NewmarkTable (*table)(const Parameters&);
};
struct StagedType {
  StagedTable (*table)(double rho);
  StageRow (*row_of_ratio)(double rho, double ratio) = nullptr;
};
struct SingleStepType {
  SingleStepTable (*table)(double rho);
};
struct CollocationType {
  CollocationTable (*table)(double rho);
};
// Over independent coordinates: what constraints hold follows from them at each evaluation.
struct ExplicitType {
  ExplicitTable (*table)();
};
struct AdamsType {
  bool two_loops =
      false;  // the corrector iterated by functional iteration, order and step by the paper's rules
};
struct AutomaticType {};  // one of them or an implicit formula, by the motion
struct NotYet {};         // a word of the language whose formula this version does not have
using Family = std::variant<Bdf, NewmarkType, StagedType, SingleStepType, CollocationType, ExplicitType,
                            AdamsType, AutomaticType, NotYet>;

enum class Damping { by_order, alpha, gamma, rho, fixed, none };
enum class Steps { controlled, restart, fixed };  // of any length; a change starts anew; only as given

struct Entry {
  std::string_view keyword;
  std::string_view help;      // what it is
  std::string_view good_for;  // when to take it
  Family family;
  int order = 2;  // the highest
  int steps = 1, stages = 1;
  bool si2 = false;  // stabilised index 2 too
  Damping damping = Damping::none;
  double rho = 0;  // where RHO is left open
  double largest_rho = 1;
  Steps step = Steps::controlled;
  bool i3 = true;  // index 3; with neither, stages hold the velocities of constraints: index 2
};

inline bool index2(const Entry& entry) { return !entry.i3 && !entry.si2; }

std::span<const Entry> catalogue();
inline const Entry& entry(int index) { return catalogue()[static_cast<std::size_t>(index)]; }
int index_of(std::string_view keyword);  // −1 where there is none

template <class Type> bool is(const Entry& entry) { return std::holds_alternative<Type>(entry.family); }

// Whether it integrates independent coordinates only, so that there is no choice between I3 and SI2.
inline bool on_independent_coordinates(const Entry& entry) {
  return is<ExplicitType>(entry) || is<AdamsType>(entry);
}

// The conditions that the numbers of a formula fail with these parameters, in words; empty: they are right (conditions.hpp).
std::vector<std::string> failed_conditions(const Entry& entry, const Parameters& parameters);

}  // namespace trunnion::formulas
