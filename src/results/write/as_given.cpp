#include "results/write/as_given.hpp"

#include <algorithm>

namespace trunnion::results {

namespace {

using Numbers = std::vector<double>;

Place place(const system::Frame& at, const Numbers& origin, const Numbers& angles) {
  const math::EulerAngles computed = math::euler_313(at.R);
  Place out{at.p.x(), at.p.y(), at.p.z(), computed.first, computed.second, computed.third};
  if (origin.size() == 3) std::copy(origin.begin(), origin.end(), out.begin());
  if (angles.size() == 3) std::copy(angles.begin(), angles.end(), out.begin() + 3);
  return out;
}

}  // namespace

Place as_given(const system::Frames& frames, const model::Part& part) {
  return place(frames.body({model::kind_of<model::Part>(), part.id}), part.qg, part.reuler);
}

Place as_given(system::Frames& frames, const model::Marker& marker) {
  const bool on_part = !marker.rm.given();  // else the numbers written are along another marker's axes
  return place(frames.marker_on_body(marker.id), on_part ? marker.qp : Numbers(),
               on_part ? marker.reuler : Numbers());
}

}  // namespace trunnion::results
