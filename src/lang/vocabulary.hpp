#pragma once
// The schema table prepared for reading: what a word can mean as a keyword and inside each statement.

#include <vector>

#include "lang/match.hpp"
#include "model/schema.hpp"

namespace trunnion::lang {

enum class Context { dataset, command };

// A word inside a statement: an argument, or for a choice one of its words.
struct ArgumentWord {
  int argument = 0;
  int word = -1;  // index into Argument::words for a choice
};

struct StatementWords {
  std::vector<Candidate> candidates;  // value = index into meanings
  std::vector<ArgumentWord> meanings;
};

const std::vector<Candidate>& keywords(Context context);  // value = Kind index, or kEndKeyword
inline constexpr int kEndKeyword = -2;
const StatementWords& words_of(model::Kind kind);
// The words an argument's value may be (word, words); value = index into Argument::words.
const std::vector<Candidate>& values_of(model::Kind kind, int argument);

}  // namespace trunnion::lang
