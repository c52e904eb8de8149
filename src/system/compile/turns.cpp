// Angles counted over full turns. The count belongs to the pair of markers: it goes on while the statements that read it are inactive.

#include <cmath>

#include "elements/load.hpp"
#include "expr/program.hpp"
#include "system/compile/compiler.hpp"

namespace trunnion::system {

using elements::MeasureKind;
using elements::Signal;
using model::kind_of;

int Compiler::turns_place(MeasureKind kind, int i, int j, From from) {
  std::string key = turns_key(kind, i, j);
  if (from == From::drawn) key += " from the drawn place";
  const auto [place, fresh] = counted_.try_emplace(key, 0);
  if (fresh) place->second = counted(0, key);
  return place->second;
}

void Compiler::give_turns(const elements::Measure& measure, double angle) {
  if (measure.memory >= 0 && std::isfinite(angle)) memory_[static_cast<std::size_t>(measure.memory)] = angle;
}

std::vector<Signal> Compiler::displacements(int i, int j) {
  std::vector<Signal> all;
  for (const MeasureKind kind :
       {MeasureKind::dx, MeasureKind::dy, MeasureKind::dz, MeasureKind::ax, MeasureKind::ay, MeasureKind::az})
    all.push_back(Signal::of(measure(kind, i, j)));
  return all;
}

int Compiler::counted(double angle, const std::string& key) {
  const int first = memory(angle, key);
  memory(0, key + " rate");
  memory(time_, key + " time");
  return first;
}

void Compiler::keep_counting(MeasureKind kind, int i, int j, From from) {
  if (system_->find_marker(i) && system_->find_marker(j)) kept_counting_.push_back(measure(kind, i, j, from));
}

// What is wrong with the expression is said where it is compiled.
void Compiler::keep_counting(const model::Expression& expression) {
  const auto compiled = expr::compile(expression.text);
  if (!compiled.program) return;
  for (const expr::Input& input : compiled.program->inputs()) {
    if (input.kind != expr::InputKind::measure) continue;
    const auto kind = elements::measure_kind(input.function->name);
    if (kind && counts_turns(*kind)) keep_counting(*kind, input.ids[0], input.ids[1], From::given);
  }
}

// A REQUEST's angles are counted step by step like those of forces: from row to row a part may turn too far to tell.
void Compiler::keep_counting_expressions() {
  for (const model::Model::Entry entry : model_.order) {
    const model::Statement& statement = model_.at(entry);
    const bool acts = !inactive_.contains({entry.kind.index, statement.id});
    if (acts && entry.kind != kind_of<model::Request>()) continue;
    for (const model::Argument& argument : model::schema_of(entry.kind).arguments) {
      if (argument.kind != model::ValueKind::expression || !model::is_given(argument, statement)) continue;
      keep_counting(model::field<model::Expression>(argument, statement));
    }
  }
}

void Compiler::keep_counting_pairs() {
  const auto inactive = [&](const auto& table, auto count) {
    for (const auto& statement : table) {
      if (!active(statement)) count(statement);
    }
  };
  const auto angles = [&](int i, int j) {
    for (const MeasureKind kind : {MeasureKind::ax, MeasureKind::ay, MeasureKind::az})
      keep_counting(kind, i, j, From::given);
  };
  const auto of_pair = [&](const auto& f) { angles(f.i.id, f.j.id); };
  const auto of_joints = [&](const auto& f) {
    for (const int id : f.joints.ids) {
      if (const auto* joint = model_.find<model::Joint>(id))
        keep_counting(MeasureKind::az, joint->i.id, joint->j.id, From::drawn);
    }
  };
  inactive(model_.all<model::SpringDamper>(), of_pair);
  inactive(model_.all<model::Bushing>(), of_pair);
  inactive(model_.all<model::Field>(), of_pair);
  inactive(model_.all<model::Beam>(), of_pair);
  inactive(model_.all<model::Nforce>(), [&](const model::Nforce& f) {
    for (const int i : f.imarkers.ids) angles(i, f.j.id);
  });
  inactive(model_.all<model::Coupler>(), of_joints);
  inactive(model_.all<model::Gear>(), of_joints);
  inactive(model_.all<model::Joint>(), [&](const model::Joint& joint) {
    const bool rack = joint.type == model::Joint::Type::rackpin;
    if (rack || joint.type == model::Joint::Type::screw)
      keep_counting(rack ? MeasureKind::rack : MeasureKind::az, joint.i.id, joint.j.id, From::drawn);
  });
}

}  // namespace trunnion::system
