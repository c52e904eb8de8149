#include "elements/measure_row.hpp"

#include <cassert>
#include <utility>

namespace trunnion::elements {
namespace {

bool is_orientation(MeasureKind kind) {
  return (kind >= MeasureKind::ax && kind <= MeasureKind::rack) || kind == MeasureKind::euler_parameter ||
         kind == MeasureKind::direction_cosine;
}

// The relation at the values the measures have.
Relation::Value relate(const MeasureRow& row, const Evaluation& at, bool second) {
  Relation::Vector m = Relation::Vector::Zero();
  Eigen::Index k = 0;
  for (const MeasureRow::Item& item : row.items) {
    const assembly::Scratch::Frame inner(at.scratch);
    m[k++] = evaluate(item.measure, at, Order::value).value;
  }
  return row.relation->at(m, second);
}

void evaluate_related(const MeasureRow& row, const Evaluation& at, bool second, assembly::Sink& sink) {
  const Relation::Value r = relate(row, at, second);
  const int n = row.columns.size();
  VecMap g = at.scratch.vector(n);
  MatMap H = at.scratch.matrix(second ? n : 0, second ? n : 0);
  const auto count = static_cast<Eigen::Index>(row.items.size());
  MatMap rows = at.scratch.matrix(n, count);  // gₖ
  Eigen::Index k = 0;
  for (const MeasureRow::Item& item : row.items) {
    const assembly::Scratch::Frame inner(at.scratch);
    const MeasureResult m = evaluate(item.measure, at, second ? Order::second : Order::first);
    item.scatter.add(1.0, m.q, VecMap(rows.col(k).data(), n));
    if (second) item.scatter.add(r.first[k], m.qq, H);
    ++k;
  }
  g.noalias() += rows.lazyProduct(r.first.head(count));
  for (Eigen::Index c = 0; second && c < n; ++c)
    H.col(c).noalias() +=
        rows.lazyProduct(r.second.topLeftCorner(count, count).lazyProduct(rows.row(c).transpose()));
  sink.constraint(row.row, {r.f, 0.0, 0.0, row.columns.blocks(), g, H, VecMap(nullptr, 0), row.shape});
}

}  // namespace

MeasureRow make_measure_row(std::vector<WeightedMeasure> items, double constant, int drive,
                            const core::Words& owner, const std::string& equation,
                            assembly::Measured residual, assembly::Layout& layout) {
  MeasureRow row;
  row.constant = constant;
  row.drive = drive;
  bool orientation = true;
  for (WeightedMeasure& item : items) {
    assert(measure_level(item.measure.kind) == Level::q);
    orientation =
        orientation && is_orientation(item.measure.kind) && item.measure.columns.shifts_by_translations();
    Scatter scatter(layout, item.measure.columns, row.columns);
    row.items.push_back({item.weight, std::move(item.measure), std::move(scatter)});
  }
  if (orientation) row.shape = assembly::RowShape::orientation;
  row.row = layout.add_row(owner, equation, residual);
  return row;
}

void evaluate(const MeasureRow& row, const Evaluation& at, assembly::Sink& sink) {
  const assembly::Needs needs = sink.needs();
  if (!needs.constraints) return;
  const assembly::Scratch::Frame frame(at.scratch);
  if (row.relation) return evaluate_related(row, at, needs.hessians, sink);
  const int n = row.columns.size();
  VecMap g = at.scratch.vector(n);
  MatMap H = at.scratch.matrix(needs.hessians ? n : 0, needs.hessians ? n : 0);
  math::Jet f;
  if (row.drive >= 0) f = at.drives[static_cast<std::size_t>(row.drive)];
  const double target = row.constant + f.value;
  // A drive says itself which turn it means.
  const bool driven_angle = row.drive >= 0 && row.items.size() == 1 && is_periodic(row.items[0].measure.kind);
  double phi = -target;
  for (const MeasureRow::Item& item : row.items) {
    const assembly::Scratch::Frame inner(at.scratch);
    const MeasureResult m = evaluate(item.measure, at, needs.hessians ? Order::second : Order::first);
    phi += item.weight * (driven_angle ? unwrap(m.value, target / item.weight) : m.value);
    item.scatter.add(item.weight, m.q, g);
    if (needs.hessians) item.scatter.add(item.weight, m.qq, H);
  }
  sink.constraint(row.row, {phi, -f.d1, -f.d2, row.columns.blocks(), g, H, VecMap(nullptr, 0), row.shape});
}

Wrench reaction(const MeasureRow& row, const Evaluation& at, MarkerId on) {
  const assembly::Scratch::Frame frame(at.scratch);
  assembly::WrenchTap tap = tap_at(at.kinematics, on);
  Relation::Value related;
  if (row.relation) related = relate(row, at, false);
  for (std::size_t k = 0; k < row.items.size(); ++k) {
    const MeasureRow::Item& item = row.items[k];
    const Measure& m = item.measure;
    // Of several joints between the same bodies only the one that has the marker counts.
    if (row.items.size() > 1 && m.i.marker != on && m.j.marker != on) continue;
    evaluate(m, at, Order::value, &tap,
             row.relation ? related.first[static_cast<Eigen::Index>(k)] : item.weight);
  }
  Wrench sum;
  add_reaction(tap, at.state.lambda[row.row.index], sum);
  return sum;
}

double rack_radius(double pitch_diameter, const math::Vec3& p_I, const math::Vec3& z_I, const math::Vec3& p_J,
                   const math::Vec3& z_J) {
  // The pitch point lies c from the pinion's centre towards the rack's line; it stands still when v + ω (z_I × c)·z_J = 0.
  const math::Vec3 d = p_J - p_I;
  const math::Vec3 c = d - z_J * (z_J.dot(d) / z_J.squaredNorm());
  const double side = z_I.cross(c).dot(z_J);
  const double size = 0.5 * pitch_diameter;
  return side > 1e-12 * d.norm() ? size : -size;
}

}  // namespace trunnion::elements
