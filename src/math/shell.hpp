#pragma once
// Surfaces of triangles from files that GRAPHICS/EXTERNAL names: STL, as text or binary, OBJ, and the shells (.shl) of the vendor's pre-processor.

#include <cstdint>
#include <string>
#include <vector>

namespace trunnion::math {

struct Shell {
  std::vector<float> points;         // x y z of each corner
  std::vector<std::uint32_t> faces;  // three corners each
};

// What is in a file, without its name. False, with the reason, where it holds no whole triangles or numbers that are none.
bool read_obj(const std::string& bytes, Shell& shell, std::string& error);
bool read_stl(const std::string& bytes, Shell& shell, std::string& error);
bool read_shl(const std::string& bytes, Shell& shell, std::string& error);
// By the name's ending. False, with the reason in `error`, where it cannot be read.
bool read_shell(const std::string& path, Shell& shell, std::string& error);

}  // namespace trunnion::math
