#include "integrate/row_watch.hpp"

#include <algorithm>
#include <cmath>

#include "assembly/chart.hpp"

namespace trunnion::integrate {

using assembly::RowId;
using assembly::State;

RowWatch::RowWatch(const system::System& system, const solve::StageSolver& solver)
    : system_(system), solver_(solver), rows_(system.layout().row_count()) {
  std::vector<char> taken(static_cast<std::size_t>(system.layout().row_count()), 0);
  // Those that take part may contradict each other too where they are kept.
  if (!solver.settings().redundant_kept) {
    for (const int r : solver.active()) taken[static_cast<std::size_t>(r)] = 1;
  }
  for (const int r : system.start_rows()) taken[static_cast<std::size_t>(r)] = 1;
  for (int r = 0; r < system.layout().row_count(); ++r) {
    if (!taken[static_cast<std::size_t>(r)]) redundant_.push_back(r);
  }
}

double RowWatch::unit(int row, double length) const {
  return system_.layout().row(RowId{row}).residual.quantity == assembly::Quantity::length ? length : 1.0;
}

// The corrector knows φ from before its last correction only: what looks bad there is looked at again, and one state in eight
// anyhow, for the report.
std::vector<RowWatch::Broken> RowWatch::look(const State& state, system::System::Workspace& work,
                                             LoopCounts& counts) {
  constexpr double kApart = 1e-4;  // of the size of the model; radians
  constexpr long kOften = 8;
  const double length = std::max(1.0, assembly::farthest_place(system_.layout(), state.q));
  const auto part = [&](const Eigen::VectorXd& phi, int r) { return std::abs(phi[r]) / unit(r, length); };
  const bool suspicious = std::any_of(redundant_.begin(), redundant_.end(),
                                      [&](int r) { return part(solver_.equations().phi(), r) > kApart; });
  std::vector<Broken> broken;
  if (!suspicious && counts.steps % kOften != 0) return broken;
  system_.evaluate(state, work, rows_);
  const auto judge = [&](int r) {
    const double phi = std::abs(rows_.phi[r]), here = part(rows_.phi, r);
    counts.worst_violation = std::max(counts.worst_violation, phi);
    if (!(here > counts.open.part)) return;
    counts.open = {here, phi, state.t, {}};
    worst_ = r;
  };
  // Where the rows that are solved do not hold either, the corrector has left them open.
  constexpr double kMore = 3;
  double allowed = kApart;
  if (!solver_.settings().redundant_kept) {
    for (const int r : solver_.active()) {
      judge(r);
      allowed = std::max(allowed, kMore * part(rows_.phi, r));
    }
  }
  for (const int r : redundant_) {
    judge(r);
    if (part(rows_.phi, r) > allowed) broken.push_back({r, rows_.phi[r]});
  }
  return broken;
}

void RowWatch::name_worst(LoopCounts& counts) const {
  if (worst_ >= 0) counts.open.row = system_.layout().row_name(RowId{worst_});
}

}  // namespace trunnion::integrate
