#include "integrate/registry.hpp"

#include <algorithm>

#include "integrate/automatic.hpp"
#include "integrate/collocation.hpp"
#include "integrate/independent/abam.hpp"
#include "integrate/independent/runge_kutta.hpp"
#include "integrate/independent/tlismni.hpp"
#include "integrate/multistep.hpp"
#include "integrate/newmark.hpp"

namespace trunnion::integrate {

namespace {

struct Maker {
  const assembly::Layout& layout;
  const FormulaSettings& s;
  using Made = std::unique_ptr<Formula>;

  Made operator()(const formulas::Bdf& bdf) const {
    using C = MultistepSettings::Coefficients;
    MultistepSettings m;
    m.coefficients = bdf.variable_coefficients ? C::variable : C::fixed_leading;
    m.stabilised = m.control_velocities = s.stabilised;
    m.highest_order = std::min(s.kmax, kHighestBdf);
    m.constant = s.constant;
    m.amplitude = s.amplitude;
    return std::make_unique<Multistep>(layout, m, s.error);
  }
  Made operator()(const formulas::NewmarkType& type) const {
    formulas::NewmarkTable table = type.table(s.parameters);
    table.rho_states = s.parameters.rho_states;
    return std::make_unique<Newmark>(layout, table, s.error, s.amplitude);
  }
  Made operator()(const formulas::StagedType& type) const {
    return std::make_unique<Staged>(layout, staged(type.table(s.parameters.rho), type.row_of_ratio), s.error);
  }
  Made operator()(const formulas::SingleStepType& type) const {
    StagedSettings settings = staged({}, nullptr);
    settings.single = type.table(s.parameters.rho);
    return std::make_unique<Staged>(layout, std::move(settings), s.error);
  }
  Made operator()(const formulas::CollocationType& type) const {
    CollocationSettings settings{type.table(s.parameters.rho), s.stabilised, s.index2,
                                 s.predictor == Predictor::constant, s.amplitude};
    return std::make_unique<Collocation>(layout, std::move(settings), s.error);
  }
  Made operator()(const formulas::ExplicitType& type) const {
    return std::make_unique<RungeKutta>(layout, type.table(), s.error, s.amplitude);
  }
  Made operator()(const formulas::AdamsType& type) const {
    if (type.two_loops)
      return std::make_unique<Tlismni>(
          layout, TlismniSettings{.order = s.parameters.order, .outer = s.parameters.outer}, s.error);
    return abam();
  }
  Made operator()(const formulas::AutomaticType&) const {
    return std::make_unique<Automatic>(abam(), (*this)(formulas::Bdf{}));
  }
  std::unique_ptr<IndependentFormula> abam() const {
    const bool given = s.kmax < kHighestAdams;
    return std::make_unique<Abam>(
        layout, AbamSettings{.highest = s.kmax, .constant = s.constant, .order_given = given}, s.error,
        s.amplitude);
  }
  Made operator()(const formulas::NotYet&) const { return nullptr; }

  StagedSettings staged(formulas::StagedTable table, decltype(formulas::StagedType::row_of_ratio) row) const {
    return {std::move(table), row, {}, s.stabilised, s.predictor, s.amplitude};
  }
};

}  // namespace

std::unique_ptr<Formula> make_formula(const formulas::Entry& entry, const assembly::Layout& layout,
                                      const FormulaSettings& settings) {
  FormulaSettings own = settings;
  own.index2 = formulas::index2(entry);
  return std::visit(Maker{layout, own}, entry.family);
}

}  // namespace trunnion::integrate
