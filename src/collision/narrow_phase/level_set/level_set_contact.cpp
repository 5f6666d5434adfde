#include "collision/narrow_phase/level_set/level_set_contact.h"

#include <span>

#include "collision/narrow_phase/level_set/level_set_partners.h"
#include "collision/narrow_phase/level_set/separating_plane.h"
#include "collision/narrow_phase/level_set/tangled.h"

namespace sunder::collision {
namespace {

// Share of the finer grid's cell: contacts this close to the deepest one shape the normal (the "blend").
constexpr Real kBlendCells = Real(0.5);
// Cells by which a distance is lowered: interpolated distances change by a little more than a point moves.
constexpr Real kSlackCells = Real(0.25);

// Cells of the finer grid. Where a body may move farther than this in the step, as the far edge of a falling wall does, nearly
// every point outside the first manifold counts for a second one. Among shards that many far points only made their heap sink
// in, so slow bodies get the stricter limits.
constexpr Real kFastCells = 3;
constexpr PointLimits kFast{1, Real(0.125)}, kSlow{4, Real(0.25)};
// The band where both bodies are held: first of all their manifold must have what bears them. With a whole blend a shard stood
// on two tips of which only one was chosen, beside three points a millimetre above the floor, and rocked from the one to the
// other for ever. Of 200 heaps of 60 shards 14 did not fall asleep; now one does not.
constexpr Real kHeldBand = Real(0.2);

PointLimits limitsOf(const BuiltShape& other, const Range& range, Real cell) {
    PointLimits limits = other.type != ShapeType::LevelSet && range.margin > kFastCells * cell ? kFast : kSlow;
    limits.band = range.areHeld ? kHeldBand : Real(1);
    return limits;
}

// Distance of the boxes along the axes of either (m); not positive where they may overlap.
Real gapAlongAxes(const Bounds& a, const Bounds& b, const Mat3& aFromB, const Vec3& offset) {
    const Vec3 middle = aFromB * center(b) + offset - center(a);
    const Vec3 halfA = (a.high - a.low) * Real(0.5), halfB = (b.high - b.low) * Real(0.5);
    const Mat3 absolute{abs(aFromB.row0), abs(aFromB.row1), abs(aFromB.row2)};
    const Vec3 alongA = abs(middle) - halfA - absolute * halfB;
    const Vec3 alongB = abs(transposeTimes(aFromB, middle)) - halfB - transposeTimes(absolute, halfA);
    return max(max(max(alongA.x, alongA.y), max(alongA.z, alongB.x)), max(alongB.y, alongB.z));
}

Real collideFields(const LevelSetShape& a, const Pose& poseA, const LevelSetShape& b, const Pose& poseB, Range range,
                   std::vector<ParticleContact>& contacts) {
    const ProbeFrames bFromA(poseA, poseB), aFromB(poseB, poseA);
    const Real gap = gapAlongAxes(a.bounds, b.bounds, aFromB.rotation, aFromB.offset);
    if (gap > range.margin)
        return gap;
    const PlaneSearch planes(a, poseA, b, poseB);
    for (int i = 0; i < PlaneSearch::kAxes; ++i)
        if (const Real apart = planes.gapAlong(planes.axis(i), range.margin); apart > range.margin)
            return apart;
    const Real ofA = addParticlesInField(a, poseA, bFromA, b, range, false, contacts);
    const Real ofB = addParticlesInField(b, poseB, aFromB, a, range, true, contacts);
    return min(ofA, ofB) - kSlackCells * max(a.field().grid.cell, b.field().grid.cell);
}

// Drops contacts beyond the spread that were found before the nearest one was known.
void dropFar(std::vector<ParticleContact>& contacts, Real spread) {
    Real least = kInfinity;
    for (const ParticleContact& contact : contacts)
        least = min(least, contact.separation);
    std::erase_if(contacts, [&](const ParticleContact& contact) { return contact.separation > least + spread; });
}

// Moves manifolds from the frame of `pose` to the common frame.
void toFrameOf(const Pose& pose, std::span<ContactManifold> manifolds) {
    for (ContactManifold& manifold : manifolds) {
        manifold.normal = rotate(pose.orientation, manifold.normal);
        for (int i = 0; i < manifold.count; ++i) {
            manifold.points[i].onA = transformPoint(pose, manifold.points[i].onA);
            manifold.points[i].onB = transformPoint(pose, manifold.points[i].onB);
        }
    }
}

}  // namespace

Real collideLevelSet(const BuiltShape& levelSet, const Pose& poseLevelSet, const BuiltShape& other, const Pose& poseOther,
                     const Range& range, ManifoldList& out, KnownManifolds known) {
    thread_local std::vector<ParticleContact> contacts;
    contacts.clear();
    const LevelSetShape& own = *levelSet.levelSet;
    Real cell = own.field().grid.cell, distance = 0;
    std::optional<BoxFace> face;
    if (other.type == ShapeType::LevelSet) {
        cell = min(cell, other.levelSet->field().grid.cell);
        distance = collideFields(own, poseLevelSet, *other.levelSet, poseOther, range, contacts);
    } else if (other.type == ShapeType::Mesh) {
        distance = collideWithMesh(own, poseLevelSet, *other.mesh, poseOther, range.margin, contacts);
    } else if (const ProbeFrames toOther(poseLevelSet, poseOther);
               (face = faceBelow(own, toOther, other, range.margin)).has_value()) {
        distance = collideWithFace(own, toOther, other, *face, range, contacts);
    } else {
        distance = collideWithConvex(own, poseLevelSet, other, poseOther, range, contacts);
    }
    if (contacts.empty())
        return max(range.margin, distance);
    if (other.type == ShapeType::LevelSet &&
        collideTangled(own, poseLevelSet, *other.levelSet, poseOther, contacts, range, out))
        return 0;
    if (range.spread < kInfinity)
        dropFar(contacts, range.spread);
    const PointLimits limits = limitsOf(other, range, cell);
    if (!face) {
        appendManifolds(contacts, poseLevelSet.orientation, kBlendCells * cell, limits, known, out);
        return 0;
    }
    const std::size_t first = out.size();
    appendFlatManifolds(contacts, conjugate(poseOther.orientation) * poseLevelSet.orientation, kBlendCells * cell, limits,
                        known, out);
    toFrameOf(poseOther, std::span(out).subspan(first));
    return 0;
}

}  // namespace sunder::collision
