#include "system/contacts.hpp"

#include <cmath>
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

double Contacts::penetration(std::size_t k, const assembly::State& state, System::Workspace& work) const {
  const elements::Load& load = *all_[k].load;
  if (const double gap = elements::apart_by(load, work.kinematics); gap > 0) return -gap;
  const assembly::Evaluation at{state, work.kinematics, work.scratch, work.mode, work.drives};
  const assembly::Scratch::Frame frame(work.scratch);
  const auto signals = load.response.signals.evaluate(at, load.columns.size(), false);
  const double depth = law_of(load).penetration(signals.value, std::numeric_limits<double>::infinity());
  return std::isfinite(depth) ? depth : 0;
}

void Contacts::penetrations(const assembly::State& state, System::Workspace& work,
                            std::vector<double>& all) const {
  all.resize(all_.size());
  for (std::size_t k = 0; k < all_.size(); ++k) all[k] = penetration(k, state, work);
}

// Seen from J, points of I move by its marker and about it.
void Contacts::paces(const System::Workspace& work, std::vector<double>& all) const {
  all.resize(all_.size());
  for (std::size_t k = 0; k < all_.size(); ++k) {
    const elements::Load& load = *all_[k].load;
    const assembly::MarkerMotion &i = work.kinematics.marker(load.i.marker),
                                 &j = work.kinematics.marker(load.j.marker);
    const math::Vec3 u = i.v - j.v - j.w.cross(i.p - j.p);
    all[k] = u.norm() + (i.w - j.w).norm() * load.reach->radius();
  }
}

double Contacts::smallest_solid(std::size_t k) const { return all_[k].load->reach->smaller_radius(); }

}  // namespace trunnion::system
