#include "results/write/graphics_file.hpp"

#include <map>

#include <fmt/format.h>

#include "results/write/ours.hpp"
#include "results/write/request_file.hpp"
#include "results/write/xrf.hpp"

namespace trunnion::results {

using model::Graphics;
using model::kind_of;

namespace {

constexpr int kForceGraphic = 5, kSpringGraphic = 8;

std::string six(const double* v, double factor = 1) {
  std::string out = " ";
  for (int k = 0; k < 6; ++k) out += fmt::format("{:13.5E}", factor * v[k]);
  return out + "\n";
}

std::size_t find(const std::vector<Channel>& channels, const std::string& name) {
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (channels[k].name == name) return k;
  }
  return 0;
}

// Those fixed to parts, part by part.
std::vector<const model::Marker*> markers_of_parts(const model::Model& model) {
  std::map<int, std::vector<const model::Marker*>> by_part;
  for (const model::Marker& m : model.all<model::Marker>()) {
    if (m.part.given() && !m.floating) by_part[m.part.id].push_back(&m);
  }
  std::vector<const model::Marker*> out;
  for (const model::Part& part : model.all<model::Part>()) {
    const auto& its = by_part[part.id];
    out.insert(out.end(), its.begin(), its.end());
  }
  return out;
}

// Places of the markers in the file's table, from 1.
std::map<int, int> marker_numbers(const model::Model& model) {
  std::map<int, int> out;
  for (const model::Marker* m : markers_of_parts(model)) out.emplace(m->id, static_cast<int>(out.size()) + 1);
  return out;
}

}  // namespace

GraphicsWriter::GraphicsWriter(const model::Model& model, const system::System& system)
    : model_(model), system_(system) {
  core::Diagnostics said_before;
  const system::Frames frames(model, said_before);
  for (const model::Part& part : model.all<model::Part>()) {
    if (!part.ground) input_.push_back(as_given(frames, part));
  }
}

// Markers by part, each with its place on it.
std::string GraphicsWriter::marker_table() {
  core::Diagnostics said_before;
  system::Frames frames(model_, said_before);
  std::string out;
  for (const model::Marker* m : markers_of_parts(model_)) {
    const Place at = as_given(frames, *m);
    out += fmt::format("{:>11}{:>10}{:13.5E}{:13.5E}{:13.5E}{:>8}\n {:13.5E}{:13.5E}{:13.5E}\n", m->id,
                       m->part.id, at[0], at[1], at[2], 0, at[3], at[4], at[5]);
  }
  return out;
}

std::string GraphicsWriter::graphics_table(const std::vector<Channel>& channels) {
  const std::map<int, int> numbers = marker_numbers(model_);
  const auto number = [&](int id) {
    const auto found = numbers.find(id);
    return found == numbers.end() ? 0 : found->second;
  };
  std::string forces, springs;
  for (const Graphics& g : model_.all<Graphics>()) {
    if (g.type.given() && g.type.value() == Graphics::Type::force) {
      const model::Kind kind{g.etype.index};
      const std::string channel = fmt::format("{}/{}.FX", model::schema_of(kind).keyword, g.eid.value_or(0));
      const std::size_t at = find(channels, channel);
      if (at == 0) continue;
      const system::Force* force = system_.find_force(kind, g.eid.value_or(0));
      const auto marker = system_.find_marker(g.emarker.id);
      const bool on_j = force && marker && marker->index == force->j.index;
      arrows_.push_back({at, on_j ? -1.0 : 1.0});
      forces +=
          fmt::format("{:>11}{:>10}{:>10}\n{:>11}{:>10}\n", g.id, kForceGraphic, 2, number(g.emarker.id), 0);
    } else if (g.type.given() && g.type.value() == Graphics::Type::spdp) {
      const auto half = [](const std::optional<double>& diameter) { return diameter.value_or(0) / 2; };
      constexpr int kSegments = 20;  // in every real file
      springs += fmt::format(
          "{:>11}{:>10}{:>10}\n{:>6}{:>6}{:>6}{:>6}{:13.5E}{:13.5E}{:13.5E}\n"
          "{:13.5E}{:13.5E}{:13.5E}{:13.5E}\n",
          g.id, kSpringGraphic, 11, number(g.i.id), number(g.j.id), kSegments, g.coils.value_or(0),
          half(g.da), half(g.db), half(g.dc), g.la.value_or(0), g.lb.value_or(0), g.lc.value_or(0),
          g.ld.value_or(0));
    }
  }
  return forces + springs;
}

std::string GraphicsWriter::tables(const std::vector<Channel>& channels) {
  std::string parts, joints;
  std::size_t joint_count = 0;
  const std::map<int, int> numbers = marker_numbers(model_);
  for (const model::Part& part : model_.all<model::Part>()) {
    // Ground stands first, or a reader could not tell which part has no rows.
    const std::string line = fmt::format("{:>11}{:>10}\n", part.id, 1);
    parts = part.ground ? line + parts : parts + line;
    if (!part.ground) parts_.push_back(find(channels, fmt::format("XFORM/{}.X", part.id)));
  }
  for (const model::Joint& joint : model_.all<model::Joint>()) {
    if (!system_.find_constraint(kind_of<model::Joint>(), joint.id)) continue;
    const auto i = numbers.find(joint.i.id), j = numbers.find(joint.j.id);
    if (i == numbers.end() || j == numbers.end()) continue;
    joints += fmt::format("{:>11}{:>10}{:>10}\n", joint.id, i->second, j->second);
    ++joint_count;
  }
  const std::string markers = marker_table(), graphics = graphics_table(channels);
  std::size_t springs = 0;
  for (const Graphics& g : model_.all<Graphics>())
    springs += g.type.given() && g.type.value() == Graphics::Type::spdp;
  const std::string counts =
      fmt::format("{:>6}{:>5}{:>5}{:>5}{:>5}{:>5}{:>5}{:>5}{:>5}\n", model_.all<model::Part>().size(),
                  numbers.size(), arrows_.size() + springs, 0, joint_count, 0, 0, 0, arrows_.size());
  return counts + parts + joints + markers + graphics;
}

bool GraphicsWriter::open(const std::string& path, const std::vector<Channel>& channels) {
  parts_.clear();
  arrows_.clear();
  if (!file_.open(path, error_)) return false;
  std::string text = fmt::format(" A.G8    {}  {}  {}\n{:<80.80}\n", time_stamp(), unit_line(system_.units()),
                                 kOurMark, model_.title);
  text += tables(channels);
  // The model as given stands under a time that cannot be.
  text += "  -9.99999E+05\n";
  for (const auto& part : input_) text += six(part.data());
  const Place nothing{};
  for (std::size_t k = 0; k < arrows_.size(); ++k) text += six(nothing.data());
  return file_.put(text, error_);
}

bool GraphicsWriter::row(const std::vector<double>& values) {
  std::string text = fmt::format("{:14.5E}\n", values.front());
  for (const std::size_t part : parts_) text += six(&values[part]);
  for (const Arrow& arrow : arrows_) text += six(&values[arrow.place], arrow.sign);
  return file_.put(text, error_);
}

}  // namespace trunnion::results
