// A belt of 100 bodies on ground in a ring, 400 VFORCEs of about ten operations each component between neighbours and ground
// (in structure the belt of the HHT paper): one evaluation of residual and Jacobian, the residual alone, and the expressions alone.

#include <cmath>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/diagnostics.hpp"
#include "system/compile/compile.hpp"

namespace trunnion {
namespace {

constexpr int kBodies = 100;

model::Model belt() {
  using namespace model;
  Model m;
  m.title = "belt";
  Part ground;
  ground.id = 1;
  ground.ground = true;
  m.add(ground);
  const auto marker = [&](int id, int part, bool floating = false) {
    Marker k;
    k.id = id;
    k.part = part;
    k.floating = floating;
    m.add(k);
  };
  for (int b = 0; b < kBodies; ++b) {
    const double s = 2 * M_PI * b / kBodies;
    Part p;
    p.id = b + 2;
    p.qg = {std::cos(s), std::sin(s), 0.01 * std::sin(5 * s)};
    p.mass = 0.1;
    p.cm = 1000 + b;
    p.ip = {1e-3, 1e-3, 1e-3};
    m.add(p);
    marker(1000 + b, p.id);
    marker(2000 + b, p.id, true);
  }
  marker(10, 1);
  marker(11, 1, true);
  int id = 0;
  const auto force = [&](int i, int j, int floating, int rm) {
    Vforce f;
    f.id = ++id;
    f.i = i;
    f.jfloat = floating;
    f.rm = rm;
    const auto part = [&](char axis) {
      return fmt::format(
          "-1E3*(DM({0},{1})-0.06)*D{2}({0},{1},{3})/"
          "DM({0},{1})-5*V{2}({0},{1},{3})*STEP(DM({0},{1}),0,0,0.1,1)",
          i, j, axis, rm);
    };
    f.fx = part('X');
    f.fy = part('Y');
    f.fz = part('Z');
    m.add(f);
  };
  for (int b = 0; b < kBodies; ++b) {
    for (const int reach : {1, 2, 3}) {
      const int next = (b + reach) % kBodies;
      force(1000 + b, 1000 + next, 2000 + next, 1000 + next);
    }
    force(1000 + b, 10, 11, 10);
  }
  return m;
}

std::shared_ptr<const system::System> compiled() {
  core::Diagnostics diagnostics;
  static const auto system = system::compile(belt(), {}, diagnostics);
  return system;
}

class Counting final : public assembly::Sink {
 public:
  explicit Counting(assembly::Needs wanted) : needs_(wanted) {}
  assembly::Needs needs() const override { return needs_; }
  void residual(assembly::BlockId, assembly::Term, assembly::VecRef value) override { sum += value[0]; }
  void partial(assembly::BlockId, assembly::BlockId, assembly::Level, assembly::MatRef value) override {
    sum += value(0, 0);
  }
  void multiplier_partial(assembly::BlockId, assembly::RowId, assembly::VecRef) override {}
  void constraint(assembly::RowId, const assembly::ConstraintRow&) override {}
  void velocity_constraint(assembly::RowId, const assembly::VelocityRow&) override {}
  double sum = 0;

 private:
  assembly::Needs needs_;
};

void run(benchmark::State& bench, assembly::Needs needs) {
  const auto system = compiled();
  system::System::Workspace work(*system, assembly::AnalysisMode::dynamics);
  assembly::State state = system->start();
  for (Eigen::Index k = 0; k < state.v.size(); ++k) state.v[k] = std::sin(0.3 * static_cast<double>(k));
  Counting sink(needs);
  for (auto _ : bench) {
    system->evaluate(state, work, sink);
    benchmark::DoNotOptimize(sink.sum);
  }
}
void residual(benchmark::State& bench) { run(bench, {true, false, false, false, false, false}); }
void jacobian(benchmark::State& bench) { run(bench, {}); }

// The 1200 expressions with gradients, nothing else.
void expressions(benchmark::State& bench) {
  const model::Model m = belt();
  std::vector<expr::Program> programs;
  for (const model::Vforce& f : m.all<model::Vforce>()) {
    for (const model::Expression* e : {&f.fx, &f.fy, &f.fz})
      programs.push_back(*expr::compile(e->text).program);
  }
  expr::Workspace work;
  std::vector<double> in(8, 0.07), gradient(8);
  for (auto _ : bench) {
    double sum = 0;
    for (const expr::Program& p : programs) sum += p.gradient({in.data(), p.inputs().size()}, work, gradient);
    benchmark::DoNotOptimize(sum);
  }
}

BENCHMARK(residual)->Unit(benchmark::kMicrosecond);
BENCHMARK(jacobian)->Unit(benchmark::kMicrosecond);
BENCHMARK(expressions)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace trunnion
