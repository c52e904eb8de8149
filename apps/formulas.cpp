#include "api/present/formulas.hpp"

#include "api/study/formula_choice.hpp"
#include "apps/commands.hpp"
#include "apps/terminal.hpp"

namespace trunnion::apps {

int formulas(const FormulasOptions& options) {
  if (options.name.empty()) {
    print(stdout, options.json ? api::formulas_json("", -1) : api::formula_list());
    return kOk;
  }
  std::string why;
  const auto choice = api::formula_choice(options.name, why);
  if (!choice) {
    print(stderr, why + "\n");
    return kErrors;
  }
  const std::string_view name = choice->entry().keyword;
  const double rho = choice->rho.value_or(-1);
  print(stdout, options.json ? api::formulas_json(name, rho) : api::formula_details(name, rho));
  return kOk;
}

}  // namespace trunnion::apps
