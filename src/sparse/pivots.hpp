#pragma once
// Whether a small pivot of an LU factorisation is a number or what rounding left of zero.
//
// The size of a pivot says nothing by itself: a gain of 1e13 before one unknown in the row of a body of a gram makes its mass 1e-16
// of the row, and yet everything is determined. What counts is the size of the numbers that it came from. With the
// leading blocks L₁₁, U₁₁ before pivot k
//   xᵀ = e_kᵀ L⁻¹,  y = (−U₁₁⁻¹ u_k, 1):   u_kk = xᵀ A y      and, since LU = A + E with |E| ≤ ε |L||U|,
//   |δu_kk| ≤ ε (|x|ᵀ|L|)(|U||y|)
// to first order. Entries of A are themselves sums of products of order 1, rounded: each is uncertain by ε before its row was
// scaled. A pivot within a few times the sum of both is rounding.

#include <vector>

#include "sparse/pattern.hpp"

namespace trunnion::sparse {

// By columns: L with its unit diagonal, U with its diagonal; both in the order of elimination.
struct Factors {
  std::vector<int> l_start, l_row, u_start, u_row;
  std::vector<double> l_value, u_value;
  std::vector<int> rows, cols;  // of A, in that order
};

// What pivot k may be wrong by, in a diagonal block of the factors that begins at `first`; rows were scaled to a largest
// entry of 1.
double pivot_rounding(const Factors& factors, const CscMatrix& A, int first, int k);

}  // namespace trunnion::sparse
