#include "analysis/dynamics/dynamics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "analysis/dynamics/read_reactions.hpp"
#include "analysis/extent.hpp"
#include "analysis/initial/accelerations.hpp"
#include "assembly/chart.hpp"
#include "elements/body.hpp"
#include "integrate/multistep.hpp"
#include "integrate/newmark.hpp"
#include "model/defaults.hpp"
#include "model/schema.hpp"

namespace trunnion::analysis {

using Formulation = model::Integrator::Formulation;
using Predictor = model::Integrator::Predictor;

namespace {

bool is_bdf(const DynamicSettings& s) { return formulas::is<formulas::Bdf>(*s.formula); }

// A polynomial through several points needs points of older steps or of earlier stages.
bool takes_predictor(const formulas::Entry& f, Predictor predictor) {
  const bool staged = formulas::is<formulas::StagedType>(f);
  switch (predictor) {
    case Predictor::usual: return true;
    case Predictor::constant:
      return staged || formulas::is<formulas::SingleStepType>(f) ||
             formulas::is<formulas::CollocationType>(f);
    case Predictor::cubic:
    case Predictor::quintic: return staged && (f.steps > 1 || f.stages > 1);
  }
  return false;
}

bool wants_augmented(const model::Integrator& in) {
  return in.augmented.given() && in.augmented.value() == model::Switch::on;
}

// Settings that only other formulas read.
std::vector<std::string_view> unread_words(const model::Integrator& in, const formulas::Entry& f) {
  const auto* adams = std::get_if<formulas::AdamsType>(&f.family);
  const bool of_variable_order = formulas::is<formulas::Bdf>(f) || formulas::is<formulas::AutomaticType>(f) ||
                                 (adams != nullptr && !adams->two_loops);
  std::vector<std::string_view> words;
  const auto unread = [&](bool given, bool taken, std::string_view word) {
    if (given && !taken) words.push_back(word);
  };
  unread(in.kmax.has_value(), of_variable_order, "KMAX");
  unread(in.alpha.has_value(), f.damping == formulas::Damping::alpha, "ALPHA");
  unread(in.beta.has_value(), f.damping == formulas::Damping::gamma, "BETA");
  unread(in.gamma.has_value(), f.damping == formulas::Damping::gamma, "GAMMA");
  unread(in.rho.has_value(), f.damping == formulas::Damping::rho, "RHO");
  unread(in.rho_states.has_value(), formulas::is<formulas::NewmarkType>(f), "RHO_STATES");
  unread(in.predictor.given(), takes_predictor(f, in.predictor.value_or(Predictor::usual)), "such PREDICTOR");
  return words;
}

// What a user may have meant and does not get.
std::vector<core::Words> notes_on(const model::Integrator& in, const DynamicSettings& s) {
  std::vector<core::Words> notes;
  const auto note = [&](core::Words text) { notes.push_back("INTEGRATOR: " + std::move(text)); };
  const formulas::Entry& f = *s.formula;
  const std::string name(f.keyword);
  const bool independent = formulas::on_independent_coordinates(f);
  if (independent && in.formulation.given())
    note(name + " integrates independent coordinates: I3, SI2 and SI1 are for other formulas and not used");
  if (wants_augmented(in) && !s.corrector.keep_redundant)
    note(name + " solves no equations of a stage alone: AUGMENTED is not used");
  const auto* adams = std::get_if<formulas::AdamsType>(&f.family);
  if (in.order.given() && (adams == nullptr || !adams->two_loops))
    note(name + " takes no ORDER: it is not used");
  if (formulas::index2(f) && in.formulation.given())
    note(name +
         " solves index 2 and ends each step on the constraints: I3 and SI2 are for other formulas and not "
         "used");
  else if (!independent && !f.si2 && in.formulation.given() && in.formulation.value() != Formulation::i3)
    note(name + " solves index 3; SI2 is for GSTIFF and formulas with stages and is not used");
  if (!f.i3 && f.si2 && in.formulation.given() && in.formulation.value() == Formulation::i3)
    note(name + (formulas::is<formulas::AutomaticType>(f)
                     ? " solves SI2 where the motion is stiff: I3 is not used"
                     : " loses its order on index 3: SI2 is solved"));
  if (f.si2 && in.formulation.given() && in.formulation.value() == Formulation::si1)
    note(
        "SI1 is not in this version; SI2 is solved instead, which holds positions and velocities of the "
        "constraints too");
  if (is_bdf(s) && in.kmax.value_or(0) > integrate::kHighestBdf)
    note(core::words("KMAX is {} at most", integrate::kHighestBdf));
  for (const std::string_view word : unread_words(in, f))
    note(core::words("{} takes no {}: it is not used", name, word));
  if (in.rho.value_or(0) > f.largest_rho)
    note(core::words("{} needs RHO below 1; {} is used", name, s.parameters.rho));
  if (in.h.has_value() && (in.hinit.has_value() || in.hmin.has_value() || in.hmax.has_value()))
    note("H fixes the step: HINIT, HMIN and HMAX are not used");
  if (s.hmin > 0 && s.hmax > 0 && s.hmin > s.hmax) note("HMIN is above HMAX; HMAX holds");
  if (s.hmin > 0 && s.hinit > 0 && s.hinit < s.hmin) note("HINIT is below HMIN; HMIN holds");
  const double beta = s.parameters.beta, gamma = s.parameters.gamma;
  if (f.damping == formulas::Damping::gamma && !(2 * beta >= gamma && gamma >= 0.5))
    note(core::words(
        "NEWMARK is stable for every step only where 2·BETA ≥ GAMMA ≥ 0.5; BETA = {:.3g}, GAMMA = {:.3g} may "
        "grow without bound",
        beta, gamma));
  return notes;
}

// Index 3 where nobody asked for it, and what ERROR asks of states is finer than what it knows of reactions.
void hold_reactions(const model::Model& model, const model::Integrator& in, DynamicSettings& s) {
  // Above this ERROR index 3 follows them with less than some hundred steps for one of SI2.
  constexpr double kHeld = 1e-4;
  if (!is_bdf(s) || s.formulation != Formulation::i3 || in.formulation.given() || s.error > kHeld) return;
  if (!states_read_reactions(model)) return;
  s.formulation = Formulation::si2;
  s.chosen =
      "INTEGRATOR: SI2 is solved, because states follow reactions, which index 3 does not know to this "
      "ERROR; I3 asks for it "
      "all the same";
}

}  // namespace

double output_step(double begin, double end, const math::OutputTimes& times) {
  const double step = times.longest_step(begin);
  return step > 0 ? step : end - begin;
}

DynamicSettings dynamic_settings(const model::Model& model) {
  const model::Integrator* given = model.single<model::Integrator>();
  return dynamic_settings(model, given ? *given : model::Integrator{});
}

DynamicSettings dynamic_settings(const model::Model& model, const model::Integrator& in) {
  DynamicSettings s;
  if (in.method.given()) s.formula = &formulas::entry(static_cast<int>(in.method.value()));
  const formulas::Entry& f = *s.formula;
  const auto* bdf = std::get_if<formulas::Bdf>(&f.family);
  s.formulation = f.si2 ? in.formulation.value_or(bdf && bdf->stabilised ? Formulation::si2 : Formulation::i3)
                        : Formulation::i3;
  if (s.formulation == Formulation::si1 || (f.si2 && !f.i3)) s.formulation = Formulation::si2;
  s.error = in.error.value_or(bdf ? 1e-3 : 1e-5);
  hold_reactions(model, in, s);
  s.h = in.h.value_or(0);
  s.hinit = in.hinit.value_or(0);
  s.hmax = in.hmax.value_or(0);
  s.hmin = in.hmin.value_or(0);
  s.kmax = in.kmax.value_or(f.order > 6 ? f.order : 6);
  s.parameters.alpha = in.alpha.value_or(s.parameters.alpha);
  s.parameters.beta = in.beta.value_or(s.parameters.beta);
  s.parameters.gamma = in.gamma.value_or(s.parameters.gamma);
  s.parameters.rho = std::min(in.rho.value_or(f.rho), f.largest_rho);
  s.parameters.rho_states = in.rho_states;
  const auto order = in.order.value_or(model::Integrator::Order::fourth);
  s.parameters.order = 4 - static_cast<int>(order);
  s.parameters.outer = in.maxit.value_or(order == model::Integrator::Order::trapezoidal ? 4 : 3);
  s.predictor = static_cast<integrate::Predictor>(in.predictor.value_or(model::Integrator::Predictor::usual));
  s.interpolate = in.interpolate.given() && in.interpolate.value() == model::Switch::on;
  s.constant = (bdf && bdf->constant_step) || s.h > 0;
  s.adaptivity = in.adaptivity.value_or(0);
  s.hratio = in.hratio.value_or(1);
  s.maxerr = in.maxerr.value_or(0);
  // The HHT paper's c. With BDF less below ERROR = 1e-5, which costs next to nothing where matrices are new and keeps the energy
  // balance falling with ERROR (docs/theory/dynamics.md).
  s.corrector.c = !bdf ? 1e-3 : std::clamp(100 * s.error, 1e-5, 1e-3);
  s.corrector.maxit = in.maxit.value_or(10);
  s.corrector.keep_redundant = wants_augmented(in) && !formulas::on_independent_coordinates(f) &&
                               !formulas::is<formulas::AutomaticType>(f);
  s.corrector.exactly = in.fixit.value_or(0);
  s.corrector.all_variables =
      in.corrector.value_or(model::Integrator::Corrector::original) != model::Integrator::Corrector::modified;
  // A single F leaves it to the solver; F:F asks for a new matrix only after a failure.
  for (const int word : in.pattern.indices)
    s.corrector.pattern.push_back(static_cast<model::Switch>(word) == model::Switch::on);
  if (s.corrector.pattern.size() == 1 && !s.corrector.pattern[0]) s.corrector.pattern.clear();
  if (formulas::is<formulas::NotYet>(f)) s.unsupported = f.keyword;
  s.failed = formulas::failed_conditions(f, s.parameters);
  s.of_time = time_courses(model);
  s.notes = notes_on(in, s);
  return s;
}

// What a step may err of the motion's amplitude. At the defaults a hundred swings or turns then keep their energy within a hundredth
// (docs/theory/dynamics.md has the figures); a tight ERROR is exact enough by itself and meets this at 1e-8 (BDF) and 1e-7 (HHT).
static double amplitude_error(const DynamicSettings& s) {
  const auto* bdf = std::get_if<formulas::Bdf>(&s.formula->family);
  if (bdf == nullptr) return 8e-7 * std::pow(s.error / 1e-5, 0.45);
  // Closer to 4e-6 than this rounding decides which of two orders a swing settles on, and one of them loses more than a hundredth.
  constexpr double kAtDefault = 3.2e-6;
  const double x = std::pow(s.error / 1e-3, 0.46);
  return (bdf->variable_coefficients ? 0.5 : 1.0) * std::min(kAtDefault * std::max(1.0, x), 4e-6 * x);
}

static integrate::AmplitudeTest amplitude_test(const system::System& system, const DynamicSettings& s) {
  integrate::AmplitudeTest test;
  const assembly::Layout& layout = system.layout();
  test.inertia.setZero(layout.size());
  double mass = 0, inertia = 0;
  for (const elements::Body& body : system.body_elements()) {
    if (!body.block.valid()) continue;
    const assembly::Block& block = layout.block(body.block);
    const assembly::TwistMap S = assembly::twist_map(layout, block);
    Eigen::Matrix<double, 6, 6> M = Eigen::Matrix<double, 6, 6>::Zero();
    M.topLeftCorner<3, 3>().diagonal().setConstant(body.mass);
    M.bottomRightCorner<3, 3>() = body.J;
    test.inertia.segment(block.offset, block.size) = (S.transpose() * M * S).diagonal();
    mass += body.mass;
    if (block.rotation >= 0) inertia += body.J.trace();
  }
  for (const system::FlexInfo& flex : system.flexible()) {
    const Eigen::VectorXd masses = system.modal_masses(flex);
    if (flex.modes.valid()) test.inertia.segment(layout.block(flex.modes).offset, masses.size()) = masses;
  }
  system::System::Workspace work(system, s.mode);
  system.update(system.start(), work);
  const double length = extent(system, work.kinematics);
  constexpr double kHardlyBegun = 1e-2;  // of the model's size; radians
  test.least = kHardlyBegun * std::sqrt(mass * length * length + inertia);
  test.allowed = amplitude_error(s);
  test.slow = system.units().time_si;
  return test;
}

std::unique_ptr<integrate::Formula> make_formula(const system::System& system, const DynamicSettings& s) {
  return integrate::make_formula(*s.formula, system.layout(),
                                 {.parameters = s.parameters,
                                  .stabilised = s.formulation == Formulation::si2,
                                  .error = s.error,
                                  .kmax = s.kmax,
                                  .constant = s.constant,
                                  .predictor = s.predictor,
                                  .amplitude = amplitude_test(system, s)});
}

void add_earlier(const DynamicResult& earlier, DynamicResult& later) {
  integrate::LoopCounts& c = later.loop.counts;
  const integrate::LoopCounts& e = earlier.loop.counts;
  c.steps += e.steps;
  c.rejected_by_error += e.rejected_by_error;
  c.rejected_by_corrector += e.rejected_by_corrector;
  c.begun_afresh += e.begun_afresh;
  if (e.smallest_h > 0) c.smallest_h = c.smallest_h > 0 ? std::min(c.smallest_h, e.smallest_h) : e.smallest_h;
  c.largest_h = std::max(c.largest_h, e.largest_h);
  for (std::size_t k = 0; k < c.order.size(); ++k) c.order[k] += e.order[k];
  for (std::size_t k = 0; k < c.h_decade.size(); ++k) c.h_decade[k] += e.h_decade[k];
  c.worst_violation = std::max(c.worst_violation, e.worst_violation);
  if (e.open.part > c.open.part) c.open = e.open;
  c.seconds_output += e.seconds_output;
  c.seconds_reconciling += e.seconds_reconciling;
  c.rank_dips += e.rank_dips;
  for (const auto& [who, count] : e.offenders) c.offenders[who] += count;
  solve::CorrectorCounts& n = later.corrector;
  n.iterations += earlier.corrector.iterations;
  n.evaluations += earlier.corrector.evaluations;
  n.factorisations += earlier.corrector.factorisations;
  n.refactorisations += earlier.corrector.refactorisations;
  n.solves += earlier.corrector.solves;
  n.combined += earlier.corrector.combined;
  n.gave_up += earlier.corrector.gave_up;
  for (int k = 0; k < solve::kNewMatrixReasons; ++k) n.matrices[k] += earlier.corrector.matrices[k];
  later.seconds += earlier.seconds;
  later.seconds_evaluating += earlier.seconds_evaluating;
  later.seconds_factoring += earlier.seconds_factoring;
  later.seconds_solving += earlier.seconds_solving;
}

// What a motion of this pace (extent.hpp) allows at order 2, for a hundredth of ERROR: (h·pace)³/3.
static double first_step(const DynamicSettings& settings, double pace) {
  constexpr double kShare = 1e-2;
  return pace > 0 ? std::cbrt(3 * kShare * settings.error) / pace : HUGE_VAL;
}

integrate::LoopSettings step_limits(const DynamicSettings& settings, double begin, double end,
                                    const math::OutputTimes& times) {
  const double dtout = output_step(begin, end, times);
  integrate::LoopSettings loop;
  loop.hmax = settings.hmax > 0 ? settings.hmax : settings.interpolate ? end - begin : dtout;
  loop.hinit = settings.hinit > 0 ? settings.hinit : std::min(loop.hmax, dtout) / 20;
  if (settings.constant && settings.hinit == 0)
    loop.hinit = std::min(loop.hmax, dtout) / std::max(1, settings.hratio);
  // The language: 1e-6 of HMAX for index 3 by BDF, near rounding for the others. A small ERROR needs a shorter start, so the first
  // falls with it from the default on.
  constexpr double kRounding = 1e-12, kUsual = 1e-6, kUsualError = 1e-3;
  const double smallest = !is_bdf(settings) || settings.formulation == Formulation::si2
                              ? kRounding
                              : std::clamp(kUsual * settings.error / kUsualError, kRounding, kUsual);
  loop.hmin = settings.hmin > 0 ? settings.hmin : smallest * loop.hmax;
  loop.adaptivity = settings.adaptivity / settings.error;
  loop.max_error = settings.maxerr / settings.error;
  loop.hmin = std::min(loop.hmin, loop.hmax);
  loop.hinit = std::clamp(loop.hinit, loop.hmin, std::max(loop.hmin, loop.hmax));
  loop.fixed = settings.constant;
  if (settings.h > 0) loop.hinit = loop.hmax = loop.hmin = settings.h;
  loop.mode = settings.mode;
  return loop;
}

std::vector<int> rows_that_act(const AssemblyResult& from, const DynamicSettings& settings) {
  std::vector<int> rows = from.active;
  if (!settings.corrector.keep_redundant) return rows;
  for (const RedundantRow& r : from.redundant) rows.push_back(r.row);
  std::sort(rows.begin(), rows.end());
  return rows;
}

// What comes after knows independent rows only. Where they no longer are the state keeps the accelerations it has.
static void without_shares(const system::System& system, assembly::AnalysisMode mode, AssemblyResult& from) {
  system::System::Workspace work(system, mode);
  assembly::State state = from.state;
  core::Words message;
  if (solve_accelerations(system, from.active, state, work, message)) from.state = std::move(state);
}

DynamicResult dynamics(const system::System& system, AssemblyResult& from, double end,
                       const math::OutputTimes& times, const DynamicSettings& settings,
                       const DynamicHooks& hooks) {
  DynamicResult result;
  for (const std::string& condition : settings.failed)
    result.loop.messages.push_back("this formula is not used, because its numbers fail a condition: " +
                                   condition);
  if (!settings.failed.empty()) {
    result.loop.end = integrate::LoopEnd::inconsistent;
    return result;
  }
  const auto began = std::chrono::steady_clock::now();
  integrate::LoopSettings loop = step_limits(settings, from.state.t, end, times);
  if (settings.hinit == 0 && !settings.constant) {
    system::System::Workspace work(system, settings.mode);
    loop.hinit = std::clamp(first_step(settings, pace(system, from.state, work)), loop.hmin, loop.hinit);
  }
  if (!loop.fixed) loop.knots = course_changes(settings.of_time, system, from.state.t, end, loop.hmax);
  constexpr double kUsualError = 1e-5;
  loop.leap_error = std::max(1.0, kUsualError / settings.error);
  const auto formula = make_formula(system, settings);
  solve::CorrectorSettings corrector = settings.corrector;
  corrector.redundant_kept = corrector.keep_redundant && !from.redundant.empty();
  solve::StageSolver solver(system, rows_that_act(from, settings), settings.formulation == Formulation::si2,
                            corrector, integrate::rows_of(*settings.formula));
  solver.timed = true;
  if (hooks.iteration)
    solver.listener = [&](const solve::IterationRecord& r) { hooks.iteration(r, solver.equations()); };
  result.loop = integrate::integrate(system, *formula, solver, from.state, end, times, loop, hooks);
  result.ok = result.loop.end == integrate::LoopEnd::done;
  if (settings.corrector.keep_redundant) without_shares(system, settings.mode, from);
  result.corrector = solver.counts();
  result.seconds_evaluating = solver.seconds_evaluating;
  result.seconds_factoring = solver.seconds_factoring;
  result.seconds_solving = solver.seconds_solving;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

}  // namespace trunnion::analysis
