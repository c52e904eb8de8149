#include "elements/rate_law.hpp"

namespace trunnion::elements {

void RateLaw::add(const VecMap& signals, VecMap c, MatMap D) const {
  thread_local expr::Workspace work;
  thread_local std::vector<double> s, gradient, hessian;
  const std::size_t n = inputs_.size();
  work.reserve(program_);
  s.resize(n);
  gradient.resize(n);
  hessian.resize(n * n);
  const auto rate = [&](std::size_t k) { return inputs_[k].rate == kOne ? 1.0 : signals[inputs_[k].rate]; };
  for (std::size_t k = 0; k < n; ++k) s[k] = signals[inputs_[k].value];
  const bool wanted = D.size() != 0;
  if (wanted) program_.hessian(s, work, gradient, hessian);
  else program_.gradient(s, work, gradient);
  for (std::size_t k = 0; k < n; ++k) c[0] += gradient[k] * rate(k);
  if (!wanted) return;
  for (std::size_t k = 0; k < n; ++k) {
    if (inputs_[k].rate != kOne) D(0, inputs_[k].rate) += gradient[k];
    for (std::size_t j = 0; j < n; ++j) D(0, inputs_[j].value) += hessian[k * n + j] * rate(k);
  }
}

}  // namespace trunnion::elements
