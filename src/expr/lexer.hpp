#pragma once
// Tokens of an expression. Internal to src/expr.

#include <cstdint>
#include <string_view>
#include <vector>

#include "expr/error.hpp"

namespace trunnion::expr {

enum class TokenKind : std::uint8_t {
  number,
  name,
  plus,
  minus,
  times,
  divide,
  power,
  cross,
  open,
  close,
  open_bracket,
  close_bracket,
  comma,
  colon,
  bad,
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  bool degrees = false;  // number written with D
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  double value = 0.0;  // of a number, in radians if written with D
};

// All tokens, closed by one of kind `end`. What cannot be read becomes `bad`, with an error.
std::vector<Token> tokenize(std::string_view text, std::vector<ExprError>& errors);

}  // namespace trunnion::expr
