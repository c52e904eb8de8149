#pragma once
// Dynamics of a mechanism from model text: the sampled channels at output times.

#include <map>
#include <string>
#include <vector>

#include "analysis/dynamics/dynamics.hpp"
#include "analysis/dynamics/energy_ledger.hpp"
#include "analysis/mechanism.hpp"

namespace trunnion::test {

struct Motion {
  std::vector<double> t;
  std::vector<std::map<std::string, double>> rows;
  std::vector<double> energy;  // kinetic + potential
  analysis::DynamicResult result;
  std::vector<std::string> notes;  // said on the way
  struct Incident {
    double t;
    std::string contact;
    bool begins, at_start;
  };
  std::vector<Incident> incidents;

  std::string messages() const {
    std::string all;
    for (const std::string& line : result.loop.messages) all += line + "\n";
    return all;
  }
  double at(double time, const std::string& channel) const {
    for (std::size_t k = 0; k < t.size(); ++k) {
      if (std::abs(t[k] - time) < 1e-9) return rows[k].at(channel);
    }
    ADD_FAILURE() << "no output at t = " << time;
    return 0;
  }
};

// The INTEGRATOR statement of the text counts. Rows at the start and at each of the times.
inline Motion simulate(Mechanism& m, const std::vector<double>& times) {
  Motion motion;
  system::System::Workspace work(*m.system, assembly::AnalysisMode::dynamics);
  analysis::EnergyLedger ledger(*m.system, assembly::AnalysisMode::dynamics, {});
  ledger.begin(m.assembled.state);
  const auto take = [&](const assembly::State& state) {
    m.channels->set_spent(ledger.at(state.t));
    motion.t.push_back(state.t);
    motion.rows.push_back(m.sample(state, assembly::AnalysisMode::dynamics));
    m.system->update(state, work);
    const auto e = m.system->energy(state, work);
    motion.energy.push_back(e.kinetic + e.potential);
    return true;
  };
  take(m.assembled.state);
  analysis::DynamicHooks hooks;
  hooks.output = take;
  hooks.note = [&](const std::string& line) { motion.notes.push_back(line); };
  hooks.incident = [&](const integrate::Incident& i) {
    motion.incidents.push_back({i.t, i.contact, i.begins, i.at_start});
  };
  hooks.rough = [&](const assembly::State& state) { return ledger.rough(state); };
  hooks.balanced = [&](const assembly::State& state) { ledger.step(state); };
  motion.result = analysis::dynamics(*m.system, m.assembled, times.back(), times,
                                     analysis::dynamic_settings(m.read.model), hooks);
  return motion;
}

// Of the energy, from its first value.
inline double energy_drift(const Motion& motion) {
  double worst = 0;
  for (const double e : motion.energy) worst = std::max(worst, std::abs(e - motion.energy.front()));
  return worst;
}

inline std::vector<double> every(double step, double end) {
  std::vector<double> times;
  for (int k = 1; k * step < end * (1 + 1e-12); ++k) times.push_back(k * step);
  return times;
}

}  // namespace trunnion::test
