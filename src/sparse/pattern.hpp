#pragma once
// A sparse matrix whose pattern is found once, from a recorded assembly, and refilled by replaying that assembly.
//
//   Recorder recorder;                        // first pass: only positions count
//   emit([&](int row, int col, double) { recorder.entry(row, col); });
//   Replay replay = recorder.compile(n, n);   // pattern, and for every emission the slot it adds to
//   replay.start();                           // every later pass, in the same order: no search, no allocation
//   emit([&](int, int, double value) { replay.add(value); });
//   assert(replay.complete());

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/SparseCore>

namespace trunnion::sparse {

// Compressed columns; rows ascending within a column.
struct CscMatrix {
  int rows = 0, cols = 0;
  std::vector<int> start;  // cols + 1
  std::vector<int> row;
  std::vector<double> value;  // may be longer than row: what emissions outside the pattern brought

  int nonzeros() const { return static_cast<int>(row.size()); }
  Eigen::Map<const Eigen::SparseMatrix<double>> view() const {
    return {rows, cols, nonzeros(), start.data(), row.data(), value.data()};
  }
  // y += A x, y += Aᵀ x
  void multiply_add(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  void transpose_multiply_add(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
};

class Replay {
 public:
  const CscMatrix& matrix() const { return matrix_; }
  CscMatrix& matrix() { return matrix_; }
  std::size_t emissions() const { return slots_.size(); }
  // Of each emission, its place in matrix().value: for other numbers on the same pattern.
  std::span<const std::uint32_t> slots() const { return slots_; }

  void start() {
    std::fill(matrix_.value.begin(), matrix_.value.end(), 0.0);
    cursor_ = 0;
  }
  void add(double value) { matrix_.value[slots_[cursor_++]] += value; }
  // Emissions whose numbers are left out this time, e.g. because they are known to be zero.
  void skip(std::size_t count) { cursor_ += count; }
  // Whether exactly the recorded number of emissions has come since start().
  bool complete() const { return cursor_ == slots_.size(); }
  // Whether an emission left out of the pattern was more than rounding since start(): the pattern has to be found anew.
  bool escaped() const;

 private:
  friend class Recorder;
  CscMatrix matrix_;
  std::vector<std::uint32_t> slots_;
  std::size_t cursor_ = 0;
};

class Recorder {
 public:
  void entry(int row, int col) { entries_.push_back({row, col}); }
  void reserve(std::size_t count) { entries_.reserve(count); }
  std::size_t emissions() const { return entries_.size(); }
  // Linear in the number of emissions and of columns and rows.
  Replay compile(int rows, int cols) const { return compile(rows, cols, {}); }
  // With `used` (one flag an emission) positions that no flagged emission adds to stay out of the pattern. Should such an
  // emission bring a number after all, Replay::escaped() says so.
  Replay compile(int rows, int cols, std::span<const char> used) const;

 private:
  struct Entry {
    int row, col;
  };
  std::vector<Entry> entries_;
};

}  // namespace trunnion::sparse
