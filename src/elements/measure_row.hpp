#pragma once
// A weighted sum of position measures held at a constant or at a function of time:
//
//   φ = Σ wₖ mₖ(q) − constant − f(t) = 0
//
//   MOTION      one measure, f from the drive: DZ(I,J,J) or AZ(I,J) of a joint; DX DY DZ(I,J,J) or B1 B2 B3(I,J) of markers.
//               f, f′, f″ come from outside (Evaluation::drives). A motion given as a velocity or an acceleration arrives as
//               its integral with ICDISP and ICVEL, so that the row holds at position level and all three levels are exact
//               up to that quadrature of a function of time; no unknown and no drift are added.
//   COUPLER     r₁q₁ + r₂q₂ (+ r₃q₃) = 0, q DZ or AZ of each joint
//   GEAR        a Relation, see gear.hpp
//   SCREW       DZ(I,J,J) − PITCH/2π · AZ(I,J) = 0: one row, right-handed; the axes are aligned by other joints
//   RACKPIN     DZ(I,J,J) + ρ · RACK(I,J) = 0: one row, pinion I rolls along z_J; |ρ| = PD/2
//   distance    DM(I,J) − L = 0
// or, where the row has a Relation, φ = f(m₁ … mₙ) = 0 (COUPLER with USER()), with g = Σ fₖ gₖ, H = Σ fₖ Hₖ + Σ fₖₗ gₖ gₗᵀ.
// Angles are unwrapped through State::memory.

#include <memory>
#include <string>
#include <vector>

#include "elements/measure.hpp"
#include "elements/scatter.hpp"
#include "elements/wrench.hpp"

namespace trunnion::elements {

// A function of a few measures with its derivatives.
class Relation {
 public:
  static constexpr int kMost = 12;
  using Vector = Eigen::Matrix<double, kMost, 1>;
  using Matrix = Eigen::Matrix<double, kMost, kMost>;
  struct Value {
    double f = 0.0;
    Vector first = Vector::Zero();
    Matrix second = Matrix::Zero();
  };
  virtual ~Relation() = default;
  virtual Value at(const Vector& m, bool second) const = 0;
};

struct WeightedMeasure {
  double weight = 1.0;
  Measure measure;
};

struct MeasureRow {
  struct Item {
    double weight;
    Measure measure;
    Scatter scatter;
  };
  std::vector<Item> items;
  std::shared_ptr<const Relation> relation;  // in place of the weights, or none
  double constant = 0.0;
  int drive = -1;  // index into Evaluation::drives; −1: none
  Columns columns;
  assembly::RowId row;
  assembly::RowShape shape = assembly::RowShape::general;
};

// unit: of the residual. Measures of positions only.
MeasureRow make_measure_row(std::vector<WeightedMeasure> items, double constant, int drive,
                            const core::Words& owner, const std::string& equation,
                            assembly::Measured residual, assembly::Layout& layout);

void evaluate(const MeasureRow& row, const Evaluation& at, assembly::Sink& sink);

// On the body of marker `on`, about it. For a coupler or gear the marker tells which of its joints is meant.
Wrench reaction(const MeasureRow& row, const Evaluation& at, MarkerId on);

// Rolling radius with its sign: with the rack's line on the side of z_J × z_I from the pinion, a positive turn about z_I moves
// I along −z_J (result > 0), on the other side along +z_J (result < 0). Where I lies on the line +z_J is taken.
double rack_radius(double pitch_diameter, const math::Vec3& p_I, const math::Vec3& z_I, const math::Vec3& p_J,
                   const math::Vec3& z_J);

}  // namespace trunnion::elements
