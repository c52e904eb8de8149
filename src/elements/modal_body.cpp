#include "elements/modal_body.hpp"

#include <algorithm>

#include "assembly/modal_sink.hpp"

namespace trunnion::elements {

using assembly::Level;
using assembly::MatMap;
using assembly::Term;
using assembly::VecMap;
using assembly::VecRef;
using math::hat;
using math::Mat3;
using math::Vec3;

ModeMatrix::ModeMatrix(const Eigen::MatrixXd& full) {
  if (full.size() == 0 || full.isZero(0.0)) return;
  form_ = Form::full;
  diagonal_ = full.diagonal();
  if ((full - Eigen::MatrixXd(diagonal_.asDiagonal())).isZero(0.0)) form_ = Form::diagonal;
  else full_ = full;
}

void ModeMatrix::add_product(double factor, const VecRef& x, Eigen::Ref<Eigen::VectorXd> to) const {
  if (form_ == Form::diagonal) to += factor * diagonal_.cwiseProduct(x);
  if (form_ == Form::full) to.noalias() += factor * full_ * x;
}

void ModeMatrix::add(double factor, MatMap to) const {
  if (form_ == Form::diagonal) to.diagonal() += factor * diagonal_;
  if (form_ == Form::full) to += factor * full_;
}

namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using Rows3 = Eigen::Map<Eigen::Matrix3Xd>;
using Rows6 = Eigen::Map<Eigen::Matrix<double, 6, Eigen::Dynamic>>;
using Modes = Eigen::Map<const Eigen::VectorXd>;

// Not zeroed: all of it is written where there are modes.
Rows3 fresh3(assembly::Scratch& scratch, Eigen::Index modes) { return {scratch.take(3 * modes), 3, modes}; }
Rows6 fresh6(assembly::Scratch& scratch, Eigen::Index modes) { return {scratch.take(6 * modes), 6, modes}; }
Rows3 rows3(assembly::Scratch& scratch, Eigen::Index modes) {
  return {scratch.matrix(3, modes).data(), 3, modes};
}
Rows6 rows6(assembly::Scratch& scratch, Eigen::Index modes) {
  return {scratch.matrix(6, modes).data(), 6, modes};
}

Mat3 tensor(const Vec6& c) {
  Mat3 J;
  J << c[0], c[3], c[5], c[3], c[1], c[4], c[5], c[4], c[2];
  return J;
}
// J a = tensor_by(a) · components of J.
Eigen::Matrix<double, 3, 6> tensor_by(const Vec3& a) {
  Eigen::Matrix<double, 3, 6> W = Eigen::Matrix<double, 3, 6>::Zero();
  W.row(0) << a.x(), 0, 0, a.y(), 0, a.z();
  W.row(1) << 0, a.y(), 0, a.x(), a.z(), 0;
  W.row(2) << 0, 0, a.z(), 0, a.y(), a.x();
  return W;
}
// ½ ω·J ω = half_square(ω) · components of J.
Vec6 half_square(const Vec3& w) {
  Vec6 s;
  s << 0.5 * w.x() * w.x(), 0.5 * w.y() * w.y(), 0.5 * w.z() * w.z(), w.x() * w.y(), w.y() * w.z(),
      w.z() * w.x();
  return s;
}

// What the equations are made of at one state: everything that varies with q, and the motion in axes of B.
struct Modal {
  const ModalData& data;
  assembly::Scratch& scratch;
  Eigen::Index M;
  Mat3 R;
  Vec3 w, alpha, b;  // b = Rᵀ(ẍ − g)
  Modes q, v, a;
  Vec3 S = Vec3::Zero();
  Rows3 P, N;
  Rows6 J_j;
  Mat3 J = Mat3::Zero();

  Modal(const ModalBody& body, const assembly::Evaluation& at)
      : data(*body.data),
        scratch(at.scratch),
        M(data.modes()),
        R(at.kinematics.body(body.frame).R),
        q(part(body, at, at.state.q, true)),
        v(part(body, at, at.state.v, false)),
        a(part(body, at, at.state.a, false)),
        P(fresh3(scratch, M)),
        N(fresh3(scratch, M)),
        J_j(fresh6(scratch, M)) {
    const int o = at.layout().block(body.frame).offset;
    w = at.state.v.segment<3>(o + 3);
    alpha = at.state.a.segment<3>(o + 3);
    b = R.transpose() * (at.state.a.segment<3>(o) - body.gravity);
    S = data.I2;
    J = data.I7 + tensor(deform());
  }

  static Modes part(const ModalBody& body, const assembly::Evaluation& at, const Eigen::VectorXd& from,
                    bool pose) {
    if (!body.modes.valid()) return {nullptr, 0};
    const assembly::Block& modes = at.layout().block(body.modes);
    return {from.data() + (pose ? modes.pose_offset : modes.offset), modes.size};
  }

  // S, P, N, J_j at q, and what J has beyond I7.
  Vec6 deform() {
    if (M == 0) return Vec6::Zero();
    const assembly::Scratch::Frame frame(scratch);
    VecMap row = scratch.vector(M);
    P = data.I3;
    N = data.I4;
    J_j = data.J1;
    S += data.I3 * q;
    for (int axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      if (data.I5[k].size() != 0) {
        row.noalias() = data.I5[k] * q;
        N.row(axis) -= row.transpose();
      }
      if (!data.G[k].is_zero()) {
        row.setZero();
        data.G[k].add_product(1.0, q, row);
        P.row(axis) += row.transpose();
        S[axis] += 0.5 * row.dot(q);
      }
      if (data.G_alpha[k].is_zero()) continue;
      row.setZero();
      data.G_alpha[k].add_product(1.0, q, row);
      N.row(axis) += row.transpose();
    }
    for (int c = 0; c < 6; ++c) {
      const ModeMatrix& J2 = data.J2[static_cast<std::size_t>(c)];
      if (J2.is_zero()) continue;
      row.setZero();
      J2.add_product(1.0, q, row);
      J_j.row(c) += row.transpose();
    }
    return 0.5 * (data.J1 * q + J_j * q);
  }

  // 3 × M: column j is I5_j x.
  Rows3 coupled(const Modes& x) const {
    Rows3 Y = rows3(scratch, M);
    VecMap row = scratch.vector(M);
    for (int axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      if (data.I5[k].size() == 0) continue;
      row.noalias() = data.I5[k] * x;
      Y.row(axis) = row.transpose();
    }
    return Y;
  }
  // x·G x by axes.
  Vec3 squares(const std::array<ModeMatrix, 3>& G, const Modes& x) const {
    Vec3 sum = Vec3::Zero();
    VecMap row = scratch.vector(M);
    for (std::size_t k = 0; k < 3; ++k) {
      if (G[k].is_zero()) continue;
      row.setZero();
      G[k].add_product(1.0, x, row);
      sum[static_cast<Eigen::Index>(k)] = row.dot(x);
    }
    return sum;
  }
  // 3 × M: row by row G_k x.
  void add_products(const std::array<ModeMatrix, 3>& G, double factor, const Modes& x, Rows3& to) const {
    VecMap row = scratch.vector(M);
    for (std::size_t k = 0; k < 3; ++k) {
      if (G[k].is_zero()) continue;
      row.setZero();
      G[k].add_product(factor, x, row);
      to.row(static_cast<Eigen::Index>(k)) += row.transpose();
    }
  }
};

void residuals(const ModalBody& body, const Modal& m, const assembly::Evaluation& at, assembly::Sink& sink) {
  const ModalData& data = m.data;
  const int o = at.layout().block(body.frame).offset;
  const Vec3 g = m.R.transpose() * body.gravity;
  const Vec3 x_acc = at.state.a.segment<3>(o), acc = m.b + g;
  const Vec3 P_rate = m.P * m.v, N_rate = m.N * m.v;
  Vec6 inertia, weight;
  const Vec3 force = m.alpha.cross(m.S) + m.P * m.a + m.squares(data.G, m.v) + m.w.cross(m.w.cross(m.S)) +
                     2.0 * m.w.cross(P_rate);
  inertia.head<3>() = data.mass * x_acc + m.R * force;
  inertia.tail<3>() = m.S.cross(acc) + m.J * m.alpha + m.N * m.a + m.squares(data.G_alpha, m.v) +
                      tensor(m.J_j * m.v) * m.w + m.w.cross(m.J * m.w + N_rate);
  weight << -data.mass * body.gravity, -m.S.cross(g);
  sink.residual(body.frame, Term::inertia, inertia);
  sink.residual(body.frame, Term::applied, weight);
  if (m.M == 0) return;
  VecMap balance = m.scratch.vector(m.M);
  balance.noalias() += m.P.transpose() * acc;
  balance.noalias() += m.N.transpose() * m.alpha;
  balance.noalias() -= m.J_j.transpose() * half_square(m.w);
  balance.noalias() -= m.coupled(m.v).transpose() * Vec3(2.0 * m.w);
  data.I6.add_product(1.0, m.a, balance);
  sink.residual(body.modes, Term::inertia, balance);
  balance.noalias() = m.P.transpose() * Vec3(-g);
  data.K.add_product(1.0, m.q, balance);
  data.D.add_product(1.0, m.v, balance);
  sink.residual(body.modes, Term::applied, balance);
}

// Between modes: as a diagonal where it is one and the sink takes such.
template <class Add>
void partial_of_modes(const ModalBody& body, const Modal& m, Level level, assembly::Sink& sink,
                      const Add& add) {
  if (m.data.uncoupled[static_cast<std::size_t>(level)] && sink.takes_turning_rows()) {
    MatMap diagonal = m.scratch.matrix(m.M, 1);
    add([&](const ModeMatrix& part, double factor) {
      if (!part.is_zero()) diagonal += factor * part.diagonal();
    });
    sink.partial(body.modes, body.modes, level, diagonal);
    return;
  }
  MatMap square = m.scratch.matrix(m.M, m.M);
  add([&](const ModeMatrix& part, double factor) { part.add(factor, square); });
  const Vec3 spin = level == Level::v ? Vec3(2.0 * m.w) : m.alpha;  // what I5 comes with
  for (std::size_t k = 0; k < 3 && level != Level::a; ++k) {
    if (m.data.I5[k].size() != 0) square -= spin[static_cast<Eigen::Index>(k)] * m.data.I5[k];
  }
  sink.partial(body.modes, body.modes, level, square);
}

void mass_matrix(const ModalBody& body, const Modal& m, assembly::Sink& sink) {
  Mat6 frame = Mat6::Zero();
  frame.topLeftCorner<3, 3>().diagonal().setConstant(m.data.mass);
  frame.topRightCorner<3, 3>() = -m.R * hat(m.S);
  frame.bottomLeftCorner<3, 3>() = hat(m.S) * m.R.transpose();
  frame.bottomRightCorner<3, 3>() = m.J;
  sink.partial(body.frame, body.frame, Level::a, frame);
  if (m.M == 0) return;
  Rows6 across = rows6(m.scratch, m.M);
  MatMap back = m.scratch.matrix(m.M, 6);
  across.topRows<3>().noalias() = m.R * m.P;
  across.bottomRows<3>() = m.N;
  back = across.transpose();
  sink.partial(body.frame, body.modes, Level::a, across);
  sink.partial(body.modes, body.frame, Level::a, back);
  partial_of_modes(body, m, Level::a, sink, [&](const auto& put) { put(m.data.I6, 1.0); });
}

void damping_matrix(const ModalBody& body, const Modal& m, assembly::Sink& sink) {
  const Vec3 S_spin = m.w.cross(m.S), P_rate = m.P * m.v, N_rate = m.N * m.v;
  const Mat3 W = hat(m.w);
  Mat6 frame = Mat6::Zero();
  frame.topRightCorner<3, 3>() = -m.R * (hat(S_spin) + W * hat(m.S) + 2.0 * hat(P_rate));
  frame.bottomRightCorner<3, 3>() = tensor(m.J_j * m.v) + W * m.J - hat(m.J * m.w + N_rate);
  sink.partial(body.frame, body.frame, Level::v, frame);
  if (m.M == 0) return;
  Rows6 across = rows6(m.scratch, m.M);
  Rows3 top = rows3(m.scratch, m.M), bottom = rows3(m.scratch, m.M), J_w = rows3(m.scratch, m.M);
  MatMap back = m.scratch.matrix(m.M, 6);
  J_w.noalias() = tensor_by(m.w) * m.J_j;
  m.add_products(m.data.G, 2.0, m.v, top);
  top.noalias() += Mat3(2.0 * W) * m.P;
  across.topRows<3>().noalias() = m.R * top;
  m.add_products(m.data.G_alpha, 2.0, m.v, bottom);
  bottom += J_w;
  bottom.noalias() += W * m.N;
  across.bottomRows<3>() = bottom;
  J_w += 2.0 * m.coupled(m.v);
  back.rightCols<3>() = -J_w.transpose();
  sink.partial(body.frame, body.modes, Level::v, across);
  sink.partial(body.modes, body.frame, Level::v, back);
  partial_of_modes(body, m, Level::v, sink, [&](const auto& put) { put(m.data.D, 1.0); });
}

void stiffness_matrix(const ModalBody& body, const Modal& m, assembly::Sink& sink) {
  const ModalData& data = m.data;
  const Mat3 W = hat(m.w);
  const Vec3 force = m.alpha.cross(m.S) + m.P * m.a + m.squares(data.G, m.v) + m.w.cross(m.w.cross(m.S)) +
                     2.0 * m.w.cross(Vec3(m.P * m.v));
  Mat6 frame = Mat6::Zero();
  frame.topRightCorner<3, 3>() = -m.R * hat(force);
  frame.bottomRightCorner<3, 3>() = hat(m.S) * hat(m.b);
  sink.partial(body.frame, body.frame, Level::q, frame);
  if (m.M == 0) return;
  Rows6 across = rows6(m.scratch, m.M);
  Rows3 top = rows3(m.scratch, m.M), bottom = m.coupled(m.a), G_rate = rows3(m.scratch, m.M);
  MatMap back = m.scratch.matrix(m.M, 6);
  m.add_products(data.G, 1.0, m.a, top);
  m.add_products(data.G, 2.0, m.v, G_rate);
  top.noalias() += Mat3(hat(m.alpha) + W * W) * m.P;
  top.noalias() += W * G_rate;
  across.topRows<3>().noalias() = m.R * top;
  // torque: −b × P_j + J_j α + I5_j q̈ + (∂J̇/∂q_j) ω + ω × (J_j ω + I5_j q̇), and Gα alike
  Rows3 N_rate = m.coupled(m.v);
  Rows6 J_rate = rows6(m.scratch, m.M);
  m.add_products(data.G_alpha, 1.0, m.v, N_rate);
  VecMap row = m.scratch.vector(m.M);
  for (int c = 0; c < 6; ++c) {
    const ModeMatrix& J2 = data.J2[static_cast<std::size_t>(c)];
    if (J2.is_zero()) continue;
    row.setZero();
    J2.add_product(1.0, m.v, row);
    J_rate.row(c) = row.transpose();
  }
  m.add_products(data.G_alpha, 1.0, m.a, bottom);
  bottom.noalias() -= hat(m.b) * m.P;
  const Eigen::Matrix<double, 3, 6> by_J = tensor_by(m.alpha) + W * tensor_by(m.w);
  bottom.noalias() += by_J * m.J_j;
  bottom.noalias() += tensor_by(m.w) * J_rate;
  bottom.noalias() += W * N_rate;
  across.bottomRows<3>() = bottom;
  back.rightCols<3>().noalias() = m.P.transpose() * hat(m.b);
  sink.partial(body.frame, body.modes, Level::q, across);
  sink.partial(body.modes, body.frame, Level::q, back);
  const Vec6 spin = half_square(m.w);
  partial_of_modes(body, m, Level::q, sink, [&](const auto& put) {
    put(data.K, 1.0);
    for (std::size_t k = 0; k < 3; ++k) {
      put(data.G[k], m.b[static_cast<Eigen::Index>(k)]);
      put(data.G_alpha[k], m.alpha[static_cast<Eigen::Index>(k)]);
    }
    for (std::size_t c = 0; c < 6; ++c) put(data.J2[c], -spin[static_cast<Eigen::Index>(c)]);
  });
}

std::array<bool, 3> uncoupled_levels(const ModalData& data) {
  const auto diagonal = [](const auto& parts) {
    return std::all_of(parts.begin(), parts.end(), [](const ModeMatrix& part) { return part.is_diagonal(); });
  };
  const bool spins_apart = std::all_of(data.I5.begin(), data.I5.end(),
                                       [](const Eigen::MatrixXd& part) { return part.size() == 0; });
  return {
      spins_apart && data.K.is_diagonal() && diagonal(data.J2) && diagonal(data.G) && diagonal(data.G_alpha),
      spins_apart && data.D.is_diagonal(), data.I6.is_diagonal()};
}

}  // namespace

ModalData make_modal_data(const ModalInvariants& in) {
  constexpr int kPairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
  const Eigen::Index M = in.I3.cols();
  const auto symmetric = [](const Eigen::MatrixXd& A) { return Eigen::MatrixXd(0.5 * (A + A.transpose())); };
  ModalData data;
  data.mass = in.I1;
  data.I2 = in.I2;
  data.I3 = in.I3;
  data.I4 = in.I4;
  data.I7 = 0.5 * (in.I7 + in.I7.transpose());
  data.J1.setZero(6, M);
  if (M == 0) return data;
  data.I6 = ModeMatrix(symmetric(in.I6));
  data.K = ModeMatrix(symmetric(in.K));
  if (in.D.size() != 0) data.D = ModeMatrix(symmetric(in.D));
  for (Eigen::Index axis = 0; in.I5.size() != 0 && axis < 3; ++axis) {
    Eigen::MatrixXd A(M, M);
    for (Eigen::Index j = 0; j < M; ++j) A.row(j) = in.I5.row(3 * j + axis);
    data.I5[static_cast<std::size_t>(axis)] = 0.5 * (A - A.transpose());
  }
  for (Eigen::Index c = 0; c < 6; ++c) {
    const Eigen::Index a = kPairs[c][0], b = kPairs[c][1];
    for (Eigen::Index j = 0; in.I8.size() != 0 && j < M; ++j)
      data.J1(c, j) = -(in.I8(a, 3 * j + b) + in.I8(b, 3 * j + a));
    Eigen::MatrixXd second = Eigen::MatrixXd::Zero(M, M);
    for (Eigen::Index j = 0; in.I9.size() != 0 && j < M; ++j) {
      for (Eigen::Index k = 0; k < M; ++k)
        second(j, k) = -0.5 * (in.I9(3 * j + a, 3 * k + b) + in.I9(3 * k + a, 3 * j + b) +
                               in.I9(3 * j + b, 3 * k + a) + in.I9(3 * k + b, 3 * j + a));
    }
    // What stiffens by ω_a ω_b shortens: J gets smaller by it.
    if (in.geometric.size() != 0)
      second -= (a == b ? 2.0 : 1.0) * symmetric(in.geometric.middleRows((6 + c) * M, M));
    data.J2[static_cast<std::size_t>(c)] = ModeMatrix(symmetric(second));
  }
  for (std::size_t k = 0; in.geometric.size() != 0 && k < 3; ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    data.G[k] = ModeMatrix(symmetric(in.geometric.middleRows(at * M, M)));
    data.G_alpha[k] = ModeMatrix(symmetric(in.geometric.middleRows((3 + at) * M, M)));
  }
  data.uncoupled = uncoupled_levels(data);
  return data;
}

void evaluate(const ModalBody& body, const assembly::Evaluation& at, assembly::Sink& sink) {
  const assembly::Scratch::Frame frame(at.scratch);
  const assembly::Needs needs = sink.needs();
  if (!needs.residual && !needs.partials()) return;
  const Modal m(body, at);
  if (needs.residual) residuals(body, m, at, sink);
  if (needs.partial_a) mass_matrix(body, m, sink);
  if (needs.partial_v) damping_matrix(body, m, sink);
  if (needs.partial_q) stiffness_matrix(body, m, sink);
}

double kinetic_energy(const ModalBody& body, const assembly::Evaluation& at) {
  const assembly::Scratch::Frame frame(at.scratch);
  const Modal m(body, at);
  const Vec3 velocity = m.R.transpose() * at.kinematics.body(body.frame).v;
  const Vec3 P_rate = m.P * m.v, N_rate = m.N * m.v;
  double twice = m.data.mass * velocity.squaredNorm() + 2.0 * velocity.dot(m.w.cross(m.S) + P_rate) +
                 m.w.dot(m.J * m.w + 2.0 * N_rate);
  if (m.M > 0) {
    VecMap momentum = m.scratch.vector(m.M);
    m.data.I6.add_product(1.0, m.v, momentum);
    twice += momentum.dot(m.v);
  }
  return 0.5 * twice;
}

double potential_energy(const ModalBody& body, const assembly::Evaluation& at) {
  const assembly::Scratch::Frame frame(at.scratch);
  const Modal m(body, at);
  double V = -body.gravity.dot(m.data.mass * at.kinematics.body(body.frame).x + m.R * m.S);
  if (m.M == 0) return V;
  VecMap elastic = m.scratch.vector(m.M);
  m.data.K.add_product(0.5, m.q, elastic);
  return V + elastic.dot(m.q);
}

double dissipated_power(const ModalBody& body, const assembly::Evaluation& at) {
  const assembly::Scratch::Frame frame(at.scratch);
  const Modal m(body, at);
  if (m.M == 0) return 0.0;
  VecMap force = m.scratch.vector(m.M);
  m.data.D.add_product(1.0, m.v, force);
  return force.dot(m.v);
}

}  // namespace trunnion::elements
