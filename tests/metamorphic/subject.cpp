#include "metamorphic/subject.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace trunnion::metamorphic {

using Method = model::Integrator::Method;
using Formulation = model::Integrator::Formulation;

const std::vector<Formula>& formulas() {
  static const std::vector<Formula> all = {{"GSTIFF I3", Method::gstiff, Formulation::i3},
                                           {"GSTIFF SI2", Method::gstiff, Formulation::si2},
                                           {"WSTIFF I3", Method::wstiff, Formulation::i3},
                                           {"WSTIFF SI2", Method::wstiff, Formulation::si2},
                                           {"HHT", Method::hht, {}},
                                           {"NEWMARK", Method::newmark, {}},
                                           {"CONSTANT_BDF", Method::constant_bdf, Formulation::si2, true}};
  return all;
}

Subject::Subject(const Case& c, const Formula& formula) : case_(c), formula_(formula) {
  case_.model = plain(c.model);
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

const History& Subject::truth() {
  constexpr double kSmaller = 1000;
  return kept(truth_, [&] {
    const bool stabilised = formula_.method == Method::gstiff && formula_.formulation == Formulation::si2;
    const Formula& other = formulas()[stabilised ? 3 : 1];
    return simulate(with(case_.model, integrator(other, kSmaller)), evenly(duration(), kRows));
  });
}

const History& Subject::base() {
  return kept(base_, [&] { return simulate(with(case_.model, integrator()), evenly(duration(), kRows)); });
}

const History& Subject::finer() {
  constexpr double kFiner = 10;
  return kept(finer_,
              [&] { return simulate(with(case_.model, integrator(kFiner)), evenly(duration(), kRows)); });
}

const Sizes& Subject::sizes() {
  if (!sizes_) sizes_ = sizes_of(truth(), duration());
  return *sizes_;
}

const Allowance& Subject::allowance() {
  if (allowance_) return *allowance_;
  const Apart from_truth = apart(truth(), base(), sizes()), from_finer = apart(base(), finer(), sizes());
  constexpr double kMost = 0.02;
  allowance_.emplace();
  for (std::size_t k = 0; k < kSorts; ++k)
    allowance_->of[k] = std::min(kMost, 10 * std::max(from_truth.by[k], from_finer.by[k]) + 100 * kError);
  return *allowance_;
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

std::string Subject::differs(const History& variant) {
  if (!variant.ok) return "it does not run: " + variant.why;
  return beyond(apart(truth(), variant, sizes()), allowance(), false);
}

}  // namespace trunnion::metamorphic
