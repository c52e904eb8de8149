#pragma once
// A routine of user code as a function of numbers that its element makes itself, beside those that it reads from the rest of the model.

#include <span>

#include "elements/user_law.hpp"

namespace trunnion::elements {

// The distinct values that readings name, in order.
std::vector<int> values_read(const std::vector<DeclaredRead>& reads);

// `results` at the values s of the readings; in `partials`, where it is not empty, results × values, column by column: as the routine hands
// them back, else central differences. s is the same afterwards. `inputs`: values_read(reads).
void user_values(const UserRoutine& routine, const std::vector<DeclaredRead>& reads,
                 std::span<const int> inputs, double time, std::span<double> s, std::span<double> results,
                 std::span<double> partials);

// The force of a CONTACT at one touch. What CONTACT(id) gives comes first among its values, then signals of the element.
class UserTouch {
 public:
  // `time`: which signal that is. `others`: signals whose values follow the first `own`.
  UserTouch(UserRoutine routine, std::vector<DeclaredRead> reads, int own, std::vector<int> others, int time);

  int own() const { return own_; }
  const std::vector<int>& others() const { return others_; }
  // `by`: results × (own + others), or without size.
  void at(const double* values, const VecMap& signals, std::span<double> results, Eigen::MatrixXd& by) const;

 private:
  UserRoutine routine_;
  std::vector<DeclaredRead> reads_;
  std::vector<int> inputs_;
  int own_;
  std::vector<int> others_;
  int time_;
};

}  // namespace trunnion::elements
