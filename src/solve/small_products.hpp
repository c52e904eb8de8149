#pragma once
// Small products without Eigen's loops, of which g++ makes calls: the articulated-body recursion is little else than these.

#include <Eigen/Core>

#include "math/so3.hpp"

namespace trunnion::solve::small {

using math::Mat3;
using math::Vec3;

inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec3 column(const Mat3& M, int k) { return {M(0, k), M(1, k), M(2, k)}; }
inline Vec3 times(const Mat3& M, const Vec3& v) {
  return {M(0, 0) * v[0] + M(0, 1) * v[1] + M(0, 2) * v[2], M(1, 0) * v[0] + M(1, 1) * v[1] + M(1, 2) * v[2],
          M(2, 0) * v[0] + M(2, 1) * v[1] + M(2, 2) * v[2]};
}
inline Vec3 transposed_times(const Mat3& M, const Vec3& v) {
  return {M(0, 0) * v[0] + M(1, 0) * v[1] + M(2, 0) * v[2], M(0, 1) * v[0] + M(1, 1) * v[1] + M(2, 1) * v[2],
          M(0, 2) * v[0] + M(1, 2) * v[1] + M(2, 2) * v[2]};
}
// The matrix of these columns.
inline Mat3 columns(const Vec3& a, const Vec3& b, const Vec3& c) {
  Mat3 M;
  for (int k = 0; k < 3; ++k) M(k, 0) = a[k], M(k, 1) = b[k], M(k, 2) = c[k];
  return M;
}
inline Mat3 product(const Mat3& M, const Mat3& N) {
  return columns(times(M, column(N, 0)), times(M, column(N, 1)), times(M, column(N, 2)));
}
// M N Mᵀ
inline Mat3 turned(const Mat3& M, const Mat3& N) {
  const Mat3 MN = product(M, N);
  const auto of_row = [&](int k) { return times(MN, Vec3(M(k, 0), M(k, 1), M(k, 2))); };
  return columns(of_row(0), of_row(1), of_row(2));
}
inline void add(const Mat3& M, Mat3& to) {
  for (int k = 0; k < 9; ++k) to.data()[k] += M.data()[k];
}
inline void subtract_product(const Vec3& a, const Vec3& b, Mat3& M) {
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) M(i, k) -= b[k] * a[i];
  }
}

// r̂ M without the zeros, and r̂ Mᵀ.
inline Mat3 cross_columns(const Vec3& r, const Mat3& M) {
  return columns(cross(r, column(M, 0)), cross(r, column(M, 1)), cross(r, column(M, 2)));
}
inline Mat3 cross_rows(const Vec3& r, const Mat3& M) {
  const auto row = [&](int k) { return Vec3(M(k, 0), M(k, 1), M(k, 2)); };
  return columns(cross(r, row(0)), cross(r, row(1)), cross(r, row(2)));
}

}  // namespace trunnion::solve::small
