#include "integrate/place_watch.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::integrate {

namespace {

constexpr double kAhead = 1e-3;  // of a step: what tells slopes

}  // namespace

void PlaceWatch::begin(const assembly::State& state) {
  if (idle()) return;
  system_.update(state, work_);
  // Slopes are those of lines; any short time tells them.
  constexpr double kShort = 1e-6;
  kinks_.read(state, work_, kShort * std::max(1.0, std::abs(state.t)), from_);
}

double PlaceWatch::part(const assembly::State& from, const assembly::State& trial) {
  constexpr int kTries = 12;
  if (idle()) return 1;
  const double h = trial.t - from.t;
  system_.update(trial, work_);
  kinks_.read(trial, work_, kAhead * h, to_);
  if (tries_ >= kTries) return 1;
  double least = 1;
  for (std::size_t f = 0; f < kinks_.functions().size(); ++f)
    least = std::min({least, passed_layer(f, h), passed_touch(f, h)});
  if (least < 1) ++tries_;
  return least;
}

void PlaceWatch::accepted() {
  if (idle()) return;
  std::swap(from_, to_);
  tries_ = 0;
}

// The inputs of a function after a part of the step: by the cubic of values and rates, or straight where rates are not known.
void PlaceWatch::read_at(std::size_t function, double h, double x) {
  const auto& f = kinks_.functions()[function];
  in_.resize(f.program->inputs().size());
  for (std::size_t k = 0; k < in_.size(); ++k) {
    const std::size_t at = f.first_input + k;
    const double a = from_.inputs[at], b = to_.inputs[at];
    const double bend = h * x * (1 - x) * ((1 - x) * from_.rates[at] - x * to_.rates[at]);
    in_[k] = std::isfinite(bend) ? a + x * x * (3 - 2 * x) * (b - a) + bend : a + x * (b - a);
  }
}

double PlaceWatch::root(std::size_t function, std::size_t kink, double h) {
  constexpr double kNear = 1e-9;
  double low = 0, high = 1;
  const bool rises = from_.distances[kinks_.functions()[function].first_kink + kink] < 0;
  while (high - low > kNear) {
    const double x = 0.5 * (low + high);
    read_at(function, h, x);
    kinks_.distances(function, in_, distances_);
    ((distances_[kink] < 0) == rises ? low : high) = x;
  }
  return 0.5 * (low + high);
}

// How far a function after a part of the step is from the straight line between its values at both ends.
double PlaceWatch::off_line(std::size_t function, double h, double x) {
  read_at(function, h, x);
  kinks_.values(function, in_, work_, between_);
  double most = 0;
  for (std::size_t k = 0; k < between_.size(); ++k)
    most = std::max(most, std::abs(between_[k] - at_from_[k] - x * (at_to_[k] - at_from_[k])));
  return most;
}

// A single corner takes half of its own height on both sides half way to the ends of the step. The error test sees it; what is thinner not.
bool PlaceWatch::is_thin(std::size_t function, double h, double x) {
  constexpr double kPart = 0.4;
  const double height = off_line(function, h, x);
  return off_line(function, h, 0.5 * x) < kPart * height &&
         off_line(function, h, 0.5 * (1 + x)) < kPart * height;
}

// Whether a function between is something else than on both sides, by a tenth of what it is.
bool PlaceWatch::differs(std::size_t function) {
  constexpr double kPart = 0.1, kOfLargest = 1e-3;
  bool found = false;
  for (std::size_t k = 0; k < between_.size(); ++k) {
    const auto [low, high] = std::minmax(at_from_[k], at_to_[k]);
    const double beyond = std::max(between_[k] - high, low - between_[k]);
    const double size = std::max({std::abs(low), std::abs(high), std::abs(between_[k])});
    found = found || beyond > std::max(kPart * size, kOfLargest * largest_[function]);
    if (std::isfinite(size))
      largest_[function] = std::max(largest_[function], std::max(std::abs(low), std::abs(high)));
  }
  return found;
}

double PlaceWatch::passed_layer(std::size_t function, double h) {
  constexpr double kApart = 1e-8;  // of the step
  const auto& f = kinks_.functions()[function];
  const std::size_t kinks = f.kinks.all().size();
  const auto crosses = [&](std::size_t k) {
    return from_.distances[f.first_kink + k] * to_.distances[f.first_kink + k] < 0;
  };
  std::size_t crossed = 0;
  for (std::size_t k = 0; k < kinks; ++k) crossed += crosses(k);
  if (crossed == 0) return 1;
  distances_.resize(kinks);
  roots_.clear();
  for (std::size_t k = 0; k < kinks; ++k) {
    if (crosses(k)) roots_.push_back(root(function, k, h));
  }
  std::sort(roots_.begin(), roots_.end());
  const auto outputs = static_cast<std::size_t>(f.program->output_count());
  for (std::vector<double>* each : {&at_from_, &at_to_, &between_}) each->resize(outputs);
  const std::size_t inputs = f.program->inputs().size();
  kinks_.values(function, {from_.inputs.data() + f.first_input, inputs}, work_, at_from_);
  kinks_.values(function, {to_.inputs.data() + f.first_input, inputs}, work_, at_to_);
  const auto differs_at = [&](double x) {
    read_at(function, h, x);
    kinks_.values(function, in_, work_, between_);
    return differs(function);
  };
  for (std::size_t k = 0; k + 1 < roots_.size(); ++k) {
    const double x = 0.5 * (roots_[k] + roots_[k + 1]);
    if (roots_[k + 1] - roots_[k] > kApart && differs_at(x)) return x;
  }
  for (const double x : roots_) {
    if (differs_at(x) && is_thin(function, h, x)) return x;
  }
  return 1;
}

double PlaceWatch::passed_touch(std::size_t function, double h) const {
  constexpr double kRounding = 1e-9,
                   kInto = 0.25;  // not to the middle, where two points meet and nothing has a direction
  const auto& f = kinks_.functions()[function];
  double least = 1;
  for (std::size_t k = 0; k < f.kinks.all().size(); ++k) {
    const std::size_t at = f.first_kink + k;
    const double a = from_.distances[at], b = to_.distances[at];
    const double in = h * from_.slopes[at], out = h * to_.slopes[at];
    if (!f.kinks.all()[k].touch || !(a > 0 && b > 0 && in < 0 && out > 0)) continue;
    const double meet = (b - out - a) / (in - out), touch = -a / in;
    if (meet > 0 && meet < 1 && a + meet * in < -kRounding * std::max(from_.sizes[at], to_.sizes[at]))
      least = std::min(least, touch + kInto * (meet - touch));
  }
  return least;
}

}  // namespace trunnion::integrate
