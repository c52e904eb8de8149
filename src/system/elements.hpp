#pragma once
// The elements of a system, one list a kind. Of this folder: others ask the System.

#include <vector>

#include "elements/beam_element.hpp"
#include "elements/body.hpp"
#include "elements/curve_constraint.hpp"
#include "elements/equation.hpp"
#include "elements/gcon.hpp"
#include "elements/joint.hpp"
#include "elements/load.hpp"
#include "elements/measure_row.hpp"
#include "elements/modal_body.hpp"
#include "elements/modal_load.hpp"
#include "elements/reading.hpp"

namespace trunnion::system {

struct Elements {
  std::vector<elements::Body> bodies;
  std::vector<elements::ModalBody> modal_bodies;
  std::vector<elements::BeamElement> beams;
  std::vector<elements::Body> beam_nodes;  // what beams weigh at their nodes, as if these were bodies
  std::vector<elements::Body>
      outlines;  // every body as a rigid one, nodes of beams too: for scales and weights
  std::vector<elements::Joint> joints;
  std::vector<elements::MeasureRow> measure_rows;
  std::vector<elements::Gcon> gcons;
  std::vector<elements::Ptcv> ptcvs;
  std::vector<elements::Cvcv> cvcvs;
  std::vector<elements::Load> loads;
  std::vector<elements::ModalLoad> modal_loads;
  std::vector<elements::Equation> equations;
  std::vector<elements::Reading> readings;
  std::vector<elements::Measure> counted;  // angles counted over full turns by loads, equations and requests
};

}  // namespace trunnion::system
