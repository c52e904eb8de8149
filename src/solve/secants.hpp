#pragma once
// What an old matrix B has been seen to get wrong. After a correction s with B the residual r that is left says how: B s should have
// been B s + r. Broyden's update makes it so and changes B nowhere else,
//   B⁺ = B + r sᵀW / sᵀWs,      B⁺⁻¹ b = x − z sᵀWx / (sᵀWs + sᵀWz),   x = B⁻¹ b,  z = B⁻¹ r
// A contact that has closed since the matrix was made is one such direction: a second iteration finds it, the following ones know it. W are the masses
// and moments of inertia, so that no unit counts.

#include <vector>

#include <Eigen/Core>

namespace trunnion::solve {

class Secants {
 public:
  // For `unknowns`, of which the first have weights. Room for all that is kept: stages allocate nothing.
  void prepare(Eigen::VectorXd weights, Eigen::Index unknowns);
  // None is known of a new matrix.
  void clear() { count_ = 0; }
  bool empty() const { return count_ == 0; }
  // A stage begins: old ones make room.
  void begin() {
    if (count_ > kMost / 2) clear();
  }
  // x ← B⁻¹ b from what the factors gave.
  void apply(Eigen::VectorXd& x) const;
  // `x` was found after the correction kept last: what these two tell, which changes x and is remembered.
  void learn(Eigen::VectorXd& x);
  void keep(const Eigen::VectorXd& correction) { last_ = correction; }

 private:
  static constexpr int kMost = 8;
  double dot(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const;

  Eigen::VectorXd w_, last_;
  int count_ = 0;
  std::vector<Eigen::VectorXd> s_, z_;
  std::vector<double> over_;  // 1 / (sᵀWs + sᵀWz)
};

}  // namespace trunnion::solve
