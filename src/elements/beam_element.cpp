#include "elements/beam_element.hpp"

#include <array>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "assembly/chart.hpp"
#include "elements/beam_inertia.hpp"

namespace trunnion::elements {

using assembly::Level;
using assembly::Term;
using beam::kOfNode;
using math::Mat3;
using math::Mat6;
using math::Vec3;
using math::Vec6;

namespace {

// Gauss' points on 0 … 1.
struct GaussPoint {
  double place, share;
};
constexpr std::array<GaussPoint, 3> kOrder6 = {
    {{0.1127016653792583, 5.0 / 18.0}, {0.5, 8.0 / 18.0}, {0.8872983346207417, 5.0 / 18.0}}};
constexpr std::array<GaussPoint, 4> kOrder8 = {{{0.06943184420297371, 0.17392742256872693},
                                                {0.33000947820757187, 0.32607257743127307},
                                                {0.66999052179242813, 0.32607257743127307},
                                                {0.93056815579702629, 0.17392742256872693}}};

// --- shapes

// Over y, a place of the axis and the three directors of its section.
template <int N> using Shapes = Eigen::Matrix<double, kOfNode * N, kOfNode>;

// Places by `of_places` of each node, directors alike, and in places `of_directors` times each node's R t.
template <int N>
Shapes<N> combined(const std::array<double, N>& of_places, const std::array<double, N>& of_directors,
                   const Vec3& tangent) {
  Shapes<N> shapes = Shapes<N>::Zero();
  for (int n = 0; n < N; ++n) {
    const auto k = static_cast<std::size_t>(n);
    shapes(kOfNode * n, 0) = of_places[k];
    shapes.template block<3, 1>(kOfNode * n + 1, 0) = of_directors[k] * tangent;
    shapes.template block<3, 3>(kOfNode * n + 1, 1).diagonal().setConstant(of_places[k]);
  }
  return shapes;
}

// At the share `part` of the length.
template <int N> Shapes<N> shapes_at(double part, double length, const Vec3& tangent) {
  if constexpr (N == 2) {
    const double bow = 0.5 * length * (part - part * part);
    return combined<2>({1.0 - part, part}, {bow, -bow}, tangent);
  } else {
    const double xi = 2.0 * part - 1.0, bow = length / 12.0 * (xi * xi * xi - xi);
    return combined<3>({0.5 * xi * (xi - 1.0), 1.0 - xi * xi, 0.5 * xi * (xi + 1.0)}, {bow, -2.0 * bow, bow},
                       tangent);
  }
}

// What no motion as a whole and no constant strain has, and the share of it in the mass: a mean of consistent and lumped mass, in
// which the errors of stretching and twisting cancel.
template <int N> Shapes<N> strain_shapes(double length, const Vec3& tangent, const Vec3& bow) {
  if constexpr (N == 2) return combined<2>({-1.0, 1.0}, {-0.5 * length, -0.5 * length}, tangent);
  else return combined<3>({1.0, -2.0, 1.0}, {0.0, -1.0, 0.0}, bow);
}
// Of three nodes the bending's error cancels, too.
template <int N> constexpr double kStrainShare = N == 2 ? 1.0 / 12.0 : 1.0 / 45.0;

// ∫ρ of a point x + Σ r_i D_i: over x and the directors.
Eigen::Matrix4d section_mass(const BeamCrossSection& s) {
  Eigen::Matrix4d m;
  m << s.mass, s.moment.transpose(), s.moment, s.second;
  return m;
}

// `bow`: x_a − 2 x_m + x_b of three unstressed nodes, in axes of the middle one.
template <int N>
void set_mass(BeamElement& beam, const BeamCrossSection& at_a, const BeamCrossSection& at_b,
              const Vec3& bow = Vec3::Zero()) {
  const double L = beam.length;
  beam.M.setZero(kOfNode * N, kOfNode * N);
  beam.first.setZero(kOfNode * N);
  Eigen::Matrix4d whole = Eigen::Matrix4d::Zero();
  for (const GaussPoint& g : kOrder8) {
    const Eigen::Matrix4d m = L * g.share * section_mass(between(at_a, at_b, g.place));
    const Shapes<N> shapes = shapes_at<N>(g.place, L, beam.tangent);
    beam.M += shapes * m * shapes.transpose();
    beam.first += shapes * m.col(0);
    whole += m;
  }
  const Shapes<N> strains = strain_shapes<N>(L, beam.tangent, bow);
  beam.M += strains * (kStrainShare<N> * whole) * strains.transpose();
}

// --- stiffness

// Of two nodes: residual bending flexibility.
Mat6 element_stiffness(double length, const Vec3& tangent, const BeamCrossSection& at_a,
                       const BeamCrossSection& at_b) {
  Mat6 flexibility = Mat6::Zero();
  for (const GaussPoint& g : kOrder6) {
    Mat6 A = Mat6::Identity();  // m(s) = m − s t × n
    A.bottomLeftCorner<3, 3>() = -(g.place - 0.5) * length * math::hat(tangent);
    flexibility += g.share * A.transpose() * between(at_a, at_b, g.place).K.inverse() * A;
  }
  const Mat6 K = flexibility.inverse();
  return 0.5 * (K + K.transpose());
}

Vec6 relative(const assembly::Pose& a, const assembly::Pose& b) {
  return math::se3_log(a.R.conjugate() * (b.x - a.x), a.R.conjugate() * b.R);
}

// --- emission

// Emits over the unknowns the nodes have: all six, or a planar node's three.
template <int N> class Emitter {
 public:
  Emitter(const BeamElement& beam, const assembly::Evaluation& at, assembly::Sink& sink)
      : sink_(sink), blocks_(beam.nodes) {
    for (std::size_t n = 0; n < N; ++n) {
      const assembly::Block& block = at.layout().block(blocks_[n]);
      full_[n] = block.rotation >= 0;
      if (!full_[n]) maps_[n] = assembly::twist_map(at.layout(), block);
    }
  }
  void residual(Term term, const beam::Forces<N>& r) {
    for (std::size_t n = 0; n < N; ++n) {
      const Vec6 part = r.template segment<6>(6 * static_cast<int>(n));
      if (full_[n]) {
        sink_.residual(blocks_[n], term, part);
        continue;
      }
      const Vec3 reduced = maps_[n].transpose() * part;
      sink_.residual(blocks_[n], term, reduced);
    }
  }
  void partial(Level level, const beam::Partials<N>& m) {
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < N; ++j) {
        const Mat6 part = m.template block<6, 6>(6 * static_cast<int>(i), 6 * static_cast<int>(j));
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
  const std::array<assembly::BlockId, BeamElement::kMostNodes>& blocks_;
  std::array<bool, N> full_{};
  std::array<assembly::TwistMap, N> maps_;
};

// Where the logarithm is about to change sides the element stands for nothing: the mesh is too coarse.
template <int N> void tell_turn(const BeamElement& beam, const beam::Deformed<N>& d, double t) {
  constexpr double kNearHalfTurn = 0.95 * M_PI;
  for (const Vec6& epsilon : d.epsilon) {
    const double turn = epsilon.tail<3>().norm();
    if (turn < kNearHalfTurn || !beam.troubles) continue;
    beam.troubles->add(
        fmt::format("{} at t = {:.9g}: one node is turned against the next by {:.0f} degrees, and an element "
                    "bends and twists by less "
                    "than 180; try more nodes, or a larger SUBDIVIDE",
                    beam.owner, t, turn * 180.0 / M_PI));
  }
}

template <int N>
void evaluate_over(const BeamElement& beam, const assembly::Evaluation& at, assembly::Sink& sink) {
  const assembly::Needs needs = sink.needs();
  if (!needs.residual && !needs.partials()) return;
  const beam::Nodes<N> nodes = beam::nodes_of<N>(beam, at);
  const beam::Deformed<N> d = beam::deform<N>(beam, nodes);
  tell_turn<N>(beam, d, at.state.t);
  Emitter<N> emit(beam, at, sink);
  const double damping = beam.mass_damping;
  if (needs.residual || needs.partial_q) {
    const auto M = beam::mass_of<N>(beam);
    const beam::OverY<N> inertia = beam::accelerations<N>(nodes) * M;
    beam::OverY<N> applied =
        -beam.gravity * Eigen::Map<const Eigen::Matrix<double, 1, kOfNode * N>>(beam.first.data());
    if (damping > 0) applied += damping * beam::rates<N>(nodes) * M;
    if (needs.residual) {
      beam::Forces<N> r = beam::on_nodes<N>(nodes, applied);
      for (int n = 0; n < N; ++n) {
        const auto k = static_cast<std::size_t>(n);
        r.template segment<3>(6 * n) += nodes[k].body->R * d.f[k].template head<3>();
        r.template segment<3>(6 * n + 3) += d.f[k].template tail<3>();
      }
      emit.residual(Term::inertia, beam::on_nodes<N>(nodes, inertia));
      emit.residual(Term::applied, r);
    }
    if (needs.partial_q) {
      beam::Partials<N> K = beam::Partials<N>::Zero();
      beam::add_stiffness<N>(beam, nodes, d, K);
      beam::add_turning<N>(beam, nodes, applied + inertia, K);
      emit.partial(Level::q, K);
    }
  }
  if (needs.partial_v) {
    beam::Partials<N> C = beam::Partials<N>::Zero();
    if (beam.damped()) beam::add_damping<N>(beam, nodes, d, C);
    beam::add_gyroscopic<N>(beam, nodes, damping, C);
    emit.partial(Level::v, C);
  }
  if (needs.partial_a) {
    beam::Partials<N> M = beam::Partials<N>::Zero();
    beam::add_mass<N>(beam, nodes, M);
    emit.partial(Level::a, M);
  }
}

template <int N>
void evaluate_damping_over(const BeamElement& beam, const assembly::Evaluation& at, assembly::Sink& sink) {
  const beam::Nodes<N> nodes = beam::nodes_of<N>(beam, at);
  const beam::OverY<N> momentum = beam::rates<N>(nodes) * beam::mass_of<N>(beam);
  beam::Partials<N> difference = beam::Partials<N>::Zero();
  for (const bool damped : {true, false}) {
    BeamElement one = beam;
    if (!damped) {
      one.mass_damping = 0.0;
      for (BeamPoint& point : one.points) point.C.setZero();
    }
    beam::Partials<N> K = beam::Partials<N>::Zero();
    beam::add_stiffness<N>(one, nodes, beam::deform<N>(one, nodes), K);
    beam::add_turning<N>(one, nodes, one.mass_damping * momentum, K);
    difference = damped ? K : beam::Partials<N>(difference - K);
  }
  Emitter<N>(beam, at, sink).partial(Level::q, difference);
}

// Calls f with the number of nodes as a type.
template <class F> auto by_nodes(const BeamElement& beam, const F& f) {
  return beam.count == 2 ? f(std::integral_constant<int, 2>()) : f(std::integral_constant<int, 3>());
}

}  // namespace

double BeamElement::mass() const {
  double sum = 0.0;
  for (int n = 0; n < count; ++n) sum += first[kOfNode * n];
  return sum;
}

bool BeamElement::damped() const {
  for (int g = 0; g < segments(); ++g) {
    if (!points[static_cast<std::size_t>(g)].C.isZero(0.0)) return true;
  }
  return false;
}

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
  const Vec6 epsilon = relative(a, b);
  beam.length = epsilon.head<3>().norm();
  BeamPoint& point = beam.points[0];
  point.reference = epsilon / beam.length;
  beam.tangent = point.reference.head<3>();
  point.K = element_stiffness(beam.length, beam.tangent, at_a, at_b);
  point.C = ratio * point.K + 0.5 * (at_a.C + at_b.C);
  set_mass<2>(beam, at_a, at_b);
  return beam;
}

BeamElement make_beam_element(const assembly::Pose& a, const assembly::Pose& middle, const assembly::Pose& b,
                              const BeamCrossSection& at_a, const BeamCrossSection& at_b, double ratio) {
  BeamElement beam;
  beam.count = 3;
  const std::array<Vec6, 2> epsilon = {relative(a, middle), relative(middle, b)};
  beam.length = epsilon[0].head<3>().norm() + epsilon[1].head<3>().norm();
  beam.tangent = (epsilon[0] + epsilon[1]).head<3>().normalized();
  const beam::Rule<3> rule = beam::rule_of<3>(beam.length);
  constexpr std::array<double, 2> kPlaces = {0.21132486540518713, 0.78867513459481287};  // (1 ∓ 1/√3)/2
  for (std::size_t g = 0; g < 2; ++g) {
    const BeamCrossSection section = between(at_a, at_b, kPlaces[g]);
    beam.points[g] = {beam::strain_at<3>(rule, g, epsilon), section.K, ratio * section.K + section.C};
  }
  set_mass<3>(beam, at_a, at_b, middle.R.conjugate() * (a.x - 2.0 * middle.x + b.x));
  return beam;
}

void evaluate(const BeamElement& beam, const assembly::Evaluation& at, assembly::Sink& sink) {
  if (beam.count == 2) evaluate_over<2>(beam, at, sink);
  else evaluate_over<3>(beam, at, sink);
}

void evaluate_gyroscopic(const BeamElement& beam, const assembly::Evaluation& at, assembly::Sink& sink) {
  by_nodes(beam, [&](auto nodes) {
    constexpr int N = decltype(nodes)::value;
    beam::Partials<N> C = beam::Partials<N>::Zero();
    beam::add_gyroscopic<N>(beam, beam::nodes_of<N>(beam, at), 0.0, C);
    Emitter<N>(beam, at, sink).partial(Level::v, C);
  });
}

void evaluate_damping_by_place(const BeamElement& beam, const assembly::Evaluation& at,
                               assembly::Sink& sink) {
  if (beam.count == 2) evaluate_damping_over<2>(beam, at, sink);
  else evaluate_damping_over<3>(beam, at, sink);
}

BeamStrains strains_of(const BeamElement& beam, const assembly::Evaluation& at) {
  return by_nodes(beam, [&](auto nodes) {
    constexpr int N = decltype(nodes)::value;
    const beam::Deformed<N> d = beam::deform<N>(beam, beam::nodes_of<N>(beam, at));
    BeamStrains out;
    for (std::size_t i = 0; i < N - 1; ++i) {
      out[i] = {d.strain[i], d.w[i], Vec3(d.epsilon[i].template tail<3>())};
      if constexpr (N == 3) {
        // Both are linear between the points at ±1/√3; half-way between nodes is ±1/2.
        constexpr double kOwn = 0.93301270189221932;  // (1 + √3/2)/2
        out[i].strain = kOwn * d.strain[i] + (1.0 - kOwn) * d.strain[1 - i];
        out[i].force = kOwn * d.w[i] + (1.0 - kOwn) * d.w[1 - i];
      }
    }
    return out;
  });
}

LoadShare load_share(const BeamElement& beam, int node) {
  const double L = beam.length;
  if (beam.count == 3) return {node == 1 ? 4.0 / 6.0 * L : L / 6.0, Vec3::Zero()};
  return {0.5 * L, Vec3((node == 0 ? 1.0 : -1.0) * L * L / 12.0 * beam.tangent)};
}

double kinetic_energy(const BeamElement& beam, const assembly::Evaluation& at) {
  return by_nodes(beam, [&](auto nodes) {
    constexpr int N = decltype(nodes)::value;
    const beam::OverY<N> y = beam::rates<N>(beam::nodes_of<N>(beam, at));
    const beam::OverY<N> momentum = y * beam::mass_of<N>(beam);
    return 0.5 * y.cwiseProduct(momentum).sum();
  });
}

double potential_energy(const BeamElement& beam, const assembly::Evaluation& at) {
  return by_nodes(beam, [&](auto count) {
    constexpr int N = decltype(count)::value;
    const beam::Nodes<N> nodes = beam::nodes_of<N>(beam, at);
    const beam::Deformed<N> d = beam::deform<N>(beam, nodes);
    double V = 0.0;
    for (std::size_t g = 0; g < N - 1; ++g)
      V += 0.5 * d.rule.weight * d.strain[g].dot(beam.points[g].K * d.strain[g]);
    for (int n = 0; n < N; ++n) {
      const assembly::BodyMotion& body = *nodes[static_cast<std::size_t>(n)].body;
      V -= beam.gravity.dot(beam.first[kOfNode * n] * body.x +
                            body.R * beam.first.template segment<3>(kOfNode * n + 1));
    }
    return V;
  });
}

double dissipated_power(const BeamElement& beam, const assembly::Evaluation& at) {
  return by_nodes(beam, [&](auto nodes) {
    constexpr int N = decltype(nodes)::value;
    const beam::Deformed<N> d = beam::deform<N>(beam, beam::nodes_of<N>(beam, at));
    double power = 2.0 * beam.mass_damping * kinetic_energy(beam, at);
    for (std::size_t g = 0; g < N - 1; ++g)
      power += d.rule.weight * d.strain_rate[g].dot(beam.points[g].C * d.strain_rate[g]);
    return power;
  });
}

NodeInertia node_inertia(const BeamElement& beam, int node) {
  const int k = kOfNode * node;
  NodeInertia inertia;
  inertia.mass = beam.first[k];
  const Mat3 second = beam.M.block<3, 3>(k + 1, k + 1);
  inertia.J = second.trace() * Mat3::Identity() - second;
  return inertia;
}

}  // namespace trunnion::elements
