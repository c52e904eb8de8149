// view: one page with the motion and the plots of a result, from the viewer that the build made (viewer/).

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "api/view/scene.hpp"
#include "apps/opening.hpp"
#include "apps/process.hpp"
#include "results/write/ours.hpp"

// The page without data, put into the program as it is. Empty where the build had no npm.
__asm__(
    ".section .rodata\n"
    ".global trunnion_viewer_begin\n.global trunnion_viewer_end\n"
    "trunnion_viewer_begin:\n.incbin \"" TRUNNION_VIEWER_PAGE
    "\"\n"
    "trunnion_viewer_end:\n.byte 0\n"
    ".previous\n");
extern "C" const char trunnion_viewer_begin[], trunnion_viewer_end[];

namespace trunnion::apps {

namespace fs = std::filesystem;

namespace {

// The desktop's own way to open a file; not waited for beyond its start.
bool open_in_browser(const std::string& path) {
  const std::string absolute = fs::absolute(path).string();
  return run_program({"xdg-open", absolute.c_str()}) == Ended::well;
}

// The text of the model file for results that have none inside; empty where there is none.
std::string model_beside(const ViewOptions& options) {
  const std::string path =
      options.model.empty() ? fs::path(options.file).replace_extension(".adm").string() : options.model;
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int view(const ViewOptions& options) {
  const std::string page_template(trunnion_viewer_begin, trunnion_viewer_end);
  if (page_template.empty())
    return complain(
        "this program was built without its viewer: install npm, then build again (./run does both)");
  if (!options.model.empty() && !fs::is_regular_file(options.model))
    return complain(options.model + ": there is no such file");
  const auto run = open_results(options.file);
  if (!run) return kErrors;
  const auto overlay = options.overlay.empty() ? nullptr : open_results(options.overlay);
  if (!options.overlay.empty() && !overlay) return kErrors;
  std::string error;
  api::PageOptions page_options{options.channels, static_cast<std::size_t>(options.frames)};
  page_options.model = model_beside(options);
  page_options.allow_outside = options.allow_outside;
  if (!options.model.empty() || options.file.ends_with(".res"))
    page_options.folder =
        fs::absolute(options.model.empty() ? options.file : options.model).parent_path().string();
  if (options.file.ends_with(".h5") && !results::read_modes(options.file, page_options.modes, error))
    print(stderr, "trunnion: its modes are left out: " + error + "\n");
  if (options.file.ends_with(".h5") && !results::read_shapes(options.file, page_options.flexible, error))
    print(stderr, "trunnion: flexible bodies are drawn by their markers: " + error + "\n");
  const api::Page page =
      api::page(page_template, *run, options.file, overlay.get(), options.overlay, page_options, error);
  if (page.html.empty()) return complain(options.file + ": " + error);
  const std::string path =
      options.output.empty() ? fs::path(options.file).replace_extension(".html").string() : options.output;
  if (options.output.empty() && !results::may_replace(path))
    return complain(path + " is there already and is no page of Trunnion's; -o names another");
  std::ofstream file(path, std::ios::binary);
  if (!(file << page.html).flush()) return complain("cannot write " + path);
  print(stderr, fmt::format("{} ({:.1f} MB)\n", path, static_cast<double>(page.html.size()) / 1e6));
  for (const std::string& note : page.notes) print(stderr, "  " + note + "\n");
  if (options.open && !open_in_browser(path))
    return complain("no browser could be started; open " + path + " in one");
  return kOk;
}

}  // namespace trunnion::apps
