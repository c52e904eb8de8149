#pragma once
// Results that tell of part frames (XFORM/2.X …, from the commercial tool's results file) with PART/2.X … added: the
// same of the mass centre and the CM marker's axes, which need the model. As far as they are there: WDZ, or PHI.

#include "math/so3.hpp"
#include "model/model.hpp"
#include "results/history.hpp"

namespace trunnion::api {

class PartMotion final : public results::History {
 public:
  PartMotion(results::History& inner, const model::Model& model);

  std::vector<std::vector<double>> columns(const std::vector<std::size_t>& places) override;
  std::vector<results::StepRecord> steps() override { return inner_.steps(); }
  std::string text(const char* name) override { return inner_.text(name); }
  bool finished() override { return inner_.finished(); }
  std::string title() override { return inner_.title(); }

 private:
  struct Part {
    std::size_t from = 0, first = 0;  // place of XFORM/….X in the inner channels, and of PART/….X in ours
    std::size_t count = 0;            // 18, or 6
    math::Vec3 p_BC;
    math::Mat3 R_BC;
  };
  std::vector<std::vector<double>> moved(const Part& part);

  results::History& inner_;
  std::vector<Part> parts_;  // their channels come after those of the inner
};

}  // namespace trunnion::api
