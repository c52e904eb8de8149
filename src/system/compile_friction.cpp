#include <algorithm>

#include <fmt/format.h>

#include "elements/friction.hpp"
#include "system/compiler.hpp"

namespace trunnion::system {

using elements::FrictionData;
using elements::Load;
using elements::MeasureKind;
using elements::Signal;
using model::kind_of;

namespace {

// Which of the loads the statement lets press the surfaces.
struct Inputs {
  bool preload = true, force = true, bending = true, torsion = true;
};
Inputs inputs_of(const model::Friction& f) {
  using I = model::Friction::Input;
  if (!f.inputs.given() || f.inputs.has(I::all)) return {};
  return {f.inputs.has(I::preload), f.inputs.has(I::reaction_force), f.inputs.has(I::bending_moment),
          f.inputs.has(I::torsional_moment)};
}

}  // namespace

void Compiler::friction(const model::Friction& f) {
  using T = model::Joint::Type;
  const std::string owner = name(f);
  const model::Joint* joint = model_.find(f.joint);
  if (!joint || !active(*joint)) return;
  const T type = joint->type.value();
  if (f.formulation == model::Friction::Formulation::lugre) {
    error(argument_span(f, "FORMULATION"), owner, "the LuGre formulation is not carried out yet");
    return;
  }
  if (type != T::revolute && type != T::translational && type != T::cylindrical && type != T::spherical) {
    error(argument_span(f, "JOINT"), owner,
          fmt::format("friction in {} is not carried out yet", name(*joint)),
          "REVOLUTE, TRANSLATIONAL, CYLINDRICAL and SPHERICAL joints have it");
    return;
  }
  const auto i = marker(joint->i.id, owner, f.span), j = marker(joint->j.id, owner, f.span);
  if (!i || !j) return;
  const assembly::Layout& layout = system_->layout_;
  const assembly::MarkerTable& markers = system_->markers_;
  const std::vector<int> axes = type == T::revolute        ? std::vector<int>{5}
                                : type == T::translational ? std::vector<int>{2}
                                : type == T::cylindrical   ? std::vector<int>{2, 5}
                                                           : std::vector<int>{3, 4, 5};
  Load load = elements::make_load(*i, *j, *j, axes, layout, markers);
  const auto add = [&](Signal s) { return load.response.signals.add(std::move(s), layout, load.columns); };
  const auto measure = [&](MeasureKind kind) {
    return add(Signal::of(elements::make_measure(kind, 0, {*i, *j, *j, *j}, layout, markers)));
  };
  // JOINT(id, 0, comp, J)
  const auto reaction = [&](int component) {
    expr::Input input;
    input.kind = expr::InputKind::element_force;
    input.function = expr::find_function("JOINT");
    input.ids = {joint->id, 0, component, joint->j.id};
    return add(reading_signal(input, owner, f.span));
  };

  FrictionData data;
  using E = model::Friction::Effect;
  const bool all = !f.effect.given() || f.effect.has(E::all);
  data.mu_static = f.mu_static.value_or(0);
  data.mu_dynamic = f.mu_dynamic.value_or(0);
  if (!all && !f.effect.has(E::stiction)) data.mu_static = data.mu_dynamic;
  if (!all && !f.effect.has(E::sliding)) data.mu_dynamic = 0;
  data.transition = f.stiction_transition_velocity.value_or(0.1);
  const Inputs use = inputs_of(f);
  const double pin = f.pin_radius.value_or(1), ball = f.ball_radius.value_or(1);
  const double force = use.preload ? f.friction_force_preload.value_or(0) : 0;
  const double torque = use.preload ? f.friction_torque_preload.value_or(0) : 0;
  const bool slides = type == T::translational || type == T::cylindrical;
  if (slides) {
    data.overlap = f.initial_overlap.value_or(1000);
    using O = model::Friction::Overlap;
    const O change = f.overlap_delta.value_or(O::constant);
    data.growth = change == O::increase ? 1 : change == O::decrease ? -1 : 0;
    if (data.growth != 0) {
      data.travel = measure(MeasureKind::dz);
      const Frame X_JI = frames_.marker(joint->j.id).inverse() * frames_.marker(joint->i.id);
      data.start = X_JI.p.z();
    }
  }
  if (type == T::spherical) {
    if (use.force) data.load.push_back({{reaction(2), reaction(3), reaction(4)}, 1.0, false});
    for (const MeasureKind kind : {MeasureKind::wx, MeasureKind::wy, MeasureKind::wz})
      data.slips.push_back({measure(kind), ball, ball, torque});
  } else {
    if (use.force) data.load.push_back({{reaction(2), reaction(3), -1}, 1.0, false});
    if (use.force && type == T::revolute)
      data.load.push_back({{reaction(4), -1, -1}, f.friction_arm.value_or(1) / pin, false});
    if (use.bending)
      data.load.push_back(
          {{reaction(6), reaction(7), -1}, slides ? 1.0 : 1.0 / f.bending_reaction_arm.value_or(1), slides});
    if (use.torsion && type == T::translational)
      data.load.push_back({{reaction(8), -1, -1}, 1.0 / f.reaction_arm.value_or(1), false});
    if (slides) data.slips.push_back({measure(MeasureKind::vz), 1.0, 1.0, force});
    if (type != T::translational) data.slips.push_back({measure(MeasureKind::wz), pin, pin, torque});
  }
  data.inactive_statics = f.inactive_during.given();
  if (data.inactive_statics) {
    Signal mode;
    mode.kind = Signal::Kind::mode;
    data.mode = add(std::move(mode));
  }
  load.response.law = std::make_shared<elements::Friction>(std::move(data));
  add_load(std::move(load), f, *i, *j);
}

}  // namespace trunnion::system
