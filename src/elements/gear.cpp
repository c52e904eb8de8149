#include "elements/gear.hpp"

#include <utility>

namespace trunnion::elements {
namespace {

// Σ wₖ mₖ + Σ p mₐ m_b
class Bilinear final : public Relation {
 public:
  struct Product {
    double weight = 0.0;
    Eigen::Index a = 0, b = 0;
  };
  std::vector<double> weights;
  std::vector<Product> products;

  Value at(const Vector& m, bool) const override {
    Value v;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      v.f += weights[k] * m[i];
      v.first[i] = weights[k];
    }
    for (const Product& p : products) {
      v.f += p.weight * m[p.a] * m[p.b];
      v.first[p.a] += p.weight * m[p.b];
      v.first[p.b] += p.weight * m[p.a];
      v.second(p.a, p.b) += p.weight;
      v.second(p.b, p.a) += p.weight;
    }
    return v;
  }
};

// Adds the terms of one wheel with its sign.
class Terms {
 public:
  Terms(MarkerId cv, const assembly::Layout& layout, const assembly::MarkerTable& table)
      : cv_(cv), layout_(layout), table_(table) {}

  void add(const GearSide& side, double sign) {
    const math::Vec3 m = side.r.cross(side.z);
    const double small = 1e-12 * (side.r.norm() + 1e-300);
    put(sign, make(MeasureKind::dz, 0, {side.wheel, side.carrier, cv_}));
    if (std::abs(m.z()) > small) {
      Measure turn = make(MeasureKind::az, 0, {side.i, side.j});
      turn.memory = side.memory;
      put(side.wheel == side.i ? sign * m.z() : -sign * m.z(), std::move(turn));
    }
    tilt(side, kZofX, sign * m.y(), -sign * side.z.x(), small);
    tilt(side, kZofY, -sign * m.x(), -sign * side.z.y(), small);
  }

  std::vector<WeightedMeasure> items;
  std::shared_ptr<Bilinear> relation = std::make_shared<Bilinear>();

 private:
  // z_W·x_C and z_W·y_C among the direction cosines.
  static constexpr int kZofX = 6, kZofY = 7;

  Measure make(MeasureKind kind, int component, const MeasureMarkers& markers) const {
    return make_measure(kind, component, markers, layout_, table_);
  }
  Eigen::Index put(double weight, Measure measure) {
    relation->weights.push_back(weight);
    items.push_back({1.0, std::move(measure)});
    return static_cast<Eigen::Index>(items.size()) - 1;
  }
  // (weight + by_travel q) · cosine
  void tilt(const GearSide& side, int cosine, double weight, double by_travel, double small) {
    const bool moves = side.travels && std::abs(by_travel) > 1e-12;
    if (std::abs(weight) <= small && !moves) return;
    const Eigen::Index a =
        put(weight, make(MeasureKind::direction_cosine, cosine, {side.wheel, side.carrier}));
    if (!moves) return;
    const Eigen::Index b = put(0.0, make(MeasureKind::dz, 0, {side.wheel, side.carrier, side.carrier}));
    relation->products.push_back({by_travel, a, b});
  }

  MarkerId cv_;
  const assembly::Layout& layout_;
  const assembly::MarkerTable& table_;
};

}  // namespace

MeasureRow make_gear(const std::array<GearSide, 2>& sides, MarkerId cv, const core::Words& owner,
                     assembly::Layout& layout, const assembly::MarkerTable& table) {
  Terms terms(cv, layout, table);
  terms.add(sides[0], 1.0);
  terms.add(sides[1], -1.0);
  MeasureRow row = make_measure_row(std::move(terms.items), 0, -1, owner, "equal pitch-point velocity",
                                    assembly::kLength, layout);
  row.relation = std::move(terms.relation);
  return row;
}

}  // namespace trunnion::elements
