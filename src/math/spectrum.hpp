#pragma once
// INVPSD: a signal with a given one-sided power spectral density S(f), as a sum of sinusoids
//   y(x) = Σ Ai sin(2π fi x + φi),   Ai = √(2 S(fi) Δf)
// with fi the middles of nf equal bands of [f0, f1], so that the mean square of y is ∫S df by the midpoint
// rule. The commercial generator of phases is not public, so signals differ from its signals in phase, not in
// spectrum. Ours: φi = 2π · r(seed, i), r the top 53 bits of SplitMix64 started at the seed, divided by 2⁵³.
// Same seed, same signal, on every machine. S is interpolated linearly in f (linlog 0) or between logarithms
// of both (linlog 1), held at the ends.

#include <span>
#include <string>
#include <vector>

#include "math/dual.hpp"

namespace trunnion::math {

class SpectrumSignal {
 public:
  SpectrumSignal() = default;
  // Empty string if the arguments are usable; otherwise what is wrong. f and psd are the points of the PSD
  // spline.
  static std::string check(std::span<const double> f, std::span<const double> psd, double f0, double f1,
                           int count, bool logarithmic);
  SpectrumSignal(std::span<const double> f, std::span<const double> psd, double f0, double f1, int count,
                 bool logarithmic, long long seed);

  double value(double x) const;
  Jet jet(double x) const;
  int count() const { return static_cast<int>(terms_.size()); }

 private:
  struct Term {
    double amplitude, omega, phase;
  };
  std::vector<Term> terms_;
};

}  // namespace trunnion::math
