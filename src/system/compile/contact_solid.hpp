#pragma once
// What a GRAPHICS is to a CONTACT, in the axes of its marker.

#include <string>

#include "math/shape.hpp"
#include "model/output.hpp"

namespace trunnion::system {

struct ContactSolid {
  math::Shape shape;
  std::string why;         // there is none
  bool stands_in = false;  // for a file that cannot be read; in the axes of its part
};

int marker_of(const model::Graphics& graphics);

}  // namespace trunnion::system
