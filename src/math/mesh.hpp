#pragma once
// Closed surfaces of triangles, their bounding-volume tree, and the meshes of the other solids.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "math/shape.hpp"

namespace trunnion::math {

struct Shell;

struct Bounds {
  Vec3 low, high;

  bool meets(const Bounds& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

class Mesh {
 public:
  struct Triangle {
    std::array<std::uint32_t, 3> corners;
    std::array<std::int32_t, 3> beyond;  // the triangle across the edge from corner k to the next; −1: none
    Vec3 normal;                         // outward, unit
  };
  struct Node {
    Bounds box;
    std::int32_t left = -1, right = -1;  // children, or …
    std::uint32_t first = 0, count = 0;  // … triangles
  };

  // What was wrong with the triangles given, and what was made of it.
  struct Findings {
    std::size_t degenerate = 0;  // without area: left out
    std::size_t open_edges =
        0;                  // that do not have exactly two triangles, one each way: the surface is not closed
    bool inverted = false;  // its inside was outside: turned round
    double volume = 0;
  };
  // Three corners each; corners that coincide must be one.
  Mesh(std::vector<Vec3> points, const std::vector<std::array<std::uint32_t, 3>>& faces);

  const Findings& findings() const { return findings_; }
  const std::vector<Vec3>& points() const { return points_; }
  const std::vector<Triangle>& triangles() const { return triangles_; }
  const std::vector<Node>& nodes() const {
    return nodes_;
  }                                        // the root first; none where there are no triangles
  double bound() const { return bound_; }  // about the origin
  const Vec3& corner(const Triangle& t, int k) const {
    return points_[t.corners[static_cast<std::size_t>(k)]];
  }

 private:
  void join_edges();
  std::int32_t split(std::uint32_t first, std::uint32_t count);

  std::vector<Vec3> points_;
  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;
  Findings findings_;
  double bound_ = 0;
};

// Of a box, frustum, torus, ellipsoid or sphere, with its surface within a circle's n corners. Volumes are those of the polyhedra inscribed.
std::shared_ptr<const Mesh> mesh_of(const Shape& shape, int corners);

// Of a file's triangles; corners in one and the same place become one.
std::shared_ptr<const Mesh> mesh_of(const Shell& shell);

// A part of a frustum about z, from the xz plane by `angle` (either sign, below a full turn), z from 0 to `length`.
std::shared_ptr<const Mesh> wedge_of(double length, double low, double high, double angle, int corners);

}  // namespace trunnion::math
