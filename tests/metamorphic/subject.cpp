#include "metamorphic/subject.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace trunnion::metamorphic {

using Formulation = model::Integrator::Formulation;

const std::vector<Formula>& all_formulas() {
  static const std::vector<Formula> all = {{"GSTIFF I3", named("GSTIFF"), Formulation::i3},
                                           {"GSTIFF SI2", named("GSTIFF"), Formulation::si2},
                                           {"WSTIFF I3", named("WSTIFF"), Formulation::i3},
                                           {"WSTIFF SI2", named("WSTIFF"), Formulation::si2},
                                           {"HHT", named("HHT"), {}},
                                           {"NEWMARK", named("NEWMARK"), {}},
                                           {"CONSTANT_BDF", named("CONSTANT_BDF"), Formulation::si2, true}};
  return all;
}

namespace {
// Another formula, which makes no mistake of this one.
const Formula& judge_of(const Formula& formula) {
  const bool stabilised = formula.method == named("GSTIFF") && formula.formulation == Formulation::si2;
  return all_formulas()[stabilised ? 3 : 1];
}
}  // namespace

Subject::Subject(const Case& c, const Formula& formula) : case_(c), formula_(formula) {
  case_.model = plain(c.model);
}

// The truth by GSTIFF is no judge of GSTIFF.
Subject::Subject(Subject& other, const Formula& formula) : case_(other.case_), formula_(formula) {
  if (&judge_of(formula) != &judge_of(other.formula_)) return;
  other.sensitivity();
  truth_ = other.truth_;
  sizes_ = other.sizes_;
  sensitivity_ = other.sensitivity_;
  known_ = other.known_;
}

Subject::Subject(Subject& other, model::Model model) : Subject(other, other.formula_) {
  case_.model = std::move(model);
}

model::Integrator Subject::integrator(const Formula& formula, double tighter) const {
  model::Integrator in;
  in.method = formula.method;
  if (formula.formulation) in.formulation = *formula.formulation;
  in.error = kError / tighter;
  if (formula.fixed) {
    constexpr double kSteps = 400;
    in.hinit = in.hmax = case_.duration / (kSteps * std::max(1.0, std::sqrt(tighter)));
  }
  return in;
}

model::Model Subject::with(model::Model model, const model::Integrator& in) const {
  set_integrator(model, in);
  return model;
}

const History& Subject::kept(std::optional<History>& place, const std::function<History()>& make) {
  if (!place) place = make();
  return *place;
}

const History& Subject::begin() {
  return kept(begin_, [&] { return start(case_.model); });
}

History Subject::tightly(const model::Model& model) const {
  constexpr double kSmaller = 1000;
  return simulate(with(model, integrator(judge_of(formula_), kSmaller)), evenly(duration(), kRows));
}

const History& Subject::truth() {
  return kept(truth_, [&] { return tightly(case_.model); });
}

const Apart& Subject::sensitivity() {
  if (sensitivity_) return *sensitivity_;
  Random random(1);
  const History shaken = tightly(jittered(case_.model, kError, random).model);
  known_ = shaken.ok;
  sensitivity_ = known_ ? apart(truth(), shaken, sizes()) : Apart{};
  return *sensitivity_;
}

const History& Subject::base() {
  return kept(base_, [&] { return simulate(with(case_.model, integrator()), evenly(duration(), kRows)); });
}

const History& Subject::finer() {
  return kept(finer_,
              [&] { return simulate(with(case_.model, integrator(tighter())), evenly(duration(), kRows)); });
}

const Sizes& Subject::sizes() {
  if (!sizes_) sizes_ = sizes_of(truth(), duration());
  return *sizes_;
}

Allowance Subject::allowance(const Formula& formula, long steps, double tighter) {
  Allowance allowed;
  const Apart& grown = sensitivity();
  double errors = static_cast<double>(steps) / tighter;
  if (formula.method == named("NEWMARK")) {
    // A step errs (β − 1/6) h³ȧ in positions and (γ − ½) h²ȧ in velocities, which are held against speeds of `rate`.
    constexpr double kBeta = 0.36, kGamma = 0.7;
    const double rate = sizes().of[static_cast<std::size_t>(Sort::spin)];
    errors *= 1 + (kGamma - 0.5) / (kBeta - 1.0 / 6) * static_cast<double>(steps) / (rate * duration());
  }
  if (formula.fixed) errors = 1;
  for (std::size_t k = 0; k < kSorts; ++k) allowed.of[k] = errors * (grown.by[k] + kError);
  if (!formula.fixed) return allowed;
  // Steps shorter by √10 leave at most 1/√10 of the error, as it begins at order 1; three beginnings.
  constexpr double kBeginnings = 3, kLeft = 0.32;
  const Apart change = apart(base(), finer(), sizes());
  for (std::size_t k = 0; k < kSorts; ++k) allowed.of[k] += kBeginnings * change.by[k] / (1 - kLeft);
  return allowed;
}

std::string Subject::beyond(const Apart& by, const Allowance& allowed, bool forces) const {
  std::string out;
  const auto look = [&](Sort sort) {
    const auto k = static_cast<std::size_t>(sort);
    if (by.by[k] <= allowed.of[k]) return;
    out += fmt::format("{}{} off by {:.3g} of its size, {:.3g} allowed: {}", out.empty() ? "" : "; ",
                       name_of(sort), by.by[k], allowed.of[k], by.where[k]);
  };
  for (const Sort sort : kMotion) look(sort);
  if (!forces) return out;
  for (const Sort sort : {Sort::acceleration, Sort::spin_rate}) look(sort);
  if (begin_ && begin_->redundant) return out;
  for (const Sort sort : {Sort::force, Sort::torque}) look(sort);
  return out;
}

std::string Subject::off(const History& run, double tighter) {
  if (!run.ok) return "it does not run: " + run.why;
  return beyond(apart(truth(), run, sizes()), allowance(run.steps, tighter), false);
}

std::string Subject::differs(const History& twin) {
  if (!twin.ok) return "it does not run: " + twin.why;
  Allowance allowed = allowance(twin.steps);
  if (base().ok && finer().ok && !formula_.fixed) {
    const Apart from_truth = apart(truth(), base(), sizes()), from_finer = apart(base(), finer(), sizes());
    const Apart& grown = sensitivity();
    const double errors = std::sqrt(static_cast<double>(std::max(twin.steps, base().steps)));
    for (std::size_t k = 0; k < kSorts; ++k) {
      const double again =
          10 * std::max(from_truth.by[k], from_finer.by[k]) + errors * (grown.by[k] + kError);
      allowed.of[k] = std::min(allowed.of[k], again);
    }
  }
  return beyond(apart(truth(), twin, sizes()), allowed, false);
}

}  // namespace trunnion::metamorphic
