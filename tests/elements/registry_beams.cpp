// Elements of FE_PART at large deformation: random poses of their nodes, full sections, curved and twisted unstressed shapes.

#include "elements/building.hpp"
#include "elements/registry_loads.hpp"

namespace trunnion::elements::test {
namespace {

BeamCrossSection random_section(Example& e) {
  BeamCrossSection s;
  const Eigen::MatrixXd root = random_matrix(e, 6, 6);
  s.K = root * root.transpose() + math::Mat6::Identity();
  s.mass = e.uniform(0.5, 1.5);
  // Four particles a length: a second moment that belongs to some section.
  for (int k = 0; k < 4; ++k) {
    const Vec3 r(0, e.uniform(-0.4, 0.4), e.uniform(-0.4, 0.4));
    s.moment += 0.25 * s.mass * r;
    s.second += 0.25 * s.mass * r * r.transpose();
  }
  return s;
}

void add_element(Example& e, Owner i, Owner j, bool damped) {
  const BlockId a = e.body(i), b = e.body(j);
  const assembly::Pose from{e.vector(), e.rotation()};
  const assembly::Pose to{
      from.x + from.R * Vec3(e.uniform(0.5, 1.0), e.uniform(-0.2, 0.2), e.uniform(-0.2, 0.2)),
      from.R * math::so3_exp_quat(e.vector(0.5))};
  BeamElement beam = make_beam_element(from, to, random_section(e), random_section(e), damped ? 0.2 : 0.0);
  beam.nodes = {a, b};
  beam.gravity = Vec3(0.3, -0.2, -9.81);
  if (damped) {
    beam.points[0].C += 0.1 * random_matrix(e, 6, 6);
    beam.mass_damping = 0.3;
  }
  e.potential = Example::Potential::exact;
  e.beams.push_back(beam);
}

// From a pose to the next, curved and twisted.
assembly::Pose after(Example& e, const assembly::Pose& from, double most) {
  return {from.x + from.R * Vec3(e.uniform(0.5, 1.0) * most, e.uniform(-0.2, 0.2), e.uniform(-0.2, 0.2)),
          from.R * math::so3_exp_quat(e.vector(0.5))};
}

void add_three(Example& e, Owner owner, bool damped) {
  const BlockId a = e.body(owner), b = e.body(owner), c = e.body(owner);
  const assembly::Pose from{e.vector(), e.rotation()}, middle = after(e, from, 0.5),
                                                       to = after(e, middle, 0.5);
  BeamElement beam =
      make_beam_element(from, middle, to, random_section(e), random_section(e), damped ? 0.2 : 0.0);
  beam.nodes = {a, b, c};
  beam.gravity = Vec3(0.3, -0.2, -9.81);
  if (damped) {
    for (BeamPoint& point : beam.points) point.C += 0.1 * random_matrix(e, 6, 6);
    beam.mass_damping = 0.3;
  }
  e.potential = Example::Potential::exact;
  e.beams.push_back(beam);
}

}  // namespace

void add_beam_elements(std::vector<Listed>& all) {
  all.push_back({"beam_element", [](Example& e) { add_element(e, Owner::rigid, Owner::rigid, false); }});
  all.push_back(
      {"beam_element_damped", [](Example& e) { add_element(e, Owner::rigid, Owner::rigid, true); }});
  all.push_back(
      {"beam_element_planar", [](Example& e) { add_element(e, Owner::planar, Owner::planar, true); }});
  all.push_back(
      {"beam_element_planar_rigid", [](Example& e) { add_element(e, Owner::planar, Owner::rigid, true); }});
  all.push_back({"beam_elements_in_a_row", [](Example& e) {
                   add_element(e, Owner::rigid, Owner::rigid, true);
                   const BlockId middle = e.beams.back().nodes[1];
                   add_element(e, Owner::rigid, Owner::rigid, true);
                   e.beams.back().nodes[0] = middle;
                 }});
  all.push_back({"beam_element_of_three", [](Example& e) { add_three(e, Owner::rigid, false); }});
  all.push_back({"beam_element_of_three_damped", [](Example& e) { add_three(e, Owner::rigid, true); }});
  all.push_back({"beam_element_of_three_planar", [](Example& e) { add_three(e, Owner::planar, true); }});
  all.push_back({"beam_elements_of_three_in_a_row", [](Example& e) {
                   add_three(e, Owner::rigid, true);
                   const BlockId end = e.beams.back().nodes[2];
                   add_three(e, Owner::rigid, true);
                   e.beams.back().nodes[0] = end;
                 }});
}

}  // namespace trunnion::elements::test
