#include <array>

#include <fmt/format.h>

#include "model/validate.hpp"
#include "system/compile/compiler.hpp"

namespace trunnion::system {

using elements::ReadingSource;
using elements::Signal;
using model::kind_of;

namespace {

// FX(i, j, k) and the like as one of the eight components.
int component_of(std::string_view function) {
  constexpr std::array<std::string_view, 8> names{"FM", "FX", "FY", "FZ", "TM", "TX", "TY", "TZ"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == function) return static_cast<int>(k) + 1;
  }
  return 1;
}

}  // namespace

Signal Compiler::reading_signal(const expr::Input& input, const std::string& owner, core::Span span) {
  const auto [found, fresh] = readings_.try_emplace(input.name());
  if (fresh) {
    Read& read = found->second;
    read.input = input;
    read.owner = owner;
    read.span = span;
    read.block = system_->layout_.add_scalars(assembly::Dynamics::algebraic, "reading " + input.name(),
                                              {{"value", "force or torque"}});
    scalars_.push_back({read.block, Eigen::VectorXd::Zero(1), {}});
  }
  return Signal::of_state(found->second.block, 0);
}

ReadingSource Compiler::source_of(const System::Acting& acting) const {
  ReadingSource source;
  source.on_j = acting.on_j;
  if (acting.force) {
    source.element = &system_->loads_[acting.force->load];
    source.on = acting.on_j ? acting.force->j : acting.force->i;
    return source;
  }
  const Constraint& c = *acting.constraint;
  source.on = acting.on_j ? c.j : c.i;
  switch (c.element) {
    case Constraint::Element::joint: source.element = &system_->joints_[c.index]; break;
    case Constraint::Element::measure_row: source.element = &system_->measure_rows_[c.index]; break;
    case Constraint::Element::gcon: source.element = &system_->gcons_[c.index]; break;
    case Constraint::Element::ptcv: source.element = &system_->ptcvs_[c.index]; break;
    case Constraint::Element::cvcv: source.element = &system_->cvcvs_[c.index]; break;
  }
  return source;
}

// SFORCE(id, jflag, comp, rm). An element that is switched off, or failed with a message of its own, gives nothing.
std::vector<ReadingSource> Compiler::element_sources(const expr::Input& input, const std::string& owner,
                                                     core::Span span) {
  const model::Kind kind = model::kind_named(input.function->statement);
  std::vector<ReadingSource> sources;
  for (const System::Acting& acting :
       system_->acting_element(kind, input.ids[0], kind == kind_of<model::Friction>() ? 0 : input.ids[1]))
    sources.push_back(source_of(acting));
  if (!sources.empty() || inactive_.contains({kind.index, input.ids[0]})) return sources;
  if (kind == kind_of<model::Contact>()) {
    contact_reads_.push_back(owner);
    return sources;
  }
  const bool known = kind.index != model::Kind::kNone && model::schema_of(kind).acted_on;
  if (!known) {
    error(span, owner,
          fmt::format("{} cannot be computed: {} is not acted on yet", input.name(),
                      input.function->statement));
  } else if (!diagnostics_.has_errors()) {  // otherwise the element has said why it is not there
    error(span, owner, fmt::format("{} reads a force that is not there", input.name()));
  }
  return sources;
}

void Compiler::readings() {
  for (const auto& [text, read] : readings_) {
    const bool generic = read.input.kind == expr::InputKind::generic_force;
    std::vector<ReadingSource> sources;
    if (generic) {
      for (const System::Acting& acting : system_->acting_between(read.input.ids[0], read.input.ids[1]))
        sources.push_back(source_of(acting));
    } else {
      sources = element_sources(read.input, read.owner, read.span);
    }
    const bool friction = !generic && read.input.function->statement == "FRICTION";
    int component = generic ? component_of(read.input.function->name) : read.input.ids[2];
    int rm_id = read.input.ids[generic ? 2 : 3];
    if (friction) {
      // FRICTION(id, component): on I, along the axes of the joint's J
      const model::Friction* f = model_.find<model::Friction>(read.input.ids[0]);
      const model::Joint* joint = f ? model_.find(f->joint) : nullptr;
      component = read.input.ids[1];
      rm_id = joint ? joint->j.id : 0;
      constexpr int kComponents = 8;
      if (component > kComponents) {
        error(read.span, read.owner, fmt::format("{}: components are 1 to 8", read.input.name()));
        continue;
      }
    }
    const auto rm = marker_or_ground(rm_id, read.owner, read.span);
    if (!rm) continue;
    elements::Reading reading =
        elements::make_reading(read.block, sources, component, *rm, system_->layout_, system_->markers_);
    reading.scale = 1.0 / system_->units_.ucf;
    system_->readings_.push_back(std::move(reading));
  }
  // Zero, as if nothing touched; said, so that nobody takes it for a result.
  std::set<std::string> said;
  for (const std::string& owner : contact_reads_) {
    if (said.insert(owner).second)
      system_->idle_.push_back({owner, "CONTACT does not act yet and reads as 0 in"});
  }
}

int Compiler::sensor_place(int id) {
  const auto [place, fresh] = counted_.try_emplace(fmt::format("SENVAL({})", id), 0);
  if (fresh) system_->sensor_values_[id] = place->second = memory(0, place->first);
  return place->second;
}

}  // namespace trunnion::system
