#include "expr/kinks.hpp"

#include <algorithm>
#include <cmath>

#include "expr/sweep.hpp"

namespace trunnion::expr {

namespace {

bool controls(Op op) { return op >= Op::branch; }
bool listed(Op op) { return op >= Op::power && !controls(op); }
bool reads_table(Op op) { return op == Op::surface || op == Op::curve || op == Op::signal; }
bool two_operands(Op op) { return op < Op::neg || op == Op::power_constant; }

template <class Visit> void for_operands(const Tape& tape, const Instruction& i, Visit visit) {
  if (listed(i.op)) {
    for (std::uint32_t k = 0; k < i.count; ++k) visit(tape.arguments[i.a + k]);
    return;
  }
  visit(i.a);
  if (two_operands(i.op)) visit(i.b);
}

// Goes once through a program: which slots follow a motion, and which are known without taking a branch or reading a table.
class KinkFinder {
 public:
  explicit KinkFinder(const Program& program)
      : tape_(program.tape()), moves_(tape_.slot_count, 0), open_(tape_.slot_count, 0) {
    for (std::size_t k = 0; k < program.inputs().size(); ++k) {
      const InputKind kind = program.inputs()[k].kind;
      moves_[k] = kind != InputKind::time && kind != InputKind::mode;
    }
  }

  void find(std::vector<Kinks::Kink>& kinks) {
    for (const Instruction& i : tape_.code) {
      visit(i, kinks);
      if (i.op == Op::move) open_[i.dst] = 1;
      if (controls(i.op)) continue;
      open_[i.dst] = reads_table(i.op);
      for_operands(tape_, i, [&](std::uint32_t slot) {
        open_[i.dst] |= open_[slot];
        moves_[i.dst] |= moves_[slot];
      });
    }
  }

  // What makes the kinks' slots, in order.
  std::vector<Instruction> code_for(const std::vector<Kinks::Kink>& kinks) const {
    std::vector<char> needed(tape_.slot_count, 0);
    for (const Kinks::Kink& k : kinks) {
      needed[k.a] = 1;
      if (!k.by_zero) needed[k.b] = 1;
    }
    std::vector<Instruction> code;
    for (auto i = tape_.code.rbegin(); i != tape_.code.rend(); ++i) {
      if (controls(i->op) || !needed[i->dst]) continue;
      code.push_back(*i);
      for_operands(tape_, *i, [&](std::uint32_t slot) { needed[slot] = 1; });
    }
    std::reverse(code.begin(), code.end());
    return code;
  }

 private:
  void visit(const Instruction& i, std::vector<Kinks::Kink>& kinks) const {
    const auto argument = [&](std::uint32_t k) { return tape_.arguments[i.a + k]; };
    const auto add = [&](Kinks::Kink kink) {
      const bool moves = moves_[kink.a] || (!kink.by_zero && moves_[kink.b]);
      if (moves && !open_[kink.a] && (kink.by_zero || !open_[kink.b])) kinks.push_back(kink);
    };
    switch (i.op) {
      case Op::step:
      case Op::step5:
      case Op::havsin:
        add({argument(0), argument(1)});
        add({argument(0), argument(3)});
        break;
      case Op::impact: add({.a = argument(0), .b = argument(2), .touch = true}); break;
      case Op::bistop:
        add({.a = argument(0), .b = argument(2), .touch = true});
        add({.a = argument(3), .b = argument(0), .touch = true});
        break;
      case Op::max:
      case Op::min:
      case Op::dim: add({i.a, i.b}); break;
      case Op::sign: add({.a = i.b, .by_zero = true}); break;
      case Op::abs:
      case Op::branch: add({.a = i.a, .by_zero = true}); break;
      default: break;
    }
  }

  const Tape& tape_;
  std::vector<char> moves_, open_;
};

}  // namespace

Kinks::Kinks(const Program& program) : tape_(&program.tape()) {
  if (program.is_user()) return;
  KinkFinder finder(program);
  finder.find(kinks_);
  code_ = finder.code_for(kinks_);
}

void Kinks::distances(std::span<const double> inputs, std::vector<double>& slots, std::span<double> out,
                      std::span<double> sizes) const {
  slots.resize(std::max<std::size_t>(slots.size(), tape_->slot_count));
  std::copy_n(inputs.begin(), tape_->input_count, slots.begin());
  std::copy(tape_->constants.begin(), tape_->constants.end(),
            slots.begin() + static_cast<std::ptrdiff_t>(tape_->input_count));
  forward<double, false>(code_.data(), code_.size(), tape_->arguments.data(), nullptr, slots.data(), nullptr);
  for (std::size_t k = 0; k < kinks_.size(); ++k) {
    const double a = slots[kinks_[k].a], b = kinks_[k].by_zero ? 0.0 : slots[kinks_[k].b];
    out[k] = a - b;
    sizes[k] = std::abs(a) + std::abs(b);
  }
}

}  // namespace trunnion::expr
