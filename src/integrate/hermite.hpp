#pragma once
// The polynomial through values and slopes at `count` points, and its slope, at x, as weights of them (Hermite).

namespace trunnion::integrate {

// p(x) = Σ value[i] y(node[i]) + slope[i] ẏ(node[i])
inline void hermite_value(const double* node, int count, double x, double* value, double* slope) {
  for (int i = 0; i < count; ++i) {
    double l = 1, l_own = 0;  // the Lagrange polynomial of node i at x, and its slope at the node itself
    for (int j = 0; j < count; ++j) {
      if (j == i) continue;
      const double gap = node[i] - node[j];
      l *= (x - node[j]) / gap;
      l_own += 1 / gap;
    }
    const double from = x - node[i];
    value[i] = (1 - 2 * from * l_own) * l * l;
    slope[i] = from * l * l;
  }
}

// p'(x) = Σ value[i] y(node[i]) + slope[i] ẏ(node[i])
inline void hermite_slope(const double* node, int count, double x, double* value, double* slope) {
  for (int i = 0; i < count; ++i) {
    // l, the Lagrange polynomial of node i, with its slopes at x and at the node itself.
    double l = 1, l_x = 0, l_own = 0;
    for (int j = 0; j < count; ++j) {
      if (j == i) continue;
      const double gap = node[i] - node[j];
      l_x = l_x * (x - node[j]) / gap + l / gap;
      l *= (x - node[j]) / gap;
      l_own += 1 / gap;
    }
    const double from = x - node[i];
    value[i] = -2 * l_own * l * l + (1 - 2 * from * l_own) * 2 * l * l_x;
    slope[i] = l * l + from * 2 * l * l_x;
  }
}

}  // namespace trunnion::integrate
