#pragma once
// Memory for the length of one element's evaluation. It grows to what is needed the first time and never allocates again;
// what was taken stays valid until its Frame ends, also when the memory grows. One per thread.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "assembly/state.hpp"

namespace trunnion::assembly {

class Scratch {
 public:
  // Gives back, when it goes out of scope, all that was taken since it was made.
  class Frame {
   public:
    explicit Frame(Scratch& scratch) : scratch_(scratch), chunk_(scratch.chunk_), used_(scratch.used_) {}
    ~Frame() {
      scratch_.chunk_ = chunk_;
      scratch_.used_ = used_;
    }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

   private:
    Scratch& scratch_;
    std::size_t chunk_, used_;
  };

  // Zeroed.
  VecMap vector(Eigen::Index n) {
    VecMap result(take(n), n);
    result.setZero();
    return result;
  }
  MatMap matrix(Eigen::Index rows, Eigen::Index cols) {
    MatMap result(take(rows * cols), rows, cols);
    result.setZero();
    return result;
  }
  double* take(Eigen::Index n) {
    const auto count = static_cast<std::size_t>(n);
    while (chunk_ < chunks_.size() && used_ + count > chunks_[chunk_].size) {
      ++chunk_;
      used_ = 0;
    }
    if (chunk_ == chunks_.size()) {
      const std::size_t size = std::max(count, kChunk);
      chunks_.push_back({std::make_unique<double[]>(size), size});
      used_ = 0;
    }
    double* result = chunks_[chunk_].data.get() + used_;
    used_ += count;
    return result;
  }

 private:
  static constexpr std::size_t kChunk = 1 << 14;
  struct Chunk {
    std::unique_ptr<double[]> data;
    std::size_t size;
  };
  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0, used_ = 0;
};

}  // namespace trunnion::assembly
