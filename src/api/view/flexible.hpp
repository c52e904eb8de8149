#pragma once
// What a picture of the FLEX_BODYs of a model needs: nodes, shapes, faces, stress modes. From the matrices of each body, and from
// NAME.flex.h5 beside NAME.mtx where `trunnion flex` wrote it: the mesh. A run keeps it in its store, so that the store alone can
// be looked at.

#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "results/read/history.hpp"
#include "results/write/shapes.hpp"

namespace trunnion::api {

// How much is kept: a mesh with more is drawn by fewer nodes, and its notes say so.
inline constexpr std::size_t kMostShapeNumbers = 8'000'000;  // of all bodies; 4 bytes each

// `folder`: of the model. With `only_inside`, files that lie elsewhere are not read. A body whose matrices cannot be read is left out.
std::vector<results::DeformingBody> flexible_bodies(const model::Model& model, const std::string& folder,
                                                    bool only_inside = false,
                                                    std::size_t most_numbers = kMostShapeNumbers);

// The largest von Mises stress of its nodes in all rows of a run. Nothing where it has no stresses or the run no modal coordinates.
struct Hottest {
  int node = 0;
  double t = 0, value = 0;
};
std::optional<Hottest> hottest(const results::DeformingBody& body, results::History& run);

// Whether a path, links followed, lies in a folder or below it.
bool inside_folder(const std::string& file, const std::string& folder);

}  // namespace trunnion::api
