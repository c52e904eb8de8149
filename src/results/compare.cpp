#include "results/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace trunnion::results {

namespace {

// The rows of `times` inside the span, and for each the place in the other's times.
struct Match {
  std::size_t row = 0, left = 0;
  double part = 0;  // 0: at left, 1: at left + 1
};

std::vector<Match> match_times(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<Match> out;
  std::size_t left = 0;
  // Times written by two programs differ in their last digits.
  const double slack = b.empty() ? 0 : 1e-9 * (std::abs(b.back()) + std::abs(b.front()));
  for (std::size_t row = 0; row < a.size() && !b.empty(); ++row) {
    if (a[row] < b.front() - slack || a[row] > b.back() + slack) continue;
    // A time that occurs twice (before and after an event) meets its like, in order.
    while (left + 1 < b.size() && b[left + 1] <= a[row] &&
           (b[left] < a[row] || row + 1 == a.size() || a[row + 1] > a[row]))
      ++left;
    Match m{row, left, 0};
    if (left + 1 < b.size() && b[left + 1] > b[left])
      m.part = std::clamp((a[row] - b[left]) / (b[left + 1] - b[left]), 0.0, 1.0);
    out.push_back(m);
  }
  return out;
}

double value_at(const std::vector<double>& b, const Match& m) {
  if (m.part == 0) return b[m.left];
  return m.part == 1 ? b[m.left + 1] : b[m.left] + m.part * (b[m.left + 1] - b[m.left]);
}

std::string kind_key(const Channel& c) { return c.name.substr(0, c.name.find('/')) + "|" + c.unit; }

}  // namespace

Comparison compare(History& a, History& b) {
  Comparison out;
  const std::vector<double> ta = a.column(0), tb = b.column(0);
  const std::vector<Match> matches = match_times(ta, tb);
  out.times = matches.size();
  out.no_common_time = matches.empty();
  if (!matches.empty()) {
    out.begin = ta[matches.front().row];
    out.end = ta[matches.back().row];
    const double slack = 1e-9 * (std::abs(ta.back()) + std::abs(tb.back()));
    out.same_span = std::abs(ta.back() - tb.back()) <= slack && std::abs(ta.front() - tb.front()) <= slack;
  }
  std::map<std::string, std::size_t> in_b;
  for (std::size_t k = 1; k < b.channels().size(); ++k) in_b.emplace(b.channels()[k].name, k);
  std::map<std::string, double> scales;
  std::vector<std::string> keys;
  for (std::size_t k = 1; k < a.channels().size(); ++k) {
    const Channel& channel = a.channels()[k];
    const auto other = in_b.find(channel.name);
    if (other == in_b.end()) {
      out.only_a.push_back(channel.name);
      continue;
    }
    const std::vector<double> va = a.column(k), vb = b.column(other->second);
    in_b.erase(other);
    Difference d{channel.name, channel.unit};
    keys.push_back(kind_key(channel));
    double& scale = scales[keys.back()];
    for (const Match& m : matches) {
      const double x = va[m.row], y = value_at(vb, m);
      scale = std::max({scale, std::abs(x), std::abs(y)});
      const bool both_nan = std::isnan(x) && std::isnan(y);
      const double off = both_nan ? 0 : std::isnan(x - y) ? HUGE_VAL : std::abs(x - y);
      if (off <= d.largest) continue;
      d.largest = off;
      d.at = ta[m.row];
    }
    out.channels.push_back(std::move(d));
  }
  for (const auto& [name, place] : in_b) out.only_b.push_back(name);
  for (std::size_t k = 0; k < out.channels.size(); ++k) {
    Difference& d = out.channels[k];
    d.scale = scales[keys[k]];
    d.relative = d.largest == 0 ? 0 : d.scale > 0 ? d.largest / d.scale : HUGE_VAL;
  }
  std::stable_sort(out.channels.begin(), out.channels.end(),
                   [](const Difference& x, const Difference& y) { return x.relative > y.relative; });
  return out;
}

}  // namespace trunnion::results
