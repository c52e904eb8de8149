#pragma once
// Dense elimination within one front of the block solver (block_solver.cpp). A front is a full square matrix, column by column, its
// columns padded to whole vectors of four numbers:
//   [ F₁₁ F₁₂ ]   F₁₁: `pivots` × `pivots`, eliminated here      →   [ L₁₁\U₁₁  U₁₂             ]
//   [ F₂₁ F₂₂ ]                                                      [ L₂₁      F₂₂ − L₂₁ U₁₂   ]
// There is one source for processors with wide vectors and without. It does the same operations in the same order on both, none of them
// fused, so that the numbers do not depend on the machine.

namespace trunnion::sparse {

struct FrontShape {
  int pivots, size;       // rows eliminated; all rows
  int stride;             // of a column, a multiple of four
  bool diagonal = false;  // F₁₁ is: then nothing of it but its diagonal is read or written
};

inline constexpr int kVector = 4;
inline constexpr int padded(int size) { return (size + kVector - 1) / kVector * kVector; }

struct BlockKernels {
  // Pivots on the diagonal in the order they stand. `inverse`: 1/pivot, 0 for a pivot that is 0.
  void (*eliminate)(double* front, const FrontShape& shape, double* inverse);
  // x₁ ← L₁₁⁻¹ x₁, x₂ ← x₂ − L₂₁ x₁;  x of `stride` numbers.
  void (*forward)(const double* front, const FrontShape& shape, double* x);
  // x₁ ← U₁₁⁻¹ (x₁ − U₁₂ x₂); x₁ of padded(pivots) numbers.
  void (*backward)(const double* front, const FrontShape& shape, const double* inverse, const double* x2,
                   double* x1);
};

// Those that suit this processor.
const BlockKernels& block_kernels();
// Those that suit every processor.
const BlockKernels& plain_block_kernels();

}  // namespace trunnion::sparse
