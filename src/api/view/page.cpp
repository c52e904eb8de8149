#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/view/base64.hpp"
#include "api/view/flexible.hpp"
#include "api/view/scene.hpp"
#include "api/view/store_names.hpp"
#include "lang/reader.hpp"
#include "results/channels/selection.hpp"

namespace trunnion::api {

namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

template <class Number> void append(std::string& bytes, Number value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

// Text that would end the element it stands in must not occur inside it.
std::string embedded(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace), out;
  for (const char c : text) {
    if (c == '<') out += "\\u003c";
    else out += c;
  }
  return out;
}

std::string element(const std::string& id, const char* type, const std::string& content) {
  return fmt::format("<script id=\"{}\" type=\"{}\">{}</script>\n", id, type, content);
}

constexpr const char* kMotion = "*.X,*.Y,*.Z,*.PSI,*.THETA,*.PHI,FLEX_BODY/*.Q*";
constexpr const char* kArrows = "*.FX,*.FY,*.FZ,CONTACT/*.T?";

// Of the wanted channels, and of what moves the bodies in any case.
std::vector<std::size_t> wanted(const results::History& run, const std::string& patterns) {
  const std::string all = patterns.empty() ? "" : patterns + "," + kMotion + "," + kArrows;
  return results::select(run.channels(), all).places;
}

// What of a run goes into the page.
struct Excerpt {
  std::vector<std::size_t> places;  // channels, the time first
  std::size_t stride = 1;           // of the rows
};

// Letters in the page: the time in double, everything else in single precision, all in base 64.
std::size_t letters(std::size_t rows, std::size_t channels) {
  return rows * (8 + 4 * (channels - 1)) / 3 * 4;
}

// The channels that a page can do without go first: kept is what moves the bodies, then what draws forces, then the others
// in their order.
std::vector<std::size_t> most_useful(const results::History& run, const std::vector<std::size_t>& places,
                                     std::size_t count) {
  std::vector<std::pair<int, std::size_t>> ranked;
  const auto motion = results::split_patterns(kMotion), arrows = results::split_patterns(kArrows);
  for (const std::size_t place : places) {
    const std::string& name = run.channels()[place].name;
    const bool moves = place == 0 || results::matches_any(motion, name);
    ranked.emplace_back(moves ? 0 : results::matches_any(arrows, name) ? 1 : 2, place);
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.resize(std::min(count, ranked.size()));
  std::vector<std::size_t> out;
  for (const auto& [rank, place] : ranked) out.push_back(place);
  std::sort(out.begin(), out.end());
  return out;
}

// A browser takes some hundred megabytes at most: fewer rows, down to some hundreds, then fewer channels.
Excerpt excerpt(const results::History& run, const PageOptions& options, std::vector<std::string>& notes) {
  constexpr std::size_t kFewRows = 500;
  Excerpt out{wanted(run, options.channels)};
  const std::size_t all_rows = run.rows(), all_channels = out.places.size();
  const auto rows = [&] { return (all_rows + out.stride - 1) / out.stride; };
  const auto too_large = [&] { return letters(rows(), out.places.size()) > options.most_bytes; };
  out.stride = std::max<std::size_t>(1, (all_rows + options.frames - 1) / options.frames);
  while (too_large() && rows() > kFewRows) ++out.stride;
  // What moves the bodies must be whole, or some would stand still.
  const std::size_t moving = results::select(run.channels(), kMotion).places.size();
  while (letters(rows(), moving) > options.most_bytes && rows() > 2) ++out.stride;
  if (too_large()) out.places = most_useful(run, out.places, 1 + options.most_bytes / (rows() * 4) / 4 * 3);
  if (out.places.size() < all_channels)
    notes.push_back(
        fmt::format("{} of {} channels are in the page, to keep it below {} MB: --channels chooses them",
                    out.places.size() - 1, all_channels - 1, options.most_bytes >> 20));
  if (out.stride > 1)
    notes.push_back(fmt::format("{} of {} rows are in the page, one in {}{}", rows(), all_rows, out.stride,
                                rows() + 1 >= options.frames
                                    ? ": --frames keeps more"
                                    : ", to keep it small: fewer --channels leave room for more"));
  return out;
}

std::string run_elements(results::History& file, const model::Model& model, const std::string& name,
                         int number, const PageOptions& options, std::vector<std::string>& notes) {
  StoreNames run(file, model);
  const auto [places, stride] = excerpt(run, options, notes);
  Json head{{"name", name}, {"rows", (run.rows() + stride - 1) / stride}, {"all", run.rows()}};
  head["finished"] = run.finished();
  Json channels = Json::array();
  for (const std::size_t place : places)
    channels.push_back({run.channels()[place].name, run.channels()[place].unit});
  head["channels"] = std::move(channels);
  const auto parsed = [&](const char* what) { return Json::parse(run.text(what), nullptr, false); };
  for (const char* what : {"settings", "report"}) {
    if (Json j = parsed(what); !j.is_discarded()) head[what] = std::move(j);
  }
  const std::vector<results::StepRecord> steps = run.steps();
  const std::size_t skip = std::max<std::size_t>(1, (steps.size() + options.frames - 1) / options.frames);
  Json history = Json::array({Json::array(), Json::array(), Json::array(), Json::array()});
  for (std::size_t k = 0; k < steps.size(); k += skip) {
    const results::StepRecord& s = steps[k];
    history[0].push_back(s.t);
    history[1].push_back(s.h);
    history[2].push_back(s.order);
    history[3].push_back(s.iterations);
  }
  head["steps"] = std::move(history);
  head["notes"] = notes;
  Json segments = Json::array();
  for (const results::Segment& segment : file.segments()) segments.push_back(segment.t);
  head["segments"] = std::move(segments);
  // The time in double, everything else in single precision: what a drawing can show. A column at a time.
  std::string bytes;
  for (std::size_t begin = 0; begin < places.size(); begin += run.at_once()) {
    const std::size_t end = std::min(begin + run.at_once(), places.size());
    const auto columns = run.columns({places.begin() + static_cast<std::ptrdiff_t>(begin),
                                      places.begin() + static_cast<std::ptrdiff_t>(end)});
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (std::size_t r = 0; r < columns[k].size(); r += stride) {
        if (begin + k == 0) append(bytes, columns[k][r]);
        else append(bytes, static_cast<float>(columns[k][r]));
      }
    }
  }
  return element(fmt::format("run{}", number), "application/json", embedded(head)) +
         element(fmt::format("run{}-data", number), "text/plain", base64(bytes));
}

// As viewer/src/modes.ts takes them.
Json modes_json(const std::vector<results::ModeSet>& sets, std::vector<std::string>& notes) {
  constexpr std::size_t kMostNumbers = 3'000'000;  // some 30 MB of text
  Json out = Json::array();
  for (const results::ModeSet& set : sets) {
    Json modes = Json::array();
    const std::size_t numbers_of_a_mode =
        12 * std::max<std::size_t>(set.parts.size(), 1) + 2 * set.deformation.size();
    const std::size_t most = std::max<std::size_t>(1, kMostNumbers / sets.size() / numbers_of_a_mode);
    const std::size_t count = std::min(set.values.size(), most);
    if (count < set.values.size())
      notes.push_back(fmt::format("{} of {} modes at t = {:.6g} are in the page, the first", count,
                                  set.values.size(), set.time));
    for (std::size_t m = 0; m < count; ++m) {
      Json shape = Json::array();
      for (std::size_t p = 0; p < set.parts.size(); ++p) {
        Json part = Json::array();
        for (const std::complex<double>& c : set.shapes[m * set.parts.size() + p]) {
          part.push_back(static_cast<float>(c.real()));
          part.push_back(static_cast<float>(c.imag()));
        }
        shape.push_back(std::move(part));
      }
      Json modal = Json::array();
      for (std::size_t k = 0; k < set.deformation.size(); ++k) {
        const std::complex<double> c = set.modal[m * set.deformation.size() + k];
        modal.push_back(static_cast<float>(c.real()));
        modal.push_back(static_cast<float>(c.imag()));
      }
      modes.push_back({{"number", set.numbers[m]},
                       {"eigenvalue", {set.values[m].real(), set.values[m].imag()}},
                       {"frequency", set.frequencies[m]},
                       {"damping", set.dampings[m]},
                       {"shape", std::move(shape)},
                       {"modal", std::move(modal)}});
    }
    out.push_back({{"time", set.time},
                   {"parts", set.parts},
                   {"pose", set.poses},
                   {"flexible", set.flexible},
                   {"coordinates", set.coordinates},
                   {"deformation", set.deformation},
                   {"modes", std::move(modes)}});
  }
  return out;
}

// The scale of stress colours is that of all rows, whichever of them the page has.
void add_hottest(Json& scene, const std::vector<results::DeformingBody>& bodies, results::History& run) {
  if (!scene.is_object()) return;
  for (Json& drawn : scene["flexible"]) {
    const auto body = std::find_if(bodies.begin(), bodies.end(),
                                   [&](const auto& one) { return one.channel == drawn["channel"]; });
    if (body == bodies.end()) continue;
    if (const auto spot = hottest(*body, run))
      drawn["hottest"] = {{"node", spot->node}, {"t", spot->t}, {"value", spot->value}};
  }
}

// Where the files are that GRAPHICS/EXTERNAL names: beside the model.
std::string shell_folder(results::History& run, const PageOptions& options) {
  if (!options.folder.empty()) return options.folder;
  const Json settings = Json::parse(run.text("settings"), nullptr, false);
  if (!settings.is_object()) return {};
  return std::filesystem::path(settings.value("model_file", "")).parent_path().string();
}

}  // namespace

Page page(const std::string& page_template, results::History& run, const std::string& run_name,
          results::History* overlay, const std::string& overlay_name, const PageOptions& options,
          std::string& error) {
  std::string text = run.text("model");
  if (text.empty()) text = options.model;
  if (text.empty()) {
    error =
        "there is no model in it: view needs a results store (PREFIX.h5), or a .res with its model beside it "
        "or after "
        "--model";
    return {};
  }
  core::SourceSet sources;
  core::Diagnostics diagnostics;
  const model::Model model = lang::read_model(sources, sources.add("model", text), diagnostics);
  const StoreNames named(run, model);
  if (const auto chosen = results::select(named.channels(), options.channels); !chosen.useless.empty()) {
    error = results::useless_patterns(chosen.useless, named.channels());
    return {};
  }
  const std::string folder = shell_folder(run, options);
  const std::vector<results::DeformingBody> flexible =
      options.flexible.empty() ? flexible_bodies(model, folder, !options.allow_outside) : options.flexible;
  Json shown = scene(model, folder, options.allow_outside, flexible);
  add_hottest(shown, flexible, run);
  if (shown.is_null()) {
    error = "the model inside it does not compile in this version";
    return {};
  }
  static const std::string kMark = "<!--DATA-->";
  const std::size_t at = page_template.find(kMark);
  if (at == std::string::npos) {
    error = "the viewer's page has no place for data";
    return {};
  }
  Page out;
  for (const Json& note : shown["notes"]) out.notes.push_back(note.get<std::string>());
  std::string data = element("scene", "application/json", embedded(shown));
  if (!options.modes.empty())
    data += element("modes-data", "application/json", embedded(modes_json(options.modes, out.notes)));
  PageOptions of_each = options;
  if (overlay) of_each.most_bytes /= 2;
  data += run_elements(run, model, run_name, 0, of_each, out.notes);
  std::vector<std::string> of_overlay;
  if (overlay) data += run_elements(*overlay, model, overlay_name, 1, of_each, of_overlay);
  for (const std::string& note : of_overlay) out.notes.push_back(overlay_name + ": " + note);
  out.html = page_template.substr(0, at) + data + page_template.substr(at + kMark.size());
  return out;
}

}  // namespace trunnion::api
