#pragma once
// Of math/so3: without a matrix, for loops over many rotations.

#include "math/so3.hpp"

namespace trunnion::math {

// T(φ)⁻¹ u
Vec3 so3_right_jacobian_inverse_times(const Vec3& phi, const Vec3& u);

}  // namespace trunnion::math
