#include "system/contacts.hpp"

#include <algorithm>

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
    const elements::Contact& law = law_of(load);
    all_.push_back({&force.label, &load, law.data().dmax, law.data().time, contact_of_.size(), law.pairs()});
    contact_of_.resize(contact_of_.size() + law.pairs(), all_.size() - 1);
  }
}

double Contacts::depth_of_onset(std::size_t contact, double speed) const {
  constexpr double kPart = 0.2;  // of the way in a quarter of the vibration
  const One& one = all_[contact];
  if (one.dmax > 0) return one.dmax;
  return one.time > 0 ? kPart * one.time * speed : smaller_solid(one.first);
}

void Contacts::penetrations(std::size_t contact, const System::Workspace& work,
                            std::vector<double>& all) const {
  const One& one = all_[contact];
  const elements::Load& load = *one.load;
  const assembly::MarkerMotion &i = work.kinematics.marker(load.i.marker),
                               &j = work.kinematics.marker(load.j.marker);
  double* const first = all.data() + one.first;
  if (const double gap = load.reach->apart_by(i, j); gap > 0) std::fill_n(first, one.pairs, -gap);
  else law_of(load).penetrations(i, j, first);
}

void Contacts::penetrations(const System::Workspace& work, std::vector<double>& all) const {
  all.resize(pairs());
  for (std::size_t k = 0; k < all_.size(); ++k) penetrations(k, work, all);
}

void Contacts::relations(const System::Workspace& work, std::vector<Relation>& all) const {
  all.resize(all_.size());
  for (std::size_t k = 0; k < all_.size(); ++k) {
    const elements::Load& load = *all_[k].load;
    all[k] = elements::Contact::relation(work.kinematics.marker(load.i.marker),
                                         work.kinematics.marker(load.j.marker));
  }
}

const elements::Contact& Contacts::law(std::size_t contact) const { return law_of(*all_[contact].load); }

double Contacts::gap(std::size_t pair, const math::Vec3& p, const math::Mat3& R, double enough) const {
  const std::size_t contact = contact_of_[pair];
  return law(contact).gap(pair - all_[contact].first, p, R, enough);
}

double Contacts::pace(std::size_t contact, const Relation& at) const { return law(contact).pace(at); }

double Contacts::way(std::size_t pair, const Relation& from, const Relation& to, const math::Vec3& turn,
                     double h) const {
  const std::size_t contact = contact_of_[pair];
  return law(contact).way(pair - all_[contact].first, from, to, turn, h);
}

double Contacts::push(std::size_t contact, double depth, double rate) const {
  return law(contact).push(depth, rate);
}

double Contacts::smaller_solid(std::size_t pair) const {
  const One& one = all_[contact_of_[pair]];
  return law_of(*one.load).smaller_radius(pair - one.first);
}

}  // namespace trunnion::system
