#include "api/view/store_names.hpp"

#include <map>

#include <fmt/format.h>

#include "results/channels/request_names.hpp"
#include "system/frames.hpp"

namespace trunnion::api {

using math::Vec3;

StoreNames::StoreNames(results::History& inner, const model::Model& model) : inner_(inner) {
  channels_ = inner.channels();
  rows_ = inner.rows();
  rename_requests(model);
  add_parts(model);
}

void StoreNames::rename_requests(const model::Model& model) {
  for (const model::Request& request : model.all<model::Request>()) {
    if (request.cnames.empty()) continue;
    for (std::size_t k = 0; k < results::kRequestComponents; ++k) {
      const std::string ours = fmt::format("REQUEST/{}.F{}", request.id, k + 1),
                        theirs = results::request_component(request, k);
      if (theirs.empty()) nameless_.insert(ours);
      else if (const auto place = inner_.find(fmt::format("REQUEST/{}.{}", request.id, theirs)))
        channels_[*place].name = ours;
    }
  }
}

void StoreNames::add_parts(const model::Model& model) {
  core::Diagnostics said_before;
  system::Frames frames(model, said_before);
  for (const model::Part& part : model.all<model::Part>()) {
    const auto place = [&](const char* component) {
      return inner_.find(fmt::format("XFORM/{}.{}", part.id, component));
    };
    const auto from = place("X");
    if (part.ground || !from || inner_.find(fmt::format("PART/{}.X", part.id))) continue;
    const std::size_t count = place("WDZ") == *from + 17 ? 18 : place("PHI") == *from + 5 ? 6 : 0;
    const system::Frame X_BC = part.cm.given() ? frames.marker_on_body(part.cm.id) : system::Frame{};
    if (count > 0) parts_.push_back({*from, channels_.size(), count, X_BC.p, X_BC.R});
    for (std::size_t k = 0; k < count; ++k) {
      const results::Channel& channel = inner_.channels()[*from + k];
      channels_.push_back({"PART" + channel.name.substr(5), channel.unit});
    }
  }
}

std::vector<std::vector<double>> StoreNames::moved(const Part& part) {
  std::vector<std::size_t> places(part.count);
  for (std::size_t k = 0; k < part.count; ++k) places[k] = part.from + k;
  auto all = inner_.columns(places);
  // Files of other programs have angles in degrees.
  const double angle = channels_[part.from + 3].unit == "deg" ? M_PI / 180 : 1;
  for (std::size_t row = 0; row < rows_; ++row) {
    const auto get = [&](std::size_t k) { return Vec3(all[k][row], all[k + 1][row], all[k + 2][row]); };
    const auto put = [&](std::size_t k, const Vec3& v) {
      for (std::size_t c = 0; c < 3; ++c) all[k + c][row] = v[static_cast<Eigen::Index>(c)];
    };
    const Vec3 angles = angle * get(3);
    const math::Mat3 R = math::rotation_from_euler_313({angles.x(), angles.y(), angles.z()});
    const math::EulerAngles e = math::euler_313(R * part.R_BC);
    const Vec3 r = R * part.p_BC;
    put(0, get(0) + r);
    put(3, Vec3(e.first, e.second, e.third) / angle);
    if (part.count < 18) continue;
    const Vec3 w = angle * get(9), alpha = angle * get(15);
    put(6, get(6) + w.cross(r));
    put(12, get(12) + alpha.cross(r) + w.cross(w.cross(r)));
  }
  return all;
}

std::vector<std::vector<double>> StoreNames::columns(const std::vector<std::size_t>& places) {
  std::vector<std::vector<double>> out(places.size());
  std::vector<std::size_t> plain, where;
  std::map<std::size_t, std::vector<std::vector<double>>> done;
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (places[k] < inner_.channels().size()) {
      plain.push_back(places[k]);
      where.push_back(k);
      continue;
    }
    std::size_t p = 0;
    while (places[k] >= parts_[p].first + parts_[p].count) ++p;
    auto [at, fresh] = done.try_emplace(p);
    if (fresh) at->second = moved(parts_[p]);
    out[k] = at->second[places[k] - parts_[p].first];
  }
  auto read = inner_.columns(plain);
  for (std::size_t k = 0; k < where.size(); ++k) out[where[k]] = std::move(read[k]);
  return out;
}

}  // namespace trunnion::api
