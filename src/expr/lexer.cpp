#include "expr/lexer.hpp"

#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/text.hpp"
#include "expr/program.hpp"

namespace trunnion::expr {

namespace {

class Lexer {
 public:
  Lexer(std::string_view text, std::vector<ExprError>& errors) : text_(text), errors_(errors) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(text_.size() / 3 + 2);
    for (;;) {
      while (at_ < text_.size() && (core::is_blank(text_[at_]) || text_[at_] == '\n' || text_[at_] == '\f'))
        ++at_;
      if (at_ >= text_.size()) break;
      tokens.push_back(next());
    }
    tokens.push_back(token(TokenKind::end, text_.size()));
    tokens.back().length = 0;
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  Token token(TokenKind kind, std::size_t begin) const {
    Token t;
    t.kind = kind;
    t.offset = static_cast<std::uint32_t>(begin);
    t.length = static_cast<std::uint32_t>(at_ - begin);
    return t;
  }

  void error(const Token& t, std::string message, std::string hint = {}) {
    if (errors_.size() < kMaxErrors)
      errors_.push_back({t.offset, t.length, std::move(message), std::move(hint)});
  }

  Token next() {
    const std::size_t begin = at_;
    const char c = text_[at_];
    if (core::is_digit(c) || (c == '.' && core::is_digit(peek(1)))) return number();
    if (core::is_alpha(c) || c == '_') {
      while (core::is_word(peek())) ++at_;
      return token(TokenKind::name, begin);
    }
    ++at_;
    switch (c) {
      case '+': return token(TokenKind::plus, begin);
      case '-': return token(TokenKind::minus, begin);
      case '*':
        if (peek() != '*') return token(TokenKind::times, begin);
        ++at_;
        return token(TokenKind::power, begin);
      case '/': return token(TokenKind::divide, begin);
      case '%': return token(TokenKind::cross, begin);
      case '(': return token(TokenKind::open, begin);
      case ')': return token(TokenKind::close, begin);
      case '[': return token(TokenKind::open_bracket, begin);
      case ']': return token(TokenKind::close_bracket, begin);
      case ',': return token(TokenKind::comma, begin);
      case ':': return token(TokenKind::colon, begin);
      default: return unknown(begin);
    }
  }

  // A run of bytes the language does not use, reported once.
  Token unknown(std::size_t begin) {
    const char c = text_[begin];
    while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= 128 &&
           static_cast<unsigned char>(c) >= 128) {
      ++at_;
    }
    const Token t = token(TokenKind::bad, begin);
    if (c == '^') {
      error(t, "unknown character '^'", "write a power as a**b");
    } else if (static_cast<unsigned char>(c) >= 128 || static_cast<unsigned char>(c) < 32 || c == 127) {
      error(t, fmt::format("byte 0x{:02X} cannot appear in an expression", static_cast<unsigned char>(c)),
            "expressions are written in plain ASCII");
    } else {
      error(t, fmt::format("unknown character '{}'", c));
    }
    return t;
  }

  Token number() {
    const std::size_t begin = at_;
    bool well_formed = true;
    while (core::is_digit(peek())) ++at_;
    if (peek() == '.') {
      ++at_;
      while (core::is_digit(peek())) ++at_;
    }
    if (core::upper(peek()) == 'E') {
      const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if (core::is_digit(peek(1 + sign))) {
        at_ += 1 + sign;
        while (core::is_digit(peek())) ++at_;
      } else {
        at_ += 1 + sign;
        well_formed = false;
      }
    }
    const std::size_t digits_end = at_;
    const bool degrees = well_formed && core::upper(peek()) == 'D';
    if (degrees) ++at_;
    std::string hint = degrees ? "D after a number means degrees; an exponent is written with E" : "";
    // Whatever still sticks to it belongs to the same mistake: 1.2.3, 2D0, 3x.
    while (core::is_word(peek()) || (peek() == '.' && at_ < text_.size())) {
      ++at_;
      well_formed = false;
    }
    Token t = token(TokenKind::number, begin);
    if (!well_formed) {
      t.kind = TokenKind::bad;
      error(t,
            fmt::format("malformed number '{}'",
                        core::printable(text_.substr(begin, std::min<std::size_t>(t.length, 40)))),
            std::move(hint));
      return t;
    }
    const auto [end, code] = std::from_chars(text_.data() + begin, text_.data() + digits_end, t.value);
    if (code == std::errc::result_out_of_range) {
      // Too small is harmless; from_chars does not say which, so look at what strtod would have meant.
      const bool tiny = is_tiny(text_.substr(begin, digits_end - begin));
      t.value = 0.0;
      if (!tiny) {
        t.kind = TokenKind::bad;
        error(t, fmt::format("number '{}' is too large",
                             core::printable(text_.substr(begin, std::min<std::size_t>(t.length, 40)))));
        return t;
      }
    }
    (void)end;
    t.degrees = degrees;
    if (degrees) t.value *= std::numbers::pi / 180.0;
    return t;
  }

  // Out of range: a negative exponent that outweighs the digits before the point.
  static bool is_tiny(std::string_view digits) {
    const std::size_t e = digits.find_first_of("eE");
    const std::string_view mantissa = digits.substr(0, e);
    if (e != std::string_view::npos) return e + 1 < digits.size() && digits[e + 1] == '-';
    return mantissa.find_first_not_of("0.") > mantissa.find('.');
  }

  std::string_view text_;
  std::vector<ExprError>& errors_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, std::vector<ExprError>& errors) {
  return Lexer(text, errors).run();
}

}  // namespace trunnion::expr
