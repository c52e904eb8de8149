#pragma once
// The chart of assembly/chart.hpp over coordinates of joints and states: numbers, and rotations told by three. What differs from going on as
// at the last accepted point does:  x = x₀ + v₀ (t − t₀) + d,  R = R₀ exp(ω₀ (t − t₀)) exp(d).

#include <span>
#include <vector>

#include "assembly/chart.hpp"

namespace trunnion::solve {

class JointChart {
 public:
  using VectorXd = Eigen::VectorXd;

  void add_numbers(int offset, int pose_offset, int count);
  void add_rotation(int offset, int pose_offset);

  void start(const assembly::State& y);
  void look(double t);
  void place(const VectorXd& d, VectorXd& q) const;
  void coordinates(const VectorXd& q, VectorXd& d) const;
  void rate(const VectorXd& d, const VectorXd& q, const VectorXd& v, VectorXd& d_dot) const;  // d at q
  // q ⊕ δ
  void retract(const VectorXd& delta, VectorXd& q) const;
  int turns_known(std::span<const assembly::Chart::Point> past) const;
  double turned(const VectorXd& d) const;  // of the rotation that turned most

 private:
  struct Rotation {
    int offset, pose_offset;
  };
  int turns_known(const Rotation& rotation, std::span<const assembly::Chart::Point> past) const;

  std::vector<assembly::Run> runs_;
  std::vector<Rotation> rotations_;
  std::vector<math::Quat> ahead_;
  std::vector<math::Vec3> steady_;  // R₀ω₀ of each rotation, which a chart that turns steadily keeps
  double t0_ = 0, t_ = 0;
  VectorXd q0_, v0_;
};

}  // namespace trunnion::solve
