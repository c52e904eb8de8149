#include "solve/joint_chart.hpp"

#include <algorithm>
#include <cmath>

#include "math/so3_turn.hpp"

namespace trunnion::solve {

using assembly::load_quat;
using assembly::Run;
using assembly::store_quat;
using math::Quat;
using math::Vec3;
using Point = assembly::Chart::Point;

namespace {

// ḋ where the frame turns with ω, the chart with ω₀.
Vec3 increment_rate(const Vec3& d, const Vec3& w, const Vec3& w0) {
  return math::so3_right_jacobian_inverse(d) * (w - math::so3_exp_quat(d).conjugate() * w0);
}

}  // namespace

void JointChart::add_numbers(int offset, int pose_offset, int count) {
  if (count == 0) return;
  if (!runs_.empty()) {
    Run& last = runs_.back();
    if (last.offset + last.size == offset && last.pose_offset + last.size == pose_offset) {
      last.size += count;
      return;
    }
  }
  runs_.push_back({offset, pose_offset, count});
}

void JointChart::add_rotation(int offset, int pose_offset) {
  rotations_.push_back({offset, pose_offset});
  ahead_.push_back(Quat::Identity());
  steady_.emplace_back(Vec3::Zero());
}

void JointChart::start(const assembly::State& y) {
  t0_ = y.t;
  q0_ = y.q;
  v0_ = y.v;
  for (std::size_t k = 0; k < rotations_.size(); ++k) {
    ahead_[k] = load_quat(q0_, rotations_[k].pose_offset);
    steady_[k] = ahead_[k] * Vec3(v0_.segment<3>(rotations_[k].offset));
  }
  t_ = y.t;
}

void JointChart::look(double t) {
  if (t == t_) return;
  t_ = t;
  for (std::size_t k = 0; k < rotations_.size(); ++k)
    ahead_[k] = math::so3_compose(load_quat(q0_, rotations_[k].pose_offset),
                                  (t - t0_) * v0_.segment<3>(rotations_[k].offset));
}

void JointChart::place(const VectorXd& d, VectorXd& q) const {
  const double h = t_ - t0_;
  for (const Run& r : runs_)
    q.segment(r.pose_offset, r.size) = q0_.segment(r.pose_offset, r.size) +
                                       (h * v0_.segment(r.offset, r.size) + d.segment(r.offset, r.size));
  for (std::size_t k = 0; k < rotations_.size(); ++k)
    store_quat(math::so3_compose(ahead_[k], d.segment<3>(rotations_[k].offset)), q,
               rotations_[k].pose_offset);
}

void JointChart::coordinates(const VectorXd& q, VectorXd& d) const {
  const double h = t_ - t0_;
  for (const Run& r : runs_)
    d.segment(r.offset, r.size) = (q.segment(r.pose_offset, r.size) - q0_.segment(r.pose_offset, r.size)) -
                                  h * v0_.segment(r.offset, r.size);
  for (std::size_t k = 0; k < rotations_.size(); ++k)
    d.segment<3>(rotations_[k].offset) =
        math::so3_log(Quat(ahead_[k].conjugate() * load_quat(q, rotations_[k].pose_offset)));
}

// exp(d)ᵀω₀ = RᵀR₀ω₀.
void JointChart::rate(const VectorXd& d, const VectorXd& q, const VectorXd& v, VectorXd& d_dot) const {
  d_dot = v - v0_;
  for (std::size_t k = 0; k < rotations_.size(); ++k) {
    const Rotation& r = rotations_[k];
    const Vec3 turn = v.segment<3>(r.offset) - load_quat(q, r.pose_offset).conjugate() * steady_[k];
    d_dot.segment<3>(r.offset) = math::so3_right_jacobian_inverse_times(d.segment<3>(r.offset), turn);
  }
}

void JointChart::retract(const VectorXd& delta, VectorXd& q) const {
  for (const Run& r : runs_) q.segment(r.pose_offset, r.size) += delta.segment(r.offset, r.size);
  for (const Rotation& r : rotations_)
    store_quat(math::so3_compose(load_quat(q, r.pose_offset), delta.segment<3>(r.offset)), q, r.pose_offset);
}

double JointChart::turned(const VectorXd& d) const {
  double most = 0;
  for (const Rotation& r : rotations_) most = std::max(most, d.segment<3>(r.offset).norm());
  return most;
}

int JointChart::turns_known(std::span<const Point> past) const {
  auto known = past.size();
  for (const Rotation& r : rotations_) known = static_cast<std::size_t>(turns_known(r, past.first(known)));
  return static_cast<int>(known);
}

// As of assembly::Chart: turns are known while it is plain that they were small, and then as long as the rates at both ends of each step lead
// from one point to the next.
int JointChart::turns_known(const Rotation& rotation, std::span<const Point> past) const {
  constexpr double kPlain = 2.0, kDoubt = 1.0;
  const auto spin = [&](std::size_t j) -> Vec3 { return past[j].v->segment<3>(rotation.offset); };
  const auto turn = [&](std::size_t j) -> Vec3 { return past[j].d->segment<3>(rotation.offset); };
  const Vec3 w0 = v0_.segment<3>(rotation.offset);
  double way = 0;
  std::size_t j = 1;
  for (; j < past.size(); ++j) {
    way += (past[j - 1].t - past[j].t) * (w0.norm() + std::max(spin(j - 1).norm(), spin(j).norm()));
    if (way >= kPlain) break;
  }
  if (j == past.size()) return static_cast<int>(j);
  Vec3 last = turn(j - 1), last_rate = increment_rate(last, spin(j - 1), w0);
  for (; j < past.size(); ++j) {
    const Vec3 here = turn(j), rate = increment_rate(here, spin(j), w0);
    const Vec3 expected = last - 0.5 * (past[j - 1].t - past[j].t) * (last_rate + rate);
    if (here.norm() > 2 * assembly::kLargestTurn || (here - expected).norm() > kDoubt)
      return static_cast<int>(j);
    last = here;
    last_rate = rate;
  }
  return static_cast<int>(past.size());
}

}  // namespace trunnion::solve
