// The automatic tests of every registered element: style guide, tests 1 to 4.

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "elements/dense_sink.hpp"
#include "elements/difference.hpp"
#include "elements/example.hpp"
#include "sparse/pattern.hpp"
#include "support/draws.hpp"

namespace trunnion::elements::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kEps = Eigen::NumTraits<double>::epsilon();

class Registered : public ::testing::TestWithParam<int> {
 protected:
  const Listed& listed() const { return registry()[static_cast<std::size_t>(GetParam())]; }
};

State moved(const Layout& layout, const State& s, const VectorXd& direction, double by) {
  State r = s;
  assembly::retract(layout, s.q, by * direction, r.q);
  return r;
}

// Whether the straight way through a state, `reach` to either side, stays on one side of every kink. Half-way points, too: a kink may
// be crossed twice.
template <class Path> bool smooth(const Example& e, const Path& path, double reach) {
  if (e.kinks.empty()) return true;
  const std::vector<bool> here = e.sides(path(0.0));
  for (const double part : {-1.0, -0.5, -0.1, 0.1, 0.5, 1.0}) {
    if (e.sides(path(part * reach)) != here) return false;
  }
  return true;
}

// φ, the balance and every row of G, stacked.
VectorXd stack(const Example& e, const State& s) {
  DenseSink k(e.layout, s, {true, false, false, false, true, false});
  e.evaluate(s, k);
  const int m = e.layout.row_count();
  VectorXd all(e.layout.size() + m + k.G.size());
  all << k.force, k.phi, Eigen::Map<const VectorXd>(k.G.data(), k.G.size());
  return all;
}

// An element with kinks is drawn more often: on either side of each of them, and at most directions no kink is within reach of the
// differences, or so near that they are coarse.
TEST_P(Registered, PartialsAreTheDifferences) {
  constexpr double kReach = 0.01;
  const bool kinked = !make(listed(), 1)->kinks.empty();
  int taken = 0, skipped = 0;
  std::vector<std::array<int, 2>> seen;  // of each kink, how often from either side
  for (unsigned seed = 1; seed <= (kinked ? 8u : 1u) * trunnion::test::draws(); ++seed) {
    const auto e = make(listed(), seed);
    const Layout& layout = e->layout;
    const int n = layout.size(), m = layout.row_count();
    const State s = e->random_state();
    DenseSink k(layout, s);
    e->evaluate(s, k);
    const std::vector<bool> sides = e->sides(s);
    seen.resize(sides.size(), {0, 0});
    for (std::size_t kink = 0; kink < sides.size(); ++kink) ++seen[kink][sides[kink] ? 1 : 0];
    for (int j = 0; j < n; ++j) {
      for (const Level level : {Level::q, Level::v, Level::a}) {
        const auto along = [&](double h) {
          State p = s;
          if (level == Level::q) p = moved(layout, s, VectorXd::Unit(n, j), h);
          else (level == Level::v ? p.v : p.a)[j] += h;
          return p;
        };
        if (!smooth(*e, along, kReach)) {
          ++skipped;
          continue;
        }
        ++taken;
        const Difference d = differentiate([&](double h) { return stack(*e, along(h)); });
        VectorXd exact = VectorXd::Zero(d.value.size());
        exact.head(n) = k.D[static_cast<int>(level)].col(j);
        for (int r = 0; r < m; ++r) {
          const bool velocity = layout.row({r}).level == assembly::RowLevel::velocity;
          const MatrixXd zero = MatrixXd::Zero(n, n);
          const MatrixXd& second = level == Level::q               ? k.H[r]
                                   : level == Level::v && velocity ? k.H_v[r]
                                                                   : zero;
          for (int i = 0; i < n; ++i) exact[n + m + i * m + r] = second(i, j);
          if (level == Level::q) exact[n + r] = velocity ? k.psi_q(r, j) : k.G(r, j);
          if (level == Level::v && velocity) exact[n + r] = k.G(r, j);
        }
        ASSERT_EQ(compare(d, exact), "")
            << "level " << static_cast<int>(level) << ", " << layout.column_name(j);
        // Differences that are not zero lie inside the announced pattern.
        for (int i = 0; i < n; ++i) {
          if (std::abs(d.value[i]) > d.tolerance[i]) {
            ASSERT_EQ(k.pattern(i, j), 1.0) << i << ", " << j;
          }
        }
        for (int r = 0; r < m && level == Level::q; ++r) {
          if (std::abs(d.value[n + r]) > d.tolerance[n + r]) {
            ASSERT_EQ(k.G_pattern(r, j), 1.0) << r << ", " << j;
          }
        }
      }
    }
  }
  EXPECT_LT(skipped, taken);
  if (trunnion::test::draws() == 1) return;  // one is on one side
  for (std::size_t kink = 0; kink < seen.size(); ++kink)
    EXPECT_TRUE(seen[kink][0] > 0 && seen[kink][1] > 0) << "kink " << kink << " was seen from one side only";
}

TEST_P(Registered, MultiplierPartialsAreTheDifferences) {
  const auto e = make(listed(), 5);
  const int n = e->layout.size();
  const State s = e->random_state();
  DenseSink k(e->layout, s);
  e->evaluate(s, k);
  for (int r = 0; r < e->layout.row_count(); ++r) {
    const Difference d = differentiate([&](double h) {
      State p = s;
      p.lambda[r] += h;
      return VectorXd(stack(*e, p).head(n));
    });
    ASSERT_EQ(compare(d, k.D_lambda.col(r) + k.G.row(r).transpose()), "") << e->layout.row_name({r});
  }
}

// No poison left, everything a sink needs was written, and what is outside the pattern is exactly zero.
TEST_P(Registered, WritesEveryRowAndOnlyThePattern) {
  const auto e = make(listed(), 7);
  DenseSink k(e->layout, e->state);
  e->evaluate(e->state, k);
  EXPECT_TRUE(k.phi.allFinite());
  EXPECT_TRUE(k.phi_t.allFinite());
  EXPECT_TRUE(k.G.allFinite());
  EXPECT_TRUE(k.force.allFinite());
  for (int r = 0; r < e->layout.row_count(); ++r) {
    EXPECT_TRUE(k.H[r].allFinite()) << e->layout.row_name({r});
    const bool velocity = e->layout.row({r}).level == assembly::RowLevel::velocity;
    EXPECT_EQ(k.H_v[r].allFinite(), velocity);
  }
  for (const MatrixXd& D : k.D) EXPECT_TRUE((D.array() * (1.0 - k.pattern.array()) == 0.0).all());
  EXPECT_TRUE((k.G.array() * (1.0 - k.G_pattern.array()) == 0.0).all());
}

// r(q ⊕ εd) − r − ε K d falls with ε², and φ − ε g d − ½ε² dᵀHd with ε³.
TEST_P(Registered, TaylorRemainders) {
  std::unique_ptr<Example> e;
  State s;
  VectorXd d;
  const auto along = [&](double h) { return moved(e->layout, s, d, h); };
  for (unsigned seed = 11; seed == 11 || !smooth(*e, along, 0.02); ++seed) {
    ASSERT_LT(seed, 60u) << "no draw without a kink near";
    e = make(listed(), seed);
    s = e->random_state();
    d = VectorXd::NullaryExpr(e->layout.size(), [&] { return e->uniform(); });
  }
  DenseSink k(e->layout, s);
  e->evaluate(s, k);
  const int m = e->layout.row_count();
  const auto remainders = [&](double h) {
    const State p = along(h);
    DenseSink x(e->layout, p, {true, false, false, false, true, false});
    e->evaluate(p, x);
    VectorXd second(m);
    for (int r = 0; r < m; ++r) {
      const bool velocity = e->layout.row({r}).level == assembly::RowLevel::velocity;
      second[r] =
          velocity ? 0.0 : x.phi[r] - k.phi[r] - h * k.G.row(r).dot(d) - 0.5 * h * h * d.dot(k.H[r] * d);
    }
    return std::pair((x.force - k.force - h * k.D[0] * d).norm(), second.norm());
  };
  // Halving a small step divides the remainders by 4 and 8; rounding of the values is all that may stay.
  const auto [a1, b1] = remainders(2e-3);
  const auto [a2, b2] = remainders(1e-3);
  const double rounding = 1e3 * kEps * (1.0 + k.force.norm());
  EXPECT_LE(a2, a1 / 4 * 1.1 + rounding);
  EXPECT_LE(b2, b1 / 8 * 1.1 + rounding);
}

// A smooth motion with its exact velocities and accelerations; each block moves through its own chart.
class Motion {
 public:
  Motion(Example& e, const State& s) : layout_(e.layout), start_(s) {
    for (VectorXd* c : {&a_, &b_, &c_})
      *c = VectorXd::NullaryExpr(e.layout.size(), [&] { return e.uniform(); });
  }
  State at(double t) const {
    State s = start_;
    s.t = start_.t + t;
    const auto n = a_.size();
    VectorXd d(n), d1(n), d2(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      d[k] = a_[k] * t + b_[k] * (1.0 - std::cos(t)) + 0.3 * c_[k] * std::sin(2 * t);
      d1[k] = a_[k] + b_[k] * std::sin(t) + 0.6 * c_[k] * std::cos(2 * t);
      d2[k] = b_[k] * std::cos(t) - 1.2 * c_[k] * std::sin(2 * t);
    }
    assembly::retract(layout_, start_.q, d, s.q);
    s.v = d1;
    s.a = d2;
    for (int b = 0; b < layout_.block_count(); ++b) {
      const assembly::Block& block = layout_.block({b});
      if (block.kind != BlockKind::rigid) continue;
      const int o = block.offset + 3;
      const Vec3 phi = d.segment<3>(o), rate = d1.segment<3>(o), bend = d2.segment<3>(o);
      s.v.segment<3>(o) = math::so3_right_jacobian(phi) * rate;
      s.a.segment<3>(o) =
          math::so3_right_jacobian(phi) * bend + math::so3_right_jacobian_derivative(phi, rate) * rate;
    }
    return s;
  }

 private:
  const Layout& layout_;
  State start_;
  VectorXd a_, b_, c_;
};

TEST_P(Registered, RowsAndTheirRatesAlongAMotion) {
  for (unsigned seed = 21; seed <= 20 + trunnion::test::draws(); ++seed) {
    const auto e = make(listed(), seed);
    const int m = e->layout.row_count();
    if (m == 0) return;
    const Motion motion(*e, e->random_state());
    const State s = motion.at(0.2);
    DenseSink k(e->layout, s);
    e->evaluate(s, k);
    // (φ, φ̇ = Gv + φ_t) and their rates; for a velocity row (ψ, 0).
    const auto values = [&](double h) {
      const State p = motion.at(0.2 + h);
      DenseSink x(e->layout, p, {true, false, false, false, true, false});
      e->evaluate(p, x);
      VectorXd all(2 * m);
      all << x.phi, x.G * p.v + x.phi_t;
      for (int r = 0; r < m; ++r) {
        if (e->layout.row({r}).level == assembly::RowLevel::velocity) all[m + r] = 0.0;
      }
      return all;
    };
    VectorXd exact = VectorXd::Zero(2 * m);
    for (int r = 0; r < m; ++r) {
      if (e->layout.row({r}).level == assembly::RowLevel::velocity) {
        exact[r] = k.G.row(r).dot(s.a) + k.psi_q.row(r).dot(s.v) + k.phi_t[r];
      } else {
        exact[r] = k.G.row(r).dot(s.v) + k.phi_t[r];
        exact[m + r] =
            k.G.row(r).dot(s.a) + s.v.dot(k.H[r] * s.v) + 2.0 * k.G_t.row(r).dot(s.v) + k.phi_tt[r];
      }
    }
    ASSERT_EQ(compare(differentiate(values), exact), "");
  }
}

TEST_P(Registered, OrderOfElementsDoesNotMatter) {
  const auto e = make(listed(), 31);
  DenseSink forward(e->layout, e->state), backward(e->layout, e->state);
  e->evaluate(e->state, forward);
  e->evaluate(e->state, backward, true);
  EXPECT_EQ(forward.phi, backward.phi);
  EXPECT_EQ(forward.G, backward.G);
  // Sums of a few terms in another order.
  for (int l = 0; l < 3; ++l) {
    EXPECT_LE((forward.D[l] - backward.D[l]).norm(), 16 * kEps * (1.0 + forward.D[l].norm()));
  }
  EXPECT_LE((forward.force - backward.force).norm(), 16 * kEps * (1.0 + forward.force.norm()));
}

// Asked for less, an element gives the same numbers for what is left.
TEST_P(Registered, NeedsOnlyLeaveOut) {
  const auto e = make(listed(), 41);
  DenseSink full(e->layout, e->state), rows(e->layout, e->state, {false, false, false, false, true, false}),
      forces(e->layout, e->state, {true, true, true, true, false, false});
  e->evaluate(e->state, full);
  e->evaluate(e->state, rows);
  e->evaluate(e->state, forces);
  EXPECT_EQ(full.phi, rows.phi);
  EXPECT_EQ(full.G, rows.G);
  EXPECT_EQ(full.D[2], forces.D[2]);
  EXPECT_TRUE(e->layout.row_count() == 0 || forces.phi.array().isNaN().all());
}

// A rigid motion of all bodies changes no internal row: G ξ = 0 with ξ the velocities of such a motion.
TEST_P(Registered, RigidMotionChangesNothing) {
  const auto e = make(listed(), 51);
  if (!e->internal || e->layout.row_count() == 0) return;
  const State& s = e->state;
  DenseSink k(e->layout, s);
  e->evaluate(s, k);
  const Vec3 c = e->vector(), w = e->vector();
  VectorXd xi(e->layout.size());
  for (const BlockId b : e->bodies) {
    const assembly::Pose p = assembly::pose(e->layout, b, s.q);
    xi.segment<3>(e->layout.block(b).offset) = c + w.cross(p.x);
    xi.segment<3>(e->layout.block(b).offset + 3) = p.R.conjugate() * w;
  }
  EXPECT_LE((k.G * xi).cwiseAbs().maxCoeff(), 1e3 * kEps * (1.0 + k.G.norm()));
  // Along the finite motion, too.
  const State far = [&] {
    State r = s;
    const Quat Q = math::so3_exp_quat(w);
    for (const BlockId b : e->bodies) {
      const assembly::Pose p = assembly::pose(e->layout, b, s.q);
      assembly::set_pose(e->layout, b, {Q * p.x + c, Q * p.R}, r.q);
    }
    return r;
  }();
  DenseSink other(e->layout, far);
  e->evaluate(far, other);
  EXPECT_LE((other.phi - k.phi).cwiseAbs().maxCoeff(), 1e3 * kEps * (1.0 + k.phi.norm()));
}

// Reactions on the two sides balance, and the reactions are what stands in the balance rows.
TEST_P(Registered, ReactionsOfAPairSumToZero) {
  const auto e = make(listed(), 61);
  if (e->pairs.empty()) return;
  const State& s = e->state;
  assembly::Kinematics kin(e->layout, e->markers);
  kin.update(s);
  assembly::Scratch scratch;
  const std::vector<math::Jet> f = e->drive_values(s.t);
  const assembly::Evaluation at{s, kin, scratch, assembly::AnalysisMode::dynamics, f};
  const MarkerId i = e->pairs.front().first, j = e->pairs.front().second;
  const auto both = [&](const auto& element) {
    return std::pair(reaction(element, at, i), reaction(element, at, j));
  };
  if (e->joints.empty() && e->rows.empty()) return;
  const auto [on_i, on_j] = !e->joints.empty() ? both(e->joints.front()) : both(e->rows.front());
  const double size = 1e3 * kEps * (1.0 + on_i.force.norm() + on_i.torque.norm());
  EXPECT_LE((on_i.force + on_j.force).norm(), size);
  const Vec3 arm = kin.marker(i).p - kin.marker(j).p;
  EXPECT_LE((on_i.torque + on_j.torque + arm.cross(on_i.force)).norm(), size);
  // −Gᵀλ on a rigid body is that wrench about its mass centre.
  const BlockId b = e->markers[i].body;
  if (!b.valid() || e->layout.block(b).kind != BlockKind::rigid) return;
  DenseSink k(e->layout, s);
  e->evaluate(s, k);
  const int o = e->layout.block(b).offset;
  const VectorXd Q = -k.G.transpose() * s.lambda;
  EXPECT_LE((Q.segment<3>(o) - on_i.force).norm(), size);
  const Vec3 torque = kin.body(b).R.transpose() * (on_i.torque + kin.marker(i).r.cross(on_i.force));
  EXPECT_LE((Q.segment<3>(o + 3) - torque).norm(), size);
}

// The wrenches of a load's two sides are opposite, they are what stands in the balance rows, and they turn with the whole.
TEST_P(Registered, LoadsBalance) {
  const auto e = make(listed(), 61);
  expr::Workspace work;
  assembly::Kinematics kin(e->layout, e->markers);
  kin.update(e->state);
  assembly::Scratch scratch;
  const assembly::Evaluation at{e->state, kin, scratch, assembly::AnalysisMode::dynamics};
  for (const Load& load : e->loads) {
    const Wrench on_i = wrench(load, at, work, false), on_j = wrench(load, at, work, true);
    const double size = 1e3 * kEps * (1.0 + on_i.force.norm() + on_i.torque.norm());
    if (!load.reaction) {
      EXPECT_EQ(on_j.force, Vec3(Vec3::Zero()));
      continue;
    }
    const Vec3 arm =
        load.j_floats ? Vec3(Vec3::Zero()) : Vec3(kin.marker(load.i.marker).p - kin.marker(load.j.marker).p);
    EXPECT_LE((on_i.force + on_j.force).norm(), size);
    EXPECT_LE((on_i.torque + on_j.torque + arm.cross(on_i.force)).norm(), size);
    DenseSink k(e->layout, e->state, {true, false, false, false, false, false});
    evaluate(load, at, work, k);
    const BlockId b = e->markers[load.i.marker].body;
    if (!b.valid() || e->layout.block(b).kind != BlockKind::rigid) continue;
    const int o = e->layout.block(b).offset;
    EXPECT_LE((k.force.segment<3>(o) + on_i.force).norm(), size);
    const Vec3 torque =
        kin.body(b).R.transpose() * (on_i.torque + kin.marker(load.i.marker).r.cross(on_i.force));
    EXPECT_LE((k.force.segment<3>(o + 3) + torque).norm(), size);
  }
}

// Recording the emissions and replaying them into a sparse matrix gives the dense K + 2C + 3M and G.
class ReplaySink : public assembly::Sink {
 public:
  ReplaySink(const Layout& layout, const State& s) : layout_(layout), state_(s) {}
  assembly::Needs needs() const override { return {}; }
  void residual(BlockId, Term, VecRef) override {}
  void partial(BlockId row, BlockId col, Level level, MatRef value) override {
    put(layout_.block(row).offset, layout_.block(col).offset, value * (1.0 + static_cast<int>(level)));
  }
  void multiplier_partial(BlockId, RowId, VecRef) override {}
  void constraint(RowId row, const assembly::ConstraintRow& c) override {
    int r = 0;
    for (const BlockId br : c.blocks) {
      const assembly::Block& b = layout_.block(br);
      const int fg = assembly::first_in_g(c.shape, b), fr = assembly::first_in_H(c.shape, b);
      put(layout_.size() + row.index, b.offset + fg, c.g.segment(r + fg, b.size - fg).transpose());
      int k = 0;
      for (const BlockId bc : c.blocks) {
        const assembly::Block& o = layout_.block(bc);
        const int fc = assembly::first_in_H(c.shape, o);
        if (assembly::couples(c.shape) || br == bc)
          put(b.offset + fr, o.offset + fc,
              state_.lambda[row.index] * c.H.block(r + fr, k + fc, b.size - fr, o.size - fc));
        k += o.size;
      }
      r += b.size;
    }
  }
  void velocity_constraint(RowId row, const assembly::VelocityRow& c) override {
    int r = 0;
    for (const BlockId br : c.blocks) {
      const assembly::Block& b = layout_.block(br);
      put(layout_.size() + row.index, b.offset, c.psi_v.segment(r, b.size).transpose());
      int k = 0;
      for (const BlockId bc : c.blocks) {
        const assembly::Block& o = layout_.block(bc);
        put(b.offset, o.offset, state_.lambda[row.index] * (c.H_q + 2.0 * c.H_v).block(r, k, b.size, o.size));
        k += o.size;
      }
      r += b.size;
    }
  }
  void compile() {
    const int n = layout_.size() + layout_.row_count();
    replay_ = recorder_.compile(n, n);
    recording_ = false;
  }
  sparse::Replay& replay() { return replay_; }

 private:
  void put(int row, int col, const MatrixXd& block) {
    for (Eigen::Index j = 0; j < block.cols(); ++j) {
      for (Eigen::Index i = 0; i < block.rows(); ++i) {
        if (recording_) recorder_.entry(row + static_cast<int>(i), col + static_cast<int>(j));
        else replay_.add(block(i, j));
      }
    }
  }
  const Layout& layout_;
  const State& state_;
  sparse::Recorder recorder_;
  sparse::Replay replay_;
  bool recording_ = true;
};

TEST_P(Registered, SparseReplayIsDense) {
  const auto e = make(listed(), 71);
  State s = e->state;
  ReplaySink sparse(e->layout, s);
  e->evaluate(s, sparse);
  sparse.compile();
  s = e->random_state();  // recorded at one state, replayed at another
  sparse.replay().start();
  e->evaluate(s, sparse);
  EXPECT_TRUE(sparse.replay().complete());
  DenseSink k(e->layout, s);
  e->evaluate(s, k);
  const int n = e->layout.size(), m = e->layout.row_count();
  MatrixXd exact = MatrixXd::Zero(n + m, n + m);
  exact.topLeftCorner(n, n) = k.D[0] + 2.0 * k.D[1] + 3.0 * k.D[2];
  exact.bottomLeftCorner(m, n) = k.G;
  EXPECT_LE((MatrixXd(sparse.replay().matrix().view()) - exact).norm(), 64 * kEps * (1.0 + exact.norm()));
}

INSTANTIATE_TEST_SUITE_P(Elements, Registered, ::testing::Range(0, static_cast<int>(registry().size())),
                         [](const auto& listed) {
                           return registry()[static_cast<std::size_t>(listed.param)].name;
                         });

}  // namespace
}  // namespace trunnion::elements::test
