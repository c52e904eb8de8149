#include "integrate/independent/adams.hpp"

namespace trunnion::integrate {

Adams::Adams(const assembly::Layout& layout, double error, AmplitudeTest amplitude, int points,
             formulas::ExplicitTable starter)
    : IndependentFormula(layout, error, std::move(amplitude), points), starter_(std::move(starter)) {
  stage_count_ = starter_.stages;
}

void Adams::fit() {
  IndependentFormula::fit();
  predicted_ = {d_, end_.v};
  corrected_ = predicted_;
}

void Adams::set_nodes(int points) {
  nodes_[0] = 1;
  for (int j = 0; j < points; ++j) nodes_[j + 1] = (time(j) - now_.t) / h_;
}

void Adams::sum(const double* weight, int first, int count, Eigen::VectorXd& d, Eigen::VectorXd& v) const {
  d.setZero();
  v.setZero();
  for (int j = 0; j < count; ++j) {
    d += (h_ * weight[j]) * rate_at(first + j).d;
    v += (h_ * weight[j]) * rate_at(first + j).v;
  }
}

void Adams::bashforth(int k) {
  double weight[kNodes];
  lagrange_integrals(nodes_ + 1, k, weight);
  sum(weight, 1, k, predicted_.d, predicted_.v);
}

void Adams::take_prediction() {
  const int n = sizes_.coordinates;
  d_ = predicted_.d;
  y_.v.head(n) = now_.v.head(n) + predicted_.v;
  corrected_ = predicted_;
}

void Adams::moulton(int k) {
  const int n = sizes_.coordinates;
  double weight[kNodes];
  lagrange_integrals(nodes_, k, weight);
  sum(weight, 0, k, corrected_.d, corrected_.v);
  d_ = corrected_.d;
  y_.v.head(n) = now_.v.head(n) + corrected_.v;
}

void Adams::local_error(int q) {
  double weight[kNodes];
  divided_difference(nodes_, q + 1, weight);
  const double integral = product_integral(nodes_, q);
  for (int j = 0; j <= q; ++j) weight[j] *= integral;
  sum(weight, 0, q + 1, error_, velocity_error_);
}

}  // namespace trunnion::integrate
