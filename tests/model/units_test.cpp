#include "model/units.hpp"

#include <gtest/gtest.h>

#include "support/reading.hpp"

namespace trunnion::model {
namespace {

UnitSystem units(const std::string& arguments) {
  const test::Read read = test::read_adm("t\nUNITS/" + arguments + "\nEND\n");
  EXPECT_EQ(read.messages(), "") << arguments;
  return units_of(read.model);
}

// Values of the units in SI, from BIPM and NIST SP 811 (exact by definition); 4 ulp for the products and quotients
// that give some of them.
struct NamedUnit {
  const char *argument, *name;
  double si;
};
const NamedUnit kUnits[] = {
    {"FORCE", "NEWTON", 1},
    {"FORCE", "DYNE", 1e-5},
    {"FORCE", "KILOGRAM_FORCE", 9.80665},
    {"FORCE", "KNEWTON", 1e3},
    {"FORCE", "POUND_FORCE", 4.4482216152605},
    {"FORCE", "KPOUND_FORCE", 4448.2216152605},
    {"FORCE", "OUNCE_FORCE", 0.27801385095378125},
    {"FORCE", "POUNDAL", 0.138254954376},
    {"FORCE", "CENTINEWTON", 1e-2},
    {"FORCE", "MEGANEWTON", 1e6},
    {"FORCE", "MICRONEWTON", 1e-6},
    {"FORCE", "MILLINEWTON", 1e-3},
    {"FORCE", "NANONEWTON", 1e-9},
    {"MASS", "KILOGRAM", 1},
    {"MASS", "GRAM", 1e-3},
    {"MASS", "POUND_MASS", 0.45359237},
    {"MASS", "KPOUND_MASS", 453.59237},
    {"MASS", "OUNCE_MASS", 0.028349523125},
    {"MASS", "SLUG", 14.593902937206364829},
    {"MASS", "SLINCH", 175.12683524647637795},
    {"MASS", "TONNE", 1e3},
    {"MASS", "US_TON", 907.18474},
    {"MASS", "MILLIGRAM", 1e-6},
    {"MASS", "MICROGRAM", 1e-9},
    {"MASS", "NANOGRAM", 1e-12},
    {"LENGTH", "METER", 1},
    {"LENGTH", "MILLIMETER", 1e-3},
    {"LENGTH", "CENTIMETER", 1e-2},
    {"LENGTH", "KILOMETER", 1e3},
    {"LENGTH", "INCH", 0.0254},
    {"LENGTH", "FOOT", 0.3048},
    {"LENGTH", "YARD", 0.9144},
    {"LENGTH", "MILE", 1609.344},
    {"LENGTH", "MILS", 2.54e-5},
    {"LENGTH", "MICROINCH", 2.54e-8},
    {"LENGTH", "MICROMETER", 1e-6},
    {"LENGTH", "NANOMETER", 1e-9},
    {"LENGTH", "ANGSTROM", 1e-10},
    {"TIME", "SECOND", 1},
    {"TIME", "MILLISECOND", 1e-3},
    {"TIME", "MICROSECOND", 1e-6},
    {"TIME", "NANOSECOND", 1e-9},
    {"TIME", "MINUTE", 60},
    {"TIME", "HOUR", 3600},
    {"TIME", "DAY", 86400},
};

TEST(Units, EveryName) {
  for (const NamedUnit& unit : kUnits) {
    std::string text;
    for (const auto& [argument, name] :
         {std::pair{"FORCE", "NEWTON"}, {"MASS", "KILOGRAM"}, {"LENGTH", "METER"}, {"TIME", "SECOND"}}) {
      text += std::string(text.empty() ? "" : ", ") + argument + "=" +
              (std::string_view(argument) == unit.argument ? unit.name : name);
    }
    const UnitSystem u = units(text);
    const std::string_view which = unit.argument;
    const double si = which == "FORCE"    ? u.force_si
                      : which == "MASS"   ? u.mass_si
                      : which == "LENGTH" ? u.length_si
                                          : u.time_si;
    EXPECT_DOUBLE_EQ(si, unit.si) << unit.name;
    const std::string_view name = which == "FORCE"    ? u.force
                                  : which == "MASS"   ? u.mass
                                  : which == "LENGTH" ? u.length
                                                      : u.time;
    EXPECT_EQ(name.substr(0, std::string_view(unit.name).size()), unit.name);
  }
}

TEST(Units, TheTableAboveIsWhole) {
  for (const char* argument : {"FORCE", "MASS", "LENGTH", "TIME"}) {
    for (const Word& word : schema_of(kind_of<Units>()).find(argument)->words) {
      bool known = false;
      for (const NamedUnit& unit : kUnits)
        known = known || (std::string_view(unit.argument) == argument && word.name.starts_with(unit.name));
      EXPECT_TRUE(known) << argument << " " << word.name;
    }
  }
}

TEST(Units, PluralOfMilliseconds) {
  EXPECT_EQ(units("FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=MILLISECONDS").time_si, 1e-3);
}

TEST(Units, FactorOfForce) {
  struct Case {
    const char* units;
    double ucf;
    double tolerance;  // relative; 0: exactly
  };
  const Case cases[] = {
      {"FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND", 1, 0},
      {"FORCE=KNEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND", 1000, 0},
      {"FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND", 1000, 0},
      {"FORCE=NEWTON, MASS=KILOGRAM, LENGTH=CENTIMETER, TIME=SECOND", 100, 0},
      {"FORCE=NEWTON, MASS=TONNE, LENGTH=MILLIMETER, TIME=SECOND", 1, 0},
      {"FORCE=DYNE, MASS=GRAM, LENGTH=CENTIMETER, TIME=SECOND", 1, 0},
      {"FORCE=POUND_FORCE, MASS=SLUG, LENGTH=FOOT, TIME=SECOND", 1, 0},
      {"FORCE=POUND_FORCE, MASS=SLINCH, LENGTH=INCH, TIME=SECOND", 1, 0},
      {"FORCE=POUNDAL, MASS=POUND_MASS, LENGTH=FOOT, TIME=SECOND", 1, 0},
      {"FORCE=POUND_FORCE, MASS=POUND_MASS, LENGTH=INCH, TIME=SECOND", 9.80665 / 0.0254, 1e-15},
      {"FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=MILLISECOND", 1e-6, 1e-15},
      {"SYSTEM=CGS", 1, 0},
      {"SYSTEM=MKS", 1, 0},
      {"SYSTEM=FPS", 9.80665 / 0.3048, 1e-15},
      {"SYSTEM=IPS", 9.80665 / 0.0254, 1e-15},
      {"SYSTEM=NONE", 1, 0},
      {"UCF=42.5", 42.5, 0},
  };
  for (const Case& c : cases) EXPECT_NEAR(units(c.units).ucf, c.ucf, c.tolerance * c.ucf) << c.units;
  EXPECT_NEAR(units("SYSTEM=IPS").ucf, 386.0886, 5e-5);  // as handbooks print it
}

TEST(Units, Systems) {
  const UnitSystem ips = units("SYSTEM=IPS");
  EXPECT_EQ(ips.force, "POUND_FORCE");
  EXPECT_EQ(ips.mass, "POUND_MASS");
  EXPECT_EQ(ips.length, "INCH");
  EXPECT_EQ(ips.time, "SECOND");
  EXPECT_EQ(units("SYSTEM=FPS").length, "FOOT");
  EXPECT_EQ(units("SYSTEM=CGS").force, "DYNE");
  EXPECT_EQ(units("SYSTEM=MKS").mass, "KILOGRAM");
  EXPECT_FALSE(units("SYSTEM=NONE").named());
  EXPECT_FALSE(units("UCF=2").named());
}

TEST(Units, NoneGiven) {
  const UnitSystem none = units_of(Model{});
  EXPECT_FALSE(none.named());
  EXPECT_EQ(none.ucf, 1);
  EXPECT_EQ(none.length_si, 1);
}

}  // namespace
}  // namespace trunnion::model
