#pragma once
// Another program, run to its end.

#include <initializer_list>

namespace trunnion::apps {

enum class Ended { well, badly, not_there };

// The program, found on the PATH, and its arguments.
Ended run_program(std::initializer_list<const char*> words);

}  // namespace trunnion::apps
