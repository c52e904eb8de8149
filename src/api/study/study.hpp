#pragma once
// `trunnion study`: one motion by many formulas at many steps or errors, held against a converged reference: what each costs, how exact
// it is, of which order, and what it does to the energy.

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "api/session/project.hpp"
#include "api/study/formula_choice.hpp"

namespace trunnion::api {

struct StudyOptions {
  std::vector<FormulaChoice> formulas;
  std::vector<double> steps;   // fixed ones; or
  std::vector<double> errors;  // ERRORs, with steps as they come
  std::optional<FormulaChoice>
      reference;               // unless given: one of high order, far finer than the finest of the others
  double reference_finer = 0;  // how much; 0: as it takes
  std::optional<double> end;   // of the motion, where no script has a SIMULATE
  std::optional<int> rows;     // at which they are compared
  std::function<void(const std::string&)> progress;
  std::function<bool()> interrupted;
};

// Errors are the largest of all rows, over the largest value of the reference of that kind.
struct Off {
  double q = 0, v = 0, a = 0, lambda = 0;
};

inline constexpr double kAtRounding = std::numeric_limits<double>::infinity();  // in place of an order

struct StudyRun {
  FormulaChoice formula;
  double h = 0, error = 0;  // as asked for: one of them
  bool done = false;
  std::string failure;  // why not
  Off off;
  std::optional<Off>
      order;  // against the run before of the same formula; not a number where the reference does not tell it, kAtRounding
  double energy = 0;  // that no force or motion explains, at the end, over the largest energy of the motion
  long steps = 0, iterations = 0, evaluations = 0, matrices = 0;
  double seconds = 0;  // CPU
};

struct Study {
  std::string motion;  // model and span, in words
  std::vector<StudyRun> runs;
  StudyRun reference;
  Off reference_off;     // what the reference itself changes by when it is made finer
  Off reference_error;   // the larger of that and of the change before; of fixed steps
  Off reference_rounds;  // 1 where changes do not fall
  std::vector<std::string> messages;
  std::string warnings;  // of the compiler, with their places; each once, not for every run
  bool ok = false;
};
Study study(const Project& project, const StudyOptions& options);

std::string orders_of(const StudyRun& run);  // of q, v, a, λ; "-" where it is not known, "rnd" at rounding
std::string study_text(const Study& study);
std::string study_csv(const Study& study);
std::string study_page(const Study& study);

// The primer's procedure for "may I trust this run?" (§8.4): ERROR ten times smaller until nothing moves, half of HMAX, SI2 last.
struct Validation {
  bool ok = false;
  std::vector<std::string> lines;  // the last is the verdict
  std::string warnings;            // as a study's
};
Validation validate(const Project& project, const StudyOptions& options);

}  // namespace trunnion::api
