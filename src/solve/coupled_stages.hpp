#pragma once
// Stages of one step that depend on each other, as a formula gives them to the stage solver:
//   qₖ, vₖ from Σⱼ Aₖⱼ of the rates of all stages        A⁻¹ = T Λ T⁻¹,  Λ = diag(real, [α β; −β α])
// Residuals of all stages, taken apart by T⁻¹, leave one real and one complex system of the size of a stage's (Hairer, Wanner, IV.8),
// both sums of the same levels (complex_stage.hpp).

#include <Eigen/Core>

#include "solve/stage.hpp"

namespace trunnion::solve {

// As a place it is the last stage, with the maps of the real eigenvalue, or of the pair's size where there is none.
class CoupledStages : public StagePlace {
 public:
  virtual int count() const = 0;
  virtual assembly::State& trial(int k) = 0;
  virtual const Eigen::VectorXd* y_of(int k) const = 0;
  // T: the real eigenvalue's column first, then real and imaginary part of the pair's vector.
  virtual const Eigen::MatrixXd& to_stages() const = 0;
  virtual const Eigen::MatrixXd& from_stages() const = 0;
  virtual bool has_real() const = 0;
  virtual bool has_pair() const = 0;
  virtual const ComplexLevelMaps& pair_maps() const = 0;  // of h/(α − iβ); with the turns last asked for
  // Corrections of all stages, a column each, over the unknowns of the matrix: moves the trials, but for λ and μ.
  virtual void add(const Eigen::MatrixXd& du) = 0;
  virtual double size(const Eigen::MatrixXd& du) const = 0;  // over what is allowed
  virtual double rounding() const = 0;
};

}  // namespace trunnion::solve
