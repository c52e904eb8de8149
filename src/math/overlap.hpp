#pragma once
// Two solids of triangles, or one and a plane: the volumes in which they overlap, each as one touch.
//
// With P the part of the first solid's surface that is inside the second, N its outward normal and V the volume shared:
//   S₀ = ∫_P N dS ,  B = ∫_P x Nᵀ dS ,        δV = S₀·τ + S₁·φ ,  S₁ = ∫_P x × N dS
//   n = −S₀/|S₀|     normal: against the gradient of the volume, which does not jump from triangle to triangle
//   g = V/|S₀|       penetration: the mean depth. Of a flat face the depth itself; half of it for a sphere's cap
//   c                on the line of action of (S₀, S₁), as high as P is on the mean
// δS₀ and δB have a part of P moving as a whole and a part of its rim: where a triangle of normal N_J cuts one of normal N_I along
// a segment, the rim moves outward by −N_J·δx/|N_I × N_J| within the plane of N_I. Both are exact for the polyhedra.
//
// P of a triangle against a solid: a point is inside where, looking along d, the triangles of the solid that it sees from behind
// outnumber those that it sees from the front. So P is a signed sum over prisms between triangles and infinity, each clipped in
// closed form: no case is special. V = ∫_P h N·d dS, h the height along d over the triangle that closes the prism.
// Separate volumes: triangles of the first surface that adjoin one another belong together, and groups that
// bound no volume by themselves. Two dents in one triangle are one volume.
// Not modelled: a solid that is wholly inside the other is not pushed (S₀ = 0).

#include "math/touch.hpp"

namespace trunnion::math {

// Both have a mesh, or one is a plane.
void overlap(const Placed& first, const Placed& second, Wanted wanted, TouchSink& sink);
// Whether a box about the first, along the axes of the second, meets that about the second.
bool boxes_meet(const Placed& first, const Placed& second);
// How far such boxes are apart at least, along the axes of either; 0: they meet.
double boxes_apart(const Placed& first, const Placed& second);
// The distance of two that do not overlap, or `enough` where it is more.
double apart_by(const Placed& first, const Placed& second, double enough);

}  // namespace trunnion::math
