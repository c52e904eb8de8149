// A rigid part: its six entries are ẋ in ground axes and ω in body axes.

#include "assembly/carriers/bodies.hpp"
#include "assembly/carriers/framed.hpp"

namespace trunnion::assembly {
namespace {

class Rigid final : public Framed<Rigid> {
 public:
  static constexpr bool kTurns = true;

  void move_body(const Layout&, const Block& block, const State& state, BodyMotion& m) const override {
    const int p = block.pose_offset, o = block.offset;
    const Quat R(state.q[p + 3], state.q[p + 4], state.q[p + 5], state.q[p + 6]);
    m.x = state.q.segment<3>(p);
    m.R = R.toRotationMatrix();
    m.v = state.v.segment<3>(o);
    m.w = m.R * state.v.segment<3>(o + 3);
    m.a = state.a.segment<3>(o);
    m.alpha = m.R * state.a.segment<3>(o + 3);
  }
  Twist body_twist(const Layout&, const Block&, const BodyMotion& m, int entry) const override {
    if (entry < 3) return {Vec3::Unit(entry), Vec3::Zero()};
    return {Vec3::Zero(), m.R.col(entry - 3)};
  }
  static void add(const Seat&, double* row, const Vec3& x_part, const Vec3& theta_part) {
    Eigen::Map<Vec3>(row) += x_part;
    Eigen::Map<Vec3>(row + 3) += theta_part;
  }
  static void add_turn(const Seat&, MatMap& H, int column, const Mat3& tt) {
    H.block<3, 3>(column + 3, column + 3) += tt;
  }
  bool pull_square(const Seat& m, const int* rows, const Seat& n, const int* columns, const WrenchGradient& P,
                   MatMap& H) const override {
    if (n.carrier != this) return false;
    const Mat3 &R_m = m.body->R, &R_n = n.body->R;
    auto block = H.block<6, 6>(rows[0], columns[0]);
    if (P.f_p == nullptr && P.f_turn == nullptr &&
        P.tau_p == nullptr) {  // pure orientation, the most frequent
      if (P.tau_turn != nullptr) block.bottomRightCorner<3, 3>() += R_m.transpose() * *P.tau_turn * R_n;
      return true;
    }
    const Mat3 zero = Mat3::Zero();
    const Mat3 r_m = math::hat(arm(m)), r_n = math::hat(arm(n));
    const Mat3& fp = P.f_p != nullptr ? *P.f_p : zero;
    const Mat3& ft = P.f_turn != nullptr ? *P.f_turn : zero;
    Mat3 mp = r_m * fp, mt = r_m * ft;  // moment about the body's origin
    if (P.tau_p != nullptr) mp += *P.tau_p;
    if (P.tau_turn != nullptr) mt += *P.tau_turn;
    block.topLeftCorner<3, 3>() += fp;
    block.topRightCorner<3, 3>() += (ft - fp * r_n) * R_n;
    block.bottomLeftCorner<3, 3>() += R_m.transpose() * mp;
    block.bottomRightCorner<3, 3>() += R_m.transpose() * (mt - mp * r_n) * R_n;
    return true;
  }
};

}  // namespace

const BodyCarrier& rigid_carrier() {
  static const Rigid one;
  return one;
}

}  // namespace trunnion::assembly
