#pragma once
// The equations of one stage, whatever the analysis: residual and iteration matrix in unknowns of the highest level, both sums of
// the levels of the system (system/levels.hpp):
//   r = M a + h − Q + Gᵀλ                       [ M + vC + qK , Gᵀ ] [ δu ]
//   φ / q      (position rows)                  [ G           , 0  ] [ δλ ] = −r          K with Σ λ H
//   ψ / v      (velocity rows)
// so the condition of the matrix does not depend on the step (docs/theory/dynamics.md). With Rows::acceleration the
// constraint rows are G a − γ: the same equations then give consistent accelerations (primer Eq. 40). With Rows::velocity they are
// φ̇ / v: index 2.
//
// Stabilised index 2 (Gear, Gupta, Leimkuhler) adds y to the velocities and asks for φ̇ = 0 too:
//   v = v(u) + y/s,  a = a(u) + y,  W y − Gᵀμ = 0,  φ̇ / v = 0         unknowns u, λ, y, μ;  s = 1/v
// W is 1 for lengths and the square of the body's radius of gyration for turns, so that units do not decide which of both is corrected.
// Physical scale (Bottasso, Dopico, Trainelli 2008), where asked for: constraint rows are multiplied by σ and multipliers are σ times the
// matrix' unknowns, with σ = m_r + v d_r + q k_r (solve/physical_scale.hpp), so that all blocks of the matrix have the unit and the size of
// an inertia: nothing that is asked of the matrix or of the residual depends on units, masses or the step. The
// equations of y and μ are multiplied by σ too. σ is a power of two: scaling rounds nothing.
//
// Augmented Lagrangian term, where asked for: the balance of forces with μ = λ + ρσφ/q in place of λ. Matrix and residual are
// multiplied from the left by [ 1 , ρGᵀ ; 0 , 1 ], which adds ρσGᵀG to the inertia and changes no solution: a coordinate without inertia
// then has a pivot of its own.
//
// Only the rows listed take part; the others are redundant, have λ = 0, and their φ is kept to be watched. A choice closes some of
// those listed, and holds some unknowns, without a new pattern. Where redundant rows are kept instead each multiplier gives way a little
// (solve/kept_rows.hpp): −εσw in place of its zero on the diagonal, and +εσw in that of μ.

#include <complex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "solve/level_maps.hpp"
#include "solve/physical_scale.hpp"
#include "sparse/pattern.hpp"
#include "system/levels.hpp"
#include "system/system.hpp"

namespace trunnion::solve {

// What of a stage's equations does not count for now. Empty lists: all counts.
struct Choice {
  std::vector<char> closed;  // by row as listed: its multiplier keeps to zero
  std::vector<char> held;    // by tangent entry: the unknown stays
};

class StageEquations {
 public:
  enum class Rows { position, velocity, acceleration };

  StageEquations(const assembly::Layout& layout, std::vector<int> rows, Rows form, bool stabilised = false);

  // The residual at a state, and with `matrix` the matrix too. `y` (stabilised only): the velocities' correction, one entry per
  // tangent entry. The pattern is found when the first matrix is made.
  void evaluate(const system::System& system, const assembly::State& state, system::System::Workspace& work,
                const LevelMaps& maps, bool matrix, const Eigen::VectorXd* y = nullptr,
                const Choice& choice = {});
  // The matrix alone, without the residual: where K of bodies has no part in it no Hessian is asked for. φ, φ̇ and G are of this state,
  // with `rates` B too.
  void evaluate_matrix(const system::System& system, const assembly::State& state,
                       system::System::Workspace& work, const LevelMaps& maps, bool rates);
  // The residual where only forces have changed since the last one: positions and velocities are the same.
  void evaluate_forces(const system::System& system, const assembly::State& state,
                       system::System::Workspace& work, const LevelMaps& maps);
  // The residual of accelerations after a correction x, in the model's terms, where inertia and G are those of the residual's own state
  // and all there is: of bodies and constraints.
  void advance_linear(const Eigen::VectorXd& x);
  // φ and its rate alone, and G.
  void evaluate_rows(const system::System& system, const assembly::State& state,
                     system::System::Workspace& work) {
    levels_.evaluate_rows(system, state, work, false);
  }
  // The matrix anew from the levels there are, K, C, M last evaluated for a matrix and G of the last evaluation of any kind: another
  // step size needs no evaluation. False where G has entries that the pattern lacks.
  bool combine(const LevelMaps& maps, const Choice& choice = {});
  // The same with complex maps, on the pattern of matrix(): its values in the order of that.
  void combine(const ComplexLevelMaps& maps, std::vector<std::complex<double>>& values) const;
  // Rows of an unscaled residual, φ, ψ and φ̇ themselves, as the equations of these maps have them: φ/q, ψ/v, φ̇/v.
  template <class Number>
  void scale_rows(const LevelMapsOf<Number>& maps, Eigen::Ref<Eigen::Matrix<Number, -1, 1>> r) const;
  // From the next matrix on.
  void use_physical_scale() { physical_ = true; }
  // ρ of the augmented term; 0: none. The next matrix has another pattern.
  void augment(double rho);
  double augmented() const { return rho_; }
  // With w of each row that takes part; the next matrix has another pattern.
  void keep_redundant(Eigen::VectorXd weights);
  bool keeps_redundant() const { return keeps_; }
  const Eigen::VectorXd& row_weights() const { return row_weights_; }
  double give(int k) const { return kGive * sigma_ * row_weights_[k]; }  // εσw of an active row
  // Equations and unknowns of the matrix over those of the model: what the matrix' row, and the multipliers of a solution, are to be
  // divided and multiplied by.
  double row_scale(int row) const { return row < lambda_offset() ? 1.0 : sigma_; }
  double column_scale(int column) const {
    return column >= lambda_offset() && column < y_offset() ? sigma_ : 1.0;
  }
  double sigma() const { return sigma_; }
  // A right-hand side as this matrix has it, from one by the equations above (which residual() is but for the augmented term), and a
  // solution in the model's terms.
  template <class Vector> void to_matrix(Vector& r) const;
  template <class Vector> void to_model(Vector& x) const;
  void set_weights(Eigen::VectorXd w) { w_ = std::move(w); }  // W, one entry per tangent entry; 1 unless set
  // Whether the last matrix has another pattern than the one before.
  bool new_pattern() const { return new_pattern_; }
  int patterns() const { return patterns_; }  // found so far

  const sparse::CscMatrix& matrix() const { return replay_.matrix(); }
  const Eigen::VectorXd& residual() const { return residual_; }
  const Eigen::VectorXd& phi() const { return levels_.phi(); }    // of all rows, unscaled; redundant ones too
  const Eigen::VectorXd& rate() const { return levels_.rate(); }  // φ̇, and ψ of velocity rows
  const system::Levels& levels() const { return levels_; }

  int size() const { return static_cast<int>(residual_.size()); }
  const assembly::Layout& layout() const { return layout_; }
  int tangent_size() const { return layout_.size(); }
  int active_count() const { return static_cast<int>(rows_.size()); }
  int row_of_active(int k) const { return rows_[static_cast<std::size_t>(k)]; }
  bool stabilised() const { return stabilised_; }
  bool holds_velocity(int k) const { return velocity_[static_cast<std::size_t>(k)] != 0; }  // an active row
  int lambda_offset() const { return layout_.size(); }
  int y_offset() const { return layout_.size() + active_count(); }
  int mu_offset() const { return y_offset() + layout_.size(); }
  // Of unknowns and equations of the matrix, for messages.
  core::Words column_name(int column) const;
  core::Words equation_name(int row) const;
  // The first equation, or slope of one, that is no finite number; empty where all are.
  core::Words not_finite() const;

 private:
  assembly::Needs needs(const LevelMaps& maps, bool matrix) const;
  void run(const system::System& system, const assembly::State& state, system::System::Workspace& work,
           const assembly::Needs& needs);
  void find_pattern(const system::System& system, const assembly::State& state,
                    system::System::Workspace& work, const LevelMaps& maps);
  void fill_residual(const assembly::State& state, const LevelMaps& maps, const Eigen::VectorXd* y);
  void leave_out(const Choice& choice, bool matrix);
  void rescale(const LevelMaps& maps);
  // Every entry of the matrix by these numbers: put(row, column, value), always in the same order.
  template <class Number, class Put>
  void emit(const system::Levels::Numbers& from, const LevelMapsOf<Number>& maps, const Put& put) const;
  template <class Number, class Put>
  void emit_pairs(const system::Levels::Numbers& from, const LevelMapsOf<Number>& maps, const Put& put) const;
  template <class Number, class Put>
  void emit_rows(const system::Levels::Numbers& from, const LevelMapsOf<Number>& maps, const Put& put) const;
  template <class Number, class Put>
  void emit_augmented(const system::Levels::Numbers& from, const LevelMapsOf<Number>& maps, int k,
                      const Put& put) const;
  template <class Number, class Put>
  void emit_position_part(const system::Levels::Numbers& from, const LevelMapsOf<Number>& maps, int k,
                          const system::Levels::Part& part, const Put& put) const;
  template <class Number, class Put>
  void emit_velocity_part(const system::Levels::Numbers& from, const LevelMapsOf<Number>& maps, int k,
                          const system::Levels::Part& part, const Put& put) const;
  template <class Put>
  void emit_acceleration_part(const system::Levels::Numbers& from, int k, const system::Levels::Part& part,
                              const Put& put) const;

  const assembly::Layout& layout_;
  std::vector<int> rows_;           // that take part
  std::vector<int> position_;       // of each row among them, −1 where redundant
  std::vector<int> position_rows_;  // those of them that hold positions
  std::vector<char> velocity_;      // of each that takes part: whether it holds velocities only
  bool physical_ = false, keeps_ = false;
  double sigma_ = 1, rho_ = 0;
  static const double kGive;  // ε
  Eigen::VectorXd row_weights_;
  Rows form_;
  bool stabilised_;
  system::Levels levels_;
  bool known_ = false;  // the pattern
  bool new_pattern_ = false, with_matrix_ = false;
  int patterns_ = 0;
  sparse::Replay replay_;
  Eigen::VectorXd residual_, w_;
  Eigen::VectorXd row_values_;                                 // of each row of the layout
  mutable std::tuple<Eigen::VectorXd, Eigen::VectorXcd> sum_;  // of one pair; grows
};

// Gᵀ is found in the columns of λ, times σ.
template <class Vector> void StageEquations::to_matrix(Vector& r) const {
  if (rho_ == 0) return;
  const sparse::CscMatrix& A = matrix();
  for (int k = 0; k < active_count(); ++k) {
    const int column = lambda_offset() + k;
    const auto first = static_cast<std::size_t>(A.start[static_cast<std::size_t>(column)]),
               last = static_cast<std::size_t>(A.start[static_cast<std::size_t>(column) + 1]);
    for (std::size_t e = first; e < last; ++e) {
      if (A.row[e] < tangent_size()) r[A.row[e]] += rho_ / sigma_ * A.value[e] * r[column];
    }
  }
}

template <class Vector> void StageEquations::to_model(Vector& x) const {
  x.segment(lambda_offset(), active_count()) *= sigma_;
}

template <class Number>
void StageEquations::scale_rows(const LevelMapsOf<Number>& maps,
                                Eigen::Ref<Eigen::Matrix<Number, -1, 1>> r) const {
  for (int k = 0; k < active_count(); ++k)
    r[lambda_offset() + k] /= velocity_[static_cast<std::size_t>(k)] ? maps.body.v : maps.body.q;
  if (stabilised_) r.tail(active_count()) /= maps.body.v;
}

}  // namespace trunnion::solve
