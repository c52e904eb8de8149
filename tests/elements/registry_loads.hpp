#pragma once
// Entries of the registry that take many lines each.

#include "elements/example.hpp"

namespace trunnion::elements::test {

// Lists a load between I and J under its name, for every kind of body at its ends.
using BuildLoad = std::function<void(Example&, MarkerId i, MarkerId j, MarkerId rm, BlockId states)>;
using AddLoad = std::function<void(const std::string& name, BuildLoad)>;

void add_corotations(const AddLoad& add);
void add_contacts(const AddLoad& add);
void add_frictions(const AddLoad& add);
void add_kinks(const AddLoad& add);                  // expressions with kinks among the states; splines
void add_named_loads(const AddLoad& add);            // BUSHING, NFORCE, VTORQUE, user code
void add_named_equations(std::vector<Listed>& all);  // TFSISO, GSE
void add_beam_elements(std::vector<Listed>& all);    // FE_PART

}  // namespace trunnion::elements::test
