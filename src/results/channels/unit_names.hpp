#pragma once
// Units of channels by name, in the words of the language's UNITS statement: "millimeter/second^2". A model without
// units has "length", "time", "force".

#include <string>

#include "model/units.hpp"

namespace trunnion::results {

struct UnitNames {
  std::string length, time, force, speed, acceleration, angle = "rad", spin, spin_rate, torque;
};
UnitNames unit_names(const model::UnitSystem& units);

// The unit of a dimension as CUNITS names it: "length", "angular_velocity", "no_units". A word that is no dimension is a unit itself.
std::string unit_of_dimension(const std::string& dimension, const UnitNames& units);

// "meter/second^2" → "meter/sec**2", "newton*meter" → "newton-meter": the same in the words of the commercial tool's
// results file, and back. A word that is not in the table stays as it is.
std::string to_xrf_unit(const std::string& unit);
std::string from_xrf_unit(const std::string& unit);

// The two letters for a unit in request and graphics files: "MM", "KG", "S_", "PF"; the first two letters of the word
// where the table has none.
std::string unit_letters(const std::string& word);

}  // namespace trunnion::results
