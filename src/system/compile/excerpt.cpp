#include "system/excerpt.hpp"

#include "system/compile/compiler.hpp"

namespace trunnion::system {

Excerpt::Excerpt(const System& system, std::span<const int> rows)
    : system_(system), elements_(Compiler::elements_of(system)) {
  std::vector<char> chosen(static_cast<std::size_t>(system.layout().row_count()), 0);
  for (const int r : rows) chosen[static_cast<std::size_t>(r)] = 1;
  const auto any = [&](assembly::RowId first, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      if (chosen[static_cast<std::size_t>(first.index) + k]) return true;
    }
    return false;
  };
  const auto choose = [&](const auto& all, auto owns, std::vector<std::size_t>& to) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (owns(all[k])) to.push_back(k);
    }
  };
  constexpr std::size_t kPoint = 3, kTangency = 4;  // rows of PTCV and CVCV
  choose(
      elements_.joints,
      [&](const elements::Joint& j) { return any(j.first_row, elements::joint_rows(j.type).size()); },
      joints_);
  choose(
      elements_.measure_rows, [&](const elements::MeasureRow& m) { return any(m.row, 1); }, measure_rows_);
  choose(
      elements_.gcons, [&](const elements::Gcon& g) { return any(g.row, 1); }, gcons_);
  choose(
      elements_.ptcvs, [&](const elements::Ptcv& p) { return any(p.first_row, kPoint); }, ptcvs_);
  choose(
      elements_.cvcvs, [&](const elements::Cvcv& c) { return any(c.first_row, kTangency); }, cvcvs_);
  loads_ = !elements_.loads.empty() || !elements_.equations.empty() || !elements_.readings.empty();
}

std::span<const elements::Joint> Excerpt::joints(const System& system) {
  return Compiler::elements_of(system).joints;
}

void Excerpt::update(const assembly::State& state, System::Workspace& work) const {
  work.kinematics.update(state, assembly::Level::v);
  Compiler::update_drives(system_, state, work);
}

void Excerpt::emit_loads(const assembly::State& state, System::Workspace& work, assembly::Sink& sink) const {
  const assembly::Evaluation at{state, work.kinematics, work.scratch, work.mode, work.drives};
  for (const elements::Load& load : elements_.loads) {
    const assembly::Scratch::Frame frame(work.scratch);
    elements::evaluate(load, at, work.expression, sink);
  }
}

// Equations, then readings.
std::size_t Excerpt::scalars() const { return elements_.equations.size() + elements_.readings.size(); }

assembly::BlockId Excerpt::scalar_block(std::size_t k) const {
  const std::size_t equations = elements_.equations.size();
  return k < equations ? elements_.equations[k].block : elements_.readings[k - equations].block;
}

bool Excerpt::reads_itself(std::size_t k, assembly::Level level) const {
  const assembly::BlockId block = scalar_block(k);
  const auto reads = [&](const elements::Signals& signals) {
    for (std::size_t s = 0; s < signals.size(); ++s) {
      const elements::Signal& signal = signals[s];
      if (signal.kind == elements::Signal::Kind::state && signal.state == block && signal.level == level)
        return true;
    }
    return false;
  };
  const std::size_t equations = elements_.equations.size();
  if (k < equations) return reads(elements_.equations[k].response.signals);
  for (const elements::Reading::Source& source : elements_.readings[k - equations].sources) {
    const auto* const load = std::get_if<const elements::Load*>(&source.source.element);
    if (load != nullptr && reads((*load)->response.signals)) return true;
  }
  return false;
}

void Excerpt::emit_scalar(std::size_t k, const assembly::State& state, System::Workspace& work,
                          assembly::Sink& sink) const {
  const assembly::Evaluation at{state, work.kinematics, work.scratch, work.mode, work.drives};
  const assembly::Scratch::Frame frame(work.scratch);
  const std::size_t equations = elements_.equations.size();
  if (k < equations) elements::evaluate(elements_.equations[k], at, work.expression, sink);
  else elements::evaluate(elements_.readings[k - equations], at, work.expression, sink);
}

void Excerpt::emit_rows(const assembly::State& state, System::Workspace& work, assembly::Sink& sink) const {
  const assembly::Evaluation at{state, work.kinematics, work.scratch, work.mode, work.drives};
  const auto some = [&](const auto& elements, const std::vector<std::size_t>& chosen) {
    for (const std::size_t k : chosen) {
      const assembly::Scratch::Frame frame(work.scratch);
      elements::evaluate(elements[k], at, sink);
    }
  };
  some(elements_.joints, joints_);
  some(elements_.measure_rows, measure_rows_);
  for (const std::size_t k : gcons_) {
    const assembly::Scratch::Frame frame(work.scratch);
    elements::evaluate(elements_.gcons[k], at, work.expression, sink);
  }
  some(elements_.ptcvs, ptcvs_);
  some(elements_.cvcvs, cvcvs_);
}

}  // namespace trunnion::system
