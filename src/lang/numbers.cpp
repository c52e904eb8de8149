#include "lang/numbers.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "core/text.hpp"

namespace trunnion::lang {

namespace {
constexpr double kDegree = std::numbers::pi / 180;
}

Number read_number(std::string_view text) {
  Number number;
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const bool negative = at > 0 && text[0] == '-';
  const bool digit = at < text.size() && core::is_digit(text[at]);
  const bool point = at + 1 < text.size() && text[at] == '.' && core::is_digit(text[at + 1]);
  if (!digit && !point) return number;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number.value);
  if (error == std::errc::result_out_of_range) number.trouble = "is too large or too small for a number";
  at = static_cast<std::size_t>(end - text.data());
  if (negative) number.value = -number.value;
  // A blank before the D is seen in hand-written files (20 D).
  std::size_t d = at;
  while (d < text.size() && (text[d] == ' ' || text[d] == '\t')) ++d;
  const bool alone = d + 1 >= text.size() || !core::is_word(text[d + 1]);
  if (d < text.size() && core::upper(text[d]) == 'D' && (alone || d == at)) {
    const bool exponent =
        d + 1 < text.size() && (core::is_digit(text[d + 1]) || text[d + 1] == '+' || text[d + 1] == '-');
    number.degrees = true;
    number.value *= kDegree;
    at = d + 1;
    if (exponent) {
      number.trouble = "has a D, which means degrees here; write the exponent with E";
      ++at;
    }
  }
  if (at < text.size() && (core::is_word(text[at]) || text[at] == '.') && !number.trouble) {
    number.trouble = "runs into other characters";
  }
  while (number.trouble && at < text.size() && (core::is_word(text[at]) || text[at] == '.')) ++at;
  number.length = at;
  return number;
}

std::string write_number(double value, bool angle) {
  if (angle && value != 0) {
    // 15 digits are what a person wrote; if they give the same radians back, they are what we write.
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.15g", value / kDegree);
    double degrees = 0;
    std::from_chars(buffer, buffer + sizeof buffer, degrees);
    if (degrees * kDegree == value) return core::to_upper(core::number_text(degrees)) + 'D';
  }
  return core::to_upper(core::number_text(value));
}

}  // namespace trunnion::lang
