#pragma once
// Reads one statement's text into the fields of its struct, guided by the schema.

#include <string>
#include <string_view>

#include "core/diagnostics.hpp"
#include "lang/logical_line.hpp"
#include "lang/vocabulary.hpp"
#include "model/schema.hpp"

namespace trunnion::lang {

// KEYWORD/id at the front of a statement.
struct Head {
  enum class Result { statement, end, bad };
  Result result = Result::bad;
  model::Kind kind;
  int id = 0;
  bool has_id = false;
  core::Span keyword_span;
  core::Span id_span;
  std::size_t rest = 0;  // where the arguments start in the text
};

// `before`: of the statement above, where there is one.
Head read_head(const LogicalLine& line, Context context, core::Diagnostics& diagnostics,
               const model::Schema* before = nullptr);

class StatementReader {
 public:
  StatementReader(const LogicalLine& line, Context context, const model::Schema& schema,
                  model::Statement& statement, core::Diagnostics& diagnostics);

  // Reads all arguments from `position` on. Everything wrong is reported; what could be read is kept.
  void read_arguments(std::size_t position);

 private:
  // --- scanning
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  void skip_blanks();
  void skip_after_equals();  // blanks, a line break and its comma mark
  bool skip_separator();     // "," "\n," ",\n," "\\" between arguments; false where there is none
  bool item_follows();       // after a list item: whether the next one is a value too
  std::string_view read_word();
  void skip_to_next_argument();
  std::size_t past_gap(std::size_t position) const;
  std::size_t end_of_item(std::size_t position) const;
  bool names_argument(std::size_t position) const;
  bool starts_argument(std::size_t position) const;

  // --- values
  void read_argument();
  void read_value(const model::Argument& argument, int index);
  void read_real(const model::Argument& argument);
  void refuse_second(const model::Argument& argument);
  void read_reals(const model::Argument& argument, std::vector<double>& out);
  void read_integers(const model::Argument& argument, std::vector<int>& out);
  void read_word_value(const model::Argument& argument, int index);
  void read_words_value(const model::Argument& argument, int index);
  void read_texts(const model::Argument& argument);
  std::string read_text(bool in_list);
  std::string clean_text(std::size_t begin, std::size_t end);
  void read_expression(const model::Argument& argument);
  bool read_number(const model::Argument& argument, double& value);
  bool read_integer(const model::Argument& argument, int& value);
  bool read_one_word(const model::Argument& argument, int index, int& word);
  bool begin_argument(const model::Argument& argument, int index, std::size_t name_begin,
                      std::size_t name_end);

  // --- messages
  std::string subject() const { return model::label(schema_, statement_); }
  void error(std::size_t begin, std::size_t end, std::string message, std::string hint = {});
  std::string argument_names() const;

  const LogicalLine& line_;
  std::string_view text_;
  Context context_;
  const model::Schema& schema_;
  model::Statement& statement_;
  core::Diagnostics& diagnostics_;
  const StatementWords& words_;
  std::size_t at_ = 0;
};

}  // namespace trunnion::lang
