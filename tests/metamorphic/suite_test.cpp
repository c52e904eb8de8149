// The suite itself: that its relations are tried, that they can fail, and that failures shrink.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "metamorphic/shrink.hpp"

namespace trunnion::metamorphic {
namespace {

Case draw(std::uint64_t seed, bool conservative) {
  return conservative ? random_conservative(seed) : random_mechanism(seed);
}

TEST(Suite, EveryRelationSaysSomethingOfSomeMechanism) {
  for (const Relation& relation : relations()) {
    bool tried = false;
    for (std::uint64_t seed = 1; seed <= 60 && !tried; ++seed)
      tried = judge(relation, draw(seed, relation.conservative), all_formulas()[1], seed).outcome !=
              Outcome::not_for_this;
    EXPECT_TRUE(tried) << relation.name;
  }
}

TEST(Suite, TheSameSeedIsTheSameMechanism) {
  const History one = start(random_mechanism(17).model), two = start(random_mechanism(17).model);
  ASSERT_TRUE(one.ok) << one.why;
  EXPECT_EQ(one.rows, two.rows);
}

TEST(Suite, EveryMechanismIsAssembledAsGiven) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const History h = start(draw(seed, seed % 4 == 3).model);
    ASSERT_TRUE(h.ok) << "seed " << seed << ": " << h.why;
    EXPECT_LT(h.adjusted, 1e-8) << "seed " << seed;
  }
}

// A twin made wrongly must be seen as another mechanism: the largest distance of accelerations over all seeds.
template <class Spoil> double worst_of(const Spoil& spoil) {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const model::Model model = plain(random_mechanism(seed).model);
    Random random(seed);
    const std::optional<Variant> v = spoil(model, random);
    if (!v) continue;
    const History first = start(model), other = read_as_first(start(v->model, v->reading.later), v->reading);
    if (!first.ok || !other.ok) continue;
    const Apart by = apart(first, other, sizes_of(first, 1));
    worst = std::max(worst, by.largest({Sort::acceleration, Sort::spin_rate}));
  }
  return worst;
}

TEST(Suite, GravityThatDoesNotTurnWithTheGroundIsSeen) {
  EXPECT_GT(worst_of([](const model::Model& model, Random& random) {
              auto v = moved(model, random);
              for (std::size_t k = 0; k < model.all<model::Accgrav>().size(); ++k)
                v->model.all<model::Accgrav>()[k] = model.all<model::Accgrav>()[k];
              return v;
            }),
            1e-3);
}

TEST(Suite, ASpringNotConvertedIsSeen) {
  EXPECT_GT(worst_of([](const model::Model& model, Random& random) {
              auto v = in_other_units(model, random);
              if (!v) return v;
              for (std::size_t k = 0; k < model.all<model::SpringDamper>().size(); ++k)
                v->model.all<model::SpringDamper>()[k].k = model.all<model::SpringDamper>()[k].k;
              return v;
            }),
            1e-3);
}

TEST(Suite, AClockNotShiftedIsSeen) {
  EXPECT_GT(worst_of([](const model::Model& model, Random&) {
              auto v = started_later(model, 3.3);
              v->model = model;
              return v;
            }),
            1e-3);
}

TEST(Suite, AFailureShrinks) {
  const Relation fails_with_a_spring{"suite.shrink", "no spring", false, 1, [](Subject& s, Random&) {
                                       const bool spring =
                                           !s.mechanism().model.all<model::SpringDamper>().empty();
                                       return spring ? Verdict{Outcome::fails, "a spring"} : Verdict{};
                                     }};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Case c = random_mechanism(seed);
    if (c.model.all<model::SpringDamper>().empty() || !c.model.all<model::PointMass>().empty()) continue;
    const Case least = shrunk(fails_with_a_spring, c, all_formulas()[0], seed);
    EXPECT_EQ(least.model.all<model::SpringDamper>().size(), 1u);
    // The spring, its two markers, their parts with their mass centres, the ground.
    EXPECT_LE(least.model.order.size(), 8u);
    return;
  }
  FAIL() << "no mechanism has a spring";
}

}  // namespace
}  // namespace trunnion::metamorphic
