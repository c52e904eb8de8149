#pragma once
// What the commands share in talking to a person.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include "api/project.hpp"

namespace trunnion::apps {

inline bool colour_on(int file_descriptor) { return isatty(file_descriptor) && !std::getenv("NO_COLOR"); }

inline void print(std::FILE* stream, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

// All findings, to standard error.
inline void print_diagnostics(const api::Project& project) {
  core::RenderOptions options;
  options.colour = colour_on(STDERR_FILENO);
  print(stderr, core::render(project.diagnostics, project.sources, options));
}

}  // namespace trunnion::apps
