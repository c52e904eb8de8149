// The long row of the IFToMM benchmark A02.

#include "dynamics/mechanisms.hpp"
#include "dynamics/simulate.hpp"

namespace trunnion {
namespace {

using test::energy_drift;
using test::every;
using test::Mechanism;
using test::Motion;

TEST(Benchmark, FortyFourBarsThroughSingularPlaces) {
  for (const char* integrator : {"GSTIFF", "GSTIFF, SI2", "HHT"}) {
    Mechanism m(test::four_bars(40, integrator));
    ASSERT_TRUE(m.assembled.ok) << m.messages();
    EXPECT_EQ(m.assembled.freedoms, 1);
    EXPECT_EQ(m.assembled.redundant.size(), 120u);
    const Motion motion = simulate(m, every(0.01, 10));
    EXPECT_TRUE(motion.result.ok) << integrator << motion.messages();
    // HHT damps by design; the others keep 0.02 % of 595 J at default settings.
    EXPECT_LT(energy_drift(motion), std::string(integrator) == "HHT" ? 6 : 0.2) << integrator;
    if (std::string(integrator) == "GSTIFF") {
      EXPECT_NEAR(static_cast<double>(motion.result.loop.counts.rank_dips), 10,
                  1);  // one may fall between two matrices
      EXPECT_LT(energy_drift(motion), 0.1);
    }
  }
}

}  // namespace
}  // namespace trunnion
