#pragma once
// GCON: a function expression of measures, states and time kept at zero.
//
//   positions and time only:   φ(q, t) = E(m₁ … mₙ, t) = 0          a row of Φ
//   any velocity among them:   ψ(q, v, t) = E(m₁ … mₙ, t) = 0       a row of Ψ, linear in v or not
// All partials come from the expression's gradient and Hessian by the chain rule over the measures.
// An expression with accelerations, forces or anything else that is not known from (q, v, t) is refused.

#include <string>
#include <vector>

#include "assembly/sink.hpp"
#include "elements/function.hpp"
#include "elements/wrench.hpp"

namespace trunnion::elements {

struct Gcon {
  struct Item {
    Signal input;
    Scatter scatter;  // of a measure
    int column = -1;  // of a state
  };
  const expr::Program* program = nullptr;  // outlives this
  std::vector<Item> items;                 // one per program input
  Columns columns;
  assembly::RowId row;
  bool velocity = false;
};

// The inputs are in the order of program.inputs(). Measures of accelerations must have been refused before.
Gcon make_gcon(const expr::Program& program, std::vector<Signal> inputs, const core::Words& owner,
               assembly::Layout& layout);

void evaluate(const Gcon& gcon, const Evaluation& at, expr::Workspace& work, assembly::Sink& sink);

// On the body of marker `on`, about it.
Wrench reaction(const Gcon& gcon, const Evaluation& at, expr::Workspace& work, MarkerId on);

}  // namespace trunnion::elements
