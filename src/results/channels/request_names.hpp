#pragma once
// What the commercial tool's results file calls the components of a REQUEST. The store's names are F1 … F8 whatever the
// request tells of.

#include <string>
#include <vector>

#include "model/model.hpp"

namespace trunnion::results {

inline constexpr std::size_t kRequestComponents = 8;

// Of component k, from 0: CNAMES where given, else by what is asked for. Empty: left out of the file.
std::string request_component(const model::Request& request, std::size_t k);

// Components by their own names, all of a request in the order of the file → F1 … F8. Empty where they are no usual eight:
// names that CNAMES gives do not tell their numbers.
std::vector<std::string> usual_request_components(const std::vector<std::string>& names);

}  // namespace trunnion::results
