// Which expressions have no finite value, and why.

#include <fmt/format.h>

#include "system/elements.hpp"
#include "system/system.hpp"

namespace trunnion::system {

namespace {

using Kind = expr::Trouble::Kind;

// Causes: the worst kind of trouble there is, each owner once.
class Causes {
 public:
  Causes(double t, System::Asked asked) : t_(t), slopes_(asked == System::Asked::slopes_too) {}
  void add(const core::Words& owner, const expr::Trouble& trouble) {
    if (trouble.kind == Kind::none || (trouble.kind == Kind::derivative && !slopes_)) return;
    if (kind_ != Kind::none && trouble.kind > kind_) return;
    if (trouble.kind != kind_) lines_.clear();
    kind_ = trouble.kind;
    core::Words line = core::words("{} at t = {:.9g}: {}", owner, t_, trouble.text);
    if (lines_.empty() || lines_.back() != line) lines_.push_back(std::move(line));
  }
  std::vector<core::Words> take() { return std::move(lines_); }

 private:
  double t_;
  bool slopes_;
  Kind kind_ = Kind::none;
  std::vector<core::Words> lines_;
};

std::vector<double> values(const elements::Gcon& gcon, const assembly::Evaluation& at) {
  std::vector<double> in;
  for (const auto& item : gcon.items) {
    const assembly::Scratch::Frame frame(at.scratch);
    in.push_back(elements::value(item.input, at));
  }
  return in;
}

}  // namespace

std::vector<core::Words> System::not_finite(const assembly::State& state, Workspace& work,
                                            Asked asked) const {
  update(state, work);
  const assembly::Evaluation at = this->at(state, work);
  Causes causes(state.t, asked);
  for (const Force& force : forces_) {
    const elements::Load& load = elements_->loads[force.load];
    causes.add(force.label, elements::trouble(load.response, at, load.columns.size()));
  }
  for (const elements::ModalLoad& load : elements_->modal_loads)
    causes.add(load.owner, elements::trouble(load.response, at, load.columns.size()));
  for (const elements::Equation& equation : elements_->equations)
    causes.add(layout_.block(equation.block).owner,
               elements::trouble(equation.response, at, equation.columns.size()));
  for (const elements::Gcon& gcon : elements_->gcons)
    causes.add(layout_.row(gcon.row).owner, gcon.program->trouble(values(gcon, at)));
  for (const elements::MeasureRow& row : elements_->measure_rows) {
    if (row.drive < 0) continue;
    const Drive& drive = drives_[static_cast<std::size_t>(row.drive)];
    const TimeFunction& function = functions_[static_cast<std::size_t>(drive.function)];
    if (!function.program) continue;
    std::vector<double> in;
    for (const int input : function.inputs)
      in.push_back(input == TimeFunction::kTime   ? state.t
                   : input == TimeFunction::kMode ? assembly::number(work.mode)
                                                  : work.functions[static_cast<std::size_t>(input)].value);
    causes.add(layout_.row(row.row).owner, function.program->trouble(in));
  }
  return causes.take();
}

core::Words System::not_finite(const Sensor& sensor, const assembly::State& state, Workspace& work) const {
  update(state, work);
  const assembly::Evaluation at = this->at(state, work);
  Causes causes(state.t, Asked::values);
  causes.add(sensor.label, elements::trouble(sensor.function, at, sensor.columns));
  if (sensor.evaluate.outputs > 0)
    causes.add(sensor.label, elements::trouble(sensor.evaluate, at, sensor.columns));
  const std::vector<core::Words> lines = causes.take();
  return lines.empty() ? sensor.label + ": not a number" : lines.front();
}

}  // namespace trunnion::system
