#include "results/write/request_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "core/text.hpp"
#include "results/channels/request_names.hpp"
#include "results/channels/unit_names.hpp"
#include "results/write/ours.hpp"
#include "results/write/xrf.hpp"

namespace trunnion::results {

namespace {

// Of the eight components of a request those that are not magnitudes.
constexpr std::array<std::size_t, 6> kKept{1, 2, 3, 5, 6, 7};

// How a request is made, as a number: 0 by functions, 1 … 4 by DISPLACEMENT, VELOCITY, ACCELERATION, FORCE.
int form_of(const model::Request& request) {
  return request.quantity.given() ? static_cast<int>(request.quantity.value()) + 1 : 0;
}

std::pair<std::string, std::string> units_of_form(int form, const UnitNames& u) {
  switch (form) {
    case 1: return {u.length, u.angle};
    case 2: return {u.speed, u.spin};
    case 3: return {u.acceleration, u.spin_rate};
    case 4: return {u.force, u.torque};
    default: return {"1", "1"};
  }
}

std::string word(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

}  // namespace

UnitNames units_of_letters(const std::string& letters) {
  model::UnitSystem system;
  const auto find = [&](std::size_t at, const char* argument, std::string_view& name) {
    for (const model::Word& w : model::schema_of(model::kind_of<model::Units>()).find(argument)->words) {
      if (letters.size() >= at + 2 && unit_letters(word(w.name)) == letters.substr(at, 2)) name = w.name;
    }
  };
  find(0, "LENGTH", system.length);
  find(4, "TIME", system.time);
  find(6, "FORCE", system.force);
  if (system.time.empty() || system.force.empty()) system.length = {};
  return unit_names(system);
}

bool read_numbers(std::string_view line, std::vector<double>& out) {
  out.clear();
  const char* at = line.data();
  const char* const end = at + line.size();
  while (true) {
    while (at < end && core::is_blank(*at)) ++at;
    if (at == end) return true;
    double value = 0;
    const auto [next, code] = std::from_chars(at, end, value);
    if (code != std::errc()) return false;
    out.push_back(value);
    at = next;
  }
}

std::string unit_line(const model::UnitSystem& units) {
  const auto letters = [&](std::string_view name) {
    return units.named() ? unit_letters(word(name)) : std::string("__");
  };
  return fmt::format("{}{}{}{}RACA {:.15E}", letters(units.length), letters(units.mass), letters(units.time),
                     letters(units.force), 1 / units.length_si);
}

bool RequestWriter::chosen(const std::vector<Channel>& channels, std::size_t first) const {
  for (std::size_t k = first; k < std::min(first + kRequestComponents, channels.size()); ++k) {
    if (matches_any(patterns_, channels[k].name)) return true;
  }
  return false;
}

bool RequestWriter::open(const std::string& path, const std::vector<Channel>& channels) {
  first_.clear();
  if (!file_.open(path, error_)) return false;
  std::string requests;
  for (const model::Request& r : model_.all<model::Request>()) {
    const std::string name = fmt::format("REQUEST/{}.F1", r.id);
    for (std::size_t k = 0; k < channels.size(); ++k) {
      if (channels[k].name != name || !chosen(channels, k)) continue;
      first_.push_back(k);
      requests += fmt::format("{:>11}{:>10}\n{:<80.80}\n", r.id, form_of(r), r.comment.value_or(""));
    }
  }
  return file_.put(fmt::format(" A.R3    {}{:>16}{:>10}  3D  {}\n{:<80.80}\n{:>5}     {}\n{}", time_stamp(),
                               first_.size(), 0, kOurMark, model_.title, 0, unit_line(units_), requests),
                   error_);
}

bool RequestWriter::row(const std::vector<double>& values) {
  std::string text = fmt::format("{:14.5E}\n", values.front());
  for (const std::size_t first : first_) {
    text += ' ';
    for (const std::size_t k : kKept) text += fmt::format("{:13.5E}", values[first + k]);
    text += '\n';
  }
  return file_.put(text, error_);
}

bool RequestHistory::open(const std::string& path, std::string& error) {
  std::ifstream file(path, std::ios::binary);
  std::string first, units_text, line;
  if (!std::getline(file, first) || core::trim(first).substr(0, 4) != "A.R3" || !std::getline(file, title_) ||
      !std::getline(file, units_text)) {
    error = path + " is not a request file: it does not begin with A.R3 and three lines of description";
    return false;
  }
  title_ = core::trim(title_);
  std::istringstream words(first), unit_words(units_text);
  std::string skip, letters;
  std::size_t count = 0;
  words >> skip >> skip >> skip >> count;
  unit_words >> skip >> letters;
  const UnitNames u = units_of_letters(letters);
  channels_.push_back({"time", u.time});
  std::size_t number = 3;
  const auto broken = [&](const char* expected) {
    error = fmt::format("{}:{}: expected {}", path, number, expected);
    return false;
  };
  std::vector<double> found;
  for (std::size_t k = 0; k < count; ++k) {
    ++number;
    if (!std::getline(file, line) || !read_numbers(line, found) || found.size() < 2)
      return broken("the id and the kind of a request");
    constexpr double kForms = 4;
    const bool known = found[1] >= 0 && found[1] <= kForms;
    const auto [low, high] = units_of_form(known ? static_cast<int>(found[1]) : 0, u);
    for (const std::size_t c : kKept)
      channels_.push_back({fmt::format("REQUEST/{:.0f}.F{}", found[0], c + 1), c < 4 ? low : high});
    ++number;
    std::getline(file, line);  // its comment
  }
  data_.resize(channels_.size());
  std::vector<double> row;
  while (std::getline(file, line)) {
    ++number;
    if (file.eof()) break;  // no end of line: cut off by a kill, perhaps within a number
    if (!read_numbers(line, found)) return broken("numbers");
    row.insert(row.end(), found.begin(), found.end());
    if (row.size() < data_.size()) continue;
    if (row.size() > data_.size())
      return broken("a time, and six numbers for each request on a line of their own");
    for (std::size_t k = 0; k < row.size(); ++k) data_[k].push_back(row[k]);
    row.clear();
    ++rows_;
  }
  return true;
}

bool RequestHistory::keeps(const Channel& channel) const {
  return channel.name.starts_with("REQUEST/") && !channel.name.ends_with(".F1") &&
         !channel.name.ends_with(".F5");
}

}  // namespace trunnion::results
