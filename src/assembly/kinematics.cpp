#include "assembly/kinematics.hpp"

namespace trunnion::assembly {

Kinematics::Kinematics(const Layout& layout, const MarkerTable& markers)
    : layout_(&layout),
      table_(&markers),
      bodies_(static_cast<std::size_t>(layout.block_count()) + 1),
      markers_(markers.all().size()) {}

void Kinematics::update(const State& state, Level level) {
  for (int b = 0; b < layout_->block_count(); ++b) {
    const Block& block = layout_->block({b});
    if (!block.is_body()) continue;
    BodyMotion& m = bodies_[static_cast<std::size_t>(b) + 1];
    const Pose at = pose(*layout_, {b}, state.q);
    m.x = at.x;
    m.R = at.R.toRotationMatrix();
    const int o = block.offset;
    switch (block.kind) {
      case BlockKind::rigid:
        m.v = state.v.segment<3>(o);
        m.w = m.R * state.v.segment<3>(o + 3);
        m.a = state.a.segment<3>(o);
        m.alpha = m.R * state.a.segment<3>(o + 3);
        break;
      case BlockKind::point:
        m.v = state.v.segment<3>(o);
        m.a = state.a.segment<3>(o);
        break;
      case BlockKind::planar: {
        const Plane& plane = layout_->plane(block);
        const Vec3 n = m.R * plane.normal_B;
        m.v = plane.axes * state.v.segment<2>(o);
        m.w = state.v[o + 2] * n;
        m.a = plane.axes * state.a.segment<2>(o);
        m.alpha = state.a[o + 2] * n;
        break;
      }
      default: break;
    }
  }
  for (std::size_t i = 0; i < markers_.size(); ++i) {
    const MarkerDef& def = table_->all()[i];
    const BodyMotion& b = body(def.body);
    MarkerMotion& m = markers_[i];
    m.r = b.R * def.p_BM;
    m.p = b.x + m.r;
    m.R = b.R * def.R_BM;
    if (level == Level::q) continue;
    m.v = b.v + b.w.cross(m.r);
    if (level == Level::v) continue;
    m.a = b.a + b.alpha.cross(m.r) + b.w.cross(b.w.cross(m.r));
  }
}

}  // namespace trunnion::assembly
