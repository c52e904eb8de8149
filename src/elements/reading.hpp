#pragma once
// A force read back by an expression: SFORCE(id, jflag, comp, rm), JOINT(…), FX(i, j, k) and the like, as an unknown of its own.
//
//   w − e·V = 0,   V = Σ force (comp 1 … 4) or torque (5 … 8) of the sources on one side
// e is x, y or z of marker rm, or V/|V| for the magnitudes (comp 1 and 5; at V = 0 they have a corner: no partials).
// A load gives V with partials in q, v, a, states. A constraint's reaction is −λ g on the body's unknowns: its partials in λ are
// exact from g, those in q from H (∂g/∂q), which every constraint emits anyway; no constraint knows about readings.
// Because w is an unknown, an expression that feeds a force from its own value is solved, not substituted.
//
// On a body: (force, torque about marker `on`) from its row part, by the motion (δx, δφ)ₖ of its frame with each entry k:
//   F = Σ gₖ δxₖ ,  Σ gₖ δφₖ + (x − p_on) × F     summed over the blocks that carry `on`.
// On ground: minus the sum over all the bodies of the constraint.
// Limits: of planar parts and point masses only the components their rows hold are seen. Contacts of curves act at a point: their
// torque about it is zero.

#include <variant>
#include <vector>

#include "elements/curve_constraint.hpp"
#include "elements/gcon.hpp"
#include "elements/joint.hpp"
#include "elements/load.hpp"
#include "elements/measure_row.hpp"

namespace trunnion::elements {

struct ReadingSource {
  // Outlive this.
  std::variant<const Load*, const Joint*, const MeasureRow*, const Gcon*, const Ptcv*, const Cvcv*> element;
  MarkerId on;        // the constraint's marker on the side that is read
  bool on_j = false;  // the load's side
};

struct Reading {
  struct Source {
    ReadingSource source;
    Port on;          // of a constraint
    Scatter scatter;  // from a load's columns
    int first_row = 0;
    int row_count = 0;  // of a constraint, among `rows`
  };
  assembly::BlockId block;  // one algebraic scalar
  int component = 1;        // 1 … 8 = |F| Fx Fy Fz |T| Tx Ty Tz
  Port rm;
  std::vector<Source> sources;
  std::vector<assembly::RowId> rows;  // whose multipliers are read
  Columns columns;
  Dependence dependence;
  double scale = 1.0;  // from the solver's unit of force to the model's
};

Reading make_reading(assembly::BlockId block, const std::vector<ReadingSource>& sources, int component,
                     MarkerId rm, const assembly::Layout& layout, const assembly::MarkerTable& table);

void evaluate(const Reading& reading, const Evaluation& at, expr::Workspace& work, assembly::Sink& sink);

}  // namespace trunnion::elements
