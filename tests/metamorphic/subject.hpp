#pragma once
// A mechanism under test: its motion by one formula at one ERROR, and what that motion may be off by.
//
// What is compared is always held against `truth`, another formula at an ERROR a thousand times smaller. What a run may be off by is
// derived from what ERROR means, an error of coordinates of at most ERROR a step, relative to sizes of at least 1:
//   steps · (sensitivity + ERROR)
// where the sensitivity is what the truth makes of every number of the model changed by ERROR, by kind of quantity. So a motion that
// lets errors grow is allowed what they grow to, and nothing is allowed because the run itself was wrong. Two formulas are apart:
// NEWMARK takes from the velocities what γ beyond ½ takes, and CONSTANT_BDF has no ERROR (see allowance()).

#include <functional>
#include <optional>

#include "formulas/catalogue.hpp"
#include "metamorphic/generator.hpp"
#include "metamorphic/history.hpp"
#include "metamorphic/transform.hpp"

namespace trunnion::metamorphic {

inline model::Integrator::Method named(const char* keyword) {
  return static_cast<model::Integrator::Method>(formulas::index_of(keyword));
}

struct Formula {
  const char* name;
  model::Integrator::Method method;
  std::optional<model::Integrator::Formulation> formulation;
  bool fixed = false;  // CONSTANT_BDF: the length of its steps takes the place of ERROR
  bool damps() const { return method == named("NEWMARK"); }  // by γ beyond ½
};
const std::vector<Formula>& all_formulas();

inline constexpr double kError = 1e-5;
// Sorts that the integrator follows. Accelerations and reactions belong to the start, where they are exact.
inline constexpr Sort kMotion[] = {Sort::position, Sort::orientation, Sort::velocity, Sort::spin,
                                   Sort::state};

struct Allowance {
  std::array<double, kSorts> of{};
};

class Subject {
 public:
  Subject(const Case& c, const Formula& formula);
  // The same motion by another formula, or written in another way.
  Subject(Subject& other, const Formula& formula);
  Subject(Subject& other, model::Model model);

  const Case& mechanism() const { return case_; }
  const Formula& formula() const { return formula_; }
  double duration() const { return case_.duration; }
  // With the formula of this subject, `tighter` times the accuracy.
  model::Integrator integrator(double tighter = 1) const { return integrator(formula_, tighter); }
  model::Integrator integrator(const Formula& formula, double tighter) const;
  model::Model with(model::Model model, const model::Integrator& in) const;

  // Of finer(): a formula of first order needs more of it to be closer.
  double tighter() const { return formula_.damps() ? 1000 : 10; }
  static constexpr int kRows = 4;  // few, so that ERROR and not DTOUT bounds the steps
  const History& truth();
  const History& base();
  const History& finer();
  const Sizes& sizes();
  bool sensitivity_known() { return sensitivity(), known_; }
  // What a run of so many steps may be off by.
  Allowance allowance(long steps, double tighter = 1) { return allowance(formula_, steps, tighter); }
  Allowance allowance(const Formula& formula, long steps, double tighter);
  const History& begin();  // the start

  // Empty where a run is as near to the truth as ERROR promises; else by how much it is not.
  std::string off(const History& run, double tighter = 1);
  // And where it is a run of a twin: its error is another draw of the same size as that of the run itself, ten times which, and what
  // errors of ERROR sum up to that do not know of each other, is allowed at most.
  std::string differs(const History& twin);
  // The same against any allowance.
  std::string beyond(const Apart& by, const Allowance& allowed, bool forces) const;

 private:
  const History& kept(std::optional<History>& place, const std::function<History()>& make);
  History tightly(const model::Model& model) const;
  const Apart& sensitivity();

  Case case_;
  Formula formula_;
  std::optional<History> truth_, base_, finer_, begin_;
  std::optional<Sizes> sizes_;
  std::optional<Apart> sensitivity_;
  bool known_ = false;
};

}  // namespace trunnion::metamorphic
