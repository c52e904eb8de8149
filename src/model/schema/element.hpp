#pragma once

#include "model/statements.hpp"

namespace trunnion::model {

// For arguments that name a kind of statement.
template <class T> constexpr ElementKind element() { return ElementKind{kind_of<T>().index}; }

}  // namespace trunnion::model
