// The automatic tests of every registered element: style guide, tests 1 to 4.

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "assembly/modal_sink.hpp"
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
constexpr const char* kNoRows = "it has no rows";

class Registered : public ::testing::TestWithParam<int> {
 protected:
  const Listed& listed() const { return registry()[static_cast<std::size_t>(GetParam())]; }
};

State moved(const Layout& layout, const State& s, const VectorXd& direction, double by) {
  State r = s;
  assembly::retract(layout, s.q, by * direction, r.q);
  return r;
}

// Whether the straight way through a state, `reach` to either side, stays on one side of every kink, and no angle jumps by a turn.
// Half-way points, too: a kink may be crossed twice.
template <class Path> bool smooth(const Example& e, const Path& path, double reach) {
  const std::vector<double> low = e.counted_angles(path(-reach)), high = e.counted_angles(path(reach));
  for (std::size_t k = 0; k < low.size(); ++k) {
    if (std::abs(high[k] - low[k]) > 1.0) return false;
  }
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
  if (e->layout.row_count() == 0) GTEST_SKIP() << kNoRows;
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
      if (block.rotation < 0) continue;
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
    if (m == 0) GTEST_SKIP() << kNoRows;
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

// Of a marker on every kind of body: v and ω are the rates of its place and axes, a and α those of v and ω.
TEST(EveryCarrier, LevelsAreEachOthersRates) {
  for (const Owner owner :
       {Owner::ground, Owner::rigid, Owner::point, Owner::planar, Owner::modal, Owner::between}) {
    Example e(23);
    const MarkerId id = e.marker(e.body(owner));
    e.finish();
    const Motion motion(e, e.random_state());
    const auto at = [&](double h) {
      assembly::Kinematics kin(e.layout, e.markers);
      kin.update(motion.at(0.2 + h));
      return kin.marker(id);
    };
    const assembly::MarkerMotion m = at(0.0);
    VectorXd exact(18);
    exact << m.v, m.w.cross(m.R.col(0)), m.w.cross(m.R.col(1)), m.w.cross(m.R.col(2)), m.a, m.alpha;
    const Difference d = differentiate([&](double h) {
      const assembly::MarkerMotion x = at(h);
      VectorXd all(18);
      all << x.p, x.R.col(0), x.R.col(1), x.R.col(2), x.v, x.w;
      return all;
    });
    EXPECT_EQ(compare(d, exact), "") << static_cast<int>(owner);
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

// As DenseSink, but with kernels for several rows where elements have them.
class KernelSink : public DenseSink {
 public:
  using DenseSink::DenseSink;
  bool takes_turning_rows() const override { return true; }
  void turning_rows(const assembly::TurningRows& t) override {
    ++kernels;
    if (assembly::have_modes(layout(), t.blocks))
      return summed_rows(static_cast<const assembly::SummedRows&>(t));
    const int n = 6 * static_cast<int>(t.blocks.size());
    for (int k = 0; k < t.count; ++k) {
      const int row = t.first.index + k;
      const double lambda = state().lambda[row];
      phi[row] = t.phi[k];
      G.row(row).setZero();
      for (std::size_t b = 0; b < t.blocks.size(); ++b) {
        const int at = offset(t.blocks[b]);
        const auto g = Eigen::Map<const Eigen::Matrix<double, 6, 1>>(t.g + k * n + 6 * static_cast<int>(b));
        G.row(row).segment<6>(at) = g.transpose();
        force.segment<6>(at) += lambda * g;
      }
      rate_gradient.emplace_back(row, VectorXd::Zero(G.cols()));
      for (std::size_t b = 0; b < t.blocks.size(); ++b)
        rate_gradient.back().second.segment<6>(offset(t.blocks[b])) =
            Eigen::Map<const Eigen::Matrix<double, 6, 1>>(t.b + k * n + 6 * static_cast<int>(b));
    }
    for (std::size_t r = 0; r < t.blocks.size(); ++r) {
      for (std::size_t c = 0; c < t.blocks.size(); ++c)
        D[0].block<3, 3>(offset(t.blocks[r]) + 3, offset(t.blocks[c]) + 3) += t.turns[r][c];
      // Those of μ, which here are the same numbers.
      for (std::size_t c = 0; c < t.blocks.size(); ++c)
        difference = std::max(difference, (t.turns[2 + r][c] - t.turns[r][c]).norm());
    }
  }
  void summed_rows(const assembly::SummedRows& t) {
    std::vector<int> at;  // of each column
    std::vector<char> mode;
    for (const assembly::BlockId id : t.blocks) {
      const assembly::Block& block = layout().block(id);
      for (int k = 0; k < block.size; ++k) at.push_back(offset(id) + k);
      mode.insert(mode.end(), static_cast<std::size_t>(block.size), !block.is_body());
    }
    const int n = static_cast<int>(at.size());
    for (int k = 0; k < t.count; ++k) {
      const int row = t.first.index + k;
      phi[row] = t.phi[k];
      G.row(row).setZero();
      rate_gradient.emplace_back(row, VectorXd::Zero(G.cols()));
      for (int c = 0; c < n; ++c) {
        const int column = at[static_cast<std::size_t>(c)];
        G(row, column) = t.g[k * n + c];
        force[column] += state().lambda[row] * t.g[k * n + c];
        rate_gradient.back().second[column] = t.b[k * n + c];
      }
    }
    for (int c = 0; c < n; ++c) {
      for (int r = 0; r < n; ++r) {
        const auto row = static_cast<std::size_t>(r), col = static_cast<std::size_t>(c);
        if (mode[row] && mode[col] && !t.modes_couple) continue;
        D[0](at[row], at[col]) += t.H(r, c);
        difference = std::max(difference, std::abs(t.H_mu(r, c) - t.H(r, c)));
      }
    }
  }
  int kernels = 0;
  double difference = 0;                                // of Σ μ H from Σ λ H
  std::vector<std::pair<int, VectorXd>> rate_gradient;  // ∂(g·v)/∂q
};

// A kernel says what the rows say, one by one.
TEST_P(Registered, KernelsAgreeWithRows) {
  const auto e = make(listed(), 43);
  DenseSink rows(e->layout, e->state);
  KernelSink kernels(e->layout, e->state);
  e->evaluate(e->state, rows);
  State with_mu = e->state;
  with_mu.mu = with_mu.lambda;
  e->evaluate(with_mu, kernels);
  EXPECT_EQ(kernels.difference, 0.0);
  if (kernels.kernels == 0) GTEST_SKIP() << "no kernel";
  // Both are sums of a few products of numbers of the size of places, axes and multipliers.
  const double size = 1.0 + rows.D[0].norm();
  EXPECT_LE((rows.phi - kernels.phi).norm(), 16 * kEps * size);
  EXPECT_LE((rows.G - kernels.G).norm(), 16 * kEps * size);
  EXPECT_LE((rows.force - kernels.force).norm(), 16 * kEps * (size + rows.force.norm()));
  EXPECT_LE((rows.D[0] - kernels.D[0]).norm(), 32 * kEps * size);
  for (const auto& [row, b] : kernels.rate_gradient) {
    const VectorXd exact = rows.H[static_cast<std::size_t>(row)].transpose() * e->state.v;
    EXPECT_LE((b - exact).norm(), 32 * kEps * (size + exact.norm()));
  }
}

// A load alone, by its kernel or by carriers.
DenseSink alone(const Example& e, const Load& load, bool kernel, const assembly::Needs& needs) {
  assembly::Kinematics kin(e.layout, e.markers);
  kin.update(e.state);
  assembly::Scratch scratch;
  expr::Workspace work;
  for (const auto& program : e.programs) work.reserve(*program);
  const assembly::Evaluation at{e.state, kin, scratch, assembly::AnalysisMode::dynamics};
  DenseSink sink(e.layout, e.state, needs);
  if (kernel) evaluate(load, at, work, sink);
  else evaluate_by_carriers(load, at, work, sink);
  return sink;
}

// Which is what the other tests run, where there is one.
TEST_P(Registered, LoadKernelsAgreeWithCarriers) {
  // A product across has zeros that are differences of equal products, exact in one order of sums only.
  const bool across = listed().name.rfind("vforce_vector", 0) == 0;
  bool any = false;
  for (unsigned seed = 47; seed < 50; ++seed) {
    const auto e = make(listed(), seed);
    for (const Load& load : e->loads) {
      if (!load.frames) continue;
      any = true;
      const DenseSink by_carriers = alone(*e, load, false, {}), by_kernel = alone(*e, load, true, {});
      // Sums of products of places, axes, velocities and the signals' partials, in another order.
      double size = 1.0 + by_carriers.force.norm();
      for (const MatrixXd& D : by_carriers.D) size += D.norm();
      const double tolerance = 256 * kEps * size * (1.0 + e->state.v.norm());
      EXPECT_LE((by_kernel.force - by_carriers.force).norm(), tolerance);
      EXPECT_EQ(by_kernel.pattern, by_carriers.pattern);
      for (int l = 0; l < 3; ++l) {
        EXPECT_LE((by_kernel.D[l] - by_carriers.D[l]).norm(), tolerance) << "level " << l;
        // What is zero by structure is so in both.
        EXPECT_TRUE(across || ((by_kernel.D[l].array() != 0.0) <= (by_carriers.D[l].array() != 0.0)).all())
            << "level " << l;
      }
      // Asked for less.
      const DenseSink forces = alone(*e, load, true, {true, false, false, false, false, false}),
                      by_v = alone(*e, load, true, {false, false, true, false, false, false});
      EXPECT_LE((forces.force - by_kernel.force).norm(), tolerance);
      EXPECT_EQ(by_v.D[1], by_kernel.D[1]);
      EXPECT_TRUE(by_v.force.isZero(0.0) && by_v.D[0].isZero(0.0));
    }
  }
  if (!any) GTEST_SKIP() << "no load with a kernel";
}

// Both ways are in the registry: kernels between bodies with frames, carriers for bodies without, and for accelerations.
TEST(LoadKernels, AreTakenWhereBodiesHaveFrames) {
  const auto has_kernel = [](const std::string& name) {
    for (const Listed& one : registry()) {
      if (one.name == name) return make(one, 1)->loads.at(0).frames.has_value();
    }
    throw std::runtime_error("no entry " + name);
  };
  for (const std::string load :
       {"bushing", "springdamper", "sforce_line", "sforce_rotational", "vforce_vector",
        "gforce_without_accelerations", "field", "beam_nonlinear"}) {
    for (const char* bodies :
         {"_rigid_rigid", "_rigid_ground", "_ground_rigid", "_planar_rigid", "_rigid_point"})
      EXPECT_TRUE(has_kernel(load + bodies)) << load << bodies;
    for (const char* bodies : {"_modal_between", "_flexible_rigid", "_flexible_flexible"})
      EXPECT_FALSE(has_kernel(load + bodies)) << load << bodies;
  }
  EXPECT_FALSE(has_kernel("gforce_rigid_rigid"));  // ACCZ
}

// The whole turned by Q, then shifted by c, with its velocities and accelerations.
State carried(const Example& e, const State& s, const Quat& Q, const Vec3& c) {
  State r = s;
  for (const BlockId b : e.bodies) {
    const assembly::Pose p = assembly::pose(e.layout, b, s.q);
    const int o = e.layout.block(b).offset;
    assembly::set_pose(e.layout, b, {Q * p.x + c, Q * p.R}, r.q);
    r.v.segment<3>(o) = Q * s.v.segment<3>(o);
    r.a.segment<3>(o) = Q * s.a.segment<3>(o);
  }
  return r;
}

// Whether nothing is on ground and every body can move anywhere.
bool is_free(const Example& e) {
  for (const BlockId b : e.bodies) {
    if (e.layout.block(b).rotation < 0) return false;
  }
  for (std::size_t k = 1; k < e.markers.all().size(); ++k) {
    if (!e.markers.all()[k].body.valid()) return false;
  }
  return true;
}

// A rigid motion of all bodies changes no internal row: G ξ = 0 with ξ the velocities of such a motion.
TEST_P(Registered, RigidMotionChangesNothing) {
  const auto e = make(listed(), 51);
  if (e->layout.row_count() == 0) GTEST_SKIP() << kNoRows;
  if (!e->internal) GTEST_SKIP() << "something of it is held by ground";
  const State& s = e->state;
  DenseSink k(e->layout, s);
  e->evaluate(s, k);
  const Vec3 c = e->vector(), w = e->vector();
  VectorXd xi = VectorXd::Zero(e->layout.size());
  for (const BlockId b : e->bodies) {
    const assembly::Pose p = assembly::pose(e->layout, b, s.q);
    xi.segment<3>(e->layout.block(b).offset) = c + w.cross(p.x);
    xi.segment<3>(e->layout.block(b).offset + 3) = p.R.conjugate() * w;
  }
  EXPECT_LE((k.G * xi).cwiseAbs().maxCoeff(), 1e3 * kEps * (1.0 + k.G.norm()));
  // Along the finite motion, too.
  const State far = carried(*e, s, math::so3_exp_quat(w), c);
  DenseSink other(e->layout, far);
  e->evaluate(far, other);
  EXPECT_LE((other.phi - k.phi).cwiseAbs().maxCoeff(), 1e3 * kEps * (1.0 + k.phi.norm()));
}

// What a wrench at a marker does, by the marker's own motion.
double power_at(const assembly::Kinematics& kin, MarkerId at, const Wrench& w) {
  return w.force.dot(kin.marker(at).v) + w.torque.dot(kin.marker(at).w);
}

// Reactions on the two sides balance, and the reactions are what stands in the balance rows.
TEST_P(Registered, ReactionsOfAPairSumToZero) {
  const auto e = make(listed(), 61);
  if (e->pairs.empty() || (e->joints.empty() && e->rows.empty()))
    GTEST_SKIP() << "it is no joint, nor a row between two markers";
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
  const auto [on_i, on_j] = !e->joints.empty() ? both(e->joints.front()) : both(e->rows.front());
  const double size = 1e3 * kEps * (1.0 + on_i.force.norm() + on_i.torque.norm());
  EXPECT_LE((on_i.force + on_j.force).norm(), size);
  const Vec3 arm = kin.marker(i).p - kin.marker(j).p;
  EXPECT_LE((on_i.torque + on_j.torque + arm.cross(on_i.force)).norm(), size);
  // −Gᵀλ does the work that the two wrenches do.
  DenseSink k(e->layout, s);
  e->evaluate(s, k);
  const double power = -s.lambda.dot(k.G * s.v);
  EXPECT_NEAR(power, power_at(kin, i, on_i) + power_at(kin, j, on_j), size * (1.0 + s.v.norm()));
}

// The wrenches of a load's two sides are opposite, and what stands in the balance rows does their work.
TEST_P(Registered, LoadsBalance) {
  const auto e = make(listed(), 61);
  if (e->loads.empty()) GTEST_SKIP() << "it is no load";
  expr::Workspace work;
  assembly::Kinematics kin(e->layout, e->markers);
  kin.update(e->state);
  assembly::Scratch scratch;
  const assembly::Evaluation at{e->state, kin, scratch, assembly::AnalysisMode::dynamics};
  for (const Load& load : e->loads) {
    const MarkerId i = load.i.marker, j = load.j.marker;
    const Wrench on_i = wrench(load, at, work, false), on_j = wrench(load, at, work, true);
    const double size = 1e3 * kEps * (1.0 + on_i.force.norm() + on_i.torque.norm());
    const Vec3 arm = kin.marker(i).p - kin.marker(j).p;
    Wrench about_j = on_j;  // where J floats its side is reported about I
    if (load.j_floats) about_j.torque += arm.cross(on_j.force);
    if (load.reaction) {
      EXPECT_LE((on_i.force + on_j.force).norm(), size);
      EXPECT_LE((on_i.torque + about_j.torque + arm.cross(on_i.force)).norm(), size);
    } else {
      EXPECT_EQ(on_j.force, Vec3(Vec3::Zero()));
    }
    DenseSink k(e->layout, e->state, {true, false, false, false, false, false});
    evaluate(load, at, work, k);
    EXPECT_NEAR(-k.force.dot(e->state.v), power_at(kin, i, on_i) + power_at(kin, j, about_j),
                size * (1.0 + e->state.v.norm()));
  }
}

// Turned and shifted as a whole, bodies feel the same forces, turned with them; states and readings see no difference.
TEST_P(Registered, LoadsTurnWithTheWhole) {
  const auto e = make(listed(), 63);
  const bool rows_only = e->layout.row_count() > 0 && e->loads.empty() && e->modal_loads.empty() &&
                         e->equations.empty() && e->beams.empty();
  if (rows_only) GTEST_SKIP() << "it is no load, body or equation";
  if (!is_free(*e)) GTEST_SKIP() << "something of it is held by ground, or in a plane";
  for (Body& body : e->masses) body.gravity.setZero();
  for (ModalBody& body : e->flexible) body.gravity.setZero();
  for (BeamElement& beam : e->beams) beam.gravity.setZero();
  State s = e->random_state();
  s.lambda.setZero();  // of rows along ground axes, which do not turn
  const Quat Q = math::so3_exp_quat(e->vector(1.5));
  const State far = carried(*e, s, Q, e->vector(3.0));
  DenseSink here(e->layout, s), there(e->layout, far);
  e->evaluate(s, here);
  e->evaluate(far, there);
  VectorXd expected = here.force;
  for (const BlockId b : e->bodies) {
    const int o = e->layout.block(b).offset;
    expected.segment<3>(o) = Q * here.force.segment<3>(o);
  }
  // Rounding of the poses, of size 5, as the forces answer to it.
  const double size = 1.0 + here.force.norm() + here.D[0].norm() + here.D[1].norm() + here.D[2].norm();
  EXPECT_LE((there.force - expected).norm(), 100 * kEps * size);
}

// Turns the body of one of two markers so that their axes are those of the other.
bool untwist(const Example& e, MarkerId turned, MarkerId fixed, State& s) {
  const BlockId body = e.markers[turned].body;
  if (!body.valid() || e.layout.block(body).rotation < 0) return false;
  assembly::Kinematics kin(e.layout, e.markers);
  kin.update(s);
  const Mat3 Q = kin.marker(fixed).R * kin.marker(turned).R.transpose();
  assembly::set_pose(e.layout, body, {kin.body(body).x, Quat(Mat3(Q * kin.body(body).R))}, s.q);
  kin.update(s);
  return (kin.marker(fixed).R - kin.marker(turned).R).norm() < 16 * kEps;
}

bool stores(const Load& load) { return load.spring || (load.response.law && load.response.law->stores()); }

// −∂V/∂q is the force of all that stores energy: springs, and weight.
TEST_P(Registered, ForcesAreThoseOfThePotential) {
  using Potential = Example::Potential;
  const auto e = make(listed(), 65);
  const bool springs = std::any_of(e->loads.begin(), e->loads.end(), stores);
  if (!springs && e->beams.empty() && listed().name.rfind("part_", 0) != 0)
    GTEST_SKIP() << "it stores no energy";
  ASSERT_FALSE(springs && e->potential == Potential::not_said) << "say whether it has a potential";
  if (springs && e->potential == Potential::none)
    GTEST_SKIP() << "it stores energy, and does other work, too";
  const int n = e->layout.size();
  State s = e->random_state();
  s.v.setZero();  // dampers
  s.a.setZero();
  if (e->potential == Potential::untwisted) {
    const MarkerId i = e->loads.front().i.marker, j = e->loads.front().j.marker;
    if (!untwist(*e, i, j, s) && !untwist(*e, j, i, s))
      GTEST_SKIP()
          << "it has a potential where I and J are not turned against each other; here they always are";
  }
  const auto energy = [&](const State& at_state) {
    assembly::Kinematics kin(e->layout, e->markers);
    kin.update(at_state);
    assembly::Scratch scratch;
    const assembly::Evaluation at{at_state, kin, scratch, assembly::AnalysisMode::dynamics};
    double V = 0.0;
    for (const Body& body : e->masses) V += potential_energy(body, at);
    for (const ModalBody& body : e->flexible) V += potential_energy(body, at);
    for (const BeamElement& beam : e->beams) V += potential_energy(beam, at);
    for (const Load& load : e->loads) V += potential_energy(load, at);
    return V;
  };
  DenseSink k(e->layout, s);
  e->evaluate(s, k);
  for (int entry = 0; entry < n; ++entry) {
    const Difference d = differentiate([&](double h) {
      return VectorXd::Constant(1, energy(moved(e->layout, s, VectorXd::Unit(n, entry), h)));
    });
    ASSERT_EQ(compare(d, k.force.segment(entry, 1)), "") << e->layout.column_name(entry);
  }
}

// What a reading gives is what reaction() and wrench() report.
TEST_P(Registered, ReadingsAreTheReactions) {
  const auto e = make(listed(), 67);
  if (e->readings.empty()) GTEST_SKIP() << "it is no reading";
  if (!is_free(*e)) GTEST_SKIP() << "of some of its bodies only some components are seen";
  if (!e->ptcvs.empty()) GTEST_SKIP() << "at a point of contact, which is none away from the curve";
  State s = e->random_state();
  expr::Workspace work;
  for (const auto& program : e->programs) work.reserve(*program);
  assembly::Kinematics kin(e->layout, e->markers);
  kin.update(s);
  assembly::Scratch scratch;
  const assembly::Evaluation at{s, kin, scratch, assembly::AnalysisMode::dynamics};
  for (const Reading& reading : e->readings) {
    Wrench sum;
    for (const Reading::Source& source : reading.sources) {
      const MarkerId on = source.source.on;
      Wrench w;
      if (const auto* load = std::get_if<const Load*>(&source.source.element))
        w = wrench(**load, at, work, source.source.on_j);
      if (const auto* joint = std::get_if<const Joint*>(&source.source.element))
        w = reaction(**joint, at, on);
      if (const auto* row = std::get_if<const MeasureRow*>(&source.source.element))
        w = reaction(**row, at, on);
      if (const auto* gcon = std::get_if<const Gcon*>(&source.source.element))
        w = reaction(**gcon, at, work, on);
      sum.force += w.force;
      sum.torque += w.torque;
    }
    DenseSink k(e->layout, s, {true, false, false, false, false, false});
    evaluate(reading, at, work, k);
    const assembly::Block& block = e->layout.block(reading.block);
    const double value = s.q[block.pose_offset] - k.force[block.offset];
    EXPECT_NEAR(value, reading.scale * component(sum, kin.marker(reading.rm.marker).R, reading.component),
                1e3 * kEps * (1.0 + sum.force.norm() + sum.torque.norm()))
        << reading.component;
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
