#include "analysis/extent.hpp"

#include <algorithm>
#include <cmath>

namespace trunnion::analysis {

double spread(const system::System& system, const assembly::Kinematics& kinematics) {
  math::Vec3 low = math::Vec3::Constant(HUGE_VAL), high = -low;
  const auto include = [&](const math::Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  };
  for (std::size_t k = 1; k < system.markers().all().size(); ++k) {
    const assembly::MarkerId id{static_cast<std::int32_t>(k)};
    if (system.markers()[id].body.valid()) include(kinematics.marker(id).p);
  }
  for (const system::Constraint& c : system.constraints()) {
    include(kinematics.marker(c.i).p);
    include(kinematics.marker(c.j).p);
  }
  for (const system::Force& f : system.forces()) {
    if (!(f.kind == model::kind_of<model::Contact>())) include(kinematics.marker(f.j).p);
  }
  for (const system::BodyInfo& body : system.bodies()) {
    if (body.block.valid()) include(kinematics.body(body.block).x);
  }
  const double side = (high - low).maxCoeff();
  return std::isfinite(side) && side > 0 ? side : 0;
}

double extent(const system::System& system, const assembly::Kinematics& kinematics) {
  const double side = spread(system, kinematics);
  return side > 0 ? side : 1;
}

double pace(const system::System& system, const assembly::State& state, system::System::Workspace& work) {
  system.update(state, work);
  const double length = extent(system, work.kinematics);
  double fastest = 0;
  for (const system::BodyInfo& info : system.bodies()) {
    if (!info.block.valid()) continue;
    const assembly::BodyMotion& b = work.kinematics.body(info.block);
    fastest = std::max({fastest, b.w.norm(), b.v.norm() / length, std::sqrt(b.alpha.norm()),
                        std::sqrt(b.a.norm() / length)});
  }
  return fastest;
}

}  // namespace trunnion::analysis
