#pragma once
// Coordinates in which formulas, norms and analyses treat a whole state as one vector, whatever blocks it has.
//
// A Chart goes on moving as a given state does: with its pose q₀ and velocities v₀ at t₀
//   x(t) = x₀ + v₀ (t − t₀) + d          ẋ = v₀ + ḋ                         numbers that are stored as they are
//   R(t) = R₀ exp(ω₀ (t − t₀)) exp(d)    ω = exp(d)ᵀ ω₀ + T(d) ḋ            rotations
// so that d holds only what differs from steady motion. A body that turns steadily has d = 0 for all time, and one that is driven or
// braked stays far from the full turn at which T is singular, through any number of turns. Variables have no velocities:
// theirs is w = w₀ + d.

#include <span>
#include <vector>

#include "assembly/state.hpp"
#include "math/so3.hpp"

namespace trunnion::assembly {

using VecOut = Eigen::Ref<Eigen::VectorXd>;

// The largest turn against steady motion that formulas work with. Rotation vectors are unique below π; two bodies
// together then stay below it when the turn between them is counted (elements/measure.hpp).
inline constexpr double kLargestTurn = 1.5;

// S of each triple (Layout::triples()): how its velocities move with the turn of the body, δω = v S δu (design: level map).
using Turns = std::vector<Mat3>;
// Of a body that turns by d from where it was, where the unknowns are δd = T(d)⁻¹ δθ: S = T(d)⁻¹.
void turns_of_increments(const Layout& layout, const VecRef& d, Turns& S);
// T(d)⁻¹ on triples, a copy elsewhere: a turn δθ of the body as a change of the increment d. out may be du.
void turn_to_increment(const Layout& layout, const VecRef& d, const VecRef& du, VecOut out);
// h ω less the whole turns in it, which lead nowhere; a copy elsewhere.
void without_whole_turns(const Layout& layout, VecOut d);

class Chart {
 public:
  explicit Chart(const Layout& layout);

  // Goes on from this state, which is looked at first.
  void start(const State& state);
  // The time that what follows is about.
  void look(double t);

  void place(const VecRef& d, VecOut q) const;        // poses of coordinates
  void coordinates(const VecRef& q, VecOut d) const;  // and back; turns of less than half way round
  void velocity(const VecRef& d, const VecRef& d_dot, VecOut v) const;
  void rate(const VecRef& d, const VecRef& v, VecOut d_dot) const;
  // S where d and its rate move together, δḋ = s δd.
  void turns(const VecRef& d, const VecRef& d_dot, double s, Turns& S) const;

  // A point of the past in this chart.
  struct Point {
    double t = 0;
    const Eigen::VectorXd* d = nullptr;
    const Eigen::VectorXd* v = nullptr;
  };
  // For how many of the points, this chart's own first, the turns between them are known beyond doubt: where bodies cannot have turned
  // further than d says, or the rates at both ends of each step lead from one point to the next.
  int turns_known(std::span<const Point> past) const;

 private:
  int turns_known(const Triple& triple, std::span<const Point> past) const;

  const Layout& layout_;
  double t0_ = 0, t_ = 0;
  Eigen::VectorXd q0_, v0_;
  std::vector<Quat> ahead_;  // of each triple at t
};

// Of a tangent vector: how far any body travels and how far any turns.
struct Moved {
  double travel = 0, turn = 0;
  BlockId farthest, most_turned;
};
Moved largest_move(const Layout& layout, const VecRef& d);
Moved move_of(const Layout& layout, const Block& block, const VecRef& d);
// The largest coordinate of any body's place.
double farthest_place(const Layout& layout, const VecRef& q);

// Whether it is plain how far every body turned from one state to the next: little against steady motion, and as the
// rates at both ends say.
bool turns_known(const Layout& layout, const State& from, const State& to);

// Whether any body's ω changes its direction in the body, and not only its size.
bool spin_axes_change(const Layout& layout, const State& state);

// Where uniformly accelerated motion leads from a state; variables stay.
State advanced(const Layout& layout, const State& state, double h);

// (ẋ, ω in body axes) of a body over its block's velocities: constant.
using TwistMap = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;
TwistMap twist_map(const Layout& layout, const Block& block);

}  // namespace trunnion::assembly
