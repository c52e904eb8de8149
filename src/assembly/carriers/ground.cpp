// Ground: markers stand where they are defined; no unknowns.

#include "assembly/carriers/bodies.hpp"

namespace trunnion::assembly {
namespace {

class Ground final : public Carrier {
 public:
  std::span<const BlockId> blocks(const MarkerDef&) const override { return {}; }
  bool shifts_by_translations() const override { return true; }
  bool turns_with_body() const override { return true; }
  void move(const Seat& seat, const State&, Level, MarkerMotion& m) const override {
    m.p = seat.def->p_BM;
    m.R = seat.def->R_BM;
  }
  Twist twist(const Seat&, int, int) const override { return {}; }
  void pull(const Seat&, const Vec3&, const Vec3&, double*, const int*) const override {}
  void curvature(const Seat&, const Vec3&, const Vec3&, MatMap&, const int*) const override {}
  void rate_in_q(const Seat&, const Vec3&, const Vec3&, double*, const int*) const override {}
  void acceleration_in_q(const Seat&, const Vec3&, const Vec3&, double*, const int*) const override {}
  void acceleration_in_v(const Seat&, const Vec3&, const Vec3&, double*, const int*) const override {}
};

}  // namespace

const Carrier& ground_carrier() {
  static const Ground one;
  return one;
}

}  // namespace trunnion::assembly
