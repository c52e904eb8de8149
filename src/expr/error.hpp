#pragma once
// What is wrong with an expression, and where in its text.

#include <cstddef>
#include <string>

namespace trunnion::expr {

struct ExprError {
  std::size_t offset = 0;  // bytes from the start of the expression's text
  std::size_t length = 0;
  std::string message;
  std::string hint;  // what to try; may be empty
};

}  // namespace trunnion::expr
