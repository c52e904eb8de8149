#pragma once
// For those who hear constraint rows only: what they put on bodies, what work they do.

#include "assembly/sink.hpp"

namespace trunnion::assembly {

class RowSink : public Sink {
 public:
  explicit RowSink(bool hessians) : hessians_(hessians) {}

  Needs needs() const final {
    return {.residual = false,
            .partial_q = false,
            .partial_v = false,
            .partial_a = false,
            .constraints = true,
            .hessians = hessians_};
  }
  void residual(BlockId, Term, VecRef) final {}
  void partial(BlockId, BlockId, Level, MatRef) final {}
  void multiplier_partial(BlockId, RowId, VecRef) final {}

 private:
  bool hessians_;
};

}  // namespace trunnion::assembly
