#pragma once
// Loads of the registry that take many lines each.

#include "elements/example.hpp"

namespace trunnion::elements::test {

// Lists a load between I and J under its name, for every kind of body at its ends.
using BuildLoad = std::function<void(Example&, MarkerId i, MarkerId j, MarkerId rm, BlockId states)>;
using AddLoad = std::function<void(const std::string& name, BuildLoad)>;

void add_corotations(const AddLoad& add);
void add_frictions(const AddLoad& add);

}  // namespace trunnion::elements::test
