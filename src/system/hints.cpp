#include "system/hints.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/text.hpp"
#include "model/units.hpp"

namespace trunnion::system {

using model::Argument;
using model::Schema;
using model::schema_of;
using model::Statement;
using model::ValueKind;

namespace {

constexpr double kEarth = 9.80665;  // m/s²

// The Earth's gravity as it is written in one unit of length, in a model that has another.
void gravity_hint(const model::Accgrav& gravity, const model::UnitSystem& units,
                  core::Diagnostics& diagnostics) {
  if (!units.named()) return;
  const double size =
      std::hypot(gravity.igrav.value_or(0), gravity.jgrav.value_or(0), gravity.kgrav.value_or(0));
  const double in_these = kEarth * units.time_si * units.time_si / units.length_si;
  constexpr double kNear = 0.01, kFar = 0.5;
  if (!(std::abs(size / in_these - 1) > kFar)) return;
  struct Unit {
    double length;  // m
    const char* name;
  };
  for (const Unit unit : {Unit{1, "metres"},
                          {1e-3, "millimetres"},
                          {1e-2, "centimetres"},
                          {0.0254, "inches"},
                          {0.3048, "feet"}}) {
    if (!(std::abs(size * unit.length / kEarth - 1) < kNear)) continue;
    const Schema& schema = schema_of(model::kind_of<model::Accgrav>());
    diagnostics.warning(
        gravity.span, label(schema, gravity),
        fmt::format("gravity is {} {}/{}², {:.3g} times the Earth's; {} is the Earth's gravity in {}",
                    core::number_text(size), core::to_lower(units.length), core::to_lower(units.time),
                    size / in_these, core::number_text(size), unit.name),
        fmt::format("with UNITS/LENGTH={} write {:.6g}", units.length, in_these));
    return;
  }
}

// More than a turn in radians, and a round number: degrees without their D.
void degree_hint(const Schema& schema, const Statement& statement, const Argument& argument,
                 core::Diagnostics& diagnostics) {
  const auto looks_like_degrees = [](double v) {
    return std::abs(v) > 2 * std::numbers::pi && std::abs(v) <= 360 && std::fmod(v, 1.0) == 0;
  };
  for (const double v : model::field<std::vector<double>>(argument, statement)) {
    if (!looks_like_degrees(v)) continue;
    const model::GivenArgument* given = statement.find_given(schema.index_of(argument.name));
    diagnostics.warning(given ? given->value : statement.span, label(schema, statement),
                        fmt::format("{}: {} is read as radians, {:.1f} turns", argument.name,
                                    core::number_text(v), v / (2 * std::numbers::pi)),
                        fmt::format("for degrees write {}D", core::number_text(v)));
    return;
  }
}

void step_hint(const model::Integrator& integrator, const model::UnitSystem& units,
               core::Diagnostics& diagnostics) {
  constexpr double kSmall = 1e-8;  // s: a second of motion is then a hundred million steps
  if (!integrator.hmax || !(*integrator.hmax > 0) || *integrator.hmax * units.time_si > kSmall) return;
  const Schema& schema = schema_of(model::kind_of<model::Integrator>());
  const model::GivenArgument* given = integrator.find_given(schema.index_of("HMAX"));
  diagnostics.warning(
      given ? given->value : integrator.span, label(schema, integrator),
      fmt::format("HMAX = {} allows no larger step size: one {} of motion takes at least {:.0e} steps",
                  core::number_text(*integrator.hmax),
                  units.time.empty() ? "unit of time" : core::to_lower(units.time), 1 / *integrator.hmax),
      "leave HMAX out: ERROR decides the step size");
}

// The softest power law whose stiffness has a bound is the straight line.
void contact_hint(const model::Contact& contact, core::Diagnostics& diagnostics) {
  if (!contact.exponent || !(*contact.exponent < 1)) return;
  const Schema& schema = schema_of(model::kind_of<model::Contact>());
  const model::GivenArgument* given = contact.find_given(schema.index_of("EXPONENT"));
  diagnostics.warning(given ? given->value : contact.span, label(schema, contact),
                      fmt::format("EXPONENT = {}: below 1 the stiffness is without bound at first touch",
                                  core::number_text(*contact.exponent)),
                      "write 1 or more; 1.5 is Hertz's law of two balls");
}

// Springs and dampers of the other sign are legal, and more often slips of the pen.
void sign_hint(const Schema& schema, const Statement& statement, const Argument& argument,
               core::Diagnostics& diagnostics) {
  const bool damping = argument.name == "C" || argument.name == "CT";
  if (!damping && argument.name != "K" && argument.name != "KT") return;
  double least = 0;
  if (argument.kind == ValueKind::real) {
    least = model::field<std::optional<double>>(argument, statement).value_or(0);
  } else if (argument.kind == ValueKind::reals) {
    for (const double v : model::field<std::vector<double>>(argument, statement)) least = std::min(least, v);
  }
  if (!(least < 0)) return;
  const model::GivenArgument* given = statement.find_given(schema.index_of(argument.name));
  diagnostics.warning(
      given ? given->value : statement.span, label(schema, statement),
      fmt::format("{} = {} is negative: {}", argument.name, core::number_text(least),
                  damping ? "it feeds energy into what moves" : "it pushes on what has moved away"));
}

}  // namespace

void add_hints(const model::Model& model, core::Diagnostics& diagnostics) {
  const model::UnitSystem units = model::units_of(model);
  for (const model::Accgrav& gravity : model.all<model::Accgrav>()) gravity_hint(gravity, units, diagnostics);
  for (const model::Integrator& integrator : model.all<model::Integrator>())
    step_hint(integrator, units, diagnostics);
  for (const model::Contact& contact : model.all<model::Contact>()) contact_hint(contact, diagnostics);
  for (const model::Model::Entry entry : model.order) {
    const Schema& schema = schema_of(entry.kind);
    for (const Argument& argument : schema.arguments) {
      if (argument.kind == ValueKind::reals && argument.unit == "angle")
        degree_hint(schema, model.at(entry), argument, diagnostics);
      if (schema.kind == model::kind_of<model::SpringDamper>() ||
          schema.kind == model::kind_of<model::Bushing>())
        sign_hint(schema, model.at(entry), argument, diagnostics);
    }
  }
}

}  // namespace trunnion::system
