#include "results/channels/unit_names.hpp"

#include <algorithm>
#include <cctype>

namespace trunnion::results {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

// Seen in real files: meter, inch, kg, pound_mass, sec, newton and the letters of those and of millimetre; the others
// are the commercial tool's own short names for units.
struct Word {
  const char *language, *xrf, *letters;
};
constexpr Word kWords[] = {
    {"meter", "meter", "M_"},
    {"millimeter", "mm", "MM"},
    {"centimeter", "cm", "CM"},
    {"kilometer", "km", "KM"},
    {"inch", "inch", "IN"},
    {"foot", "foot", "FT"},
    {"mile", "mile", "MI"},
    {"kilogram", "kg", "KG"},
    {"gram", "gram", "G_"},
    {"pound_mass", "pound_mass", "LB"},
    {"slug", "slug", "SL"},
    {"tonne", "tonne", "TO"},
    {"second", "sec", "S_"},
    {"millisecond", "millisec", "MS"},
    {"minute", "min", "MN"},
    {"hour", "hour", "H_"},
    {"newton", "newton", "N_"},
    {"knewton", "knewton", "KN"},
    {"dyne", "dyne", "DY"},
    {"pound_force", "pound_force", "PF"},
    {"kilogram_force", "kg_force", "KF"},
};

// Words are letters and '_'; what stands between them is handed to `sign`.
template <class Name, class Sign> std::string translate(const std::string& unit, Name name, Sign sign) {
  std::string out, word;
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t k = 0; k <= unit.size(); ++k) {
    if (k < unit.size() && is_letter(unit[k])) {
      word += unit[k];
      continue;
    }
    if (!word.empty()) out += name(word);
    word.clear();
    if (k < unit.size()) k += sign(std::string_view(unit).substr(k), out);
  }
  return out;
}

}  // namespace

std::string unit_of_dimension(const std::string& dimension, const UnitNames& u) {
  const struct {
    const char* word;
    std::string unit;
  } dimensions[] = {{"no_units", ""},
                    {"none", ""},
                    {"length", u.length},
                    {"displacement", u.length},
                    {"area", u.length + "^2"},
                    {"volume", u.length + "^3"},
                    {"velocity", u.speed},
                    {"acceleration", u.acceleration},
                    {"angle", u.angle},
                    {"angular_velocity", u.spin},
                    {"angular_rate", u.spin},
                    {"angular_acceleration", u.spin_rate},
                    {"time", u.time},
                    {"force", u.force},
                    {"torque", u.torque},
                    {"energy", u.torque},
                    {"stiffness", u.force + "/" + u.length},
                    {"torsion_stiffness", u.torque + "/rad"},
                    {"pressure", u.force + "/" + u.length + "^2"}};
  const std::string word = lower(dimension);
  for (const auto& known : dimensions) {
    if (word == known.word) return known.unit;
  }
  // What could end the heading of a column stays out.
  std::string unit;
  for (const char c : dimension) {
    if (std::isalnum(static_cast<unsigned char>(c)) ||
        std::string_view(" /*^_-().%").find(c) != std::string_view::npos)
      unit += c;
  }
  return unit;
}

UnitNames unit_names(const model::UnitSystem& units) {
  UnitNames n;
  n.length = units.named() ? lower(units.length) : "length";
  n.time = units.named() ? lower(units.time) : "time";
  n.force = units.named() ? lower(units.force) : "force";
  n.speed = n.length + "/" + n.time;
  n.acceleration = n.length + "/" + n.time + "^2";
  n.spin = "rad/" + n.time;
  n.spin_rate = "rad/" + n.time + "^2";
  n.torque = n.force + "*" + n.length;
  return n;
}

std::string to_xrf_unit(const std::string& unit) {
  const auto name = [](const std::string& word) -> std::string {
    const auto* found =
        std::find_if(std::begin(kWords), std::end(kWords), [&](const Word& w) { return word == w.language; });
    return found == std::end(kWords) ? word : found->xrf;
  };
  const auto sign = [](std::string_view rest, std::string& out) {
    out += rest[0] == '^' ? "**" : rest[0] == '*' ? "-" : std::string(1, rest[0]);
    return std::size_t{0};
  };
  return translate(unit, name, sign);
}

std::string from_xrf_unit(const std::string& unit) {
  const auto name = [](const std::string& word) -> std::string {
    const auto* found =
        std::find_if(std::begin(kWords), std::end(kWords), [&](const Word& w) { return word == w.xrf; });
    return found == std::end(kWords) ? word : found->language;
  };
  const auto sign = [](std::string_view rest, std::string& out) {
    const bool power = rest.starts_with("**");
    out += power ? "^" : rest[0] == '-' ? "*" : std::string(1, rest[0]);
    return std::size_t{power ? 1u : 0u};
  };
  return translate(unit, name, sign);
}

std::string unit_letters(const std::string& word) {
  for (const Word& w : kWords) {
    if (word == w.language) return w.letters;
  }
  std::string out = (word + "__").substr(0, 2);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace trunnion::results
