#include "lang/vocabulary.hpp"

namespace trunnion::lang {

using model::Argument;
using model::Schema;
using model::ValueKind;
using model::Where;

namespace {

std::vector<Candidate> collect_keywords(Context context) {
  std::vector<Candidate> all;
  for (const Schema& schema : model::all_schemas()) {
    const bool fits = context == Context::dataset ? schema.where != Where::command : true;
    if (fits) all.push_back({schema.keyword, schema.minimum, schema.kind.index});
  }
  if (context == Context::dataset) all.push_back({"END", "END", kEndKeyword});
  return all;
}

StatementWords collect_words(const Schema& schema) {
  StatementWords words;
  const auto add = [&](std::string_view name, std::string_view minimum, ArgumentWord meaning) {
    words.candidates.push_back({name, minimum, static_cast<int>(words.meanings.size())});
    words.meanings.push_back(meaning);
  };
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    const Argument& argument = schema.arguments[i];
    const int index = static_cast<int>(i);
    if (argument.kind == ValueKind::choice) {
      for (std::size_t w = 0; w < argument.words.size(); ++w) {
        add(argument.words[w].name, argument.words[w].minimum, {index, static_cast<int>(w)});
      }
      continue;
    }
    add(argument.name, argument.minimum, {index, -1});
    for (const std::string_view alias : argument.aliases) {
      words.candidates.push_back({alias, {}, static_cast<int>(words.meanings.size()) - 1});
    }
  }
  return words;
}

struct Vocabulary {
  std::vector<StatementWords> statements;
  std::vector<std::vector<std::vector<Candidate>>> values;

  Vocabulary() {
    for (const Schema& schema : model::all_schemas()) {
      statements.push_back(collect_words(schema));
      auto& per_argument = values.emplace_back();
      for (const Argument& argument : schema.arguments) {
        auto& list = per_argument.emplace_back();
        for (std::size_t w = 0; w < argument.words.size(); ++w) {
          list.push_back({argument.words[w].name, argument.words[w].minimum, static_cast<int>(w)});
        }
      }
    }
  }
};

const Vocabulary& vocabulary() {
  static const Vocabulary all;
  return all;
}

}  // namespace

const std::vector<Candidate>& keywords(Context context) {
  static const std::vector<Candidate> dataset = collect_keywords(Context::dataset);
  static const std::vector<Candidate> command = collect_keywords(Context::command);
  return context == Context::dataset ? dataset : command;
}

const StatementWords& words_of(model::Kind kind) {
  return vocabulary().statements[static_cast<std::size_t>(kind.index)];
}

const std::vector<Candidate>& values_of(model::Kind kind, int argument) {
  return vocabulary().values[static_cast<std::size_t>(kind.index)][static_cast<std::size_t>(argument)];
}

}  // namespace trunnion::lang
