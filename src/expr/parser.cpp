#include "expr/parser.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text.hpp"
#include "expr/references.hpp"

namespace trunnion::expr {

namespace {

bool starts_operand(TokenKind kind) {
  return kind == TokenKind::number || kind == TokenKind::name || kind == TokenKind::open ||
         kind == TokenKind::open_bracket || kind == TokenKind::bad;
}

}  // namespace

const Token& Parser::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token Parser::take() {
  const Token token = peek();
  if (at_ + 1 < tokens_.size()) {
    ++at_;
    last_end_ = token.offset + token.length;
  }
  return token;
}

SourceRange Parser::since(std::uint32_t offset) const {
  return {offset, last_end_ > offset ? last_end_ - offset : 0};
}

std::string Parser::found() const {
  const Token& t = peek();
  if (t.kind == TokenKind::end) return "the end of the expression";
  return fmt::format("'{}'", core::printable(text_of(t).substr(0, 40)));
}

void Parser::error(std::size_t offset, std::size_t length, std::string message, std::string hint) {
  if (gave_up_ || errors_.size() >= kMaxErrors) return;
  errors_.push_back({offset, length, std::move(message), std::move(hint)});
}

void Parser::error(const Token& token, std::string message, std::string hint) {
  error(token.offset, token.length, std::move(message), std::move(hint));
}

bool Parser::descend(const Token& token) {
  if (gave_up_) return false;
  if (depth_ < kMaxNesting) return true;
  error(token, fmt::format("nested more than {} levels deep", kMaxNesting),
        "split it over several VARIABLEs");
  gave_up_ = true;
  at_ = tokens_.size() - 1;
  return false;
}

Parser::Operand Parser::scalar(Node node, SourceRange where) const {
  Operand result;
  result.valid = true;
  result.node[0] = node;
  result.where = where;
  return result;
}

Parser::Operand Parser::expression() {
  if (!descend(peek())) return {};
  ++depth_;
  Operand left = term();
  for (;;) {
    if (at(TokenKind::plus) || at(TokenKind::minus)) {
      const Token op = take();
      left = combine(op, left, term());
    } else if (starts_operand(peek().kind)) {
      // A bad token was reported when it was read, and may have been meant as the operator.
      const bool after_bad = at_ > 0 && tokens_[at_ - 1].kind == TokenKind::bad;
      if (!at(TokenKind::bad) && !after_bad) {
        error(peek(), fmt::format("operator missing before {}", found()),
              "write + - * / or ** between two operands");
      }
      term();
      left.valid = false;
    } else {
      break;
    }
  }
  --depth_;
  return left;
}

Parser::Operand Parser::term() {
  Operand left = signed_operand();
  while (at(TokenKind::times) || at(TokenKind::divide) || at(TokenKind::cross)) {
    const Token op = take();
    left = combine(op, left, signed_operand());
  }
  return left;
}

Parser::Operand Parser::signed_operand() {
  const std::uint32_t begin = peek().offset;
  bool minus = false;
  while (at(TokenKind::plus) || at(TokenKind::minus)) minus ^= take().kind == TokenKind::minus;
  const Operand value = power();
  return minus ? negate(value, since(begin)) : value;
}

Parser::Operand Parser::power() {
  const std::uint32_t begin = peek().offset;
  const Operand base = primary();
  if (!at(TokenKind::power)) return base;
  const Token op = take();
  if (!descend(op)) return {};
  ++depth_;
  const Operand exponent = signed_operand();  // its power() makes ** right-associative
  --depth_;
  Operand result;
  result.where = since(begin);
  if (!base.valid || !exponent.valid) return result;
  if (base.size != 1 || exponent.size != 1) {
    error(op, "** needs scalars on both sides", "the square of a vector's length is v*v");
    return result;
  }
  return scalar(builder_.power(base.node[0], exponent.node[0], result.where), result.where);
}

Parser::Operand Parser::primary() {
  const Token& t = peek();
  switch (t.kind) {
    case TokenKind::number: {
      const Token number = take();
      return scalar(builder_.constant(number.value), {number.offset, number.length});
    }
    case TokenKind::name: return name();
    case TokenKind::open: return parenthesised();
    case TokenKind::open_bracket: return vector_literal();
    case TokenKind::bad: take(); return {};
    case TokenKind::times:
    case TokenKind::divide:
    case TokenKind::power:
    case TokenKind::cross:
      // The operator is left for the caller, which goes on with what follows it.
      error(t, fmt::format("operand missing before {}", found()));
      return {};
    default:
      error(t, fmt::format("a number, a function or '(' is expected here, not {}", found()));
      return {};
  }
}

Parser::Operand Parser::parenthesised() {
  const Token opener = take();
  Operand inner = expression();
  close(TokenKind::close, opener);
  inner.where = since(opener.offset);
  return inner;
}

Parser::Operand Parser::vector_literal() {
  const Token opener = take();
  Operand result;
  result.valid = true;
  result.size = 3;
  int count = 0;
  for (;;) {
    const Operand component = expression();
    if (component.valid && component.size != 1) {
      error(component.where.offset, component.where.length, "a component of a vector must be a scalar");
    }
    if (!component.valid || component.size != 1) result.valid = false;
    if (count < 3) result.node[static_cast<std::size_t>(count)] = component.node[0];
    ++count;
    if (!at(TokenKind::comma)) break;
    take();
  }
  close(TokenKind::close_bracket, opener);
  result.where = since(opener.offset);
  if (count != 3 && !gave_up_) {
    error(result.where.offset, result.where.length, fmt::format("a vector has 3 components, {} given", count),
          "[x, y, z]");
    result.valid = false;
  }
  return result;
}

void Parser::skip_to_separator() {
  int depth = 0;
  while (!at(TokenKind::end)) {
    const TokenKind kind = peek().kind;
    if (depth == 0 &&
        (kind == TokenKind::comma || kind == TokenKind::close || kind == TokenKind::close_bracket))
      return;
    if (kind == TokenKind::open || kind == TokenKind::open_bracket) ++depth;
    if (kind == TokenKind::close || kind == TokenKind::close_bracket) --depth;
    take();
  }
}

void Parser::close(TokenKind kind, const Token& opener) {
  if (at(kind)) {
    take();
    return;
  }
  const char* closer = kind == TokenKind::close ? ")" : "]";
  if (at(TokenKind::end)) {
    error(opener, fmt::format("'{}' is never closed", text_of(opener)),
          fmt::format("add the missing '{}'", closer));
    return;
  }
  error(peek(), fmt::format("'{}' is expected here, not {}", closer, found()),
        fmt::format("it closes the '{}' at column {}", text_of(opener), opener.offset + 1));
  while (!at(TokenKind::end) && !at(kind)) {
    take();
    skip_to_separator();
  }
  if (at(kind)) take();
}

Parser::Operand Parser::componentwise(Op op, const Operand& a, const Operand& b, SourceRange where) {
  Operand result;
  result.valid = true;
  result.size = std::max(a.size, b.size);
  result.where = where;
  for (std::size_t k = 0; k < static_cast<std::size_t>(result.size); ++k) {
    result.node[k] = builder_.binary(op, a.node[a.size == 1 ? 0 : k], b.node[b.size == 1 ? 0 : k], where);
  }
  return result;
}

Parser::Operand Parser::negate(const Operand& a, SourceRange where) {
  Operand result = a;
  result.where = where;
  if (!a.valid) return result;
  for (std::size_t k = 0; k < static_cast<std::size_t>(a.size); ++k) {
    result.node[k] = builder_.unary(Op::neg, a.node[k], where);
  }
  return result;
}

Parser::Operand Parser::combine(const Token& op, const Operand& a, const Operand& b) {
  const SourceRange where = since(a.valid ? a.where.offset : op.offset);
  Operand failed;
  failed.where = where;
  if (!a.valid || !b.valid) return failed;
  const auto product = [&](std::size_t i, std::size_t j) {
    return builder_.binary(Op::mul, a.node[i], b.node[j], where);
  };
  switch (op.kind) {
    case TokenKind::plus:
    case TokenKind::minus:
      if (a.size != b.size) {
        error(op, fmt::format("'{}' cannot join a scalar and a vector", text_of(op)));
        return failed;
      }
      return componentwise(op.kind == TokenKind::plus ? Op::add : Op::sub, a, b, where);
    case TokenKind::times: {
      if (a.size == 1 || b.size == 1) return componentwise(Op::mul, a, b, where);
      const Node xy = builder_.binary(Op::add, product(0, 0), product(1, 1), where);
      return scalar(builder_.binary(Op::add, xy, product(2, 2), where), where);
    }
    case TokenKind::divide:
      if (b.size != 1) {
        error(op, "cannot divide by a vector");
        return failed;
      }
      return componentwise(Op::div, a, b, where);
    default: {
      if (a.size != 3 || b.size != 3) {
        error(op, "'%' is the cross product and needs vectors on both sides",
              "the remainder of a/b is MOD(a, b)");
        return failed;
      }
      Operand result = a;
      result.where = where;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
        result.node[k] = builder_.binary(Op::sub, product(i, j), product(j, i), where);
      }
      return result;
    }
  }
}

CompileResult Parser::run() {
  CompileResult result;
  if (text_.size() > kMaxTextLength) {
    result.errors.push_back(
        {0, 0, fmt::format("the expression is longer than {} bytes", kMaxTextLength), {}});
    return result;
  }
  tokens_ = tokenize(text_, errors_);
  Operand value;
  if (at(TokenKind::end)) {
    error(0, text_.size(), "the expression is empty");
  } else {
    value = expression();
    while (!at(TokenKind::end)) {
      if (at(TokenKind::close) || at(TokenKind::close_bracket)) {
        error(peek(), fmt::format("{} closes nothing", found()), "remove it, or add the opening one before");
      } else if (at(TokenKind::comma)) {
        error(peek(), "unexpected ',' outside of parentheses");
      } else {
        error(peek(), fmt::format("unexpected {}", found()));
      }
      take();
      value.valid = false;
      if (!at(TokenKind::end)) expression();
    }
  }
  if (value.valid && value.size == 3 && !options_.vector_allowed) {
    error(value.where.offset, value.where.length, "a scalar is expected here, but this is a vector",
          "use one component, or the dot product of two vectors");
  }
  if (value.valid && value.size == 1 && options_.vector_required) {
    error(value.where.offset, value.where.length, "a vector is expected here, but this is a scalar",
          "[x, y, z]");
  }
  if (!errors_.empty()) {
    std::stable_sort(errors_.begin(), errors_.end(),
                     [](const ExprError& a, const ExprError& b) { return a.offset < b.offset; });
    result.errors = std::move(errors_);
    return result;
  }

  Program program;
  program.text_ = std::string(text_);
  program.is_user_ = user_seen_;
  program.user_parameters_ = std::move(user_parameters_);
  program.references_ = std::move(references_);
  program.tape_ = builder_.finish({value.node.data(), static_cast<std::size_t>(value.size)});
  program.inputs_ = std::move(builder_.inputs());
  program.tables_ = std::move(builder_.tables());
  program.table_ranges_ = std::move(builder_.table_ranges());
  program.bound_.resize(program.tables_.size());
  result.program = std::move(program);
  return result;
}

std::vector<Reference> references(std::string_view text) {
  Parser parser(text, {});
  const CompileResult result = parser.run();
  if (!result.program) return parser.references();
  return {result.program->references().begin(), result.program->references().end()};
}

CompileResult compile(std::string_view text, const CompileOptions& options) {
  return Parser(text, options).run();
}

}  // namespace trunnion::expr
