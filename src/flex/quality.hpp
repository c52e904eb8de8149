#pragma once
// Is a set of modes good enough? What is left out of Craig and Bampton's set acts on the interfaces only through its inertia: for a
// motion of frequency ω, the dynamic stiffness of interface coordinate k misses
//   Σ over the modes left out of  ω⁴ c² / (ω_j² − ω²)  ≤  ω⁴ r_k / (ω_next² − ω²),   r_k = Σ c² over all − over the kept,
// c = φᵀ(M_iiΨ + M_ib) the mode's coupling to k. The sum over all is known without the modes, (…)ᵀM_ii⁻¹(…), and so is the bound.
// It is held against the larger of the coordinate's static stiffness and ω² times its mass. Other loads than on interfaces
// (own weight) are judged by the strain energy that the kept modes have of them.

#include <string>
#include <vector>

#include "flex/craig_bampton.hpp"

namespace trunnion::flex {

struct Quality {
  double good_to =
      0;  // rad per unit of time: up to there no interface misses more than `kAllowed`; 0: unknown
  std::string worst;  // the interface coordinate that sets it: "node 901 about y"
  double least_mass =
      0;  // smallest part of an interface coordinate's effective mass that the kept modes have
  std::string least_mass_at;
  Eigen::Vector3d moved = Eigen::Vector3d::Zero();  // parts of the effective mass along x, y, z; NaN: unknown
  Eigen::Vector3d weight = Eigen::Vector3d::Zero();  // parts of the energy of own weight along x, y, z
  double static_error = 0;
  double highest_kept = 0, first_left_out = 0;  // fixed-interface modes; 0: none
  int more = 0;                                 // modes looked at beyond the kept
  double change = 0;  // largest relative change by them of a free frequency up to good_to (or `band`)
  int changed = 0;    // of that many frequencies
};
inline constexpr double kAllowed = 0.01;

// `band`: the frequency that the user cares for, or 0.
Quality judge(const SetOfModes& set, const Eigen::VectorXd& eigenvalues, double band);

// The bound above, the largest over the interface coordinates, at a frequency; infinite from the first mode left out on.
double left_out_part(const SetOfModes& set, double omega, int* where = nullptr);

// What a user reads: a few lines and a verdict. Frequencies in Hz, time in seconds.
std::string quality_text(const Quality& quality, double band);
std::string verdict(const Quality& quality, double band);

}  // namespace trunnion::flex
