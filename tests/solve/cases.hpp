#pragma once
// Models that together hold every kind of body, constraint, force and state: for tests of the matrices that steps are corrected with.

#include <string>
#include <vector>

namespace trunnion::test {

struct StageCase {
  std::string name, text;
};
// Two parts turning in space with what each case adds to them.
const std::vector<StageCase>& stage_cases();

}  // namespace trunnion::test
