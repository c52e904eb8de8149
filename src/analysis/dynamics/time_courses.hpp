#pragma once
// The expressions of a model that follow the time, and when they change their course: a step that passed over a short pulse would not see it,
// whatever its error test. Times come from the expressions themselves (expr/knots.hpp) and, for splines, exponentials and what goes through
// VARIABLEs, from their values (math/features.hpp): a pulse is found that is longer than a two-thousandth of the longest step.

#include <memory>
#include <vector>

#include "expr/program.hpp"
#include "model/model.hpp"
#include "system/system.hpp"

namespace trunnion::analysis {

struct TimeCourse {
  std::shared_ptr<const expr::Program> program;
  int variable = 0;  // the VARIABLE whose function it is
};

// Of all that acts on the motion and reads TIME or VARIABLEs; outputs do not.
std::vector<TimeCourse> time_courses(const model::Model& model);

// Sorted, each once, between begin and end; `longest`: the longest step.
std::vector<double> course_changes(const std::vector<TimeCourse>& courses, const system::System& system,
                                   double begin, double end, double longest);

}  // namespace trunnion::analysis
