#pragma once
// A mechanism under test: its motion by one formula at one ERROR, and what that motion may be off by.
//
// What is compared is always held against `truth`, another formula at an ERROR a thousand times smaller. The allowance is derived from
// the mechanism itself:
//   10 · max(|base − truth|, |base − finer|) + 100 · ERROR,  and never more than 2 % of the size
// A variant makes other steps, so its error is another draw of the same size; a factor of ten covers that. ERROR bounds what one
// step adds, relative to sizes of at least 1; a hundred such errors is what a motion of some hundred steps may always collect. The
// bound keeps a wrong base from allowing everything: mechanisms are drawn so that their motion does not diverge faster.

#include <functional>
#include <optional>

#include "metamorphic/generator.hpp"
#include "metamorphic/history.hpp"
#include "metamorphic/transform.hpp"

namespace trunnion::metamorphic {

struct Formula {
  const char* name;
  model::Integrator::Method method;
  std::optional<model::Integrator::Formulation> formulation;
  bool fixed = false;  // CONSTANT_BDF: the length of its steps takes the place of ERROR
};
const std::vector<Formula>& formulas();

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

  const Case& mechanism() const { return case_; }
  const Formula& formula() const { return formula_; }
  double duration() const { return case_.duration; }
  // With the formula of this subject, `tighter` times the accuracy.
  model::Integrator integrator(double tighter = 1) const { return integrator(formula_, tighter); }
  model::Integrator integrator(const Formula& formula, double tighter) const;
  model::Model with(model::Model model, const model::Integrator& in) const;

  static constexpr int kRows = 4;  // few, so that ERROR and not DTOUT bounds the steps
  const History& truth();
  const History& base();
  const History& finer();
  const Sizes& sizes();
  const Allowance& allowance();
  const History& begin();  // the start

  // Empty where `variant` moves as the truth does; else by how much it does not.
  std::string differs(const History& variant);
  // The same against any allowance.
  std::string beyond(const Apart& by, const Allowance& allowed, bool forces) const;

 private:
  const History& kept(std::optional<History>& place, const std::function<History()>& make);

  Case case_;
  Formula formula_;
  std::optional<History> truth_, base_, finer_, begin_;
  std::optional<Sizes> sizes_;
  std::optional<Allowance> allowance_;
};

}  // namespace trunnion::metamorphic
