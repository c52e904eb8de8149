#include "elements/registry_loads.hpp"

#include "elements/building.hpp"
#include "elements/corotation.hpp"
#include "elements/lugre.hpp"

namespace trunnion::elements::test {
void add_corotations(const AddLoad& add) {
  // At the random states the turn between I and J is anything up to half a turn; a kept axis of half a turn, along which all turns
  // are counted, takes it up to a full one.
  const auto add_one = [&](const std::string& name, bool past_half, auto law_of) {
    add(name, [past_half, law_of](Example& e, MarkerId i, MarkerId j, MarkerId, BlockId) {
      if (past_half) {
        const Vec3 axis = e.vector().normalized();
        e.memory = {0.0, axis[0], axis[1], axis[2], 0.0, 0.0};
      }
      Load load = make_load(i, j, j, {0, 1, 2, 3, 4, 5}, e.layout, e.markers);
      const Corotation law = law_of(e);
      for (Signal& signal : corotation_signals(i, j, 0, law.damped(), e.layout, e.markers))
        load.response.signals.add(std::move(signal), e.layout, load.columns);
      load.response.law = std::make_shared<Corotation>(law);
      seal(load);
      e.loads.push_back(std::move(load));
    });
  };
  const auto add_corotation = [&](const std::string& name, auto law_of) {
    add_one(name, false, law_of);
    add_one(name + "_past_half", true, law_of);
  };
  add_corotation("beam_nonlinear", [](Example& e) {
    e.potential = Example::Potential::exact;
    const BeamSection section{0.8, 0.3, 0.1, 0.2, 0.15, 0, 0, 2.0, 0.9};
    return Corotation::beam(stretched_beam(section, true), 0.1 * beam_stiffness(section));
  });
  for (const bool symmetric : {false, true}) {
    add_corotation(symmetric ? "field_nonlinear_symmetric" : "field_nonlinear", [symmetric](Example& e) {
      StrainEnergy energy;
      energy.K = random_matrix(e, 6, 6);
      if (symmetric) energy.K = (energy.K + energy.K.transpose()).eval();
      e.potential = symmetric ? Example::Potential::exact : Example::Potential::none;
      energy.preload = random_matrix(e, 6, 1);
      return Corotation::field(energy, random_matrix(e, 6, 6), e.vector(), e.vector());
    });
  }
}

void add_frictions(const AddLoad& add) {
  add("friction", [](Example& e, MarkerId i, MarkerId j, MarkerId, BlockId) {
    // Slow enough for all regimes to be met: the random velocities are of size 1.
    const BlockId F = e.layout.add_scalars(Dynamics::algebraic, "F", {{"0", "1"}, {"1", "1"}, {"2", "1"}});
    Load load = make_load(i, j, j, {2, 5}, e.layout, e.markers);
    FrictionData data;
    data.mu_static = 0.5;
    data.mu_dynamic = 0.3;
    data.transition = e.uniform(0.4, 2.0);
    const auto signal = [&](Signal s) {
      return load.response.signals.add(std::move(s), e.layout, load.columns);
    };
    const auto measure = [&](MeasureKind kind) {
      return signal(Signal::of(make_measure(kind, 0, {i, j, j, j}, e.layout, e.markers)));
    };
    const int f[3] = {signal(Signal::of_state(F, 0)), signal(Signal::of_state(F, 1)),
                      signal(Signal::of_state(F, 2))};
    data.load = {{{f[0], f[1], -1}, 0.7, false}, {{f[2], -1, -1}, 1.3, true}};
    data.slips = {{measure(MeasureKind::vz), 1.0, 1.0, 0.2}, {measure(MeasureKind::wz), 0.4, 0.4, 0.1}};
    data.travel = measure(MeasureKind::dz);
    data.creep = e.uniform(0.5, 5.0);
    data.slips[0].travel = data.travel;
    data.slips[1].travel = measure(MeasureKind::az);
    for (FrictionData::Slip& slip : data.slips) {
      Signal z, x, one;
      z.kind = x.kind = one.kind = Signal::Kind::constant;
      one.value = 1.0;
      z.value = e.uniform(-1.0, 1.0);
      x.value = e.uniform(-1.0, 1.0);
      slip.z0 = signal(z);
      slip.x0 = signal(x);
      slip.begun = signal(one);
    }
    Signal earlier;  // slip: half of the steps slow down from beyond the transition
    earlier.kind = Signal::Kind::constant;
    earlier.value = data.transition * e.uniform(0.0, 2.0);
    data.last_slip = signal(earlier);
    data.overlap = 5.0;
    data.growth = 1.0;
    load.response.law = std::make_shared<Friction>(std::move(data));
    seal(load);
    e.loads.push_back(std::move(load));
  });
  // A ball: three slips that press alike, and the creep by the turn since some earlier pose.
  add("friction_ball", [](Example& e, MarkerId i, MarkerId j, MarkerId, BlockId) {
    const BlockId N = e.layout.add_scalars(Dynamics::algebraic, "N", {{"0", "1"}});
    Load load = make_load(i, j, j, {3, 4, 5}, e.layout, e.markers);
    const auto signal = [&](Signal s) {
      return load.response.signals.add(std::move(s), e.layout, load.columns);
    };
    const auto constant = [&](double value) {
      Signal s;
      s.kind = Signal::Kind::constant;
      s.value = value;
      return signal(s);
    };
    FrictionData data;
    data.mu_static = 0.5;
    data.mu_dynamic = 0.3;
    data.transition = e.uniform(0.4, 4.0);
    data.creep = e.uniform(0.5, 5.0);
    data.load = {{{signal(Signal::of_state(N, 0)), -1, -1}, 0.7, false}};
    for (const MeasureKind kind : {MeasureKind::wx, MeasureKind::wy, MeasureKind::wz}) {
      data.slips.push_back(
          {signal(Signal::of(make_measure(kind, 0, {i, j, j, j}, e.layout, e.markers))), 0.4, 0.4, 0.1});
      data.slips.back().z0 = constant(e.uniform());
    }
    const Quat last = e.rotation();
    const double parameters[] = {last.w(), last.x(), last.y(), last.z()};
    for (std::size_t k = 0; k < 4; ++k) {
      data.turn[k] = signal(Signal::of(make_measure(MeasureKind::euler_parameter, static_cast<int>(k),
                                                    {i, j, j, j}, e.layout, e.markers)));
      data.last_turn[k] = constant(parameters[k]);
    }
    data.turn_begun = constant(1.0);
    data.last_slip = constant(data.transition * e.uniform(0.0, 2.0));
    load.response.law = std::make_shared<Friction>(std::move(data));
    seal(load);
    e.loads.push_back(std::move(load));
  });
  add("friction_lugre", [](Example& e, MarkerId i, MarkerId j, MarkerId, BlockId) {
    const BlockId F = e.layout.add_scalars(Dynamics::algebraic, "F", {{"0", "1"}, {"1", "1"}});
    const BlockId z = e.layout.add_scalars(Dynamics::first_order, "z", {{"0", "1"}, {"1", "1"}});
    Load load = make_load(i, j, j, {2, 5}, e.layout, e.markers);
    Equation equation = make_equation(z, Equation::Left::rate, e.layout);
    const auto signal = [&](const Signal& s) { return load.response.signals.add(s, e.layout, load.columns); };
    const Bristles bristles{0.5, 0.3, e.uniform(0.4, 2.0), 3.0, 0.7, 0.2};
    FrictionData data;
    data.load = {{{signal(Signal::of_state(F, 0)), signal(Signal::of_state(F, 1)), -1}, 0.7, false}};
    const double radii[] = {1.0, 0.4};
    for (const MeasureKind kind : {MeasureKind::vz, MeasureKind::wz}) {
      const double r = radii[data.slips.size()];
      const Signal slip = Signal::of(make_measure(kind, 0, {i, j, j, j}, e.layout, e.markers));
      data.slips.push_back({signal(slip), r, r, 0.1});
      equation.response.signals.add(slip, e.layout, equation.columns);
    }
    std::vector<int> deflections;
    for (int k = 0; k < 2; ++k) {
      deflections.push_back(signal(Signal::of_state(z, k)));
      equation.response.signals.add(Signal::of_state(z, k), e.layout, equation.columns);
    }
    load.response.law = std::make_shared<LuGre>(std::move(data), bristles, std::move(deflections));
    equation.response.law = std::make_shared<BristleRate>(bristles, std::vector<double>{radii[0], radii[1]});
    seal(load);
    seal(equation);
    e.loads.push_back(std::move(load));
    e.equations.push_back(std::move(equation));
  });
}

}  // namespace trunnion::elements::test
