#pragma once
// Writes a model or a script as clean text: statements in their order, arguments in the schema's order, full
// keywords, shortest exact numbers, lines of at most 80 columns. Reading it back gives the same model.

#include <string>

#include "model/model.hpp"

namespace trunnion::lang {

std::string write_model(const model::Model& model);
std::string write_script(const model::Script& script);
// One statement without comments, as `LIST` and messages show it.
std::string write_statement(const model::Schema& schema, const model::Statement& statement);

}  // namespace trunnion::lang
