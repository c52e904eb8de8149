#pragma once
// What each state of the linear equations brings with it, and each input: columns from which A, B, C, D are read.

#include <string>
#include <vector>

#include "analysis/linear/levels.hpp"

namespace trunnion::analysis {

struct LinearColumns {
  Eigen::MatrixXd xi, nu, top;  // by s = (y, u, z): ξ and states, ν, and the highest levels (ν̇, ż, w, λ)
  Eigen::MatrixXd xi_of_input, nu_of_input, top_of_input;  // the same by inputs
  std::vector<int> positions, velocities, states;          // the entries that y, u and z stand for
  core::Words trouble;                                     // not empty: they cannot be had
};

// With accelerations found by one factorisation, as a dynamic analysis finds them. `inputs`: entries of variables.
LinearColumns regular_columns(const assembly::Layout& layout, const LinearLevels& at,
                              const std::vector<int>& inputs);

// For constraints that read states or variables, at rest (linear/descriptor.cpp).
LinearColumns descriptor_columns(const assembly::Layout& layout, const LinearLevels& at,
                                 const std::vector<int>& inputs, const std::vector<int>& outputs);

}  // namespace trunnion::analysis
