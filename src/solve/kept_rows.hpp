#pragma once
// Redundant rows that take part. With G short of rank [ A Gᵀ ; G 0 ] has no inverse. With the multipliers of an augmented Lagrangian kept as
// unknowns, ρ = 1/ε,
//   F = [ A , Gᵀ ; G , −εw ]        its Schur complement A + Gᵀ(εw)⁻¹G is regular wherever the mechanism can move
// and what is wanted of the singular equations follows from a few solutions with F:
//   P c = c + εw λ,  F [u; λ] = [0; c]      the part of c that corrections can reach. The rest is what redundant rows contradict each other by:
//                                           it is left as it is, nothing can be done about it. Repeated: of the rest rounding leaves 1e-16/ε.
//   F [u; λ] = [r; P c]                     the correction, with the least Σ w λ² of all that make the same forces; off by ε over an eigenvalue of
//                                           GA⁻¹Gᵀ, of which one repetition leaves the square.
// With w = 1 for rows of lengths, 1/L² for those of angles, L the mean radius of gyration, λ are the reactions of supports that are alike.
// Where rows lose rank in passing, an eigenvalue below ε, corrections along them stay below 1/(2√ε) of what is off: rounding is not made large.

#include <algorithm>
#include <cmath>

#include <Eigen/Core>

#include "solve/stage_equations.hpp"

namespace trunnion::solve {

// b ← the solution, by a matrix that keeps redundant rows; solve(x) is by its factors. All in the matrix' terms.
template <class Vector, class Room, class Solve>
void solve_kept(const StageEquations& equations, Vector& b, Room& room, const Solve& solve) {
  const int rows = equations.active_count(), lambda = equations.lambda_offset(), mu = equations.mu_offset();
  const bool stabilised = equations.stabilised();
  const auto each = [&](const auto& act) {
    for (int k = 0; k < rows; ++k) {
      act(lambda + k, -equations.give(k));
      if (stabilised && !equations.holds_velocity(k)) act(mu + k, equations.give(k));
    }
  };
  constexpr int kTimes = 4;
  constexpr double kClose = 1e-10;
  for (int k = 0; k < kTimes; ++k) {
    double change = 0, size = 0;
    room.setZero(equations.size());
    each([&](int i, double) { room[i] = b[i]; });
    solve(room);
    each([&](int i, double give) {
      size = std::max(size, std::abs(b[i]));
      b[i] -= give * room[i];
      change = std::max(change, std::abs(give * room[i]));
    });
    if (!(change > kClose * size)) break;
  }
  solve(b);
  room.setZero();
  each([&](int i, double give) { room[i] = give * b[i]; });
  solve(room);
  b += room;
}

// Takes out of the multipliers of active rows, in the model's terms, what makes no force: the least Σ w λ² is left.
// `room` and `idle` are memory to work in.
template <class Solve>
void share(const StageEquations& equations, Eigen::VectorXd& multipliers, Eigen::VectorXd& room,
           Eigen::VectorXd& idle, const Solve& solve) {
  constexpr int kTimes = 6;  // each leaves a part ε over an eigenvalue of what does make forces
  constexpr double kClose = 1e-10;
  const int rows = equations.active_count(), lambda = equations.lambda_offset();
  const Eigen::VectorXd& w = equations.row_weights();
  idle = w.cwiseProduct(multipliers);
  const double enough = kClose * idle.norm();
  double change = 2 * enough;
  for (int k = 0; k < kTimes && change > enough; ++k) {
    room.setZero(equations.size());
    room.segment(lambda, rows) = idle;
    solve(room);
    change = 0;
    for (int i = 0; i < rows; ++i) {
      const double next = -equations.give(i) * room[lambda + i];
      change = std::max(change, std::abs(next - idle[i]));
      idle[i] = next;
    }
  }
  multipliers -= idle.cwiseQuotient(w);
}

}  // namespace trunnion::solve
