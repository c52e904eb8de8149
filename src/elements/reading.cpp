#include "elements/reading.hpp"

#include <algorithm>

#include "assembly/chart.hpp"
#include "assembly/row_sink.hpp"
#include "elements/equation.hpp"
#include "elements/forms.hpp"

namespace trunnion::elements {
namespace {

using assembly::BlockId;
using assembly::RowId;
using assembly::Scratch;
using math::hat;

constexpr int kFirstTorque = 5;  // of the components 1 … 8

// V and its gradients over the reading's columns (columns × 3), and over the multipliers read (3 × rows).
struct Sum {
  Vec3 V = Vec3::Zero();
  std::array<MatMap, 3> by;
  MatMap by_lambda;
};

// Hears the rows of one constraint and adds the wrench they put on one side.
class Listener final : public assembly::RowSink {
 public:
  Listener(const Reading& reading, const Reading::Source& source, const Evaluation& at, Sum& sum)
      : RowSink(true), reading_(reading), at_(at), on_(source.source.on), next_(source.first_row), sum_(sum) {
    const auto& element = source.source.element;
    point_contact_ =
        std::holds_alternative<const Ptcv*>(element) || std::holds_alternative<const Cvcv*>(element);
  }

  void constraint(RowId row, const assembly::ConstraintRow& value) override {
    add(row, value.blocks, value.g, value.H, nullptr);
  }
  void velocity_constraint(RowId row, const assembly::VelocityRow& value) override {
    add(row, value.blocks, value.psi_v, value.H_q, &value.H_v);
  }

 private:
  using Map = assembly::TwistMap;

  void add(RowId row, std::span<const BlockId> blocks, assembly::VecRef g, assembly::MatRef H,
           const assembly::MatRef* H_v) {
    const double lambda = at_.state.lambda[row.index];
    const BlockId body = at_.kinematics.owner(on_);
    int first = 0;
    for (const BlockId id : blocks) {
      const assembly::Block& block = at_.layout().block(id);
      const bool counts = block.is_body() && (id == body || !body.valid());
      if (counts) add_body(id, block, first, blocks, g, H, H_v, lambda);
      first += block.size;
    }
    ++next_;
  }

  void add_body(BlockId id, const assembly::Block& block, int first, std::span<const BlockId> blocks,
                assembly::VecRef g, assembly::MatRef H, const assembly::MatRef* H_v, double lambda) {
    const bool ground = !at_.kinematics.owner(on_).valid();
    const double sign = ground ? 1.0 : -1.0;  // the reaction is −λ g; ground takes the opposite of the bodies
    const assembly::BodyMotion& motion = at_.kinematics.body(id);
    const Map S = assembly::twist_map(at_.layout(), block);
    const Eigen::Matrix<double, 6, 1> w = S * g.segment(first, block.size);
    // The reading's vector over (force, moment in body axes) of this body: U = P w.
    Eigen::Matrix<double, 3, 6> P = Eigen::Matrix<double, 3, 6>::Zero();
    const Vec3 d = motion.x - at_.kinematics.marker(on_).p;
    const bool torque = reading_.component >= kFirstTorque;
    if (torque && !point_contact_) P << hat(d), motion.R;
    if (!torque) P.leftCols<3>().setIdentity();
    const Vec3 U = P * w;
    sum_.V += sign * lambda * U;
    sum_.by_lambda.col(next_) += sign * U;
    int c = 0;
    for (const BlockId other : blocks) {
      const int width = at_.layout().block(other).size, o = column(other);
      for (int k = 0; k < width; ++k, ++c) {
        const Vec3 of_q = P * (S * H.col(c).segment(first, block.size));
        sum_.by[0].row(o + k) += sign * lambda * of_q.transpose();
        if (H_v == nullptr) continue;
        const Vec3 of_v = P * (S * H_v->col(c).segment(first, block.size));
        sum_.by[1].row(o + k) += sign * lambda * of_v.transpose();
      }
    }
    if (!torque || point_contact_) return;
    // P moves too: R with the body, d with the body against `on`, which sits on the same body or on ground.
    const Vec3 F = w.head<3>(), M = motion.R * w.tail<3>();
    for (int k = 0; k < block.size; ++k) {
      const Vec3 turn = motion.R * S.col(k).tail<3>();
      const Vec3 shift = ground ? Vec3(S.col(k).head<3>()) : Vec3(turn.cross(d));
      const Vec3 change = turn.cross(M) + shift.cross(F);
      sum_.by[0].row(column(id) + k) += sign * lambda * change.transpose();
    }
  }

  int column(BlockId block) const {
    const auto all = reading_.columns.blocks();
    const auto found = std::find(all.begin(), all.end(), block);
    return reading_.columns.offsets()[static_cast<std::size_t>(found - all.begin())];
  }

  const Reading& reading_;
  const Evaluation& at_;
  MarkerId on_;
  int next_;
  Sum& sum_;
  bool point_contact_ = false;
};

struct Extent {
  const Columns* columns;
  RowId first;
  int count;
  bool velocity = false;
};
Extent extent(const Joint& j) {
  return {&j.columns, j.first_row, static_cast<int>(joint_rows(j.type).size())};
}
Extent extent(const MeasureRow& r) { return {&r.columns, r.row, 1}; }
Extent extent(const Gcon& g) { return {&g.columns, g.row, 1, g.velocity}; }
Extent extent(const Ptcv& p) { return {&p.columns, p.first_row, 3}; }
Extent extent(const Cvcv& c) { return {&c.columns, c.first_row, 4}; }

void add_load(const Reading& reading, const Reading::Source& source, const Load& load, const Evaluation& at,
              expr::Workspace& work, Sum& sum) {
  const Scratch::Frame frame(at.scratch);
  const WrenchPartials w = wrench_partials(load, at, work, source.source.on_j);
  const bool torque = reading.component >= kFirstTorque;
  sum.V += torque ? w.value.torque : w.value.force;
  for (std::size_t l = 0; l < 3; ++l) {
    for (int axis = 0; axis < 3; ++axis) {
      const MatMap& from = torque ? w.torque[l] : w.force[l];
      source.scatter.add(1.0, VecMap(const_cast<double*>(from.col(axis).data()), from.rows()),
                         VecMap(sum.by[l].col(axis).data(), sum.by[l].rows()));
    }
  }
}

void add_source(const Reading& reading, const Reading::Source& source, const Evaluation& at,
                expr::Workspace& work, Sum& sum) {
  Listener listener(reading, source, at, sum);
  std::visit(
      [&](const auto* element) {
        using T = std::decay_t<decltype(*element)>;
        if constexpr (std::is_same_v<T, Load>) add_load(reading, source, *element, at, work, sum);
        else if constexpr (std::is_same_v<T, Gcon>) evaluate(*element, at, work, listener);
        else evaluate(*element, at, listener);
      },
      source.source.element);
}

}  // namespace

Reading make_reading(BlockId block, const std::vector<ReadingSource>& sources, int component, MarkerId rm,
                     const assembly::Layout& layout, const assembly::MarkerTable& table) {
  Reading r;
  r.block = block;
  r.component = component;
  r.columns.add(layout, block);  // its own column comes first
  r.dependence.add(r.columns, block, Level::q);
  const bool magnitude = component == 1 || component == kFirstTorque;
  if (!magnitude) {
    r.rm = r.columns.add(layout, table, rm);
    r.dependence.add(r.columns, table[rm].body, Level::q);
  }
  for (const ReadingSource& source : sources) {
    const auto depend = [&](const Columns& columns, auto levels) {
      for (std::size_t b = 0; b < columns.blocks().size(); ++b) {
        for (const Level level : kLevels) {
          if (levels(b, level)) r.dependence.add(r.columns, columns.blocks()[b], level);
        }
      }
    };
    std::visit(
        [&](const auto* element) {
          using T = std::decay_t<decltype(*element)>;
          Scatter scatter(layout, element->columns, r.columns);
          const auto first = static_cast<int>(r.rows.size());
          int count = 0;
          if constexpr (std::is_same_v<T, Load>) {
            depend(element->columns, [&](std::size_t b, Level l) { return element->dependence.has(b, l); });
          } else {
            const Extent e = extent(*element);
            count = e.count;
            for (int k = 0; k < count; ++k) r.rows.push_back({e.first.index + k});
            depend(*e.columns,
                   [&](std::size_t, Level l) { return l == Level::q || (l == Level::v && e.velocity); });
          }
          r.sources.push_back({source, std::move(scatter), first, count});
        },
        source.element);
  }
  return r;
}

void evaluate(const Reading& reading, const Evaluation& at, expr::Workspace& work, assembly::Sink& sink) {
  const assembly::Needs needs = sink.needs();
  if (!needs.residual && !needs.partials()) return;
  const Scratch::Frame frame(at.scratch);
  const Kinematics& kin = at.kinematics;
  const int n = reading.columns.size();
  const auto rows = static_cast<Eigen::Index>(reading.rows.size());
  Sum sum{Vec3::Zero(),
          {at.scratch.matrix(n, 3), at.scratch.matrix(n, 3), at.scratch.matrix(n, 3)},
          at.scratch.matrix(3, rows)};
  for (const Reading::Source& source : reading.sources) add_source(reading, source, at, work, sum);
  const bool torque = reading.component >= kFirstTorque;
  const int axis_of = torque ? reading.component - kFirstTorque - 1 : reading.component - 2;
  Vec3 e = Vec3::Zero();
  if (axis_of >= 0) e = axis(kin, reading.rm, axis_of);
  else if (sum.V.norm() > 0.0) e = sum.V.normalized();
  const assembly::Block& block = at.layout().block(reading.block);
  VecMap residual = at.scratch.vector(1);
  residual[0] = at.state.q[block.pose_offset] - reading.scale * e.dot(sum.V);
  std::array<MatMap, 3> by{at.scratch.matrix(n, 1), at.scratch.matrix(n, 1), at.scratch.matrix(n, 1)};
  for (std::size_t l = 0; l < 3; ++l) by[l].noalias() = -reading.scale * sum.by[l].lazyProduct(e);
  if (axis_of >= 0) {
    Pullback turned(kin, by[0].col(0));
    turned.moment(reading.rm, -reading.scale * e.cross(sum.V));
  }
  by[0](0, 0) += 1.0;
  emit(reading.block, reading.columns, reading.dependence, at, residual, by, sink);
  if (!needs.partials()) return;
  VecMap of_lambda = at.scratch.vector(1);
  for (Eigen::Index k = 0; k < rows; ++k) {
    of_lambda[0] = -reading.scale * e.dot(sum.by_lambda.col(k));
    sink.multiplier_partial(reading.block, reading.rows[static_cast<std::size_t>(k)], of_lambda);
  }
}

}  // namespace trunnion::elements
