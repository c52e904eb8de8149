#pragma once
// The equations of one stage, whatever the analysis: residual and iteration matrix in unknowns of the highest level.
//
// A formula says how the levels of a block move with its unknown u (design: level map). With the unknowns chosen so that
// δq = q·δu holds without a matrix, and S the 3×3 map of a rigid body's turn,
//   bodies        δq = q δu     δv = v S δu     δa = a S δu        u an acceleration, so that a = 1 and q, v → 0 with the step
//   states z      δq = q δu     δv = v δu                          u = ż
//   variables w   δq = δu                                          u = w
//   r = M a + h − Q + Gᵀλ                       [ M + vC + qK + q Hλ , Gᵀ ] [ δu ]
//   φ / q      (position rows)                  [ G                  , 0  ] [ δλ ] = −r
//   ψ / v      (velocity rows)
// so the condition of the matrix does not depend on the step (docs/theory/dynamics.md). With Rows::acceleration the
// constraint rows are G a − γ: the same sink then gives consistent accelerations (primer Eq. 40).
//
// Stabilised index 2 (Gear, Gupta, Leimkuhler) adds y to the velocities and asks for φ̇ = 0 too:
//   v = v(u) + y/s,  a = a(u) + y,  W y − Gᵀμ = 0,  φ̇ / v = 0         unknowns u, λ, y, μ;  s = 1/v
// W is 1 for lengths and the square of the body's radius of gyration for turns, so that units do not decide which of both is corrected.
// Only the rows listed as active take part; the others are redundant, have λ = 0, and their φ is kept to be watched.

#include <vector>

#include <Eigen/Core>

#include "assembly/chart.hpp"
#include "assembly/sink.hpp"
#include "sparse/pattern.hpp"

namespace trunnion::system {

struct LevelMap {
  double q = 0, v = 0, a = 0;
};

struct LevelMaps {
  LevelMap body{0, 0, 1};                 // second order
  LevelMap state{0, 1, 0};                // first order
  LevelMap variable{1, 0, 0};             // algebraic
  const assembly::Turns* turn = nullptr;  // none: the identity

  const LevelMap& of(const assembly::Block& block) const {
    if (block.dynamics == assembly::Dynamics::first_order) return state;
    return block.dynamics == assembly::Dynamics::algebraic ? variable : body;
  }
  // S of a block's turn; null: the identity.
  const math::Mat3* turn_of(const assembly::Block& block) const {
    return turn != nullptr && block.triple >= 0 ? &(*turn)[static_cast<std::size_t>(block.triple)] : nullptr;
  }
};

class StageSink final : public assembly::Sink {
 public:
  enum class Rows { position, acceleration };

  StageSink(const assembly::Layout& layout, const std::vector<int>& active_rows, Rows rows,
            bool stabilised = false);

  // Before and after each evaluation. `y` (stabilised only): the velocities' correction, one entry per tangent entry.
  void start(const assembly::State& state, const LevelMaps& maps, bool with_matrix,
             const Eigen::VectorXd* y = nullptr);
  void set_weights(Eigen::VectorXd w) { w_ = std::move(w); }  // W, one entry per tangent entry
  void finish();

  // The pattern is found from all evaluations with matrix before compile(): what was zero in each is left out.
  bool recording() const { return recording_; }
  void compile();
  void record_anew();
  // Whether the last evaluation needed an entry that the pattern lacks.
  bool escaped() const { return with_matrix_ && !recording_ && replay_.escaped(); }

  const sparse::CscMatrix& matrix() const { return replay_.matrix(); }
  const Eigen::VectorXd& residual() const { return residual_; }
  const Eigen::VectorXd& phi() const { return phi_; }  // of all rows, unscaled; redundant ones too
  const Eigen::VectorXd& rate() const { return rate_; }  // φ̇, and ψ of velocity rows; with Rows::acceleration

  int size() const { return static_cast<int>(residual_.size()); }
  const assembly::Layout& layout() const { return layout_; }
  int tangent_size() const { return layout_.size(); }
  int active_count() const { return static_cast<int>(active_.size()); }
  int row_of_active(int k) const { return active_[static_cast<std::size_t>(k)]; }
  bool stabilised() const { return stabilised_; }
  int lambda_offset() const { return layout_.size(); }
  int y_offset() const { return layout_.size() + active_count(); }
  int mu_offset() const { return y_offset() + layout_.size(); }
  // Of unknowns and equations of the matrix, for messages.
  std::string column_name(int column) const;
  std::string equation_name(int row) const;
  // The first equation, or slope of one, that is no finite number; empty where all are.
  std::string not_finite() const;

  assembly::Needs needs() const override;
  void residual(assembly::BlockId row, assembly::Term term, assembly::VecRef value) override;
  void partial(assembly::BlockId row, assembly::BlockId col, assembly::Level level,
               assembly::MatRef value) override;
  void multiplier_partial(assembly::BlockId row, assembly::RowId col, assembly::VecRef value) override;
  void constraint(assembly::RowId row, const assembly::ConstraintRow& value) override;
  void velocity_constraint(assembly::RowId row, const assembly::VelocityRow& value) override;

 private:
  // Σ λ H (and Σ μ H) of the rows that one element emits one after another.
  struct Curvature {
    std::span<const assembly::BlockId> blocks;
    assembly::RowShape shape = assembly::RowShape::orientation;
    Eigen::MatrixXd lambda_H, mu_H;  // their top left corners: they grow, and are not resized from row to row
    bool open = false;
  };

  void entry(int row, int col, double value) {
    if (!recording_) {
      replay_.add(value);
      return;
    }
    if (pass_ == 0) {
      recorder_.entry(row, col);
      used_.push_back(value != 0);
    } else if (value != 0) {
      used_[cursor_] = 1;
    }
    ++cursor_;
  }
  int equation_of(assembly::RowId row) const {
    const int k = position_[static_cast<std::size_t>(row.index)];
    return k < 0 ? -1 : layout_.size() + k;
  }
  Eigen::Map<const Eigen::VectorXd> gather(const Eigen::VectorXd& from,
                                           std::span<const assembly::BlockId> blocks, Eigen::Index size);
  void position_row(int equation, double lambda, const assembly::ConstraintRow& value);
  void acceleration_row(int equation, double lambda, const assembly::ConstraintRow& value);
  void stabilising_row(int equation, double mu, const assembly::ConstraintRow& value);
  void add_curvature(double lambda, double mu, const assembly::ConstraintRow& value);
  void add_hessian(double factor, const assembly::ConstraintRow& value, Eigen::MatrixXd& sum);
  void flush_curvature();

  const assembly::Layout& layout_;
  std::vector<int> active_;    // rows that take part
  std::vector<int> position_;  // of each row in active_, −1 where redundant
  Rows rows_;
  bool stabilised_;
  Eigen::VectorXd w_;
  bool has_states_ = false, has_variables_ = false;

  const assembly::State* state_ = nullptr;
  const Eigen::VectorXd* y_ = nullptr;
  LevelMaps maps_;
  bool with_matrix_ = true;
  bool recording_ = true;
  int pass_ = 0;
  std::size_t cursor_ = 0;
  std::vector<char> used_;
  sparse::Recorder recorder_;
  sparse::Replay replay_;
  Eigen::VectorXd residual_, phi_, rate_, gathered_;
  Eigen::MatrixXd turned_;
  Curvature curvature_;
};

}  // namespace trunnion::system
