#pragma once
// Sums over modes, in vectors of four numbers: one source for processors with wide vectors and without, the same operations in the same
// order (as in sparse/block_kernels.hpp). On x86-64 none is fused, because both are compiled for targets without fused products (AVX2, SSE2): the
// numbers do not depend on the processor. Nothing forbids it to the compiler, whose -ffp-contract is left as it is: a build for
// -march=native or another architecture may fuse, and differ in the last digits.

namespace trunnion::assembly {

inline constexpr int kShapeRows = 6;

struct ModeSums {
  // `sums`[k] = Σ shape(i, k) x(i) of six columns of `modes` numbers, one after another.
  void (*motion)(const double* shape, int modes, const double* x, double* sums);
  // to(i) += Σ shape(i, k) by[k] of three columns.
  void (*spread)(const double* shape, int modes, const double* by, double* to);
};

// Those that suit this processor.
const ModeSums& mode_sums();

}  // namespace trunnion::assembly
