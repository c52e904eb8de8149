#include "assembly/carriers/mode_sums.hpp"

namespace trunnion::assembly {
namespace {

// Four numbers, wherever they stand.
using Four [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
constexpr int kVector = 4;

#define TRUNNION_INLINE [[gnu::always_inline]] inline

TRUNNION_INLINE const Four& four(const double* at) { return *reinterpret_cast<const Four*>(at); }
TRUNNION_INLINE Four& four(double* at) { return *reinterpret_cast<Four*>(at); }

TRUNNION_INLINE double sum_of(const Four& part) { return (part[0] + part[1]) + (part[2] + part[3]); }

TRUNNION_INLINE void motion(const double* shape, int modes, const double* x, double* sums) {
  const double *const s0 = shape, *const s1 = s0 + modes, *const s2 = s1 + modes, *const s3 = s2 + modes,
                      *const s4 = s3 + modes, *const s5 = s4 + modes;
  Four p0{}, p1{}, p2{}, p3{}, p4{}, p5{};
  int i = 0;
  for (; i + kVector <= modes; i += kVector) {
    const Four at = four(x + i);
    p0 += four(s0 + i) * at;
    p1 += four(s1 + i) * at;
    p2 += four(s2 + i) * at;
    p3 += four(s3 + i) * at;
    p4 += four(s4 + i) * at;
    p5 += four(s5 + i) * at;
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
  for (; i + kVector <= modes; i += kVector)
    four(to + i) += four(a + i) * by[0] + four(b + i) * by[1] + four(c + i) * by[2];
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
