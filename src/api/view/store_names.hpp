#pragma once
// Results of the commercial tool's results file under the names of our store, which need the model:
//   PART/2.X …          added to XFORM/2.X …: the mass centre and the CM marker's axes instead of the part's frame. As far as
//                       they are there: WDZ, or PHI
//   REQUEST/1.F1 … F8   where CNAMES calls them otherwise

#include <set>

#include "math/so3.hpp"
#include "model/model.hpp"
#include "results/read/history.hpp"

namespace trunnion::api {

class StoreNames final : public results::History {
 public:
  StoreNames(results::History& inner, const model::Model& model);

  std::vector<std::vector<double>> columns(const std::vector<std::size_t>& places) override;
  std::vector<results::StepRecord> steps() override { return inner_.steps(); }
  std::string text(const char* name) override { return inner_.text(name); }
  bool finished() override { return inner_.finished(); }
  std::string title() override { return inner_.title(); }
  bool keeps(const results::Channel& channel) const override {
    return inner_.keeps(channel) && !nameless_.contains(channel.name);
  }
  double rounding() const override { return inner_.rounding(); }

 private:
  struct Part {
    std::size_t from = 0, first = 0;  // place of XFORM/….X in the inner channels, and of PART/….X in ours
    std::size_t count = 0;            // 18, or 6
    math::Vec3 p_BC;
    math::Mat3 R_BC;
  };
  void add_parts(const model::Model& model);
  void rename_requests(const model::Model& model);
  std::vector<std::vector<double>> moved(const Part& part);

  results::History& inner_;
  std::set<std::string> nameless_;  // components that CNAMES leaves out of the file
  std::vector<Part> parts_;         // their channels come after those of the inner
};

}  // namespace trunnion::api
