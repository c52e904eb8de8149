#pragma once
// What is needed to draw flexible bodies, in the results store: group /flexible/1, /flexible/2, … one for each FLEX_BODY
// (docs/manual/results.md has the layout). With the modal coordinates of a row a node is at places + Σ q · shapes in the body's frame.

#include <cstdint>
#include <string>
#include <vector>

namespace trunnion::results {

struct DeformingBody {
  std::string channel;             // whose frame it moves with: "FLEX_BODY/2"
  std::vector<int> numbers;        // of its modes: channels FLEX_BODY/2.Q7 …
  std::vector<int> nodes;          // numbers of the nodes that are drawn
  std::vector<float> places;       // nodes × 3, undeformed, in the body's frame
  std::vector<float> shapes;       // modes × nodes × 3
  std::vector<int> triangles;      // × 3, places in `nodes`
  std::vector<int> lines;          // × 2, the same
  std::vector<int> stressed;       // places in `nodes` where stresses are known
  std::vector<float> stresses;     // modes × stressed × 6: xx, yy, zz, xy, yz, zx
  std::vector<int> markers;        // ids of those that stand on nodes
  std::vector<float> stands;       // markers × 3: their nodes, undeformed
  std::vector<float> turns;        // markers × modes × 6: translation and rotation of their nodes
  std::vector<std::string> notes;  // what of it is not there

  bool whole() const;  // sizes fit each other, and indices what they point to
};

// Into a store that is being made; `file` is HDF5's handle of it.
bool write_shapes(std::int64_t file, const std::vector<DeformingBody>& bodies);
// Also of a store that is being written. None where the model had no FLEX_BODY.
bool read_shapes(const std::string& store, std::vector<DeformingBody>& bodies, std::string& error);

}  // namespace trunnion::results
