#include "analysis/dynamics/read_reactions.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "expr/program.hpp"

namespace trunnion::analysis {

namespace {

// JOINT(…) and its like, and FX(i, j), which may be a joint's.
bool reads_reaction(const expr::Input& input) {
  constexpr std::array<std::string_view, 7> kOfConstraints = {"JOINT", "JPRIM", "MOTION", "PTCV",
                                                              "CVCV",  "GEAR",  "COUPLER"};
  if (input.kind == expr::InputKind::generic_force) return true;
  return input.kind == expr::InputKind::element_force &&
         std::find(kOfConstraints.begin(), kOfConstraints.end(), input.function->name) !=
             kOfConstraints.end();
}

template <class Reads> bool any_input(const model::Expression& expression, Reads reads) {
  const auto compiled = expr::compile(expression.text);
  if (!compiled.program) return false;
  const auto inputs = compiled.program->inputs();
  return std::any_of(inputs.begin(), inputs.end(), reads);
}

}  // namespace

bool states_read_reactions(const model::Model& model) {
  bool through_variables =
      model.all<model::Lse>().size() + model.all<model::Tfsiso>().size() + model.all<model::Gse>().size() > 0;
  for (const model::Diff& diff : model.all<model::Diff>()) {
    if (any_input(diff.function, reads_reaction)) return true;
    through_variables = through_variables || any_input(diff.function, [](const expr::Input& input) {
                          return input.kind == expr::InputKind::variable;
                        });
  }
  if (!through_variables) return false;
  for (const model::Variable& variable : model.all<model::Variable>()) {
    if (any_input(variable.function, reads_reaction)) return true;
  }
  return false;
}

}  // namespace trunnion::analysis
