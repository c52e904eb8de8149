#pragma once
// Results that tell of part frames (XFORM/2.X …, from the commercial tool's results file) with PART/2.X … PHI added: the
// place and axes of the CM marker, which need the model.

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
    std::size_t from = 0;  // place of XFORM/….X in the inner channels
    math::Vec3 p_BC;
    math::Mat3 R_BC;
  };
  std::vector<std::vector<double>> moved(const Part& part);

  results::History& inner_;
  std::vector<Part> parts_;  // six channels each, after those of the inner
};

}  // namespace trunnion::api
