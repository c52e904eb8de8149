// Every measure: its partials of first and second order against differences, its value against formulas of its own.

#include "elements/measure.hpp"

#include <gtest/gtest.h>

#include "elements/composition.hpp"
#include "elements/difference.hpp"
#include "elements/example.hpp"

namespace trunnion::elements::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kEps = Eigen::NumTraits<double>::epsilon();

// Which bodies the four markers i, j, k, l sit on.
struct Places {
  const char* name;
  Owner owner[4];
  int body[4];  // markers with equal numbers share a body
};
constexpr Places kPlaces[] = {
    {"four_rigid", {Owner::rigid, Owner::rigid, Owner::rigid, Owner::rigid}, {0, 1, 2, 3}},
    {"resolved_in_j", {Owner::rigid, Owner::rigid, Owner::rigid, Owner::rigid}, {0, 1, 1, 1}},
    {"ground", {Owner::rigid, Owner::ground, Owner::ground, Owner::ground}, {0, 1, 2, 3}},
    {"mixed", {Owner::planar, Owner::rigid, Owner::planar, Owner::rigid}, {0, 1, 2, 3}},
    {"points", {Owner::point, Owner::rigid, Owner::rigid, Owner::planar}, {0, 1, 1, 2}},
    {"modal_and_between", {Owner::modal, Owner::between, Owner::between, Owner::modal}, {0, 1, 2, 3}},
    {"between_and_modal", {Owner::between, Owner::modal, Owner::between, Owner::between}, {0, 1, 1, 2}},
    {"ground_i", {Owner::ground, Owner::rigid, Owner::planar, Owner::ground}, {0, 1, 2, 3}},
};

struct Case {
  MeasureKind kind;
  int component;
  const Places* places;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (int k = 0; k < kMeasureKinds; ++k) {
    const auto kind = static_cast<MeasureKind>(k);
    const int components = kind == MeasureKind::euler_parameter    ? 4
                           : kind == MeasureKind::direction_cosine ? 9
                                                                   : 1;
    for (int c = 0; c < components; ++c) {
      for (const Places& p : kPlaces) all.push_back({kind, c, &p});
    }
  }
  return all;
}

class EveryMeasure : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const Places& p = *GetParam().places;
    BlockId bodies[4];
    for (int m = 0; m < 4; ++m) {
      int same = -1;
      for (int o = 0; o < m; ++o) {
        if (p.body[o] == p.body[m]) same = o;
      }
      bodies[m] = same >= 0 ? bodies[same] : e.body(p.owner[m]);
      at[m] = e.marker(bodies[m]);
    }
    e.finish();
    measure = make_measure(GetParam().kind, GetParam().component, {at[0], at[1], at[2], at[3]}, e.layout,
                           e.markers);
    n = e.layout.size();
  }

  struct Full {
    double value;
    VectorXd level[3];
    MatrixXd qq, vq, vv;
  };
  // Over all columns of the system.
  Full full(const State& s, Order order) {
    assembly::Kinematics kin(e.layout, e.markers);
    kin.update(s);
    assembly::Scratch scratch;
    const MeasureResult m = evaluate(measure, {s, kin, scratch, assembly::AnalysisMode::dynamics}, order);
    Full f;
    f.value = m.value;
    for (auto& l : f.level) l = VectorXd::Zero(n);
    f.qq = f.vq = f.vv = MatrixXd::Zero(n, n);
    const auto blocks = measure.columns.blocks();
    const auto offsets = measure.columns.offsets();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const assembly::Block& row = e.layout.block(blocks[b]);
      const VecMap* parts[3] = {&m.q, &m.v, &m.a};
      for (int l = 0; l < 3; ++l) {
        if (parts[l]->size() != 0)
          f.level[l].segment(row.offset, row.size) = parts[l]->segment(offsets[b], row.size);
      }
      for (std::size_t c = 0; c < blocks.size(); ++c) {
        const assembly::Block& col = e.layout.block(blocks[c]);
        const auto copy = [&](const MatMap& from, MatrixXd& to) {
          if (from.size() != 0)
            to.block(row.offset, col.offset, row.size, col.size) =
                from.block(offsets[b], offsets[c], row.size, col.size);
        };
        copy(m.qq, f.qq);
        copy(m.vq, f.vq);
        copy(m.vv, f.vv);
      }
    }
    return f;
  }

  Example e{3};
  MarkerId at[4];
  Measure measure;
  int n = 0;
};

TEST_P(EveryMeasure, PartialsAreTheDifferences) {
  const Level top = measure_level(GetParam().kind);
  for (int trial = 0; trial < 2; ++trial) {
    const State s = e.random_state();
    const Full f = full(s, Order::second);
    const Full g = full(s, Order::first);
    EXPECT_EQ(f.value, full(s, Order::value).value);
    for (int l = 0; l < 3; ++l)
      EXPECT_LE((f.level[l] - g.level[l]).norm(), 64 * kEps * (1.0 + f.level[l].norm()));
    for (int j = 0; j < n; ++j) {
      for (int l = 0; l <= static_cast<int>(top); ++l) {
        const Difference d = differentiate([&](double h) {
          State p = s;
          if (l == 0) assembly::retract(e.layout, s.q, h * VectorXd::Unit(n, j), p.q);
          else (l == 1 ? p.v : p.a)[j] += h;
          const Full x = full(p, Order::first);
          VectorXd all(1 + 2 * n);
          all << x.value, x.level[0], x.level[1];
          return all;
        });
        // The row of ∂/∂q has second partials in q for positions; that of ∂/∂v in q and v for velocities.
        VectorXd exact = d.value;
        exact[0] = f.level[l][j];
        if (top == Level::q) exact.segment(1, n) = f.qq.col(j);
        if (top == Level::v) exact.tail(n) = l == 0 ? f.vq.col(j) : f.vv.col(j);
        ASSERT_EQ(compare(d, exact), "") << "level " << l << ", " << e.layout.column_name(j);
      }
    }
  }
}

// Without unknowns: the value, and the rate along the motion, which is ∂/∂q q̇ + ∂/∂v q̈. Either is a sum of a few products.
TEST_P(EveryMeasure, ValueAndRateNeedNoUnknowns) {
  const State s = e.random_state();
  const Full f = full(s, Order::first);
  assembly::Kinematics kin(e.layout, e.markers);
  kin.update(s);
  assembly::Scratch scratch;
  const Evaluation now{s, kin, scratch, assembly::AnalysisMode::dynamics};
  const double size =
      1.0 + std::abs(f.value) + f.level[0].norm() * s.v.norm() + f.level[1].norm() * s.a.norm();
  EXPECT_NEAR(value(measure, now), f.value, 64 * kEps * size);
  if (measure_level(measure.kind) == Level::a) EXPECT_TRUE(std::isnan(rate(measure, now)));
  else EXPECT_NEAR(rate(measure, now), f.level[0].dot(s.v) + f.level[1].dot(s.a), 64 * kEps * size);
}

INSTANTIATE_TEST_SUITE_P(Measures, EveryMeasure, ::testing::ValuesIn(cases()), [](const auto& one) {
  return std::string(measure_name(one.param.kind)) + "_" + std::to_string(one.param.component) + "_" +
         one.param.places->name;
});

class MeasureValues : public ::testing::Test {
 protected:
  MeasureValues() {
    for (MarkerId& m : at) m = e.marker(e.body(Owner::rigid));
    e.finish();
    kin = std::make_unique<assembly::Kinematics>(e.layout, e.markers);
    kin->update(e.state);
  }
  double value(MeasureKind kind, int component = 0, MeasureMarkers m = {}) {
    if (m.i == MarkerTable::kGroundMarker) m = {at[0], at[1], at[2], at[3]};
    const Measure measure = make_measure(kind, component, m, e.layout, e.markers);
    return evaluate(measure, {e.state, *kin, scratch, assembly::AnalysisMode::dynamics}, Order::value).value;
  }
  Mat3 relative() const { return kin->marker(at[1]).R.transpose() * kin->marker(at[0]).R; }

  Example e{5};
  MarkerId at[4];
  std::unique_ptr<assembly::Kinematics> kin;
  assembly::Scratch scratch;
};

constexpr double kRounding = 256 * kEps;

TEST_F(MeasureValues, AnglesAreThoseOfTheRotation) {
  const math::EulerAngles b313 = math::euler_313(relative()), b321 = math::euler_321(relative()),
                          b123 = math::euler_123(relative());
  EXPECT_NEAR(value(MeasureKind::psi), b313.first, kRounding);
  EXPECT_NEAR(value(MeasureKind::theta), b313.second, kRounding);
  EXPECT_NEAR(value(MeasureKind::phi), b313.third, kRounding);
  EXPECT_NEAR(value(MeasureKind::yaw), b321.first, kRounding);
  EXPECT_NEAR(value(MeasureKind::pitch), -b321.second, kRounding);
  EXPECT_NEAR(value(MeasureKind::roll), b321.third, kRounding);
  EXPECT_NEAR(value(MeasureKind::b1), b123.first, kRounding);
  EXPECT_NEAR(value(MeasureKind::b2), b123.second, kRounding);
  EXPECT_NEAR(value(MeasureKind::b3), b123.third, kRounding);
  Quat q(relative());
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  EXPECT_NEAR(value(MeasureKind::euler_parameter, 0), q.w(), kRounding);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(value(MeasureKind::euler_parameter, c + 1), q.vec()[c], kRounding);
  for (int c = 0; c < 9; ++c)
    EXPECT_NEAR(value(MeasureKind::direction_cosine, c), relative()(c % 3, c / 3), kRounding);
}

TEST_F(MeasureValues, PureTurnsAreTheirAngle) {
  const double angle = 0.7;
  for (int axis = 0; axis < 3; ++axis) {
    Example x(9);
    const BlockId b = x.body(Owner::rigid);
    const MarkerId i = x.markers.add({b, Vec3::Zero(), Mat3::Identity()});
    x.finish();
    assembly::set_pose(x.layout, b, {Vec3::Zero(), math::so3_exp_quat(angle * Vec3::Unit(axis))}, x.state.q);
    assembly::Kinematics k(x.layout, x.markers);
    k.update(x.state);
    for (int other = 0; other < 3; ++other) {
      const auto kind = static_cast<MeasureKind>(static_cast<int>(MeasureKind::ax) + other);
      const Measure m = make_measure(kind, 0, {i, MarkerTable::kGroundMarker}, x.layout, x.markers);
      EXPECT_NEAR(evaluate(m, {x.state, k, scratch, assembly::AnalysisMode::dynamics}, Order::value).value,
                  other == axis ? angle : 0.0, kRounding);
    }
  }
}

TEST_F(MeasureValues, DistancesAndIncludedAngle) {
  const Vec3 d = kin->marker(at[0]).p - kin->marker(at[1]).p, f = kin->marker(at[2]).p - kin->marker(at[1]).p;
  EXPECT_NEAR(value(MeasureKind::dm), d.norm(), kRounding);
  EXPECT_NEAR(value(MeasureKind::dy), kin->marker(at[2]).R.col(1).dot(d), kRounding);
  EXPECT_NEAR(value(MeasureKind::incang), std::acos(d.dot(f) / (d.norm() * f.norm())), kRounding);
}

// Rates of measures along a motion with constant body velocities are the velocity measures, and so on.
TEST_F(MeasureValues, RatesInTheNamedFrame) {
  const auto along = [&](MeasureKind kind, MeasureMarkers m) {
    return differentiate([&, m](double h) {
      State s = e.state;
      // x and ω over time h with the state's v and a: ω(h) = ω + α h; the turn to third order is enough for a rate at h = 0.
      VectorXd d = h * e.state.v + 0.5 * h * h * e.state.a;
      assembly::retract(e.layout, e.state.q, d, s.q);
      s.v = e.state.v + h * e.state.a;
      assembly::Kinematics k(e.layout, e.markers);
      k.update(s);
      assembly::Scratch own;
      const Measure measure = make_measure(kind, 0, m, e.layout, e.markers);
      return VectorXd::Constant(
          1, evaluate(measure, {s, k, own, assembly::AnalysisMode::dynamics}, Order::value).value);
    });
  };
  const auto expect = [&](MeasureKind rate, MeasureMarkers of_rate, MeasureKind kind, MeasureMarkers m) {
    EXPECT_EQ(compare(along(kind, m), VectorXd::Constant(1, value(rate, 0, of_rate))), "")
        << measure_name(rate);
  };
  for (int c = 0; c < 3; ++c) {
    const auto of = [c](MeasureKind x) { return static_cast<MeasureKind>(static_cast<int>(x) + c); };
    // In a frame whose axes the components are taken along, the component's rate is the component of the rate.
    const MeasureMarkers in_l = {at[0], at[1], at[3], at[3]};
    expect(of(MeasureKind::vx), in_l, of(MeasureKind::dx), in_l);
    expect(of(MeasureKind::accx), in_l, of(MeasureKind::vx), in_l);
    expect(of(MeasureKind::wdtx), in_l, of(MeasureKind::wx), in_l);
    const MeasureMarkers ground = {at[0], at[1]};
    expect(of(MeasureKind::accx), ground, of(MeasureKind::vx), ground);
    expect(of(MeasureKind::wdtx), ground, of(MeasureKind::wx), ground);
  }
  expect(MeasureKind::vr, {at[0], at[1]}, MeasureKind::dm, {at[0], at[1]});
}

TEST_F(MeasureValues, MagnitudesAreThoseOfTheComponents) {
  const auto length = [&](MeasureKind x) {
    const auto c = [&](int k) { return value(static_cast<MeasureKind>(static_cast<int>(x) + k)); };
    return std::hypot(c(0), c(1), c(2));
  };
  EXPECT_NEAR(value(MeasureKind::vm), length(MeasureKind::vx), kRounding);
  EXPECT_NEAR(value(MeasureKind::wm), length(MeasureKind::wx), kRounding);
  EXPECT_NEAR(value(MeasureKind::accm), length(MeasureKind::accx), 8 * kRounding);
  EXPECT_NEAR(value(MeasureKind::wdtm), length(MeasureKind::wdtx), 8 * kRounding);
}

TEST_F(MeasureValues, NamesAreTheLanguages) {
  EXPECT_EQ(measure_kind("WDTZ"), MeasureKind::wdtz);
  EXPECT_EQ(measure_kind("INCANG"), MeasureKind::incang);
  EXPECT_FALSE(measure_kind("ORIENT").has_value());
  for (int k = 0; k < kMeasureKinds; ++k) {
    EXPECT_EQ(measure_kind(measure_name(static_cast<MeasureKind>(k))), static_cast<MeasureKind>(k));
  }
}

TEST(Unwrap, FollowsTurns) {
  double last = 0.0;
  for (int k = 1; k < 1000; ++k) {
    const double angle = 0.37 * k;
    last = unwrap(std::remainder(angle, 2.0 * M_PI), last);
    ASSERT_NEAR(last, angle, 1000 * kEps * angle);
  }
  for (int k = 999; k >= -1000; --k) last = unwrap(std::remainder(0.37 * k, 2.0 * M_PI), last);
  EXPECT_NEAR(last, -370.0, 1e6 * kEps);
}

TEST(Compositions, CornersHaveNoPartials) {
  EXPECT_EQ(root_of(0.0).first[0], 0.0);
  EXPECT_EQ(length_of(0, 0, 0).second[1][1], 0.0);
  EXPECT_EQ(arc_tangent_of(0, 0).first[0], 0.0);
  EXPECT_EQ(arc_sine_of(1.0 + kEps).value, std::asin(1.0));
  EXPECT_EQ(arc_sine_of(1.0).first[0], 0.0);
  EXPECT_EQ(included_angle_of(1, 1, 1).value, 0.0);
  EXPECT_EQ(included_angle_of(1, 1, 1).first[0], 0.0);
}

}  // namespace
}  // namespace trunnion::elements::test
