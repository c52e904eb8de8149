#include "sparse/inertia.hpp"

#include <vector>

#include <dmumps_c.h>

namespace trunnion::sparse {

namespace {

// MUMPS numbers its controls from one.
int& control(DMUMPS_STRUC_C& m, int number) { return m.icntl[number - 1]; }

class Mumps {
 public:
  Mumps() {
    constexpr int kStart = -1, kWorldOfOne = -987654, kGeneralSymmetric = 2;
    m_.job = kStart;
    m_.par = 1;
    m_.sym = kGeneralSymmetric;
    m_.comm_fortran = kWorldOfOne;
    dmumps_c(&m_);
    for (const int stream : {1, 2, 3}) control(m_, stream) = -1;
    control(m_, 4) = 0;
    control(m_, 7) = 0;   // order by approximate minimum degree
    control(m_, 24) = 1;  // zero pivots are counted, and passed over
    control(m_, 31) = 1;  // factors are not kept
  }
  Mumps(const Mumps&) = delete;
  Mumps& operator=(const Mumps&) = delete;
  ~Mumps() {
    constexpr int kEnd = -2;
    m_.job = kEnd;
    dmumps_c(&m_);
  }

  std::optional<Inertia> factor(int n, std::vector<int>& rows, std::vector<int>& cols,
                                std::vector<double>& values) {
    constexpr int kAnalyseAndFactor = 4, kRoomTooSmall = -9, kTries = 4;
    m_.n = n;
    m_.nnz = static_cast<MUMPS_INT8>(values.size());
    m_.irn = rows.data();
    m_.jcn = cols.data();
    m_.a = values.data();
    for (int k = 0; k < kTries; ++k) {
      m_.job = kAnalyseAndFactor;
      dmumps_c(&m_);
      if (m_.infog[0] != kRoomTooSmall) break;
      control(m_, 14) *= 4;
    }
    if (m_.infog[0] < 0) return std::nullopt;
    return Inertia{m_.infog[11], m_.infog[27]};
  }

 private:
  DMUMPS_STRUC_C m_{};
};

}  // namespace

std::optional<Inertia> inertia(const CscMatrix& symmetric) {
  if (symmetric.cols == 0) return Inertia{};
  std::vector<int> rows, cols;
  std::vector<double> values;
  for (int c = 0; c < symmetric.cols; ++c) {
    for (int k = symmetric.start[static_cast<std::size_t>(c)];
         k < symmetric.start[static_cast<std::size_t>(c) + 1]; ++k) {
      const int row = symmetric.row[static_cast<std::size_t>(k)];
      if (row < c) continue;
      rows.push_back(row + 1);
      cols.push_back(c + 1);
      values.push_back(symmetric.value[static_cast<std::size_t>(k)]);
    }
  }
  Mumps mumps;
  return mumps.factor(symmetric.cols, rows, cols, values);
}

}  // namespace trunnion::sparse
