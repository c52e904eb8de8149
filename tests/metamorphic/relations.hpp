#pragma once
// What must hold between two motions of the same mechanism, whatever the mechanism.

#include <string>
#include <vector>

#include "metamorphic/subject.hpp"

namespace trunnion::metamorphic {

enum class Outcome { holds, fails, not_for_this };
struct Verdict {
  Outcome outcome = Outcome::holds;
  std::string what;

  static Verdict of(std::string difference) {
    return difference.empty() ? Verdict{} : Verdict{Outcome::fails, std::move(difference)};
  }
  static Verdict skip(std::string why = {}) { return {Outcome::not_for_this, std::move(why)}; }
};

struct Relation {
  const char* name;
  const char* says;
  bool conservative;  // only for mechanisms without damping, functions and motions
  double share;       // of the mechanisms it is tried on: the dear ones on fewer
  Verdict (*check)(Subject&, Random&);
};
const std::vector<Relation>& relations();

// A subject that a relation is tried on. The same seed, the same choices.
Verdict judge(const Relation& relation, const Case& c, const Formula& formula, std::uint64_t seed);
Verdict judge(const Relation& relation, Subject& subject, std::uint64_t seed);

}  // namespace trunnion::metamorphic
