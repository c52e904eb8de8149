// info and plot: what there is to know about results without a browser.

#include <cmath>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "apps/opening.hpp"
#include "apps/picture.hpp"
#include "core/text.hpp"
#include "results/channels/selection.hpp"
#include "results/read/plot.hpp"
#include "results/read/unwrap.hpp"
#include "results/write/modes.hpp"

namespace trunnion::apps {

namespace {

// "JOINT 4 (24 channels)" for each kind of statement, in the order of the file.
std::string kinds(const results::History& history) {
  struct Count {
    std::string kind, last;
    int groups = 0, channels = 0;
  };
  std::vector<Count> counts;
  for (std::size_t k = 1; k < history.channels().size(); ++k) {
    const std::string& name = history.channels()[k].name;
    const std::string kind = name.substr(0, name.find_first_of("/.")),
                      group = name.substr(0, name.rfind('.'));
    if (counts.empty() || counts.back().kind != kind) counts.emplace_back().kind = kind;
    Count& c = counts.back();
    c.groups += c.last != group;
    c.last = group;
    ++c.channels;
  }
  std::string out;
  for (const Count& c : counts)
    out += fmt::format("  {:<16}{:>6}   {} channel{}\n", c.kind, c.groups, c.channels,
                       c.channels == 1 ? "" : "s");
  return out;
}

std::string report_lines(const std::string& report) {
  const auto json = nlohmann::json::parse(report, nullptr, false);
  std::string out;
  if (json.is_discarded() || !json.contains("simulations")) return out;
  for (const auto& s : json["simulations"]) {
    const double begin = s.value("begin", 0.0), reached = s.value("reached", 0.0);
    const long steps = s["steps"].value("accepted", 0L), iterations = s.value("iterations", 0L);
    out += fmt::format("simulation   {} {}: {}, {}, {:.3g} s\n", s["method"].value("name", ""),
                       reached > begin ? fmt::format("from {:.6g} to {:.6g}", begin, reached)
                                       : fmt::format("at {:.6g}", begin),
                       s.value("ended", ""),
                       steps > 0 || iterations == 0 ? fmt::format("{} steps", steps)
                                                    : fmt::format("{} iterations", iterations),
                       s["seconds"].value("all", 0.0));
  }
  for (const char* kind : {"warnings", "errors"}) {
    const auto list = json.value(kind, nlohmann::json::array());
    if (!list.is_array() || list.empty()) continue;
    out += fmt::format("{:<13}{}\n", kind, list.size());
    constexpr std::size_t kShown = 10;
    for (std::size_t k = 0; k < std::min(list.size(), kShown); ++k)
      out += "  " + (list[k].is_string() ? list[k].get<std::string>() : list[k].dump()) + "\n";
    if (list.size() > kShown) out += fmt::format("  … and {} more, in the report\n", list.size() - kShown);
  }
  return out;
}

// "modes        set 1 at t = 0: 6 modes, 1.23 … 45.6 Hz" for each LINEAR/EIGENSOL of a store.
std::string mode_lines(const std::string& file) {
  std::vector<results::ModeSet> sets;
  std::string error, out;
  if (!file.ends_with(".h5")) return out;
  if (!results::read_modes(file, sets, error)) return "modes        " + error + "\n";
  for (std::size_t k = 0; k < sets.size(); ++k) {
    const results::ModeSet& set = sets[k];
    out += fmt::format("{:<13}set {} at t = {:.6g}: {} mode{}", k == 0 ? "modes" : "", k + 1, set.time,
                       set.numbers.size(), set.numbers.size() == 1 ? "" : "s");
    if (!set.frequencies.empty())
      out += fmt::format(", {:.6g} … {:.6g} Hz", set.frequencies.front(), set.frequencies.back());
    out += "\n";
  }
  return out;
}

// "6 channels end (JOINT/5)", "12 begin (SFORCE/1, SFORCE/2)": statements, of which the first few are named.
std::string some_statements(const std::vector<std::string>& channels, const char* what) {
  if (channels.empty()) return {};
  constexpr std::size_t kShown = 4;
  std::vector<std::string> statements;
  for (const std::string& name : channels) {
    const std::string statement = name.substr(0, name.rfind('.'));
    if (statements.empty() || statements.back() != statement) statements.push_back(statement);
  }
  const std::size_t count = statements.size();
  if (count > kShown) {
    statements.resize(kShown);
    statements.push_back("…");
  }
  return fmt::format("{} channel{} {} ({})", channels.size(), channels.size() == 1 ? "" : "s", what,
                     fmt::join(statements, ", "));
}

// What came and went with each change of the model: channels are NaN in rows that have none.
std::string segment_lines(results::History& history) {
  const std::vector<results::Segment> segments = history.segments();
  if (segments.size() < 2) return {};
  std::string out = fmt::format("segments     {}: the channels change at\n", segments.size());
  constexpr std::size_t kShown = 20;
  for (std::size_t k = 1; k < std::min(segments.size(), kShown); ++k) {
    const std::vector<double> before = history.row(segments[k].row - 1), after = history.row(segments[k].row);
    std::vector<std::string> ends, begins;
    for (std::size_t c = 1; c < after.size(); ++c) {
      if (std::isnan(before[c]) == std::isnan(after[c])) continue;
      (std::isnan(after[c]) ? ends : begins).push_back(history.channels()[c].name);
    }
    const std::string end = some_statements(ends, "end"), begin = some_statements(begins, "begin");
    out += fmt::format("  t = {:<10.6g}row {}: {}{}{}\n", segments[k].t, segments[k].row, end,
                       end.empty() || begin.empty() ? "" : ", ", begin);
  }
  return out;
}

// All channels the words name: whole names, or patterns. Says which word fits nothing.
bool choose(const results::History& history, const std::vector<std::string>& words,
            std::vector<std::size_t>& places) {
  for (const std::string& word : words) {
    const std::size_t before = places.size();
    for (std::size_t k = 1; k < history.channels().size(); ++k) {
      if (results::matches(word, history.channels()[k].name)) places.push_back(k);
    }
    if (places.size() > before) continue;
    std::vector<std::string_view> names;
    for (const results::Channel& c : history.channels()) names.push_back(c.name);
    const auto near = core::nearest(word, names);
    complain(fmt::format("no channel matches {}{}", word, near ? "; did you mean " + *near + "?" : ""));
    return false;
  }
  return true;
}

}  // namespace

int info(const InfoOptions& options) {
  const auto history = open_results(options.file);
  if (!history) return kErrors;
  const std::vector<double> time = history->column(0);
  std::string out;
  if (const std::string title = history->title(); !title.empty()) out += "model        " + title + "\n";
  const auto settings = nlohmann::json::parse(history->text("settings"), nullptr, false);
  if (settings.is_object()) {
    out += "from         " + settings.value("model_file", "");
    if (const std::string script = settings.value("script_file", ""); !script.empty())
      out += " with " + script;
    out += ", " + settings.value("started", "") + "\n";
    if (settings.contains("left_out")) out += "WARNING      " + settings["left_out"].value("text", "") + "\n";
  }
  out += fmt::format("rows         {}", history->rows());
  if (!time.empty())
    out += fmt::format(", t = {:.6g} … {:.6g} {}", time.front(), time.back(), history->channels()[0].unit);
  out += history->finished() ? "\n" : " (the run goes on, or was stopped from outside)\n";
  out += segment_lines(*history);
  out += report_lines(history->text("report"));
  if (history->finished()) out += mode_lines(options.file);
  out += fmt::format("channels     {}\n{}", history->channels().size() - 1, kinds(*history));
  if (options.channels) {
    for (const results::Channel& c : history->channels()) out += fmt::format("{} [{}]\n", c.name, c.unit);
  }
  print(stdout, out);
  return kOk;
}

int plot(const PlotOptions& options) {
  const auto history = open_results(options.file);
  if (!history) return kErrors;
  std::vector<std::size_t> places;
  if (!choose(*history, options.channels, places)) return kErrors;
  const std::vector<double> time = history->column(0);
  std::vector<results::Curve> curves;
  auto columns = history->columns(places);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const results::Channel& c = history->channels()[places[k]];
    if (!options.wrapped) results::unwrap(columns[k], results::full_turn(c));
    curves.push_back({c.name, c.unit, time, std::move(columns[k])});
  }
  if (options.output.empty()) {
    for (const results::Curve& c : curves) print(stdout, results::sketch(c, 72, 12) + "\n");
    return kOk;
  }
  const bool png = options.output.ends_with(".png");
  if (!png && !options.output.ends_with(".svg"))
    return complain("plot writes SVG and PNG: the name after -o must end in .svg or .png");
  const std::string title = history->title();
  const std::string drawing = results::svg(curves, "time [" + history->channels()[0].unit + "]",
                                           title.empty() ? options.file : title);
  if (png) {
    const std::string trouble = write_png(drawing, options.output);
    return trouble.empty() ? kOk : complain(trouble);
  }
  std::ofstream file(options.output, std::ios::binary);
  file << drawing;
  return file.flush() ? kOk : complain("cannot write " + options.output);
}

}  // namespace trunnion::apps
