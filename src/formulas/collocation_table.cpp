#include "formulas/collocation_table.hpp"

#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>

namespace trunnion::formulas {

namespace {

// Columns of T are taken so that the last stage has the coefficient 1 (real), 1 and 0 (pair).
void decompose(CollocationTable& table) {
  const int s = table.stages;
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(table.A.inverse());
  table.T.resize(s, s);
  int column = 0;
  for (int k = 0; k < s; ++k) {
    if (eigen.eigenvalues()[k].imag() != 0) continue;
    table.has_real = true;
    table.real = eigen.eigenvalues()[k].real();
    const Eigen::VectorXd v = eigen.eigenvectors().col(k).real();
    table.T.col(column++) = v / v[s - 1];
  }
  for (int k = 0; k < s; ++k) {
    if (eigen.eigenvalues()[k].imag() <= 0) continue;
    table.has_pair = true;
    table.pair = eigen.eigenvalues()[k];
    const Eigen::VectorXcd v = eigen.eigenvectors().col(k) / eigen.eigenvectors()(s - 1, k);
    table.T.col(column++) = v.real();
    table.T.col(column++) = v.imag();
  }
  table.T_inverse = table.T.inverse();
}

// With a given weight of ẏₙ, the weights of the stages' rates that have Σ b̂ cᵏ⁻¹ = 1/k up to the number of stages.
void embed(CollocationTable& table, double start) {
  const int s = table.stages;
  Eigen::MatrixXd moments(s, s);
  Eigen::VectorXd wanted(s);
  for (int k = 0; k < s; ++k) {
    moments.row(k) = table.c.array().pow(k).matrix().transpose();
    wanted[k] = 1.0 / (k + 1) - (k == 0 ? start : 0);
  }
  table.embedded = true;
  table.embedded_order = s;
  table.embedded_start = start;
  table.embedded_b = moments.fullPivLu().solve(wanted);
}

CollocationTable finished(CollocationTable table) {
  table.stages = int(table.c.size());
  if (table.start.size() == 0) table.start = Eigen::VectorXd::Zero(table.stages);
  if (table.stiffly_accurate) table.b = table.A.row(table.stages - 1);
  decompose(table);
  return table;
}

}  // namespace

CollocationTable radau_table(int stages) {
  CollocationTable table;
  table.order = table.linear_order = 2 * stages - 1;
  table.name = fmt::format("RADAU{}", table.order);
  if (stages == 2) {
    table.c = Eigen::Vector2d(1.0 / 3, 1);
    table.A.resize(2, 2);
    table.A << 5.0 / 12, -1.0 / 12, 3.0 / 4, 1.0 / 4;
  } else {
    const double r = std::sqrt(6.0);
    table.c = Eigen::Vector3d((4 - r) / 10, (4 + r) / 10, 1);
    table.A.resize(3, 3);
    table.A << (88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225,  //
        (296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225,         //
        (16 - r) / 36, (16 + r) / 36, 1.0 / 9;
  }
  table = finished(std::move(table));
  // E. Hairer, G. Wanner, Solving ODEs II, IV.8: the weight with which the real matrix is factorised; without one, the pair's size.
  embed(table, 1 / (table.has_real ? table.real : std::abs(table.pair)));
  return table;
}

CollocationTable gauss_table(int stages) {
  CollocationTable table;
  table.order = table.linear_order = 2 * stages;
  table.name = fmt::format("GAUSS{}", table.order);
  table.rho = 1;
  table.stiffly_accurate = false;
  if (stages == 1) {
    table.c = Eigen::VectorXd::Constant(1, 0.5);
    table.A = Eigen::MatrixXd::Constant(1, 1, 0.5);
    table.b = Eigen::VectorXd::Constant(1, 1);
  } else {
    const double r = std::sqrt(3.0) / 6;
    table.c = Eigen::Vector2d(0.5 - r, 0.5 + r);
    table.A.resize(2, 2);
    table.A << 0.25, 0.25 - r, 0.25 + r, 0.25;
    table.b = Eigen::Vector2d(0.5, 0.5);
  }
  return finished(std::move(table));
}

CollocationTable energy_decaying_table(double rho) {
  const double alpha = (1 - rho) / (1 + rho);
  CollocationTable table;
  table.name = "ENERGY_DECAYING";
  table.order = 2;
  table.linear_order = 3;
  table.rho = rho;
  table.c = Eigen::Vector2d(0, 1);
  table.A.resize(2, 2);
  table.A << alpha / 6, -1.0 / 6, 0.5, 0.5;
  table.start = Eigen::Vector2d((1 - alpha) / 6, 0);
  return finished(std::move(table));
}

}  // namespace trunnion::formulas
