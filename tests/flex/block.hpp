#pragma once
// A box of eight-node bricks, assembled here: mass and stiffness that no other program had a hand in.

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "flex/fe_model.hpp"

namespace trunnion::flex {

struct Block {
  int nx = 4, ny = 1, nz = 1;
  double lx = 1.0, ly = 0.2, lz = 0.1;
  double E = 2.1e11, nu = 0.3, rho = 7850;
  Eigen::Vector3d corner{0.3, -0.1, 0.2};  // off the origin
  int first_id = 1, id_step = 1;
};

namespace block {

inline constexpr std::array<std::array<int, 3>, 8> kCorners{
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};

inline int node_at(const Block& b, int i, int j, int k) {
  return b.first_id + b.id_step * (i + (b.nx + 1) * (j + (b.ny + 1) * k));
}

// At a point of the unit cube: shape functions and their derivatives by x, y, z of a brick of these edges.
inline void shape(const Eigen::Vector3d& at, const Eigen::Vector3d& edges, Eigen::Matrix<double, 8, 1>& N,
                  Eigen::Matrix<double, 8, 3>& dN) {
  for (int c = 0; c < 8; ++c) {
    Eigen::Vector3d f, d;
    for (int a = 0; a < 3; ++a) {
      const bool far = kCorners[static_cast<std::size_t>(c)][static_cast<std::size_t>(a)] == 1;
      f[a] = far ? at[a] : 1 - at[a];
      d[a] = (far ? 1 : -1) / edges[a];
    }
    N[c] = f.prod();
    dN.row(c) << d[0] * f[1] * f[2], f[0] * d[1] * f[2], f[0] * f[1] * d[2];
  }
}

// Two points a direction: exact for the mass and the stiffness of a brick.
inline void each_point(const Eigen::Vector3d& edges,
                       const std::function<void(const Eigen::Vector3d&, double)>& visit) {
  const std::array<double, 2> at{0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)};
  for (const double x : at) {
    for (const double y : at) {
      for (const double z : at) visit({x, y, z}, edges.prod() / 8);
    }
  }
}

inline Eigen::Matrix<double, 6, 6> hooke(const Block& b) {
  Eigen::Matrix<double, 6, 6> D = Eigen::Matrix<double, 6, 6>::Zero();
  D.topLeftCorner<3, 3>().setConstant(b.nu);
  D.topLeftCorner<3, 3>().diagonal().setConstant(1 - b.nu);
  D.bottomRightCorner<3, 3>().diagonal().setConstant((1 - 2 * b.nu) / 2);
  return D * b.E / ((1 + b.nu) * (1 - 2 * b.nu));
}

inline Eigen::Vector3d edges(const Block& b) { return {b.lx / b.nx, b.ly / b.ny, b.lz / b.nz}; }

}  // namespace block

inline FeModel make_block(const Block& b) {
  using namespace block;
  FeModel model;
  const Eigen::Vector3d edge = edges(b);
  for (int k = 0; k <= b.nz; ++k) {
    for (int j = 0; j <= b.ny; ++j) {
      for (int i = 0; i <= b.nx; ++i)
        model.nodes.push_back({node_at(b, i, j, k), b.corner + Eigen::Vector3d(i, j, k).cwiseProduct(edge)});
    }
  }
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    for (int d = 0; d < 3; ++d) model.dofs.push_back({static_cast<int>(n), d});
  }
  Eigen::Matrix<double, 24, 24> Ke = Eigen::Matrix<double, 24, 24>::Zero(), Me = Ke;
  each_point(edge, [&](const Eigen::Vector3d& at, double weight) {
    Eigen::Matrix<double, 8, 1> N;
    Eigen::Matrix<double, 8, 3> dN;
    shape(at, edge, N, dN);
    Eigen::Matrix<double, 6, 24> B = Eigen::Matrix<double, 6, 24>::Zero();
    Eigen::Matrix<double, 3, 24> H = Eigen::Matrix<double, 3, 24>::Zero();
    for (int c = 0; c < 8; ++c) {
      const double x = dN(c, 0), y = dN(c, 1), z = dN(c, 2);
      B.block<6, 3>(0, 3 * c) << x, 0, 0, 0, y, 0, 0, 0, z, y, x, 0, 0, z, y, z, 0, x;
      H.block<3, 3>(0, 3 * c).diagonal().setConstant(N[c]);
    }
    Ke += weight * B.transpose() * hooke(b) * B;
    Me += weight * b.rho * H.transpose() * H;
  });
  std::vector<Eigen::Triplet<double>> k_entries, m_entries;
  int element = 0;
  for (int k = 0; k < b.nz; ++k) {
    for (int j = 0; j < b.ny; ++j) {
      for (int i = 0; i < b.nx; ++i) {
        Element one{++element, "C3D8", {}};
        for (const auto& c : kCorners)
          one.nodes.push_back(model.find(node_at(b, i + c[0], j + c[1], k + c[2])));
        for (int r = 0; r < 24; ++r) {
          for (int c = 0; c < 24; ++c) {
            const int row = 3 * one.nodes[static_cast<std::size_t>(r / 3)] + r % 3;
            const int column = 3 * one.nodes[static_cast<std::size_t>(c / 3)] + c % 3;
            k_entries.emplace_back(row, column, Ke(r, c));
            m_entries.emplace_back(row, column, Me(r, c));
          }
        }
        model.elements.push_back(one);
      }
    }
  }
  model.K.resize(model.size(), model.size());
  model.M.resize(model.size(), model.size());
  model.K.setFromTriplets(k_entries.begin(), k_entries.end());
  model.M.setFromTriplets(m_entries.begin(), m_entries.end());
  for (const auto& [name, i] : {std::pair("LEFT", 0), std::pair("RIGHT", b.nx)}) {
    for (int k = 0; k <= b.nz; ++k) {
      for (int j = 0; j <= b.ny; ++j) model.sets[name].push_back(node_at(b, i, j, k));
    }
  }
  return model;
}

}  // namespace trunnion::flex
