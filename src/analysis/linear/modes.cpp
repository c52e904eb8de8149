#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "analysis/extent.hpp"
#include "analysis/initial/accelerations.hpp"
#include "analysis/initial/independent_rows.hpp"
#include "analysis/linear/eigen.hpp"
#include "analysis/linear/levels.hpp"
#include "assembly/chart.hpp"
#include "elements/body.hpp"

namespace trunnion::analysis {

using assembly::Block;
using assembly::BlockId;

std::vector<double> kinetic_shares(const system::System& system, const assembly::State& state,
                                   const Mode& mode) {
  system::System::Workspace work(system, assembly::AnalysisMode::linear);
  system.update(state, work);
  std::vector<double> shares = system.twice_kinetic(mode.shape, state, work);
  double sum = 0;
  for (const double energy : shares) sum += energy;
  for (double& e : shares) e = sum > 0 ? e / sum : 0;
  return shares;
}

namespace {

constexpr double kAhead = 0.01, kChange = 0.01;  // radians; of eigenvalues and equations, per radian

// The place a hundredth of a radian later, and how fast the motion is. Nothing where it is at rest or cannot be followed.
std::optional<AssemblyResult> place_ahead(const system::System& system, const AssemblyResult& at,
                                          double& fastest) {
  system::System::Workspace work(system, assembly::AnalysisMode::linear);
  fastest = pace(system, at.state, work);
  if (!(fastest > 0)) return {};
  AssemblyResult later = at;
  later.state = assembly::advanced(system.layout(), at.state, kAhead / fastest);
  core::Words message;
  if (!solve_accelerations(system, at.active, later.state, work, message)) return {};
  return later;
}

// Whether the eigenvalues there are the same; `values` finds them.
bool steady(const system::System& system, const AssemblyResult& at, const Eigen::VectorXcd& now,
            const std::function<Eigen::VectorXcd(const AssemblyResult&)>& values) {
  double fastest = 0;
  const auto later = place_ahead(system, at, fastest);
  if (!later) return true;
  const Eigen::VectorXcd ahead = values(*later);
  for (Eigen::Index k = 0; k < now.size(); ++k) {
    const double nearest = ahead.size() > 0 ? (ahead.array() - now[k]).abs().minCoeff() : HUGE_VAL;
    if (!(nearest < kAhead * kChange * std::max(std::abs(now[k]), fastest))) return false;
  }
  return true;
}

// Whether the equations themselves are: those of a shaft with unlike stiffnesses turn with it, and have the same eigenvalues everywhere,
// which mean nothing. Row by row, in the units that make rows and columns alike; a row counts against the motion's own pace at least.
bool same_equations(const system::System& system, const AssemblyResult& at, const LinearOptions& about) {
  double fastest = 0;
  const auto later = place_ahead(system, at, fastest);
  if (!later) return true;
  const LinearSystem now = linearise(system, at, about), ahead = linearise(system, *later, about);
  if (!now.ok || !ahead.ok || now.free_positions != ahead.free_positions ||
      now.free_velocities != ahead.free_velocities)
    return true;
  const Eigen::VectorXd unit = balancing(now.A);
  const auto rows = [&](const Eigen::MatrixXd& m) {
    return Eigen::VectorXd((m.cwiseAbs() * unit).cwiseQuotient(unit));
  };
  const Eigen::VectorXd change = rows(ahead.A - now.A), size = rows(now.A).cwiseMax(fastest);
  return (change.array() <= kAhead * kChange * size.array()).all();
}

Eigen::VectorXcd values_of(const std::vector<Mode>& modes) {
  Eigen::VectorXcd out(static_cast<Eigen::Index>(modes.size()));
  for (std::size_t k = 0; k < modes.size(); ++k) out[static_cast<Eigen::Index>(k)] = modes[k].value;
  return out;
}

constexpr const char* kUnsteady =
    "warning: the linear equations change along this motion; their eigenvalues describe this moment only. "
    "Try RM, a marker that turns with the motion, or a place where the motion is steady";
constexpr const char* kTurning =
    "warning: the linear equations turn along with this motion in the axes they are written in: their "
    "eigenvalues are the same at all times, but tell nothing of how the motion goes on. Try RM, a marker "
    "that "
    "turns with it";
constexpr const char* kNoEquilibrium =
    "warning: at rest, but not in equilibrium: forces would set it moving, and the eigenvalues describe this "
    "moment only. Try SIMULATE/STATICS before";

const char* not_steady(const AssemblyResult& at) {
  constexpr double kAtRest = 1e-9;
  return at.state.v.size() > 0 && at.state.v.lpNorm<Eigen::Infinity>() > kAtRest ? kUnsteady : kNoEquilibrium;
}

// Of a large model, by the sparse method.
ModesResult some_modes(const system::System& system, const AssemblyResult& at, const ModesOptions& options) {
  ModesResult out = slowest_modes(system, at, options);
  if (!out.ok || !out.moving) return out;
  ModesOptions ahead = options;
  ahead.vectors = false;
  // One mode more: those at the end may change places.
  ahead.count = static_cast<int>(out.modes.size()) + 1;
  const auto later = [&](const AssemblyResult& place) {
    return values_of(slowest_modes(system, place, ahead).modes);
  };
  if (!steady(system, at, values_of(out.modes), later)) out.messages.emplace_back(not_steady(at));
  return out;
}

}  // namespace

ModesResult modes(const system::System& system, const AssemblyResult& given, const ModesOptions& options) {
  ModesResult out;
  core::Words trouble;
  const AssemblyResult at = with_independent_rows(system, given, trouble);
  if (!trouble.empty()) {
    out.messages.push_back(trouble);
    return out;
  }
  if (count_states(system, at) > options.dense_up_to) return some_modes(system, at, options);
  Spectrum found;
  LinearOptions about;
  about.damping = options.damping;
  about.frame = options.frame;
  about.coordinates = options.coordinates;
  if (!eigen_of(system, at, about, found, out.messages, &out.moving)) return out;
  const Eigen::VectorXcd& values = found.values;
  out.states = static_cast<int>(values.size());
  const auto later = [&](const AssemblyResult& place) {
    Spectrum ahead;
    std::vector<core::Words> ignored;
    return eigen_of(system, place, about, ahead, ignored) ? ahead.values : Eigen::VectorXcd();
  };
  if (out.moving && !steady(system, at, values, later)) out.messages.emplace_back(not_steady(at));
  else if (out.moving && !same_equations(system, at, about)) out.messages.emplace_back(kTurning);
  std::vector<Eigen::Index> free;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const bool zero = found.is_zero(k);
    if (zero) free.push_back(k);
    // A pair about zero that rounding made of two zeros is two modes.
    if (values[k].imag() < 0 && !zero) continue;
    Mode mode;
    mode.value = zero ? 0.0 : values[k];
    mode.doubt = found.doubt[k];
    if (options.vectors) {
      mode.shape = found.vectors.col(k);
      Eigen::Index largest = 0;
      if (mode.shape.size() > 0 && mode.shape.cwiseAbs().maxCoeff(&largest) > 0)
        mode.shape /= mode.shape[largest];
    }
    out.modes.push_back(std::move(mode));
  }
  std::stable_sort(out.modes.begin(), out.modes.end(),
                   [](const Mode& a, const Mode& b) { return std::abs(a.value) < std::abs(b.value); });
  if (!free.empty()) {
    std::vector<core::Words> names;
    for (const int entry : telling_entries(found.vectors, free))
      names.push_back(system.layout().column_name(entry));
    out.messages.push_back(free_motions(static_cast<int>(free.size()), names));
  }
  out.ok = true;
  return out;
}

}  // namespace trunnion::analysis
