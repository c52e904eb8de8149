#pragma once
// Builds a tape: folds constants, shares equal subexpressions, lays out branches. Internal to src/expr.

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "expr/program.hpp"
#include "expr/tape.hpp"

namespace trunnion::expr {

// A number during compilation: input, constant or result, before slots are laid out.
struct Node {
  static constexpr std::uint32_t kResult = 0u, kConstant = 1u << 30, kInput = 2u << 30, kMask = 3u << 30;
  std::uint32_t code = kConstant;

  std::uint32_t tag() const { return code & kMask; }
  std::uint32_t index() const { return code & ~kMask; }
  bool operator==(const Node&) const = default;
};

class Builder {
 public:
  Node constant(double value);
  Node input(const Input& input);
  std::uint32_t table(const TableUse& use, SourceRange where);

  Node unary(Op op, Node a, SourceRange where);
  Node binary(Op op, Node a, Node b, SourceRange where);
  Node power(Node a, Node b, SourceRange where);
  Node listed(Op op, std::span<const Node> operands, std::uint32_t param, SourceRange where);

  bool is_constant(Node n) const { return n.tag() == Node::kConstant; }
  double constant_value(Node n) const { return constants_[n.index()]; }

  // IF: open, then for each block begin_block … end_block, then close, which gives the `count` results.
  struct Branch {
    std::uint32_t pc = 0;
    std::uint32_t first[3] = {}, last[3] = {};
    std::vector<Node> moved[3];
  };
  Branch open_branch(Node test, SourceRange where);
  void begin_block(Branch& branch, int block, SourceRange where);
  void end_block(Branch& branch, int block, std::span<const Node> results, SourceRange where);
  std::vector<Node> close_branch(Branch& branch, Node test, int count, SourceRange where);

  // For an IF whose test is a number: code of the blocks not taken is thrown away.
  std::size_t mark();
  void discard(std::size_t mark);
  void keep(std::size_t mark);

  Tape finish(std::span<const Node> outputs);
  std::vector<Input>& inputs() { return inputs_; }
  std::vector<TableUse>& tables() { return tables_; }
  std::vector<SourceRange>& table_ranges() { return table_ranges_; }

 private:
  using Key = std::basic_string<std::uint32_t>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  Node emit(Op op, std::span<const Node> operands, std::uint32_t param, bool is_listed, SourceRange where);
  void push(const Instruction& instruction, SourceRange where);
  void open_scope();
  void close_scope();

  std::vector<Instruction> code_;
  std::vector<SourceRange> where_;
  std::vector<std::uint32_t> arguments_;
  std::vector<double> constants_;
  std::vector<Input> inputs_;
  std::vector<TableUse> tables_;
  std::vector<SourceRange> table_ranges_;
  std::uint32_t results_ = 0;
  std::uint32_t partials_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> constant_index_;
  std::unordered_map<std::string, std::uint32_t> input_index_;
  std::unordered_map<Key, Node, KeyHash> known_;
  std::vector<std::vector<Key>> scopes_;  // results known only inside the open blocks
};

}  // namespace trunnion::expr
