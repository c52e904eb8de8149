// A point mass: ẋ alone; its markers keep the ground's axes.

#include "assembly/carriers/bodies.hpp"
#include "assembly/carriers/framed.hpp"

namespace trunnion::assembly {
namespace {

class Point final : public Framed<Point> {
 public:
  static constexpr bool kTurns = false;

  void move_body(const Layout&, const Block& block, const State& state, BodyMotion& m) const override {
    m.x = state.q.segment<3>(block.pose_offset);
    m.v = state.v.segment<3>(block.offset);
    m.a = state.a.segment<3>(block.offset);
  }
  Twist body_twist(const Layout&, const Block&, const BodyMotion&, int entry) const override {
    return {Vec3::Unit(entry), Vec3::Zero()};
  }
  static void add(const Seat&, double* row, const Vec3& x_part, const Vec3&) {
    Eigen::Map<Vec3>(row) += x_part;
  }
};

}  // namespace

const BodyCarrier& point_carrier() {
  static const Point one;
  return one;
}

}  // namespace trunnion::assembly
