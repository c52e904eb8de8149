#include "expr/doubts.hpp"

#include <optional>

#include <fmt/format.h>

namespace trunnion::expr {

namespace {

// One call of IMPACT or BISTOP; both end with k, e, c, d.
class StopDoubts {
 public:
  StopDoubts(const Tape& tape, std::size_t at, std::vector<ExprError>& found)
      : tape_(tape), call_(tape.code[at]), where_(tape.where[at]), found_(found) {}

  void look() {
    const bool two = call_.op == Op::bistop;
    const std::uint32_t first = two ? 4 : 3;
    const auto k = number(first), e = number(first + 1), c = number(first + 2), d = number(first + 3);
    if (two) look_at_gap(number(2), number(3));
    if (k && *k < 0) tell("the stiffness k is {}: it never pushes", *k, "write a stiffness above 0");
    if (e && *e < 1)
      tell("the exponent e is {}: below 1 the stiffness is without bound at first touch", *e,
           "write 1 or more; 1.5 is Hertz's law of two balls");
    if (c && *c < 0) tell("the damping c is {}: a hit gains energy", *c, "write 0 or more");
    if (d && *d <= 0 && !(c && *c == 0))
      tell("the depth d is {}: damping acts in full at first touch, where the force jumps", *d,
           "write the depth at which damping is to be full, above 0");
  }

 private:
  std::optional<double> number(std::uint32_t argument) const {
    const std::uint32_t slot = tape_.arguments[call_.a + argument];
    if (slot < tape_.input_count || slot >= tape_.input_count + tape_.constants.size()) return std::nullopt;
    return tape_.constants[slot - tape_.input_count];
  }
  void look_at_gap(std::optional<double> x1, std::optional<double> x2) {
    if (x1 && x2 && *x1 > *x2)
      tell("x1 lies {} above x2: there is no place between the stops", *x1 - *x2, "exchange x1 and x2");
  }
  void tell(fmt::format_string<std::string> what, double value, const char* hint) {
    const char* name = call_.op == Op::bistop ? "BISTOP" : "IMPACT";
    found_.push_back({where_.offset, where_.length,
                      fmt::format("in {} {}", name, fmt::format(what, fmt::format("{:.4g}", value))), hint});
  }

  const Tape& tape_;
  const Instruction& call_;
  SourceRange where_;
  std::vector<ExprError>& found_;
};

}  // namespace

std::vector<ExprError> doubts(const Program& program) {
  std::vector<ExprError> found;
  const Tape& tape = program.tape();
  for (std::size_t k = 0; k < tape.code.size(); ++k) {
    const Op op = tape.code[k].op;
    if (op == Op::impact || op == Op::bistop) StopDoubts(tape, k, found).look();
  }
  return found;
}

}  // namespace trunnion::expr
