#include "sparse/inertia.hpp"

#include "sparse/factorisation.hpp"

namespace trunnion::sparse {

std::optional<Inertia> inertia(const CscMatrix& symmetric) {
  Factorisation factors;
  if (!factors.analyse(symmetric, Plan{.symmetric = true})) return std::nullopt;
  factors.factor(symmetric);
  return factors.inertia();
}

}  // namespace trunnion::sparse
