#pragma once
// The SPLINE and CURVE data of a model, by id. Interpolants are made when a program asks for them in bind()
// and shared by all programs; afterwards they are only read. A TableSet must outlive the programs bound to
// it, and must not be given to bind() from two threads at once.

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "math/curve.hpp"
#include "math/surface.hpp"

namespace trunnion::expr {

class TableSet {
 public:
  // Returns an empty string, or what is wrong with the data (nothing is added then).
  std::string add_spline(int id, math::SplineData data);
  void add_curve(int id, math::Curve curve);

  const math::SplineData* spline_data(int id) const;  // null if there is none
  const math::Surface* surface(int id, math::Interpolation method);
  const math::Curve* curve(int id) const;

 private:
  std::map<int, math::SplineData> splines_;
  std::map<int, std::unique_ptr<math::Curve>> curves_;
  std::map<std::pair<int, math::Interpolation>, std::unique_ptr<math::Surface>> surfaces_;
};

}  // namespace trunnion::expr
