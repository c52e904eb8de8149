#include <numbers>

#include <fmt/format.h>

#include "elements/gear.hpp"
#include "system/compile/compiler.hpp"

namespace trunnion::system {

using assembly::MarkerId;
using elements::MeasureKind;
using model::kind_of;

namespace {

// Which of its freedoms a joint's coordinate is, where only one is possible.
std::optional<bool> turns(const model::Joint& joint, const model::Choice<model::Freedom>& said) {
  using T = model::Joint::Type;
  if (said.given()) return said == model::Freedom::rotation;
  if (joint.type == T::revolute) return true;
  if (joint.type == T::translational) return false;
  return std::nullopt;
}

}  // namespace

void Compiler::constraints() {
  const auto each = [&](const auto& table, auto method) {
    for (const auto& statement : table) {
      if (active(statement)) (this->*method)(statement);
    }
  };
  each(model_.all<model::Joint>(), &Compiler::joint);
  each(model_.all<model::Jprim>(), &Compiler::jprim);
  each(model_.all<model::Coupler>(), &Compiler::coupler);
  each(model_.all<model::Gear>(), &Compiler::gear);
  each(model_.all<model::Gcon>(), &Compiler::gcon);
  each(model_.all<model::Ptcv>(), &Compiler::ptcv);
  each(model_.all<model::Cvcv>(), &Compiler::cvcv);
  // Motions last: where equations depend on each other the later ones are dropped, and a drive that turns out redundant
  // is what a user can mend.
  each(model_.all<model::Motion>(), &Compiler::motion);
}

elements::Measure Compiler::measure(MeasureKind kind, int i, int j, From from) {
  const auto of = [&](int id) { return system_->find_marker(id).value(); };
  elements::Measure m =
      elements::make_measure(kind, 0, {of(i), of(j), of(j), of(j)}, system_->layout_, system_->markers_);
  if (counts_turns(kind)) m.memory = turns_place(kind, i, j, from);
  return m;
}

elements::Measure Compiler::joint_measure(bool turn, const model::Joint& joint, From from) {
  return measure(turn ? MeasureKind::az : MeasureKind::dz, joint.i.id, joint.j.id, from);
}

void Compiler::add_row(elements::MeasureRow row, model::Kind kind, int id, const core::Words& owner,
                       MarkerId i, MarkerId j) {
  system_->elements_->measure_rows.push_back(std::move(row));
  system_->constraints_.push_back(
      {kind, id, owner, Constraint::Element::measure_row, system_->elements_->measure_rows.size() - 1, i, j});
}

// A constant-velocity joint whose shafts lie on each other: equal spin about both says nothing there.
bool Compiler::folded_back(const model::Joint& joint) {
  constexpr double kAngle = 1e-3;  // rad; real shafts bend by less than a right angle
  const math::Vec3 z_I = frames_.marker(joint.i.id).R.col(2), z_J = frames_.marker(joint.j.id).R.col(2);
  if (z_I.dot(z_J) < std::cos(kAngle)) return false;
  const auto of = [&](int id) { return label(model_, kind_of<model::Marker>(), id); };
  error(joint.span, name(joint),
        fmt::format("z of {} and z of {} point the same way; in a CONVEL joint each points along its own "
                    "shaft, away from the joint",
                    of(joint.i.id), of(joint.j.id)),
        "turn one of the markers by 180 degrees about its x axis; straight shafts have opposite z");
  return true;
}

void Compiler::joint(const model::Joint& joint) {
  const core::Words owner = name(joint);
  const auto i = marker(joint.i.id, owner, argument_span(joint, "I"));
  const auto j = marker(joint.j.id, owner, argument_span(joint, "J"));
  if (!i || !j) return;
  const model::Kind kind = kind_of<model::Joint>();
  if (joint.type == model::Joint::Type::convel && folded_back(joint)) return;
  if (!elements::joint_rows(joint.type.value()).empty()) {
    system_->elements_->joints.push_back(
        elements::make_joint(joint.type.value(), *i, *j, owner, system_->layout_, system_->markers_));
    system_->constraints_.push_back(
        {kind, joint.id, owner, Constraint::Element::joint, system_->elements_->joints.size() - 1, *i, *j});
    start_values(joint);
    return;
  }
  if (joint.type == model::Joint::Type::screw) {
    std::vector<elements::WeightedMeasure> items;
    items.push_back({1.0, joint_measure(false, joint, From::drawn)});
    items.push_back(
        {-joint.pitch.value_or(0) / (2 * std::numbers::pi), joint_measure(true, joint, From::drawn)});
    add_row(elements::make_measure_row(std::move(items), 0, -1, owner, "screw", assembly::kLength,
                                       system_->layout_),
            kind, joint.id, owner, *i, *j);
    return;
  }
  const Frame X_I = frames_.marker(joint.i.id), X_J = frames_.marker(joint.j.id);
  const double radius = elements::rack_radius(joint.pd.value_or(0), X_I.p, X_I.R.col(2), X_J.p, X_J.R.col(2));
  std::vector<elements::WeightedMeasure> items;
  items.push_back({1.0, joint_measure(false, joint, From::drawn)});
  items.push_back({radius, measure(MeasureKind::rack, joint.i.id, joint.j.id, From::drawn)});
  add_row(elements::make_measure_row(std::move(items), 0, -1, owner, "rack on J and pinion on I",
                                     assembly::kLength, system_->layout_),
          kind, joint.id, owner, *i, *j);
}

// ICTRAN and ICROT hold during the initial-condition analysis only.
void Compiler::start_values(const model::Joint& joint) {
  // A MOTION says all there is to say about its joint's freedom.
  if (driven_joints_.contains(joint.id)) return;
  const auto hold = [&](bool turn, const std::vector<double>& values) {
    if (values.empty()) return;
    // d + v t as a function of time: value and rate at the start.
    const std::string text =
        fmt::format("{:.17g}+({:.17g})*TIME", values[0], values.size() > 1 ? values[1] : 0.0);
    const auto function = time_function(model::Expression(text), name(joint), joint.span);
    if (!function) return;
    system_->drives_.push_back({Drive::Level::displacement, *function, -1, 0, 0});
    const int drive = static_cast<int>(system_->drives_.size()) - 1;
    elements::Measure m = joint_measure(turn, joint, From::given);
    give_turns(m, values[0]);
    system_->elements_->measure_rows.push_back(elements::make_measure_row(
        {{1.0, std::move(m)}}, 0, drive, name(joint), turn ? "start angle" : "start travel",
        turn ? assembly::kAngle : assembly::kLength, system_->layout_));
    system_->start_rows_.push_back(system_->elements_->measure_rows.back().row.index);
    if (values.size() < 2) system_->start_positions_only_.push_back(system_->start_rows_.back());
  };
  hold(false, joint.ictran);
  hold(true, joint.icrot);
  if (joint.ic.empty()) return;
  if (const auto turn = turns(joint, {})) hold(*turn, joint.ic);
}

void Compiler::jprim(const model::Jprim& joint) {
  const core::Words owner = name(joint);
  const auto i = marker(joint.i.id, owner, argument_span(joint, "I"));
  const auto j = marker(joint.j.id, owner, argument_span(joint, "J"));
  if (!i || !j) return;
  system_->elements_->joints.push_back(
      elements::make_joint(joint.type.value(), *i, *j, owner, system_->layout_, system_->markers_));
  system_->constraints_.push_back({kind_of<model::Jprim>(), joint.id, owner, Constraint::Element::joint,
                                   system_->elements_->joints.size() - 1, *i, *j});
}

void Compiler::motion(const model::Motion& motion) {
  const core::Words owner = name(motion);
  MeasureKind kind = MeasureKind::dz;
  int i_id = motion.i.id, j_id = motion.j.id;
  if (motion.joint.given()) {
    const model::Joint& joint = *model_.find(motion.joint);
    const auto turn = turns(joint, motion.freedom);
    if (!turn) {
      error(motion.span, owner,
            fmt::format("{} has more than one degree of freedom: specify TRANSLATIONAL or ROTATIONAL",
                        name(joint)));
      return;
    }
    kind = *turn ? MeasureKind::az : MeasureKind::dz;
    i_id = joint.i.id;
    j_id = joint.j.id;
  } else {
    constexpr MeasureKind kinds[] = {MeasureKind::dx, MeasureKind::dy, MeasureKind::dz,
                                     MeasureKind::b1, MeasureKind::b2, MeasureKind::b3};
    kind = kinds[motion.direction.index];
  }
  const auto i = marker(i_id, owner, motion.span);
  const auto j = marker(j_id, owner, motion.span);
  if (!i || !j) return;
  const core::Span span = argument_span(motion, "FUNCTION");
  const UserCall* call = user_call(motion);
  const auto function = call ? user_time_function(*call, {owner, span, motion.id})
                             : time_function(motion.function, owner, span);
  if (!function) return;
  Drive drive;
  drive.function = *function;
  drive.level = static_cast<Drive::Level>(motion.level.value_or(model::Motion::Level::displacement));
  drive.start = motion.icdisp.value_or(0);
  drive.start_rate = motion.icvel.value_or(0);
  double start = drive.start;
  if (drive.level == Drive::Level::displacement) {
    // Where the function starts, so that an angle of several turns is counted from there.
    TimeWorkspace time;
    function_values_.resize(system_->functions_.size());
    start = evaluate_alone(system_->functions_, *function, time_, assembly::AnalysisMode::initial_conditions,
                           function_values_, time)
                .value;
  } else {
    drive.memory = memory(time_, owner + " drive time");
    memory(drive.start, owner + " drive value");
    memory(drive.start_rate, owner + " drive rate");
    // Without ICDISP the motion goes on from where the mechanism stands.
    drive.from_here = !motion.icdisp;
  }
  system_->drives_.push_back(drive);
  const bool angle = kind == MeasureKind::az || kind >= MeasureKind::b1;
  elements::Measure m = measure(kind, i_id, j_id);
  if (!drive.from_here) give_turns(m, start);
  const std::string what = fmt::format("{} = f(t)", elements::measure_name(kind));
  add_row(
      elements::make_measure_row({{1.0, std::move(m)}}, 0, static_cast<int>(system_->drives_.size()) - 1,
                                 owner, what, angle ? assembly::kAngle : assembly::kLength, system_->layout_),
      kind_of<model::Motion>(), motion.id, owner, *i, *j);
}

void Compiler::coupler(const model::Coupler& coupler) {
  const core::Words owner = name(coupler);
  std::vector<double> scales = coupler.scales;
  if (scales.size() == 1 && coupler.joints.ids.size() == 2) scales.insert(scales.begin(), 1.0);
  if (coupler.function.given()) scales.assign(coupler.joints.ids.size(), 1.0);
  if (scales.size() != coupler.joints.ids.size()) {
    error(argument_span(coupler, "SCALES"), owner,
          fmt::format("SCALES has {} values, but JOINTS names {} joints", coupler.scales.size(),
                      coupler.joints.ids.size()));
    return;
  }
  std::vector<elements::WeightedMeasure> items;
  std::optional<MarkerId> first_i, first_j;
  for (std::size_t k = 0; k < scales.size(); ++k) {
    const model::Joint& joint = *model_.find<model::Joint>(coupler.joints.ids[k]);
    model::Choice<model::Freedom> said;
    if (k < coupler.type.indices.size()) said.index = coupler.type.indices[k];
    const auto turn = turns(joint, said);
    if (!turn) {
      error(coupler.span, owner,
            fmt::format("{} has more than one degree of freedom: specify which with TYPE=", name(joint)));
      return;
    }
    const auto i = marker(joint.i.id, owner, coupler.span);
    const auto j = marker(joint.j.id, owner, coupler.span);
    if (!i || !j) return;
    if (!first_i) {
      first_i = i;
      first_j = j;
    }
    items.push_back({scales[k], joint_measure(*turn, joint, From::drawn)});
  }
  elements::MeasureRow row = elements::make_measure_row(
      std::move(items), 0, -1, owner, "coupled motion",
      assembly::Measured{assembly::Quantity::number, "length or angle"}, system_->layout_);
  if (coupler.function.given()) {
    row.relation = user_relation(coupler);
    if (!row.relation) return;
  }
  add_row(std::move(row), kind_of<model::Coupler>(), coupler.id, owner, *first_i, *first_j);
}

void Compiler::gear(const model::Gear& gear) {
  const core::Words owner = name(gear);
  const Frame X_CV = frames_.marker(gear.cv.id);
  const auto cv = marker(gear.cv.id, owner, argument_span(gear, "CV"));
  if (!cv || gear.joints.ids.size() != 2) return;
  std::array<elements::GearSide, 2> sides;
  for (std::size_t k = 0; k < 2; ++k) {
    const model::Joint& joint = *model_.find<model::Joint>(gear.joints.ids[k]);
    const auto i = marker(joint.i.id, owner, gear.span);
    const auto j = marker(joint.j.id, owner, gear.span);
    if (!i || !j) return;
    const Owner carrier = frames_.owners().of(gear.cv.id);
    const bool carrier_is_j = frames_.owners().of(joint.j.id) == carrier;
    if (!carrier_is_j && !(frames_.owners().of(joint.i.id) == carrier)) {
      error(argument_span(gear, "CV"), owner,
            fmt::format("{} is on {}, which {} does not touch",
                        label(model_, kind_of<model::Marker>(), gear.cv.id),
                        label(model_, carrier.kind, carrier.id), name(joint)),
            "CV and the J markers of both joints belong on the carrier");
      return;
    }
    elements::GearSide& side = sides[k];
    side.i = *i;
    side.j = *j;
    side.wheel = carrier_is_j ? *i : *j;
    side.carrier = carrier_is_j ? *j : *i;
    side.travels = joint.type != model::Joint::Type::revolute;
    const bool turns = joint.type != model::Joint::Type::translational;
    if (turns) side.memory = turns_place(MeasureKind::az, joint.i.id, joint.j.id, From::drawn);
    const Frame X_C = frames_.marker(carrier_is_j ? joint.j.id : joint.i.id);
    side.r = X_C.R.transpose() * (X_CV.p - X_C.p);
    side.z = X_C.R.transpose() * X_CV.R.col(2);
    constexpr double kNone = 1e-6;  // of an angle: z of CV stands across the motion
    const double turn = turns ? elements::gear_turn_ratio(side) : 0.0;
    if (std::abs(turn) > kNone * side.r.norm() || std::abs(elements::gear_travel_ratio(side)) > kNone)
      continue;
    error(argument_span(gear, "CV"), owner,
          fmt::format("{} does not move the pitch point along z of {}", name(joint),
                      label(model_, kind_of<model::Marker>(), gear.cv.id)),
          "put CV where the pitch circles touch, with z along the common velocity of the teeth");
    return;
  }
  add_row(elements::make_gear(sides, *cv, owner, system_->layout_, system_->markers_), kind_of<model::Gear>(),
          gear.id, owner, sides[0].i, sides[0].j);
}

void Compiler::gcon(const model::Gcon& gcon) {
  const core::Words owner = name(gcon);
  const core::Span span = argument_span(gcon, "FUNCTION");
  const auto compiled = program(gcon.function, owner, span);
  if (!compiled) return;
  for (const expr::Input& input : compiled->inputs()) {
    const auto kind = elements::measure_kind(input.function->name);
    const bool force =
        input.kind == expr::InputKind::element_force || input.kind == expr::InputKind::generic_force;
    if (!force && !(kind && elements::measure_level(*kind) == assembly::Level::a)) continue;
    error(span, owner, fmt::format("{} cannot be used in a constraint", input.name()),
          "a GCON may use TIME, displacements, velocities, states and variables");
    return;
  }
  auto inputs = signals(*compiled, owner, span);
  if (!inputs) return;
  std::optional<MarkerId> first_i, first_j;
  for (const elements::Signal& input : *inputs) {
    if (input.kind != elements::Signal::Kind::measure || first_i) continue;
    first_i = input.measure.i.marker;
    first_j = input.measure.j.marker;
  }
  if (!first_i) {
    error(span, owner, "the function contains no displacement, velocity or state, so it constrains nothing");
    return;
  }
  system_->elements_->gcons.push_back(
      elements::make_gcon(*compiled, std::move(*inputs), owner, system_->layout_));
  if (gcon.i.given()) {
    if (const auto i = marker(gcon.i.ids.front(), owner, gcon.span)) {
      if (system_->markers_[*i].body == system_->markers_[*first_j].body) first_j = first_i;
      first_i = i;
    }
  }
  system_->constraints_.push_back({kind_of<model::Gcon>(), gcon.id, owner, Constraint::Element::gcon,
                                   system_->elements_->gcons.size() - 1, *first_i, *first_j});
}

bool Compiler::lost_curve(const model::Ref<model::Curve>& ref) const { return lost_curves_.contains(ref.id); }

void Compiler::ptcv(const model::Ptcv& ptcv) {
  const core::Words owner = name(ptcv);
  const auto i = marker(ptcv.i.id, owner, argument_span(ptcv, "I"));
  const auto rm = marker(ptcv.rm.id, owner, argument_span(ptcv, "RM"));
  if (lost_curve(ptcv.curve)) {
    cannot_act(ptcv,
               fmt::format("no user code for {}: {}", label(model_, kind_of<model::Curve>(), ptcv.curve.id),
                           lost_curves_.at(ptcv.curve.id)));
    return;
  }
  const math::Curve* c = curve(ptcv.curve.id, owner, argument_span(ptcv, "CURVE"));
  if (!i || !rm || !c) return;
  system_->elements_->ptcvs.push_back(
      elements::make_ptcv(*i, *c, *rm, owner, system_->layout_, system_->markers_));
  const Frame X_RM = frames_.marker(ptcv.rm.id);
  start_on_curve({system_->elements_->ptcvs.back().j.parameter, *c, X_RM},
                 (X_RM.inverse() * frames_.marker(ptcv.i.id)).p, ptcv.disp, ptcv.icm, ptcv.vel, "VEL");
  system_->constraints_.push_back({kind_of<model::Ptcv>(), ptcv.id, owner, Constraint::Element::ptcv,
                                   system_->elements_->ptcvs.size() - 1, *i, *rm});
}

// Where on a curve a contact begins: at the point given, which is kept, or nearest to `other`, both in the frame of the curve; and how
// fast it runs along.
double Compiler::start_on_curve(const CurveStart& on, const math::Vec3& other,
                                const std::vector<double>& point, const model::Ref<model::Marker>& frame,
                                const std::optional<double>& speed, const char* speed_word) {
  const double alpha = elements::nearest_parameter(on.curve, place_on_curve(on.X_RM, other, point, frame));
  parameters_.emplace_back(on.parameter, alpha);
  math::Vec3 tangent;
  for (int c = 0; c < 3; ++c) tangent[c] = on.curve.derivatives(alpha, c)[1];
  Weight along;
  along.offset = system_->layout_.block(on.parameter).offset;
  along.size = 1;
  along.c[0] = tangent.norm();
  along.word = speed_word;
  if (point.size() == 3) system_->exact_coordinates_.push_back(along);
  if (!speed) return alpha;
  speeds_.emplace_back(on.parameter, Eigen::VectorXd::Constant(1, *speed / tangent.norm()));
  system_->exact_velocities_.push_back(along);
  return alpha;
}

math::Vec3 Compiler::place_on_curve(const Frame& X_RM, const math::Vec3& other,
                                    const std::vector<double>& point,
                                    const model::Ref<model::Marker>& frame) {
  if (point.size() != 3) return other;
  const math::Vec3 p(point[0], point[1], point[2]);
  if (!frame.given()) return p;
  const Frame X = X_RM.inverse() * frames_.marker(frame.id);
  return X.p + X.R * p;
}

void Compiler::cvcv(const model::Cvcv& cvcv) {
  const core::Words owner = name(cvcv);
  const auto irm = marker(cvcv.irm.id, owner, cvcv.span);
  const auto jrm = marker(cvcv.jrm.id, owner, cvcv.span);
  for (const auto& side : {cvcv.icurve, cvcv.jcurve}) {
    if (!lost_curve(side)) continue;
    cannot_act(cvcv, fmt::format("no user code for {}: {}", label(model_, kind_of<model::Curve>(), side.id),
                                 lost_curves_.at(side.id)));
    return;
  }
  const math::Curve* ic = curve(cvcv.icurve.id, owner, argument_span(cvcv, "ICURVE"));
  const math::Curve* jc = curve(cvcv.jcurve.id, owner, argument_span(cvcv, "JCURVE"));
  if (!irm || !jrm || !ic || !jc) return;
  // Start parameters: from IDISP and JDISP, or where each curve comes nearest to the other's origin.
  const Frame X_I = frames_.marker(cvcv.irm.id), X_J = frames_.marker(cvcv.jrm.id);
  const math::Vec3 other_I = (X_I.inverse() * X_J).p, other_J = (X_J.inverse() * X_I).p;
  const double alpha = elements::nearest_parameter(*ic, place_on_curve(X_I, other_I, cvcv.idisp, cvcv.iicm));
  const double beta = elements::nearest_parameter(*jc, place_on_curve(X_J, other_J, cvcv.jdisp, cvcv.jicm));
  system_->elements_->cvcvs.push_back(elements::make_cvcv(
      *ic, *irm, alpha, *jc, *jrm, beta, math::Vec3::UnitZ(), owner, system_->layout_, system_->markers_));
  const elements::Cvcv& made = system_->elements_->cvcvs.back();
  start_on_curve({made.i.parameter, *ic, X_I}, other_I, cvcv.idisp, cvcv.iicm, cvcv.ivel, "IVEL");
  start_on_curve({made.j.parameter, *jc, X_J}, other_J, cvcv.jdisp, cvcv.jicm, cvcv.jvel, "JVEL");
  system_->constraints_.push_back({kind_of<model::Cvcv>(), cvcv.id, owner, Constraint::Element::cvcv,
                                   system_->elements_->cvcvs.size() - 1, *irm, *jrm});
}

}  // namespace trunnion::system
