// Mechanisms drawn at random: the recursion over joint coordinates gives the accelerations of the general evaluation at the start and on the
// way, and leaves constraints satisfied at all three levels.

#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/session/session.hpp"
#include "metamorphic/generator.hpp"
#include "solve/stage_solver.hpp"
#include "solve/tree_motion.hpp"
#include "system/levels.hpp"

namespace trunnion::metamorphic {
namespace {

using assembly::State;

struct Seen {
  int trees = 0, looped = 0;
  std::map<std::string, int> left;  // to the general evaluation, by reason
};

// Accelerations of a state by both, over the largest; and rows at three levels. The sensitivity of the general solution to rounding is
// its condition: what a change of velocities by rounding changes there is allowed, a hundredfold.
void compare(const system::System& system, solve::StageSolver& solver, system::System::Workspace& work,
             const std::vector<int>& active, solve::ExplicitMotion& motion, const State& y,
             const State& start) {
  const int n = system.layout().mechanical_size();
  State state = start;
  motion.complete(y, state);
  State general = state;
  if (!solver.accelerations(general, work)) return;  // singular for both
  const double size = std::max(1.0, general.a.head(n).lpNorm<Eigen::Infinity>());
  State shaken = state;
  constexpr double kShake = 1e-9;
  for (int k = 0; k < n; ++k) shaken.v[k] *= 1 + (k % 2 == 0 ? kShake : -kShake);
  if (!solver.accelerations(shaken, work)) return;
  const double sensitive = (shaken.a - general.a).head(n).lpNorm<Eigen::Infinity>() / (kShake * size);
  EXPECT_LE((general.a - state.a).head(n).lpNorm<Eigen::Infinity>(), 1e-10 * (1 + sensitive) * size);
  system::Levels levels(system.layout());
  levels.evaluate_rows(system, state, work, true);
  const double fast = std::max(1.0, state.v.head(n).lpNorm<Eigen::Infinity>()),
               far = std::max(1.0, assembly::farthest_place(system.layout(), state.q));
  for (const int r : active) {
    const std::string name = system.layout().row_name(assembly::RowId{r});
    EXPECT_LE(std::abs(levels.phi()[r]), 1e-12 * far) << name;
    EXPECT_LE(std::abs(levels.rate()[r]), 1e-11 * fast * far) << name;
    EXPECT_LE(std::abs(levels.along(r, state.a) - levels.gamma()[r]), 1e-11 * std::max(size, fast * fast))
        << name;
  }
}

void look_at(const Case& c, Seen& seen) {
  SCOPED_TRACE(c.name);
  api::Session session(c.model);
  if (!session.assemble()) return;
  const system::System& system = *session.system();
  const std::vector<int>& active = session.place().active;
  const State start = session.place().state;
  solve::StageSolver solver(system, active);
  system::System::Workspace work(system, assembly::AnalysisMode::dynamics);
  std::string why;
  const auto motion = solve::make_tree_motion(solver, start, work, why);
  if (!motion) {
    ++seen.left[why.substr(why.find(": ") + 2).substr(0, 60)];
    return;
  }
  ++seen.trees;
  seen.looped += why.find("beside") != std::string::npos;
  State y;
  motion->express(start, y);
  motion->start_chart(y);
  std::srand(17);
  for (int k = 0; k < 3; ++k) {
    SCOPED_TRACE(k);
    motion->express(start, y);
    motion->look(y.t);
    const int n = motion->sizes().coordinates;
    const Eigen::VectorXd by = Eigen::VectorXd::Random(motion->sizes().all());
    Eigen::VectorXd d = (k > 0 ? 0.02 : 0.0) * by;
    if (k > 0) y.v.head(n) += Eigen::VectorXd::Random(n);
    const solve::Outcome outcome = motion->evaluate(d, y, work);
    if (k > 0 && outcome != solve::Outcome::converged) continue;  // moved to where loops do not close
    ASSERT_EQ(outcome, solve::Outcome::converged) << motion->message();
    compare(system, solver, work, active, *motion, y, start);
  }
}

TEST(Recursion, GivesTheAccelerationsOfTheGeneralEvaluation) {
  const char* from = std::getenv("TRUNNION_SEED");
  const std::uint64_t first = from ? std::strtoull(from, nullptr, 10) : 1;
  Seen seen;
  for (std::uint64_t seed = first; seed < first + 300; ++seed) {
    look_at(seed % 4 == 3 ? random_conservative(seed) : random_mechanism(seed), seen);
    if (testing::Test::HasFailure()) break;
  }
  for (const auto& [why, count] : seen.left) fmt::print("{:>4}  {}\n", count, why);
  fmt::print("{} by recursion, {} of them with rows beside the tree\n", seen.trees, seen.looped);
  EXPECT_GE(seen.trees, 100);
  EXPECT_GE(seen.looped, 30);
}

}  // namespace
}  // namespace trunnion::metamorphic
