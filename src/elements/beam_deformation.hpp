#pragma once
// Of elements/beam_element: strain, section forces and their tangent, over N = 2 or 3 nodes.

#include <array>
#include <cmath>

#include "elements/beam_element.hpp"

namespace trunnion::elements::beam {

using math::Mat3;
using math::Mat6;
using math::Vec3;
using math::Vec6;

// Forces on all nodes, and partials: places in ground axes, turns in the nodes' own.
template <int N> using Forces = Eigen::Matrix<double, 6 * N, 1>;
template <int N> using Partials = Eigen::Matrix<double, 6 * N, 6 * N>;

struct Node {
  const assembly::BodyMotion* body;
  Vec3 w, alpha;  // in the node's axes
  Vec6 twist;     // Rᵀẋ, ω
};
template <int N> using Nodes = std::array<Node, N>;

inline Node node_of(const assembly::Evaluation& at, assembly::BlockId id) {
  Node n;
  n.body = &at.kinematics.body(id);
  const Mat3 R_t = n.body->R.transpose();
  n.w = R_t * n.body->w;
  n.alpha = R_t * n.body->alpha;
  n.twist << R_t * n.body->v, n.w;
  return n;
}

template <int N> Nodes<N> nodes_of(const BeamElement& beam, const assembly::Evaluation& at) {
  Nodes<N> nodes;
  for (std::size_t n = 0; n < N; ++n) nodes[n] = node_of(at, beam.nodes[n]);
  return nodes;
}

// e_g = Σ_i share_gi ε_i + bracket [ε₁, ε₂] − e₀; all over lengths.
template <int N> struct Rule {
  static constexpr std::size_t kSegments = N - 1;
  double weight;  // length of the axis that a point stands for
  std::array<std::array<double, kSegments>, kSegments> share;
  double bracket;
};

template <int N> Rule<N> rule_of(double length) {
  Rule<N> r{};
  if constexpr (N == 2) {
    r.weight = length;
    r.share[0][0] = 1.0 / length;
  } else {
    constexpr double kOff = 0.57735026918962576451;  // 1/√3
    const double l = 0.5 * length;
    r.weight = l;
    r.share[0] = {(0.5 + kOff) / l, (0.5 - kOff) / l};
    r.share[1] = {(0.5 - kOff) / l, (0.5 + kOff) / l};
    r.bracket = -1.0 / (12.0 * l);
  }
  return r;
}

// The bracket of twists: ad(x) y = [x, y].
inline Mat6 ad(const Vec6& x) {
  Mat6 m = Mat6::Zero();
  m.topLeftCorner<3, 3>() = m.bottomRightCorner<3, 3>() = math::hat(Vec3(x.tail<3>()));
  m.topRightCorner<3, 3>() = math::hat(Vec3(x.head<3>()));
  return m;
}
inline Vec6 bracket(const Vec6& x, const Vec6& y) {
  const Vec3 u = x.head<3>(), phi = x.tail<3>(), v = y.head<3>(), psi = y.tail<3>();
  Vec6 out;
  out << phi.cross(v) + u.cross(psi), phi.cross(psi);
  return out;
}
// ad(x)ᵀ w, and its partials by x.
inline Vec6 ad_transposed(const Vec6& x, const Vec6& w) {
  const Vec3 u = x.head<3>(), phi = x.tail<3>(), n = w.head<3>(), m = w.tail<3>();
  Vec6 out;
  out << n.cross(phi), n.cross(u) + m.cross(phi);
  return out;
}
inline Mat6 ad_transposed_by_x(const Vec6& w) {
  Mat6 q = Mat6::Zero();
  q.topRightCorner<3, 3>() = q.bottomLeftCorner<3, 3>() = math::hat(Vec3(w.head<3>()));
  q.bottomRightCorner<3, 3>() = math::hat(Vec3(w.tail<3>()));
  return q;
}

inline Vec6 relative(const Node& a, const Node& b) {
  const Mat3 R_t = a.body->R.transpose();
  return math::se3_log(R_t * (b.body->x - a.body->x), math::Quat(Mat3(R_t * b.body->R)));
}

// S(−ε) of S(ε).
inline Mat6 blocks_transposed(const Mat6& S) {
  Mat6 out;
  out << S.topLeftCorner<3, 3>().transpose(), S.topRightCorner<3, 3>().transpose(), Mat3::Zero(),
      S.bottomRightCorner<3, 3>().transpose();
  return out;
}

// Strain at point g where `of` are the ε (or, with the bracket's own rates, their rates).
template <int N> Vec6 strain_at(const Rule<N>& rule, std::size_t g, const std::array<Vec6, N - 1>& epsilon) {
  Vec6 e = rule.share[g][0] * epsilon[0];
  if constexpr (N == 3) e += rule.share[g][1] * epsilon[1] + rule.bracket * bracket(epsilon[0], epsilon[1]);
  return e;
}

template <int N> struct Deformed {
  static constexpr std::size_t kSegments = N - 1;
  Rule<N> rule;
  std::array<Vec6, kSegments> epsilon, rate;           // ε, ε̇
  std::array<std::array<Mat6, 2>, kSegments> S;        // δε_i = S_i0 y_i + S_i1 y_i+1
  std::array<Vec6, kSegments> strain, strain_rate, w;  // at the points
  std::array<Vec6, kSegments> W;                       // work by ε
  std::array<Vec6, N> f;                               // on the nodes, in their axes
};

template <int N> Deformed<N> deform(const BeamElement& beam, const Nodes<N>& nodes) {
  Deformed<N> d;
  d.rule = rule_of<N>(beam.length);
  const Rule<N>& rule = d.rule;
  const bool damped = beam.damped();
  for (std::size_t i = 0; i < N - 1; ++i) {
    d.epsilon[i] = relative(nodes[i], nodes[i + 1]);
    d.S[i][1] = math::se3_log_rate(d.epsilon[i]);
    d.S[i][0] = -blocks_transposed(d.S[i][1]);
    d.rate[i].setZero();  // of an undamped one nobody asks
    if (damped) d.rate[i] = d.S[i][0] * nodes[i].twist + d.S[i][1] * nodes[i + 1].twist;
  }
  Vec6 sum = Vec6::Zero();
  for (std::size_t g = 0; g < N - 1; ++g) {
    const BeamPoint& p = beam.points[g];
    d.strain[g] = strain_at<N>(rule, g, d.epsilon) - p.reference;
    d.strain_rate[g] = rule.share[g][0] * d.rate[0];
    if constexpr (N == 3)
      d.strain_rate[g] += rule.share[g][1] * d.rate[1] + rule.bracket * (bracket(d.rate[0], d.epsilon[1]) +
                                                                         bracket(d.epsilon[0], d.rate[1]));
    d.w[g] = p.K * d.strain[g];
    if (damped) d.w[g] += p.C * d.strain_rate[g];
    sum += d.w[g];
  }
  for (std::size_t i = 0; i < N - 1; ++i) {
    d.W[i].setZero();
    for (std::size_t g = 0; g < N - 1; ++g) d.W[i] += rule.share[g][i] * d.w[g];
  }
  if constexpr (N == 3) {
    d.W[0] -= rule.bracket * ad_transposed(d.epsilon[1], sum);
    d.W[1] += rule.bracket * ad_transposed(d.epsilon[0], sum);
  }
  for (Vec6& f : d.f) f.setZero();
  for (std::size_t i = 0; i < N - 1; ++i) {
    d.W[i] *= rule.weight;
    for (std::size_t side = 0; side < 2; ++side) d.f[i + side] += d.S[i][side].transpose() * d.W[i];
  }
  return d;
}

// ∂e_g/∂ε_i, the part that differs from point to point left to `share`.
template <int N> std::array<Mat6, N - 1> bracket_partials(const Deformed<N>& d) {
  std::array<Mat6, N - 1> A;
  if constexpr (N == 2) A[0].setZero();
  else A = {Mat6(-d.rule.bracket * ad(d.epsilon[1])), Mat6(d.rule.bracket * ad(d.epsilon[0]))};
  return A;
}

// Over ε: Σ_g weight (∂e_g/∂ε_i)ᵀ B_g (∂e_g/∂ε_j), B the stiffness or the damping.
template <int N> using OverSegments = std::array<std::array<Mat6, N - 1>, N - 1>;

template <int N>
OverSegments<N> congruent(const BeamElement& beam, const Deformed<N>& d, const Mat6 BeamPoint::*B) {
  OverSegments<N> H;
  if constexpr (N == 2) {
    H[0][0] = (beam.points[0].*B) / beam.length;
  } else {
    const std::array<Mat6, 2> A = bracket_partials<N>(d);
    for (auto& row : H)
      for (Mat6& m : row) m.setZero();
    for (std::size_t g = 0; g < 2; ++g) {
      std::array<Mat6, 2> G;
      for (std::size_t i = 0; i < 2; ++i) {
        G[i] = A[i];
        G[i].diagonal().array() += d.rule.share[g][i];
      }
      for (std::size_t j = 0; j < 2; ++j) {
        const Mat6 BG = d.rule.weight * (beam.points[g].*B) * G[j];
        for (std::size_t i = 0; i < 2; ++i) H[i][j].noalias() += G[i].transpose() * BG;
      }
    }
  }
  return H;
}

inline Vec6 swapped(const Vec6& y) {
  Vec6 s;
  s << y.tail<3>(), y.head<3>();
  return s;
}
inline Mat6 rows_swapped(const Mat6& m) {
  Mat6 s;
  s << m.bottomRows<3>(), m.topRows<3>();
  return s;
}

// From the axes of nodes i and j to ground for places, δ(R f) left out.
template <int N>
void add_to_ground(const Nodes<N>& nodes, std::size_t i, std::size_t j, const Mat6& block, Partials<N>& out) {
  const Mat3 &R_i = nodes[i].body->R, &R_j = nodes[j].body->R;
  auto to = out.template block<6, 6>(6 * static_cast<int>(i), 6 * static_cast<int>(j));
  to.template topLeftCorner<3, 3>() += R_i * block.topLeftCorner<3, 3>() * R_j.transpose();
  to.template topRightCorner<3, 3>() += R_i * block.topRightCorner<3, 3>();
  to.template bottomLeftCorner<3, 3>() += block.bottomLeftCorner<3, 3>() * R_j.transpose();
  to.template bottomRightCorner<3, 3>() += block.bottomRightCorner<3, 3>();
}

// ∂ of the work W by ε that damping adds, beside what the nodes' twists add.
template <int N>
void add_damping_by_strain(const BeamElement& beam, const Nodes<N>& nodes, const Deformed<N>& d,
                           const OverSegments<N>& C, OverSegments<N>& H) {
  for (std::size_t j = 0; j < N - 1; ++j) {
    const Mat6 turning = math::se3_log_rate_derivative(d.epsilon[j], nodes[j + 1].twist) +
                         math::se3_log_rate_derivative(-d.epsilon[j], nodes[j].twist);
    for (std::size_t i = 0; i < N - 1; ++i) H[i][j] += C[i][j] * turning;
  }
  if constexpr (N == 3) {
    // The bracket's rate: [δε₁, ε̇₂] + [ε̇₁, δε₂].
    const std::array<Mat6, 2> A = bracket_partials<N>(d);
    const std::array<Mat6, 2> Z = {Mat6(-d.rule.bracket * ad(d.rate[1])),
                                   Mat6(d.rule.bracket * ad(d.rate[0]))};
    for (std::size_t g = 0; g < 2; ++g) {
      for (std::size_t j = 0; j < 2; ++j) {
        const Mat6 CZ = d.rule.weight * beam.points[g].C * Z[j];
        for (std::size_t i = 0; i < 2; ++i) H[i][j] += A[i].transpose() * CZ + d.rule.share[g][i] * CZ;
      }
    }
  }
}

// ∂ of the elastic and damping forces by q.
template <int N>
void add_stiffness(const BeamElement& beam, const Nodes<N>& nodes, const Deformed<N>& d, Partials<N>& out) {
  OverSegments<N> H = congruent<N>(beam, d, &BeamPoint::K), C;
  const bool damped = beam.damped();
  if (damped) {
    C = congruent<N>(beam, d, &BeamPoint::C);
    add_damping_by_strain<N>(beam, nodes, d, C, H);
  }
  if constexpr (N == 3) {
    const Mat6 Q = (d.rule.weight * d.rule.bracket) * ad_transposed_by_x(d.w[0] + d.w[1]);
    H[0][1] -= Q;
    H[1][0] += Q;
  }
  for (std::size_t j = 0; j < N - 1; ++j) {
    // S(ε)ᵀ w = X S(−ε) X w, X the swap of translation and rotation: the derivative of one serves the other.
    const Vec6 w = swapped(d.W[j]);
    const std::array<Mat6, 2> D = {rows_swapped(-math::se3_log_rate_derivative(d.epsilon[j], w)),
                                   rows_swapped(-math::se3_log_rate_derivative(-d.epsilon[j], w))};
    for (std::size_t to = 0; to < 2; ++to) {
      const std::size_t m = j + to;  // the node that moves
      const Mat6& S = d.S[j][to];
      for (std::size_t i = 0; i < N - 1; ++i) {
        Mat6 W_by = H[i][j] * S;
        if (damped)
          W_by.template rightCols<3>() +=
              C[i][j] * S.leftCols<3>() * math::hat(Vec3(nodes[m].twist.template head<3>()));
        for (std::size_t side = 0; side < 2; ++side) {
          Mat6 block = d.S[i][side].transpose() * W_by;
          if (i == j) block += D[side] * S;
          add_to_ground<N>(nodes, i + side, m, block, out);
        }
      }
    }
  }
  for (std::size_t n = 0; n < N; ++n) {
    const int o = 6 * static_cast<int>(n);
    out.template block<3, 3>(o, o + 3) -= nodes[n].body->R * math::hat(Vec3(d.f[n].template head<3>()));
  }
}

template <int N>
void add_damping(const BeamElement& beam, const Nodes<N>& nodes, const Deformed<N>& d, Partials<N>& out) {
  const OverSegments<N> C = congruent<N>(beam, d, &BeamPoint::C);
  for (std::size_t j = 0; j < N - 1; ++j) {
    for (std::size_t to = 0; to < 2; ++to) {
      for (std::size_t i = 0; i < N - 1; ++i) {
        const Mat6 W_by = C[i][j] * d.S[j][to];
        for (std::size_t side = 0; side < 2; ++side)
          add_to_ground<N>(nodes, i + side, j + to, d.S[i][side].transpose() * W_by, out);
      }
    }
  }
}

}  // namespace trunnion::elements::beam
