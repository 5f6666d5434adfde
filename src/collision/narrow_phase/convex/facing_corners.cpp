#include "collision/narrow_phase/convex/facing_corners.h"

#include "collision/narrow_phase/manifold/reduce.h"

namespace sunder::collision {
namespace {

// Bits 29 to 31 say what it is, then come the faces.
std::uint32_t featureOf(bool referenceIsB, int reference, int incident) {
    return 0xe0000000u | std::uint32_t(referenceIsB ? 1 : 0) << 28 | std::uint32_t(reference & 63) << 22 |
           std::uint32_t(incident & 63) << 16;
}

// Moves the points of a patch along the plane of another so that what lies over what along its normal is what did along
// `direction`, of which `cosine` is the part along the normal.
void shear(const Patch& plane, const Vec3d& direction, double cosine, Patch& patch) {
    const Vec3d along = plane.normal - direction * (1 / cosine);
    for (int i = 0; i < patch.count(); ++i)
        patch.points[i] = patch.points[i] + along * dot(plane.normal, patch.points[i] - plane.points[0]);
}

}  // namespace

void addFacingCorners(const CorePair& pair, const Vec3d& n, const FacingSide& sideA, const FacingSide& sideB,
                      ContactManifold& manifold) {
    if (pair.a.core.kind != CoreKind::Polyhedron || pair.b.core.kind != CoreKind::Polyhedron || sideA.face.index < 0 ||
        sideB.face.index < 0)
        return;
    const double cosineA = dot(sideA.face.normal, n), cosineB = -dot(sideB.face.normal, n);
    const bool referenceIsB = cosineB > cosineA;
    const double cosine = referenceIsB ? cosineB : cosineA;
    if (cosine < kFacingCosine)
        return;
    const FacingSide &under = referenceIsB ? sideB : sideA, &over = referenceIsB ? sideA : sideB;
    Patch reference, incident = over.line;
    fillFace(referenceIsB ? pair.b : pair.a, under.face.index, reference);
    if (lesser(cosineA, cosineB) > kFacingCosine)
        fillFace(referenceIsB ? pair.a : pair.b, over.face.index, incident);
    else if (incident.kind != Patch::Kind::Segment)
        return;
    const Vec3d direction = referenceIsB ? -n : n;
    shear(reference, direction, cosine, incident);
    PatchPoints corners;
    overlay(reference, incident, kOverlaySlack * lesser(pair.a.core.size, pair.b.core.size), corners);

    InlineList<ContactPoint, kMaxPatchPoints + kMaxManifoldPoints> points;
    for (int i = 0; i < manifold.count; ++i)
        points.add(manifold.points[i]);
    const Real nearby = kSamePlace * Real(lesser(pair.a.core.size, pair.b.core.size));
    const std::uint32_t faces = featureOf(referenceIsB, under.face.index, incident.index);
    for (int i = 0; i < corners.count(); ++i) {
        const PatchPoint& corner = corners[i];
        const double gap = dot(reference.normal, corner.onIncident - corner.onReference) / cosine;
        if (!(gap <= pair.margin))
            continue;
        const Vec3d onA = referenceIsB ? corner.onReference - n * gap : corner.onReference;
        const ContactPoint point{toReal(outerPoint(pair.outerFromCommon, onA)),
                                 toReal(outerPoint(pair.outerFromCommon, onA + n * gap)), Real(gap), faces | corner.feature};
        if (!isAmong(manifold, point.onA, nearby))
            points.add(point);
    }
    reduceToManifold(points.data(), points.count(), manifold.normal, manifold);
}

}  // namespace sunder::collision
