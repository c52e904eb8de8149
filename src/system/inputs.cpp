#include "system/inputs.hpp"

#include <array>

#include <fmt/format.h>

#include "model/validate.hpp"

namespace trunnion::system {

using assembly::Level;
using assembly::MarkerId;
using elements::MeasureKind;
using elements::Signal;
using model::kind_of;

namespace {

// The four markers of a measure; those that are not named are ground. Nothing where one is not there.
std::optional<std::array<MarkerId, 4>> markers_of(const std::array<int, 4>& ids, InputSources& from) {
  std::array<MarkerId, 4> out;
  bool good = true;  // a missing one does not hide the next
  for (std::size_t k = 0; k < 4; ++k) {
    const auto found = from.marker(ids[k]);
    good = good && found.has_value();
    out[k] = found.value_or(assembly::MarkerTable::kGroundMarker);
  }
  return good ? std::optional(out) : std::nullopt;
}

// ORIENT(type, component, i, j)
Resolved resolve_orient(const expr::Input& input, InputSources& from) {
  constexpr int kEulerParameters = 27, kDirectionCosines = 29;
  const auto m = markers_of({input.ids[2], input.ids[3], 0, 0}, from);
  if (!m) return {};
  if (input.ids[0] != kEulerParameters && input.ids[0] != kDirectionCosines)
    return {{},
            fmt::format("{}: only the types 27 (Euler parameters) and 29 (direction cosines) are supported",
                        input.name())};
  const MeasureKind kind =
      input.ids[0] == kEulerParameters ? MeasureKind::euler_parameter : MeasureKind::direction_cosine;
  return {Signal::of(
      elements::make_measure(kind, input.ids[1] - 1, {(*m)[0], (*m)[1]}, from.layout(), from.frames()))};
}

Resolved resolve_measure(const expr::Input& input, InputSources& from) {
  using K = MeasureKind;
  const K kind = elements::measure_kind(input.function->name).value();
  const auto m = markers_of(input.ids, from);
  if (!m) return {};
  const bool third_is_l = kind == K::vm || kind == K::vr || kind == K::accm || kind == K::wdtm;
  elements::MeasureMarkers markers{(*m)[0], (*m)[1], (*m)[2], (*m)[3]};
  if (third_is_l) markers = {(*m)[0], (*m)[1], assembly::MarkerTable::kGroundMarker, (*m)[2]};
  Signal s = Signal::of(elements::make_measure(kind, 0, markers, from.layout(), from.frames()));
  if (counts_turns(kind)) s.measure.memory = from.turns(kind, input.ids[0], input.ids[1]);
  return {std::move(s)};
}

// FX(i, j, k) and the like as one of the eight components.
int component_of(std::string_view function) {
  constexpr std::array<std::string_view, 8> names{"FM", "FX", "FY", "FZ", "TM", "TX", "TY", "TZ"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == function) return static_cast<int>(k) + 1;
  }
  return 1;
}

}  // namespace

Resolved resolve(const expr::Input& input, const model::Model& model, InputSources& from) {
  Signal s;
  switch (input.kind) {
    case expr::InputKind::time: return {s};
    case expr::InputKind::mode: s.kind = Signal::Kind::mode; return {s};
    case expr::InputKind::measure: return resolve_measure(input, from);
    case expr::InputKind::orient: return resolve_orient(input, from);
    case expr::InputKind::variable:
      return resolve_state(kind_of<model::Variable>(), input.ids[0], Level::q, model, from);
    case expr::InputKind::diff:
      return resolve_state(kind_of<model::Diff>(), input.ids[0], Level::q, model, from);
    case expr::InputKind::diff_rate:
      return resolve_state(kind_of<model::Diff>(), input.ids[0], Level::v, model, from);
    case expr::InputKind::array: return resolve_array(input.ids[0], input.ids[1], model, from);
    case expr::InputKind::sensor: return {from.sensor(input.ids[0])};
    case expr::InputKind::plant_input:
      if (const auto* p = model.find<model::Pinput>(input.ids[0]))
        return resolve_plant(p->variables, input.ids[1], model, from);
      break;
    case expr::InputKind::plant_output:
      if (const auto* p = model.find<model::Poutput>(input.ids[0]))
        return resolve_plant(p->variables, input.ids[1], model, from);
      break;
    default: break;
  }
  return {{}, fmt::format("{} is not supported in this version", input.name())};
}

Resolved resolve_state(model::Kind kind, int id, Level level, const model::Model& model, InputSources& from) {
  const StateInfo* info = from.states(kind, id);
  if (!info)
    return {
        {},
        fmt::format("{} is inactive or not simulated, so it has no value to read", label(model, kind, id))};
  const bool first_order = from.layout().block(info->states).dynamics == assembly::Dynamics::first_order;
  if (level != Level::v || first_order) return {Signal::of_state(info->states, 0, level)};
  if (info->rate.valid()) return {Signal::of_state(info->rate, 0)};
  return {{},
          fmt::format("DIF1({}) is not known: {} is IMPLICIT without DIF1({}), an algebraic equation, and "
                      "reads more than TIME and states",
                      id, info->label, id),
          "give the rate itself as the FUNCTION of a DIFF"};
}

Resolved resolve_plant(const model::RefList<model::Variable>& variables, int component,
                       const model::Model& model, InputSources& from) {
  if (component < 1 || component > static_cast<int>(variables.ids.size()))
    return {
        {},
        fmt::format("component {} does not exist: there are {} VARIABLES", component, variables.ids.size())};
  return resolve_state(kind_of<model::Variable>(), variables.ids[static_cast<std::size_t>(component) - 1],
                       Level::q, model, from);
}

Resolved resolve_array(int array, int component, const model::Model& model, InputSources& from) {
  const std::string name = label(model, kind_of<model::Array>(), array);
  const std::vector<Signal>* entries = from.array(array);
  if (!entries) return {{}, fmt::format("{} has no values: no simulated element fills it", name)};
  if (component < 1 || component > static_cast<int>(entries->size()))
    return {{}, fmt::format("component {} does not exist: {} has {}", component, name, entries->size())};
  return {(*entries)[static_cast<std::size_t>(component) - 1]};
}

ForceRead force_read(const expr::Input& input, const model::Model& model, const System& system) {
  ForceRead read;
  if (input.kind == expr::InputKind::generic_force) {
    read.acting = system.acting_between(input.ids[0], input.ids[1]);
    read.component = component_of(input.function->name);
    read.rm = input.ids[2];
    return read;
  }
  read.kind = model::kind_named(input.function->statement);
  const bool friction = read.kind == kind_of<model::Friction>();
  read.acting = system.acting_element(read.kind, input.ids[0], friction ? 0 : input.ids[1]);
  read.component = friction ? input.ids[1] : input.ids[2];
  read.rm = input.ids[3];
  if (friction) {
    // FRICTION(id, component): on I, along the axes of the joint's J
    const model::Friction* f = model.find<model::Friction>(input.ids[0]);
    const model::Joint* joint = f ? model.find(f->joint) : nullptr;
    read.rm = joint ? joint->j.id : 0;
  }
  return read;
}

bool counts_turns(MeasureKind kind) {
  return kind == MeasureKind::ax || kind == MeasureKind::ay || kind == MeasureKind::az ||
         kind == MeasureKind::rack;
}

std::string turns_key(MeasureKind kind, int i, int j) {
  return fmt::format("{}({}{})", elements::measure_name(kind), i, j ? fmt::format(",{}", j) : "");
}

Signal SystemInputs::sensor(int id) {
  Signal s;
  const auto place = system_.find_sensor_value(id);
  s.kind = place ? Signal::Kind::memory : Signal::Kind::constant;
  s.place = place.value_or(-1);
  return s;
}

}  // namespace trunnion::system
