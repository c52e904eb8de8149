#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "apps/commands.hpp"
#include "apps/terminal.hpp"
#include "lang/reader.hpp"
#include "lang/writer.hpp"

namespace trunnion::apps {

namespace {

// Written beside the target and renamed, so that a full disk never leaves half a model.
bool write_file(const std::string& path, const std::string& text) {
  const std::string temporary = path + ".tmp";
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  bool good = file != nullptr;
  if (file) {
    good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    good = std::fclose(file) == 0 && good;
  }
  if (good) good = std::rename(temporary.c_str(), path.c_str()) == 0;
  if (good) return true;
  print(stderr, fmt::format("trunnion: cannot write {}: {}\n", path, std::strerror(errno)));
  std::remove(temporary.c_str());
  return false;
}

}  // namespace

int format(const FormatOptions& options) {
  api::Project project;
  const auto file = lang::load_file(options.file, project.sources, project.diagnostics);
  std::string text;
  if (file && api::is_script_path(options.file)) {
    text = lang::write_script(lang::read_script(project.sources, *file, project.diagnostics));
  } else if (file) {
    text = lang::write_model(lang::read_model(project.sources, *file, project.diagnostics));
  }
  print_diagnostics(project);
  if (!project.ok()) {
    print(stderr, "nothing was written: what could not be read would be lost\n");
    return kErrors;
  }
  const std::string target = options.in_place ? options.file : options.output;
  if (target.empty()) {
    // Byte by byte to a file or another program, and safe to look at.
    isatty(STDOUT_FILENO) ? print(stdout, text) : print_raw(stdout, text);
    return kOk;
  }
  return write_file(target, text) ? kOk : kErrors;
}

}  // namespace trunnion::apps
