#include "expr/builder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "expr/sweep.hpp"

namespace trunnion::expr {

namespace {

// Above this, squaring repeatedly would lose more digits than the library's power.
constexpr double kLargestIntegerPower = 16.0;

bool commutes(Op op) { return op == Op::add || op == Op::mul; }
bool is_table(Op op) { return op == Op::surface || op == Op::curve || op == Op::signal; }
bool stores_partial(Op op) { return op >= Op::abs && op <= Op::power_constant; }

}  // namespace

std::size_t Builder::KeyHash::operator()(const Key& key) const {
  std::uint64_t h = 0xcbf29ce484222325ull;
  for (const std::uint32_t word : key) h = (h ^ word) * 0x100000001b3ull;
  return static_cast<std::size_t>(h ^ (h >> 32));
}

Node Builder::constant(double value) {
  const auto [it, fresh] = constant_index_.try_emplace(std::bit_cast<std::uint64_t>(value),
                                                       static_cast<std::uint32_t>(constants_.size()));
  if (fresh) constants_.push_back(value);
  return {Node::kConstant | it->second};
}

Node Builder::input(const Input& input) {
  const auto [it, fresh] = input_index_.try_emplace(input.name(), static_cast<std::uint32_t>(inputs_.size()));
  if (fresh) inputs_.push_back(input);
  return {Node::kInput | it->second};
}

std::uint32_t Builder::table(const TableUse& use, SourceRange where) {
  // A search from the end: the tables of one expression are few, but hostile text may hold many different
  // ones.
  constexpr std::size_t kLookBack = 16;
  for (std::size_t k = tables_.size(); k > 0 && k + kLookBack > tables_.size(); --k) {
    if (tables_[k - 1] == use) return static_cast<std::uint32_t>(k - 1);
  }
  tables_.push_back(use);
  table_ranges_.push_back(where);
  return static_cast<std::uint32_t>(tables_.size() - 1);
}

void Builder::push(const Instruction& instruction, SourceRange where) {
  code_.push_back(instruction);
  where_.push_back(where);
}

Node Builder::emit(Op op, std::span<const Node> operands, std::uint32_t param, bool is_listed,
                   SourceRange where) {
  // Known before the table is bound? Then compute it now, unless the result is not a number: that is left to
  // evaluation, where explain() can show it, and where an IF may step around it.
  if (!is_table(op) &&
      std::all_of(operands.begin(), operands.end(), [&](Node n) { return is_constant(n); })) {
    double slots[kMaxListed + 1];
    std::uint32_t list[kMaxListed];
    const auto n = static_cast<std::uint32_t>(operands.size());
    for (std::uint32_t k = 0; k < n; ++k) {
      slots[k] = constant_value(operands[k]);
      list[k] = k;
    }
    Instruction one{op, static_cast<std::uint16_t>(n), n, 0, is_listed ? 0u : n - 1, 0, param};
    forward<double, false>(&one, 1, list, nullptr, slots, nullptr);
    if (std::isfinite(slots[n])) return constant(slots[n]);
  }

  Key key{static_cast<std::uint32_t>(op), param};
  for (const Node n : operands) key.push_back(n.code);
  if (commutes(op) && key[2] > key[3]) std::swap(key[2], key[3]);
  if (const auto it = known_.find(key); it != known_.end()) return it->second;

  Instruction i{op};
  i.param = param;
  i.dst = results_;
  if (is_listed) {
    i.count = static_cast<std::uint16_t>(operands.size());
    i.a = static_cast<std::uint32_t>(arguments_.size());
    for (const Node n : operands) arguments_.push_back(n.code);
    i.partial = partials_;
    partials_ += i.count;
  } else {
    i.a = operands[0].code;
    i.b = operands.back().code;
    if (stores_partial(op)) i.partial = partials_++;
  }
  push(i, where);
  const Node result{Node::kResult | results_++};
  if (!scopes_.empty()) scopes_.back().push_back(key);
  known_.emplace(std::move(key), result);
  return result;
}

Node Builder::unary(Op op, Node a, SourceRange where) { return emit(op, {&a, 1}, 0, false, where); }

Node Builder::binary(Op op, Node a, Node b, SourceRange where) {
  const Node operands[2] = {a, b};
  return emit(op, operands, 0, false, where);
}

Node Builder::power(Node a, Node b, SourceRange where) {
  const Node operands[2] = {a, b};
  if (!is_constant(b)) return emit(Op::power, operands, 0, true, where);
  const double n = constant_value(b);
  if (n == 0.0) return constant(1.0);
  if (n == 1.0) return a;
  if (n == 2.0) return binary(Op::mul, a, a, where);
  if (n == 0.5) return unary(Op::sqrt, a, where);
  if (n == std::trunc(n) && std::abs(n) <= kLargestIntegerPower) {
    return emit(Op::power_integer, {&a, 1}, static_cast<std::uint32_t>(static_cast<int>(n)), false, where);
  }
  return emit(Op::power_constant, operands, 0, false, where);
}

Node Builder::listed(Op op, std::span<const Node> operands, std::uint32_t param, SourceRange where) {
  return emit(op, operands, param, true, where);
}

void Builder::open_scope() { scopes_.emplace_back(); }

void Builder::close_scope() {
  for (const Key& key : scopes_.back()) known_.erase(key);
  scopes_.pop_back();
}

Builder::Branch Builder::open_branch(Node test, SourceRange where) {
  Branch branch;
  branch.pc = static_cast<std::uint32_t>(code_.size());
  Instruction i{Op::branch};
  i.a = test.code;
  push(i, where);
  return branch;
}

void Builder::begin_block(Branch& branch, int block, SourceRange where) {
  branch.first[block] = static_cast<std::uint32_t>(code_.size());
  Instruction i{Op::begin};
  i.a = branch.pc;
  push(i, where);
  open_scope();
}

void Builder::end_block(Branch& branch, int block, std::span<const Node> results, SourceRange where) {
  for (const Node n : results) {
    Instruction i{Op::move};
    i.a = n.code;
    push(i, where);  // where it goes is known when all blocks are
  }
  branch.moved[block].assign(results.begin(), results.end());
  branch.last[block] = static_cast<std::uint32_t>(code_.size());
  push(Instruction{Op::jump}, where);
  close_scope();
}

std::vector<Node> Builder::close_branch(Branch& branch, Node test, int count, SourceRange where) {
  const auto join = static_cast<std::uint32_t>(code_.size());
  const std::uint32_t first_result = results_;
  results_ += static_cast<std::uint32_t>(count);
  for (int block = 0; block < 3; ++block) {
    code_[branch.last[block]].a = join;
    const auto moves = static_cast<std::uint32_t>(branch.moved[block].size());
    for (std::uint32_t k = 0; k < moves; ++k) code_[branch.last[block] - moves + k].dst = first_result + k;
  }
  Instruction& i = code_[branch.pc];
  i.count = static_cast<std::uint16_t>(count);
  i.dst = first_result;
  i.b = static_cast<std::uint32_t>(arguments_.size());
  arguments_.insert(arguments_.end(), {branch.first[0], branch.first[1], branch.first[2], join});
  Instruction j{Op::join};
  j.a = test.code;
  j.b = branch.pc;
  j.param = static_cast<std::uint32_t>(arguments_.size());
  arguments_.insert(arguments_.end(), {branch.last[0], branch.last[1], branch.last[2]});
  push(j, where);
  std::vector<Node> results;
  for (int k = 0; k < count; ++k)
    results.push_back({Node::kResult | (first_result + static_cast<std::uint32_t>(k))});
  return results;
}

std::size_t Builder::mark() {
  open_scope();
  return code_.size();
}

void Builder::discard(std::size_t mark) {
  close_scope();
  code_.resize(mark, Instruction{Op::join});
  where_.resize(mark);
}

void Builder::keep(std::size_t) {
  // What was computed stays computed for the enclosing block.
  std::vector<Key> keys = std::move(scopes_.back());
  scopes_.pop_back();
  if (!scopes_.empty()) scopes_.back().insert(scopes_.back().end(), keys.begin(), keys.end());
}

Tape Builder::finish(std::span<const Node> outputs) {
  // Constants swallowed by folding and inputs of discarded blocks get no slot.
  std::vector<std::uint32_t> constant_slot(constants_.size(), 0), input_slot(inputs_.size(), 0);
  const auto use = [&](std::uint32_t code) {
    const Node n{code};
    if (n.tag() == Node::kInput) input_slot[n.index()] = 1;
    if (n.tag() == Node::kConstant) constant_slot[n.index()] = 1;
  };
  const auto for_each_operand = [&](Instruction& i, auto&& visit) {
    if (i.op == Op::begin || i.op == Op::jump) return;
    if (i.op >= Op::power && i.op < Op::branch) {
      for (std::uint32_t k = 0; k < i.count; ++k) visit(arguments_[i.a + k]);
      return;
    }
    visit(i.a);
    if (i.op < Op::power) visit(i.b);
  };
  for (Instruction& i : code_) for_each_operand(i, [&](std::uint32_t& code) { use(code); });
  for (const Node n : outputs) use(n.code);

  Tape tape;
  std::vector<Input> used_inputs;
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    if (input_slot[k] == 0) continue;
    input_slot[k] = static_cast<std::uint32_t>(used_inputs.size());
    used_inputs.push_back(inputs_[k]);
  }
  inputs_ = std::move(used_inputs);
  tape.input_count = static_cast<std::uint32_t>(inputs_.size());
  for (std::size_t k = 0; k < constants_.size(); ++k) {
    if (constant_slot[k] == 0) continue;
    constant_slot[k] = tape.input_count + static_cast<std::uint32_t>(tape.constants.size());
    tape.constants.push_back(constants_[k]);
  }
  const std::uint32_t first_result = tape.input_count + static_cast<std::uint32_t>(tape.constants.size());
  const auto slot = [&](std::uint32_t code) {
    const Node n{code};
    if (n.tag() == Node::kInput) return input_slot[n.index()];
    if (n.tag() == Node::kConstant) return constant_slot[n.index()];
    return first_result + n.index();
  };
  for (Instruction& i : code_) {
    for_each_operand(i, [&](std::uint32_t& code) { code = slot(code); });
    if (i.op <= Op::branch || i.op == Op::move) i.dst += first_result;
  }
  for (const Node n : outputs) tape.outputs.push_back(slot(n.code));
  tape.code = std::move(code_);
  tape.where = std::move(where_);
  tape.arguments = std::move(arguments_);
  tape.slot_count = first_result + results_;
  tape.partial_count = partials_;
  return tape;
}

}  // namespace trunnion::expr
