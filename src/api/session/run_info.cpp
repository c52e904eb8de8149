#include "api/session/run_info.hpp"

#include <array>
#include <ctime>

#include <fmt/format.h>

#include "results/channels/channels.hpp"
#include "system/owner.hpp"

namespace trunnion::api {

namespace {

using Names = std::array<const char*, 3>;
struct Words {
  const char* quantity;
  Names first;   // components of the vector
  Names second;  // of the angles, spins or torque
};

Words words_of(model::Quantity quantity) {
  switch (quantity) {
    case model::Quantity::displacement: return {"displacement", {"X", "Y", "Z"}, {"PSI", "THETA", "PHI"}};
    case model::Quantity::velocity: return {"velocity", {"VX", "VY", "VZ"}, {"WX", "WY", "WZ"}};
    case model::Quantity::acceleration:
      return {"acceleration", {"ACCX", "ACCY", "ACCZ"}, {"WDTX", "WDTY", "WDTZ"}};
    case model::Quantity::force: return {"force", {"FX", "FY", "FZ"}, {"TX", "TY", "TZ"}};
  }
  return {};
}

std::string marker_name(const model::Model& model, const model::Ref<model::Marker>& marker,
                        const char* otherwise) {
  if (!marker.given() || marker.id == 0) return otherwise;
  return label(model, model::kind_of<model::Marker>(), marker.id);
}

// "  X = 1 mm, Y = 2 mm, Z = 3 mm", of three values that follow each other.
std::string components(const Names& names, const double* values, const std::string& unit) {
  std::string out;
  for (std::size_t k = 0; k < names.size(); ++k)
    out += fmt::format("{}{} = {:.9g} {}", k == 0 ? "  " : ", ", names[k], values[k], unit);
  return out;
}

}  // namespace

std::vector<std::string> info_lines(const std::shared_ptr<const system::System>& system,
                                    const model::Model& model, const assembly::State& state,
                                    assembly::AnalysisMode mode, const model::Info& info,
                                    std::string& trouble) {
  // A request by another name: the channels know how to compute it.
  model::Request request;
  request.id = 1;
  request.quantity = info.quantity;
  request.i = info.i;
  request.j = info.j;
  request.rm = info.rm;
  model::Model asked;
  asked.add(std::move(request));
  core::Diagnostics diagnostics;
  results::Channels channels(system, asked, diagnostics);
  if (diagnostics.warning_count() > 0) {
    trouble = diagnostics.all().front().message;
    return {};
  }
  std::vector<double> values;
  channels.sample(state, mode, values);
  const std::size_t first = channels.first_request();
  const Words words = words_of(info.quantity.value());
  const double* f = values.data() + first;  // magnitude, three components, and the same of the angles
  return {fmt::format("t = {:.6g}: {} of {} {} {}, in the axes of {}", state.t, words.quantity,
                      marker_name(model, info.i, ""),
                      info.quantity.value() == model::Quantity::force ? "against" : "from",
                      marker_name(model, info.j, "ground"), marker_name(model, info.rm, "ground")),
          components(words.first, f + 1, channels.list()[first + 1].unit),
          components(words.second, f + 5, channels.list()[first + 5].unit)};
}

std::vector<std::string> show_lines(const model::Model& model, const RunStatusNow& now,
                                    const model::Show& show) {
  std::vector<std::string> lines;
  const bool other = show.dof || show.version || show.files;
  if (show.status.given() || !other) {
    if (show.status.given() && show.status.value() == model::Show::Status::model) {
      for (const model::Schema& schema : model::all_schemas()) {
        if (const std::size_t count = model.count(schema.kind); count > 0)
          lines.push_back(fmt::format("  {:<16} {}", schema.keyword, count));
      }
    } else {
      lines.push_back(
          fmt::format("  t = {:.9g}, {} steps and {} iterations so far", now.t, now.steps, now.iterations));
    }
  }
  if (show.dof)
    lines.push_back(now.assembled
                        ? fmt::format("  {} degree{} of freedom", now.freedoms, now.freedoms == 1 ? "" : "s")
                        : "  degrees of freedom: not known before the model is assembled");
  if (show.version) lines.push_back("  trunnion " + now.version);
  if (show.files) {
    for (const std::string& file : now.files) lines.push_back("  " + file);
  }
  return lines;
}

std::string freedom_line(const system::System& system, const analysis::AssemblyResult& assembled) {
  return fmt::format(
      "  {} coordinates − {} independent constraint equations = {} degree{} of freedom; {} redundant "
      "equation{}",
      system.layout().mechanical_size(), assembled.active.size(), assembled.freedoms,
      assembled.freedoms == 1 ? "" : "s", assembled.redundant.size(),
      assembled.redundant.size() == 1 ? "" : "s");
}

std::vector<std::string> topology_lines(const model::Model& model) {
  const system::Owners owners(model);
  std::vector<std::string> lines{"  connections:"};
  for (const model::Model::Entry entry : model.order) {
    const model::Schema& schema = model::schema_of(entry.kind);
    const bool connects = schema.group == "Constraints" || schema.group == "Forces";
    std::string between;
    for (const model::Argument& a : schema.arguments) {
      const bool marker =
          a.kind == model::ValueKind::reference && a.target == model::kind_of<model::Marker>();
      if (!connects || !marker || !model::is_given(a, model.at(entry))) continue;
      if (a.name != "I" && a.name != "J" && a.name != "JFLOAT") continue;
      const system::Owner owner = owners.of(model::field<model::RefBase>(a, model.at(entry)).id);
      if (owner.known()) between += (between.empty() ? "" : " – ") + label(model, owner.kind, owner.id);
    }
    if (!between.empty()) lines.push_back(fmt::format("  {}: {}", label(schema, model.at(entry)), between));
  }
  return lines;
}

std::string time_line(double t) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
  return fmt::format("  t = {:.9g}; the computer's clock says {}", t, text);
}

}  // namespace trunnion::api
