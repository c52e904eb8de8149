#pragma once
// A curve in a plane as the edge of something: which side is inside, and how far a point of the plane is from it.
//
// Seen against z of its own axes the inside is on the left as the parameter grows; of a closed curve it is what the curve goes round.
// `turned` exchanges inside and outside. With ν the outward normal at the foot of a point y and κ = c''·ν/|c'|² there:
//   d = (y − c)·ν ,  ∇d = ν ,  ∇²d = −κ/(1 − κ d) t tᵀ
// At a corner that is nearest d is the distance from it. Beyond the ends of an open curve there is no inside.

#include <memory>
#include <string>
#include <vector>

#include "math/curve.hpp"
#include "math/so3.hpp"

namespace trunnion::math {

class PlaneCurve {
 public:
  using Vec2 = Eigen::Vector2d;

  // Null, with the reason, where the curve is in no plane or has no length. `up`: the side it is seen from, which its own z is nearest to.
  static std::shared_ptr<const PlaneCurve> make(const Curve& curve, const Vec3& up, bool turned,
                                                std::string& why);

  // Its axes in those that the curve was given in: origin in its middle, z across its plane.
  const Vec3& p() const { return p_; }
  const Mat3& R() const { return R_; }
  // About its origin; of what is turned inside out as far again: that thick it is.
  double bound() const { return bound_; }
  bool closed() const { return closed_; }
  bool has_corners() const { return corners_; }

  struct At {
    Vec2 c, d1, d2;  // with derivatives by the parameter
  };
  At at(double alpha) const;
  // Samples close enough that between two of them there is at most one foot of a point near by; corners and ends are among them. A closed
  // curve's last is its first.
  const std::vector<double>& samples() const { return alpha_; }
  const std::vector<Vec2>& points() const { return points_; }  // where they are …
  const std::vector<double>& apart() const { return apart_; }  // … and each from the next
  double most_apart() const { return most_apart_; }

  struct Foot {
    double distance = 0;  // negative inside
    Vec2 normal = Vec2::UnitX();
    double curvature = 0;  // of the distance, along the curve
    double alpha = 0;
  };
  Foot foot(const Vec2& y) const;

 private:
  Vec2 outward(const Vec2& tangent) const;
  Foot foot_within(const Vec2& y, double low, double high) const;
  Foot smooth_foot(const Vec2& y, double alpha) const;
  Foot foot_at_sample(const Vec2& y, std::size_t k) const;
  bool find_plane(const Vec3& up, std::string& why);
  void take_samples();
  void group_samples();
  void add_corner(double low, double high);

  Curve curve_;
  Vec3 p_ = Vec3::Zero();
  Mat3 R_ = Mat3::Identity();
  std::vector<double> alpha_;
  std::vector<Vec2> points_;
  std::vector<double> apart_;
  double most_apart_ = 0;
  struct
      Group {  // of samples that follow one another, the last being the next one's first: a circle about them
    std::size_t first, last;
    Vec2 middle;
    double radius;
  };
  std::vector<Group> groups_;
  double bound_ = 0, side_ = 1;
  bool closed_ = false, corners_ = false;
};

}  // namespace trunnion::math
