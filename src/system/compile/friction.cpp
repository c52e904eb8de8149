#include <algorithm>

#include <fmt/format.h>

#include "elements/lugre.hpp"
#include "system/compile/compiler.hpp"

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

elements::Bristles bristles_of(const model::Friction& f, const FrictionData& data) {
  elements::Bristles b;
  b.mu_static = std::max(data.mu_static, data.mu_dynamic);
  b.mu_dynamic = data.mu_dynamic;
  b.transition = f.stribeck_velocity.value_or(data.transition);
  b.stiffness = f.bristle_stiffness.value_or(b.mu_static / data.creep);
  b.damping = f.damping_coefficient.value_or(b.mu_static / b.transition);
  b.viscous = f.viscous_coefficient.value_or(0);
  return b;
}

}  // namespace

// A load along the freedoms of one joint, in the making.
class Compiler::Rub {
 public:
  using T = model::Joint::Type;

  // `arm` is the axis of its frame (0 1 2) that turning is about, on the I side or the J side.
  Rub(Compiler& compiler, const model::Joint& joint, std::string owner, core::Span span, assembly::MarkerId i,
      assembly::MarkerId j, assembly::MarkerId axes_of, int axes_id, const std::vector<int>& axes)
      : c_(compiler),
        joint_(joint),
        owner_(std::move(owner)),
        span_(span),
        i_(i),
        j_(j),
        axes_of_(axes_of),
        axes_id_(axes_id),
        load(elements::make_load(i, j, axes_of, axes, c_.system_->layout_, c_.system_->markers_)) {}

  int measure(MeasureKind kind) { return add(Signal::of(make(kind, i_, j_, axes_of_))); }
  // JOINT(id, 0, component, the marker whose axes are used)
  int reaction(int component) {
    expr::Input input;
    input.kind = expr::InputKind::element_force;
    input.function = expr::find_function("JOINT");
    input.ids = {joint_.id, 0, component, axes_id_};
    return add(c_.reading_signal(input, owner_, span_));
  }
  // Creep by the travel that `kind` measures between two frames; its rate is `sign` times the last slip.
  void add_creep(MeasureKind kind, assembly::MarkerId i, assembly::MarkerId j, double start, double sign) {
    const std::string key = fmt::format("{} creep {}", owner_, data.slips.size());
    elements::Measure travel = make(kind, i, j, j);
    const bool turns = kind == MeasureKind::az || kind == MeasureKind::rack;
    if (turns) travel.memory = c_.counted(start, key + " angle");
    FrictionData::Slip& slip = data.slips.back();
    slip.travel = add(Signal::of(std::move(travel)));
    slip.sign = sign;
    slip.place = c_.memory(0, key);
    slip.z0 = add_memory(slip.place);
    slip.x0 = add_memory(c_.memory(start, key + " travel"));
    slip.begun = add_memory(c_.memory(0, key + " begun"));
  }
  // Creep of a ball, by its turn since the last accepted step.
  void add_ball_creep() {
    const std::string key = owner_ + " creep";
    for (FrictionData::Slip& slip : data.slips) {
      slip.place = c_.memory(0, fmt::format("{} {}", key, &slip - data.slips.data()));
      slip.z0 = add_memory(slip.place);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      data.turn[k] = add(
          Signal::of(elements::make_measure(MeasureKind::euler_parameter, static_cast<int>(k),
                                            {i_, j_, j_, j_}, c_.system_->layout_, c_.system_->markers_)));
      const int place = c_.memory(0, fmt::format("{} turn {}", key, k));
      if (k == 0) data.turn_place = place;
      data.last_turn[k] = add_memory(place);
    }
    data.turn_begun = add_memory(c_.memory(0, key + " begun"));
  }
  // The bristles' deflections as states with the equation they obey.
  void add_bristles(const model::Friction& statement, const elements::Bristles& bristles) {
    const auto n = static_cast<int>(data.slips.size());
    const assembly::BlockId block = c_.declare_bristles(statement, n);
    assembly::Layout& layout = c_.system_->layout_;
    elements::Equation equation = elements::make_equation(block, elements::Equation::Left::rate, layout);
    std::vector<double> radii;
    std::vector<int> z;
    for (const FrictionData::Slip& slip : data.slips) {
      radii.push_back(slip.radius);
      equation.response.signals.add(load.response.signals[static_cast<std::size_t>(slip.signal)], layout,
                                    equation.columns);
    }
    for (int k = 0; k < n; ++k) {
      equation.response.signals.add(Signal::of_state(block, k), layout, equation.columns);
      z.push_back(add(Signal::of_state(block, k)));
    }
    equation.response.law = std::make_shared<elements::BristleRate>(bristles, std::move(radii));
    elements::seal(equation);
    c_.system_->equations_.push_back(std::move(equation));
    load.response.law = std::make_shared<elements::LuGre>(data, bristles, std::move(z));
  }
  int mode() {
    Signal s;
    s.kind = Signal::Kind::mode;
    return add(std::move(s));
  }
  void finish(Force force) {
    const bool creeps = data.ball() || std::any_of(data.slips.begin(), data.slips.end(),
                                                   [](const FrictionData::Slip& s) { return s.travel >= 0; });
    if (creeps) {
      data.last_slip_place = c_.memory(0, owner_ + " slip");
      data.last_slip = add_memory(data.last_slip_place);
    }
    if (!load.response.law) load.response.law = std::make_shared<elements::Friction>(std::move(data));
    load.passive = true;
    c_.add_load(std::move(load), std::move(force), {});
  }

 private:
  elements::Measure make(MeasureKind kind, assembly::MarkerId i, assembly::MarkerId j, assembly::MarkerId k) {
    return elements::make_measure(kind, 0, {i, j, k, j}, c_.system_->layout_, c_.system_->markers_);
  }
  int add(Signal s) { return load.response.signals.add(std::move(s), c_.system_->layout_, load.columns); }
  int add_memory(int place) {
    Signal s;
    s.kind = Signal::Kind::memory;
    s.place = place;
    return add(std::move(s));
  }

  Compiler& c_;
  const model::Joint& joint_;
  std::string owner_;
  core::Span span_;
  assembly::MarkerId i_, j_, axes_of_;
  int axes_id_;

 public:
  Load load;
  FrictionData data;
};

void Compiler::friction(const model::Friction& f) {
  using T = model::Joint::Type;
  const std::string owner = name(f);
  const model::Joint* joint = model_.find(f.joint);
  if (!joint || !active(*joint)) return;
  const T type = joint->type.value();
  const bool lugre = f.formulation == model::Friction::Formulation::lugre;
  const bool cardan = type == T::universal || type == T::hooke;
  if (!cardan && type != T::revolute && type != T::translational && type != T::cylindrical &&
      type != T::spherical) {
    error(argument_span(f, "JOINT"), owner, fmt::format("FRICTION is not available for {}", name(*joint)),
          "REVOLUTE, TRANSLATIONAL, CYLINDRICAL, SPHERICAL, UNIVERSAL and HOOKE joints have it");
    return;
  }
  const auto i = marker(joint->i.id, owner, f.span), j = marker(joint->j.id, owner, f.span);
  if (!i || !j) return;
  // The arms of a cardan joint: z of I and z of J of a UNIVERSAL, x of I and y of J of a HOOKE.
  const bool on_i = cardan && f.yoke.value_or(model::Friction::Yoke::i) == model::Friction::Yoke::i;
  const int arm = type == T::hooke ? (on_i ? 0 : 1) : 2;
  const std::vector<int> axes = type == T::translational ? std::vector<int>{2}
                                : type == T::cylindrical ? std::vector<int>{2, 5}
                                : type == T::spherical   ? std::vector<int>{3, 4, 5}
                                                         : std::vector<int>{3 + arm};
  Rub rub(*this, *joint, owner, f.span, *i, *j, on_i ? *i : *j, on_i ? joint->i.id : joint->j.id, axes);
  FrictionData& data = rub.data;
  using E = model::Friction::Effect;
  const bool all = !f.effect.given() || f.effect.has(E::all);
  const bool sticks = all || f.effect.has(E::stiction);
  const bool creeps = sticks && !lugre;
  data.mu_static = f.mu_static.value_or(0);
  data.mu_dynamic = f.mu_dynamic.value_or(0);
  if (!sticks) data.mu_static = data.mu_dynamic;
  if (!all && !f.effect.has(E::sliding)) data.mu_dynamic = 0;
  if (lugre && data.mu_dynamic <= 0) {
    error(argument_span(f, "FORMULATION"), owner, "the LuGre formulation needs friction while sliding",
          "give MU_DYNAMIC a value above zero, and no EFFECT=STICTION");
    return;
  }
  data.transition = f.stiction_transition_velocity.value_or(0.1);
  data.creep = f.max_stiction_deformation.value_or(0.01);
  const Inputs use = inputs_of(f);
  const double pin = f.pin_radius.value_or(1), ball = f.ball_radius.value_or(1);
  const double force = use.preload ? f.friction_force_preload.value_or(0) : 0;
  const double torque = use.preload ? f.friction_torque_preload.value_or(0) : 0;
  const Frame X_JI = frames_.marker(joint->j.id).inverse() * frames_.marker(joint->i.id);
  const bool slides = type == T::translational || type == T::cylindrical;
  if (slides) {
    data.overlap = f.initial_overlap.value_or(1000);
    using O = model::Friction::Overlap;
    const O change = f.overlap_delta.value_or(O::constant);
    data.growth = change == O::increase ? 1 : change == O::decrease ? -1 : 0;
    if (data.growth != 0) {
      data.travel = rub.measure(MeasureKind::dz);
      data.start = X_JI.p.z();
    }
  }
  const int across = (arm + 1) % 3, along = (arm + 2) % 3;  // the other two axes
  const auto force_on = [&](int axis) { return rub.reaction(2 + axis); };
  const auto torque_on = [&](int axis) { return rub.reaction(6 + axis); };
  if (type == T::spherical) {
    if (use.force) data.load.push_back({{force_on(0), force_on(1), force_on(2)}, 1.0, false});
    for (const MeasureKind kind : {MeasureKind::wx, MeasureKind::wy, MeasureKind::wz})
      data.slips.push_back({rub.measure(kind), ball, ball, torque});
    if (creeps) rub.add_ball_creep();
  } else {
    if (use.force) data.load.push_back({{force_on(across), force_on(along), -1}, 1.0, false});
    if (use.force && !slides)
      data.load.push_back({{force_on(arm), -1, -1}, f.friction_arm.value_or(1) / pin, false});
    if (use.bending)
      data.load.push_back({{torque_on(across), torque_on(along), -1},
                           slides ? 1.0 : 1.0 / f.bending_reaction_arm.value_or(1),
                           slides});
    if (use.torsion && type == T::translational)
      data.load.push_back({{torque_on(2), -1, -1}, 1.0 / f.reaction_arm.value_or(1), false});
  }
  if (slides) {
    data.slips.push_back({rub.measure(MeasureKind::vz), 1.0, 1.0, force});
    if (creeps) rub.add_creep(MeasureKind::dz, *i, *j, X_JI.p.z(), 1);
  }
  if (type == T::revolute || type == T::cylindrical || cardan) {
    constexpr MeasureKind kTurn[] = {MeasureKind::wx, MeasureKind::wy, MeasureKind::wz};
    data.slips.push_back({rub.measure(kTurn[arm]), pin, pin, torque});
    if (creeps && !cardan) rub.add_creep(MeasureKind::az, *i, *j, 0, 1);
    if (creeps && cardan) {
      // RACK counts the turn about z of its first frame, seen against z of its second: both frames with z along their arms.
      const auto arm_frame = [&](assembly::MarkerId of, int axis) {
        assembly::MarkerDef def = system_->markers_[of];
        math::Mat3 turned;
        for (int k = 0; k < 3; ++k) turned.col(k) = def.R_BM.col((axis + 1 + k) % 3);
        def.R_BM = turned;
        return system_->markers_.add(def);
      };
      const auto a = arm_frame(*i, type == T::hooke ? 0 : 2), b = arm_frame(*j, type == T::hooke ? 1 : 2);
      if (on_i) rub.add_creep(MeasureKind::rack, a, b, 0, 1);
      else rub.add_creep(MeasureKind::rack, b, a, 0, -1);
    }
  }
  data.inactive_statics = f.inactive_during.given();
  if (data.inactive_statics) data.mode = rub.mode();
  if (lugre) rub.add_bristles(f, bristles_of(f, data));
  rub.finish(Force{kind_of<model::Friction>(), f.id, owner, {}, 0, *i, *j, 0});
}

// The older form. A revolute's pin of INNER_RADIUS takes the radial load, its collar, half way to OUTER_RADIUS, the axial one; a
// translational's guide of WIDTH and HEIGHT takes the torque about its axis by half of their mean.
void Compiler::joint_friction(const model::Joint& joint) {
  using T = model::Joint::Type;
  using R = model::Joint::Rubbing;
  const bool turns = joint.type == T::revolute, slides = joint.type == T::translational;
  const auto mu_s = turns ? joint.mu_stat_rot : joint.mu_stat_trans;
  const auto mu_d = turns ? joint.mu_dyn_rot : joint.mu_dyn_trans;
  if ((!turns && !slides) || joint.friction == R::off || (!mu_s && !mu_d)) return;
  const std::string owner = name(joint);
  const auto i = marker(joint.i.id, owner, joint.span), j = marker(joint.j.id, owner, joint.span);
  if (!i || !j) return;
  Rub rub(*this, joint, owner, joint.span, *i, *j, *j, joint.j.id, {turns ? 5 : 2});
  FrictionData& data = rub.data;
  data.mu_dynamic = mu_d.value_or(mu_s.value_or(0));
  data.mu_static = mu_s.value_or(data.mu_dynamic);
  data.transition = joint.delta_v.value_or(0.1);
  data.creep = joint.maximum_deformation.value_or(0.01);
  data.most = (turns ? joint.max_fric_rot : joint.max_fric_trans).value_or(0);
  const bool reactions = joint.friction.value_or(R::on) == R::on;
  if (turns) {
    const double pin = joint.inner_radius.value_or(1);
    const double collar = 0.5 * (pin + joint.outer_radius.value_or(pin)) / pin;
    data.pressed = joint.preload_radial.value_or(0) + collar * joint.preload_axial.value_or(0);
    if (reactions)
      data.load = {{{rub.reaction(2), rub.reaction(3), -1}}, {{rub.reaction(4), -1, -1}, collar}};
    data.slips.push_back({rub.measure(MeasureKind::wz), pin, pin, 0});
    rub.add_creep(MeasureKind::az, *i, *j, 0, 1);
  } else {
    data.pressed = joint.preload_x.value_or(0) + joint.preload_y.value_or(0);
    if (reactions) data.load = {{{rub.reaction(2), -1, -1}}, {{rub.reaction(3), -1, -1}}};
    if (reactions && joint.width && joint.height)
      data.load.push_back({{rub.reaction(8), -1, -1}, 4.0 / (*joint.width + *joint.height)});
    data.slips.push_back({rub.measure(MeasureKind::vz), 1, 1, 0});
    const Frame X_JI = frames_.marker(joint.j.id).inverse() * frames_.marker(joint.i.id);
    rub.add_creep(MeasureKind::dz, *i, *j, X_JI.p.z(), 1);
  }
  // Not a second JOINT: its reading and its reaction stay what the constraint gives.
  rub.finish(Force{kind_of<model::Friction>(), -joint.id, owner + " friction",
                   fmt::format("JOINT/{}.FRICTION", joint.id), 0, *i, *j, 0});
}

}  // namespace trunnion::system
