#pragma once
// What the viewer draws: bodies, markers on them, GRAPHICS, joints and forces, as JSON. Frames on a body are given from
// its CM marker, whose place and axes are what PART/n.X … PHI tell. "notes": what is drawn otherwise than the model asks.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/model.hpp"
#include "results/read/history.hpp"
#include "results/write/modes.hpp"
#include "results/write/shapes.hpp"

namespace trunnion::api {

// `folder`: of the files that GRAPHICS/EXTERNAL names. One that cannot be read is not drawn, nor one that lies elsewhere unless
// `allow_outside`: a page that is passed on must not carry what somebody else's model picked from this machine.
// `flexible`: how FLEX_BODYs look; those that are not in it are drawn by their markers.
nlohmann::ordered_json scene(const model::Model& model, const std::string& folder = {},
                             bool allow_outside = false,
                             const std::vector<results::DeformingBody>& flexible = {});

struct PageOptions {
  std::string channels;       // patterns; empty: all. What the motion needs is always in it
  std::size_t frames = 4000;  // at most
  std::vector<results::ModeSet> modes = {};
  std::vector<results::DeformingBody> flexible = {};  // of the store; from the model's folder where empty
  std::string model = {};      // text of a model file, for results that have none inside
  std::string folder = {};     // of the model; the one the run was told unless given
  bool allow_outside = false;  // shapes from elsewhere than that folder
  std::size_t most_bytes = std::size_t{96}
                           << 20;  // of the numbers of a run; rows, then channels are left out
};
struct Page {
  std::string html;                // empty, with the reason, where it cannot be made
  std::vector<std::string> notes;  // what of the run is not in it, and what to do
};
// The whole page from the viewer's template. `overlay` may be null.
Page page(const std::string& page_template, results::History& run, const std::string& run_name,
          results::History* overlay, const std::string& overlay_name, const PageOptions& options,
          std::string& error);

}  // namespace trunnion::api
