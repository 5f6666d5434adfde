// Which part of a core faces a direction.
#include "collision/narrow_phase/convex/patch.h"

#include "collision/narrow_phase/core/farthest.h"
#include "collision/narrow_phase/manifold/preference.h"

namespace sunder::collision {
namespace {

// Cosine of 45 degrees: beyond it a cylinder shows its side.
constexpr double kLeaningCosine = 0.70710678;
constexpr int kLeaning = 3;  // added to the index of a cap that leans: its corners are others; 2 is the side
// Sine of the angle below which an edge counts as lying in the plane that touches it.
constexpr double kTouchingSine = 2e-3;

double signOf(double x) { return x < 0 ? -1 : 1; }

// The cap of a cylinder as a polygon with its corners on the rim, the first of them in the direction `first`.
void fillCap(const PlacedCore& core, double side, const Vec3d& first, Patch& patch) {
    constexpr double kCos1 = 0.92387953251128674, kSin1 = 0.38268343236508977, kDiagonal = 0.70710678118654752;
    static constexpr double kQuarter[4][2] = {{1, 0}, {kCos1, kSin1}, {kDiagonal, kDiagonal}, {kSin1, kCos1}};
    patch.kind = Patch::Kind::Polygon;
    patch.points.clear();
    patch.normal = core.placement.axisY * side;
    patch.index = side > 0 ? 1 : 0;
    const Vec3d center = core.placement.origin + patch.normal * core.core.halfHeight;
    Vec3d u = first * core.core.radius, w = cross(patch.normal, u);
    for (int quarter = 0; quarter < 4; ++quarter) {
        for (const auto& [cosine, sine] : kQuarter)
            patch.points.add(center + u * cosine + w * sine);
        const Vec3d next = w;
        w = -u;
        u = next;
    }
}

void fillSegment(const Vec3d& p, const Vec3d& q, Patch& patch) {
    patch.kind = Patch::Kind::Segment;
    patch.points.clear();
    patch.points.add(p);
    patch.points.add(q);
}

// The line on a cylinder's side that reaches farthest along the direction.
void fillSideLine(const PlacedCore& core, const Vec3d& direction, Patch& patch) {
    const Vec3d axis = core.placement.axisY;
    const Vec3d radial = normalizeOr(direction - axis * dot(axis, direction), core.placement.axisX);
    const Vec3d middle = core.placement.origin + radial * core.core.radius;
    fillSegment(middle - axis * core.core.halfHeight, middle + axis * core.core.halfHeight, patch);
    patch.index = 2;
}

// What a cylinder shows to a plane: a cap that lies flat turns with the body, one that leans has a corner where it is lowest.
// Of a cap that leans all that is below the plane counts, as of any face: on its lowest point alone a coin that was pressed
// into the floor rocked to and fro for ever.
void fillFacingOfCylinder(const PlacedCore& core, const Vec3d& direction, Patch& patch) {
    const Vec3d axis = core.placement.axisY;
    const double cosine = dot(axis, direction);
    if (std::fabs(cosine) > kFlatCapCosine) {
        fillCap(core, signOf(cosine), core.placement.axisX, patch);
    } else if (std::fabs(cosine) > kLeaningCosine) {
        fillCap(core, signOf(cosine), normalizeOr(direction - axis * cosine, core.placement.axisX), patch);
        patch.index += kLeaning;
    } else {
        fillSideLine(core, direction, patch);
    }
}

void fillVertices(const PlacedCore& core, Patch& patch) {
    const PolyhedronView& view = core.core.polyhedron;
    patch.kind = view.vertexCount == 1 ? Patch::Kind::Point : Patch::Kind::Segment;
    patch.points.clear();
    for (int i = 0; i < view.vertexCount; ++i)
        patch.points.add(outerPoint(core.placement, view.vertex(i)));
}

int mostAlignedFace(const PlacedCore& core, const Vec3d& direction) {
    const PolyhedronView& view = core.core.polyhedron;
    const Vec3d inner = innerDirection(core.placement, direction);
    if (core.core.kind == CoreKind::Triangle)
        return 0;
    if (view.faceQuads == nullptr)  // points and segments have none
        return -1;
    return findFarthest<geometry::Polyhedron::kFaceQuad>(view.faceQuads, view.faceCount, inner, 1,
                                                         [&](int i) { return dot(view.normal(i), inner); });
}

// How far each vertex of a polyhedron reaches along a unit direction in its own frame, to rounding in Real.
struct VertexReaches {
    static constexpr int kMost = 64;
    Real of[kMost];
    Real rounding = 0;
    bool kept = false;  // `of` is filled in

    VertexReaches(const ConvexCore& core, const Vec3d& direction) {
        const PolyhedronView& view = core.polyhedron;
        kept = view.vertexQuads != nullptr && view.vertexCount <= kMost;
        if (!kept)
            return;
        rounding = 16 * kEpsilon * Real(core.size);
        const Quad x = quadOf(Real(direction.x)), y = quadOf(Real(direction.y)), z = quadOf(Real(direction.z));
        const Real* at = view.vertexQuads;
        for (int i = 0; i < view.vertexCount; i += 4, at += geometry::Polyhedron::kVertexQuad)
            storeQuad(x * loadQuad(at) + y * loadQuad(at + 4) + z * loadQuad(at + 8), of + i);
    }
};

// The best aligned face around the vertex that reaches farthest. On a hull with many faces, the best aligned of all need not
// contain that vertex.
int faceAtFarthestVertex(const PlacedCore& core, const Vec3d& direction) {
    if (core.core.isBox || core.core.kind == CoreKind::Triangle)
        return mostAlignedFace(core, direction);
    const PolyhedronView& view = core.core.polyhedron;
    const Vec3d inner = innerDirection(core.placement, direction);
    const int farthest = core.core.farthestVertex(inner);
    int best = 0;
    double bestCosine = -2;
    for (int i = 0; i < view.edgeCount; ++i) {
        const PolyhedronView::Edge& edge = view.edges[i];
        if (edge.vertex0 != farthest && edge.vertex1 != farthest)
            continue;
        for (const int face : {int(edge.face0), int(edge.face1)}) {
            const double cosine = dot(view.normal(face), inner);
            if (cosine > bestCosine) {
                best = face;
                bestCosine = cosine;
            }
        }
    }
    return best;
}

}  // namespace

FlatFace flatFace(const PlacedCore& core, int face, double separation) {
    return {face, outerDirection(core.placement, core.core.polyhedron.normal(face)), separation};
}

FlatFace findFlatFace(const PlacedCore& core, const PlacedCore& other, const Vec3d& direction, int known) {
    FlatFace face;
    if (core.core.kind == CoreKind::Cylinder) {
        const double side = signOf(dot(core.placement.axisY, direction));
        face.index = side > 0 ? 1 : 0;
        face.normal = core.placement.axisY * side;
        face.separation = dot(face.normal, other.support(-face.normal) - core.placement.origin) - core.core.halfHeight;
        return face;
    }
    face.index = known >= 0 ? known : mostAlignedFace(core, direction);
    if (face.index < 0)
        return face;
    const PolyhedronView& view = core.core.polyhedron;
    face.normal = outerDirection(core.placement, view.normal(face.index));
    const Vec3d onFace = outerPoint(core.placement, view.vertex(view.faceVertices[view.faces[face.index].firstIndex]));
    face.separation = dot(face.normal, other.support(-face.normal) - onFace);
    return face;
}

void fillFace(const PlacedCore& core, int face, Patch& patch) {
    if (core.core.kind == CoreKind::Cylinder) {
        fillCap(core, face == 1 ? 1 : -1, core.placement.axisX, patch);
        return;
    }
    const PolyhedronView& view = core.core.polyhedron;
    const PolyhedronView::Face& f = view.faces[face];
    patch.kind = Patch::Kind::Polygon;
    patch.index = face;
    patch.normal = outerDirection(core.placement, view.normal(face));
    const int count = f.vertexCount < kMaxPatchVertices ? f.vertexCount : kMaxPatchVertices;
    patch.points.clear();
    for (int i = 0; i < count; ++i) {
        const int k = count == f.vertexCount ? i : i * f.vertexCount / count;
        patch.points.add(outerPoint(core.placement, view.vertex(view.faceVertices[f.firstIndex + k])));
    }
}

void fillFacing(const PlacedCore& core, const Vec3d& direction, Patch& patch) {
    switch (core.core.kind) {
        case CoreKind::Point:
        case CoreKind::Segment: fillVertices(core, patch); return;
        case CoreKind::Cylinder: fillFacingOfCylinder(core, direction, patch); return;
        case CoreKind::Polyhedron:
        case CoreKind::Triangle: fillFace(core, faceAtFarthestVertex(core, direction), patch); return;
    }
}

int fillLine(const PlacedCore& core, const Vec3d& direction, const Vec3d& along, Patch& patch) {
    const auto liesFlat = [&](const Vec3d& edge) { return std::fabs(dot(edge, direction)) <= kTouchingSine * length(edge); };
    if (core.core.kind == CoreKind::Point || core.core.kind == CoreKind::Segment) {
        fillVertices(core, patch);
        if (patch.count() == 2 && liesFlat(patch.points[1] - patch.points[0]))
            return 1;
    } else if (core.core.kind == CoreKind::Cylinder) {
        fillSideLine(core, direction, patch);
        if (liesFlat(core.placement.axisY))
            return 1;
    } else {
        const PolyhedronView& view = core.core.polyhedron;
        const Vec3d inner = innerDirection(core.placement, direction), innerAlong = innerDirection(core.placement, along);
        const int farthest = core.core.farthestVertex(inner);
        const double reach = dot(inner, view.vertex(farthest));
        const double longest = 2 * core.core.size;  // no edge is longer, which saves most of them the root
        const VertexReaches reaches(core.core, inner);
        const Real least = Real(reach - kTouchingSine * longest) - reaches.rounding;
        double best = -1;
        int lines = 0;
        for (int i = 0; i < view.edgeCount; ++i) {
            if (reaches.kept && (reaches.of[view.edges[i].vertex0] < least || reaches.of[view.edges[i].vertex1] < least))
                continue;
            const Vec3d p = view.vertex(view.edges[i].vertex0), q = view.vertex(view.edges[i].vertex1);
            const double lower = lesser(dot(inner, p), dot(inner, q));
            if (lower < reach - kTouchingSine * longest)
                continue;
            const Vec3d edge = q - p;
            const double edgeLength = length(edge), parallel = std::fabs(dot(edge, innerAlong));
            if (lower < reach - kTouchingSine * edgeLength)
                continue;
            ++lines;
            if (parallel <= best * edgeLength)
                continue;
            best = parallel / edgeLength;
            fillSegment(outerPoint(core.placement, p), outerPoint(core.placement, q), patch);
            patch.index = i;
        }
        if (lines > 0)
            return lines;
        patch.index = farthest;
    }
    patch.kind = Patch::Kind::Point;
    const Vec3d point = core.support(direction);
    patch.points.clear();
    patch.points.add(point);
    return 0;
}

}  // namespace sunder::collision
