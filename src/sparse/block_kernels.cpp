#include "sparse/block_kernels.hpp"

#include <cstdint>

namespace trunnion::sparse {
namespace {

// Four numbers, wherever they stand.
using Four [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
using FourBits [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = std::int64_t;

#define TRUNNION_INLINE [[gnu::always_inline]] inline

TRUNNION_INLINE Four& four(double* at) { return *reinterpret_cast<Four*>(at); }
TRUNNION_INLINE const Four& four(const double* at) { return *reinterpret_cast<const Four*>(at); }

// All bits from number `first` on, none before.
alignas(32) constexpr std::int64_t kFrom[kVector][kVector] = {
    {-1, -1, -1, -1}, {0, -1, -1, -1}, {0, 0, -1, -1}, {0, 0, 0, -1}};

// to ← the numbers at `from` from number `first` on, 0 before.
TRUNNION_INLINE void masked(const double* from, int first, Four& to) {
  const FourBits bits =
      *reinterpret_cast<const FourBits*>(from) & *reinterpret_cast<const FourBits*>(kFrom[first]);
  to = reinterpret_cast<const Four&>(bits);
}

// column ← column − factor · l below row k, l being column k.
TRUNNION_INLINE void subtract_below(double* column, const double* l, double factor, int k, int stride) {
  const int first = (k + 1) / kVector * kVector;
  if (first >= stride) return;
  Four head;
  masked(l + first, (k + 1) % kVector, head);
  four(column + first) -= head * factor;
  for (int i = first + kVector; i < stride; i += kVector) four(column + i) -= four(l + i) * factor;
}

TRUNNION_INLINE void scale_below(double* column, double factor, int k, int stride) {
  int i = k + 1;
  for (; i < stride && i % kVector != 0; ++i) column[i] *= factor;
  for (; i < stride; i += kVector) four(column + i) *= factor;
}

// Pivots k … k + W − 1 of the columns from k + W on, W ≤ 4 and k a multiple of 4.
template <int W> TRUNNION_INLINE void apply(double* front, const FrontShape& shape, int k) {
  const int stride = shape.stride;
  const double* const l0 = front + k * stride;
  const double* const l1 = W > 1 ? l0 + stride : l0;
  const double* const l2 = W > 2 ? l1 + stride : l0;
  const double* const l3 = W > 3 ? l2 + stride : l0;
  const int below = k + kVector;  // rows from here on are whole vectors
  Four h0{}, h1{}, h2{};          // what of rows k … k + 3 is below the pivots
  if constexpr (W < kVector) {
    masked(l0 + k, W, h0);
    if constexpr (W > 1) masked(l1 + k, W, h1);
    if constexpr (W > 2) masked(l2 + k, W, h2);
  }
  for (int j = k + W; j < shape.size; ++j) {
    double* const column = front + j * stride;
    const double u0 = column[k];
    double u1 = 0, u2 = 0, u3 = 0;
    if constexpr (W > 1) column[k + 1] = u1 = column[k + 1] - l0[k + 1] * u0;
    if constexpr (W > 2) column[k + 2] = u2 = column[k + 2] - l0[k + 2] * u0 - l1[k + 2] * u1;
    if constexpr (W > 3)
      column[k + 3] = u3 = column[k + 3] - l0[k + 3] * u0 - l1[k + 3] * u1 - l2[k + 3] * u2;
    if constexpr (W < kVector) {
      Four& head = four(column + k);
      head -= h0 * u0;
      if constexpr (W > 1) head -= h1 * u1;
      if constexpr (W > 2) head -= h2 * u2;
    }
    for (int i = below; i < stride; i += kVector) {
      Four sum = four(column + i) - four(l0 + i) * u0;
      if constexpr (W > 1) sum -= four(l1 + i) * u1;
      if constexpr (W > 2) sum -= four(l2 + i) * u2;
      if constexpr (W > 3) sum -= four(l3 + i) * u3;
      four(column + i) = sum;
    }
  }
}

// Pivots k … k + W − 1 of a diagonal F₁₁, of the columns and rows beyond it.
template <int W> TRUNNION_INLINE void apply_diagonal(double* front, const FrontShape& shape, int k) {
  const int stride = shape.stride;
  const double* const l0 = front + k * stride;
  const double* const l1 = W > 1 ? l0 + stride : l0;
  const double* const l2 = W > 2 ? l1 + stride : l0;
  const double* const l3 = W > 3 ? l2 + stride : l0;
  const int first = shape.pivots / kVector * kVector, within = shape.pivots % kVector;
  Four h0, h1, h2, h3;  // of the vector where F₂₁ begins
  masked(l0 + first, within, h0);
  masked(l1 + first, within, h1);
  masked(l2 + first, within, h2);
  masked(l3 + first, within, h3);
  for (int j = shape.pivots; j < shape.size; ++j) {
    double* const column = front + j * stride;
    const double u0 = column[k], u1 = W > 1 ? column[k + 1] : 0, u2 = W > 2 ? column[k + 2] : 0,
                 u3 = W > 3 ? column[k + 3] : 0;
    Four head = four(column + first) - h0 * u0;
    if constexpr (W > 1) head -= h1 * u1;
    if constexpr (W > 2) head -= h2 * u2;
    if constexpr (W > 3) head -= h3 * u3;
    four(column + first) = head;
    for (int i = first + kVector; i < stride; i += kVector) {
      Four sum = four(column + i) - four(l0 + i) * u0;
      if constexpr (W > 1) sum -= four(l1 + i) * u1;
      if constexpr (W > 2) sum -= four(l2 + i) * u2;
      if constexpr (W > 3) sum -= four(l3 + i) * u3;
      four(column + i) = sum;
    }
  }
}

TRUNNION_INLINE void eliminate_diagonal(double* front, const FrontShape& shape, double* inverse) {
  for (int k = 0; k < shape.pivots; k += kVector) {
    const int width = shape.pivots - k < kVector ? shape.pivots - k : kVector;
    for (int p = k; p < k + width; ++p) {
      double* const column = front + p * shape.stride;
      inverse[p] = column[p] != 0 ? 1 / column[p] : 0.0;
      scale_below(column, inverse[p], shape.pivots - 1, shape.stride);
    }
    if (shape.size == shape.pivots) continue;
    switch (width) {
      case 1: apply_diagonal<1>(front, shape, k); break;
      case 2: apply_diagonal<2>(front, shape, k); break;
      case 3: apply_diagonal<3>(front, shape, k); break;
      default: apply_diagonal<4>(front, shape, k);
    }
  }
}

TRUNNION_INLINE void eliminate(double* front, const FrontShape& shape, double* inverse) {
  if (shape.diagonal) {
    eliminate_diagonal(front, shape, inverse);
    return;
  }
  const int stride = shape.stride;
  for (int k = 0; k < shape.pivots; k += kVector) {
    const int width = shape.pivots - k < kVector ? shape.pivots - k : kVector;
    for (int p = k; p < k + width; ++p) {
      double* const column = front + p * stride;
      for (int before = k; before < p; ++before)
        subtract_below(column, front + before * stride, column[before], before, stride);
      inverse[p] = column[p] != 0 ? 1 / column[p] : 0.0;
      scale_below(column, inverse[p], p, stride);
    }
    switch (width) {
      case 1: apply<1>(front, shape, k); break;
      case 2: apply<2>(front, shape, k); break;
      case 3: apply<3>(front, shape, k); break;
      default: apply<4>(front, shape, k);
    }
  }
}

TRUNNION_INLINE void forward(const double* front, const FrontShape& shape, double* x) {
  if (shape.diagonal) {
    for (int k = 0; k < shape.pivots; ++k)
      subtract_below(x, front + k * shape.stride, x[k], shape.pivots - 1, shape.stride);
    return;
  }
  for (int k = 0; k < shape.pivots; ++k) subtract_below(x, front + k * shape.stride, x[k], k, shape.stride);
}

TRUNNION_INLINE void backward(const double* front, const FrontShape& shape, const double* inverse,
                              const double* x2, double* x1) {
  const double* column = front + shape.pivots * shape.stride;
  for (int j = 0; j < shape.size - shape.pivots; ++j, column += shape.stride) {
    for (int i = 0; i < shape.pivots; i += kVector) four(x1 + i) -= four(column + i) * x2[j];
  }
  if (shape.diagonal) {
    for (int k = 0; k < shape.pivots; ++k) x1[k] *= inverse[k];
    return;
  }
  for (int k = shape.pivots - 1; k >= 0; --k) {
    const double x = x1[k] * inverse[k];
    column = front + k * shape.stride;
    for (int i = 0; i <= k; i += kVector) {
      // What stands below the pivot is L.
      Four here = four(x1 + i);
      Four rest = here - four(column + i) * x;
      if (i + kVector > k) {
        FourBits keep = *reinterpret_cast<const FourBits*>(kFrom[k - i]);
        FourBits both =
            (reinterpret_cast<FourBits&>(here) & keep) | (reinterpret_cast<FourBits&>(rest) & ~keep);
        rest = reinterpret_cast<Four&>(both);
      }
      four(x1 + i) = rest;
    }
    x1[k] = x;
  }
}

#if defined(__x86_64__)
#define TRUNNION_WIDE [[gnu::target("avx2")]]
TRUNNION_WIDE void eliminate_wide(double* front, const FrontShape& shape, double* inverse) {
  eliminate(front, shape, inverse);
}
TRUNNION_WIDE void forward_wide(const double* front, const FrontShape& shape, double* x) {
  forward(front, shape, x);
}
TRUNNION_WIDE void backward_wide(const double* front, const FrontShape& shape, const double* inverse,
                                 const double* x2, double* x1) {
  backward(front, shape, inverse, x2, x1);
}
#undef TRUNNION_WIDE
constexpr BlockKernels kWide{eliminate_wide, forward_wide, backward_wide};
#endif

void eliminate_plain(double* front, const FrontShape& shape, double* inverse) {
  eliminate(front, shape, inverse);
}
void forward_plain(const double* front, const FrontShape& shape, double* x) { forward(front, shape, x); }
void backward_plain(const double* front, const FrontShape& shape, const double* inverse, const double* x2,
                    double* x1) {
  backward(front, shape, inverse, x2, x1);
}
constexpr BlockKernels kPlain{eliminate_plain, forward_plain, backward_plain};

#undef TRUNNION_INLINE

}  // namespace

const BlockKernels& plain_block_kernels() { return kPlain; }

const BlockKernels& block_kernels() {
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2") != 0;
  if (wide) return kWide;
#endif
  return kPlain;
}

}  // namespace trunnion::sparse
