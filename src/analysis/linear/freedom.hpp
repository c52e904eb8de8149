#pragma once
// The displacements that some rows of G allow: columns N with G N = 0, some of the coordinates themselves being the free ones.
//
// Which ones matters: along a chain coefficients multiply, and with N of 1e10 masses of 1e20 stand where one kilogram should. So
// elimination takes in each row an entry about as large as any, turns measured by four times the mechanism's length (they are then
// the free ones where there is a choice: about a moving state travels change direction); then, as long as some
// |N_df| > kLargest, d and f change places (each time |det G_d| grows by as much, so that this ends). Entries of N are found row by
// row, rows that look large in the image of a few vectors of signs; all of N would be too much for a long chain.

#include "analysis/linear/levels.hpp"
#include "sparse/factorisation.hpp"

namespace trunnion::analysis {

class Freedom {
 public:
  // False where the rows are dependent.
  bool find(const LinearLevels& at, const std::vector<int>& rows);

  const std::vector<int>& entries() const { return entries_; }  // the free coordinates
  const Eigen::MatrixXd& N() const { return N_; }               // made by find_basis()
  void find_basis();
  // x with G x = 0 and the free coordinates as given, one after the other; into a vector over all entries.
  void complete(const double* free, Eigen::Ref<Eigen::VectorXd> x) const;
  // Nᵀ y: forces y along the free coordinates.
  Eigen::VectorXd reduced(const Eigen::VectorXd& y) const;
  // x with G x = b, and nothing in the free coordinates; b over all rows of G, of which those of find() count.
  Eigen::VectorXd particular(const Eigen::VectorXd& b) const;

 private:
  bool factor(const LinearLevels& at);
  bool exchange(const LinearLevels& at);
  std::vector<int> largest_rows(const LinearLevels& at) const;

  std::vector<int> entries_, dependent_, rows_;
  LinearLevels::Matrix G_;    // rows_ by all entries
  sparse::Factorisation lu_;  // of the dependent columns
  Eigen::MatrixXd N_;
};

}  // namespace trunnion::analysis
