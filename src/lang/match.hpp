#pragma once
// Abbreviations. A keyword, argument or word may be shortened to any prefix that means only one thing; where
// several would fit, the one whose declared minimum the text reaches wins (P is PART, M is MARKER, J is JOINT).

#include <string>
#include <string_view>
#include <vector>

namespace trunnion::lang {

struct Candidate {
  std::string_view name;
  std::string_view minimum;
  int value = 0;
};

struct Match {
  enum class Result { found, unknown, ambiguous };
  Result result = Result::unknown;
  int value = -1;
  std::vector<std::string_view> rivals;  // where ambiguous

  bool found() const { return result == Result::found; }
};

Match match_word(std::string_view word, const std::vector<Candidate>& candidates);

// "; did you mean X?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<Candidate>& candidates);

}  // namespace trunnion::lang
