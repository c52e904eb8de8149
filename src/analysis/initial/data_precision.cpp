#include "analysis/initial/data_precision.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

namespace trunnion::analysis {

namespace {

constexpr int kCutOff = 6;  // digits from which a number is thought of as cut off: the default of printf's %g
constexpr int kMost = 14;   // degrees that became radians are known to so many

int significant_digits(double value) {
  const std::string text = fmt::format("{:.{}e}", value, kMost - 1);  // d.ddd…e±xx
  int digits = 0, seen = 0;
  for (const char c : text) {
    if (c == 'e') break;
    if (c < '0' || c > '9') continue;
    ++seen;
    if (c != '0') digits = seen;
  }
  return digits;
}

class Numbers {
 public:
  void lengths(const std::vector<double>& values) {
    for (const double v : values) take(v, significant_digits(v), largest_);
  }
  // Written in degrees or in radians: in the unit that it was cut off in it has fewer digits.
  void angles(const std::vector<double>& radians) {
    for (const double v : radians) {
      const double degrees = v * 180 / std::numbers::pi;
      take(degrees, std::min(significant_digits(v), significant_digits(degrees)), widest_);
    }
  }

  DataPrecision precision() {
    if (digits_.empty()) return {};
    const auto most = digits_.begin() + static_cast<std::ptrdiff_t>(9 * digits_.size() / 10);
    std::nth_element(digits_.begin(), most, digits_.end());
    DataPrecision p;
    p.digits = *most;
    if (p.digits >= kMost) return {};
    const double point = half_last_place(largest_, p.digits);
    p.angle = half_last_place(widest_, p.digits) * std::numbers::pi / 180;
    if (largest_ > 0) p.angle = std::max(p.angle, point / largest_);  // directions by points: ZP, XP
    p.length = point + p.angle * largest_;
    return p;
  }

 private:
  void take(double value, int digits, double& largest) {
    if (!std::isfinite(value)) return;
    largest = std::max(largest, std::abs(value));
    if (digits >= kCutOff) digits_.push_back(digits);
  }
  static double half_last_place(double value, int digits) {
    return value > 0 ? 0.5 * std::pow(10, std::floor(std::log10(value)) + 1 - digits) : 0;
  }

  std::vector<int> digits_;          // of the numbers that were cut off
  double largest_ = 0, widest_ = 0;  // length, degrees
};

template <class Body> void take_body(const model::Model& model, Numbers& numbers) {
  for (const Body& body : model.all<Body>()) {
    for (const auto* points : {&body.qg, &body.zg, &body.xg}) numbers.lengths(*points);
    numbers.angles(body.reuler);
  }
}

}  // namespace

DataPrecision data_precision(const model::Model& model) {
  Numbers numbers;
  take_body<model::Part>(model, numbers);
  take_body<model::PointMass>(model, numbers);
  for (const model::Marker& marker : model.all<model::Marker>()) {
    for (const auto* points : {&marker.qp, &marker.zp, &marker.xp}) numbers.lengths(*points);
    numbers.angles(marker.reuler);
  }
  return numbers.precision();
}

}  // namespace trunnion::analysis
