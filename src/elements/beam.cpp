#include "elements/beam.hpp"

namespace trunnion::elements {

Eigen::MatrixXd beam_stiffness(const BeamSection& s) {
  const double L = s.length, E = s.emodulus, G = s.gmodulus;
  const auto shear = [&](double inertia, double factor) {
    return s.area > 0 ? 12 * E * inertia * factor / (G * s.area * L * L) : 0.0;
  };
  const double Py = shear(s.izz, s.asy), Pz = shear(s.iyy, s.asz);
  const double by = E * s.izz / (1 + Py), bz = E * s.iyy / (1 + Pz);  // bending in the planes x-y and x-z
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(6, 6);
  K(0, 0) = E * s.area / L;
  K(1, 1) = 12 * by / (L * L * L);
  K(1, 5) = K(5, 1) = -6 * by / (L * L);
  K(5, 5) = (4 + Py) * by / L;
  K(2, 2) = 12 * bz / (L * L * L);
  K(2, 4) = K(4, 2) = 6 * bz / (L * L);
  K(4, 4) = (4 + Pz) * bz / L;
  K(3, 3) = G * s.ixx / L;
  return K;
}

Eigen::MatrixXd symmetric_from_half(const std::vector<double>& half) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6, 6);
  std::size_t k = 0;
  for (int c = 0; c < 6; ++c) {
    for (int r = c; r < 6; ++r) M(r, c) = M(c, r) = half[k++];
  }
  return M;
}

}  // namespace trunnion::elements
