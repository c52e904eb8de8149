#pragma once
// Formula and sketch of functions that are easier to see than to say.

#include <string_view>

namespace trunnion::api {

// Lines for `trunnion help NAME`; empty for functions without.
std::string_view function_note(std::string_view name);

}  // namespace trunnion::api
