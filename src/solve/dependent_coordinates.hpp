#pragma once
// As many rows of G as coordinates that are not held: a square matrix that gives those from the others, in positions, velocities and
// accelerations, and multipliers by its transpose. A mechanism that motions drive holds none.
// Where rotations are told by increments d from another pose, R = R₀ exp(d), a turn is T(d) δd: the matrix then is of G T.

#include <array>
#include <span>
#include <vector>

#include "assembly/chart.hpp"
#include "sparse/factorisation.hpp"
#include "sparse/pattern.hpp"

namespace trunnion::solve {

class DependentCoordinates {
 public:
  // Row k is row rows[k] of G; `held` by column of G, empty: none. The columns of `triples` may be taken times T.
  void choose(const sparse::CscMatrix& G, const std::vector<int>& rows, const std::vector<char>& held = {},
              std::span<const assembly::Triple> triples = {});
  void forget() { chosen_ = false; }
  bool chosen() const { return chosen_; }
  bool chosen_for(const std::vector<int>& rows, const std::vector<char>& held) const;
  int size() const { return matrix_.cols; }
  bool square() const { return matrix_.rows == matrix_.cols; }
  // From the numbers of a G with the pattern of choose(). False where it is singular.
  bool factor(const sparse::CscMatrix& G, const assembly::Turns* turn = nullptr);

  // δ with G_d δ_d = b, b by row of G; held entries are zero. One entry for each column of G.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& delta) const;
  // λ with G_dᵀ λ = b_d, b by column of G; into the chosen rows of lambda.
  void solve_transpose(const Eigen::VectorXd& b, Eigen::VectorXd& lambda) const;

  const std::vector<int>& rows() const { return rows_; }
  const sparse::Factorisation& factors() const { return factors_; }

 private:
  std::vector<int> rows_, columns_;  // of G, in the order of the matrix
  std::vector<char> held_;
  // Of each entry its places in G: of a triple's columns all three, −1 where there is none.
  std::vector<std::array<int, 3>> from_;
  struct Source {
    int triple = -1, axis = 0;  // of the column
  };
  std::vector<Source> source_;
  sparse::CscMatrix matrix_;
  sparse::Factorisation factors_;
  mutable Eigen::VectorXd x_;
  bool chosen_ = false, analysed_ = false;
};

}  // namespace trunnion::solve
