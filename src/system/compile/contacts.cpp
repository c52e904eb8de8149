#include "system/contacts.hpp"

#include <limits>

#include "elements/contact.hpp"
#include "system/compile/compiler.hpp"

namespace trunnion::system {

namespace {

const elements::Contact& law_of(const elements::Load& load) {
  return static_cast<const elements::Contact&>(*load.response.law);
}

}  // namespace

Contacts::Contacts(const System& system) {
  for (const Force& force : system.forces()) {
    if (!(force.kind == model::kind_of<model::Contact>())) continue;
    const elements::Load& load = Compiler::elements_of(system).loads[force.load];
    all_.push_back({&force.label, &load, law_of(load).data().dmax});
  }
}

void Contacts::penetrations(const assembly::State& state, System::Workspace& work,
                            std::vector<double>& all) const {
  const assembly::Evaluation at{state, work.kinematics, work.scratch, work.mode, work.drives};
  all.clear();
  for (const One& one : all_) {
    const assembly::Scratch::Frame frame(work.scratch);
    const elements::Load& load = *one.load;
    if (const double gap = elements::apart_by(load, work.kinematics); gap > 0) {
      all.push_back(-gap);
      continue;
    }
    const auto signals = load.response.signals.evaluate(at, load.columns.size(), false);
    all.push_back(law_of(load).penetration(signals.value, std::numeric_limits<double>::infinity()));
  }
}

}  // namespace trunnion::system
