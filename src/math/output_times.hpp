#pragma once
// The times of the rows of a simulation. They follow from a rule and are made when they are asked for: a list of them would take
// memory before the first step, without bound.

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace trunnion::math {

class OutputTimes {
 public:
  OutputTimes() = default;
  OutputTimes(std::vector<double> listed);  // ascending
  OutputTimes(std::initializer_list<double> listed) : OutputTimes(std::vector<double>(listed)) {}
  // Whole steps from `begin` on, and `end`: the last step may be shorter. See countable().
  static OutputTimes every(double step, double begin, double end);
  // `count` equal steps.
  static OutputTimes parts(std::size_t count, double begin, double end);
  // Whether steps that long can be told apart up to `end`, and counted.
  static bool countable(double step, double begin, double end);

  std::size_t size() const { return last_ - first_; }
  bool empty() const { return size() == 0; }
  double operator[](std::size_t k) const;
  double front() const { return (*this)[0]; }
  double back() const { return (*this)[size() - 1]; }

  std::size_t count_upto(double t) const;
  OutputTimes after(double t) const;
  // Those in (after, upto], with `most` in the place of later ones.
  OutputTimes within(double after, double upto, double most) const;
  // The longest distance of two of them, or of `begin` and the first; 0 where there is none.
  double longest_step(double begin) const;

 private:
  double rule(std::size_t k) const;  // of the whole sequence, from 0

  std::vector<double> listed_;  // in place of the rule
  std::size_t first_ = 0, last_ = 0;
  double begin_ = 0, step_ = 0, end_ = 0;
  double most_ = 0;
  bool bounded_ = false;   // by most_
  std::size_t parts_ = 0;  // equal ones; 0: steps of step_
  std::size_t whole_ = 0;  // times of the whole sequence
};

}  // namespace trunnion::math
