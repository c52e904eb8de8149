#include "elements/joint.hpp"

#include "elements/forms.hpp"
#include "elements/joint_modal.hpp"
#include "elements/joint_rigid.hpp"

namespace trunnion::elements {
namespace {

using assembly::Evaluation;
using assembly::Kinematics;
using assembly::kLength;
using assembly::kNumber;
using assembly::MatMap;
using assembly::Pullback;
using assembly::RowId;
using assembly::RowShape;
using assembly::VecMap;

constexpr PrimitiveRow kX{Primitive::coincide, 0, 0, "x of I = x of J", kLength, "translation along x"};
constexpr PrimitiveRow kY{Primitive::coincide, 1, 0, "y of I = y of J", kLength, "translation along y"};
constexpr PrimitiveRow kZ{Primitive::coincide, 2, 0, "z of I = z of J", kLength, "translation along z"};
// z × x = y, and so on: what keeps two axes perpendicular stops the turn about the third.
constexpr PrimitiveRow kZX{Primitive::dot1, 2, 0, "z_I·x_J = 0", kNumber, "rotation about y"};
constexpr PrimitiveRow kZY{Primitive::dot1, 2, 1, "z_I·y_J = 0", kNumber, "rotation about x"};
constexpr PrimitiveRow kXY{Primitive::dot1, 0, 1, "x_I·y_J = 0", kNumber, "rotation about z"};
constexpr PrimitiveRow kZZ{Primitive::dot1, 2,       2,
                           "z_I·z_J = 0",   kNumber, "rotation about the normal of both z axes"};
constexpr PrimitiveRow kArms{Primitive::dot1, 0,       1,
                             "x_I·y_J = 0",   kNumber, "rotation about the normal of the cross"};
constexpr PrimitiveRow kAlongX{Primitive::dot2, 0, 0, "x_J·(I−J) = 0", kLength, "translation along x"};
constexpr PrimitiveRow kAlongY{Primitive::dot2, 1, 0, "y_J·(I−J) = 0", kLength, "translation along y"};
constexpr PrimitiveRow kAlongZ{Primitive::dot2, 2, 0, "z_J·(I−J) = 0", kLength, "translation along z"};
constexpr PrimitiveRow kMirror{Primitive::mirror,       0,       1,
                               "x_I·y_J + y_I·x_J = 0", kNumber, "unequal spin about the shafts"};

constexpr PrimitiveRow kRevolute[] = {kX, kY, kZ, kZX, kZY};
constexpr PrimitiveRow kTranslational[] = {kAlongX, kAlongY, kZX, kZY, kXY};
constexpr PrimitiveRow kCylindrical[] = {kAlongX, kAlongY, kZX, kZY};
constexpr PrimitiveRow kSpherical[] = {kX, kY, kZ};
constexpr PrimitiveRow kUniversal[] = {kX, kY, kZ, kZZ};
constexpr PrimitiveRow kHooke[] = {kX, kY, kZ, kArms};
constexpr PrimitiveRow kFixed[] = {kX, kY, kZ, kZX, kZY, kXY};
constexpr PrimitiveRow kPlanar[] = {kAlongZ, kZX, kZY};
constexpr PrimitiveRow kConvel[] = {kX, kY, kZ, kMirror};
constexpr PrimitiveRow kInline[] = {kAlongX, kAlongY};
constexpr PrimitiveRow kInplane[] = {kAlongZ};
constexpr PrimitiveRow kOrientation[] = {kZX, kZY, kXY};
constexpr PrimitiveRow kParallelAxes[] = {kZX, kZY};
constexpr PrimitiveRow kPerpendicular[] = {kZZ};

double residual(const PrimitiveRow& row, const Kinematics& kin, const Port& i, const Port& j) {
  switch (row.kind) {
    case Primitive::coincide: return offset(kin, i, j)[row.a];
    case Primitive::dot1: return axis(kin, i, row.a).dot(axis(kin, j, row.b));
    case Primitive::dot2: return axis(kin, j, row.a).dot(offset(kin, i, j));
    case Primitive::mirror: break;
  }
  return axis(kin, i, 0).dot(axis(kin, j, 1)) + axis(kin, i, 1).dot(axis(kin, j, 0));
}

void derivatives(const PrimitiveRow& row, const Kinematics& kin, const Port& i, const Port& j,
                 Pullback& out) {
  switch (row.kind) {
    case Primitive::coincide: return axis_offset_row(out, kin, assembly::kGroundPort, row.a, i, j, 1.0);
    case Primitive::dot1: return axis_axis_row(out, kin, i, row.a, j, row.b, 1.0);
    case Primitive::dot2: return axis_offset_row(out, kin, j, row.a, i, j, 1.0);
    case Primitive::mirror:
      axis_axis_row(out, kin, i, 0, j, 1, 1.0);
      axis_axis_row(out, kin, i, 1, j, 0, 1.0);
      return;
  }
}

RowShape shape(Primitive kind, const assembly::Columns& columns) {
  if (!columns.shifts_by_translations()) return RowShape::general;
  switch (kind) {
    case Primitive::coincide: return RowShape::coincidence;
    case Primitive::dot1:
    case Primitive::mirror: return RowShape::orientation;
    case Primitive::dot2: break;
  }
  return RowShape::general;
}

}  // namespace

std::span<const PrimitiveRow> joint_rows(JointType type) {
  switch (type) {
    case JointType::revolute: return kRevolute;
    case JointType::translational: return kTranslational;
    case JointType::cylindrical: return kCylindrical;
    case JointType::spherical:
    case JointType::atpoint: return kSpherical;
    case JointType::universal: return kUniversal;
    case JointType::hooke: return kHooke;
    case JointType::fixed: return kFixed;
    case JointType::planar: return kPlanar;
    case JointType::convel: return kConvel;
    case JointType::inline_: return kInline;
    case JointType::inplane: return kInplane;
    case JointType::orientation: return kOrientation;
    case JointType::parallel_axes: return kParallelAxes;
    case JointType::perpendicular: return kPerpendicular;
    case JointType::screw:
    case JointType::rackpin: break;
  }
  return {};
}

Joint make_joint(JointType type, assembly::MarkerId i, assembly::MarkerId j, const core::Words& owner,
                 assembly::Layout& layout, const assembly::MarkerTable& table) {
  Joint joint;
  joint.type = type;
  joint.i = joint.columns.add(layout, table, i);
  joint.j = joint.columns.add(layout, table, j);
  joint.first_row = {layout.row_count()};
  for (const PrimitiveRow& row : joint_rows(type))
    layout.add_row(owner, row.equation, row.residual, assembly::RowLevel::position, row.removes);
  return joint;
}

void evaluate(const Joint& joint, const Evaluation& at, assembly::Sink& sink) {
  const assembly::Needs needs = sink.needs();
  if (!needs.constraints || evaluate_rigid(joint, at, sink) || evaluate_modal(joint, at, sink)) return;
  const assembly::Scratch::Frame frame(at.scratch);
  const int n = joint.columns.size(), h = needs.hessians ? n : 0;
  VecMap g(at.scratch.take(n), n);
  MatMap H(at.scratch.take(h * h), h, h);
  RowId row = joint.first_row;
  for (const PrimitiveRow& primitive : joint_rows(joint.type)) {
    g.setZero();
    H.setZero();
    Pullback out(at.kinematics, g, H);
    derivatives(primitive, at.kinematics, joint.i, joint.j, out);
    const double phi = residual(primitive, at.kinematics, joint.i, joint.j);
    sink.constraint(row, {phi, 0.0, 0.0, joint.columns.blocks(), g, H, VecMap(nullptr, 0),
                          shape(primitive.kind, joint.columns)});
    ++row.index;
  }
}

Wrench reaction(const Joint& joint, const Evaluation& at, assembly::MarkerId on) {
  const assembly::Scratch::Frame frame(at.scratch);
  VecMap unused = at.scratch.vector(joint.columns.size());
  Wrench sum;
  int row = joint.first_row.index;
  for (const PrimitiveRow& primitive : joint_rows(joint.type)) {
    assembly::WrenchTap tap = tap_at(at.kinematics, on);
    Pullback out(at.kinematics, unused);
    out.listen(&tap);
    derivatives(primitive, at.kinematics, joint.i, joint.j, out);
    add_reaction(tap, at.state.lambda[row++], sum);
  }
  return sum;
}

}  // namespace trunnion::elements
