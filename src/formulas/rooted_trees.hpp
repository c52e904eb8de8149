#pragma once
// The order conditions of Runge-Kutta formulas, one for each rooted tree (J. C. Butcher): with the weights
// u(tree) = Π over its branches of A u(branch), u of a leaf being 1, order p needs b·u(tree) = 1/γ(tree) for all trees of up to p nodes.

#include <string>
#include <vector>

#include <Eigen/Core>

namespace trunnion::formulas {

// All stages of a formula, explicit ones too; A may be full.
struct ButcherTable {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
};

struct OrderCondition {
  int order = 0;
  std::string text;     // "b·(c A(c)) = 1/8"
  bool tall = false;    // the one condition of its order that linear problems with constant coefficients have
  double defect = 0;    // b·u − 1/γ
  double rounding = 0;  // bound on what rounding makes of it
};

// Of all trees up to `order` nodes.
std::vector<OrderCondition> order_conditions(const ButcherTable& table, int order);

}  // namespace trunnion::formulas
