#include "elements/beam_element.hpp"

#include <array>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "assembly/chart.hpp"

namespace trunnion::elements {

using assembly::Level;
using assembly::Term;
using math::hat;
using math::Mat3;
using math::Mat6;
using math::Vec3;
using math::Vec6;
using Vec8 = BeamElement::Vec8;
using Mat8 = BeamElement::Mat8;

namespace {

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;
constexpr int kDirectors = 3;
constexpr int kOfNode = 1 + kDirectors;  // entries of y that belong to one node

// Gauss' points of order 6 on 0 … 1.
constexpr std::array<double, 3> kPlaces = {0.1127016653792583, 0.5, 0.8872983346207417};
constexpr std::array<double, 3> kShares = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

// Over y, the place of a point of the axis and the three directors of its section.
using Shapes = Eigen::Matrix<double, 8, kOfNode>;

Shapes shapes(double xi, double length, const Vec3& tangent) {
  Shapes N = Shapes::Zero();
  const double bow = 0.5 * length * (xi - xi * xi);
  N(0, 0) = 1.0 - xi;
  N(kOfNode, 0) = xi;
  for (int i = 0; i < kDirectors; ++i) {
    N(1 + i, 0) = bow * tangent[i];
    N(kOfNode + 1 + i, 0) = -bow * tangent[i];
    N(1 + i, 1 + i) = 1.0 - xi;
    N(kOfNode + 1 + i, 1 + i) = xi;
  }
  return N;
}

// What is no motion as a whole: stretch and shear of the axis, and the turn of one section against the other.
Shapes strains(double length, const Vec3& tangent) {
  Shapes N = Shapes::Zero();
  N(0, 0) = -1.0;
  N(kOfNode, 0) = 1.0;
  for (int i = 0; i < kDirectors; ++i) {
    N(1 + i, 0) = N(kOfNode + 1 + i, 0) = -0.5 * length * tangent[i];
    N(1 + i, 1 + i) = -1.0;
    N(kOfNode + 1 + i, 1 + i) = 1.0;
  }
  return N;
}

// ∫ρ of a point x + Σ r_i D_i: over x and the directors.
Eigen::Matrix4d section_mass(const BeamCrossSection& s) {
  Eigen::Matrix4d m;
  m << s.mass, s.moment.transpose(), s.moment, s.second;
  return m;
}

void set_mass(BeamElement& beam, const BeamCrossSection& at_a, const BeamCrossSection& at_b, const Vec3& t) {
  const double L = beam.length;
  Eigen::Matrix4d mean = Eigen::Matrix4d::Zero();
  for (std::size_t g = 0; g < kPlaces.size(); ++g) {
    const Eigen::Matrix4d m = L * kShares[g] * section_mass(between(at_a, at_b, kPlaces[g]));
    const Shapes N = shapes(kPlaces[g], L, t);
    beam.M += N * m * N.transpose();
    beam.first += N * m.col(0);
    mean += m;
  }
  const Shapes N = strains(L, t);
  beam.M += N * (mean / 12.0) * N.transpose();
}

void set_stiffness(BeamElement& beam, const BeamCrossSection& at_a, const BeamCrossSection& at_b,
                   const Vec3& t) {
  Mat6 flexibility = Mat6::Zero();
  for (std::size_t g = 0; g < kPlaces.size(); ++g) {
    Mat6 A = Mat6::Identity();  // m(s) = m − s t × n
    A.bottomLeftCorner<3, 3>() = -(kPlaces[g] - 0.5) * beam.length * hat(t);
    flexibility += kShares[g] * A.transpose() * between(at_a, at_b, kPlaces[g]).K.inverse() * A;
  }
  const Mat6 K = flexibility.inverse();
  beam.K = 0.5 * (K + K.transpose());
}

struct Node {
  const assembly::BodyMotion* body;
  Vec3 w, alpha;  // in the node's axes
  Vec6 twist;     // Rᵀẋ, ω
};

Node node_of(const assembly::Evaluation& at, assembly::BlockId id) {
  Node n;
  n.body = &at.kinematics.body(id);
  const Mat3 R_t = n.body->R.transpose();
  n.w = R_t * n.body->w;
  n.alpha = R_t * n.body->alpha;
  n.twist << R_t * n.body->v, n.w;
  return n;
}

// The element's deformation at one state.
struct Deformed {
  Vec6 epsilon, rate;     // ε, ε̇
  std::array<Mat6, 2> S;  // δε = Σ S_i y_i
  Vec6 wrench;            // w
  std::array<Vec6, 2> f;  // on the nodes, in their axes
};

Vec6 relative(const Node& a, const Node& b) {
  const Mat3 R_t = a.body->R.transpose();
  return math::se3_log(R_t * (b.body->x - a.body->x), math::Quat(Mat3(R_t * b.body->R)));
}

Deformed deform(const BeamElement& beam, const Node& a, const Node& b) {
  Deformed d;
  d.epsilon = relative(a, b);
  d.S = {Mat6(-math::se3_log_rate(-d.epsilon)), math::se3_log_rate(d.epsilon)};
  d.rate = d.S[0] * a.twist + d.S[1] * b.twist;
  d.wrench = beam.K * (d.epsilon / beam.length - beam.reference) + beam.C * d.rate / beam.length;
  for (std::size_t i = 0; i < 2; ++i) d.f[i] = d.S[i].transpose() * d.wrench;
  return d;
}

Vec6 swapped(const Vec6& y) {
  Vec6 s;
  s << y.tail<3>(), y.head<3>();
  return s;
}
Mat6 rows_swapped(const Mat6& m) {
  Mat6 s;
  s << m.bottomRows<3>(), m.topRows<3>();
  return s;
}

// From the axes of nodes i and j to ground for places, δ(R f) left out.
void add_to_ground(const Mat3& R_i, const Mat3& R_j, const Mat6& block, Mat12& out, int i, int j) {
  auto to = out.block<6, 6>(6 * i, 6 * j);
  to.topLeftCorner<3, 3>() += R_i * block.topLeftCorner<3, 3>() * R_j.transpose();
  to.topRightCorner<3, 3>() += R_i * block.topRightCorner<3, 3>();
  to.bottomLeftCorner<3, 3>() += block.bottomLeftCorner<3, 3>() * R_j.transpose();
  to.bottomRightCorner<3, 3>() += block.bottomRightCorner<3, 3>();
}

// ∂ of the elastic and damping forces by q.
void add_stiffness(const BeamElement& beam, const std::array<Node, 2>& nodes, const Deformed& d, Mat12& out) {
  const Mat6 K = beam.K / beam.length;
  const Mat6 C = beam.C / beam.length;
  const bool damped = beam.damped();
  Mat6 W = K;
  if (damped) {
    const Mat6 turning = math::se3_log_rate_derivative(d.epsilon, nodes[1].twist) +
                         math::se3_log_rate_derivative(-d.epsilon, nodes[0].twist);
    W += C * turning;
  }
  // S(ε)ᵀ w = X S(−ε) X w, X the swap of translation and rotation: the derivative of one serves the other.
  const Vec6 w = swapped(d.wrench);
  const std::array<Mat6, 2> D = {rows_swapped(-math::se3_log_rate_derivative(d.epsilon, w)),
                                 rows_swapped(-math::se3_log_rate_derivative(-d.epsilon, w))};
  for (std::size_t j = 0; j < 2; ++j) {
    const Mat3& R_j = nodes[j].body->R;
    Mat6 w_by = W * d.S[j];
    if (damped) w_by.rightCols<3>() += C * d.S[j].leftCols<3>() * hat(Vec3(nodes[j].twist.head<3>()));
    for (std::size_t i = 0; i < 2; ++i) {
      const Mat6 block = d.S[i].transpose() * w_by + D[i] * d.S[j];
      add_to_ground(nodes[i].body->R, R_j, block, out, static_cast<int>(i), static_cast<int>(j));
    }
    const int o = 6 * static_cast<int>(j);
    out.block<3, 3>(o, o + 3) -= R_j * hat(Vec3(d.f[j].head<3>()));
  }
}

void add_damping(const BeamElement& beam, const std::array<Node, 2>& nodes, const Deformed& d, Mat12& out) {
  const Mat6 C = beam.C / beam.length;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j)
      add_to_ground(nodes[i].body->R, nodes[j].body->R, d.S[i].transpose() * C * d.S[j], out,
                    static_cast<int>(i), static_cast<int>(j));
  }
}

using Points = std::array<Vec3, 8>;  // over y

Points rates(const std::array<Node, 2>& nodes) {
  Points y;
  for (std::size_t n = 0; n < 2; ++n) {
    y[kOfNode * n] = nodes[n].body->v;
    for (std::size_t i = 0; i < kDirectors; ++i)
      y[kOfNode * n + 1 + i] = nodes[n].body->R * nodes[n].w.cross(Vec3::Unit(static_cast<int>(i)));
  }
  return y;
}

Points accelerations(const std::array<Node, 2>& nodes) {
  Points y;
  for (std::size_t n = 0; n < 2; ++n) {
    const Vec3& w = nodes[n].w;
    y[kOfNode * n] = nodes[n].body->a;
    for (std::size_t i = 0; i < kDirectors; ++i) {
      const Vec3 e = Vec3::Unit(static_cast<int>(i));
      y[kOfNode * n + 1 + i] = nodes[n].body->R * (nodes[n].alpha.cross(e) + w.cross(w.cross(e)));
    }
  }
  return y;
}

Points weighed(const Mat8& M, const Points& y) {
  Points F;
  for (int k = 0; k < 8; ++k) {
    Vec3 sum = Vec3::Zero();
    for (int l = 0; l < 8; ++l) sum += M(k, l) * y[static_cast<std::size_t>(l)];
    F[static_cast<std::size_t>(k)] = sum;
  }
  return F;
}

// Forces on y as forces and torques on the nodes.
Vec12 on_nodes(const std::array<Node, 2>& nodes, const Points& F) {
  Vec12 r;
  for (std::size_t n = 0; n < 2; ++n) {
    Vec3 torque = Vec3::Zero();
    for (std::size_t i = 0; i < kDirectors; ++i)
      torque += Vec3::Unit(static_cast<int>(i)).cross(nodes[n].body->R.transpose() * F[kOfNode * n + 1 + i]);
    r.segment<3>(6 * static_cast<int>(n)) = F[kOfNode * n];
    r.segment<3>(6 * static_cast<int>(n) + 3) = torque;
  }
  return r;
}

// How the directors of both nodes move with their turns, in the node's axes: δ(Rᵀÿ_i) = X_i δ.
using DirectorPartials = std::array<std::array<Mat3, kDirectors>, 2>;

// Adds ∂ of Σ M_kl z_l at the nodes, where the z of places moves with them by `of_places` and that of directors by X.
void add_inertia(const Mat8& M, const std::array<Node, 2>& nodes, double of_places, const DirectorPartials& X,
                 Mat12& out) {
  for (int m = 0; m < 2; ++m) {
    const Mat3& R_m = nodes[static_cast<std::size_t>(m)].body->R;
    std::array<Mat3, kDirectors> Y;
    for (std::size_t j = 0; j < kDirectors; ++j) Y[j] = R_m * X[static_cast<std::size_t>(m)][j];
    for (int n = 0; n < 2; ++n) {
      const Mat3& R_n = nodes[static_cast<std::size_t>(n)].body->R;
      auto block = out.block<6, 6>(6 * n, 6 * m);
      const int k = kOfNode * n, l = kOfNode * m;
      block.topLeftCorner<3, 3>().diagonal().array() += of_places * M(k, l);
      for (int j = 0; j < kDirectors; ++j) {
        if (M(k, l + 1 + j) != 0)
          block.topRightCorner<3, 3>() += M(k, l + 1 + j) * Y[static_cast<std::size_t>(j)];
      }
      for (int i = 0; i < kDirectors; ++i) {
        const Vec3 e = Vec3::Unit(i);
        if (of_places != 0 && M(k + 1 + i, l) != 0)
          block.bottomLeftCorner<3, 3>() += (of_places * M(k + 1 + i, l)) * hat(e) * R_n.transpose();
        Mat3 sum = Mat3::Zero();
        for (int j = 0; j < kDirectors; ++j) {
          if (M(k + 1 + i, l + 1 + j) != 0) sum += M(k + 1 + i, l + 1 + j) * Y[static_cast<std::size_t>(j)];
        }
        block.bottomRightCorner<3, 3>() += hat(e) * (R_n.transpose() * sum);
      }
    }
  }
}

template <class F> DirectorPartials director_partials(const std::array<Node, 2>& nodes, const F& of) {
  DirectorPartials X;
  for (std::size_t n = 0; n < 2; ++n) {
    for (std::size_t i = 0; i < kDirectors; ++i)
      X[n][i] = of(nodes[n], Vec3(Vec3::Unit(static_cast<int>(i))));
  }
  return X;
}

// ∂ of inertia, mass damping and weight by q; F are all forces on y.
void add_turning(const BeamElement& beam, const std::array<Node, 2>& nodes, const Points& F, Mat12& out) {
  const double d = beam.mass_damping;
  add_inertia(beam.M, nodes, 0.0,
              director_partials(
                  nodes,
                  [d](const Node& n, const Vec3& e) {
                    return Mat3(-hat(Vec3(n.alpha.cross(e) + n.w.cross(n.w.cross(e)) + d * n.w.cross(e))));
                  }),
              out);
  for (std::size_t n = 0; n < 2; ++n) {
    const int o = 6 * static_cast<int>(n) + 3;
    for (std::size_t i = 0; i < kDirectors; ++i)
      out.block<3, 3>(o, o) += hat(Vec3(Vec3::Unit(static_cast<int>(i)))) *
                               hat(Vec3(nodes[n].body->R.transpose() * F[kOfNode * n + 1 + i]));
  }
}

// ∂ of inertia and of mass damping d by velocities.
void add_gyroscopic(const Mat8& M, const std::array<Node, 2>& nodes, double d, Mat12& out) {
  add_inertia(M, nodes, d,
              director_partials(nodes,
                                [d](const Node& n, const Vec3& e) {
                                  return Mat3(-hat(Vec3(n.w.cross(e))) - hat(n.w) * hat(e) - d * hat(e));
                                }),
              out);
}

// Emits over the unknowns the nodes have: all six, or a planar node's three.
class Emitter {
 public:
  Emitter(const BeamElement& beam, const assembly::Evaluation& at, assembly::Sink& sink)
      : sink_(sink), blocks_{beam.a, beam.b} {
    for (std::size_t n = 0; n < 2; ++n) {
      const assembly::Block& block = at.layout().block(blocks_[n]);
      full_[n] = block.rotation >= 0;
      if (!full_[n]) maps_[n] = assembly::twist_map(at.layout(), block);
    }
  }
  void residual(Term term, const Vec12& r) {
    for (std::size_t n = 0; n < 2; ++n) {
      const Vec6 part = r.segment<6>(6 * static_cast<int>(n));
      if (full_[n]) {
        sink_.residual(blocks_[n], term, part);
        continue;
      }
      const Vec3 reduced = maps_[n].transpose() * part;
      sink_.residual(blocks_[n], term, reduced);
    }
  }
  void partial(Level level, const Mat12& m) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        const Mat6 part = m.block<6, 6>(6 * static_cast<int>(i), 6 * static_cast<int>(j));
        if (full_[i] && full_[j]) {
          sink_.partial(blocks_[i], blocks_[j], level, part);
          continue;
        }
        Small left = part, both;
        if (!full_[i]) left = maps_[i].transpose() * part;
        both = left;
        if (!full_[j]) both = left * maps_[j];
        sink_.partial(blocks_[i], blocks_[j], level, both);
      }
    }
  }

 private:
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
  assembly::Sink& sink_;
  std::array<assembly::BlockId, 2> blocks_;
  std::array<bool, 2> full_{};
  std::array<assembly::TwistMap, 2> maps_;
};

// Where the logarithm is about to change sides the element stands for nothing: the mesh is too coarse.
void tell_turn(const BeamElement& beam, double turn, double t) {
  constexpr double kNearHalfTurn = 0.95 * M_PI;
  if (turn < kNearHalfTurn || !beam.troubles) return;
  beam.troubles->add(
      fmt::format("{} at t = {:.9g}: one node is turned against the next by {:.0f} degrees, and an element "
                  "bends and twists by less "
                  "than 180; try more nodes, or a larger SUBDIVIDE",
                  beam.owner, t, turn * 180.0 / M_PI));
}

}  // namespace

BeamCrossSection between(const BeamCrossSection& a, const BeamCrossSection& b, double xi) {
  BeamCrossSection s;
  s.K = (1.0 - xi) * a.K + xi * b.K;
  s.C = (1.0 - xi) * a.C + xi * b.C;
  s.mass = (1.0 - xi) * a.mass + xi * b.mass;
  s.moment = (1.0 - xi) * a.moment + xi * b.moment;
  s.second = (1.0 - xi) * a.second + xi * b.second;
  return s;
}

BeamElement make_beam_element(const assembly::Pose& a, const assembly::Pose& b, const BeamCrossSection& at_a,
                              const BeamCrossSection& at_b, double ratio) {
  BeamElement beam;
  const Vec6 epsilon = math::se3_log(a.R.conjugate() * (b.x - a.x), a.R.conjugate() * b.R);
  beam.length = epsilon.head<3>().norm();
  beam.reference = epsilon / beam.length;
  const Vec3 tangent = beam.reference.head<3>();
  set_stiffness(beam, at_a, at_b, tangent);
  beam.C = ratio * beam.K + 0.5 * (at_a.C + at_b.C);
  set_mass(beam, at_a, at_b, tangent);
  return beam;
}

void evaluate(const BeamElement& beam, const assembly::Evaluation& at, assembly::Sink& sink) {
  const assembly::Needs needs = sink.needs();
  if (!needs.residual && !needs.partials()) return;
  const std::array<Node, 2> nodes = {node_of(at, beam.a), node_of(at, beam.b)};
  const Deformed d = deform(beam, nodes[0], nodes[1]);
  tell_turn(beam, d.epsilon.tail<3>().norm(), at.state.t);
  Emitter emit(beam, at, sink);
  const double damping = beam.mass_damping;
  if (needs.residual || needs.partial_q) {
    const Points inertia = weighed(beam.M, accelerations(nodes));
    Points applied;
    applied.fill(Vec3::Zero());
    if (damping > 0) applied = weighed(beam.M, rates(nodes));
    for (int k = 0; k < 8; ++k) {
      Vec3& F = applied[static_cast<std::size_t>(k)];
      F = damping * F - beam.first[k] * beam.gravity;
    }
    if (needs.residual) {
      Vec12 r = on_nodes(nodes, applied);
      for (int n = 0; n < 2; ++n) {
        const auto i = static_cast<std::size_t>(n);
        r.segment<3>(6 * n) += nodes[i].body->R * d.f[i].head<3>();
        r.segment<3>(6 * n + 3) += d.f[i].tail<3>();
      }
      emit.residual(Term::inertia, on_nodes(nodes, inertia));
      emit.residual(Term::applied, r);
    }
    if (needs.partial_q) {
      for (std::size_t k = 0; k < 8; ++k) applied[k] += inertia[k];
      Mat12 K = Mat12::Zero();
      add_stiffness(beam, nodes, d, K);
      add_turning(beam, nodes, applied, K);
      emit.partial(Level::q, K);
    }
  }
  if (needs.partial_v) {
    Mat12 C = Mat12::Zero();
    if (beam.damped()) add_damping(beam, nodes, d, C);
    add_gyroscopic(beam.M, nodes, damping, C);
    emit.partial(Level::v, C);
  }
  if (needs.partial_a) {
    Mat12 M = Mat12::Zero();
    add_inertia(beam.M, nodes, 1.0,
                director_partials(nodes, [](const Node&, const Vec3& e) { return Mat3(-hat(e)); }), M);
    emit.partial(Level::a, M);
  }
}

void evaluate_gyroscopic(const BeamElement& beam, const assembly::Evaluation& at, assembly::Sink& sink) {
  const std::array<Node, 2> nodes = {node_of(at, beam.a), node_of(at, beam.b)};
  Mat12 C = Mat12::Zero();
  add_gyroscopic(beam.M, nodes, 0.0, C);
  Emitter(beam, at, sink).partial(Level::v, C);
}

BeamStrain strain_of(const BeamElement& beam, const assembly::Evaluation& at) {
  const Deformed d = deform(beam, node_of(at, beam.a), node_of(at, beam.b));
  return {d.epsilon / beam.length - beam.reference, d.wrench, d.epsilon.tail<3>().norm()};
}

BeamEnds section_forces(const BeamElement& beam, const assembly::Evaluation& at) {
  const Deformed d = deform(beam, node_of(at, beam.a), node_of(at, beam.b));
  return {-d.f[0], d.f[1]};
}

double kinetic_energy(const BeamElement& beam, const assembly::Evaluation& at) {
  const Points y = rates({node_of(at, beam.a), node_of(at, beam.b)});
  const Points p = weighed(beam.M, y);
  double sum = 0;
  for (std::size_t k = 0; k < 8; ++k) sum += 0.5 * y[k].dot(p[k]);
  return sum;
}

double potential_energy(const BeamElement& beam, const assembly::Evaluation& at) {
  const std::array<Node, 2> nodes = {node_of(at, beam.a), node_of(at, beam.b)};
  const Vec6 e = relative(nodes[0], nodes[1]) / beam.length - beam.reference;
  double V = 0.5 * beam.length * e.dot(beam.K * e);
  for (std::size_t n = 0; n < 2; ++n) {
    const int k = kOfNode * static_cast<int>(n);
    const assembly::BodyMotion& body = *nodes[n].body;
    V -= beam.gravity.dot(beam.first[k] * body.x + body.R * beam.first.segment<3>(k + 1));
  }
  return V;
}

double dissipated_power(const BeamElement& beam, const assembly::Evaluation& at) {
  const Deformed d = deform(beam, node_of(at, beam.a), node_of(at, beam.b));
  return d.rate.dot(beam.C * d.rate) / beam.length + 2.0 * beam.mass_damping * kinetic_energy(beam, at);
}

NodeInertia node_inertia(const BeamElement& beam, bool at_b) {
  const int k = at_b ? kOfNode : 0;
  NodeInertia inertia;
  inertia.mass = beam.first[k];
  const Mat3 second = beam.M.block<3, 3>(k + 1, k + 1);
  inertia.J = second.trace() * Mat3::Identity() - second;
  return inertia;
}

}  // namespace trunnion::elements
