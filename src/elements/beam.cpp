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

StringBeam::StringBeam(const BeamSection& s)
    : length_(s.length), axial_(s.emodulus * s.area * s.length), Q_(Mat6::Zero()), K_(beam_stiffness(s)) {
  K_(0, 0) = 0.0;
  // 1/(2L) ∫ y′² dx = (36 y² − 6 L y c + 4 L² c²)/(60 L²); in the x-z plane z′ = −b.
  const double L = s.length;
  Q_(1, 1) = Q_(2, 2) = 36.0 / (30.0 * L * L);
  Q_(5, 5) = Q_(4, 4) = 4.0 / 30.0;
  Q_(1, 5) = Q_(5, 1) = -3.0 / (30.0 * L);
  Q_(2, 4) = Q_(4, 2) = 3.0 / (30.0 * L);
}

void StringBeam::add(const VecMap& signals, VecMap c, MatMap D) const {
  const Vec6 p = signals.head<6>();
  const double e = strain(p);
  Vec6 n = Q_ * p;  // ∂ε/∂p
  n[0] += 1.0 / length_;
  c.head<6>() -= axial_ * e * n + K_ * p;
  if (D.size() != 0) D.leftCols<6>() -= axial_ * (n * n.transpose() + e * Q_) + K_;
}

double StringBeam::potential(const VecMap& signals) const {
  const Vec6 p = signals.head<6>();
  const double e = strain(p);
  return 0.5 * axial_ * e * e + 0.5 * p.dot(K_ * p);
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
