// The description of shapes; describe.h says what a description is for.
#pragma once

#include <string_view>

#include "sunder/describe/field_info.h"
#include "sunder/shapes.h"

namespace sunder {

constexpr FieldInfo sizeInfo(std::string_view name, std::string_view doc) {
    return {.name = name, .unit = "m", .low = kMinSize, .high = kMaxSize, .required = true, .doc = doc};
}

template <MaybeConst<Sphere> S, class Visit>
void visitFields(S& s, Visit&& visit) {
    visit(sizeInfo("radius", "of the sphere"), s.radius);
}

template <MaybeConst<Box> B, class Visit>
void visitFields(B& b, Visit&& visit) {
    visit(sizeInfo("half_extents", "half the size along each axis"), b.halfExtents);
}

template <MaybeConst<Capsule> C, class Visit>
void visitFields(C& c, Visit&& visit) {
    visit(sizeInfo("radius", "of the capsule"), c.radius);
    visit(sizeInfo("half_height", "half the length of its segment, along y"), c.halfHeight);
}

template <MaybeConst<Cylinder> C, class Visit>
void visitFields(C& c, Visit&& visit) {
    visit(sizeInfo("radius", "of the cylinder"), c.radius);
    visit(sizeInfo("half_height", "half the height, along y"), c.halfHeight);
}

template <MaybeConst<Hull> H, class Visit>
void visitFields(H& h, Visit&& visit) {
    visit(FieldInfo{.name = "points", .unit = "m", .low = -kMaxSize, .high = kMaxSize, .doc = "at least 4, not in one plane"},
          h.points);
}

template <MaybeConst<Mesh> M, class Visit>
void visitFields(M& m, Visit&& visit) {
    visit(FieldInfo{.name = "vertices", .unit = "m", .low = -kMaxSize, .high = kMaxSize, .doc = "corners of the triangles"},
          m.vertices);
    visit(FieldInfo{.name = "triangles", .low = 0, .doc = "three vertices each, counter-clockwise from outside"}, m.triangles);
}

template <MaybeConst<HeightField> H, class Visit>
void visitFields(H& h, Visit&& visit) {
    visit(FieldInfo{.name = "columns", .low = 2, .high = 65536, .required = true, .doc = "samples along x"}, h.columns);
    visit(sizeInfo("spacing", "between samples"), h.spacing);
    visit(FieldInfo{.name = "heights", .unit = "m", .low = -kMaxSize, .high = kMaxSize, .doc = "rows along x, by increasing z"},
          h.heights);
    visit(FieldInfo{.name = "holes", .low = 0, .doc = "cells without ground: row times (columns - 1) plus column"}, h.holes);
}

template <MaybeConst<Shell> S, class Visit>
void visitFields(S& s, Visit&& visit) {
    visit(FieldInfo{.name = "vertices", .unit = "m", .low = -kMaxSize, .high = kMaxSize, .doc = "corners of the triangles"},
          s.vertices);
    visit(FieldInfo{.name = "triangles", .low = 0, .doc = "three vertices each"}, s.triangles);
    visit(sizeInfo("thickness", "of the walls, half of it on either side of the triangles"), s.thickness);
}

template <MaybeConst<CompoundChild> C, class Visit>
void visitFields(C& c, Visit&& visit) {
    visit(FieldInfo{.name = "shape", .required = true, .doc = "a convex shape"}, c.shape);
    visit(FieldInfo{.name = "position", .unit = "m", .low = -kMaxSize, .high = kMaxSize, .doc = "in the body's frame"},
          c.position);
    visit(FieldInfo{.name = "orientation", .doc = "unit quaternion x, y, z, w"}, c.orientation);
}

template <MaybeConst<Compound> C, class Visit>
void visitFields(C& c, Visit&& visit) {
    visit(FieldInfo{.name = "children", .required = true, .doc = "convex shapes; an overlap counts twice in the mass"},
          c.children);
}

// Without `sampled`, which only the engine makes.
template <MaybeConst<LevelSet> L, class Visit>
void visitFields(L& l, Visit&& visit) {
    visit(FieldInfo{.name = "parts", .doc = "the solid is their union; a mesh must be closed and the only part"}, l.parts);
    visit(FieldInfo{.name = "cell", .unit = "m", .low = 0, .high = kMaxSize, .doc = "distance of the grid's nodes"}, l.cell);
    visit(FieldInfo{.name = "resolution",
                    .low = 0,
                    .high = kMaxLevelSetNodes,
                    .doc = "instead of cell: the most nodes of the grid along each axis"},
          l.resolution);
    visit(FieldInfo{.name = "keep_surface", .doc = "draws its single part's exact surface, and cuts its pieces from that"},
          l.keepSurface);
}

}  // namespace sunder
