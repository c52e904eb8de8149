// What the program does unasked: a hundred turns or swings without damping at default settings keep speed and energy within 1 %, or,
// with the formula that damps by design, the run says that they do not. And what is written does not change the motion.

#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/session.hpp"
#include "lang/writer.hpp"
#include "metamorphic/generator.hpp"

namespace trunnion::metamorphic {
namespace {

struct Undamped {
  const char* name;
  const char* model;
  double turn;    // the time of one turn or swing
  double energy;  // of its motion, in the model's units: rows are too few to read it from them
};

constexpr double kTurn = 2 * std::numbers::pi;

const std::vector<Undamped>& undamped() {
  static const std::vector<Undamped> all = {{"disc", R"(disc
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=1, CM=20, IP=0.01,0.01,0.02, WZ=2
MARKER/20, PART=2
JOINT/1, REVOLUTE, I=20, J=1
END
)",
                                             kTurn / 2, 0.04},
                                            {"unbalanced_rotor", R"(unbalanced rotor
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=2, CM=20, IP=1000,1000,2000, QG=500,0,0, VY=25000, WZ=50
MARKER/20, PART=2
MARKER/21, PART=2, QP=-500,0,0
JOINT/1, REVOLUTE, I=21, J=1
END
)",
                                             kTurn / 50, 627500},
                                            {"pendulum", R"(pendulum
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=1, CM=20, IP=1E-4,1E-4,1E-4, QG=-1,0,0
MARKER/20, PART=2
MARKER/21, PART=2, QP=1,0,0
JOINT/1, REVOLUTE, I=21, J=1
ACCGRAV/JGRAV=-9.81
END
)",
                                             2.37, 9.81},
                                            {"heavy_top", R"(heavy top
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=15, CM=20, IP=0.234375,0.46875,0.234375, QG=0,1,0, WY=100
MARKER/20, PART=2
MARKER/21, PART=2, QP=0,-1,0
JOINT/1, SPHERICAL, I=21, J=1
ACCGRAV/KGRAV=-9.81
END
)",
                                             kTurn / 100, 2343.75},
                                            {"mass_on_spring", R"(mass on a spring
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=1, CM=20, IP=1,1,1, QG=0,0,1.2
MARKER/20, PART=2
JOINT/1, TRANSLATIONAL, I=20, J=1
SPRINGDAMPER/1, TRANSLATION, I=20, J=1, K=39.478417604357434, LENGTH=1
END
)",
                                             1, 0.7896}};
  return all;
}

class AtDefaults : public testing::TestWithParam<std::tuple<std::size_t, const char*>> {};

TEST_P(AtDefaults, AHundredTurnsKeepTheEnergy) {
  const Undamped& what = undamped()[std::get<0>(GetParam())];
  const std::string integrator = std::get<1>(GetParam());
  std::string text = what.model;
  if (!integrator.empty()) text.insert(text.size() - 4, "INTEGRATOR/" + integrator + "\n");
  const double end = 100 * what.turn;
  const test::Session run =
      test::run_text(what.name, text, fmt::format("SIMULATE/DYNAMICS, END={:.17g}, STEPS=200\n", end));
  ASSERT_FALSE(run.rows.empty()) << run.said;
  const auto energy = [](const auto& row) { return row.at("ENERGY.KINETIC") + row.at("ENERGY.POTENTIAL"); };
  double off = 0;
  for (const auto& row : run.rows) off = std::max(off, std::abs(energy(row) - energy(run.rows.front())));
  const bool kept = std::abs(run.rows.back().at("TIME") - end) < 1e-6 * end && off <= 0.01 * what.energy;
  // NEWMARK takes energy by design, and says how much.
  const bool damps = integrator == "NEWMARK";
  EXPECT_TRUE(kept || (damps && run.said.find("energy") != std::string::npos))
      << what.name << " " << integrator << ": the energy is off by " << off << " of " << what.energy
      << (damps ? ", and nothing is said:\n" : ":\n") << run.said;
}

std::string name_of_run(const testing::TestParamInfo<AtDefaults::ParamType>& run) {
  std::string name = fmt::format("{}_{}", undamped()[std::get<0>(run.param)].name, std::get<1>(run.param));
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Formulas, AtDefaults,
                         testing::Combine(testing::Range<std::size_t>(0, 5),
                                          testing::Values("", "GSTIFF, SI2", "WSTIFF", "HHT", "NEWMARK")),
                         name_of_run);

// The rows a run writes are the same numbers, whichever channels are asked for.
TEST(Channels, AskingForFewChangesNoneOfThem) {
  for (const std::uint64_t seed : {1, 2, 5, 6, 9, 10, 13, 14}) {
    const Case c = random_mechanism(seed);
    const std::string adm = test::put(fmt::format("channels_{}.adm", seed), lang::write_model(c.model)),
                      acf =
                          test::put(fmt::format("channels_{}.acf", seed),
                                    fmt::format("\nSIMULATE/DYNAMICS, END={:.17g}, STEPS=10\n", c.duration));
    const auto rows = [&](const std::string& patterns) {
      const api::Project project = api::load_project({adm, acf});
      EXPECT_TRUE(project.ok()) << core::render(project.diagnostics, project.sources);
      api::RunOptions options;
      options.folder = (test::scratch() / fmt::format("channels_{}_{}", seed, patterns.size())).string();
      options.output.channels = patterns;
      options.output.store = false;
      const api::RunResult result = api::run(project, options, [](const std::string&) {});
      return test::read_csv(result.csv);
    };
    const auto all = rows(""), few = rows("PART/2.*");
    ASSERT_EQ(all.size(), few.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      for (const auto& [name, value] : few[k]) EXPECT_EQ(value, all[k].at(name)) << name << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace trunnion::metamorphic
