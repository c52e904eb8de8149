#include "assembly/carriers/mode_sums.hpp"

#include <cstring>

namespace trunnion::assembly {
namespace {

using Four [[gnu::vector_size(32)]] = double;
constexpr int kVector = 4;

#define TRUNNION_INLINE [[gnu::always_inline]] inline

// Four numbers, wherever they stand. By reference: how a function returns them would depend on the processor it is compiled for.
TRUNNION_INLINE void take(Four& four, const double* from) { std::memcpy(&four, from, sizeof(Four)); }
TRUNNION_INLINE void put(const Four& four, double* to) { std::memcpy(to, &four, sizeof(Four)); }
// sum += row[0…3]·at
TRUNNION_INLINE void add_products(Four& sum, const double* row, const Four& at) {
  Four r;
  take(r, row);
  sum += r * at;
}

TRUNNION_INLINE double sum_of(const Four& part) { return (part[0] + part[1]) + (part[2] + part[3]); }

TRUNNION_INLINE void motion(const double* shape, int modes, const double* x, double* sums) {
  const double *const s0 = shape, *const s1 = s0 + modes, *const s2 = s1 + modes, *const s3 = s2 + modes,
                      *const s4 = s3 + modes, *const s5 = s4 + modes;
  Four p0{}, p1{}, p2{}, p3{}, p4{}, p5{};
  int i = 0;
  for (; i + kVector <= modes; i += kVector) {
    Four at;
    take(at, x + i);
    add_products(p0, s0 + i, at);
    add_products(p1, s1 + i, at);
    add_products(p2, s2 + i, at);
    add_products(p3, s3 + i, at);
    add_products(p4, s4 + i, at);
    add_products(p5, s5 + i, at);
  }
  const double parts[kShapeRows] = {sum_of(p0), sum_of(p1), sum_of(p2), sum_of(p3), sum_of(p4), sum_of(p5)};
  for (int k = 0; k < kShapeRows; ++k) {
    double rest = 0;
    for (int j = i; j < modes; ++j) rest += shape[k * modes + j] * x[j];
    sums[k] = parts[k] + rest;
  }
}

TRUNNION_INLINE void spread(const double* shape, int modes, const double* by, double* to) {
  const double *const a = shape, *const b = a + modes, *const c = b + modes;
  int i = 0;
  for (; i + kVector <= modes; i += kVector) {
    Four u, v, w, sum;
    take(u, a + i), take(v, b + i), take(w, c + i), take(sum, to + i);
    sum += u * by[0] + v * by[1] + w * by[2];
    put(sum, to + i);
  }
  for (; i < modes; ++i) to[i] += a[i] * by[0] + b[i] * by[1] + c[i] * by[2];
}

#if defined(__x86_64__)
#define TRUNNION_WIDE [[gnu::target("avx2")]]
TRUNNION_WIDE void motion_wide(const double* shape, int modes, const double* x, double* sums) {
  motion(shape, modes, x, sums);
}
TRUNNION_WIDE void spread_wide(const double* shape, int modes, const double* by, double* to) {
  spread(shape, modes, by, to);
}
#undef TRUNNION_WIDE
constexpr ModeSums kWide{motion_wide, spread_wide};
#endif

void motion_plain(const double* shape, int modes, const double* x, double* sums) {
  motion(shape, modes, x, sums);
}
void spread_plain(const double* shape, int modes, const double* by, double* to) {
  spread(shape, modes, by, to);
}
constexpr ModeSums kPlain{motion_plain, spread_plain};

#undef TRUNNION_INLINE

}  // namespace

const ModeSums& mode_sums() {
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2") != 0;
  if (wide) return kWide;
#endif
  return kPlain;
}

}  // namespace trunnion::assembly
