#pragma once
// Fills the arguments that were not given with what the schema says they are then.

#include "model/schema.hpp"
#include "model/statements.hpp"

namespace trunnion::model {

void apply_defaults(const Schema& schema, Statement& statement);

template <class T> T with_defaults(T statement) {
  apply_defaults(schema_of(kind_of<T>()), statement);
  return statement;
}

}  // namespace trunnion::model
