#include "api/part_motion.hpp"

#include <map>

#include <fmt/format.h>

#include "system/frames.hpp"

namespace trunnion::api {

namespace {

constexpr const char* kPlace[] = {"X", "Y", "Z", "PSI", "THETA", "PHI"};

}  // namespace

PartMotion::PartMotion(results::History& inner, const model::Model& model) : inner_(inner) {
  channels_ = inner.channels();
  rows_ = inner.rows();
  core::Diagnostics said_before;
  system::Frames frames(model, said_before);
  for (const model::Part& part : model.all<model::Part>()) {
    const auto from = inner.find(fmt::format("XFORM/{}.X", part.id));
    const auto last = inner.find(fmt::format("XFORM/{}.PHI", part.id));
    if (part.ground || !from || last != *from + 5 || inner.find(fmt::format("PART/{}.X", part.id))) continue;
    const system::Frame X_BC = part.cm.given() ? frames.marker_on_body(part.cm.id) : system::Frame{};
    parts_.push_back({*from, X_BC.p, X_BC.R});
    for (int k = 0; k < 6; ++k)
      channels_.push_back({fmt::format("PART/{}.{}", part.id, kPlace[k]),
                           inner.channels()[*from + static_cast<std::size_t>(k)].unit});
  }
}

std::vector<std::vector<double>> PartMotion::moved(const Part& part) {
  std::vector<std::size_t> places(6);
  for (std::size_t k = 0; k < 6; ++k) places[k] = part.from + k;
  auto all = inner_.columns(places);
  // Files of other programs have angles in degrees.
  const bool degrees = channels_[part.from + 3].unit == "deg";
  const double angle = degrees ? M_PI / 180 : 1;
  for (std::size_t r = 0; r < rows_; ++r) {
    const math::Mat3 R =
        math::rotation_from_euler_313({angle * all[3][r], angle * all[4][r], angle * all[5][r]});
    const math::Vec3 p = math::Vec3(all[0][r], all[1][r], all[2][r]) + R * part.p_BC;
    const math::EulerAngles e = math::euler_313(R * part.R_BC);
    const double values[] = {p.x(), p.y(), p.z(), e.first / angle, e.second / angle, e.third / angle};
    for (std::size_t k = 0; k < 6; ++k) all[k][r] = values[k];
  }
  return all;
}

std::vector<std::vector<double>> PartMotion::columns(const std::vector<std::size_t>& places) {
  const std::size_t own = inner_.channels().size();
  std::vector<std::vector<double>> out(places.size());
  std::vector<std::size_t> plain, where;
  std::map<std::size_t, std::vector<std::vector<double>>> done;
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (places[k] < own) {
      plain.push_back(places[k]);
      where.push_back(k);
      continue;
    }
    const std::size_t part = (places[k] - own) / 6;
    auto [at, fresh] = done.try_emplace(part);
    if (fresh) at->second = moved(parts_[part]);
    out[k] = at->second[(places[k] - own) % 6];
  }
  auto read = inner_.columns(plain);
  for (std::size_t k = 0; k < where.size(); ++k) out[where[k]] = std::move(read[k]);
  return out;
}

}  // namespace trunnion::api
