#include "api/present/contact_log.hpp"

#include <fmt/format.h>

namespace trunnion::api {

std::optional<std::string> ContactLog::take(const integrate::Incident& incident) {
  const auto [at, fresh] = places_.try_emplace(incident.contact, all_.size());
  if (fresh) all_.push_back({incident.contact, false, 0, {}, {}});
  ContactHistory& history = all_[at->second];
  if (history.touching == incident.begins) return {};  // the formula starts anew while it touches
  history.touching = incident.begins;
  std::vector<double>& times = incident.begins ? history.touched : history.released;
  if (times.size() < kKept) times.push_back(incident.t);
  if (incident.begins) ++history.touches;
  constexpr int kSaid = 20;
  if (!fresh || incident.at_start || ++said_ > kSaid) return {};
  return fmt::format("t = {:.9g}: {} touches{}", incident.t, incident.contact,
                     said_ == kSaid ? "; first touches after this one are not told" : "");
}

}  // namespace trunnion::api
