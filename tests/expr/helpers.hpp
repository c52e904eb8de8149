#pragma once
// Shared by the expression tests.

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "expr/program.hpp"

namespace trunnion::expr::testing {

inline Program compiled(std::string_view text) {
  CompileResult result = compile(text);
  for (const ExprError& e : result.errors)
    ADD_FAILURE() << text << "\n  at " << e.offset << ": " << e.message;
  if (!result.program) return std::move(*compile("0").program);
  return std::move(*result.program);
}

// Value with all inputs given in the order of inputs().
inline double value_of(std::string_view text, std::vector<double> inputs = {}) {
  const Program program = compiled(text);
  if (program.inputs().size() != inputs.size()) {
    ADD_FAILURE() << text << " has " << program.inputs().size() << " inputs";
    return 0.0;
  }
  Workspace work(program);
  return program.value(inputs, work);
}

// All errors, one line each: "offset+length message [hint]".
inline std::string errors_of(std::string_view text, const CompileOptions& options = {}) {
  std::string result;
  for (const ExprError& e : compile(text, options).errors) {
    result +=
        fmt::format("{}+{} {}{}\n", e.offset, e.length, e.message, e.hint.empty() ? "" : " [" + e.hint + "]");
  }
  return result;
}

}  // namespace trunnion::expr::testing
