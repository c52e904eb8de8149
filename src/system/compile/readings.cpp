#include <fmt/format.h>

#include "system/compile/compiler.hpp"

namespace trunnion::system {

using elements::ReadingSource;
using elements::Signal;
using model::kind_of;

Signal Compiler::reading_signal(const expr::Input& input, const core::Words& owner, core::Span span) {
  const auto [found, fresh] = readings_.try_emplace(input.name());
  if (fresh) {
    Read& read = found->second;
    read.input = input;
    read.owner = owner;
    read.span = span;
    read.block = system_->layout_.add_scalars(assembly::Dynamics::algebraic,
                                              core::Words("reading " + input.name(), owner.subject()),
                                              {{"value", "force or torque"}});
    scalars_.push_back({read.block, Eigen::VectorXd::Zero(1), {}});
  }
  return Signal::of_state(found->second.block, 0);
}

ReadingSource Compiler::source_of(const System::Acting& acting) const {
  ReadingSource source;
  source.on_j = acting.on_j;
  if (acting.force) {
    source.element = &system_->elements_->loads[acting.force->load];
    source.on = acting.on_j ? acting.force->j : acting.force->i;
    return source;
  }
  const Constraint& c = *acting.constraint;
  source.on = acting.on_j ? c.j : c.i;
  switch (c.element) {
    case Constraint::Element::joint: source.element = &system_->elements_->joints[c.index]; break;
    case Constraint::Element::measure_row: source.element = &system_->elements_->measure_rows[c.index]; break;
    case Constraint::Element::gcon: source.element = &system_->elements_->gcons[c.index]; break;
    case Constraint::Element::ptcv: source.element = &system_->elements_->ptcvs[c.index]; break;
    case Constraint::Element::cvcv: source.element = &system_->elements_->cvcvs[c.index]; break;
  }
  return source;
}

// An element that is switched off, or failed with a message of its own, gives nothing.
void Compiler::no_sources(const Read& read, model::Kind kind) {
  if (kind == kind_of<model::Contact>() && idle_.contains({kind.index, read.input.ids[0]}))
    contact_reads_.push_back(read.owner);
  if (inactive_.contains({kind.index, read.input.ids[0]})) return;
  const bool known = kind.index != model::Kind::kNone && model::schema_of(kind).acted_on;
  if (!known) {
    error(read.span, read.owner,
          fmt::format("{} cannot be computed: {} is not acted on yet", read.input.name(),
                      read.input.function->statement));
  } else if (!diagnostics_.has_errors()) {  // otherwise the element has said why it is not there
    error(read.span, read.owner, fmt::format("{} reads a force that is not there", read.input.name()));
  }
}

void Compiler::readings() {
  for (const auto& [text, read] : readings_) {
    const ForceRead force = force_read(read.input, model_, *system_);
    const bool generic = read.input.kind == expr::InputKind::generic_force;
    std::vector<ReadingSource> sources;
    for (const System::Acting& acting : force.acting) sources.push_back(source_of(acting));
    if (sources.empty() && !generic) no_sources(read, force.kind);
    constexpr int kComponents = 8;
    if (force.component > kComponents) {
      error(read.span, read.owner, fmt::format("{}: components are 1 to 8", read.input.name()));
      continue;
    }
    const auto rm = marker_or_ground(force.rm, read.owner, read.span);
    if (!rm) continue;
    elements::Reading reading = elements::make_reading(read.block, sources, force.component, *rm,
                                                       system_->layout_, system_->markers_);
    reading.scale = 1.0 / system_->units_.ucf;
    system_->elements_->readings.push_back(std::move(reading));
  }
  // Zero, as if nothing touched; said, so that nobody takes it for a result.
  std::set<core::Subject> said;
  for (const core::Words& owner : contact_reads_) {
    if (said.insert(owner.subject()).second)
      system_->idle_.push_back({owner, "CONTACT that is left out reads as 0 in"});
  }
}

int Compiler::sensor_place(int id) {
  const auto [place, fresh] = counted_.try_emplace(fmt::format("SENVAL({})", id), 0);
  if (fresh) system_->sensor_values_[id] = place->second = memory(0, place->first);
  return place->second;
}

}  // namespace trunnion::system
