#pragma once
// The linear problem behind assembly (primer Eq. 33), for positions and velocities alike:
//   minimise ½ (d − d₀)ᵀ W (d − d₀)  subject to  G d = b
//   [ W  Gᵀ ] [ d ]   [ W d₀ ]
//   [ G  0  ] [ λ ] = [  b   ]
// W is 1 on the diagonal and kExact along every direction c that is to be kept. Rows of G are brought to length √kExact, halfway
// between the weights, or the matrix would be taken for a singular one in some units (a part in mm with all its velocities given).
//
// The unknown is d − d₀: what satisfies the constraints stays as it is, to the last digit. A weight alone would give way by r²/kExact to
// what is not given at r lengths from a turn that is: what is asked along c is shifted by what is missing until nothing is, where the
// constraints allow it.

#include <string>
#include <vector>

#include <Eigen/Core>

#include "sparse/factorisation.hpp"
#include "sparse/pattern.hpp"
#include "system/system.hpp"

namespace trunnion::solve {

inline constexpr double kExact = 1e10;  // the primer's weight of a coordinate that is exact

class LeastChange {
 public:
  // With the bodies known: where the solver's own order finds no pivots, body after body along the mechanism. A chain of 100,000 hinged
  // links, stiff across, has pivots that no other order tells from rounding.
  LeastChange(int size, const std::vector<system::Weight>& exact, const assembly::Layout* bodies = nullptr);

  // G's rows listed in `active` count. False where the matrix is singular; singular_column() then says where. As long as
  // neither the rows nor G's pattern change, the numbers go into the places found the first time and the pivots stay.
  bool factor(const sparse::CscMatrix& G, const std::vector<int>& active);
  // d for the given right sides; b has one entry per row of G. What is to be kept gives way by a weight alone; of places, whose next
  // correction comes anyway.
  Eigen::VectorXd solve(const Eigen::VectorXd& d0, const Eigen::VectorXd& b);
  // What is to be kept is kept, where the constraints allow it.
  Eigen::VectorXd solve_keeping(const Eigen::VectorXd& d0, const Eigen::VectorXd& b);
  int singular_column() const { return singular_; }  // of [d; λ]

 private:
  // Every entry in its fixed order: put(row, column, value).
  template <class Put> void emit(const sparse::CscMatrix& G, const Put& put) const;
  void record(const sparse::CscMatrix& G);
  void scale(const sparse::CscMatrix& G);
  bool factor_recorded(bool known);
  bool factor_by_bodies();
  Eigen::VectorXd right_of(const Eigen::VectorXd& d0, const Eigen::VectorXd& b) const;
  Eigen::VectorXd solved(const Eigen::VectorXd& right);

  int size_;
  const assembly::Layout* bodies_;
  std::vector<system::Weight> exact_;
  std::vector<int> active_;
  std::vector<int> position_;  // of each row of G among the active ones, −1 where it is not
  std::vector<double> scale_;  // of each row of G
  int recorded_ = -1;          // entries of G when its pattern was recorded
  sparse::Replay replay_;
  sparse::Factorisation lu_;
  int singular_ = -1;
};

}  // namespace trunnion::solve
