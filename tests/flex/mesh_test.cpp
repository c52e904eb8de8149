// What is seen of a mesh: faces that only one solid has, all turned outwards.

#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "flex/mesh_file.hpp"

namespace trunnion::flex {
namespace {

// Every edge of a closed surface belongs to two triangles, which pass it in opposite directions.
bool closed(const std::vector<int>& triangles) {
  std::map<std::pair<int, int>, int> edges;
  for (std::size_t k = 0; k < triangles.size(); k += 3) {
    for (std::size_t c = 0; c < 3; ++c) ++edges[{triangles[k + c], triangles[k + (c + 1) % 3]}];
  }
  for (const auto& [edge, count] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    if (count != 1 || back == edges.end() || back->second != 1) return false;
  }
  return !edges.empty();
}

Mesh::Element element(const char* type, std::size_t nodes) {
  Mesh::Element out{type, std::vector<int>(nodes)};
  std::iota(out.nodes.begin(), out.nodes.end(), 0);
  return out;
}

TEST(Surfaces, OfOneSolidAreClosed) {
  const std::pair<const char*, std::size_t> kinds[] = {{"C3D4", 4},   {"C3D6", 6},   {"C3D8R", 8},
                                                       {"C3D10", 10}, {"C3D15", 15}, {"C3D20R", 20}};
  const std::size_t triangles[] = {4, 8, 12, 16, 26, 36};
  for (std::size_t k = 0; k < 6; ++k) {
    const Surface surface = surface_of({element(kinds[k].first, kinds[k].second)});
    EXPECT_EQ(surface.triangles.size(), 3 * triangles[k]) << kinds[k].first;
    EXPECT_TRUE(closed(surface.triangles)) << kinds[k].first;
  }
}

TEST(Surfaces, LeaveOutWhatLiesBetweenSolids) {
  Mesh::Element a = element("C3D8", 8), b = a;
  b.nodes = {4, 5, 6, 7, 8, 9, 10, 11};  // on top of a
  const Surface surface = surface_of({a, b});
  EXPECT_EQ(surface.triangles.size(), 3u * 20);
  EXPECT_TRUE(closed(surface.triangles));
}

TEST(Surfaces, AreShellsAndLinesToo) {
  Mesh::Element odd = element("C3D13", 13);
  const Surface surface =
      surface_of({element("S4R", 4), element("S6", 6), element("B31", 2), element("B32", 3), odd});
  EXPECT_EQ(surface.triangles.size(), 3u * (2 + 4));
  EXPECT_EQ(surface.lines.size(), 2u * (1 + 2));
  EXPECT_EQ(surface.unknown, 1u);
}

TEST(Meshes, ThatAreNoneAreSaid) {
  std::string why;
  EXPECT_FALSE(read_mesh("/nonexistent/arm.flex.h5", why));
  EXPECT_NE(why.find("is no flexible body of trunnion flex"), std::string::npos);
}

}  // namespace
}  // namespace trunnion::flex
