#pragma once
// Text to tape, by recursive descent with one token of look-ahead. Errors are collected; what cannot be read
// becomes an invalid operand, which swallows further complaints about itself. Internal to src/expr.
//
//   expression  term { (+|-) term }
//   term        signed { (*|/|%) signed }
//   signed      { +|- } power
//   power       primary [ ** { +|- } power ]
//   primary     number | name | name(…) | (expression) | [expression, expression, expression]

#include <array>
#include <string_view>
#include <vector>

#include "expr/builder.hpp"
#include "expr/lexer.hpp"
#include "expr/program.hpp"

namespace trunnion::expr {

class Parser {
 public:
  Parser(std::string_view text, const CompileOptions& options) : text_(text), options_(options) {}
  CompileResult run();
  // Those found, where run() had errors; else the program has them.
  const std::vector<Reference>& references() const { return references_; }

 private:
  struct Operand {
    bool valid = false;
    int size = 1;  // 1 or 3
    std::array<Node, 3> node{};
    SourceRange where;
  };
  struct Literal {
    bool valid = false;
    bool given = false;
    double value = 0.0;
  };
  struct CallArgument {
    Operand operand;
    Literal literal;
  };

  // grammar (parser.cpp)
  Operand expression();
  Operand term();
  Operand signed_operand();
  Operand power();
  Operand primary();
  Operand parenthesised();
  Operand vector_literal();
  void close(TokenKind kind, const Token& opener);
  void skip_to_separator();

  // operators (parser.cpp)
  Operand combine(const Token& op, const Operand& a, const Operand& b);
  Operand componentwise(Op op, const Operand& a, const Operand& b, SourceRange where);
  Operand negate(const Operand& a, SourceRange where);
  Operand scalar(Node node, SourceRange where) const;

  // functions (call.cpp)
  Operand name();
  Operand call(const FunctionInfo& function, const Token& name);
  Operand unknown_call(const Token& name);
  Operand arithmetic_if(const Token& name);
  std::vector<CallArgument> arguments(const FunctionInfo* function, const Token& name);
  CallArgument argument(const FunctionInfo& function, const Token& name, int index);
  Literal whole_number(const FunctionInfo& function, const Token& name, int index, const Argument& spec);
  Operand build(const FunctionInfo& function, const std::vector<CallArgument>& list, SourceRange where);
  Operand build_expression(const FunctionInfo& function, const std::vector<CallArgument>& list,
                           SourceRange where);
  Operand build_input(const FunctionInfo& function, const std::vector<CallArgument>& list, SourceRange where);
  Operand build_table(const FunctionInfo& function, const std::vector<CallArgument>& list, SourceRange where);

  // tokens
  const Token& peek(std::size_t ahead = 0) const;
  Token take();
  bool at(TokenKind kind) const { return peek().kind == kind; }
  SourceRange since(std::uint32_t offset) const;  // from offset to the end of the last token taken
  std::string_view text_of(const Token& token) const { return text_.substr(token.offset, token.length); }
  std::string found() const;  // the next token, in words

  void error(std::size_t offset, std::size_t length, std::string message, std::string hint = {});
  void error(const Token& token, std::string message, std::string hint = {});
  bool descend(const Token& token);  // false: nested too deeply, and parsing has ended

  std::string_view text_;
  CompileOptions options_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::uint32_t last_end_ = 0;
  int depth_ = 0;
  bool gave_up_ = false;
  std::vector<ExprError> errors_;
  std::vector<Reference> references_;
  std::vector<double> user_parameters_;
  bool user_seen_ = false;
  Builder builder_;
};

}  // namespace trunnion::expr
