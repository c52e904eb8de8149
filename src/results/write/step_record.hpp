#pragma once

namespace trunnion::results {

// An accepted step of an integrator, for the history of how the solver fared.
struct StepRecord {
  double t = 0, h = 0;
  int order = 0;
  long iterations = 0;  // of the corrector in this step, rejected attempts included
};

}  // namespace trunnion::results
