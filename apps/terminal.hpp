#pragma once
// What the commands share in talking to a person.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include "api/session/project.hpp"
#include "core/printable.hpp"

namespace trunnion::apps {

inline bool colour_on(int file_descriptor) { return isatty(file_descriptor) && !std::getenv("NO_COLOR"); }

// Where both streams go to one file, they keep their order: a line of the one is not cut in two by the other.
inline void print_raw(std::FILE* stream, const std::string& text) {
  if (stream == stderr) std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stream);
}

// Names and titles come from files of any origin: what a terminal would obey is shown as a dot.
inline void print(std::FILE* stream, const std::string& text) {
  print_raw(stream, core::printable_lines(text));
}

// All findings, to standard error.
inline void print_diagnostics(const api::Project& project) {
  core::RenderOptions options;
  options.colour = colour_on(STDERR_FILENO);
  print_raw(stderr, core::render(project.diagnostics, project.sources, options));
}

}  // namespace trunnion::apps
