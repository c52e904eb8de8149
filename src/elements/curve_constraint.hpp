#pragma once
// PTCV and CVCV: a point, or a second curve, kept on a curve. The place on a curve is an unknown of its own, its parameter α (a
// block with one scalar and no mass): its balance row Gᵀλ = 0 says that the reaction has no part along the curve.
//
//   PTCV   p_I − c(α) = 0                             3 rows, 1 new unknown: two freedoms removed
//   CVCV   c_I(α) − c_J(β) = 0, t_I · (n × t_J) = 0   4 rows, 2 new unknowns: two freedoms removed
// c(α) = p_RM + R_RM c̄(α) in ground axes, t = R_RM c̄′, n the normal of J's curve, fixed in its RM. The last row is divided by
// |c̄_I′||c̄_J′| at the start so that its size is that of a sine. The curves of CVCV are planar and in one plane; parameters of a
// closed curve run on over its seam.
// Not modelled: lift-off.

#include <string>

#include "assembly/columns.hpp"
#include "assembly/evaluation.hpp"
#include "assembly/sink.hpp"
#include "elements/wrench.hpp"
#include "math/curve.hpp"

namespace trunnion::elements {

// A curve fixed in a marker's body, with its parameter.
struct CurveOnMarker {
  const math::Curve* curve = nullptr;  // outlives this
  assembly::Port rm;
  assembly::BlockId parameter;  // one scalar
  int column = -1;              // of the parameter among the element's columns
};

struct Ptcv {
  assembly::Port i;
  CurveOnMarker j;
  assembly::Columns columns;
  assembly::RowId first_row;  // x, y, z in ground axes
};

struct Cvcv {
  CurveOnMarker i, j;
  math::Vec3 normal_J = math::Vec3::UnitZ();  // in the axes of J's RM
  double scale = 1.0;                         // of the tangency row
  assembly::Columns columns;
  assembly::RowId first_row;  // x, y, z, tangency
};

// The parameter blocks are added to the layout with the rows.
Ptcv make_ptcv(assembly::MarkerId i, const math::Curve& curve, assembly::MarkerId rm,
               const core::Words& owner, assembly::Layout& layout, const assembly::MarkerTable& table);
// alpha and beta: the parameters at the start, for the scale.
Cvcv make_cvcv(const math::Curve& i_curve, assembly::MarkerId i_rm, double alpha, const math::Curve& j_curve,
               assembly::MarkerId j_rm, double beta, const math::Vec3& normal_J, const core::Words& owner,
               assembly::Layout& layout, const assembly::MarkerTable& table);

void evaluate(const Ptcv& ptcv, const assembly::Evaluation& at, assembly::Sink& sink);
void evaluate(const Cvcv& cvcv, const assembly::Evaluation& at, assembly::Sink& sink);

// On the body of marker `on` (I, or the RM), about the point of contact.
Wrench reaction(const Ptcv& ptcv, const assembly::Evaluation& at, assembly::MarkerId on);
Wrench reaction(const Cvcv& cvcv, const assembly::Evaluation& at, assembly::MarkerId on);

// The parameter nearest to a point given in the RM's axes, by sampling and Newton; for start values.
double nearest_parameter(const math::Curve& curve, const math::Vec3& point);

}  // namespace trunnion::elements
