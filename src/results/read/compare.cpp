#include "results/read/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "results/read/scales.hpp"
#include "results/read/unwrap.hpp"

namespace trunnion::results {

namespace {

// The rows of `times` inside the span, and for each the place in the other's times.
struct Match {
  std::size_t row = 0, left = 0;
  double part = 0;  // 0: at left, 1: at left + 1
};

// `rounding`: of the times, as a share of them.
std::vector<Match> match_times(const std::vector<double>& a, const std::vector<double>& b, double rounding) {
  std::vector<Match> out;
  std::size_t left = 0;
  // Times written by two programs differ in their last digits.
  const double slack = b.empty() ? 0 : std::max(1e-9, rounding) * (std::abs(b.back()) + std::abs(b.front()));
  for (std::size_t row = 0; row < a.size() && !b.empty(); ++row) {
    if (a[row] < b.front() - slack || a[row] > b.back() + slack) continue;
    // A time that occurs twice (before and after an event) meets its like, in order.
    while (left + 1 < b.size() && b[left + 1] <= a[row] &&
           (b[left] < a[row] || row + 1 == a.size() || a[row + 1] > a[row]))
      ++left;
    Match m{row, left, 0};
    if (left + 1 < b.size() && b[left + 1] > b[left])
      m.part = std::clamp((a[row] - b[left]) / (b[left + 1] - b[left]), 0.0, 1.0);
    const double same = rounding * std::abs(a[row]);
    if (m.part > 0 && a[row] - b[left] <= same) m.part = 0;
    if (m.part > 0 && b[left + 1] - a[row] <= same) m.part = 1;
    out.push_back(m);
  }
  return out;
}

double value_at(const std::vector<double>& b, const Match& m) {
  if (m.part == 0) return b[m.left];
  return m.part == 1 ? b[m.left + 1] : b[m.left] + m.part * (b[m.left + 1] - b[m.left]);
}

// A model without UNITS has "length/time" for a unit, which says nothing against "meter/second".
bool says_its_unit(const Channel& c) {
  static const std::regex nameless("\\b(length|time|force)\\b");
  return !c.unit.empty() && !std::regex_search(c.unit, nameless);
}
bool differ_in_unit(const Channel& a, const Channel& b) {
  return says_its_unit(a) && says_its_unit(b) && a.unit != b.unit;
}

// How the solver fared is no result.
bool compared(const Channel& c) { return !c.name.starts_with("SOLVER."); }

// A full turn more or less is the same orientation; 0 where the channel is no such angle.
double turn(const Channel& c) {
  const std::string component = c.name.substr(c.name.rfind('.') + 1);
  if (component != "PSI" && component != "THETA" && component != "PHI") return 0;
  return full_turn(c);
}

// `rounding`: what the digits of the files leave open.
double apart(double x, double y, double period, double rounding) {
  if (!std::isfinite(x) || !std::isfinite(y))
    return x == y || (std::isnan(x) && std::isnan(y)) ? 0 : HUGE_VAL;
  const double off = std::abs(period > 0 ? std::remainder(x - y, period) : x - y);
  return std::max(0.0, off - rounding * std::max(std::abs(x), std::abs(y)));
}

Difference difference(const Channel& channel, const std::vector<double>& times, const std::vector<double>& a,
                      const std::vector<double>& b, const std::vector<Match>& matches, double rounding,
                      double& scale) {
  Difference d{channel.name, channel.unit};
  const double period = turn(channel);
  for (const Match& m : matches) {
    // Across the jump from π to −π there is nothing to interpolate.
    const bool jump =
        period > 0 && m.part > 0 && m.part < 1 && std::abs(b[m.left + 1] - b[m.left]) > period / 2;
    const double x = a[m.row], y = jump ? b[m.left] : value_at(b, m);
    for (const double value : {x, y}) {
      if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
    }
    const double off = apart(x, y, period, rounding);
    if (off <= d.largest) continue;
    d.largest = off;
    d.at = times[m.row];
  }
  return d;
}

}  // namespace

Comparison compare(History& a, History& b) {
  Comparison out;
  const double rounding = std::max(a.rounding(), b.rounding());
  const std::vector<double> ta = a.column(0), tb = b.column(0);
  const std::vector<Match> matches = match_times(ta, tb, rounding);
  out.times = matches.size();
  out.no_common_time = matches.empty();
  if (!matches.empty()) {
    out.begin = ta[matches.front().row];
    out.end = ta[matches.back().row];
    const double slack = std::max(1e-9, rounding) * (std::abs(ta.back()) + std::abs(tb.back()));
    out.same_span = std::abs(ta.back() - tb.back()) <= slack && std::abs(ta.front() - tb.front()) <= slack;
  }
  std::map<std::string, std::size_t> in_b;
  for (std::size_t k = 1; k < b.channels().size(); ++k) {
    if (compared(b.channels()[k])) in_b.emplace(b.channels()[k].name, k);
  }
  std::vector<std::size_t> from_a, from_b;
  for (std::size_t k = 1; k < a.channels().size(); ++k) {
    const Channel& channel = a.channels()[k];
    const auto other = in_b.find(channel.name);
    if (other != in_b.end() && differ_in_unit(channel, b.channels()[other->second])) {
      out.other_units.push_back(
          fmt::format("{} ({}, {})", channel.name, channel.unit, b.channels()[other->second].unit));
      in_b.erase(other);
    } else if (other != in_b.end()) {
      from_a.push_back(k);
      from_b.push_back(other->second);
      in_b.erase(other);
    } else if (compared(channel)) {
      (b.keeps(channel) ? out.only_a : out.not_of_b).push_back(channel.name);
    }
  }
  Scales scales(out.end - out.begin);
  const std::size_t at_once = std::min(a.at_once(), b.at_once());
  for (std::size_t begin = 0; begin < from_a.size(); begin += at_once) {
    const auto first = static_cast<std::ptrdiff_t>(begin),
               last = static_cast<std::ptrdiff_t>(std::min(begin + at_once, from_a.size()));
    const auto all_a = a.columns({from_a.begin() + first, from_a.begin() + last});
    const auto all_b = b.columns({from_b.begin() + first, from_b.begin() + last});
    for (std::size_t k = 0; k < all_a.size(); ++k) {
      const Channel& channel = a.channels()[from_a[begin + k]];
      double largest = 0;
      out.channels.push_back(difference(channel, ta, all_a[k], all_b[k], matches, rounding, largest));
      scales.add(channel, largest);
    }
  }
  for (const auto& [name, place] : in_b)
    (a.keeps(b.channels()[place]) ? out.only_b : out.not_of_a).push_back(name);
  for (Difference& d : out.channels) {
    d.scale = scales.of({d.name, d.unit});
    d.relative = d.largest == 0 ? 0 : d.scale > 0 ? d.largest / d.scale : HUGE_VAL;
  }
  std::stable_sort(out.channels.begin(), out.channels.end(),
                   [](const Difference& x, const Difference& y) { return x.relative > y.relative; });
  return out;
}

}  // namespace trunnion::results
