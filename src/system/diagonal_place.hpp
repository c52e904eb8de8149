#pragma once
// How system::Levels says that a matrix of a pair of blocks is a diagonal: Levels::Pair::at is ≥ 0 where it is full, −1 where there is none,
// and less where the numbers of its diagonal alone stand at diagonal_place(at).

namespace trunnion::system {

constexpr int kNoPlace = -1, kFirstDiagonal = -2;
// kNoPlace: it is not one.
constexpr int diagonal_place(int at) { return at <= kFirstDiagonal ? kFirstDiagonal - at : kNoPlace; }
constexpr int as_diagonal(int place) { return kFirstDiagonal - place; }

}  // namespace trunnion::system
