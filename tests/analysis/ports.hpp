#pragma once
// VARIABLEs as inputs, outputs and coordinates of linear analyses, and what these say.

#include "analysis/mechanism.hpp"

namespace trunnion::test {

inline assembly::BlockId variable(const Mechanism& m, int id) {
  return m.system->find_states(model::kind_of<model::Variable>(), id)->states;
}

inline std::string first(const std::vector<core::Words>& messages) {
  return messages.empty() ? "" : messages.front();
}

}  // namespace trunnion::test
