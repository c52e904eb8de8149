#pragma once
// The search along the constraints by shifted Newton steps (docs/theory/statics-and-linear.md).

#include "analysis/statics/endless_rotation.hpp"
#include "analysis/statics/search.hpp"

namespace trunnion::analysis {

class StaticDescent {
 public:
  using Merit = StaticSearch::Merit;
  StaticDescent(StaticSearch& search, assembly::State& state, Merit by);
  Search run();

 private:
  // A place that a step leads to, and what speaks for it.
  struct Trial {
    assembly::State state;
    Eigen::VectorXd x, moved;  // acceleration of the force left over; displacement
    bool placed = false;       // on the constraints
    double merit = 0;
    double work = 0, share = 0;  // of the forces along the way; over what they promised
    double bent = 0;             // by the constraints, over the step's length
  };

  bool begin();
  void look();
  bool at_rest();
  void finish(const Eigen::VectorXd& d);
  bool newton_alone();
  bool direction();
  bool undetermined() const;
  bool misleading();
  double longest_part(double size) const;
  void go(double factor, Trial& trial);
  bool worth(Trial& trial, double factor) const;
  bool back_off();
  void advance(Trial& trial);
  bool runs_away(const Eigen::VectorXd& moved, const Eigen::VectorXd& x) const;
  bool idle();
  double size(const Eigen::VectorXd& d) const;
  bool is_rounding(const Eigen::VectorXd& d, double curvature) const;

  StaticSearch& search_;
  StaticEquations& equations_;
  const assembly::Layout& layout_;
  assembly::State& state_;
  const assembly::State start_;
  const Merit by_;
  const double gap_;

  // Where it stands.
  bool looked_ = false, balanced_ = false;
  bool jumps_ = false;  // forces balance here, and do not beside it
  double imbalance_ = 0, merit_ = 0;
  Eigen::VectorXd r_;
  // The step at hand.
  Eigen::VectorXd d_;
  double promise_ = 0, weight_ = 0, curvature_ = 0;  // −r·δ, δᵀWδ, δᵀKδ
  double size_ = 0;
  // What was learnt on the way.
  double s_ = 0, first_s_ = 0;
  double part_ = 1;       // of a step by residual that is tried
  bool steered_ = false;  // the step at hand is that of the present shift
  double ease_;  // what a good step multiplies the shift by; nearer to one where steps had to be repeated
  double reach_ =
      1;  // how many lengths of the mechanism count as one: forces that change as predicted may be trusted farther
  EndlessRotation turning_;
  Trial trial_;
  // Of the present stretch of iterations.
  int tried_ = 0;
  double work_ = 0, stretch_work_ = 0, stretch_merit_ = 0;
};

}  // namespace trunnion::analysis
