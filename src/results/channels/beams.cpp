#include "results/channels/beams.hpp"

#include <fmt/format.h>

#include "elements/beam_element.hpp"
#include "results/channels/unit_names.hpp"

namespace trunnion::results {

void BeamChannels::list(std::vector<Channel>& channels) const {
  const UnitNames u = unit_names(system_.units());
  constexpr const char* kForces[] = {"FX", "FY", "FZ", "TX", "TY", "TZ"};
  constexpr const char* kStrains[] = {"EX", "EY", "EZ", "KX", "KY", "KZ"};
  const std::string bending = u.length == "1" ? "1" : "1/" + u.length;
  for (const system::BeamInfo& beam : system_.beams()) {
    for (std::size_t k = 0; k < beam.count; ++k) {
      const std::string group =
          fmt::format("FE_PART/{}.{}-{}.", beam.id, beam.node_names[k], beam.node_names[k + 1]);
      for (std::size_t i = 0; i < 6; ++i)
        channels.push_back({group + kForces[i], i < 3 ? u.force : u.torque, beam.label.subject()});
      for (std::size_t i = 0; i < 6; ++i)
        channels.push_back({group + kStrains[i], i < 3 ? "1" : bending, beam.label.subject()});
    }
  }
}

void BeamChannels::sample(const assembly::Evaluation& at, std::vector<double>& values) const {
  const double ucf = system_.units().ucf;
  for (const elements::BeamElement& element : system_.beam_elements()) {
    const elements::BeamStrains strains = elements::strains_of(element, at);
    for (std::size_t k = 0; k < static_cast<std::size_t>(element.segments()); ++k) {
      for (int i = 0; i < 6; ++i) values.push_back(strains[k].force[i] / ucf);
      for (int i = 0; i < 6; ++i) values.push_back(strains[k].strain[i]);
    }
  }
}

}  // namespace trunnion::results
