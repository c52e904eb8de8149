#include "api/present/formulas.hpp"

#include <charconv>

#include <fmt/format.h>

#include "apps/commands.hpp"
#include "apps/terminal.hpp"

namespace trunnion::apps {

int formulas(const FormulasOptions& options) {
  const std::string name = options.name.substr(0, options.name.find(':'));
  double rho = -1;
  if (const auto colon = options.name.find(':'); colon != std::string::npos) {
    const char* const end = options.name.data() + options.name.size();
    const auto [rest, error] = std::from_chars(options.name.data() + colon + 1, end, rho);
    if (error != std::errc() || rest != end || rho < 0 || rho > 1) {
      print(stderr,
            fmt::format("{}: after the colon a number from 0 to 1 was expected, the spectral radius RHO\n",
                        options.name));
      return kErrors;
    }
  }
  const std::string text = options.json   ? api::formulas_json(name, rho)
                           : name.empty() ? api::formula_list()
                                          : api::formula_details(name, rho);
  if (!text.empty()) {
    print(stdout, text);
    return kOk;
  }
  const std::string near = api::nearest_formula(name);
  print(stderr, fmt::format("{} is no formula of INTEGRATOR{}; `trunnion formulas` lists them\n", name,
                            near.empty() ? "" : fmt::format("; did you mean {}?", near)));
  return kErrors;
}

}  // namespace trunnion::apps
