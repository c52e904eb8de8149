#pragma once
// Help texts and the manual, made from the schema table and the function table.

#include <string>
#include <string_view>

#include "expr/functions.hpp"
#include "model/schema.hpp"

namespace trunnion::api {

std::string statement_help(const model::Schema& schema);
std::string function_help(const expr::FunctionInfo& function);

// All statements, commands and functions, a line each.
std::string topic_list();

// The help on a word: a statement, a command, a function or several of them; empty where nothing has that name.
std::string topic_help(std::string_view topic);
// "did you mean" for a word that topic_help does not know; may be empty.
std::string nearest_topic(std::string_view topic);

// docs/manual/language.md.
std::string manual_markdown();

}  // namespace trunnion::api
