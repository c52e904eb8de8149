#include "math/output_times.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::math {

namespace {

constexpr double kRounding = 1e-9;   // of the whole: a step that ends this near to the end is the last
constexpr double kMostSteps = 1e15;  // beyond, times would differ by a few units in the last place

double whole_steps(double step, double begin, double end) {
  return std::floor((end - begin) / step * (1 + kRounding));
}

}  // namespace

OutputTimes::OutputTimes(std::vector<double> listed)
    : listed_(std::move(listed)), last_(listed_.size()), whole_(listed_.size()) {}

bool OutputTimes::countable(double step, double begin, double end) {
  return step > 0 && whole_steps(step, begin, end) <= kMostSteps && end - step < end;
}

OutputTimes OutputTimes::every(double step, double begin, double end) {
  OutputTimes out;
  out.begin_ = begin;
  out.step_ = step;
  out.end_ = end;
  const double count = std::clamp(whole_steps(step, begin, end), 0.0, kMostSteps);
  const bool rest = count == 0 || begin + count * step < end - kRounding * (end - begin);
  out.whole_ = out.last_ = static_cast<std::size_t>(count) + (rest ? 1 : 0);
  return out;
}

OutputTimes OutputTimes::parts(std::size_t count, double begin, double end) {
  OutputTimes out;
  out.begin_ = begin;
  out.end_ = end;
  out.whole_ = out.last_ = out.parts_ = std::max<std::size_t>(count, 1);
  return out;
}

double OutputTimes::rule(std::size_t k) const {
  if (!listed_.empty()) return listed_[k];
  const auto number = static_cast<double>(k + 1);
  if (k + 1 == whole_) return end_;
  return parts_ > 0 ? begin_ + (end_ - begin_) * number / static_cast<double>(parts_)
                    : begin_ + number * step_;
}

double OutputTimes::operator[](std::size_t k) const {
  const double t = rule(first_ + k);
  return bounded_ ? std::min(t, most_) : t;
}

std::size_t OutputTimes::count_upto(double t) const {
  std::size_t low = 0, high = size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if ((*this)[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

OutputTimes OutputTimes::after(double t) const {
  OutputTimes out = *this;
  out.first_ += count_upto(t);
  return out;
}

OutputTimes OutputTimes::within(double after_, double upto, double most) const {
  OutputTimes out = *this;
  out.last_ = first_ + count_upto(upto);
  out.first_ = std::min(first_ + count_upto(after_), out.last_);
  out.most_ = bounded_ ? std::min(most, most_) : most;
  out.bounded_ = true;
  return out;
}

double OutputTimes::longest_step(double begin) const {
  if (empty()) return 0;
  double longest = 0, before = begin;
  const auto look = [&](double t) {
    if (t > before) longest = std::max(longest, t - before);
    before = std::max(before, t);
  };
  // Of a rule the first two say it; the last may be shorter, and all of them differ by rounding.
  const std::size_t looked = listed_.empty() ? std::min<std::size_t>(size(), 2) : size();
  for (std::size_t k = 0; k < looked; ++k) look((*this)[k]);
  return longest;
}

}  // namespace trunnion::math
