#include "model/units.hpp"

#include <array>
#include <cmath>

namespace trunnion::model {

namespace {

using Force = Units::Force;
using Mass = Units::Mass;
using Length = Units::Length;
using TimeUnit = Units::Time;

// Exact by definition: international inch and pound, standard gravity.
constexpr double kInch = 0.0254;
constexpr double kFoot = 0.3048;
constexpr double kPound = 0.45359237;
constexpr double kPoundForce = kPound * 9.80665;

double in_si(Force unit) {
  switch (unit) {
    case Force::newton: return 1;
    case Force::dyne: return 1e-5;
    case Force::kilogram_force: return 9.80665;
    case Force::knewton: return 1e3;
    case Force::pound_force: return kPoundForce;
    case Force::kpound_force: return 1e3 * kPoundForce;
    case Force::ounce_force: return kPoundForce / 16;
    case Force::poundal: return kPound * kFoot;
    case Force::centinewton: return 1e-2;
    case Force::meganewton: return 1e6;
    case Force::micronewton: return 1e-6;
    case Force::millinewton: return 1e-3;
    case Force::nanonewton: return 1e-9;
  }
  return 1;
}

double in_si(Mass unit) {
  switch (unit) {
    case Mass::kilogram: return 1;
    case Mass::gram: return 1e-3;
    case Mass::pound_mass: return kPound;
    case Mass::kpound_mass: return 1e3 * kPound;
    case Mass::ounce_mass: return kPound / 16;
    case Mass::slug: return kPoundForce / kFoot;
    case Mass::slinch: return kPoundForce / kInch;
    case Mass::tonne: return 1e3;
    case Mass::us_ton: return 2e3 * kPound;
    case Mass::milligram: return 1e-6;
    case Mass::microgram: return 1e-9;
    case Mass::nanogram: return 1e-12;
  }
  return 1;
}

double in_si(Length unit) {
  switch (unit) {
    case Length::meter: return 1;
    case Length::millimeter: return 1e-3;
    case Length::centimeter: return 1e-2;
    case Length::kilometer: return 1e3;
    case Length::inch: return kInch;
    case Length::foot: return kFoot;
    case Length::yard: return 3 * kFoot;
    case Length::mile: return 5280 * kFoot;
    case Length::mils: return 1e-3 * kInch;
    case Length::microinch: return 1e-6 * kInch;
    case Length::micrometer: return 1e-6;
    case Length::nanometer: return 1e-9;
    case Length::angstrom: return 1e-10;
  }
  return 1;
}

double in_si(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::second: return 1;
    case TimeUnit::millisecond: return 1e-3;
    case TimeUnit::microsecond: return 1e-6;
    case TimeUnit::nanosecond: return 1e-9;
    case TimeUnit::minute: return 60;
    case TimeUnit::hour: return 3600;
    case TimeUnit::day: return 86400;
  }
  return 1;
}

std::string_view spelling(std::string_view argument, int value) {
  return schema_of(kind_of<Units>()).find(argument)->spelled(value);
}

UnitSystem named_units(Force force, Mass mass, Length length, TimeUnit time) {
  UnitSystem u;
  u.force = spelling("FORCE", static_cast<int>(force));
  u.mass = spelling("MASS", static_cast<int>(mass));
  u.length = spelling("LENGTH", static_cast<int>(length));
  u.time = spelling("TIME", static_cast<int>(time));
  u.force_si = in_si(force);
  u.mass_si = in_si(mass);
  u.length_si = in_si(length);
  u.time_si = in_si(time);
  u.ucf = u.force_si * u.time_si * u.time_si / (u.mass_si * u.length_si);
  // Consistent sets give 1 but for rounding; then no factor must be left at all.
  const double nearest = std::round(u.ucf);
  if (nearest >= 1 && std::abs(u.ucf - nearest) < 1e-13 * nearest) u.ucf = nearest;
  return u;
}

}  // namespace

UnitSystem units_of(const Model& model) {
  const Units* units = model.single<Units>();
  if (!units) return {};
  UnitSystem u;
  switch (units->system.value_or(Units::System::none)) {
    case Units::System::cgs:
      u = named_units(Force::dyne, Mass::gram, Length::centimeter, TimeUnit::second);
      break;
    case Units::System::fps:
      u = named_units(Force::pound_force, Mass::pound_mass, Length::foot, TimeUnit::second);
      break;
    case Units::System::ips:
      u = named_units(Force::pound_force, Mass::pound_mass, Length::inch, TimeUnit::second);
      break;
    case Units::System::mks:
      u = named_units(Force::newton, Mass::kilogram, Length::meter, TimeUnit::second);
      break;
    case Units::System::none:
      if (units->force.given() && units->mass.given() && units->length.given() && units->time.given()) {
        u = named_units(units->force.value(), units->mass.value(), units->length.value(),
                        units->time.value());
      }
      break;
  }
  if (units->ucf) u.ucf = *units->ucf;
  return u;
}

}  // namespace trunnion::model
