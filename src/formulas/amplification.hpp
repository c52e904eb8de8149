#pragma once
// What a formula makes of ẏ = λy, z = hλ: yₙ₊₁ = ξ yₙ, one root ξ for each value that it keeps. For an undamped vibration z = iωh;
// the principal root is the one that is near e^z where h is small.
//
//   ξ = e^(a + ib):   amplitude decay −a/√(a² + b²),   period elongation ωh/√(a² + b²) − 1,   spectral radius max |ξ|
// against Δt/(nT), n the number of implicit stages in a step, so that formulas are compared at equal work.

#include <complex>
#include <functional>
#include <span>
#include <vector>

#include "formulas/collocation_table.hpp"
#include "formulas/single_step_table.hpp"
#include "formulas/staged_table.hpp"

namespace trunnion::formulas {

using Roots = std::vector<std::complex<double>>;

Roots amplification_roots(const StagedTable& table, std::complex<double> z);
Roots amplification_roots(const SingleStepTable& table, std::complex<double> z);
Roots amplification_roots(const CollocationTable& table, std::complex<double> z);

// The limit of the largest |ξ| as |z| grows.
double radius_at_infinity(const StagedTable& table);
double radius_at_infinity(const CollocationTable& table);

// The root that goes on from 1 at z = 0 along the straight line to z.
std::complex<double> principal_root(const std::function<Roots(std::complex<double> z)>& roots,
                                    std::complex<double> z);
template <typename Table> std::complex<double> amplification(const Table& table, std::complex<double> z) {
  return principal_root([&table](std::complex<double> at) { return amplification_roots(table, at); }, z);
}

struct SpectrumPoint {
  double x = 0;  // Δt/(nT)
  double decay_percent = 0, elongation_percent = 0;
  double radius = 1;
};

// Of any formula, by the roots that it has at ωh; `x` ascends.
std::vector<SpectrumPoint> spectrum_of(const std::function<Roots(double omega_h)>& roots, int stages,
                                       std::span<const double> x);
template <typename Table>
std::vector<SpectrumPoint> spectrum(const Table& table, int stages, std::span<const double> x) {
  return spectrum_of([&table](double y) { return amplification_roots(table, std::complex<double>(0, y)); },
                     stages, x);
}

}  // namespace trunnion::formulas
