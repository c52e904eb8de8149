#pragma once
// BEAM: a massless beam from J to I, along x of J when undeformed, with the stiffness of a Timoshenko beam of constant section.
//
// Linear law: {F, T} on I = −K ({x, y, z, a, b, c} − {LENGTH, 0, …}) − C {v, ω}, all of I in the axes of J, K the 6×6 block of the
// 12×12 matrix that belongs to end I:
//   Py = 12 E Izz ASY/(G A L²), Pz = 12 E Iyy ASZ/(G A L²)
//   K11 = E A/L                      K44 = G Ixx/L
//   K22 = 12 E Izz/(L³(1+Py))        K26 = −6 E Izz/(L²(1+Py))      K66 = (4+Py) E Izz/(L(1+Py))
//   K33 = 12 E Iyy/(L³(1+Pz))        K35 = +6 E Iyy/(L²(1+Pz))      K55 = (4+Pz) E Iyy/(L(1+Pz))
// The three other blocks follow from the balance of the pair (load.hpp). Limits: small deflections of I in J; the reference is J,
// so that large bending is not symmetric in the two ends. A is the area, ASY and ASZ area over shear area.

#include <vector>

#include <Eigen/Core>

namespace trunnion::elements {

struct BeamSection {
  double length = 0, area = 0;
  double ixx = 0, iyy = 0, izz = 0;
  double asy = 0, asz = 0;
  double emodulus = 0, gmodulus = 0;
};

Eigen::MatrixXd beam_stiffness(const BeamSection& section);

// A 6×6 matrix from the 21 values of its lower half, column by column.
Eigen::MatrixXd symmetric_from_half(const std::vector<double>& half);

}  // namespace trunnion::elements
