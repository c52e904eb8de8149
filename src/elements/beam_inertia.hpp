#pragma once
// Of elements/beam_element: inertia, weight and damping by mass over y = (x_n, R_n e₁ … e₃ of node after node), N = 2 or 3 nodes.

#include "elements/beam_deformation.hpp"

namespace trunnion::elements::beam {

constexpr int kOfNode = BeamElement::kOfNode;

// A vector for each entry of y, as columns: of each node its place and its three directors.
template <int N> using OverY = Eigen::Matrix<double, 3, kOfNode * N>;
template <int N> using Mass = Eigen::Matrix<double, kOfNode * N, kOfNode * N>;

template <int N> Eigen::Map<const Mass<N>> mass_of(const BeamElement& beam) {
  return Eigen::Map<const Mass<N>>(beam.M.data());
}

template <int N> OverY<N> rates(const Nodes<N>& nodes) {
  OverY<N> y;
  for (int n = 0; n < N; ++n) {
    const Node& node = nodes[static_cast<std::size_t>(n)];
    y.col(kOfNode * n) = node.body->v;
    y.template middleCols<3>(kOfNode * n + 1).noalias() = node.body->R * math::hat(node.w);
  }
  return y;
}

// D̈ = R Z, Z = α̂ + ω̂ω̂.
inline Mat3 director_acceleration(const Node& node) {
  const Mat3 W = math::hat(node.w);
  return math::hat(node.alpha) + W * W;
}

template <int N> OverY<N> accelerations(const Nodes<N>& nodes) {
  OverY<N> y;
  for (int n = 0; n < N; ++n) {
    const Node& node = nodes[static_cast<std::size_t>(n)];
    y.col(kOfNode * n) = node.body->a;
    y.template middleCols<3>(kOfNode * n + 1).noalias() = node.body->R * director_acceleration(node);
  }
  return y;
}

// Σ e_i × A e_i: the torque of forces A e_i on the directors.
template <class M> Vec3 torque_of(const M& A) {
  return {A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)};
}

// Forces on y as forces and torques on the nodes.
template <int N> Forces<N> on_nodes(const Nodes<N>& nodes, const OverY<N>& F) {
  Forces<N> r;
  for (int n = 0; n < N; ++n) {
    const Mat3 turned =
        nodes[static_cast<std::size_t>(n)].body->R.transpose() * F.template middleCols<3>(kOfNode * n + 1);
    r.template segment<3>(6 * n) = F.col(kOfNode * n);
    r.template segment<3>(6 * n + 3) = torque_of(turned);
  }
  return r;
}

// How the directors of a node move with its turns: δ(Rᵀ z) = Σ X_k δ_k, a column for each director.
using DirectorPartials = std::array<Mat3, 3>;

// Adds ∂ of Σ M_kl z_l at the nodes, where the z of places moves with them by `of_places` and that of directors by X.
template <int N>
void add_inertia(const Mass<N>& M, const Nodes<N>& nodes, double of_places,
                 const std::array<DirectorPartials, N>& X, Partials<N>& out) {
  for (int m = 0; m < N; ++m) {
    const auto mm = static_cast<std::size_t>(m);
    std::array<Mat3, 3> Y;
    for (std::size_t k = 0; k < 3; ++k) Y[k].noalias() = nodes[mm].body->R * X[mm][k];
    for (int n = 0; n < N; ++n) {
      const Mat3& R_n = nodes[static_cast<std::size_t>(n)].body->R;
      auto block = out.template block<6, 6>(6 * n, 6 * m);
      const int row = kOfNode * n, col = kOfNode * m;
      block.template topLeftCorner<3, 3>().diagonal().array() += of_places * M(row, col);
      if (of_places != 0) {
        const Vec3 q = of_places * M.template block<3, 1>(row + 1, col);
        block.template bottomLeftCorner<3, 3>() += math::hat(q) * R_n.transpose();
      }
      const Vec3 p = M.template block<1, 3>(row, col + 1).transpose();
      const Mat3 second = M.template block<3, 3>(row + 1, col + 1).transpose();
      for (int k = 0; k < 3; ++k) {
        const Mat3& Y_k = Y[static_cast<std::size_t>(k)];
        block.template block<3, 1>(0, 3 + k) += Y_k * p;
        const Mat3 forces = Y_k * second;
        block.template block<3, 1>(3, 3 + k) += torque_of(Mat3(R_n.transpose() * forces));
      }
    }
  }
}

// X_k = ê_k Z for directors R Z that turn with the node.
inline DirectorPartials turned_with(const Mat3& Z) {
  DirectorPartials X;
  for (std::size_t k = 0; k < 3; ++k) X[k].noalias() = math::hat(Vec3(Vec3::Unit(static_cast<int>(k)))) * Z;
  return X;
}

// ∂ of inertia, mass damping and weight by q; F are all forces on y.
template <int N>
void add_turning(const BeamElement& beam, const Nodes<N>& nodes, const OverY<N>& F, Partials<N>& out) {
  std::array<DirectorPartials, N> X;
  for (std::size_t n = 0; n < N; ++n)
    X[n] = turned_with(director_acceleration(nodes[n]) + beam.mass_damping * math::hat(nodes[n].w));
  add_inertia<N>(mass_of<N>(beam), nodes, 0.0, X, out);
  for (int n = 0; n < N; ++n) {
    // Σ ê_i ĝ_i = G − tr G, g_i the forces on the directors in the node's axes.
    const Mat3 G =
        nodes[static_cast<std::size_t>(n)].body->R.transpose() * F.template middleCols<3>(kOfNode * n + 1);
    auto block = out.template block<3, 3>(6 * n + 3, 6 * n + 3);
    block += G;
    block.diagonal().array() -= G.trace();
  }
}

// ∂ of inertia and of mass damping d by velocities.
template <int N>
void add_gyroscopic(const BeamElement& beam, const Nodes<N>& nodes, double d, Partials<N>& out) {
  std::array<DirectorPartials, N> X;
  for (std::size_t n = 0; n < N; ++n) {
    const Mat3 W = math::hat(nodes[n].w);
    for (std::size_t k = 0; k < 3; ++k) {
      const Mat3 E = math::hat(Vec3(Vec3::Unit(static_cast<int>(k))));
      X[n][k] = E * W + W * E + d * E;
    }
  }
  add_inertia<N>(mass_of<N>(beam), nodes, d, X, out);
}

template <int N> void add_mass(const BeamElement& beam, const Nodes<N>& nodes, Partials<N>& out) {
  std::array<DirectorPartials, N> X;
  X.fill(turned_with(Mat3::Identity()));
  add_inertia<N>(mass_of<N>(beam), nodes, 1.0, X, out);
}

}  // namespace trunnion::elements::beam
