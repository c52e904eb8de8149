#include "api/session/output_guard.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "results/write/ours.hpp"

namespace trunnion::api {

namespace fs = std::filesystem;

namespace {

// Where writing to `path` ends up: links followed, also one that leads to no file yet.
fs::path destination(fs::path path) {
  std::error_code code;
  path = fs::absolute(path, code);
  constexpr int kMostLinks = 40;  // as the kernel
  for (int k = 0; k < kMostLinks && fs::is_symlink(fs::symlink_status(path, code)); ++k)
    path = path.parent_path() / fs::read_symlink(path, code);
  const fs::path whole = fs::weakly_canonical(path, code);
  return code ? path : whole;
}

}  // namespace

OutputGuard::OutputGuard(const std::string& folder, bool outside_allowed)
    : folder_(destination(folder.empty() ? fs::path(".") : fs::path(folder)).string()),
      outside_allowed_(outside_allowed) {}

std::string OutputGuard::misplaced(const std::string& path) const {
  const fs::path to = destination(path), from_here = to.lexically_relative(folder_);
  const bool inside = !from_here.empty() && *from_here.begin() != "..";
  if (!inside && !outside_allowed_)
    return fmt::format(
        "{} lies outside of the folder of the results, {}; nothing is written there unless --allow-outside "
        "is given",
        to.string(), folder_);
  // The folder of the results itself is made where there is none.
  std::error_code code;
  const fs::path folder = to.parent_path();
  if (folder == folder_ || fs::is_directory(folder, code)) return {};
  return fmt::format("there is no folder {} to write {} into; make it first", folder.string(),
                     to.filename().string());
}

std::string OutputGuard::refusal(const std::string& path) const {
  std::string why = misplaced(path);
  if (why.empty() && !results::may_replace(path))
    why = fmt::format(
        "{} is there already and does not look like a file of Trunnion's; it is left as it is. Try another "
        "--prefix or --out, or move it away",
        path);
  return why;
}

}  // namespace trunnion::api
