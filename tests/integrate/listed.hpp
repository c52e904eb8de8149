#pragma once
// Every formula of the catalogue with its forms of the equations, a driver that takes steps of given lengths, and the orders that theory
// leaves of a formula on constrained systems.

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/mechanism.hpp"
#include "integrate/registry.hpp"
#include "integrate/step_loop.hpp"

namespace trunnion::test {

using assembly::State;

// A formula with its form of the equations, as INTEGRATOR names it.
struct Listed {
  int index;
  bool si2;
  double rho;
  const formulas::Entry& entry() const { return formulas::entry(index); }
  std::string name() const {
    std::string text = fmt::format("{}_{}", entry().keyword,
                                   si2                         ? "SI2"
                                   : formulas::index2(entry()) ? "I2"
                                                               : "I3");
    if (entry().damping == formulas::Damping::rho) text += fmt::format("_rho{:.0f}", 100 * rho);
    return text;
  }
  integrate::FormulaSettings settings() const {
    integrate::FormulaSettings s;
    s.parameters.rho = rho;
    // NEWMARK of order 2; BDF of an order that allows steps to change at once by a factor of two.
    s.parameters.beta = 0.25;
    s.parameters.gamma = 0.5;
    s.kmax = 2;
    s.constant = true;
    s.stabilised = si2;
    s.error = 1e-9;
    return s;
  }
};

inline std::vector<Listed> all_listed() {
  std::vector<Listed> all;
  for (int k = 0; k < static_cast<int>(formulas::catalogue().size()); ++k) {
    const formulas::Entry& entry = formulas::entry(k);
    if (formulas::is<formulas::NotYet>(entry)) continue;
    std::vector<double> rhos{entry.rho};
    if (entry.damping == formulas::Damping::rho) rhos = {0, 0.6};
    for (const double rho : rhos) {
      if (entry.i3 || formulas::index2(entry)) all.push_back({k, false, rho});
      if (entry.si2) all.push_back({k, true, rho});
    }
  }
  return all;
}

// A run by the formula alone, no step rejected.
class Driver {
 public:
  Driver(const Mechanism& m, const Listed& listed) : Driver(m, listed, listed.settings()) {}
  Driver(const Mechanism& m, const Listed& listed, const integrate::FormulaSettings& own)
      : m_(m),
        si2_(listed.si2),
        rows_(integrate::rows_of(listed.entry())),
        formula(integrate::make_formula(listed.entry(), m.system->layout(), own)),
        corrector(*m.system, m.assembled.active, listed.si2, settings(), rows_),
        work(*m.system, assembly::AnalysisMode::dynamics),
        now(m.assembled.state),
        trial(now) {
    formula->start({&now, 1});
  }
  // By a solver of its own: the pivots of another matrix would be seen in the last digits.
  solve::Outcome try_elsewhere(double h) {
    solve::StageSolver other(*m_.system, m_.assembled.active, si2_, settings(), rows_);
    return formula->step(h, other, work, trial);
  }
  solve::Outcome try_step(double h) { return formula->step(h, corrector, work, trial); }
  void accept() {
    formula->error(trial);
    formula->next_step(0.5, 1e9);
    m_.system->accept(trial, work);
    formula->accept(trial);
    now = trial;
  }
  void run(const std::vector<double>& steps) {
    for (const double h : steps) {
      ASSERT_EQ(try_step(h), solve::Outcome::converged) << "at " << now.t;
      accept();
    }
  }

 private:
  static solve::CorrectorSettings settings() {
    solve::CorrectorSettings s;
    s.c = 1e-4;  // of ERROR: far below the errors compared, above rounding
    s.maxit = 30;
    s.pattern = {1};
    return s;
  }
  const Mechanism& m_;
  bool si2_;
  solve::StageEquations::Rows rows_;

 public:
  std::unique_ptr<integrate::Formula> formula;
  solve::StageSolver corrector;
  system::System::Workspace work;
  State now, trial;
};

enum class Lengths { equal, alternating, random };
inline std::vector<double> steps_of(Lengths lengths, double span, int count) {
  std::vector<double> h(static_cast<std::size_t>(count), 1.0);
  std::mt19937_64 random(7);
  for (std::size_t k = 0; k < h.size(); ++k) {
    if (lengths == Lengths::alternating) h[k] = k % 2 == 0 ? 1 : 2;
    if (lengths == Lengths::random) h[k] = 1 + static_cast<double>(random() >> 11) * 0x1p-53;
  }
  double sum = 0;
  for (const double x : h) sum += x;
  for (double& x : h) x *= span / sum;
  return h;
}

struct Final {
  Eigen::VectorXd q, v, lambda;
};
inline Final final_of(const Mechanism& m, const Listed& listed, const std::vector<double>& steps) {
  Driver driver(m, listed);
  driver.run(steps);
  return {driver.now.q, driver.now.v, driver.now.lambda};
}
// Random ones are parted: others would be longer or shorter where the motion is fast, by chance.
inline std::vector<double> finer_steps(Lengths lengths, double span, int count, int parts) {
  if (lengths != Lengths::random) return steps_of(lengths, span, parts * count);
  std::vector<double> finer;
  for (const double h : steps_of(lengths, span, count))
    finer.insert(finer.end(), static_cast<std::size_t>(parts), h / parts);
  return finer;
}
// By another formula than those it is compared with, but for RADAU5 itself, which ESDIRK46 and GAUSS4 meet there; reactions as the
// equations of motion have them.
inline Final reference_of(const Mechanism& m, double span, int count) {
  Driver driver(m, {formulas::index_of("RADAU5"), true, 0});
  driver.run(steps_of(Lengths::equal, span, count));
  EXPECT_TRUE(driver.corrector.accelerations(driver.now, driver.work));
  return {driver.now.q, driver.now.v, driver.now.lambda};
}

// What theory leaves of a formula's order (docs/theory/formulas.md); 0: nothing is promised.
struct Promise {
  double q, v, lambda;
};
inline Promise promise_of(const Listed& listed, Lengths lengths) {
  const formulas::Entry& entry = listed.entry();
  // Constraints at the stages (E. Hairer, C. Lubich, M. Roche 1989): on index 3 q, v and λ have 2s − 1, s and s − 1, on index 2 2s − 1,
  // 2s − 1 and s. What ends on the constraints has all of its order.
  if (formulas::is<formulas::CollocationType>(entry)) {
    const double s = entry.stages, order = entry.order;
    if (formulas::index2(entry)) return {order, order, order};
    const Promise p = listed.si2 ? Promise{order, order, s} : Promise{order, s, s - 1};
    if (lengths == Lengths::random) return {p.q, listed.si2 ? p.v : 0, 0};  // as below
    return p;
  }
  // Over independent coordinates, orders above 4 and reactions are better than what they would be compared with:
  // tests/dynamics/independent_test.cpp sees them.
  if (formulas::on_independent_coordinates(entry)) {
    if (formulas::is<formulas::ExplicitType>(entry)) return {0, 0, 0};
    const double order = formulas::index_of("ABAM") == listed.index ? 2 : 3;
    return {order, order, 0};
  }
  if (formulas::is<formulas::AutomaticType>(entry)) return {2, 2, 0};  // ABAM's: nothing here is stiff
  const bool equal = lengths == Lengths::equal, inner = entry.stages > 1;
  const double order = formulas::is<formulas::Bdf>(entry) ? 2 : std::min(entry.order, listed.si2 ? 3 : 2);
  // Without damping each step ends on the constraints, with the reactions that the equations of motion have there.
  const bool undamped = entry.damping == formulas::Damping::none || entry.damping == formulas::Damping::gamma;
  if (undamped) return {order, order, order};
  // Steps of random lengths end on lengths that have nothing to do with each other: reactions, and velocities on index 3, follow those.
  if (lengths == Lengths::random) return {order, listed.si2 ? order : 0, 0};
  const double lambda = inner || (!listed.si2 && !equal) ? 1 : 2;
  return {order, order, lambda};
}

}  // namespace trunnion::test
