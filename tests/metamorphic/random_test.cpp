// Every relation on mechanisms drawn at random. TRUNNION_SEED is the first seed (1), TRUNNION_MECHANISMS how many are drawn (500),
// TRUNNION_RELATION a part of the name of the relations to try, TRUNNION_FORMULA a formula for all (0: GSTIFF I3, …);
// TRUNNION_SHRINK=0 leaves failures as drawn.

#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "metamorphic/shrink.hpp"

namespace trunnion::metamorphic {
namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

constexpr int kChunks = 25;  // each is a test of its own, so that ctest can spread them

class RandomMechanisms : public testing::TestWithParam<int> {};

Case draw(std::uint64_t seed) { return seed % 4 == 3 ? random_conservative(seed) : random_mechanism(seed); }
const Formula& formula_for(std::uint64_t seed) {
  return all_formulas()[setting("TRUNNION_FORMULA", seed / 4) % all_formulas().size()];
}

bool chosen(const Relation& relation, std::uint64_t seed, std::size_t index) {
  Random random(seed * 1000 + index);
  return uniform(random, 0, 1) < relation.share;
}

TEST_P(RandomMechanisms, MoveAsTheirTwins) {
  const std::uint64_t first = setting("TRUNNION_SEED", 1), count = setting("TRUNNION_MECHANISMS", 500);
  const char* only = std::getenv("TRUNNION_RELATION");
  static std::set<std::string> told;  // one minimal model of each kind is enough
  for (std::uint64_t seed = first + static_cast<std::uint64_t>(GetParam()); seed < first + count;
       seed += kChunks) {
    const Case c = draw(seed);
    const Formula& formula = formula_for(seed);
    Subject subject(c, formula);
    std::size_t index = 0;
    for (const Relation& relation : relations()) {
      if (only && std::string_view(relation.name).find(only) == std::string_view::npos) continue;
      if ((relation.conservative && seed % 4 != 3) || !chosen(relation, seed, ++index)) continue;
      const Verdict verdict = judge(relation, subject, seed);
      if (verdict.outcome != Outcome::fails) continue;
      std::string kept;
      if (setting("TRUNNION_SHRINK", 1) && told.insert(relation.name).second) {
        const Case least = shrunk(relation, c, formula, seed);
        kept = fmt::format("\n  minimal: {} ({} statements): {}", keep(relation, least, formula, seed),
                           least.model.order.size(), judge(relation, least, formula, seed).what);
      }
      ADD_FAILURE() << fmt::format(
          "{} ({}), {}, {}:\n  {}{}\n  again: TRUNNION_SEED={} TRUNNION_MECHANISMS=1", relation.name,
          relation.says, c.name, formula.name, verdict.what, kept, seed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Chunks, RandomMechanisms, testing::Range(0, kChunks));

}  // namespace
}  // namespace trunnion::metamorphic
