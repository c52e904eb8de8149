#include "solve/pattern.hpp"

#include <random>

namespace trunnion::solve {

using assembly::State;

namespace {

constexpr int kSamples = 2;

State nearby(const assembly::Layout& layout, const State& state, std::mt19937_64& random) {
  // Not std::uniform_real_distribution: its numbers differ between libraries.
  const auto number = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 * 2 - 1; };
  const auto fill = [&](Eigen::VectorXd& v, double size) {
    for (double& x : v) x += size * number();
  };
  constexpr double kTurn = 0.3;  // far from every singularity of a chart
  State other = state;
  Eigen::VectorXd d = Eigen::VectorXd::Zero(layout.size());
  fill(d, kTurn);
  assembly::retract(layout, state.q, d, other.q);
  fill(other.v, 1);
  fill(other.a, 1);
  fill(other.lambda, 1);
  fill(other.mu, 1);
  return other;
}

}  // namespace

void find_pattern(const system::System& system, const State& state, const system::LevelMaps& maps,
                  system::System::Workspace& work, system::StageSink& sink) {
  sink.record_anew();
  std::mt19937_64 random(1);
  // A body's turn within a step couples its three rotations, however little it is at the start.
  std::vector<math::Mat3> turn;
  system::LevelMaps turned = maps;
  if (maps.turn != nullptr) {
    turn.assign(maps.turn->size(), math::so3_exp(math::Vec3(0.3, -0.2, 0.4)));
    turned.turn = &turn;
  }
  const auto record = [&](const State& at) {
    sink.start(at, turned, true);
    system.evaluate(at, work, sink);
    sink.finish();
  };
  record(state);
  for (int k = 0; k < kSamples; ++k) record(nearby(system.layout(), state, random));
  sink.compile();
}

}  // namespace trunnion::solve
