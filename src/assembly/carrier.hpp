#pragma once
// How a body carries a frame: the one place that knows what kind of body a marker is on. Joints, forces and measures speak of
// markers; Pullback asks their carriers. A new kind of body is one file in carriers/ and its registration (carrier.cpp, or the
// MarkerDef of its markers); no element changes.
//
// The marker moves with the unknowns of one block or several, (δp, δφ) = J(q) δq and (v, ω) = J(q) q̇, all in ground axes. With a wrench
// (f, τ) at the marker a carrier answers
//   pull               Jᵀ(f, τ)                           into a row over an element's columns
//   pull of a square   J_mᵀ P J_n                         P = ∂(f, τ) of marker m / ∂(p, φ) of marker n
//   curvature          ∂(Jᵀ(f, τ))/∂q, (f, τ) held        not symmetric: variations turn with the body
//   rate_in_q          ∂(f·v + τ·ω)/∂q                    at fixed q̇
//   acceleration_in_q  ∂(f·a + τ·α)/∂q                    at fixed q̇, q̈
//   acceleration_in_v  ∂(f·a + τ·α)/∂q̇
// Columns are given by the first entry of each of the marker's blocks, in the order of blocks(). Carriers are const and shared by
// threads; what move() finds out for the others is kept in the seat.

#include "assembly/marker.hpp"
#include "assembly/sink.hpp"
#include "assembly/state.hpp"

namespace trunnion::assembly {

// One marker as its carrier sees it at one state.
struct Seat {
  const Carrier* carrier;
  const MarkerDef* def;
  const BodyMotion* body;  // the frame of def->body
  const Layout* layout;
  double* kept;  // Carrier::kept() numbers that move() leaves
};

// How a wrench on one marker changes with the place p and the turn φ of another. A null pointer is a zero matrix.
struct WrenchGradient {
  const Mat3* f_p = nullptr;
  const Mat3* f_turn = nullptr;
  const Mat3* tau_p = nullptr;
  const Mat3* tau_turn = nullptr;
};

class Carrier {
 public:
  virtual ~Carrier() = default;

  // Whose unknowns move the marker, each once. None for ground.
  virtual std::span<const BlockId> blocks(const MarkerDef& def) const { return {&def.body, 1}; }
  // Whether there is one block, whose leading Block::translations entries shift the marker and do nothing else: what narrow
  // RowShapes rely on.
  virtual bool shifts_by_translations() const { return false; }
  // Whether the marker turns as its body does, δφ = R δθ: the curvature of a moment is then τ̂ of that turn and nothing else.
  virtual bool turns_with_body() const { return false; }
  virtual int kept() const { return 0; }

  // Brings a marker's motion, up to the level asked for, to the state's.
  virtual void move(const Seat& seat, const State& state, Level level, MarkerMotion& motion) const = 0;

  // The column of J that belongs to an entry of the block-th block.
  virtual Twist twist(const Seat& seat, int block, int entry) const = 0;
  virtual void pull(const Seat& seat, const Vec3& f, const Vec3& tau, double* row,
                    const int* columns) const = 0;
  // In closed form, if it has one for the two; else false, and Pullback does it by twist() of n and pull() of m.
  virtual bool pull_square(const Seat& /*m*/, const int* /*rows*/, const Seat& /*n*/, const int* /*columns*/,
                           const WrenchGradient& /*P*/, MatMap& /*H*/) const {
    return false;
  }
  virtual void curvature(const Seat& seat, const Vec3& f, const Vec3& tau, MatMap& H,
                         const int* columns) const = 0;
  virtual void rate_in_q(const Seat& seat, const Vec3& f_v, const Vec3& f_w, double* row,
                         const int* columns) const = 0;
  virtual void acceleration_in_q(const Seat& seat, const Vec3& f_a, const Vec3& f_alpha, double* row,
                                 const int* columns) const = 0;
  virtual void acceleration_in_v(const Seat& seat, const Vec3& f_a, const Vec3& f_alpha, double* row,
                                 const int* columns) const = 0;
};

// A carrier that is the whole of a body with one block: it also moves the block's own frame, once for all markers.
class BodyCarrier : public Carrier {
 public:
  virtual void move_body(const Layout& layout, const Block& block, const State& state,
                         BodyMotion& motion) const = 0;
  // Of the block's frame with one of its entries.
  virtual Twist body_twist(const Layout& layout, const Block& block, const BodyMotion& motion,
                           int entry) const = 0;
};

// Of a block that is a body; null for all others.
const BodyCarrier* carrier_of(const Block& block);
// Of a marker.
const Carrier& carrier_of(const MarkerDef& def, const Layout& layout);

}  // namespace trunnion::assembly
