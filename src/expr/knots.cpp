#include "expr/knots.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace trunnion::expr {

namespace {

// slope · time + offset, taken modulo a period where that is not 0.
struct Line {
  double slope = 0, offset = 0, period = 0;
};
using MaybeLine = std::optional<Line>;

bool constant(const MaybeLine& line) { return line && line->slope == 0; }

class Finder {
 public:
  Finder(const Program& program, double begin, double end, std::size_t most)
      : tape_(program.tape()), begin_(begin), end_(end), most_(most), lines_(tape_.slot_count) {
    for (std::size_t k = 0; k < program.inputs().size(); ++k) {
      if (program.inputs()[k].kind == InputKind::time) lines_[k] = Line{1, 0, 0};
    }
    for (std::size_t k = 0; k < tape_.constants.size(); ++k)
      lines_[tape_.input_count + k] = Line{0, tape_.constants[k], 0};
  }

  std::vector<double> all() {
    for (const Instruction& i : tape_.code) visit(i);
    std::sort(knots_.begin(), knots_.end());
    knots_.erase(std::unique(knots_.begin(), knots_.end()), knots_.end());
    return std::move(knots_);
  }

 private:
  const MaybeLine& line(std::uint32_t slot) const { return lines_[slot]; }
  const MaybeLine& argument(const Instruction& i, std::uint32_t k) const {
    return lines_[tape_.arguments[i.a + k]];
  }

  void visit(const Instruction& i) {
    switch (i.op) {
      case Op::add: lines_[i.dst] = sum(line(i.a), line(i.b), 1); break;
      case Op::sub: lines_[i.dst] = sum(line(i.a), line(i.b), -1); break;
      case Op::neg: lines_[i.dst] = scaled(line(i.a), -1); break;
      case Op::mul:
        if (constant(line(i.b))) lines_[i.dst] = scaled(line(i.a), line(i.b)->offset);
        else if (constant(line(i.a))) lines_[i.dst] = scaled(line(i.b), line(i.a)->offset);
        break;
      case Op::div:
        if (constant(line(i.b)) && line(i.b)->offset != 0)
          lines_[i.dst] = scaled(line(i.a), 1 / line(i.b)->offset);
        break;
      case Op::mod: lines_[i.dst] = modulo(line(i.a), line(i.b)); break;
      case Op::step:
      case Op::step5:
      case Op::havsin:
        meets(argument(i, 0), argument(i, 1));
        meets(argument(i, 0), argument(i, 3));
        break;
      case Op::max:
      case Op::min:
      case Op::dim: meets(line(i.a), line(i.b)); break;
      case Op::sign: meets(line(i.b), Line{}); break;
      case Op::abs:
      case Op::branch: meets(line(i.a), Line{}); break;
      case Op::aint:
      case Op::anint:
      case Op::floor:
      case Op::ceil: modulo(line(i.a), Line{0, 1, 0}); break;
      default: break;
    }
  }

  static MaybeLine sum(const MaybeLine& a, const MaybeLine& b, double sign) {
    if (!a || !b || (a->period != 0 && b->slope != 0) || (b->period != 0 && a->slope != 0)) return {};
    return Line{a->slope + sign * b->slope, a->offset + sign * b->offset, std::max(a->period, b->period)};
  }
  static MaybeLine scaled(const MaybeLine& a, double factor) {
    if (!a) return {};
    return Line{factor * a->slope, factor * a->offset, std::abs(factor) * a->period};
  }
  // Where it begins anew are knots, too.
  MaybeLine modulo(const MaybeLine& a, const MaybeLine& b) {
    if (!a || a->slope == 0 || a->period != 0 || !constant(b) || b->offset == 0) return {};
    const Line saw{a->slope, a->offset, std::abs(b->offset)};
    meets(saw, Line{});
    return saw;
  }

  void meets(const MaybeLine& a, const MaybeLine& b) {
    const MaybeLine difference = sum(a, b, -1);
    if (!difference || difference->slope == 0) return;
    const double every = difference->period / std::abs(difference->slope);
    double t = -difference->offset / difference->slope;
    if (every > 0 && (end_ - begin_) / every < static_cast<double>(most_)) {
      t += std::ceil((begin_ - t) / every) * every;
      for (double k = t; k < end_; k += every) add(k);
    } else if (every == 0) {
      add(t);
    }
  }
  void add(double t) {
    if (t > begin_ && t < end_ && knots_.size() < most_) knots_.push_back(t);
  }

  const Tape& tape_;
  double begin_, end_;
  std::size_t most_;
  std::vector<MaybeLine> lines_;
  std::vector<double> knots_;
};

// How a slot follows the time: not at all, as a straight line, as a sum of slow waves, or unknown.
class Smoothness {
 public:
  explicit Smoothness(const Program& program)
      : tape_(program.tape()), slots_(tape_.slot_count, Course::held) {
    for (std::size_t k = 0; k < program.inputs().size(); ++k) {
      const InputKind kind = program.inputs()[k].kind;
      if (kind == InputKind::time) slots_[k] = Course::line;
      else if (kind == InputKind::variable) slots_[k] = Course::unknown;
    }
  }

  bool plain() {
    for (const Instruction& i : tape_.code) {
      const Course course = visit(i);
      if (course == Course::unknown) return false;
      // Branches of an IF write to one slot.
      if (writes(i.op)) slots_[i.dst] = std::max(i.op == Op::move ? slots_[i.dst] : Course::held, course);
    }
    return std::find(slots_.begin(), slots_.begin() + tape_.input_count, Course::unknown) ==
           slots_.begin() + tape_.input_count;
  }

 private:
  enum class Course { held, line, wave, unknown };
  static bool writes(Op op) {
    return op != Op::branch && op != Op::begin && op != Op::jump && op != Op::join;
  }
  // A decision by a line is a knot; by anything else it may be one that no knot tells.
  static Course decided(Course by) { return by <= Course::line ? Course::wave : Course::unknown; }

  Course visit(const Instruction& i) const {
    const auto at = [&](std::uint32_t slot) { return slots_[slot]; };
    switch (i.op) {
      case Op::add:
      case Op::sub: return std::max(at(i.a), at(i.b));
      case Op::neg:
      case Op::move: return at(i.a);
      case Op::mul:
        return at(i.a) == Course::held || at(i.b) == Course::held ? std::max(at(i.a), at(i.b)) : Course::wave;
      case Op::div: return at(i.b) == Course::held ? at(i.a) : Course::unknown;
      case Op::sin:
      case Op::cos: return at(i.a) == Course::held ? Course::held : Course::wave;
      case Op::power_integer: return low_power(i, at(i.a));
      case Op::abs:
      case Op::aint:
      case Op::anint:
      case Op::ceil:
      case Op::floor: return at(i.a) == Course::held ? Course::held : decided(at(i.a));
      case Op::mod:
      case Op::sign:
      case Op::dim:
      case Op::max:
      case Op::min: return decided(std::max(at(i.a), at(i.b)));
      case Op::step:
      case Op::step5:
      case Op::havsin: return ramp(i);
      case Op::branch: return at(i.a) <= Course::line ? Course::held : Course::unknown;
      case Op::begin:
      case Op::jump:
      case Op::join: return Course::held;
      default: return of_held(i);
    }
  }
  Course low_power(const Instruction& i, Course base) const {
    constexpr int kLow = 3;
    const int exponent = static_cast<std::int32_t>(i.param);
    if (base == Course::held) return base;
    return exponent >= 0 && exponent <= kLow ? Course::wave : Course::unknown;
  }
  Course ramp(const Instruction& i) const {
    Course others = Course::held;
    for (std::uint32_t k = 1; k < i.count; ++k) others = std::max(others, argument(i, k));
    return others == Course::held ? decided(argument(i, 0)) : Course::unknown;
  }
  // Any other operation: nothing is known unless all that it reads is held.
  Course of_held(const Instruction& i) const {
    const bool listed = i.op >= Op::power;
    Course all = listed ? Course::held : slots_[i.a];
    for (std::uint32_t k = 0; listed && k < i.count; ++k) all = std::max(all, argument(i, k));
    if (i.op == Op::atan2) all = std::max(all, slots_[i.b]);
    return all == Course::held ? all : Course::unknown;
  }
  Course argument(const Instruction& i, std::uint32_t k) const { return slots_[tape_.arguments[i.a + k]]; }

  const Tape& tape_;
  std::vector<Course> slots_;
};

}  // namespace

bool knots_tell_all(const Program& program) { return Smoothness(program).plain(); }

std::vector<double> time_knots(const Program& program, double begin, double end, std::size_t most) {
  return Finder(program, begin, end, most).all();
}

}  // namespace trunnion::expr
