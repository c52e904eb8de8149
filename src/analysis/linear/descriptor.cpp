// Constraints that read states or variables: φ(q, z, w, t) = 0 asks for rates of z and w that no equation gives as it stands, and a
// variable that reads velocities or forces makes such a row one of another level. So nothing is assumed about levels. At rest all
// equations are one system with constant coefficients in x = (ξ, ν, z, w, λ)
//   E ẋ = F x + Σ Hₖ i⁽ᵏ⁾
// Rows of E that are combinations of others leave rows of F alone: 0 = F₂ x + …, which are kept, and differentiated in place of
// those. This ends with E regular (as often as the index of the equations says), ẋ = E⁻¹ (F x + …) on the x that all kept rows
// allow. As many entries of x as that leaves free are the states.

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/QR>
#include <fmt/format.h>

#include "analysis/linear/columns.hpp"

namespace trunnion::analysis {

namespace {

using Dense = Eigen::MatrixXd;
using Index = Eigen::Index;
using Matrix = LinearLevels::Matrix;

constexpr double kRank = 1e-10, kGap = 1e-3;
constexpr int kLevels = 6;        // differentiations; mechanics need three
constexpr Index kLargest = 3000;  // unknowns, dense

// Where each tangent entry stands in x.
struct Places {
  std::vector<int> xi, nu;  // of entries: ν −1 but for bodies; states and variables have their place in xi
  int lambda = 0, size = 0;

  Places(const LinearLevels& at) : xi(at.mechanical.size()), nu(at.mechanical.size(), -1) {
    for (std::size_t i = 0; i < xi.size(); ++i) xi[i] = static_cast<int>(i);
    size = static_cast<int>(xi.size());
    for (std::size_t i = 0; i < nu.size(); ++i) {
      if (at.mechanical[i]) nu[i] = size++;
    }
    lambda = size;
    size += static_cast<int>(at.G.rows());
  }
};

struct Descriptor {
  Dense E, F;
  std::vector<Dense> H;  // by the input and its rates

  // Rows in the order of x: ξ̇ = ν stands where ν does, balances where ξ, z, w do.
  Descriptor(const LinearLevels& at, const Places& to, const std::vector<int>& inputs)
      : E(Dense::Zero(to.size, to.size)), F(E), H{Dense::Zero(to.size, static_cast<Index>(inputs.size()))} {
    for (std::size_t i = 0; i < to.nu.size(); ++i) {
      if (to.nu[i] < 0) continue;
      E(to.nu[i], to.xi[i]) = 1;
      F(to.nu[i], to.nu[i]) = 1;
    }
    add_balances(at, to);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      E.row(inputs[k]).setZero();
      F.row(inputs[k]).setZero();
      F(inputs[k], inputs[k]) = -1;
      H[0](inputs[k], static_cast<Index>(k)) = 1;
    }
    add_rows(at, to);
  }

 private:
  void add_balances(const LinearLevels& at, const Places& to) {
    for (int c = 0; c < at.q.outerSize(); ++c) {
      const auto k = static_cast<std::size_t>(c);
      for (Matrix::InnerIterator it(at.q, c); it; ++it) F(it.row(), to.xi[k]) -= it.value();
      for (Matrix::InnerIterator it(at.v, c); it; ++it) {
        if (to.nu[k] >= 0) F(it.row(), to.nu[k]) -= it.value();
        else E(it.row(), to.xi[k]) += it.value();
      }
      for (Matrix::InnerIterator it(at.a, c); it && to.nu[k] >= 0; ++it) E(it.row(), to.nu[k]) += it.value();
    }
    for (int c = 0; c < at.L.outerSize(); ++c) {
      for (Matrix::InnerIterator it(at.L, c); it; ++it) F(it.row(), to.lambda + c) -= it.value();
    }
  }
  void add_rows(const LinearLevels& at, const Places& to) {
    std::vector<char> position(static_cast<std::size_t>(at.G.rows()), 0);
    for (const int row : at.position_rows) position[static_cast<std::size_t>(row)] = 1;
    for (int c = 0; c < at.G.outerSize(); ++c) {
      const auto k = static_cast<std::size_t>(c);
      for (Matrix::InnerIterator it(at.G, c); it; ++it) {
        const Index row = to.lambda + it.row();
        if (position[static_cast<std::size_t>(it.row())]) F(row, to.xi[k]) += it.value();
        else if (to.nu[k] >= 0) F(row, to.nu[k]) += it.value();
        else E(row, to.xi[k]) -= it.value();
      }
      for (Matrix::InnerIterator it(at.B, c); it; ++it) {
        if (!position[static_cast<std::size_t>(it.row())]) F(to.lambda + it.row(), to.xi[k]) += it.value();
      }
    }
  }
};

double power_of_two(double x) {
  return x > 0 && std::isfinite(x) ? std::exp2(std::round(std::log2(x))) : 1.0;
}

// Rates measured in σ, and rows and columns about as long as one another: what is left then of a row can be judged by its length.
class Scaled {
 public:
  Scaled(Descriptor& d, double sigma) : sigma_(sigma), unit_(Eigen::VectorXd::Ones(d.E.rows())) {
    d.E *= sigma;
    for (std::size_t k = 1; k < d.H.size(); ++k) d.H[k] *= std::pow(sigma, static_cast<double>(k));
    constexpr int kSweeps = 4;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (Index i = 0; i < d.E.rows(); ++i) scale_row(d, i);
      for (Index j = 0; j < d.E.cols(); ++j) {
        const double f =
            power_of_two(std::max(d.E.col(j).cwiseAbs().maxCoeff(), d.F.col(j).cwiseAbs().maxCoeff()));
        d.E.col(j) /= f;
        d.F.col(j) /= f;
        unit_[j] /= f;
      }
    }
    for (Index i = 0; i < d.E.rows(); ++i) scale_row(d, i);
  }
  double rate() const { return sigma_; }
  const Eigen::VectorXd& unit() const { return unit_; }  // x = unit · (scaled x)

 private:
  static void scale_row(Descriptor& d, Index i) {
    const double f =
        power_of_two(std::max(d.E.row(i).cwiseAbs().maxCoeff(), d.F.row(i).cwiseAbs().maxCoeff()));
    d.E.row(i) /= f;
    d.F.row(i) /= f;
    for (Dense& h : d.H) h.row(i) /= f;
  }
  double sigma_;
  Eigen::VectorXd unit_;
};

// 0 = K x + Σ hₖ i⁽ᵏ⁾
struct Kept {
  Dense K;
  std::vector<Dense> h;
};

void append(Dense& to, const Dense& rows) {
  const Index before = to.rows();
  to.conservativeResize(before + rows.rows(), rows.cols());
  to.bottomRows(rows.rows()) = rows;
}

// Differentiates what E leaves without rates until it leaves nothing. False where that does not end.
bool reduce(Descriptor& d, Kept& kept) {
  const Index n = d.E.rows(), inputs = d.H[0].cols();
  kept.K.resize(0, n);
  for (int level = 0; level <= kLevels; ++level) {
    Eigen::ColPivHouseholderQR<Dense> qr(d.E);
    qr.setThreshold(kRank);
    const Index rank = qr.rank();
    if (rank == n) return true;
    const auto pivot = [&](Index k) { return std::abs(qr.matrixR()(k, k)); };
    if (rank > 0 && pivot(rank) > kGap * pivot(rank - 1)) return false;  // no clear decision
    const Dense Qt = Dense(qr.householderQ()).transpose();
    d.E = Qt * d.E;
    d.F = Qt * d.F;
    for (Dense& h : d.H) h = Qt * h;
    const Index free = n - rank;
    d.H.push_back(Dense::Zero(n, inputs));
    for (Index i = rank; i < n; ++i) {
      const double size = d.F.row(i).norm();
      if (!(size > kRank)) return false;
      d.F.row(i) /= size;
      for (Dense& h : d.H) h.row(i) /= size;
    }
    append(kept.K, d.F.bottomRows(free));
    for (std::size_t k = 0; k < d.H.size(); ++k) {
      if (kept.h.size() <= k) kept.h.push_back(Dense::Zero(kept.K.rows() - free, inputs));
      append(kept.h[k], d.H[k].bottomRows(free));
    }
    d.E.bottomRows(free) = d.F.bottomRows(free);
    d.F.bottomRows(free).setZero();
    for (std::size_t k = d.H.size() - 1; k > 0; --k) d.H[k].bottomRows(free) = -d.H[k - 1].bottomRows(free);
    d.H[0].bottomRows(free).setZero();
  }
  return false;
}

// Of the entries offered, some whose rows in `basis` are independent of one another and of those taken before.
void take(Dense& basis, const std::vector<int>& offered, std::vector<int>& chosen) {
  std::vector<char> taken(offered.size(), 0);
  for (;;) {
    std::size_t best = 0;
    double largest = std::sqrt(kRank);
    for (std::size_t k = 0; k < offered.size(); ++k) {
      const double size = taken[k] ? 0.0 : basis.row(offered[k]).norm();
      if (size > largest * 1.001) best = k, largest = size;
    }
    if (largest <= std::sqrt(kRank)) break;
    taken[best] = 1;
    const Eigen::RowVectorXd direction = basis.row(offered[best]).normalized();
    basis -= (basis * direction.transpose()) * direction;
  }
  for (std::size_t k = 0; k < offered.size(); ++k) {
    if (taken[k]) chosen.push_back(offered[k]);
  }
}

// The mean of the rates that the diagonals show; stiffness that is rounding beside the largest does not count.
double characteristic_rate(const LinearLevels& at) {
  constexpr double kRounding = 1e-10;
  const Eigen::VectorXd k = at.q.diagonal(), m = at.a.diagonal();
  std::vector<double> squares;
  for (Index i = 0; i < k.size(); ++i) {
    if (m[i] > 0) squares.push_back(std::abs(k[i]) / m[i]);
  }
  const double largest = squares.empty() ? 0.0 : *std::max_element(squares.begin(), squares.end());
  double sum = 0;
  int count = 0;
  for (const double square : squares) {
    if (square > kRounding * largest) sum += std::log(square) / 2, ++count;
  }
  return count > 0 ? power_of_two(std::exp(sum / count)) : 1.0;
}

// x and ẋ by states, and by the input and its rates.
struct Solution {
  Dense x, rate;
  std::vector<Dense> x_of, rate_of;
};

Solution solve(const Descriptor& d, const Kept& kept, const Dense& null, const std::vector<int>& chosen,
               const Scaled& scale) {
  const Eigen::PartialPivLU<Dense> lu(d.E);
  Dense square(null.cols(), null.cols());
  for (std::size_t k = 0; k < chosen.size(); ++k) square.row(static_cast<Index>(k)) = null.row(chosen[k]);
  Solution s;
  s.x = null * square.inverse();
  s.rate = lu.solve(d.F * s.x);
  const Eigen::CompleteOrthogonalDecomposition<Dense> rows(kept.K);
  for (std::size_t k = 0; k < d.H.size(); ++k) {
    Dense x = kept.h.size() > k && kept.K.rows() > 0 ? Dense(rows.solve(-kept.h[k]))
                                                     : Dense::Zero(d.E.rows(), d.H[k].cols());
    Dense of_chosen(null.cols(), x.cols());
    for (std::size_t j = 0; j < chosen.size(); ++j) of_chosen.row(static_cast<Index>(j)) = x.row(chosen[j]);
    x -= s.x * of_chosen;
    s.rate_of.push_back(lu.solve(d.F * x + d.H[k]));
    s.x_of.push_back(std::move(x));
  }
  // What rounding leaves of rates that do not count would be told from none by nobody afterwards.
  for (std::size_t k = 1; k < s.x_of.size(); ++k) {
    for (Dense* m : {&s.x_of[k], &s.rate_of[k]})
      *m = m->unaryExpr([](double x) { return std::abs(x) > kRank ? x : 0.0; });
  }
  // Back to the units of x, states in theirs, rates of inputs in those of time.
  Dense to_state = Dense::Zero(null.cols(), null.cols());
  for (std::size_t k = 0; k < chosen.size(); ++k)
    to_state(static_cast<Index>(k), static_cast<Index>(k)) = 1 / scale.unit()[chosen[k]];
  s.x = scale.unit().asDiagonal() * s.x * to_state;
  s.rate = scale.rate() * (scale.unit().asDiagonal() * s.rate * to_state);
  for (std::size_t k = 0; k < s.x_of.size(); ++k) {
    const double in_time = std::pow(scale.rate(), -static_cast<double>(k));
    s.x_of[k] = in_time * (scale.unit().asDiagonal() * s.x_of[k]);
    s.rate_of[k] = scale.rate() * in_time * (scale.unit().asDiagonal() * s.rate_of[k]);
  }
  return s;
}

// (ν̇, ż, w, λ) from x and ẋ.
Dense highest(const LinearLevels& at, const Places& to, const Dense& x, const Dense& rate) {
  const auto n = static_cast<Index>(to.xi.size());
  Dense out(n + at.G.rows(), x.cols());
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    out.row(i) = to.nu[k] >= 0 ? rate.row(to.nu[k]) : x.row(to.xi[k]);
  }
  for (const int i : at.states) out.row(i) = rate.row(to.xi[static_cast<std::size_t>(i)]);
  out.bottomRows(at.G.rows()) = x.bottomRows(at.G.rows());
  return out;
}

// Positions and states, and velocities, from x.
void lower(const LinearLevels& at, const Places& to, const Dense& x, Dense& xi, Dense& nu) {
  const auto n = static_cast<Index>(to.xi.size());
  xi = x.topRows(n);
  for (const int i : at.variables) xi.row(i).setZero();
  nu = Dense::Zero(n, x.cols());
  for (Index i = 0; i < n; ++i) {
    if (to.nu[static_cast<std::size_t>(i)] >= 0) nu.row(i) = x.row(to.nu[static_cast<std::size_t>(i)]);
  }
}

// An input that moves a constraint moves parts with its rates, for which the state matrices have no place.
core::Words rates_of_inputs(const assembly::Layout& layout, const Solution& s, const std::vector<int>& chosen,
                            const Dense& outputs_by_rates, const std::vector<int>& inputs) {
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    const auto column = static_cast<Index>(j);
    bool found = outputs_by_rates.rows() > 0 && !outputs_by_rates.col(column).isZero(0);
    for (std::size_t k = 1; k < s.rate_of.size() && !found; ++k) {
      for (const int i : chosen) found = found || s.rate_of[k](i, column) != 0;
    }
    if (found)
      return layout.column_name(inputs[j]) +
             " is an input that moves a constraint: its rates would be inputs as well, for which A, B, C, D "
             "have "
             "no place; try a MOTION's force, or a DIFF before it";
  }
  return {};
}

}  // namespace

LinearColumns descriptor_columns(const assembly::Layout& layout, const LinearLevels& at,
                                 const std::vector<int>& inputs, const std::vector<int>& outputs) {
  LinearColumns c;
  const Places to(at);
  if (to.size > kLargest) {
    c.trouble =
        core::words("{}: models with such constraints are linearised up to {} unknowns, this one has {}",
                    at.strange, kLargest, to.size);
    return c;
  }
  Descriptor d(at, to, inputs);
  const Scaled scale(d, characteristic_rate(at));
  Kept kept;
  if (!reduce(d, kept)) {
    c.trouble = at.strange + ", and the linear equations are singular here, or too badly scaled to tell";
    return c;
  }
  Dense null = Dense::Identity(to.size, to.size);
  if (kept.K.rows() > 0) {
    Eigen::ColPivHouseholderQR<Dense> qr(kept.K.transpose());
    qr.setThreshold(kRank);
    null = Dense(qr.householderQ()).rightCols(to.size - qr.rank());
  }
  // States as they are first, then positions, then velocities.
  std::vector<int> positions, velocities, chosen;
  for (std::size_t i = 0; i < to.nu.size(); ++i) {
    if (to.nu[i] < 0) continue;
    positions.push_back(static_cast<int>(i));
    velocities.push_back(to.nu[i]);
  }
  Dense rest = null;
  take(rest, at.states, c.states);
  take(rest, positions, c.positions);
  std::vector<int> rates;
  take(rest, velocities, rates);
  for (const int r : rates)
    c.velocities.push_back(static_cast<int>(std::find(to.nu.begin(), to.nu.end(), r) - to.nu.begin()));
  chosen = c.positions;
  chosen.insert(chosen.end(), rates.begin(), rates.end());
  chosen.insert(chosen.end(), c.states.begin(), c.states.end());
  if (static_cast<Index>(chosen.size()) != null.cols()) {
    c.trouble = at.strange + ": no states can be chosen among positions, velocities and states here";
    return c;
  }
  const Solution s = solve(d, kept, null, chosen, scale);
  c.top = highest(at, to, s.x, s.rate);
  lower(at, to, s.x, c.xi, c.nu);
  c.top_of_input = highest(at, to, s.x_of[0], s.rate_of[0]);
  lower(at, to, s.x_of[0], c.xi_of_input, c.nu_of_input);
  Dense by_rates = Dense::Zero(static_cast<Index>(outputs.size()), static_cast<Index>(inputs.size()));
  for (std::size_t k = 1; k < s.x_of.size(); ++k) {
    const Dense top = highest(at, to, s.x_of[k], s.rate_of[k]);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      by_rates.row(static_cast<Index>(i)) += top.row(outputs[i]).cwiseAbs();
  }
  c.trouble = rates_of_inputs(layout, s, chosen, by_rates, inputs);
  return c;
}

}  // namespace trunnion::analysis
