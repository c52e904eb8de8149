#include "integrate/independent/adams_weights.hpp"

namespace trunnion::integrate {

namespace {

// Gauss and Legendre's seven points on 0 … 1: exact up to degree 13.
struct Gauss {
  static constexpr int kPoints = 7;
  double x[kPoints], w[kPoints];
  constexpr Gauss() : x{}, w{} {
    constexpr double kFrom[4] = {0.0, 0.405845151377397166906606412076961,
                                 0.741531185599394439863864773280788, 0.949107912342758524526189684047851};
    constexpr double kWeight[4] = {0.417959183673469387755102040816327, 0.381830050505118944950369775488975,
                                   0.279705391489276667901467771423780, 0.129484966168869693270611432679082};
    for (int k = 0; k < 4; ++k) {
      x[3 + k] = (1 + kFrom[k]) / 2;
      x[3 - k] = (1 - kFrom[k]) / 2;
      w[3 + k] = w[3 - k] = kWeight[k] / 2;
    }
  }
};
constexpr Gauss kGauss;

}  // namespace

void lagrange_integrals(const double* node, int count, double* weight) {
  for (int i = 0; i < count; ++i) {
    weight[i] = 0;
    for (int p = 0; p < Gauss::kPoints; ++p) {
      double l = kGauss.w[p];
      for (int j = 0; j < count; ++j) {
        if (j != i) l *= (kGauss.x[p] - node[j]) / (node[i] - node[j]);
      }
      weight[i] += l;
    }
  }
}

double product_integral(const double* node, int count) {
  double sum = 0;
  for (int p = 0; p < Gauss::kPoints; ++p) {
    double product = kGauss.w[p];
    for (int j = 0; j < count; ++j) product *= kGauss.x[p] - node[j];
    sum += product;
  }
  return sum;
}

void divided_difference(const double* node, int count, double* weight) {
  for (int i = 0; i < count; ++i) {
    double product = 1;
    for (int j = 0; j < count; ++j) {
      if (j != i) product *= node[i] - node[j];
    }
    weight[i] = 1 / product;
  }
}

}  // namespace trunnion::integrate
