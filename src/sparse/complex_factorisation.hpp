#pragma once
// Factors of complex matrices on the pattern of a real one: what stages that are solved together leave after they were taken apart.

#include <complex>
#include <memory>
#include <span>

#include <Eigen/Core>

#include "sparse/pattern.hpp"

namespace trunnion::sparse {

class ComplexFactorisation {
 public:
  using Number = std::complex<double>;

  ComplexFactorisation();
  ~ComplexFactorisation();
  ComplexFactorisation(ComplexFactorisation&&) noexcept;
  ComplexFactorisation& operator=(ComplexFactorisation&&) noexcept;

  // As Factorisation's: with an order, pivots on the diagonal as long as they are not tiny. Keeps the pattern.
  bool analyse(const CscMatrix& pattern, std::span<const int> order = {});
  // Values in the pattern's order. On the old pivots as long as they are good. False where the matrix is singular.
  bool update(std::span<const Number> values);
  void solve(Eigen::Ref<Eigen::VectorXcd> b) const;  // b ← A⁻¹ b
  bool factored() const { return factored_; }

 private:
  struct Klu;
  bool factor(std::span<const Number> values);
  bool good(std::span<const Number> values);

  std::unique_ptr<Klu> klu_;
  double growth_ = 0, pivoted_growth_ = 0;
  bool factored_ = false, given_order_ = false;
};

}  // namespace trunnion::sparse
