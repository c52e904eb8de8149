#pragma once
// The compiled form of an expression: a flat list of instructions over numbered slots. Internal to src/expr.
//
// Slots hold the inputs, then the constants, then one slot per result; each is written once, so the reverse
// sweep finds every value it needs still in place. Slots of an IF's result are written by the branch that
// ran.
//
// IF is laid out as
//   branch  test; where the three blocks start and where the join is
//   begin … move … jump        (three blocks)
//   join
// The reverse sweep meets join first, asks the same test which block ran, and walks only that block.

#include <cstdint>
#include <vector>

#include "expr/functions.hpp"
#include "math/curve.hpp"
#include "math/spectrum.hpp"
#include "math/surface.hpp"

namespace trunnion::expr {

enum class Op : std::uint16_t {
  // two operands a, b; partials from values in the reverse sweep
  add,
  sub,
  mul,
  div,
  atan2,
  mod,
  sign,
  dim,
  max,
  min,
  neg,  // operand a
  // operand a; the partial is stored by the forward sweep
  abs,
  acos,
  aint,
  anint,
  asin,
  atan,
  ceil,
  cos,
  cosh,
  exp,
  floor,
  log,
  log10,
  sin,
  sinh,
  sqrt,
  tan,
  tanh,
  power_integer,   // exponent in `param` as a signed number
  power_constant,  // exponent in slot b, known not to vary
  // `count` operands listed from arguments[a]; `count` partials stored
  power,
  step,
  step5,
  havsin,
  impact,
  bistop,
  shf,
  poly,
  cheby,
  forcos,
  forsin,
  sweep,
  surface,
  curve,
  signal,  // `param` is the table
  // control
  branch,
  begin,
  move,
  jump,
  join,
};

struct Instruction {
  Op op;
  std::uint16_t count = 0;    // operands of a listed operation; result slots of a branch
  std::uint32_t dst = 0;      // slot of the result
  std::uint32_t a = 0;        // slot of the first operand, or start in the list of arguments
  std::uint32_t b = 0;        // slot of the second operand; control: see above
  std::uint32_t partial = 0;  // where the partials are stored
  std::uint32_t param = 0;
};
static_assert(sizeof(Instruction) == 24);

// Arguments of a branch, from arguments[b]: pc of the three blocks' first instruction, pc of the join.
// begin: a = pc of its branch. jump: a = pc of the join. join: a = test slot, b = pc of its branch,
// arguments[param …] = pc of the three blocks' last instruction. move: dst ← a.

// One use of a table, with the arguments that are not expressions.
struct TableUse {
  Function function = Function::kAKISPL;
  int id = 0;
  int order = 0;              // iord
  int component = 1;          // CURVE
  int method = 3;             // INTERP
  double f0 = 0.0, f1 = 0.0;  // INVPSD, as are the next three
  int count = 0;
  int logarithmic = 0;
  double seed = 0.0;

  bool operator==(const TableUse&) const = default;
};

struct SplineRange;

struct BoundTable {
  int order = 0;
  int component = 0;  // from 0
  const math::Surface* surface = nullptr;
  SplineRange* range = nullptr;  // of AKISPL and CUBSPL
  const math::Curve* curve = nullptr;
  math::SpectrumSignal signal;
};

struct SourceRange {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

struct Tape {
  std::vector<Instruction> code;
  std::vector<SourceRange> where;  // one per instruction
  std::vector<std::uint32_t> arguments;
  std::vector<double> constants;
  std::vector<std::uint32_t> outputs;  // slots
  std::uint32_t input_count = 0;
  std::uint32_t slot_count = 0;
  std::uint32_t partial_count = 0;
};

}  // namespace trunnion::expr
