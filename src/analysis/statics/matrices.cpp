// The two matrices of StaticEquations, filled from one evaluation and factored.

#include <algorithm>
#include <cmath>

#include "analysis/statics/equations.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;

void StaticEquations::fill_stiffness(const std::vector<double>& values, double shift) {
  const int n = layout_.size();
  for (int c = 0; c < stiffness_.cols; ++c) {
    for (int k = stiffness_.start[static_cast<std::size_t>(c)];
         k < stiffness_.start[static_cast<std::size_t>(c) + 1]; ++k) {
      const int row = stiffness_.row[static_cast<std::size_t>(k)], place = from_[static_cast<std::size_t>(k)];
      double value = place >= 0 ? values[static_cast<std::size_t>(place)] : 0.0;
      if (row < n && held_[static_cast<std::size_t>(row)]) value = row == c ? 1.0 : 0.0;
      else if (row == c && row < n) value += shift * weights_[row];
      stiffness_.value[static_cast<std::size_t>(k)] = value;
    }
  }
  scale_stiffness();
}

// Beside constraints' gradients of size one a stiffness of 1e-14 would look like none: forces and multipliers are counted in units
// of the largest stiffness, a power of two so that no digit changes.
void StaticEquations::scale_stiffness() {
  const int n = layout_.size();
  const auto each = [&](auto&& act) {
    for (int c = 0; c < stiffness_.cols; ++c) {
      for (int k = stiffness_.start[static_cast<std::size_t>(c)];
           k < stiffness_.start[static_cast<std::size_t>(c) + 1]; ++k) {
        const int row = stiffness_.row[static_cast<std::size_t>(k)];
        act(row < n && is_mechanical(row), c, stiffness_.value[static_cast<std::size_t>(k)]);
      }
    }
  };
  double largest = 0;
  each([&](bool mechanical, int c, double& value) {
    if (mechanical && c < n && is_mechanical(c)) largest = std::max(largest, std::abs(value));
  });
  stiffness_scale_ = largest > 0 && std::isfinite(largest) ? std::exp2(std::floor(std::log2(largest))) : 1.0;
  each([&](bool mechanical, int c, double& value) {
    if (mechanical && c < n) value /= stiffness_scale_;
    else if (!mechanical && c >= n) value *= stiffness_scale_;
  });
}

void StaticEquations::solve_stiffness(Eigen::VectorXd& b) const {
  for (int i = 0; i < layout_.size(); ++i) {
    if (is_mechanical(i)) b[i] /= stiffness_scale_;
  }
  stiffness_lu_.solve(b);
  b.tail(stage_.active_count()) *= stiffness_scale_;
}

bool StaticEquations::factor_filled_stiffness() {
  if (!stiffness_lu_.factored()) {
    return stiffness_lu_.analyse(stiffness_, order_) &&
           stiffness_lu_.factor(stiffness_) != sparse::FactorStatus::singular;
  }
  return stiffness_lu_.update(stiffness_) != sparse::FactorStatus::singular;
}

bool StaticEquations::factor_stiffness(double shift) {
  fill_stiffness(stage_.matrix().value, shift);
  return factor_filled_stiffness();
}

void StaticEquations::keep_stiffness() { kept_ = stage_.matrix().value; }

bool StaticEquations::factor_kept(double shift) {
  fill_stiffness(kept_, shift);
  return factor_filled_stiffness();
}

double StaticEquations::curvature_rounding(const Eigen::VectorXd& d) const {
  constexpr double kEpsilon = 2.220446049250313e-16;
  const sparse::CscMatrix& A = stage_.matrix();
  double sum = 0;
  for (int b = 0; b < layout_.block_count(); ++b) {
    const Block& block = layout_.block(BlockId{b});
    if (!block.is_mechanical()) continue;
    const int split = block.offset + block.translations, end = block.offset + block.size;
    for (const auto& [first, last] : {std::pair{block.offset, split}, std::pair{split, end}}) {
      double largest = 0;
      for (int c = first; c < last; ++c) {
        for (int k = A.start[static_cast<std::size_t>(c)]; k < A.start[static_cast<std::size_t>(c) + 1];
             ++k) {
          const int row = A.row[static_cast<std::size_t>(k)];
          if (row >= first && row < last)
            largest = std::max(largest, std::abs(kept_[static_cast<std::size_t>(k)]));
        }
      }
      sum += largest * d.segment(first, last - first).squaredNorm();
    }
  }
  return kEpsilon * sum;
}

bool StaticEquations::factor_metric() {
  const sparse::CscMatrix& A = stage_.matrix();
  const int n = layout_.size();
  const auto fill = [&] {
    for (int c = 0; c < A.cols; ++c) {
      for (int k = metric_.start[static_cast<std::size_t>(c)];
           k < metric_.start[static_cast<std::size_t>(c) + 1]; ++k) {
        const int row = metric_.row[static_cast<std::size_t>(k)], place = from_[static_cast<std::size_t>(k)];
        double value = place >= 0 ? A.value[static_cast<std::size_t>(place)] : 0.0;
        const bool row_scalar = row < n && !is_mechanical(row);
        const bool col_scalar = c < n && !is_mechanical(c);
        if (row < n && c < n && !row_scalar && !col_scalar) value = row == c ? weights_[row] : 0.0;
        else if (row_scalar != col_scalar) value = 0.0;
        if (row_scalar && col_scalar) {
          const bool state = layout_.states().has(row);
          const bool other = layout_.states().has(c);
          const bool fixed = held_[static_cast<std::size_t>(row)] || (state && states_free_);
          if (fixed || (other && states_free_)) value = row == c ? 1.0 : 0.0;
        }
        metric_.value[static_cast<std::size_t>(k)] = value;
      }
    }
    if (!metric_lu_.factored())
      return metric_lu_.analyse(metric_, order_) &&
             metric_lu_.factor(metric_) != sparse::FactorStatus::singular;
    return metric_lu_.update(metric_) != sparse::FactorStatus::singular;
  };
  if (fill()) return true;
  // A state whose own equation does not determine it (an integrator) is found by the stiffness, through what it acts on.
  if (!has_states_ || states_free_) return false;
  states_free_ = true;
  metric_lu_ = {};
  return fill();
}

}  // namespace trunnion::analysis
