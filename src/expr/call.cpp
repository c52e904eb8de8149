// The part of the parser that reads names and calls.

#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "core/text.hpp"
#include "expr/parser.hpp"
#include "expr/sweep.hpp"

namespace trunnion::expr {

namespace {

std::string plural(int count) { return fmt::format("{} argument{}", count, count == 1 ? "" : "s"); }

std::string count_text(const FunctionInfo& f) {
  if (f.min_arguments == f.max_arguments) return plural(f.min_arguments);
  if (f.max_arguments >= 100) return fmt::format("{} or more arguments", f.min_arguments);
  return fmt::format("{} to {} arguments", f.min_arguments, f.max_arguments);
}

// What an argument that is not an expression must be, in words.
std::string requirement(const FunctionInfo& f, const Argument& spec) {
  switch (spec.kind) {
    case ArgumentKind::marker:
      return spec.ground_allowed ? "a marker id: a positive whole number, or 0 for ground"
                                 : "a marker id: a positive whole number";
    case ArgumentKind::element: return fmt::format("the id of a {}: a positive whole number", f.statement);
    case ArgumentKind::constant: return "a number or an expression of numbers";
    default:
      if (spec.high == std::numeric_limits<int>::max()) return "a positive whole number";
      if (spec.high == spec.low + 1) return fmt::format("{} or {}", spec.low, spec.high);
      return fmt::format("a whole number from {} to {}", spec.low, spec.high);
  }
}

Op op_of(Function f) {
  switch (f) {
    case Function::kABS: return Op::abs;
    case Function::kACOS: return Op::acos;
    case Function::kAINT: return Op::aint;
    case Function::kANINT: return Op::anint;
    case Function::kASIN: return Op::asin;
    case Function::kATAN: return Op::atan;
    case Function::kATAN2: return Op::atan2;
    case Function::kCEIL: return Op::ceil;
    case Function::kCOS: return Op::cos;
    case Function::kCOSH: return Op::cosh;
    case Function::kDIM: return Op::dim;
    case Function::kEXP: return Op::exp;
    case Function::kFLOOR: return Op::floor;
    case Function::kLOG: return Op::log;
    case Function::kLOG10: return Op::log10;
    case Function::kMAX: return Op::max;
    case Function::kMIN: return Op::min;
    case Function::kMOD: return Op::mod;
    case Function::kSIGN: return Op::sign;
    case Function::kSIN: return Op::sin;
    case Function::kSINH: return Op::sinh;
    case Function::kSQRT: return Op::sqrt;
    case Function::kTAN: return Op::tan;
    case Function::kTANH: return Op::tanh;
    case Function::kBISTOP: return Op::bistop;
    case Function::kCHEBY: return Op::cheby;
    case Function::kFORCOS: return Op::forcos;
    case Function::kFORSIN: return Op::forsin;
    case Function::kHAVSIN: return Op::havsin;
    case Function::kIMPACT: return Op::impact;
    case Function::kPOLY: return Op::poly;
    case Function::kSHF: return Op::shf;
    case Function::kSTEP: return Op::step;
    case Function::kSTEP5: return Op::step5;
    default: return Op::sweep;
  }
}

InputKind kind_of(const FunctionInfo& f) {
  switch (f.id) {
    case Function::kTIME: return InputKind::time;
    case Function::kMODE: return InputKind::mode;
    case Function::kORIENT: return InputKind::orient;
    case Function::kVARVAL: return InputKind::variable;
    case Function::kDIF: return InputKind::diff;
    case Function::kDIF1: return InputKind::diff_rate;
    case Function::kARYVAL: return InputKind::array;
    case Function::kPINVAL: return InputKind::plant_input;
    case Function::kPOUVAL: return InputKind::plant_output;
    case Function::kSENVAL: return InputKind::sensor;
    case Function::kFXFREQ: return InputKind::flex_frequency;
    case Function::kFXMODE: return InputKind::flex_mode;
    default:
      if (f.category == Category::force) return InputKind::generic_force;
      return f.category == Category::element ? InputKind::element_force : InputKind::measure;
  }
}

// The scalar measures a vector measure is made of: x, y and z follow one another in the table.
Function first_component(Function vector) {
  switch (vector) {
    case Function::kDXYZ: return Function::kDX;
    case Function::kVXYZ: return Function::kVX;
    case Function::kACCXYZ: return Function::kACCX;
    case Function::kWXYZ: return Function::kWX;
    case Function::kWDTXYZ: return Function::kWDTX;
    case Function::kFXYZ: return Function::kFX;
    default: return Function::kTX;
  }
}

}  // namespace

Parser::Operand Parser::name() {
  const Token token = take();
  const FunctionInfo* function = find_function(text_of(token));
  if (!function) return unknown_call(token);
  const SourceRange here{token.offset, token.length};
  if (function->max_arguments == 0) {
    if (at(TokenKind::open)) {
      error(peek(), fmt::format("{} takes no arguments", function->name));
      arguments(nullptr, token);
      return {};
    }
    switch (function->id) {
      case Function::kPI: return scalar(builder_.constant(std::numbers::pi), here);
      case Function::kDTOR: return scalar(builder_.constant(std::numbers::pi / 180.0), here);
      case Function::kRTOD: return scalar(builder_.constant(180.0 / std::numbers::pi), here);
      default: return scalar(builder_.input({kind_of(*function), function, {}}), here);
    }
  }
  if (!at(TokenKind::open)) {
    error(token, fmt::format("{} needs its arguments in parentheses", function->name),
          std::string(function->signature));
    return {};
  }
  return function->id == Function::kIF ? arithmetic_if(token) : call(*function, token);
}

Parser::Operand Parser::unknown_call(const Token& token) {
  const std::string shown = core::printable(text_of(token).substr(0, 40));
  const bool called = at(TokenKind::open);
  const std::optional<std::string_view> similar = nearest_function(text_of(token));
  error(token, fmt::format("unknown {} {}", called ? "function" : "name", shown),
        similar ? fmt::format("did you mean {}?", *similar) : "");
  if (called) arguments(nullptr, token);
  return {};
}

// The list in parentheses. Without a function everything is read as an expression, for the errors inside.
std::vector<Parser::CallArgument> Parser::arguments(const FunctionInfo* function, const Token& name) {
  std::vector<CallArgument> list;
  const Token opener = take();
  if (at(TokenKind::close)) {
    take();
    return list;
  }
  for (;;) {
    const int index = static_cast<int>(list.size());
    if (function && index < function->max_arguments) {
      list.push_back(argument(*function, name, index));
    } else {
      list.push_back({expression(), {}});
    }
    if (at(TokenKind::colon)) {
      if (function) error(peek(), "':' is used in IF only", "separate arguments with ','");
      take();
      continue;
    }
    if (!at(TokenKind::comma)) break;
    take();
  }
  close(TokenKind::close, opener);
  return list;
}

Parser::CallArgument Parser::argument(const FunctionInfo& function, const Token& token, int index) {
  const Argument spec = function.argument(index);
  CallArgument result;
  if (spec.kind == ArgumentKind::expression || spec.kind == ArgumentKind::constant) {
    const std::uint32_t begin = peek().offset;
    if (at(TokenKind::comma) || at(TokenKind::close)) {
      error(peek(), fmt::format("argument {} of {} is missing", index + 1, function.name),
            std::string(function.signature));
      return result;
    }
    result.operand = expression();
    const SourceRange where = since(begin);
    if (result.operand.valid && result.operand.size != 1) {
      error(where.offset, where.length,
            fmt::format("argument {} of {} must be a scalar", index + 1, function.name),
            std::string(function.signature));
      result.operand.valid = false;
    }
    if (spec.kind == ArgumentKind::constant && result.operand.valid) {
      const Node node = result.operand.node[0];
      if (builder_.is_constant(node)) {
        result.literal = {true, true, builder_.constant_value(node)};
      } else {
        error(where.offset, where.length,
              fmt::format("argument {} of {} must be {}", index + 1, function.name,
                          requirement(function, spec)),
              std::string(function.signature));
      }
    }
    return result;
  }
  result.literal = whole_number(function, token, index, spec);
  return result;
}

Parser::Literal Parser::whole_number(const FunctionInfo& function, const Token&, int index,
                                     const Argument& spec) {
  const std::uint32_t begin = peek().offset;
  if (at(TokenKind::comma) || at(TokenKind::close)) {
    if (spec.ground_allowed) return {true, true, 0.0};
    error(peek(), fmt::format("argument {} of {} is missing", index + 1, function.name),
          std::string(function.signature));
    return {};
  }
  const auto wrong = [&](SourceRange where) {
    error(where.offset, where.length,
          fmt::format("argument {} of {} must be {}", index + 1, function.name, requirement(function, spec)),
          std::string(function.signature));
    return Literal{};
  };
  const bool is_signed = at(TokenKind::plus) || at(TokenKind::minus);
  const bool minus = at(TokenKind::minus);
  const TokenKind after = peek(is_signed ? 2 : 1).kind;
  if (peek(is_signed ? 1 : 0).kind != TokenKind::number ||
      (after != TokenKind::comma && after != TokenKind::close && after != TokenKind::end &&
       after != TokenKind::colon)) {
    const std::size_t errors_before = errors_.size();
    expression();
    // If the text itself is faulty, that has been said.
    return errors_.size() == errors_before ? wrong(since(begin)) : Literal{};
  }
  if (is_signed) take();
  const Token number = take();
  const double value = minus ? -number.value : number.value;
  const SourceRange where = since(begin);
  if (number.degrees || value != std::trunc(value) || std::abs(value) > std::numeric_limits<int>::max()) {
    return wrong(where);
  }
  if (spec.kind == ArgumentKind::integer) {
    const bool excluded = function.codes[static_cast<std::size_t>(index)] == 't' && value == 2.0;
    if (value < spec.low || value > spec.high || excluded) {
      if (excluded || function.codes[static_cast<std::size_t>(index)] == 't') {
        error(where.offset, where.length,
              fmt::format("argument {} of {} must be 1 or 3", index + 1, function.name),
              std::string(function.signature));
        return {};
      }
      return wrong(where);
    }
    return {true, true, value};
  }
  if (value < 0.0 || (value == 0.0 && !spec.ground_allowed)) return wrong(where);
  if (value > 0.0) {
    const std::string_view statement = spec.kind == ArgumentKind::marker ? "MARKER" : function.statement;
    references_.push_back({where.offset, where.length, statement, static_cast<int>(value)});
  }
  return {true, true, value + 0.0};  // −0 becomes 0
}

Parser::Operand Parser::call(const FunctionInfo& function, const Token& token) {
  const bool whole_text = at_ == 1;  // the name was the first token
  const std::vector<CallArgument> list = arguments(&function, token);
  const SourceRange where = since(token.offset);
  Operand failed;
  failed.where = where;
  if (gave_up_) return failed;
  const int given = static_cast<int>(list.size());
  if (given < function.min_arguments || given > function.max_arguments) {
    error(token, fmt::format("{} takes {}, {} given", function.name, count_text(function), given),
          std::string(function.signature));
    return failed;
  }
  for (int k = 0; k < given; ++k) {
    const CallArgument& a = list[static_cast<std::size_t>(k)];
    const ArgumentKind kind = function.argument(k).kind;
    const bool valid = kind == ArgumentKind::expression ? a.operand.valid : a.literal.valid;
    if (!valid) return failed;
  }
  if (function.id == Function::kUSER) {
    if (!whole_text || !at(TokenKind::end)) {
      error(token, "USER must be the whole expression", "compute with its result in a VARIABLE");
      return failed;
    }
    user_seen_ = true;
    for (const CallArgument& a : list) user_parameters_.push_back(a.literal.value);
    return scalar(builder_.constant(std::numeric_limits<double>::quiet_NaN()), where);
  }
  return build(function, list, where);
}

Parser::Operand Parser::build(const FunctionInfo& function, const std::vector<CallArgument>& list,
                              SourceRange where) {
  switch (function.category) {
    case Category::math:
    case Category::general: return build_expression(function, list, where);
    case Category::spline: return build_table(function, list, where);
    default: return build_input(function, list, where);
  }
}

Parser::Operand Parser::build_expression(const FunctionInfo& function, const std::vector<CallArgument>& list,
                                         SourceRange where) {
  const Op op = op_of(function.id);
  const auto node = [&](std::size_t k) { return list[k].operand.node[0]; };
  if (function.category == Category::math) {
    if (list.size() == 1) return scalar(builder_.unary(op, node(0), where), where);
    Node result = node(0);
    for (std::size_t k = 1; k < list.size(); ++k) result = builder_.binary(op, result, node(k), where);
    return scalar(result, where);
  }
  Node operands[kMaxListed];
  for (std::size_t k = 0; k < list.size(); ++k) operands[k] = node(k);
  if ((op == Op::step || op == Op::step5 || op == Op::havsin) && builder_.is_constant(operands[1]) &&
      operands[1] == operands[3]) {
    error(where.offset, where.length, fmt::format("x0 and x1 of {} are equal", function.name),
          std::string(function.signature));
    return {};
  }
  std::uint32_t exponent_varies = 0;
  if (op == Op::impact) exponent_varies = builder_.is_constant(operands[4]) ? 0 : 1;
  if (op == Op::bistop) exponent_varies = builder_.is_constant(operands[5]) ? 0 : 1;
  return scalar(builder_.listed(op, {operands, list.size()}, exponent_varies, where), where);
}

Parser::Operand Parser::build_input(const FunctionInfo& function, const std::vector<CallArgument>& list,
                                    SourceRange where) {
  Input input{kind_of(function), &function, {}};
  for (std::size_t k = 0; k < list.size(); ++k) input.ids[k] = static_cast<int>(list[k].literal.value);
  if (function.category != Category::vector) return scalar(builder_.input(input), where);
  Operand result;
  result.valid = true;
  result.size = 3;
  result.where = where;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto id = static_cast<Function>(static_cast<std::size_t>(first_component(function.id)) + k);
    input.function = &info(id);
    input.kind = kind_of(*input.function);
    result.node[k] = builder_.input(input);
  }
  return result;
}

Parser::Operand Parser::build_table(const FunctionInfo& function, const std::vector<CallArgument>& list,
                                    SourceRange where) {
  const auto whole = [&](std::size_t k) {
    return k < list.size() ? static_cast<int>(list[k].literal.value) : 0;
  };
  TableUse use;
  use.function = function.id;
  Op op = Op::surface;
  Node operands[2] = {list[0].operand.node[0], builder_.constant(0.0)};
  std::size_t count = 2;
  switch (function.id) {
    case Function::kCURVE:
      op = Op::curve;
      count = 1;
      use.order = whole(1);
      use.component = whole(2);
      use.id = whole(3);
      break;
    case Function::kINVPSD:
      op = Op::signal;
      count = 1;
      use.id = whole(1);
      use.f0 = list[2].literal.value;
      use.f1 = list[3].literal.value;
      use.count = whole(4);
      use.logarithmic = whole(5);
      use.seed = list[6].literal.value;
      break;
    case Function::kINTERP:
      use.method = whole(1);
      use.id = whole(2);
      use.order = whole(3);
      break;
    default:
      operands[1] = list[1].operand.node[0];
      use.id = whole(2);
      use.order = whole(3);
      break;
  }
  const std::uint32_t table = builder_.table(use, where);
  return scalar(builder_.listed(op, {operands, count}, table, where), where);
}

Parser::Operand Parser::arithmetic_if(const Token& token) {
  const FunctionInfo& function = info(Function::kIF);
  const Token opener = take();
  const Operand test = expression();
  if (test.valid && test.size != 1) {
    error(test.where.offset, test.where.length, "the test of IF must be a scalar",
          std::string(function.signature));
  }
  if (at(TokenKind::colon)) {
    take();
  } else if (at(TokenKind::comma)) {
    error(peek(), "IF needs ':' after its test, not ','", std::string(function.signature));
    take();
  } else {
    error(peek(), fmt::format("IF needs ':' after its test, not {}", found()),
          std::string(function.signature));
    skip_to_separator();
    close(TokenKind::close, opener);
    return {};
  }
  const bool test_valid = test.valid && test.size == 1;
  const bool known = test_valid && builder_.is_constant(test.node[0]);
  const std::uint32_t taken = known ? chosen_block(builder_.constant_value(test.node[0])) : 3;
  const SourceRange here{token.offset, token.length};

  Builder::Branch branch;
  if (!known) branch = builder_.open_branch(test.node[0], here);
  Operand blocks[3];
  int count = 0;
  for (;;) {
    const auto k = static_cast<std::size_t>(count);
    if (count >= 3) {
      expression();
    } else if (known) {
      const std::size_t mark = builder_.mark();
      blocks[k] = expression();
      if (static_cast<std::uint32_t>(count) == taken) {
        builder_.keep(mark);
      } else {
        builder_.discard(mark);
      }
    } else {
      builder_.begin_block(branch, count, here);
      blocks[k] = expression();
      const std::size_t size = blocks[k].valid ? static_cast<std::size_t>(blocks[k].size) : 0;
      builder_.end_block(branch, count, {blocks[k].node.data(), size}, here);
    }
    ++count;
    if (!at(TokenKind::comma)) break;
    take();
  }
  close(TokenKind::close, opener);
  Operand result;
  result.where = since(token.offset);
  if (gave_up_) return result;
  if (count != 3) {
    error(token, fmt::format("IF takes 3 expressions after ':', {} given", count),
          std::string(function.signature));
    return result;
  }
  if (!test_valid || !blocks[0].valid || !blocks[1].valid || !blocks[2].valid) return result;
  if (blocks[0].size != blocks[1].size || blocks[0].size != blocks[2].size) {
    error(token, "the three expressions of IF must be all scalars or all vectors");
    return result;
  }
  if (known) {
    Operand chosen = blocks[taken];
    chosen.where = result.where;
    return chosen;
  }
  const std::vector<Node> nodes = builder_.close_branch(branch, test.node[0], blocks[0].size, result.where);
  result.valid = true;
  result.size = blocks[0].size;
  for (std::size_t k = 0; k < nodes.size(); ++k) result.node[k] = nodes[k];
  return result;
}

}  // namespace trunnion::expr
