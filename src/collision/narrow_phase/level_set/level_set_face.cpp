// A level set over the middle of a flat face, as on the ground: hundreds of its particles are near, all with one normal, and no
// edge of the box is near.
#include "collision/narrow_phase/level_set/level_set_partners.h"

namespace sunder::collision {
namespace {

// The face as a distance function for particles.
struct FaceProbe {
    const BoxFace& face;
    const Bounds& bounds;

    Quad boundFour(const geometry::PointBlock& points) const {
        const Quad along = face.axis == 0 ? points.x : (face.axis == 1 ? points.y : points.z);
        return face.sign * along - face.height;
    }
    void sampleFour(const geometry::PointBlock& points, geometry::SampleBlock& out) const {
        out.distance = boundFour(points);
        out.gradientX = out.gradientY = out.gradientZ = quadOf(0);  // not needed: the normal is the face's
    }
};

Vec3 normalOf(const BoxFace& face) {
    Vec3 normal;
    setComponent(normal, face.axis, face.sign);
    return normal;
}

}  // namespace

std::optional<BoxFace> faceBelow(const LevelSetShape& own, const ProbeFrames& boxFromOwn, const BuiltShape& box, Real margin) {
    if (box.type != ShapeType::Box)
        return {};
    const Mat3 absolute{abs(boxFromOwn.rotation.row0), abs(boxFromOwn.rotation.row1), abs(boxFromOwn.rotation.row2)};
    const Vec3 middle = boxFromOwn.rotation * center(own.bounds) + boxFromOwn.offset;
    const Vec3 extent = absolute * ((own.bounds.high - own.bounds.low) * Real(0.5));
    const Vec3 nearest = abs(middle) - extent - box.halfExtents, farthest = abs(middle) + extent - box.halfExtents;
    const int axis = nearest.x >= nearest.y && nearest.x >= nearest.z ? 0 : (nearest.y >= nearest.z ? 1 : 2);
    const Real half = component(box.halfExtents, axis), lowest = component(nearest, axis);
    const Real beside = max(component(farthest, (axis + 1) % 3), component(farthest, (axis + 2) % 3));
    // No other face may be nearer to any particle, no other face within three times the depth, and no edge within reach of the
    // bounds.
    if (!(beside < min(3 * lowest, -2 * margin)) || !(lowest > 2 * margin - 2 * half) || !(lowest > -half))
        return {};
    return BoxFace{axis, component(middle, axis) < 0 ? Real(-1) : Real(1), half};
}

Real collideWithFace(const LevelSetShape& own, const ProbeFrames& boxFromOwn, const BuiltShape& box, const BoxFace& face,
                     Range range, std::vector<ParticleContact>& contacts) {
    const Real margin = range.margin, touching = kTouchingCells * own.field().grid.cell;
    const Vec3 normal = normalOf(face), normalInOwn = transposeTimes(boxFromOwn.rotation, normal);
    const FaceProbe probe{face, box.localBounds};
    const auto found = [&](int i, const Vec3& point, const geometry::FieldSample& sample) {
        const Reading reading = readingOf(sample.distance, touching, box.innerRadius);
        if (!facesPlane(normalInOwn, probed(own, std::size_t(i), reading, true)))
            return;
        contacts.push_back({point, -normal, sample.distance, particleFeature(i, false), false});
        range.margin = min(range.margin, sample.distance + range.spread);
    };
    return min(probeParticles(own, boxFromOwn, probe, range.margin, found), margin);
}

}  // namespace sunder::collision
