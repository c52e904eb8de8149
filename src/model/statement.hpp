#pragma once
// What every statement has besides its own arguments.

#include <string>
#include <vector>

#include "core/source.hpp"

namespace trunnion::model {

// Where one argument stood: index into the schema's arguments, and its text (name and value).
struct GivenArgument {
  int argument = 0;
  core::Span name;
  core::Span value;
};

struct Statement {
  int id = 0;                         // 0 for statements without one (UNITS, ACCGRAV, …)
  std::string name;                   // from ! adams_view_name='…'; may be empty
  std::vector<std::string> comments;  // comment lines above it, without the '!'
  core::Span span;                    // the whole statement
  core::Span id_span;
  bool list = false;                 // as a command: print it instead of changing it
  bool damaged = false;              // some of its text could not be read: what seems missing may be there
  std::vector<GivenArgument> given;  // in the order written; empty when built from C++

  const GivenArgument* find_given(int argument) const {
    for (const GivenArgument& g : given) {
      if (g.argument == argument) return &g;
    }
    return nullptr;
  }
};

}  // namespace trunnion::model
