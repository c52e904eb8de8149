#pragma once
// The mesh and shapes of PREFIX.flex.h5 (body_file.hpp) for pictures, and the surface of a mesh.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace trunnion::flex {

struct Mesh {
  struct Element {
    std::string type;        // as a deck of Abaqus or CalculiX spells it: C3D8
    std::vector<int> nodes;  // places in ids
  };
  std::vector<int> ids;
  Eigen::Matrix3Xd positions;
  std::vector<Element> elements;
  Eigen::MatrixXd translation;  // 3 · nodes × modes
};
// Nothing, with the reason in `why`, where it cannot be read.
std::optional<Mesh> read_mesh(const std::filesystem::path& path, std::string& why);

// What is seen of it: faces that only one solid has, shells, and the lines of beams and trusses. Places in ids.
struct Surface {
  std::vector<int> triangles;  // × 3
  std::vector<int> lines;      // × 2
  std::size_t unknown = 0;     // elements of types that are not drawn
};
Surface surface_of(const std::vector<Mesh::Element>& elements);

}  // namespace trunnion::flex
