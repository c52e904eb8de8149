#include "results/read/xrf_history.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/text.hpp"
#include "results/channels/request_names.hpp"
#include "results/channels/unit_names.hpp"
#include "results/write/xrf.hpp"

namespace trunnion::results {

namespace {

constexpr auto kNowhere = std::string_view::npos;

// The value of an attribute of the tag that `tag` begins with; empty where it has none.
std::string attribute(std::string_view tag, std::string_view name) {
  tag = tag.substr(0, tag.find('>'));
  for (std::size_t at = tag.find(name); at != kNowhere; at = tag.find(name, at + 1)) {
    const std::size_t equals = at + name.size();
    const bool whole = at > 0 && (tag[at - 1] == ' ' || tag[at - 1] == '\n' || tag[at - 1] == '\t');
    if (!whole || equals + 1 >= tag.size() || tag[equals] != '=') continue;
    const char quote = tag[equals + 1];
    const std::size_t end = tag.find(quote, equals + 2);
    if (end == kNowhere) return {};
    std::string value(tag.substr(equals + 2, end - equals - 2));
    constexpr std::pair<const char*, const char*> kEscapes[] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}};
    for (const auto& [code, letter] : kEscapes) {
      for (std::size_t k = value.find(code); k != kNowhere; k = value.find(code, k + 1))
        value.replace(k, std::string_view(code).size(), letter);
    }
    return value;
  }
  return {};
}

// Where the next tag of that name begins; "<Step" is not "<StepMap".
std::size_t find_tag(std::string_view text, std::string_view tag, std::size_t from = 0) {
  for (std::size_t at = text.find(tag, from); at != kNowhere; at = text.find(tag, at + 1)) {
    const std::size_t after = at + tag.size();
    if (after < text.size() && (text[after] == '>' || core::is_blank(text[after]) || text[after] == '\n'))
      return at;
  }
  return kNowhere;
}

// The numbers 1 … highest of a step into `values`; false where there are fewer.
bool numbers(std::string_view step, std::size_t highest, std::vector<double>& values) {
  values.clear();
  const char* at = step.data();
  const char* const end = at + step.size();
  while (values.size() < highest) {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) ++at;
    double value = 0;
    const auto [next, code] = std::from_chars(at, end, value);
    if (code == std::errc::result_out_of_range) {               // of a double
      const bool small = std::find(at + 1, next, '-') != next;  // a negative exponent
      value = small ? 0 : std::nan("");
    } else if (code != std::errc()) {
      return false;
    }
    values.push_back(value);
    at = next;
  }
  return true;
}

}  // namespace

bool XrfHistory::open(const std::string& path, std::string& error) {
  if (!file_.open(path, error)) return false;
  const std::string_view text = file_.bytes();
  const std::size_t begin = find_tag(text, "<StepMap");
  const std::size_t end = text.find("</StepMap>", begin == kNowhere ? 0 : begin);
  if (text.starts_with("<?xml") && text.find("<Results") != kNowhere && end == kNowhere) {
    error = path + " is cut short: its run was stopped before the first row. Run it again";
    return false;
  }
  if (begin == kNowhere || end == kNowhere) {
    error = path +
            " is not a results file in XML: it has no <StepMap>. Write RESULTS/XRF in the model to get one";
    return false;
  }
  if (const std::size_t info = find_tag(text, "<ModelInfo"); info != kNowhere)
    title_ = attribute(text.substr(info), "title");
  if (!read_map(text.substr(begin, end - begin), error)) {
    error = path + ": " + error;
    return false;
  }
  for (std::size_t at = find_tag(text, "<Step", end); at != kNowhere; at = find_tag(text, "<Step", at)) {
    const std::size_t content = text.find('>', at);
    const std::size_t stop = text.find("</Step>", at);
    if (content == kNowhere || stop == kNowhere) break;  // cut off
    // Before anything was computed; its numbers are the model's, and mostly zeros.
    if (attribute(text.substr(at, content + 1 - at), "type") != "input")
      steps_.push_back(text.substr(content + 1, stop - content - 1));
    at = stop;
  }
  rows_ = steps_.size();
  finished_ = text.find("</Results>", end) != kNowhere;
  return true;
}

bool XrfHistory::read_map(std::string_view map, std::string& error) {
  for (std::size_t at = find_tag(map, "<Entity"); at != kNowhere; at = find_tag(map, "<Entity", at + 1)) {
    const std::size_t end = std::min(map.find("</Entity>", at), map.size());
    if (!read_entity(map.substr(at, end - at), error)) return false;
  }
  if (channels_.empty() || channels_.front().name != "time") {
    error = "its <StepMap> does not begin with the time";
    return false;
  }
  return true;
}

bool XrfHistory::read_entity(std::string_view entity, std::string& error) {
  const std::string type = attribute(entity, "entType");
  const std::string group = type.empty() ? "" : keyword_of_entity(type) + "/" + attribute(entity, "objectId");
  const std::size_t first = channels_.size();
  std::vector<std::string> names;
  for (std::size_t at = find_tag(entity, "<Component"); at != kNowhere;
       at = find_tag(entity, "<Component", at + 1)) {
    const std::string_view tag = entity.substr(at);
    const std::string id = attribute(tag, "id"), unit = attribute(tag, "unitsValue");
    names.push_back(attribute(tag, "name"));
    std::size_t number = 0;
    std::from_chars(id.data(), id.data() + id.size(), number);
    if (number == 0) {
      error = "component " + names.back() + " of " + attribute(entity, "name") + " has no id";
      return false;
    }
    channels_.push_back({"", unit.empty() ? "1" : from_xrf_unit(unit)});
    ids_.push_back(number);
  }
  if (group.starts_with("REQUEST/")) {
    if (auto usual = usual_request_components(names); !usual.empty()) names = std::move(usual);
  }
  const bool single = group.starts_with("VARIABLE/") || group.starts_with("DIFF/");
  for (std::size_t k = 0; k < names.size(); ++k) {
    channels_[first + k].name = group.empty()               ? "time"
                                : single && names[k] == "Q" ? group
                                                            : group + "." + names[k];
  }
  return true;
}

// Of a part it tells the frame, from which the model leads to the mass centre.
bool XrfHistory::keeps(const Channel& channel) const {
  const std::string keyword = channel.name.substr(0, channel.name.find_first_of("/."));
  return keyword == "PART" || has_entity(keyword);
}

std::vector<std::vector<double>> XrfHistory::columns(const std::vector<std::size_t>& places) {
  std::vector<std::vector<double>> out(places.size(), std::vector<double>(rows_, std::nan("")));
  std::size_t highest = 0;
  for (const std::size_t place : places) highest = std::max(highest, ids_[place]);
  std::vector<double> values;
  for (std::size_t r = 0; r < rows_; ++r) {
    numbers(steps_[r], highest, values);
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (ids_[places[k]] <= values.size()) out[k][r] = values[ids_[places[k]] - 1];
    }
  }
  return out;
}

}  // namespace trunnion::results
