// The flat or straight parts of two cores that face each other, and where they lie over one another.
// All in the common frame (that of the first shape).
#pragma once

#include "collision/narrow_phase/core/core.h"
#include "core/inline_list.h"

namespace sunder::collision {

// Faces with more vertices are thinned to this number, which loses less than half a percent of their width.
inline constexpr int kMaxPatchVertices = 32;
inline constexpr int kMaxPatchPoints = 3 * kMaxPatchVertices + 8;

// Cosine above which a face or cap counts as facing along a normal: up to about 37 degrees.
inline constexpr double kFacingCosine = 0.8;

struct Patch {
    enum class Kind : std::uint8_t { Point, Segment, Polygon };
    Kind kind = Kind::Point;
    InlineList<Vec3d, kMaxPatchVertices> points;  // 1, 2, the polygon's counter-clockwise from outside
    Vec3d normal;                                 // polygon: outward
    int index = 0;                                // which face, cap or edge

    int count() const { return points.count(); }
};

// How well a flat face (of a polyhedron, the front of a triangle, the cap of a cylinder) is aligned with a direction.
struct FlatFace {
    int index = -1;  // -1: none
    Vec3d normal;
    double separation = 0;  // of the other core above the face's plane
};

// A face of a polyhedron whose separation is known.
FlatFace flatFace(const PlacedCore& core, int face, double separation);
// The face whose normal is closest to the direction, or face `known` where that is not negative.
FlatFace findFlatFace(const PlacedCore& core, const PlacedCore& other, const Vec3d& direction, int known);
void fillFace(const PlacedCore& core, int face, Patch& patch);

// What a core shows to a plane whose normal is -direction: its face, its segment, a cylinder's cap or side line.
void fillFacing(const PlacedCore& core, const Vec3d& direction, Patch& patch);

// The straight line of a core that touches a plane of the given normal, the one most parallel to `along` if there are several;
// a point where there is none. Returns how many lines there are: `along` matters where there are several.
int fillLine(const PlacedCore& core, const Vec3d& direction, const Vec3d& along, Patch& patch);

struct PatchPoint {
    Vec3d onReference, onIncident;  // differ by a multiple of the reference's normal
    std::uint32_t feature = 0;      // below 2^16
};

using PatchPoints = InlineList<PatchPoint, kMaxPatchPoints>;

// Share of the smaller size by which overlay lets corners stick out: keeps those of shapes stacked exactly.
inline constexpr double kOverlaySlack = 1e-5;

// The corners of the region of the incident patch that lies over the reference (a polygon). slack: length (m) by
// which a point may stick out and still count as inside.
void overlay(const Patch& reference, const Patch& incident, double slack, PatchPoints& out);

}  // namespace sunder::collision
