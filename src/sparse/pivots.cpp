#include "sparse/pivots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trunnion::sparse {

namespace {

// f(row, value) for the entries of column c within [first, last].
template <class F>
void column(const std::vector<int>& start, const std::vector<int>& row, const std::vector<double>& value,
            int c, int first, int last, const F& f) {
  for (int k = start[static_cast<std::size_t>(c)]; k < start[static_cast<std::size_t>(c) + 1]; ++k) {
    const int r = row[static_cast<std::size_t>(k)];
    if (r >= first && r <= last) f(static_cast<std::size_t>(r), value[static_cast<std::size_t>(k)]);
  }
}

// Σ |x_p| r_p |y_q| over the entries of A, with r_p the scale of row p.
double entries(const Factors& f, const CscMatrix& A, int first, int k, const std::vector<double>& x,
               const std::vector<double>& y) {
  std::vector<double> largest(f.rows.size(), 0.0), weight(f.rows.size(), 0.0);
  for (std::size_t e = 0; e < A.row.size(); ++e) {
    double& most = largest[static_cast<std::size_t>(A.row[e])];
    most = std::max(most, std::abs(A.value[e]));
  }
  for (int p = first; p <= k; ++p) {
    const auto row = static_cast<std::size_t>(f.rows[static_cast<std::size_t>(p)]);
    if (largest[row] > 0) weight[row] = std::abs(x[static_cast<std::size_t>(p)]) / largest[row];
  }
  double sum = 0;
  for (int q = first; q <= k; ++q) {
    const double size = std::abs(y[static_cast<std::size_t>(q)]);
    if (size == 0) continue;
    column(A.start, A.row, A.value, f.cols[static_cast<std::size_t>(q)], 0, A.rows,
           [&](std::size_t row, double) { sum += weight[row] * size; });
  }
  return sum;
}

}  // namespace

double pivot_rounding(const Factors& f, const CscMatrix& A, int first, int k) {
  const auto n = static_cast<std::size_t>(k) + 1;
  std::vector<double> x(n, 0.0), y(n, 0.0), rest(n, 0.0), from_left(n, 0.0), from_right(n, 0.0);
  x[n - 1] = 1;
  for (int p = k - 1; p >= first; --p) {
    double sum = 0;
    column(f.l_start, f.l_row, f.l_value, p, p + 1, k, [&](std::size_t r, double l) { sum += x[r] * l; });
    x[static_cast<std::size_t>(p)] = -sum;
  }
  for (int q = k; q >= first; --q) {
    const auto at = static_cast<std::size_t>(q);
    double diagonal = 1;
    column(f.u_start, f.u_row, f.u_value, q, q, q, [&](std::size_t, double u) { diagonal = u; });
    y[at] = q == k ? 1.0 : -rest[at] / diagonal;
    if (y[at] == 0) continue;
    column(f.u_start, f.u_row, f.u_value, q, first, q, [&](std::size_t r, double u) {
      rest[r] += u * y[at];
      from_right[r] += std::abs(u * y[at]);
    });
  }
  double sum = 0;
  for (int i = first; i <= k; ++i) {
    const auto at = static_cast<std::size_t>(i);
    column(f.l_start, f.l_row, f.l_value, i, i, k,
           [&](std::size_t r, double l) { from_left[at] += std::abs(x[r] * l); });
    // Of pivot k itself only what was subtracted can have gone wrong.
    if (i < k) sum += from_left[at] * from_right[at];
  }
  return std::numeric_limits<double>::epsilon() * (sum + entries(f, A, first, k, x, y));
}

}  // namespace trunnion::sparse
