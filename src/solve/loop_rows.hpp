#pragma once
// Constraint rows over the links of a tree, J = G ∂(links)/∂(joints), and what they do to it:
//   b = the response of each joint on the way to ground to the row's own wrench    (Articulated::respond)
//   J M⁻¹ Jᵀ = Σ over joints  b_rᵀ D⁻¹ b_s                                          = A
//   A λ = e                                                                        by a proximal iteration
// The change −M⁻¹ Jᵀ λ of joint coordinates, velocities or accelerations takes e away and is the least in the masses that does. Rows that say the
// same (redundant loops) make A singular and e consistent:  λ ← λ + (A + μ)⁻¹ (e − A λ)  then converges to e taken away, whatever the
// rank, by μ/(σ + μ) a time for a singular value σ. Rows are scaled so that the diagonal of A is one.

#include <vector>

#include <Eigen/Cholesky>

#include "solve/articulated.hpp"
#include "sparse/factorisation.hpp"
#include "system/levels.hpp"

namespace trunnion::solve {

class LoopRows {
 public:
  using VectorXd = Eigen::VectorXd;

  // `levels` has been evaluated once with these rows.
  LoopRows(const Articulated& links, const system::Levels& levels, std::vector<int> rows);

  int size() const { return static_cast<int>(rows_.size()); }
  // From G and a tree gathered at the same place. False where A has no finite number.
  bool factor(const Articulated& links, const system::Levels& levels);
  // w −= Jᵀ-response of λ with A λ = e; e by row of the list.
  void take_away(const VectorXd& e, VectorXd& w);

 private:
  struct Part {
    int link = 0;
    int at = 0;  // of its numbers among g
  };
  struct Row {
    std::vector<Part> parts;
    std::vector<int> path;
    int first = 0;  // of its responses
  };
  struct Share {
    int row = 0, at = 0;  // among responses
  };

  void find_paths(const Articulated& links, const system::Levels& levels);
  void find_pattern();
  void solve(VectorXd& x) const;

  std::vector<int> rows_;
  std::vector<Row> row_;
  std::vector<std::vector<Share>> at_link_;
  std::vector<int> freedoms_, offset_;  // of each link
  std::vector<double> response_;
  std::vector<Articulated::Wrench> through_;
  VectorXd scale_, lambda_, left_, x_;
  // One of the two: full below some size or where most entries are there, else sparse.
  bool sparse_ = false, analysed_ = false;
  Eigen::MatrixXd A_;
  Eigen::LLT<Eigen::MatrixXd> full_;
  sparse::CscMatrix matrix_, shifted_;
  sparse::Factorisation factors_;
  std::vector<int> slot_;  // of each pair of shares, in the order they are summed
};

}  // namespace trunnion::solve
