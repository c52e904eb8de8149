#include "results/channels/request_names.hpp"

#include <algorithm>
#include <array>

namespace trunnion::results {

namespace {

using Names = std::array<const char*, kRequestComponents>;
constexpr Names kMotion{"MAG", "X", "Y", "Z", "AMAG", "R1", "R2", "R3"};
constexpr Names kForces{"FM", "FX", "FY", "FZ", "TM", "TX", "TY", "TZ"};
constexpr Names kFunctions{"U1", "U2", "U3", "U4", "U5", "U6", "U7", "U8"};

}  // namespace

std::string request_component(const model::Request& request, std::size_t k) {
  if (!request.cnames.empty()) return k < request.cnames.size() ? request.cnames[k] : "";
  if (!request.quantity.given()) return kFunctions[k];
  return request.quantity.value() == model::Quantity::force ? kForces[k] : kMotion[k];
}

std::vector<std::string> usual_request_components(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const Names& usual : {kMotion, kForces, kFunctions}) {
    if (!std::equal(usual.begin(), usual.end(), names.begin(), names.end())) continue;
    for (std::size_t k = 1; k <= kRequestComponents; ++k) out.push_back("F" + std::to_string(k));
  }
  return out;
}

}  // namespace trunnion::results
