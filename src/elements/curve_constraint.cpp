#include "elements/curve_constraint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "elements/forms.hpp"

namespace trunnion::elements {
namespace {

using assembly::Evaluation;
using assembly::Kinematics;
using assembly::MatMap;
using assembly::Pullback;
using assembly::VecMap;
using math::hat;

// The curve's point from its RM's origin and its derivatives in the parameter, ground axes.
struct CurvePoint {
  std::array<Vec3, 4> d;  // ρ, ρ′, ρ″, ρ‴
};

CurvePoint curve_point(const CurveOnMarker& c, const Evaluation& at) {
  const double alpha = at.state.q[at.layout().block(c.parameter).pose_offset];
  std::array<math::Derivatives, 3> xyz;
  for (int i = 0; i < 3; ++i) xyz[i] = c.curve->derivatives(alpha, i);
  CurvePoint result;
  const Mat3& R = at.kinematics.marker(c.rm.marker).R;
  for (int k = 0; k < 4; ++k) result.d[k] = R * Vec3(xyz[0][k], xyz[1][k], xyz[2][k]);
  return result;
}

// A row over the element's columns with room for a parameter's own entries.
struct RowSpace {
  VecMap g;
  MatMap H;
  VecMap other;  // a spare row
};
RowSpace row_space(const Evaluation& at, int n, bool hessians) {
  return {at.scratch.vector(n), at.scratch.matrix(hessians ? n : 0, hessians ? n : 0), at.scratch.vector(n)};
}

// ±e·c(α) for a fixed direction e: the point p_RM + ρ(α).
void point_row(const CurveOnMarker& c, const CurvePoint& at_curve, const Vec3& e, const Kinematics& kin,
               Pullback& out, RowSpace& space) {
  const Vec3& rho = at_curve.d[0];
  const Vec3& rate = at_curve.d[1];
  const Vec3 tau = rho.cross(e);
  out.wrench(c.rm, e, tau);
  space.g[c.column] += e.dot(rate);
  if (!out.wants_partials()) return;
  out.curvature(c.rm, e, tau);
  const Mat3 turn = hat(e) * hat(rho);  // δ(ρ×e) = (δφ×ρ)×e
  out.partials(c.rm, c.rm, {.tau_turn = &turn});
  // Between α and the turn of the RM: e·(δφ × ρ′) = δφ·(ρ′ × e)
  space.other.setZero();
  Pullback mixed(kin, space.other);
  mixed.moment(c.rm, rate.cross(e));
  space.H.row(c.column) += space.other.transpose();
  space.H.col(c.column) += space.other;
  space.H(c.column, c.column) += e.dot(at_curve.d[2]);
}

void tangency_row(const Cvcv& c, const CurvePoint& ci, const CurvePoint& cj, const Kinematics& kin,
                  Pullback& out, RowSpace& space) {
  const Vec3 n = kin.marker(c.j.rm.marker).R * c.normal_J;
  const Vec3& t = ci.d[1];
  const Vec3 w = n.cross(cj.d[1]), w1 = n.cross(cj.d[2]), w2 = n.cross(cj.d[3]);
  const double s = c.scale;
  vector_vector_row(out, c.i.rm, t, c.j.rm, w, s);
  space.g[c.i.column] += s * ci.d[2].dot(w);
  space.g[c.j.column] += s * t.dot(w1);
  if (!out.wants_partials()) return;
  const auto mixed = [&](int column, const Vec3& a, const Vec3& b) {
    space.other.setZero();
    Pullback row(kin, space.other);
    vector_vector_row(row, c.i.rm, a, c.j.rm, b, s);
    space.H.row(column) += space.other.transpose();
    space.H.col(column) += space.other;
  };
  mixed(c.i.column, ci.d[2], w);
  mixed(c.j.column, t, w1);
  space.H(c.i.column, c.i.column) += s * ci.d[3].dot(w);
  space.H(c.j.column, c.j.column) += s * t.dot(w2);
  const double cross = s * ci.d[2].dot(w1);
  space.H(c.i.column, c.j.column) += cross;
  space.H(c.j.column, c.i.column) += cross;
}

CurveOnMarker make_curve(const math::Curve& curve, assembly::MarkerId rm, const core::Words& owner,
                         const char* name, assembly::Columns& columns, assembly::Layout& layout,
                         const assembly::MarkerTable& table) {
  CurveOnMarker c;
  c.curve = &curve;
  c.rm = columns.add(layout, table, rm);
  c.parameter = layout.add_scalars(assembly::Dynamics::second_order, owner, {{name, "1"}});
  c.column = columns.add(layout, c.parameter);
  return c;
}

void add_place_rows(const core::Words& owner, assembly::Layout& layout) {
  layout.add_row(owner, "x of I = x of the curve", assembly::kLength);
  layout.add_row(owner, "y of I = y of the curve", assembly::kLength);
  layout.add_row(owner, "z of I = z of the curve", assembly::kLength);
}

double tangent_length(const math::Curve& curve, double parameter) {
  return std::hypot(curve.derivatives(parameter, 0)[1], curve.derivatives(parameter, 1)[1],
                    curve.derivatives(parameter, 2)[1]);
}

}  // namespace

Ptcv make_ptcv(assembly::MarkerId i, const math::Curve& curve, assembly::MarkerId rm,
               const core::Words& owner, assembly::Layout& layout, const assembly::MarkerTable& table) {
  Ptcv ptcv;
  ptcv.i = ptcv.columns.add(layout, table, i);
  ptcv.j = make_curve(curve, rm, owner, "curve parameter", ptcv.columns, layout, table);
  ptcv.first_row = {layout.row_count()};
  add_place_rows(owner, layout);
  return ptcv;
}

Cvcv make_cvcv(const math::Curve& i_curve, assembly::MarkerId i_rm, double alpha, const math::Curve& j_curve,
               assembly::MarkerId j_rm, double beta, const math::Vec3& normal_J, const core::Words& owner,
               assembly::Layout& layout, const assembly::MarkerTable& table) {
  Cvcv cvcv;
  cvcv.i = make_curve(i_curve, i_rm, owner, "parameter of the I curve", cvcv.columns, layout, table);
  cvcv.j = make_curve(j_curve, j_rm, owner, "parameter of the J curve", cvcv.columns, layout, table);
  cvcv.normal_J = normal_J.normalized();
  const double size = tangent_length(i_curve, alpha) * tangent_length(j_curve, beta);
  cvcv.scale = size > 0.0 ? 1.0 / size : 1.0;
  cvcv.first_row = {layout.row_count()};
  add_place_rows(owner, layout);
  layout.add_row(owner, "tangents parallel", assembly::kNumber);
  return cvcv;
}

void evaluate(const Ptcv& c, const Evaluation& at, assembly::Sink& sink) {
  const assembly::Needs needs = sink.needs();
  if (!needs.constraints) return;
  const Kinematics& kin = at.kinematics;
  const CurvePoint cj = curve_point(c.j, at);
  const Vec3 d = offset(kin, c.i, c.j.rm) - cj.d[0];
  for (int k = 0; k < 3; ++k) {
    const assembly::Scratch::Frame frame(at.scratch);
    RowSpace space = row_space(at, c.columns.size(), needs.hessians);
    Pullback out(kin, space.g, space.H);
    const Vec3 e = Vec3::Unit(k);
    out.force(c.i, e);
    if (needs.hessians) out.curvature(c.i, e, Vec3::Zero());
    point_row(c.j, cj, -e, kin, out, space);
    sink.constraint({c.first_row.index + k},
                    {d[k], 0.0, 0.0, c.columns.blocks(), space.g, space.H, VecMap(nullptr, 0)});
  }
}

void evaluate(const Cvcv& c, const Evaluation& at, assembly::Sink& sink) {
  const assembly::Needs needs = sink.needs();
  if (!needs.constraints) return;
  const Kinematics& kin = at.kinematics;
  const CurvePoint ci = curve_point(c.i, at), cj = curve_point(c.j, at);
  const Vec3 d = offset(kin, c.i.rm, c.j.rm) + ci.d[0] - cj.d[0];
  for (int k = 0; k < 4; ++k) {
    const assembly::Scratch::Frame frame(at.scratch);
    RowSpace space = row_space(at, c.columns.size(), needs.hessians);
    Pullback out(kin, space.g, space.H);
    double phi = 0.0;
    if (k < 3) {
      point_row(c.i, ci, Vec3::Unit(k), kin, out, space);
      point_row(c.j, cj, -Vec3::Unit(k), kin, out, space);
      phi = d[k];
    } else {
      const Vec3 n = kin.marker(c.j.rm.marker).R * c.normal_J;
      tangency_row(c, ci, cj, kin, out, space);
      phi = c.scale * ci.d[1].dot(n.cross(cj.d[1]));
    }
    sink.constraint({c.first_row.index + k},
                    {phi, 0.0, 0.0, c.columns.blocks(), space.g, space.H, VecMap(nullptr, 0)});
  }
}

Wrench reaction(const Ptcv& c, const Evaluation& at, assembly::MarkerId on) {
  const assembly::Scratch::Frame frame(at.scratch);
  Wrench sum;
  const CurvePoint cj = curve_point(c.j, at);
  for (int k = 0; k < 3; ++k) {
    RowSpace space = row_space(at, c.columns.size(), false);
    assembly::WrenchTap tap = tap_at(at.kinematics, on);
    tap.about = at.kinematics.marker(c.j.rm.marker).p + cj.d[0];
    Pullback out(at.kinematics, space.g);
    out.listen(&tap);
    out.force(c.i, Vec3::Unit(k));
    point_row(c.j, cj, -Vec3::Unit(k), at.kinematics, out, space);
    add_reaction(tap, at.state.lambda[c.first_row.index + k], sum);
  }
  return sum;
}

Wrench reaction(const Cvcv& c, const Evaluation& at, assembly::MarkerId on) {
  const assembly::Scratch::Frame frame(at.scratch);
  Wrench sum;
  const CurvePoint ci = curve_point(c.i, at), cj = curve_point(c.j, at);
  for (int k = 0; k < 4; ++k) {
    RowSpace space = row_space(at, c.columns.size(), false);
    assembly::WrenchTap tap = tap_at(at.kinematics, on);
    tap.about = at.kinematics.marker(c.j.rm.marker).p + cj.d[0];
    Pullback out(at.kinematics, space.g);
    out.listen(&tap);
    if (k < 3) {
      point_row(c.i, ci, Vec3::Unit(k), at.kinematics, out, space);
      point_row(c.j, cj, -Vec3::Unit(k), at.kinematics, out, space);
    } else {
      tangency_row(c, ci, cj, at.kinematics, out, space);
    }
    add_reaction(tap, at.state.lambda[c.first_row.index + k], sum);
  }
  return sum;
}

double nearest_parameter(const math::Curve& curve, const Vec3& point) {
  const double low = curve.min_parameter(), high = curve.max_parameter();
  const auto at = [&](double alpha, int order) {
    Vec3 v;
    for (int i = 0; i < 3; ++i) v[i] = curve.derivatives(alpha, i)[order];
    return v;
  };
  // Fine enough for curves of some hundred pieces; Newton on ½|c − p|² does the rest.
  constexpr int kSamples = 1000;
  double best = low, distance = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= kSamples; ++k) {
    const double alpha = low + (high - low) * k / kSamples;
    const double d = (at(alpha, 0) - point).squaredNorm();
    if (d < distance) {
      distance = d;
      best = alpha;
    }
  }
  const double width = (high - low) / kSamples;
  for (int k = 0; k < 20; ++k) {
    const Vec3 d = at(best, 0) - point, d1 = at(best, 1), d2 = at(best, 2);
    const double slope = d.dot(d1), bend = d1.squaredNorm() + d.dot(d2);
    if (!(bend > 0.0)) break;
    const double step = std::clamp(-slope / bend, -width, width);
    double next = best + step;
    if (!curve.closed()) next = std::clamp(next, low, high);
    if (std::abs(next - best) <= 1e-15 * (high - low)) break;
    best = next;
  }
  return best;
}

}  // namespace trunnion::elements
