#include "model/validate_linear.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace trunnion::model {

namespace {

using Type = Linear::Type;
using Names = std::vector<std::string_view>;

struct Unused {
  Type type;
  std::string_view name;
  Names arguments;
};

const std::vector<Unused>& unused_arguments() {
  static const std::vector<Unused> all{
      {Type::eigensol, "EIGENSOL", {"PINPUT", "POUTPUT", "FORMAT"}},
      {Type::statemat, "STATEMAT", {"NOVECTOR", "COORDS", "KINETIC", "STRAIN", "DISSIPATIVE"}},
      {Type::mkb, "MKB", {"NOVECTOR", "COORDS", "KINETIC", "STRAIN", "DISSIPATIVE", "PINPUT", "POUTPUT"}},
  };
  return all;
}

core::Span place(const Linear& command, std::size_t argument) {
  const GivenArgument* given = command.find_given(static_cast<int>(argument));
  return given ? given->value : command.span;
}

}  // namespace

void check_linear(const Schema& schema, const Linear& command, core::Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    const Argument& argument = schema.arguments[i];
    if (!is_given(argument, command)) continue;
    const auto& coords = command.coords;
    if (argument.name == "COORDS" && coords.size() == 2 && coords[0] > coords[1])
      diagnostics.error(place(command, i), "LINEAR",
                        fmt::format("COORDS = {0}, {1}: the first mode comes after the last; try COORDS = "
                                    "{1}, {0}",
                                    coords[0], coords[1]));
    for (const Unused& unused : unused_arguments()) {
      if (command.type != unused.type ||
          std::ranges::find(unused.arguments, argument.name) == unused.arguments.end())
        continue;
      const bool port = argument.name == "PINPUT" || argument.name == "POUTPUT";
      diagnostics.warning(place(command, i), "LINEAR",
                          fmt::format("{} has no effect with {}{}", argument.name, unused.name,
                                      port ? "; STATEMAT writes the matrices of inputs and outputs" : ""));
    }
  }
}

}  // namespace trunnion::model
