#include "results/write/xrf.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "results/channels/unit_names.hpp"

namespace trunnion::results {

namespace {

constexpr std::size_t kWidth = 120;         // of a line of numbers, about
constexpr std::size_t kMostHeld = 1 << 16;  // letters in memory

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

const char* type_of(Phase phase) {
  switch (phase) {
    case Phase::initial_conditions: return "initialConditions";
    case Phase::dynamics: return "dynamic";
    case Phase::kinematics: return "kinematic";
    case Phase::statics: return "static";
    case Phase::quasi_statics: return "quasiStatic";
    case Phase::linear: break;  // writes no rows
  }
  return "dynamic";
}

}  // namespace

std::string time_stamp() { return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(std::time(nullptr))); }

XrfWriter::XrfWriter(const model::Model& model, const system::System& system, std::string patterns)
    : model_(model),
      units_(system.units()),
      patterns_(std::move(patterns)),
      type_(type_of(Phase::initial_conditions)) {
  core::Diagnostics said_before;
  const system::Frames frames(model, said_before);
  for (const system::BodyInfo& body : system.bodies()) {
    const core::Subject owner = body.label.subject();
    if (owner.kind != model::kind_of<model::Part>()) continue;
    if (const auto* part = model.find<model::Part>(owner.id)) input_[part->id] = as_given(frames, *part);
  }
  if (const auto* results = model.single<model::Results>()) digits_ = results->decimalplaces.value_or(0);
}

bool XrfWriter::open(const std::string& path, const std::vector<Channel>& channels) {
  shut();
  path_ = path;
  places_.clear();
  line_ends_.clear();
  blocks_.clear();
  data_ = 0;
  failed_ = false;
  if (!file_.open(path, error_)) return false;
  head(channels);
  const std::vector<XrfEntity> entities = xrf_entities(model_, channels, patterns_);
  map(entities);
  // The model as given: where its parts are, and zeros.
  std::vector<double> given(channels.size(), 0.0);
  constexpr const char* kPlace[] = {"X", "Y", "Z", "PSI", "THETA", "PHI"};
  for (const XrfEntity& e : entities) {
    if (e.type != "Part") continue;
    for (const XrfComponent& c : e.components) {
      const auto* found = std::find(std::begin(kPlace), std::end(kPlace), c.name);
      if (found != std::end(kPlace)) given[c.place] = input_[e.id][static_cast<std::size_t>(found - kPlace)];
    }
  }
  begin_data("input");
  add_step(given);
  end_data();
  return put();
}

void XrfWriter::head(const std::vector<Channel>& channels) {
  const std::string now = time_stamp();
  const auto* results = model_.single<model::Results>();
  const UnitNames u = unit_names(units_);
  std::string mass = units_.named() ? std::string(units_.mass) : "mass";
  for (char& c : mass) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  text_ =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Results xmlns=\"http://www.mscsoftware.com/:xrf10\">\n";
  text_ += fmt::format(
      "<Bibliography>\n<File URI=\"file://{}\" schema=\"xrf\" version=\"2.0.0.0\" publicationDate=\"{}\" />\n"
      "<Corporation author=\"Trunnion\" URI=\"\" />\n<Author user=\"\" name=\"-unknown name-\" />\n"
      "<Revision version=\"1\" "
      "derivedFrom=\"-unknown-\">\n<Comment>\n{}</Comment>\n</Revision>\n</Bibliography>\n",
      escaped(std::filesystem::path(path_).filename().string()), now,
      results && results->comment ? escaped(*results->comment) + "\n" : "");
  text_ +=
      fmt::format("<Analysis name=\"{}\" executionDate=\"{}\" Solver=\"Trunnion\" script=\"-unknown-\">\n",
                  escaped(std::filesystem::path(path_).stem().string()), now);
  text_ +=
      "<Bibliography>\n<Environment operatingSystem=\"-unknown-\" hostname=\"\" />\n"
      "<Application name=\"Trunnion\" version=\"\" />\n</Bibliography>\n";
  text_ += fmt::format(
      "<ModelInfo title=\"{}\" creationDate=\"-unknown-\" checksum=\"-unknown-\" />\n"
      "<Units angle=\"rad\" length=\"{}\" mass=\"{}\" time=\"{}\" />\n",
      escaped(model_.title), to_xrf_unit(u.length), to_xrf_unit(mass), to_xrf_unit(channels.front().unit));
}

void XrfWriter::map(const std::vector<XrfEntity>& entities) {
  text_ += "<StepMap name=\"map_001\">\n";
  std::size_t count = 0;
  for (const XrfEntity& e : entities) {
    text_ += e.type.empty()
                 ? fmt::format("<Entity name=\"{}\">\n", e.name)
                 : fmt::format("<Entity name=\"{}\" entity=\"{}\" entType=\"{}\" objectId=\"{}\">\n",
                               escaped(e.name), escaped(e.entity), e.type, e.id);
    for (const XrfComponent& c : e.components) {
      const std::string unit = c.unit.empty() ? "" : fmt::format(" unitsValue=\"{}\"", c.unit);
      text_ += fmt::format("<Component name=\"{}\"{} id=\"{}\" />\n", escaped(c.name), unit, c.id);
    }
    text_ += "</Entity>\n";
    count += e.components.size();
  }
  text_ += "</StepMap>\n";
  places_.resize(count);
  line_ends_.resize(count);
  for (const XrfEntity& e : entities) {
    for (const XrfComponent& c : e.components) {
      const auto at = static_cast<std::size_t>(c.id) - 1;
      places_[at] = c.place;
      // A line for the six numbers of a part's level, and for each other entity.
      line_ends_[at] = &c == &e.components.back() || c.name == "PHI" || (e.type == "Part" && c.name == "WZ");
    }
  }
}

// The commercial tool calls the row at the start of a motion one of initial conditions.
void XrfWriter::phase(Phase phase) {
  type_ = type_of(phase);
  starts_ = phase == Phase::dynamics || phase == Phase::kinematics;
}

void XrfWriter::begin_data(const std::string& type) {
  open_type_ = type;
  const std::string name = type == "input" ? "modelInput" : type;
  int number = 1;
  for (auto& [other, count] : blocks_) {
    if (other == name) number = ++count;
  }
  if (number == 1) blocks_.emplace_back(name, 1);
  text_ += fmt::format("<Data name=\"{}_{:03}\" id=\"{}\">\n", name, number, ++data_);
}

void XrfWriter::end_data() {
  if (open_type_.empty()) return;
  text_ += "</Data>\n";
  open_type_.clear();
}

void XrfWriter::number(double value) {
  char buffer[64];
  const auto end = digits_ > 0 ? std::to_chars(buffer, buffer + sizeof buffer, value,
                                               std::chars_format::general, std::min(digits_, 17))
                                     .ptr
                               : std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  const auto length = static_cast<std::size_t>(end - buffer);
  if (column_ > 0) text_ += column_ + length > kWidth ? '\n' : ' ';
  column_ = column_ > 0 && column_ + length <= kWidth ? column_ + length + 1 : length;
  text_.append(buffer, length);
}

void XrfWriter::add_step(const std::vector<double>& values) {
  text_ += "<Step type=\"" + open_type_ + "\">\n";
  column_ = 0;
  for (std::size_t k = 0; k < places_.size(); ++k) {
    number(values[places_[k]]);
    if (!line_ends_[k]) continue;
    text_ += '\n';
    column_ = 0;
  }
  text_ += column_ > 0 ? "\n</Step>\n" : "</Step>\n";
}

bool XrfWriter::row(const std::vector<double>& values) {
  if (!file_.is_open()) return false;
  const std::string type = std::exchange(starts_, false) ? type_of(Phase::initial_conditions) : type_;
  if (open_type_ != type) {
    end_data();
    begin_data(type);
  }
  add_step(values);
  return text_.size() < kMostHeld || put();
}

bool XrfWriter::put() {
  const bool good = file_.put(text_, error_);
  text_.clear();
  return good;
}

bool XrfWriter::shut() {
  if (!file_.is_open()) return true;
  end_data();
  text_ += fmt::format("<TerminationStatus runTermObject=\"\" runStatus=\"{}\" />\n</Analysis>\n</Results>\n",
                       failed_ ? "Failed" : "Successful");
  const bool good = put();
  return file_.close(error_) && good;
}

}  // namespace trunnion::results
