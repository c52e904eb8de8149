#pragma once
// Where a function of places, speeds or states changes its course: where STEP, STEP5 and HAVSIN begin and end, where IMPACT and BISTOP
// touch, where an IF, ABS, MAX, MIN, SIGN or DIM decides otherwise. Each is told by a number that changes its sign there. Those of the
// time alone are in knots.hpp.

#include <cstdint>
#include <span>
#include <vector>

#include "expr/program.hpp"

namespace trunnion::expr {

class Kinks {
 public:
  struct Kink {
    std::uint32_t a = 0, b = 0;  // slots; the number is a − b
    bool by_zero = false;        // it is a
    bool touch = false;          // of IMPACT and BISTOP: positive while there is no force
  };

  // The program must outlive this.
  explicit Kinks(const Program& program);

  std::span<const Kink> all() const { return kinks_; }
  // Of each kink its number and, in `sizes`, the size of what it is the difference of. `slots` is memory to work in.
  void distances(std::span<const double> inputs, std::vector<double>& slots, std::span<double> out,
                 std::span<double> sizes) const;

 private:
  const Tape* tape_;
  std::vector<Instruction> code_;  // what the kinks' slots need; no branches
  std::vector<Kink> kinks_;
};

}  // namespace trunnion::expr
