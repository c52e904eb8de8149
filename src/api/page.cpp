#include <bit>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/base64.hpp"
#include "api/scene.hpp"
#include "api/store_names.hpp"
#include "lang/reader.hpp"
#include "results/selection.hpp"

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

// Of the wanted channels, and of what moves the bodies in any case.
std::vector<std::size_t> wanted(const results::History& run, const std::string& patterns) {
  results::Selection chosen = results::select(
      run.channels(), patterns.empty() ? "" : patterns + ",*.X,*.Y,*.Z,*.PSI,*.THETA,*.PHI,*.FX,*.FY,*.FZ");
  return chosen.places;
}

std::string run_elements(results::History& file, const model::Model& model, const std::string& name,
                         int number, const PageOptions& options) {
  StoreNames run(file, model);
  const std::vector<std::size_t> places = wanted(run, options.channels);
  const std::size_t stride = std::max<std::size_t>(1, (run.rows() + options.frames - 1) / options.frames);
  Json head{{"name", name}, {"rows", (run.rows() + stride - 1) / stride}, {"stride", stride}};
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
Json modes_json(const std::vector<results::ModeSet>& sets) {
  Json out = Json::array();
  for (const results::ModeSet& set : sets) {
    Json modes = Json::array();
    for (std::size_t m = 0; m < set.values.size(); ++m) {
      Json shape = Json::array();
      for (std::size_t p = 0; p < set.parts.size(); ++p) {
        Json part = Json::array();
        for (const std::complex<double>& c : set.shapes[m * set.parts.size() + p]) {
          part.push_back(static_cast<float>(c.real()));
          part.push_back(static_cast<float>(c.imag()));
        }
        shape.push_back(std::move(part));
      }
      modes.push_back({{"number", set.numbers[m]},
                       {"eigenvalue", {set.values[m].real(), set.values[m].imag()}},
                       {"frequency", set.frequencies[m]},
                       {"damping", set.dampings[m]},
                       {"shape", std::move(shape)}});
    }
    out.push_back(
        {{"time", set.time}, {"parts", set.parts}, {"pose", set.poses}, {"modes", std::move(modes)}});
  }
  return out;
}

// Where the files are that GRAPHICS/EXTERNAL names: beside the model.
std::string shell_folder(results::History& run, const PageOptions& options) {
  if (!options.folder.empty()) return options.folder;
  const Json settings = Json::parse(run.text("settings"), nullptr, false);
  if (!settings.is_object()) return {};
  return std::filesystem::path(settings.value("model_file", "")).parent_path().string();
}

}  // namespace

std::string page(const std::string& page_template, results::History& run, const std::string& run_name,
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
  const Json shown = scene(model, shell_folder(run, options));
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
  std::string data = element("scene", "application/json", embedded(shown)) +
                     element("model-text", "application/json", embedded(Json(text))) +
                     run_elements(run, model, run_name, 0, options);
  if (!options.modes.empty())
    data += element("modes-data", "application/json", embedded(modes_json(options.modes)));
  if (overlay) data += run_elements(*overlay, model, overlay_name, 1, options);
  return page_template.substr(0, at) + data + page_template.substr(at + kMark.size());
}

}  // namespace trunnion::api
