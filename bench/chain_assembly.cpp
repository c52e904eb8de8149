// Chains of 10 to 10,000 links on spherical or revolute joints: one evaluation of residual and Jacobian into the sparse KKT
// matrix [M + K, Gᵀ; G, 0], one analysis, one factorisation with pivoting, one refactorisation, one solve; and from the model:
// rank of the constraints, one assembly from a start that is off. Each should grow linearly. `allocations` counts those of
// one pass after the first. dense_* is the same small system with Eigen's dense LU.

#include <string>

#include <Eigen/LU>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "../tests/support/count_allocations.hpp"
#include "analysis/initial/initial_conditions.hpp"
#include "assembly/row_shape.hpp"
#include "elements/body.hpp"
#include "elements/joint.hpp"
#include "lang/reader.hpp"
#include "sparse/factorisation.hpp"
#include "sparse/pattern.hpp"
#include "system/compile/compile.hpp"
#include "system/levels.hpp"

namespace trunnion {
namespace {

using namespace assembly;
using elements::JointType;
using math::so3_exp_quat;

// K + C + M with the geometric stiffness of the multipliers, and G on both sides.
class KktSink : public Sink {
 public:
  KktSink(const Layout& layout, const State& state)
      : layout_(layout), state_(state), r_(layout.size() + layout.row_count()) {}

  Needs needs() const override { return {}; }
  void residual(BlockId row, Term, VecRef value) override {
    r_.segment(layout_.block(row).offset, value.size()) += value;
  }
  void partial(BlockId row, BlockId col, Level, MatRef value) override {
    const int r = layout_.block(row).offset, c = layout_.block(col).offset;
    for (int j = 0; j < value.cols(); ++j) {
      for (int i = 0; i < value.rows(); ++i) put(r + i, c + j, value(i, j));
    }
  }
  void multiplier_partial(BlockId, RowId, VecRef) override {}
  void constraint(RowId row, const ConstraintRow& c) override {
    const int m = layout_.size() + row.index;
    const double lambda = state_.lambda[row.index];
    r_[m] = c.phi;
    int local = 0;
    for (const BlockId id : c.blocks) {
      const Block& b = layout_.block(id);
      for (int i = first_in_g(c.shape, b); i < b.size; ++i) {
        put(m, b.offset + i, c.g[local + i]);
        put(b.offset + i, m, c.g[local + i]);
        r_[b.offset + i] += lambda * c.g[local + i];
      }
      int other = 0;
      for (const BlockId jd : c.blocks) {
        const Block& o = layout_.block(jd);
        if (couples(c.shape) || id == jd) {
          for (int j = first_in_H(c.shape, o); j < o.size; ++j) {
            for (int i = first_in_H(c.shape, b); i < b.size; ++i)
              put(b.offset + i, o.offset + j, lambda * c.H(local + i, other + j));
          }
        }
        other += o.size;
      }
      local += b.size;
    }
  }
  void velocity_constraint(RowId, const VelocityRow&) override {}

  void start() {
    r_.setZero();
    if (!recording_) replay_.start();
  }
  void compile() {
    const int n = static_cast<int>(r_.size());
    replay_ = recorder_.compile(n, n);
    recorder_ = {};
    recording_ = false;
  }
  const sparse::CscMatrix& matrix() const { return replay_.matrix(); }
  const Eigen::VectorXd& residual() const { return r_; }

 private:
  void put(int row, int col, double value) {
    if (recording_) recorder_.entry(row, col);
    else replay_.add(value);
  }
  const Layout& layout_;
  const State& state_;
  Eigen::VectorXd r_;
  sparse::Recorder recorder_;
  sparse::Replay replay_;
  bool recording_ = true;
};

struct Chain {
  Layout layout;
  MarkerTable markers;
  std::vector<elements::Body> bodies;
  std::vector<elements::Joint> joints;
  State state;
  std::unique_ptr<Kinematics> kinematics;
  Scratch scratch;

  Chain(int links, JointType type) {
    for (int k = 0; k < links; ++k) {
      elements::Body b;
      b.block = layout.add_rigid("PART/" + std::to_string(k + 2));
      b.mass = 1.0;
      b.J = Vec3(0.01, 0.1, 0.1).asDiagonal();
      b.gravity = Vec3(0, 0, -9.81);
      bodies.push_back(b);
    }
    BlockId before = kGround;
    for (int k = 0; k < links; ++k) {
      const MarkerId i = markers.add({bodies[k].block, Vec3(-0.5, 0, 0), Mat3::Identity()});
      const MarkerId j =
          markers.add({before, before.valid() ? Vec3(0.5, 0, 0) : Vec3(0, 0, 0), Mat3::Identity()});
      joints.push_back(elements::make_joint(type, i, j, "JOINT/" + std::to_string(k + 1), layout, markers));
      before = bodies[k].block;
    }
    state = make_state(layout);
    for (int k = 0; k < links; ++k)
      set_pose(layout, bodies[k].block, {Vec3(0.5 + k, 0, 0), Quat::Identity()}, state.q);
    // Off the straight line, so that no number is zero by chance.
    Eigen::VectorXd d(layout.size());
    for (int k = 0; k < d.size(); ++k) d[k] = 0.1 * std::sin(1.0 + k);
    retract(layout, state.q, d, state.q);
    for (int k = 0; k < state.v.size(); ++k) state.v[k] = std::cos(0.3 * k);
    for (int k = 0; k < state.lambda.size(); ++k) state.lambda[k] = std::sin(0.7 * k);
    kinematics = std::make_unique<Kinematics>(layout, markers);
  }
  void evaluate(KktSink& sink) {
    sink.start();
    kinematics->update(state);
    const Evaluation at{state, *kinematics, scratch, AnalysisMode::dynamics};
    for (const elements::Body& b : bodies) elements::evaluate(b, at, sink);
    for (const elements::Joint& j : joints) elements::evaluate(j, at, sink);
  }
};

enum class Phase { evaluate, record, analyse, factor, refactor, solve, dense_factor, dense_solve };

void run(benchmark::State& bench, Phase phase, JointType type) {
  Chain chain(static_cast<int>(bench.range(0)), type);
  KktSink sink(chain.layout, chain.state);
  chain.evaluate(sink);
  sink.compile();
  chain.evaluate(sink);
  sparse::Factorisation lu;
  lu.analyse(sink.matrix());
  if (lu.factor(sink.matrix()) == sparse::FactorStatus::singular) {
    bench.SkipWithError("singular");
    return;
  }
  Eigen::VectorXd x = sink.residual();
  const bool is_dense = phase == Phase::dense_factor || phase == Phase::dense_solve;
  const Eigen::MatrixXd D = is_dense ? Eigen::MatrixXd(sink.matrix().view()) : Eigen::MatrixXd();
  Eigen::PartialPivLU<Eigen::MatrixXd> dense(D);
  const auto pass = [&] {
    switch (phase) {
      case Phase::evaluate: chain.evaluate(sink); break;
      case Phase::record: {
        KktSink fresh(chain.layout, chain.state);
        chain.evaluate(fresh);
        fresh.compile();
        break;
      }
      case Phase::analyse: lu.analyse(sink.matrix()); break;
      case Phase::factor: lu.factor(sink.matrix()); break;
      case Phase::refactor: lu.refactor(sink.matrix()); break;
      case Phase::solve:
        x = sink.residual();
        lu.solve(x);
        break;
      case Phase::dense_factor: dense.compute(D); break;
      case Phase::dense_solve: x = dense.solve(sink.residual()); break;
    }
    benchmark::ClobberMemory();
  };
  for (auto _ : bench) pass();
  test::start_counting_allocations();
  pass();
  bench.counters["allocations"] = static_cast<double>(test::stop_counting_allocations());
  bench.counters["unknowns"] = sink.matrix().cols;
  bench.counters["nonzeros"] = sink.matrix().nonzeros();
  bench.counters["per_link"] =
      benchmark::Counter(static_cast<double>(bench.range(0)),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void sizes(benchmark::internal::Benchmark* b) {
  b->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);
}
#define TRUNNION_CHAIN(phase)                                                                  \
  BENCHMARK_CAPTURE(run, spherical_##phase, Phase::phase, JointType::spherical)->Apply(sizes); \
  BENCHMARK_CAPTURE(run, revolute_##phase, Phase::phase, JointType::revolute)->Apply(sizes)
TRUNNION_CHAIN(evaluate);
TRUNNION_CHAIN(record);
TRUNNION_CHAIN(analyse);
TRUNNION_CHAIN(factor);
TRUNNION_CHAIN(refactor);
TRUNNION_CHAIN(solve);

// Below what size a dense factorisation would pay.
void small(benchmark::internal::Benchmark* b) {
  b->Arg(1)->Arg(2)->Arg(3)->Arg(5)->Arg(10)->Unit(benchmark::kMicrosecond);
}
#define TRUNNION_SMALL(phase) \
  BENCHMARK_CAPTURE(run, small_##phase, Phase::phase, JointType::revolute)->Apply(small)
TRUNNION_SMALL(factor);
TRUNNION_SMALL(refactor);
TRUNNION_SMALL(dense_factor);
TRUNNION_SMALL(solve);
TRUNNION_SMALL(dense_solve);

// --- from the model

// Every link starts a little off its place, so little that the number of iterations is that of a short chain.
std::string chain_text(int links, const char* joint) {
  std::string text = "chain\nPART/1, GROUND\nMARKER/1, PART=1\n";
  for (int k = 0; k < links; ++k) {
    const int part = k + 2, m = 10 * part;
    text += fmt::format(
        "PART/{0}, MASS=1, CM={1}, IP=0.1,0.1,0.1, QG={2},{3},0, REULER={3},0,0\nMARKER/{1}, PART={0}\n",
        part, m, k + 0.5, 1e-5 * std::sin(1.0 + k));
    text += fmt::format("MARKER/{}, PART={}, QP=-0.5,0,0\nMARKER/{}, PART={}, QP=0.5,0,0\n", m + 1, part,
                        m + 2, part);
    text += fmt::format("JOINT/{}, {}, I={}, J={}\n", k + 1, joint, m + 1, k == 0 ? 1 : m - 8);
  }
  return text + "ACCGRAV/JGRAV=-9.81\nEND\n";
}

std::shared_ptr<const system::System> chain_system(int links, const char* joint) {
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const auto file = sources.add("chain.adm", chain_text(links, joint));
  return system::compile(lang::read_model(sources, file, diagnostics), {}, diagnostics);
}

void rank(benchmark::State& bench, const char* joint) {
  const auto system = chain_system(static_cast<int>(bench.range(0)), joint);
  system::System::Workspace work(*system, assembly::AnalysisMode::dynamics);
  system::Levels levels(system->layout());
  levels.evaluate_rows(*system, system->start(), work, false);
  for (auto _ : bench) benchmark::DoNotOptimize(sparse::row_rank(levels.gradient()));
}

void assemble(benchmark::State& bench, const char* joint) {
  const auto system = chain_system(static_cast<int>(bench.range(0)), joint);
  int iterations = 0;
  for (auto _ : bench) {
    const auto result =
        analysis::initial_conditions(*system, system->start(), {}, analysis::Upto::accelerations);
    if (!result.ok) bench.SkipWithError("not assembled");
    iterations = result.iterations;
  }
  bench.counters["iterations"] = iterations;
}

BENCHMARK_CAPTURE(rank, spherical_rank, "SPHERICAL")->Apply(sizes);
BENCHMARK_CAPTURE(rank, revolute_rank, "REVOLUTE")->Apply(sizes);
BENCHMARK_CAPTURE(assemble, spherical_assembly, "SPHERICAL")->Apply(sizes);
BENCHMARK_CAPTURE(assemble, revolute_assembly, "REVOLUTE")->Apply(sizes);

}  // namespace
}  // namespace trunnion
