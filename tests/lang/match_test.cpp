#include "lang/match.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text.hpp"
#include "lang/vocabulary.hpp"

namespace trunnion::lang {
namespace {

using testing::ElementsAre;

TEST(Match, Rules) {
  const std::vector<Candidate> words = {{"PART", "P", 0},    {"POINT_MASS", "POI", 1}, {"PTCV", "", 2},
                                        {"ROTATION", "", 3}, {"ROTATIONAL", "", 3},    {"IC", "", 4},
                                        {"ICX", "", 5}};
  const auto value = [&](std::string_view word) { return match_word(word, words).value; };
  EXPECT_EQ(value("p"), 0);  // declared minimum decides
  EXPECT_EQ(value("PART"), 0);
  EXPECT_EQ(value("poi"), 1);
  EXPECT_EQ(value("pt"), 2);   // unique prefix
  EXPECT_EQ(value("rot"), 3);  // two spellings of one thing
  EXPECT_EQ(value("IC"), 4);   // in full, though ICX starts so too
  EXPECT_EQ(match_word("PARTS", words).result, Match::Result::unknown);
  EXPECT_EQ(match_word("X", words).result, Match::Result::unknown);
  const Match i = match_word("i", words);
  EXPECT_EQ(i.result, Match::Result::ambiguous);
  EXPECT_THAT(i.rivals, ElementsAre("IC", "ICX"));
}

TEST(Match, KeywordsAsRealFilesShortenThem) {
  struct Case {
    Context context;
    const char *word, *keyword;
  };
  const Case cases[] = {
      {Context::dataset, "P", "PART"},
      {Context::dataset, "M", "MARKER"},
      {Context::dataset, "J", "JOINT"},
      {Context::dataset, "R", "REQUEST"},
      {Context::dataset, "ACC", "ACCGRAV"},
      {Context::dataset, "AR", "ARRAY"},
      {Context::dataset, "BE", "BEAM"},
      {Context::dataset, "GF", "GFORCE"},
      {Context::dataset, "JP", "JPRIM"},
      {Context::dataset, "OUT", "OUTPUT"},
      {Context::dataset, "POI", "POINT_MASS"},
      {Context::dataset, "RES", "RESULTS"},
      {Context::dataset, "SF", "SFORCE"},
      {Context::dataset, "SPR", "SPRINGDAMPER"},
      {Context::dataset, "UNI", "UNITS"},
      {Context::dataset, "VAR", "VARIABLE"},
      {Context::dataset, "VF", "VFORCE"},
      {Context::dataset, "VT", "VTORQUE"},
      {Context::command, "accg", "ACCGRAV"},
      {Context::command, "sim", "SIMULATE"},
      {Context::command, "equil", "EQUILIBRIUM"},
      {Context::command, "equ", "EQUILIBRIUM"},
      {Context::command, "int", "INTEGRATOR"},
      {Context::command, "inte", "INTEGRATOR"},
      {Context::command, "var", "VARIABLE"},
      {Context::command, "rel", "RELOAD"},
      {Context::command, "sho", "SHOW"},
      {Context::command, "fil", "FILE"},
      {Context::command, "stop", "STOP"},
      {Context::command, "act", "ACTIVATE"},
      {Context::command, "deact", "DEACTIVATE"},
      {Context::command, "lin", "LINEAR"},
      {Context::command, "save", "SAVE"},
  };
  for (const Case& c : cases) {
    const Match match = match_word(c.word, keywords(c.context));
    ASSERT_TRUE(match.found()) << c.word;
    ASSERT_GE(match.value, 0) << c.word;
    EXPECT_EQ(model::schema_of(model::Kind{match.value}).keyword, c.keyword) << c.word;
  }
}

TEST(Match, ArgumentsAsRealFilesShortenThem) {
  struct Case {
    const char *statement, *word, *argument;  // for a choice: the word itself
  };
  const Case cases[] = {
      {"SIMULATE", "stat", "STATICS"},
      {"SIMULATE", "STATIC", "STATICS"},
      {"SIMULATE", "dyn", "DYNAMICS"},
      {"SIMULATE", "DYNAMIC", "DYNAMICS"},
      {"SIMULATE", "dur", "DURATION"},
      {"EQUILIBRIUM", "err", "ERROR"},
      {"EQUILIBRIUM", "imb", "IMBALANCE"},
      {"EQUILIBRIUM", "imbal", "IMBALANCE"},
      {"EQUILIBRIUM", "tlim", "TLIMIT"},
      {"EQUILIBRIUM", "alim", "ALIMIT"},
      {"EQUILIBRIUM", "stab", "STABILITY"},
      {"EQUILIBRIUM", "AL", "ALIMIT"},
      {"VARIABLE", "fun", "FUNCTION"},
      {"VARIABLE", "FUNC", "FUNCTION"},
      {"REQUEST", "D", "DISPLACEMENT"},
      {"REQUEST", "V", "VELOCITY"},
      {"REQUEST", "A", "ACCELERATION"},
      {"REQUEST", "F", "FORCE"},
      {"REQUEST", "C", "COMMENT"},
      {"RELOAD", "out", "OUTPUT_PREFIX"},
      {"MARKER", "P", "PART"},
      {"MARKER", "Q", "QP"},
      {"MARKER", "R", "REULER"},
      {"PART", "G", "GROUND"},
      {"PART", "M", "MASS"},
      {"PART", "Q", "QG"},
      {"JOINT", "T", "TRANSLATIONAL"},
      {"JOINT", "C", "CYLINDRICAL"},
      {"JOINT", "RE", "REVOLUTE"},
      {"JOINT", "SP", "SPHERICAL"},
      {"JOINT", "U", "UNIVERSAL"},
      {"SFORCE", "A", "ACTIONONLY"},
      {"SFORCE", "TR", "TRANSLATIONAL"},
      {"SFORCE", "ROTATION", "ROTATIONAL"},
      {"SPRINGDAMPER", "A", "ANGLE"},
      {"SPRINGDAMPER", "L", "LENGTH"},
      {"FILE", "mod", "MODEL"},
      {"FILE", "com", "COMMAND"},
      {"ACCGRAV", "K", "KGRAV"},
      {"BEAM", "E", "EMODULUS"},
      {"BEAM", "CR", "CRATIO"},
      {"ARRAY", "S", "SIZE"},
      {"INTEGRATOR", "ERR", "ERROR"},
      {"OUTPUT", "REQ", "REQSAVE"},
      {"RESULTS", "FORM", "FORMATTED"},
  };
  for (const Case& c : cases) {
    const auto all = model::all_schemas();
    const auto schema =
        std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.keyword == c.statement; });
    ASSERT_NE(schema, all.end()) << c.statement;
    const StatementWords& words = words_of(schema->kind);
    const Match match = match_word(c.word, words.candidates);
    ASSERT_TRUE(match.found()) << c.statement << " " << c.word;
    const ArgumentWord meaning = words.meanings[static_cast<std::size_t>(match.value)];
    const model::Argument& argument = schema->arguments[static_cast<std::size_t>(meaning.argument)];
    if (meaning.word < 0) {
      EXPECT_EQ(argument.name, c.argument) << c.statement << " " << c.word;
      continue;
    }
    // A choice has two spellings at times; both must have the expected word's value.
    const int value = argument.words[static_cast<std::size_t>(meaning.word)].value;
    bool spelled = false;
    for (const model::Word& word : argument.words)
      spelled = spelled || (word.name == c.argument && word.value == value);
    EXPECT_TRUE(spelled) << c.statement << " " << c.word << " is not " << c.argument;
  }
}

// --- the whole table ----------------------------------------------------------------------------------------------

TEST(Vocabulary, EveryKeywordResolvesToItself) {
  for (const Context context : {Context::dataset, Context::command}) {
    for (const Candidate& c : keywords(context)) {
      EXPECT_EQ(match_word(c.name, keywords(context)).value, c.value) << c.name;
      EXPECT_EQ(match_word(core::to_lower(c.name), keywords(context)).value, c.value) << c.name;
      if (c.minimum.empty()) continue;
      EXPECT_TRUE(core::starts_with_nocase(c.name, c.minimum)) << c.name << " " << c.minimum;
      EXPECT_EQ(match_word(c.minimum, keywords(context)).value, c.value) << c.name << " by " << c.minimum;
    }
  }
}

TEST(Vocabulary, EveryArgumentAndWordResolvesToItself) {
  for (const model::Schema& schema : model::all_schemas()) {
    const StatementWords& words = words_of(schema.kind);
    // Two words of one choice with one value are the same thing.
    const auto meaning = [&](std::string_view text) {
      const Match match = match_word(text, words.candidates);
      if (!match.found()) return std::pair{-1, -1};
      const ArgumentWord m = words.meanings[static_cast<std::size_t>(match.value)];
      const auto& argument = schema.arguments[static_cast<std::size_t>(m.argument)];
      return std::pair{m.argument, m.word < 0 ? -1 : argument.words[static_cast<std::size_t>(m.word)].value};
    };
    const auto check = [&](std::string_view name, std::string_view minimum, std::pair<int, int> wanted) {
      EXPECT_EQ(meaning(name), wanted) << schema.keyword << ": " << name;
      if (minimum.empty()) return;
      EXPECT_TRUE(core::starts_with_nocase(name, minimum))
          << schema.keyword << ": " << name << " " << minimum;
      EXPECT_EQ(meaning(minimum), wanted) << schema.keyword << ": " << name << " by " << minimum;
    };
    for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
      const model::Argument& a = schema.arguments[i];
      const int index = static_cast<int>(i);
      if (a.kind == model::ValueKind::choice) {
        for (const model::Word& word : a.words) check(word.name, word.minimum, {index, word.value});
        continue;
      }
      check(a.name, a.minimum, {index, -1});
      for (const std::string_view alias : a.aliases) check(alias, {}, {index, -1});
      const auto& values = values_of(schema.kind, index);
      for (const model::Word& word : a.words) {
        for (const std::string_view text : {word.name, word.minimum.empty() ? word.name : word.minimum}) {
          const Match match = match_word(text, values);
          ASSERT_TRUE(match.found()) << schema.keyword << " " << a.name << "=" << text;
          EXPECT_EQ(a.words[static_cast<std::size_t>(match.value)].value, word.value)
              << schema.keyword << " " << a.name << "=" << text;
        }
      }
    }
  }
}

TEST(Vocabulary, DidYouMean) {
  EXPECT_EQ(did_you_mean("MARKR", keywords(Context::dataset)), "; did you mean MARKER?");
  EXPECT_EQ(did_you_mean("QWERTYUIOP", keywords(Context::dataset)), "");
}

}  // namespace
}  // namespace trunnion::lang
