// compare: two results channel by channel, with an exit code for scripts.

#include "results/read/compare.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "api/view/store_names.hpp"
#include "apps/opening.hpp"
#include "core/text.hpp"
#include "lang/reader.hpp"

namespace trunnion::apps {

namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The model that both results come from; empty where there is none at hand.
std::string model_text(const CompareOptions& options, results::History& a, results::History& b) {
  if (!options.model.empty()) return content(options.model);
  for (results::History* history : {&a, &b}) {
    if (std::string text = history->text("model"); !text.empty()) return text;
  }
  for (const std::string& path : {options.a, options.b}) {
    if (!path.ends_with(".res")) continue;
    if (std::string text = content(fs::path(path).replace_extension(".adm")); !text.empty()) return text;
  }
  return {};
}

// "only in a.h5: PART/2.X and 5 more".
std::string some(const std::string& what, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  return fmt::format("{}: {}{}\n", what, names.front(),
                     names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "");
}

// "a.res does not keep ENERGY: 5 channels of the other".
std::string not_told(const std::string& path, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::vector<std::string> kinds;
  for (const std::string& name : names) {
    const std::string kind = name.substr(0, name.find_first_of("/."));
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  return fmt::format("{} does not keep {}: {} channel{} of the other\n", path, core::join_and(kinds),
                     names.size(), names.size() == 1 ? "" : "s");
}

std::string table(const results::Comparison& c, const CompareOptions& options, std::size_t differ) {
  constexpr std::size_t kShown = 20;
  const std::size_t shown = options.all ? c.channels.size() : std::min(differ, kShown);
  std::string out;
  if (shown > 0)
    out += fmt::format("{:<24} {:>12} {:>12} {:>12}  {}\n", "channel", "difference", "of scale", "at time",
                       "unit");
  for (std::size_t k = 0; k < shown; ++k) {
    const results::Difference& d = c.channels[k];
    out += fmt::format("{:<24} {:>12.4g} {:>12.3g} {:>12.6g}  {}\n", d.name, d.largest, d.relative, d.at,
                       d.unit);
  }
  if (shown < differ) out += fmt::format("… and {} more (--all shows every channel)\n", differ - shown);
  return out;
}

// `needs_model`: parts could not be compared for want of it.
int tell(const results::Comparison& c, const CompareOptions& options, bool needs_model) {
  std::string out = some("only in " + options.a, c.only_a) + some("only in " + options.b, c.only_b) +
                    not_told(options.a, c.not_of_a) + not_told(options.b, c.not_of_b) +
                    some("in other units", c.other_units);
  if (!c.same_span)
    out += fmt::format("compared over the common span, t = {:.6g} … {:.6g}\n", c.begin, c.end);
  std::size_t differ = 0;
  for (const results::Difference& d : c.channels) differ += d.relative > options.tolerance;
  out += table(c, options, differ);
  if (needs_model) out += "try: --model M.adm, which leads from a .res's part frames (XFORM) to PART\n";
  out += fmt::format("{} of {} channels differ by more than {:.3g} of their scale, at {} times\n", differ,
                     c.channels.size(), options.tolerance, c.times);
  print(stdout, out);
  const bool same =
      differ == 0 && c.only_a.empty() && c.only_b.empty() && c.other_units.empty() && c.same_span;
  return same && !c.channels.empty() ? kOk : kDifferent;
}

}  // namespace

int compare(const CompareOptions& options) {
  const auto a = open_results(options.a), b = a ? open_results(options.b) : nullptr;
  if (!a || !b) return kErrors;
  if (!options.model.empty() && !fs::is_regular_file(options.model))
    return complain(options.model + ": there is no such file");
  const std::string text = model_text(options, *a, *b);
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const model::Model model = lang::read_model(sources, sources.add("model", text), diagnostics);
  api::StoreNames named_a(*a, model), named_b(*b, model);
  const results::Comparison c = results::compare(named_a, named_b);
  if (c.no_common_time) return complain("the two have no time in common");
  const auto parts = [](const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(),
                       [](const std::string& name) { return name.starts_with("PART/"); });
  };
  const bool with_res = options.a.ends_with(".res") || options.b.ends_with(".res");
  return tell(c, options, with_res && text.empty() && (parts(c.only_a) || parts(c.only_b)));
}

}  // namespace trunnion::apps
