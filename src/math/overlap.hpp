#pragma once
// Two solids of triangles, or one and a plane: the volumes in which they overlap, each as one touch.
//
// With V the volume shared, c its middle, C the mean of (x − c)(x − c)ᵀ over it, and P the part of the first solid's surface that is inside
// the second, N its outward normal: a function f of place has δ∫f dV = ∫_P f N·δx dS. The penetration is a thickness of the volume,
//   g = √(12/tr E)    E = C⁻¹ of two meshes: the way in which it is thinnest counts most
//                     E = nnᵀ/(n·C n) with a plane of normal n, so that g² = 12 n·C n
//   g_ξ = ∫_P γ (N, x × N) dS ,  γ = g/(2 V tr E) (r·E² r − tr E) ,  r = x − c
// A slab of thickness g has just that; as it is tilted it gets thicker, which drives it back. The normal is −g_ξ's first three as a unit vector.
// g_ξξ has a part of γ changing, a part of P moving as a whole and a part of its rim: where a triangle of normal N_J cuts one of
// normal N_I along a segment, the rim moves outward by −N_J·δx/|N_I × N_J| within the plane of N_I. All are exact for the polyhedra: over
// surfaces they are polynomials of the third degree, along the rim of the fourth.
//
// P of a triangle against a solid: a point is inside where, looking along d, the triangles of the solid that it sees from behind
// outnumber those that it sees from the front. So P is a signed sum over prisms between triangles and infinity, each clipped in
// closed form: no case is special. Between P and the triangle that closes the prism are columns along d, over which V and its moments are summed.
// Separate volumes: triangles of the first surface that adjoin one another belong together, and groups that
// bound no volume by themselves. Two dents in one triangle are one volume.
// Not modelled: a solid that is wholly inside the other is not pushed (g_ξ = 0).

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
