#pragma once
// What the corrector knows of its matrix: how fast corrections shrink with it, what it has cost, and whether another one would pay.
//
// Price. Work is counted in iterations, a residual and a solution each. A matrix of price P that has served m stages with n₁ … n_m
// iterations has cost (P + Σ n)/m a stage. That average falls while the price is spread over more stages and rises once the matrix is
// old: it is least where the next stage would take as many iterations as the average, and there a new matrix is made. Prices come
// from the matrix itself and never from a clock: two runs take the same steps.
//
// Rate. With a matrix just evaluated corrections shrink in proportion to their size, with an old one in proportion to its age: both
// factors are learnt from stages with two corrections and more, so that a stage whose first correction is small enough need not
// prove it with a second one. A correction larger than those seen lately says that something else has begun, a contact perhaps: of
// its rate nothing is known.

#include <array>
#include <cstdint>

namespace trunnion::solve {

class MatrixUse {
 public:
  enum class Made : std::uint8_t { evaluated, combined };

  // A new matrix, of a price in iterations. `in_vain`: those of the stage that is being solved, with the matrix before.
  void made(Made how, double price, int in_vain);
  // The ratio of two corrections that followed each other with this matrix; the first had the size `before`.
  void saw(double rate, double before);
  // What a first correction of the size `delta` in a stage may be expected to be multiplied by in the next; 0: not known.
  double expected(double delta) const;
  // A stage has converged, with so many iterations of this matrix.
  void served(int iterations);
  // A stage that ended with its first correction did so by expected(): not too often without a look.
  bool seen_lately() const { return unseen_ < kUnseen; }

  // Whether the next stage had better begin with a new matrix.
  bool renewal_pays() const;
  // Whether a stage that takes `iterations` in all would have the matrix replaced after it.
  bool worn_out_by(int iterations) const;
  double price() const { return price_; }
  long age() const { return age_; }  // stages it has served
  bool rate_known() const { return rate_ > 0; }
  double rate() const { return rate_; }

 private:
  static constexpr int kAges = 8, kUnseen = 6;
  void learn_usual(double iterations);
  double usual() const { return usual_[age_ < kAges ? static_cast<std::size_t>(age_) : kAges - 1]; }

  Made how_ = Made::evaluated;
  double price_ = 0, spent_ = 0;
  long age_ = 0;
  int last_ = 0;     // iterations of the last stage
  double rate_ = 0;  // seen last with this matrix
  int unseen_ = 0;   // stages since
  // Of all matrices.
  double bend_ = 0;                       // rate over the size of the correction, with one just evaluated
  double mixed_ = 0;                      // rate with one just combined
  double drift_ = 0;                      // rate over age
  double seen_size_ = 0;                  // of corrections whose rates were seen
  std::array<double, kAges> usual_ = {};  // iterations by age
};

}  // namespace trunnion::solve
