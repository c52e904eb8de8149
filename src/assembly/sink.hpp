#pragma once
// The contract between elements and analyses: an element emits residual terms and partials by physical level into a sink
// and never learns the step size, the method or the analysis. See docs/theory/assembly.md.
//
//   M(q) a + h(q, v) − Q(q, v, a, z, w, λ, t) + Gᵀ λ = 0      residual(), partial(); Gᵀλ is the sink's work
//   Φ(q, t) = 0                                                constraint()
//   Ψ(q, v, t) = 0                                             velocity_constraint()
//
// For one system an element emits the same calls with the same blocks in the same order at every state (only `needs` may
// suppress whole kinds of call), so that a sink can record where its numbers go once and replay that.

#include <cstdint>
#include <span>

#include "assembly/ids.hpp"
#include "assembly/state.hpp"

namespace trunnion::assembly {

// What a partial is taken with respect to. First-order blocks: q = z, v = ż; algebraic blocks: q = w.
enum class Level : std::uint8_t { q, v, a };

// What a residual term is, for energy audits and messages. All are summed with the sign they have in the equation
// above: a gravity force m g is emitted as the residual −m g.
enum class Term : std::uint8_t { inertia, applied, equation };

// What the sink will use; an element may skip the rest.
struct Needs {
  bool residual = true;
  bool partial_q = true;
  bool partial_v = true;
  bool partial_a = true;
  bool constraints = true;  // φ, φ_t, φ_tt, G, ψ and its partials
  bool hessians = true;     // H, H_q, H_v

  bool partials() const { return partial_q || partial_v || partial_a; }
};

// Which entries of g and H can be other than zero, as far as it is known from the kind of row alone.
enum class RowShape : std::uint8_t {
  general,
  orientation,  // g and H only in the rotational entries (Block::translations skipped)
  coincidence,  // H only between rotational entries of one and the same block
};

// One row of Φ. Blocks are distinct and valid; g, g_t and the rows and columns of H run over them one after another.
struct ConstraintRow {
  double phi = 0.0, phi_t = 0.0, phi_tt = 0.0;  // φ, ∂φ/∂t, ∂²φ/∂t²
  std::span<const BlockId> blocks;
  VecRef g;  // ∂φ/∂q
  MatRef
      H;  // ∂gᵀ/∂q: H(i, k) = ∂g_i/∂q_k; not symmetric between rotations of one body. Empty unless needs().hessians.
  VecRef g_t;  // ∂g/∂t; empty means zero
  RowShape shape = RowShape::general;
};
// Hence φ̇ = g·v + φ_t and φ̈ = g·a + vᵀ H v + 2 g_t·v + φ_tt.

// One row of Ψ; its multiplier acts as psi_vᵀ λ.
struct VelocityRow {
  double psi = 0.0, psi_t = 0.0;
  std::span<const BlockId> blocks;
  VecRef psi_q, psi_v;  // ∂ψ/∂q, ∂ψ/∂v
  MatRef H_q, H_v;      // ∂(psi_vᵀ)/∂q, ∂(psi_vᵀ)/∂v. Empty unless needs().hessians.
};
// Hence ψ̇ = psi_v·a + psi_q·v + psi_t.

// Rows of one element over one or two rigid parts whose H is between turns only, all at once: from elements that have a kernel of their
// own beside their rows, to sinks that take such. φ_t and φ_tt are zero.
struct TurningRows {
  RowId first;  // the others follow
  int count = 0;
  std::span<const BlockId> blocks;
  const double* phi = nullptr;
  const double* g = nullptr;  // ∂φ/∂q of row after row, over the blocks
  const double* b = nullptr;  // ∂(g·v)/∂q alike; null unless needs().hessians
  const math::Mat3 (*turns)[2] =
      nullptr;  // Σ λ H, [rows of block][columns of block], and after that Σ μ H alike at [2 + rows]; null
                // unless needs().partial_q too
  bool coupled = false;  // there is H between the two blocks
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual Needs needs() const = 0;
  virtual void residual(BlockId row, Term term, VecRef value) = 0;
  virtual void partial(BlockId row, BlockId col, Level level, MatRef value) = 0;
  virtual void multiplier_partial(BlockId row, RowId col, VecRef value) = 0;  // of residual(), not of Gᵀλ
  virtual void constraint(RowId row, const ConstraintRow& value) = 0;
  virtual void velocity_constraint(RowId row, const VelocityRow& value) = 0;
  virtual bool takes_turning_rows() const { return false; }
  virtual void turning_rows(const TurningRows&) {}
};

}  // namespace trunnion::assembly
