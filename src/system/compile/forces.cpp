#include <algorithm>

#include <fmt/format.h>

#include "elements/corotation.hpp"
#include "system/compile/compiler.hpp"

namespace trunnion::system {

using assembly::MarkerId;
using elements::Load;
using elements::MeasureKind;
using elements::Signal;
using model::kind_of;

void Compiler::forces() {
  const auto each = [&](const auto& table, auto method) {
    for (const auto& statement : table) {
      if (active(statement)) (this->*method)(statement);
    }
  };
  each(model_.all<model::Sforce>(), &Compiler::sforce);
  each(model_.all<model::Vforce>(), &Compiler::vforce);
  each(model_.all<model::Vtorque>(), &Compiler::vtorque);
  each(model_.all<model::Gforce>(), &Compiler::gforce);
  each(model_.all<model::SpringDamper>(), &Compiler::spring_damper);
  each(model_.all<model::Bushing>(), &Compiler::bushing);
  each(model_.all<model::Field>(), &Compiler::field);
  each(model_.all<model::Beam>(), &Compiler::beam);
  each(model_.all<model::Nforce>(), &Compiler::nforce);
  each(model_.all<model::Mforce>(), &Compiler::mforce);
  each(model_.all<model::FlexBody>(), &Compiler::changing_damping);
  each(model_.all<model::FeLoad>(), &Compiler::fe_load);
  each(model_.all<model::Friction>(), &Compiler::friction);
  each(model_.all<model::Contact>(), &Compiler::contact);
  each(model_.all<model::Joint>(), &Compiler::joint_friction);
}

void Compiler::add_load(Load load, Force force, const std::string& suffix) {
  // What a statement calls a force is in the model's own unit.
  load.response.scale = system_->units_.ucf;
  elements::seal(load);
  if (force.channel.empty())
    force.channel = fmt::format("{}/{}{}", model::schema_of(force.kind).keyword, force.id, suffix);
  force.load = system_->elements_->loads.size();
  system_->elements_->loads.push_back(std::move(load));
  system_->forces_.push_back(std::move(force));
}

template <class T> std::optional<Compiler::Sides> Compiler::sides(const T& statement) {
  const core::Words owner = name(statement);
  const auto i = marker(statement.i.id, owner, argument_span(statement, "I"));
  const auto j = marker(statement.j.id, owner, argument_span(statement, "J"));
  if (!i || !j) return std::nullopt;
  return Sides{*i, *j};
}

std::optional<MarkerId> Compiler::floating(int id, const core::Words& owner, core::Span span) {
  const Owner body = frames_.owners().of(id);
  const auto block = blocks_.find({body.kind.index, body.id});
  if (body.kind == kind_of<model::FePart>()) {
    error(span, owner,
          fmt::format("{} floats on {}, where the reaction would act between nodes",
                      label(model_, kind_of<model::Marker>(), id), label(model_, body.kind, body.id)),
          "the beam as I and the other body as JFLOAT's");
    return std::nullopt;
  }
  if (block == blocks_.end()) {
    if (body.known()) rests_on(body, id, owner, span);
    else error(span, owner, fmt::format("{} is on no body", label(model_, kind_of<model::Marker>(), id)));
    return std::nullopt;
  }
  if (!block->second.valid()) return assembly::MarkerTable::kGroundMarker;
  if (body.kind == kind_of<model::FlexBody>()) {
    error(span, owner,
          fmt::format("{} floats on {}: a reaction that wanders over a flexible body has no node to act on",
                      label(model_, kind_of<model::Marker>(), id), label(model_, body.kind, body.id)),
          "put I on the flexible body and JFLOAT on the other one");
    return std::nullopt;
  }
  return frame_of(block->second);
}

MarkerId Compiler::frame_of(assembly::BlockId block) {
  const auto [frame, fresh] = body_frames_.try_emplace(block.index);
  if (fresh) frame->second = system_->markers_.add({block, math::Vec3::Zero(), math::Mat3::Identity()});
  return frame->second;
}

void Compiler::sforce(const model::Sforce& f) {
  const core::Words owner = name(f);
  const core::Span span = argument_span(f, "FUNCTION");
  const auto at = sides(f);
  const UserCall* call = user_call(f);
  const auto compiled = call ? nullptr : program(f.function, owner, span);
  if (!at || (!call && !compiled)) return;
  auto inputs = compiled ? signals(*compiled, owner, span) : std::nullopt;
  if (!call && !inputs) return;
  const bool turn = f.type == model::Freedom::rotation;
  const auto make = [&] {
    const assembly::Layout& layout = system_->layout_;
    const assembly::MarkerTable& markers = system_->markers_;
    if (!turn && !f.actiononly) return elements::make_line_load(at->i, at->j, layout, markers);
    const MarkerId reaction = f.actiononly ? assembly::MarkerTable::kGroundMarker : at->j;
    return elements::make_load(at->i, reaction, at->j, {turn ? 5 : 2}, layout, markers);
  };
  Load load = make();
  load.reaction = !f.actiononly;
  if (call) {
    if (!user_response(*call, {owner, span, f.id}, {0, 1, 1}, load.response, load.columns)) return;
  } else {
    load.response.add(*compiled, std::move(*inputs), 0, system_->layout_, load.columns);
  }
  add_load(std::move(load), f, at->i, at->j);
}

template <class T> void Compiler::vector_force(const T& f, const std::vector<Component>& components) {
  const core::Words owner = name(f);
  const auto i = marker(f.i.id, owner, argument_span(f, "I"));
  const auto j = floating(f.jfloat.id, owner, argument_span(f, "JFLOAT"));
  const auto rm = marker(f.rm.id, owner, argument_span(f, "RM"));
  struct Part {
    std::shared_ptr<const expr::Program> program;
    std::vector<Signal> inputs;
    int first;
  };
  std::vector<Part> parts;
  std::vector<int> axes;
  bool good = i && j && rm;
  for (const Component& c : components) {
    if (!c.expression->given()) continue;
    const core::Span span = c.expression->span.known() ? c.expression->span : f.span;
    auto compiled = program(*c.expression, owner, span);
    if (compiled && compiled->output_count() != c.outputs) {
      error(span, owner,
            fmt::format("the function needs {} components, the expression has {}", c.outputs,
                        compiled->output_count()));
      compiled = nullptr;
    }
    if (compiled && compiled->constant() == 0.0) continue;
    auto inputs = compiled ? signals(*compiled, owner, span) : std::nullopt;
    good = good && inputs;
    if (!inputs) continue;
    parts.push_back({compiled, std::move(*inputs), static_cast<int>(axes.size())});
    for (int k = 0; k < c.outputs; ++k) axes.push_back(c.axis + k);
  }
  if (!good) return;
  const UserCall* call = user_call(f);
  // A routine gives all components there are: three forces, three torques, or both.
  const auto scalars = [](const Component& c) { return c.outputs == 1; };
  const int results = static_cast<int>(std::count_if(components.begin(), components.end(), scalars));
  for (int k = 0; call && k < results; ++k) axes.push_back(components.front().axis + k);
  Load load = elements::make_load(*i, *j, *rm, std::move(axes), system_->layout_, system_->markers_);
  load.j_floats = true;
  if (call && !user_response(*call, {owner, argument_span(f, "FUNCTION"), f.id}, {0, results, results},
                             load.response, load.columns))
    return;
  for (Part& part : parts)
    load.response.add(*part.program, std::move(part.inputs), part.first, system_->layout_, load.columns);
  add_load(std::move(load), f, *i, *j, f.jfloat.id);
}

void Compiler::vforce(const model::Vforce& f) {
  vector_force(f, {{0, &f.fx}, {1, &f.fy}, {2, &f.fz}, {0, &f.fxyz, 3}});
}

void Compiler::vtorque(const model::Vtorque& f) {
  vector_force(f, {{3, &f.tx}, {4, &f.ty}, {5, &f.tz}, {3, &f.txyz, 3}});
}

void Compiler::gforce(const model::Gforce& f) {
  vector_force(f, {{0, &f.fx},
                   {1, &f.fy},
                   {2, &f.fz},
                   {3, &f.tx},
                   {4, &f.ty},
                   {5, &f.tz},
                   {0, &f.fxyz, 3},
                   {3, &f.txyz, 3}});
}

void Compiler::spring_damper(const model::SpringDamper& s) {
  const auto at = sides(s);
  if (!at) return;
  const assembly::Layout& layout = system_->layout_;
  const assembly::MarkerTable& markers = system_->markers_;
  const bool turn = s.type == model::Freedom::rotation;
  const auto one = [](const std::optional<double>& x) {
    return Eigen::MatrixXd::Constant(1, 1, x.value_or(0));
  };
  Load load = turn ? elements::make_load(at->i, at->j, at->j, {5}, layout, markers)
                   : elements::make_line_load(at->i, at->j, layout, markers);
  // ANGLE is where the spring pulls with TORQUE, not where turns are counted from: ANGLE = 720D has it wound up two turns.
  elements::Measure x = turn ? measure(MeasureKind::az, s.i.id, s.j.id)
                             : elements::make_measure(MeasureKind::dm, 0, {at->i, at->j}, layout, markers);
  elements::Measure rate = elements::make_measure(turn ? MeasureKind::wz : MeasureKind::vr, 0,
                                                  {at->i, at->j, at->j, at->j}, layout, markers);
  elements::set_linear(load, {Signal::of(std::move(x))}, {Signal::of(std::move(rate))},
                       one(turn ? s.kt : s.k), one(turn ? s.ct : s.c), one(turn ? s.angle : s.length).col(0),
                       one(turn ? s.torque : s.force).col(0), layout);
  add_load(std::move(load), s, at->i, at->j);
}

// Only components with any stiffness, damping or preload are carried along.
template <class T> void Compiler::linear_force(const T& f, const LinearLaw& law) {
  const auto at = sides(f);
  if (!at) return;
  std::vector<int> used;
  for (int k = 0; k < 6; ++k) {
    const bool any = !law.K.row(k).isZero(0) || !law.K.col(k).isZero(0) || !law.C.row(k).isZero(0) ||
                     !law.C.col(k).isZero(0) || law.preload[k] != 0.0;
    if (any || law.law) used.push_back(k);
  }
  const assembly::Layout& layout = system_->layout_;
  const assembly::MarkerTable& markers = system_->markers_;
  const bool damped = !law.C.isZero(0);
  const std::vector<Signal> all = displacements(f.i.id, f.j.id),
                            rates = elements::velocities(at->i, at->j, layout, markers);
  const auto pick = [&](const std::vector<Signal>& from) {
    std::vector<Signal> picked;
    for (const int k : used) picked.push_back(from[static_cast<std::size_t>(k)]);
    return picked;
  };
  Load load = elements::make_load(at->i, at->j, at->j, used, layout, markers);
  const Eigen::MatrixXd C = damped ? Eigen::MatrixXd(law.C(used, used))
                                   : Eigen::MatrixXd(static_cast<Eigen::Index>(used.size()), 0);
  elements::set_linear(load, pick(all), damped ? pick(rates) : std::vector<Signal>{}, law.K(used, used), C,
                       law.free(used), law.preload(used), layout);
  if (law.law) {
    load.response.law = law.law;
    load.spring.reset();
  }
  add_load(std::move(load), f, at->i, at->j);
}

template <class T> void Compiler::large_rotation(const T& f, elements::Corotation law) {
  const auto at = sides(f);
  if (!at) return;
  const assembly::Layout& layout = system_->layout_;
  const assembly::MarkerTable& markers = system_->markers_;
  Load load = elements::make_load(at->i, at->j, at->j, {0, 1, 2, 3, 4, 5}, layout, markers);
  const int first = memory(0, fmt::format("{} turn 0", name(f)));
  for (int k = 1; k < elements::Corotation::kKept; ++k) memory(0, fmt::format("{} turn {}", name(f), k));
  law.remember(first);
  law.tell(name(f), system_->troubles_);
  for (Signal& signal : elements::corotation_signals(at->i, at->j, first, law.damped(), layout, markers))
    load.response.signals.add(std::move(signal), layout, load.columns);
  load.response.law = std::make_shared<elements::Corotation>(std::move(law));
  load.passive = true;
  add_load(std::move(load), f, at->i, at->j);
}

void Compiler::bushing(const model::Bushing& b) {
  LinearLaw law;
  const auto put = [](const std::vector<double>& values, int first, auto entry) {
    for (std::size_t k = 0; k < std::min<std::size_t>(3, values.size()); ++k)
      entry(first + static_cast<int>(k)) = values[k];
  };
  const auto K = [&](int k) -> double& { return law.K(k, k); };
  const auto C = [&](int k) -> double& { return law.C(k, k); };
  const auto F = [&](int k) -> double& { return law.preload[k]; };
  put(b.k, 0, K);
  put(b.kt, 3, K);
  put(b.c, 0, C);
  put(b.ct, 3, C);
  put(b.force, 0, F);
  put(b.torque, 3, F);
  linear_force(b, law);
}

void Compiler::field(const model::Field& f) {
  if (const UserCall* call = user_call(f)) {
    const auto at = sides(f);
    if (!at) return;
    Load load =
        elements::make_load(at->i, at->j, at->j, {0, 1, 2, 3, 4, 5}, system_->layout_, system_->markers_);
    if (user_response(*call, {name(f), argument_span(f, "FUNCTION"), f.id}, {0, 6, 6}, load.response,
                      load.columns))
      add_load(std::move(load), f, at->i, at->j);
    return;
  }
  LinearLaw law;
  // By columns, as Eigen stores them.
  if (f.kmatrix.size() == 36) law.K = Eigen::Map<const Eigen::MatrixXd>(f.kmatrix.data(), 6, 6);
  if (f.cmatrix.size() == 36) law.C = Eigen::Map<const Eigen::MatrixXd>(f.cmatrix.data(), 6, 6);
  else law.C = f.cratio.value_or(0) * law.K;
  if (f.length.size() == 6) law.free = Eigen::Map<const Eigen::VectorXd>(f.length.data(), 6);
  if (f.force.size() == 6) law.preload = Eigen::Map<const Eigen::VectorXd>(f.force.data(), 6);
  if (f.formulation != model::Field::Formulation::nonlinear) return linear_force(f, law);
  elements::StrainEnergy energy;
  energy.K = law.K;
  energy.preload = law.preload;
  large_rotation(f, elements::Corotation::field(energy, law.C, law.free.head<3>(), law.free.tail<3>()));
}

void Compiler::beam(const model::Beam& b) {
  using F = model::Beam::Formulation;
  const F formulation = b.formulation.value_or(F::linear);
  elements::BeamSection section;
  section.length = b.length.value_or(0);
  section.area = b.area.value_or(0);
  section.ixx = b.ixx.value_or(0);
  section.iyy = b.iyy.value_or(0);
  section.izz = b.izz.value_or(0);
  section.asy = b.asy.value_or(0);
  section.asz = b.asz.value_or(0);
  section.emodulus = b.emodulus.value_or(0);
  section.gmodulus = b.gmodulus.value_or(0);
  if (formulation == F::nonlinear && (section.asy != 0.0 || section.asz != 0.0)) {
    diagnostics_.warning(b.span, name(b), "FORMULATION=NONLINEAR knows no shear: ASY and ASZ have no effect");
    section.asy = section.asz = 0.0;
  }
  LinearLaw law;
  law.K = elements::beam_stiffness(section);
  law.C = b.cratio.value_or(0) * law.K;
  if (b.cmatrix.size() == 21) law.C = elements::symmetric_from_half(b.cmatrix);
  if (formulation == F::nonlinear) {
    large_rotation(b, elements::Corotation::beam(elements::stretched_beam(section, true), law.C));
    return;
  }
  law.free[0] = section.length;
  if (formulation == F::string) {
    law.law = std::make_shared<elements::StringBeam>(section);
    law.K.setZero();
  }
  linear_force(b, law);
}

// One load per marker, each reading the displacements of all: {F, T} = −K ({x …} − LENGTH) − C {v …} + FORCE, 6n long, in J axes.
void Compiler::nforce(const model::Nforce& f) {
  const core::Words owner = name(f);
  const auto j = marker(f.j.id, owner, argument_span(f, "J"));
  std::vector<MarkerId> at;
  for (const int id : f.imarkers.ids) {
    if (const auto i = marker(id, owner, argument_span(f, "IMARKERS"))) at.push_back(*i);
  }
  if (!j || at.size() != f.imarkers.ids.size()) return;
  const auto n = static_cast<Eigen::Index>(6 * at.size());
  bool good = true;
  const auto read = [&](const char* argument, const model::Ref<model::Matrix>& ref, Eigen::Index columns) {
    Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(n, columns);
    if (!ref.given()) return zero;
    const auto M = matrix(ref.id, owner, argument_span(f, argument), n, columns);
    if (M && M->rows() == n && M->cols() == columns) return *M;
    good = false;
    if (M)
      error(argument_span(f, argument), owner,
            fmt::format("{} is {} by {}; {} markers need {} by {}", argument, M->rows(), M->cols(), at.size(),
                        n, columns));
    return zero;
  };
  const Eigen::MatrixXd K = read("KMATRIX", f.kmatrix, n);
  const Eigen::MatrixXd C =
      f.cmatrix.given() ? read("CMATRIX", f.cmatrix, n) : Eigen::MatrixXd(f.cratio.value_or(0) * K);
  const Eigen::VectorXd free = read("LENGTH", f.length, 1), preload = read("FORCE", f.force, 1);
  if (!good) return;
  std::vector<Signal> x, rates;
  for (std::size_t k = 0; k < at.size(); ++k) {
    for (Signal& s : displacements(f.imarkers.ids[k], f.j.id)) x.push_back(std::move(s));
    for (Signal& s : elements::velocities(at[k], *j, system_->layout_, system_->markers_))
      rates.push_back(std::move(s));
  }
  for (std::size_t k = 0; k < at.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(6 * k);
    Load load = elements::make_load(at[k], *j, *j, {0, 1, 2, 3, 4, 5}, system_->layout_, system_->markers_);
    elements::set_linear(load, x, rates, K.middleRows(row, 6), C.middleRows(row, 6), free,
                         preload.segment(row, 6), system_->layout_);
    // The energy belongs to all of them: the first holds it.
    load.spring.reset();
    if (k == 0) load.spring = elements::Spring{K, free, preload};
    add_load(std::move(load), f, at[k], *j, 0, fmt::format(".{}", f.imarkers.ids[k]));
  }
}

}  // namespace trunnion::system
