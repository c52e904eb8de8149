#pragma once
// The SPLINE and CURVE data of a model, by id. Interpolants are made when a program asks for them in bind()
// and shared by all programs; afterwards they are only read. A TableSet must outlive the programs bound to
// it, and must not be given to bind() from two threads at once.

#include <atomic>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "math/curve.hpp"
#include "math/surface.hpp"

namespace trunnion::expr {

// From the first to the last of the values along one axis, and where AKISPL or CUBSPL was last asked beyond them; NaN: nowhere since
// forget().
struct AxisRange {
  double min = 0, max = 0;
  std::atomic<double> outside{std::numeric_limits<double>::quiet_NaN()};

  void note(double at) {
    const double slack = kSlack * (max - min);
    if (at < min - slack || at > max + slack) outside.store(at, std::memory_order_relaxed);
  }
  static constexpr double kSlack = 1e-9;  // sums of output steps are not exact
};

struct SplineRange {
  AxisRange x, z;
  bool family = false;  // of curves: z counts

  void note(double at_x, double at_z) {
    x.note(at_x);
    if (family) z.note(at_z);
  }
};

// A SPLINE read beyond its points.
struct OutsideReading {
  int spline = 0;
  bool by_z = false;  // the second argument
  double at = 0, min = 0, max = 0;
};

class TableSet {
 public:
  // Returns an empty string, or what is wrong with the data (nothing is added then).
  std::string add_spline(int id, math::SplineData data);
  void add_curve(int id, math::Curve curve);

  const math::SplineData* spline_data(int id) const;  // null if there is none
  const math::Surface* surface(int id, math::Interpolation method);
  const math::Curve* curve(int id) const;

  SplineRange* range(int id) const;  // null if there is none
  // Since forget(), by id, x before z.
  std::vector<OutsideReading> read_outside() const;
  void forget() const;

 private:
  std::map<int, std::unique_ptr<SplineRange>> ranges_;
  std::map<int, math::SplineData> splines_;
  std::map<int, std::unique_ptr<math::Curve>> curves_;
  std::map<std::pair<int, math::Interpolation>, std::unique_ptr<math::Surface>> surfaces_;
};

}  // namespace trunnion::expr
