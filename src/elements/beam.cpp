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

StrainEnergy::Vec6 StrainEnergy::strain_gradient(const Vec6& x) const {
  Vec6 g = Q * x;
  g[0] += 1.0 / length;
  return g;
}

double StrainEnergy::value(const Vec6& x) const {
  const double e = strain(x);
  return 0.5 * x.dot(K * x) - x.dot(preload) + 0.5 * axial * e * e;
}

StrainEnergy::Vec6 StrainEnergy::force(const Vec6& x) const {
  return K * x - preload + axial * strain(x) * strain_gradient(x);
}

StrainEnergy::Mat6 StrainEnergy::stiffness(const Vec6& x) const {
  const Vec6 g = strain_gradient(x);
  return K + axial * (g * g.transpose() + strain(x) * Q);
}

StrainEnergy stretched_beam(const BeamSection& s, bool from_chord) {
  StrainEnergy energy;
  energy.length = s.length;
  energy.axial = s.emodulus * s.area * s.length;
  energy.K = beam_stiffness(s);
  energy.K(0, 0) = 0.0;
  // 1/(2L) ∫ y′² dx = (36 y² − 6 L y c + 4 L² c²)/(60 L²); in the x-z plane z′ = −b. Of the 36, 30 are the chord's own slope.
  const double L = s.length;
  energy.Q(1, 1) = energy.Q(2, 2) = (from_chord ? 6.0 : 36.0) / (30.0 * L * L);
  energy.Q(5, 5) = energy.Q(4, 4) = 4.0 / 30.0;
  energy.Q(1, 5) = energy.Q(5, 1) = -3.0 / (30.0 * L);
  energy.Q(2, 4) = energy.Q(4, 2) = 3.0 / (30.0 * L);
  return energy;
}

StrainEnergy::Vec6 StringBeam::deflection(const VecMap& signals) const {
  StrainEnergy::Vec6 x = signals.head<6>();
  x[0] -= length_;
  return x;
}

void StringBeam::add(const VecMap& signals, VecMap c, MatMap D) const {
  const StrainEnergy::Vec6 x = deflection(signals);
  c.head<6>() -= energy_.force(x);
  if (D.size() != 0) D.leftCols<6>() -= energy_.stiffness(x);
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
