#include "solve/physical_scale.hpp"

#include <cmath>

namespace trunnion::solve {

using assembly::Block;
using assembly::Level;

namespace {

double power_of_two(double x) {
  return std::isfinite(x) && x > 0 ? std::exp2(std::round(std::log2(x))) : 1.0;
}

// Sums of |diagonal entries|.
struct Diagonal {
  double travel = 0, turn = 0;
};

}  // namespace

double physical_scale(const system::Levels& levels, const LevelMap& body) {
  constexpr int kLevels = 3;
  Diagonal sums[kLevels];
  int count = 0;
  const double* const values = levels.numbers().values.data();
  for (const system::Levels::Pair& pair : levels.pairs()) {
    if (pair.row != pair.col) continue;
    const Block& block = levels.layout().block(pair.row);
    if (!block.is_mechanical() || !block.is_body()) continue;
    count += block.size;
    for (int level = 0; level < kLevels; ++level) {
      const int at = pair.at[static_cast<std::size_t>(level)];
      for (int i = 0; i < block.size && at >= 0; ++i) {
        const bool turn = block.rotation >= 0 && i >= block.rotation && i < block.rotation + 3;
        (turn ? sums[level].turn : sums[level].travel) += std::abs(values[at + i * (block.size + 1)]);
      }
    }
  }
  if (count == 0) return 1;
  const Diagonal& mass = sums[static_cast<int>(Level::a)];
  const double square =
      mass.travel > 0 && mass.turn > 0 ? mass.turn / mass.travel : 1.0;  // of the radius of gyration
  const auto part = [&](Level level, double factor) {
    const Diagonal& sum = sums[static_cast<int>(level)];
    return factor != 0 ? std::abs(factor) * (sum.travel + sum.turn / square) / count : 0.0;
  };
  return power_of_two(part(Level::a, body.a) + part(Level::v, body.v) + part(Level::q, body.q));
}

}  // namespace trunnion::solve
