#include "math/features.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::math {

namespace {

constexpr double kPart = 0.1;  // of the range
constexpr double kWithin = 0.83;
constexpr std::size_t kWave = 200, kFewest = 64;

std::vector<Interval> features_at(std::span<const double> values, double begin, double step,
                                  std::size_t stride, double range) {
  std::vector<Interval> found;
  for (std::size_t k = stride; k + stride < values.size(); k += stride) {
    if (!(std::abs(values[k - stride] - 2 * values[k] + values[k + stride]) > kPart * range)) continue;
    // Not to the next value: a step that ends in the middle of the interval is not to end on the very time of a jump.
    const double from = begin + static_cast<double>(k - stride) * step,
                 to = begin + (static_cast<double>(k) + kWithin * static_cast<double>(stride)) * step;
    if (!found.empty() && from <= found.back().second) found.back().second = to;
    else found.emplace_back(from, to);
  }
  return found;
}

}  // namespace

std::vector<Interval> short_features(std::span<const double> values, double begin, double step) {
  std::vector<Interval> all;
  if (values.size() < kFewest ||
      !std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
    return all;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double range = *most - *least;
  if (!(range > 0)) return all;
  constexpr std::size_t kCoarser = 4;
  for (std::size_t stride = 1; values.size() / stride >= kFewest; stride *= kCoarser) {
    const std::vector<Interval> some = features_at(values, begin, step, stride, range);
    if (some.size() <= kWave) all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace trunnion::math
