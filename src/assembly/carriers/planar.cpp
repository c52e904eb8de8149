// A planar part: travel along the two axes of its plane, turn about the normal; a constant choice among a rigid part's entries.

#include "assembly/carriers/bodies.hpp"
#include "assembly/carriers/framed.hpp"

namespace trunnion::assembly {
namespace {

class Planar final : public Framed<Planar> {
 public:
  static constexpr bool kTurns = true;

  void move_body(const Layout& layout, const Block& block, const State& state, BodyMotion& m) const override {
    const Plane& plane = layout.plane(block);
    const int p = block.pose_offset, o = block.offset;
    m.x = plane.origin + plane.axes * state.q.segment<2>(p);
    m.R = math::so3_compose(plane.R_GB0, state.q[p + 2] * plane.normal_B).toRotationMatrix();
    const Vec3 n = m.R * plane.normal_B;
    m.v = plane.axes * state.v.segment<2>(o);
    m.w = state.v[o + 2] * n;
    m.a = plane.axes * state.a.segment<2>(o);
    m.alpha = state.a[o + 2] * n;
  }
  Twist body_twist(const Layout& layout, const Block& block, const BodyMotion& m, int entry) const override {
    const Plane& plane = layout.plane(block);
    if (entry < 2) return {plane.axes.col(entry), Vec3::Zero()};
    return {Vec3::Zero(), m.R * plane.normal_B};
  }
  static void add(const Seat& seat, double* row, const Vec3& x_part, const Vec3& theta_part) {
    const Plane& plane = plane_of(seat);
    Eigen::Map<Eigen::Vector2d>(row) += plane.axes.transpose() * x_part;
    row[2] += plane.normal_B.dot(theta_part);
  }
  static void add_turn(const Seat& seat, MatMap& H, int column, const Mat3& tt) {
    const Vec3& n = plane_of(seat).normal_B;
    H(column + 2, column + 2) += n.dot(tt * n);
  }

 private:
  static const Plane& plane_of(const Seat& seat) {
    return seat.layout->plane(seat.layout->block(seat.def->body));
  }
};

}  // namespace

const BodyCarrier& planar_carrier() {
  static const Planar one;
  return one;
}

}  // namespace trunnion::assembly
