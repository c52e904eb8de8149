#include "assembly/carriers/modal.hpp"

#include <array>
#include <typeinfo>

#include "assembly/carriers/mode_sums.hpp"
#include "math/so3.hpp"

namespace trunnion::assembly {

using math::hat;

Mat3 node_turn(const Vec3& psi) {
  const double c = 1.0 / (1.0 + 0.25 * psi.squaredNorm());
  const Mat3 turn = hat(psi);
  return Mat3::Identity() + c * (turn + 0.5 * turn * turn);
}

namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat12 = Eigen::Matrix<double, kNodeMotions, kNodeMotions>;

// What a marker's motion is made of, all in B. Its coordinates are (x, θ, d, ψ): twelve, however many modes.
struct Node {
  Vec3 r, a;            // from the frame's origin and from the node to the marker
  Vec3 psi;             // ψ
  double c, s;          // c, ψ·η
  Mat3 T;               // of ψ
  Vec3 w, alpha;        // of the frame
  Vec3 d_rate, eta;     // ḋ, η = ψ̇
  Vec3 u, eta_rate;     // T η, η̇
  Vec3 u_rate;          // u̇ = T η̇ − ½ c s u
  Vec3 v, spin;         // of the marker, less ẋ: ω × r + ḋ + u × a, ω + u
  Vec3 acc, spin_rate;  // less ẍ
};

Vec3 turned_by(const Mat3& R, const Vec3& f) { return R.transpose() * f; }

class Modal;
// It is asked in every evaluation: the kind itself, which has none below it, is a comparison, no search as dynamic_cast is.
const Modal* as_modal(const Carrier& carrier);

class Modal final : public Carrier {
 public:
  Modal(BlockId frame, BlockId modes, NodeShape shape) : blocks_{frame, modes}, shape_(std::move(shape)) {
    shape_.across = shape_.modes.transpose();
  }

  const NodeShape& shape() const { return shape_; }

  std::span<const BlockId> blocks(const MarkerDef&) const override { return blocks_; }
  int kept() const override { return sizeof(Node) / sizeof(double); }

  void move(const Seat& seat, const State& state, Level level, MarkerMotion& m) const override {
    Node& k = node(seat);
    const BodyMotion& b = *seat.body;
    const Block& modes = seat.layout->block(blocks_[1]);
    const Vec6 place = summed(state.q.data() + modes.pose_offset);
    k.psi = place.tail<3>();
    k.c = 1.0 / (1.0 + 0.25 * k.psi.squaredNorm());
    k.T = k.c * (Mat3::Identity() + 0.5 * hat(k.psi));
    const Mat3 A = node_turn(k.psi);
    k.a = A * (seat.def->p_BM - shape_.s);
    k.r = shape_.s + place.head<3>() + k.a;
    m.p = b.x + b.R * k.r;
    m.R = b.R * (A * seat.def->R_BM);
    if (level == Level::q) return;
    const Vec6 rate = summed(state.v.data() + modes.offset);
    k.w = turned_by(b.R, b.w);
    k.d_rate = rate.head<3>();
    k.eta = rate.tail<3>();
    k.s = k.psi.dot(k.eta);
    k.u = k.T * k.eta;
    k.v = k.w.cross(k.r) + k.d_rate + k.u.cross(k.a);
    k.spin = k.w + k.u;
    m.v = b.v + b.R * k.v;
    m.w = b.R * k.spin;
    if (level == Level::v) return;
    const Vec6 jump = summed(state.a.data() + modes.offset);
    k.alpha = turned_by(b.R, b.alpha);
    k.eta_rate = jump.tail<3>();
    k.u_rate = k.T * k.eta_rate - 0.5 * k.c * k.s * k.u;
    const Vec3 relative = k.d_rate + k.u.cross(k.a);
    k.acc = k.alpha.cross(k.r) + k.w.cross(k.w.cross(k.r) + 2.0 * relative) + jump.head<3>() +
            k.u_rate.cross(k.a) + k.u.cross(k.u.cross(k.a));
    k.spin_rate = k.alpha + k.w.cross(k.u) + k.u_rate;
    m.a = b.a + b.R * k.acc;
    m.alpha = b.R * k.spin_rate;
  }

  Twist twist(const Seat& seat, int block, int entry) const override {
    const Node& k = node(seat);
    const Mat3& R = seat.body->R;
    if (block == 0) {
      if (entry < 3) return {Vec3::Unit(entry), Vec3::Zero()};
      const Vec3 axis = R.col(entry - 3);
      return {axis.cross(R * k.r), axis};
    }
    const Vec6 shape = shape_.modes.col(entry);
    const Vec3 turn = k.T * shape.tail<3>();
    return {R * (shape.head<3>() + turn.cross(k.a)), R * turn};
  }

  void pull(const Seat& seat, const Vec3& f, const Vec3& tau, double* row,
            const int* columns) const override {
    const Node& k = node(seat);
    const Vec3 fb = turned_by(seat.body->R, f), tb = turned_by(seat.body->R, tau);
    add(row, columns, f, k.r.cross(fb) + tb, fb, k.T.transpose() * (k.a.cross(fb) + tb));
  }

  bool pull_square(const Seat& m, const int* rows, const Seat& n, const int* columns, const WrenchGradient& P,
                   MatMap& H) const override {
    const Modal* const other = as_modal(*n.carrier);
    if (other == nullptr) return false;
    const Jacobian J_m = jacobian(m), J_n = jacobian(n);
    Eigen::Matrix<double, 6, 6> gradient = Eigen::Matrix<double, 6, 6>::Zero();
    if (P.f_p != nullptr) gradient.topLeftCorner<3, 3>() = *P.f_p;
    if (P.f_turn != nullptr) gradient.topRightCorner<3, 3>() = *P.f_turn;
    if (P.tau_p != nullptr) gradient.bottomLeftCorner<3, 3>() = *P.tau_p;
    if (P.tau_turn != nullptr) gradient.bottomRightCorner<3, 3>() = *P.tau_turn;
    const Mat12 square = J_m.transpose() * gradient * J_n;
    spread(square, shape_, rows, other->shape_, columns, H);
    return true;
  }

  void curvature(const Seat& seat, const Vec3& f, const Vec3& tau, MatMap& H,
                 const int* columns) const override {
    spread(square_of(seat, f, tau), shape_, columns, shape_, columns, H);
  }

  void rate_in_q(const Seat& seat, const Vec3& f_v, const Vec3& f_w, double* row,
                 const int* columns) const override {
    const Node& k = node(seat);
    const Vec3 f = turned_by(seat.body->R, f_v), g = turned_by(seat.body->R, f_w);
    add(row, columns, Vec3::Zero(), k.v.cross(f) + k.spin.cross(g), f.cross(k.w),
        k.T.transpose() * k.a.cross(f.cross(k.spin)) + in_psi(k, k.u, k.eta, k.a.cross(f) + g));
  }

  void acceleration_in_q(const Seat& seat, const Vec3& f_a, const Vec3& f_alpha, double* row,
                         const int* columns) const override {
    const Node& k = node(seat);
    const Vec3 f = turned_by(seat.body->R, f_a), g = turned_by(seat.body->R, f_alpha);
    const Vec3 fw = f.cross(k.w), carried = f.cross(k.alpha) + fw.cross(k.w);
    // What multiplies δ(A e), δu and δu̇.
    const Vec3 by_arm = carried + 2.0 * fw.cross(k.u) + f.cross(k.u_rate) + f.cross(k.u).cross(k.u);
    const Vec3 by_rate = k.a.cross(f) + g;
    const double along = k.u.dot(by_rate);
    const Vec3 psi_part = k.T.transpose() * k.a.cross(by_arm) + in_psi(k, k.u, k.eta, by_spin(k, f, g)) +
                          in_psi(k, k.T * k.eta_rate, k.eta_rate, by_rate) +
                          0.25 * k.c * k.c * k.s * along * k.psi - 0.5 * k.c * along * k.eta -
                          0.5 * k.c * k.s * in_psi(k, k.u, k.eta, by_rate);
    add(row, columns, Vec3::Zero(), k.acc.cross(f) + k.spin_rate.cross(g), carried, psi_part);
  }

  void acceleration_in_v(const Seat& seat, const Vec3& f_a, const Vec3& f_alpha, double* row,
                         const int* columns) const override {
    const Node& k = node(seat);
    const Vec3 f = turned_by(seat.body->R, f_a), g = turned_by(seat.body->R, f_alpha);
    const Vec3 fw = f.cross(k.w), by_rate = k.a.cross(f) + g;
    const Vec3 relative = k.d_rate + k.u.cross(k.a);
    const Vec3 theta = k.w.cross(k.r).cross(f) + k.r.cross(fw) + 2.0 * relative.cross(f) + k.u.cross(g);
    const Vec3 eta_part = k.T.transpose() * (by_spin(k, f, g) - 0.5 * k.c * k.s * by_rate) -
                          0.5 * k.c * k.u.dot(by_rate) * k.psi;
    add(row, columns, Vec3::Zero(), theta, 2.0 * fw, eta_part);
  }

  using Jacobian = Eigen::Matrix<double, 6, kNodeMotions>;

  // δ(Rᵀf) = (Rᵀf)^ δθ;  δ(A e) = (T δψ) × A e;  (δT)ᵀ n = −½ c (ψ·δψ) Tᵀn + ½ c n × δψ
  static Mat12 square_of(const Seat& seat, const Vec3& f, const Vec3& tau) {
    const Node& k = node(seat);
    const Vec3 fb = turned_by(seat.body->R, f), tb = turned_by(seat.body->R, tau);
    const Mat3 F = hat(fb), A = hat(k.a);
    const Vec3 n = k.a.cross(fb) + tb;
    Mat12 square = Mat12::Zero();
    square.block<3, 3>(3, 3) = hat(k.r) * F + hat(tb);
    square.block<3, 3>(3, 6) = -F;
    square.block<3, 3>(3, 9) = F * A * k.T;
    square.block<3, 3>(6, 3) = F;
    square.block<3, 3>(9, 3) = k.T.transpose() * (A * F + hat(tb));
    square.block<3, 3>(9, 9) = k.T.transpose() * F * A * k.T + 0.5 * k.c * hat(n) -
                               0.5 * k.c * (k.T.transpose() * n) * k.psi.transpose();
    return square;
  }
  // (δp, δφ) over (x, θ, d, ψ).
  static Jacobian jacobian(const Seat& seat) {
    const Node& k = node(seat);
    const Mat3& R = seat.body->R;
    Jacobian J = Jacobian::Zero();
    J.block<3, 3>(0, 0).setIdentity();
    J.block<3, 3>(0, 3) = -R * hat(k.r);
    J.block<3, 3>(0, 6) = R;
    J.block<3, 3>(0, 9) = -R * hat(k.a) * k.T;
    J.block<3, 3>(3, 3) = R;
    J.block<3, 3>(3, 9) = R * k.T;
    return J;
  }

 private:
  static Node& node(const Seat& seat) { return *reinterpret_cast<Node*>(seat.kept); }

  // n·∂(T η)/∂ψ, where u = T η.
  static Vec3 in_psi(const Node& k, const Vec3& u, const Vec3& eta, const Vec3& n) {
    return 0.5 * k.c * (eta.cross(n) - u.dot(n) * k.psi);
  }
  // What multiplies δu in f·a + g·α.
  static Vec3 by_spin(const Node& k, const Vec3& f, const Vec3& g) {
    return k.a.cross(2.0 * f.cross(k.w) + f.cross(k.u)) + k.u.cross(k.a).cross(f) + g.cross(k.w);
  }

  // (d, ψ) or their rates.
  Vec6 summed(const double* modes) const {
    Vec6 sums;
    sums_.motion(shape_.across.data(), static_cast<int>(shape_.across.rows()), modes, sums.data());
    return sums;
  }
  void add(double* row, const int* columns, const Vec3& x, const Vec3& theta, const Vec3& d,
           const Vec3& psi) const {
    Eigen::Map<Vec3>(row + columns[0]) += x;
    Eigen::Map<Vec3>(row + columns[0] + 3) += theta;
    const auto modes = static_cast<int>(shape_.across.rows());
    const double* const turns = shape_.across.data() + 3 * modes;
    if (d != Vec3::Zero()) sums_.spread(shape_.across.data(), modes, d.data(), row + columns[1]);
    if (psi != Vec3::Zero()) sums_.spread(turns, modes, psi.data(), row + columns[1]);
  }
  // A square over (x, θ, d, ψ) of two markers onto their blocks.
  static void spread(const Mat12& square, const NodeShape& m, const int* rows, const NodeShape& n,
                     const int* columns, MatMap& H) {
    const auto modes_m = m.modes.cols();
    H.block<6, 6>(rows[0], columns[0]) += square.topLeftCorner<6, 6>();
    for (int k = 0; k < 6; ++k)
      H.col(columns[0] + k).segment(rows[1], modes_m).noalias() +=
          m.modes.transpose() * square.block<6, 1>(6, k);
    const bool bends = !square.bottomRightCorner<6, 6>().isZero(0.0);
    for (Eigen::Index k = 0; k < n.modes.cols(); ++k) {
      auto column = H.col(columns[1] + k);
      const Vec6 shape = n.modes.col(k);
      column.segment<6>(rows[0]) += square.topRightCorner<6, 6>() * shape;
      if (!bends) continue;
      const Vec6 inner = square.bottomRightCorner<6, 6>() * shape;
      column.segment(rows[1], modes_m).noalias() += m.modes.transpose() * inner;
    }
  }

  std::array<BlockId, 2> blocks_;
  NodeShape shape_;
  const ModeSums& sums_ = mode_sums();
};

const Modal* as_modal(const Carrier& carrier) {
  return typeid(carrier) == typeid(Modal) ? static_cast<const Modal*>(&carrier) : nullptr;
}

}  // namespace

std::shared_ptr<const Carrier> modal_carrier(BlockId frame, BlockId modes, NodeShape shape) {
  return std::make_shared<Modal>(frame, modes, std::move(shape));
}

const NodeShape* modal_shape(const Carrier& carrier) {
  const Modal* const modal = as_modal(carrier);
  return modal != nullptr ? &modal->shape() : nullptr;
}

Eigen::Matrix<double, 6, kNodeMotions> modal_jacobian(const Seat& seat) { return Modal::jacobian(seat); }

Eigen::Matrix<double, kNodeMotions, kNodeMotions> modal_curvature(const Seat& seat, const Vec3& f,
                                                                  const Vec3& tau) {
  return Modal::square_of(seat, f, tau);
}

}  // namespace trunnion::assembly
