#include "results/read/scales.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

namespace trunnion::results {

namespace {

// Rounding of a solution that went through many operations and matrices of some condition.
constexpr double kNoise = 1e-12;
// A value without a unit may be a product of small ones; twenty decades below all others it is nothing.
constexpr double kNothing = 1e-20;

struct Factor {
  std::string word;
  int power = 1;
};

// "newton*meter", "rad/second^2"
std::vector<Factor> factors(const std::string& unit) {
  std::vector<Factor> out;
  int sign = 1;
  for (std::size_t k = 0; k < unit.size();) {
    const char c = unit[k];
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') {
      std::size_t end = k;
      while (end < unit.size() &&
             (std::isalpha(static_cast<unsigned char>(unit[end])) != 0 || unit[end] == '_'))
        ++end;
      out.push_back({unit.substr(k, end - k), sign});
      k = end;
      continue;
    }
    if (c == '*') sign = 1;
    if (c == '/') sign = -1;
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 && k > 0 && unit[k - 1] == '^' && !out.empty())
      out.back().power *= c - '0';
    ++k;
  }
  return out;
}

}  // namespace

// JOINT/3.FX and JOINT/4.FY, ENERGY.KINETIC and ENERGY.BALANCE.
std::string Scales::kind(const Channel& c) {
  return c.name.substr(0, c.name.find_first_of("/.")) + "|" + c.unit;
}

void Scales::add(const Channel& channel, double largest) {
  double& own = by_kind_[kind(channel)];
  own = std::max(own, largest);
  largest_ = std::max(largest_, largest);
  double& size = by_unit_[channel.unit];
  size = std::max(size, largest);
  // A speed or an acceleration tells what the unit of time is called.
  const std::vector<Factor> all = factors(channel.unit);
  if (all.size() == 2 && all[1].power < 0) time_ = all[1].word;
}

double Scales::base(const std::string& word) const {
  if (word == "rad") return 1;
  if (word == time_) return span_;
  const auto found = by_unit_.find(word);
  double size = found == by_unit_.end() ? 0 : found->second;
  // A force may be told by torques only: newton*meter over meter.
  for (const auto& [unit, largest] : by_unit_) {
    const std::vector<Factor> all = factors(unit);
    if (all.size() != 2 || all[0].word != word || all[0].power != 1 || all[1].power != 1) continue;
    const auto arm = by_unit_.find(all[1].word);
    if (arm != by_unit_.end() && arm->second > 0) size = std::max(size, largest / arm->second);
  }
  return size;
}

double Scales::by_unit(const std::string& unit) const {
  double product = 1;
  const std::vector<Factor> all = factors(unit);
  for (const Factor& f : all) product *= std::pow(base(f.word), f.power);
  return all.empty() || !std::isfinite(product) ? 0 : product;
}

double Scales::of(const Channel& channel) const {
  const auto found = by_kind_.find(kind(channel));
  const double own = found == by_kind_.end() ? 0 : found->second;
  const double derived = by_unit(channel.unit);
  if (own <= kNoise * derived) return derived;
  return own <= kNothing * largest_ ? largest_ : own;
}

}  // namespace trunnion::results
