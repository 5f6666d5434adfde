#include "deformable/frame/part_motion.h"

#include "math/vec3d.h"

namespace sunder::deformable {

PartMotion motionOfPart(const SolidModel& whole, const FrameMotion& motion, std::span<const Vec3> positions,
                        std::span<const Vec3> velocities, const SolidModel& part, std::span<const std::uint32_t> nodeFrom) {
    const std::size_t count = part.nodeCount();
    const Mat3 worldFromBody = toMatrix(motion.worldFromBody), bodyFromWorld = transpose(worldFromBody);
    std::vector<Vec3> offsets(count), moving(count);  // world axes; from the centre of the whole, relative to its velocity
    Vec3d center{}, velocity{};
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t from = nodeFrom[i];
        offsets[i] = worldFromBody * (positions[from] - whole.center);
        moving[i] = cross(motion.angularVelocity, offsets[i]) + worldFromBody * velocities[from];
        center = center + toDouble(offsets[i]) * double(part.nodeMass[i]);
        velocity = velocity + toDouble(moving[i]) * double(part.nodeMass[i]);
    }
    const Vec3 shift = toReal(center * (1 / double(part.mass))), drift = toReal(velocity * (1 / double(part.mass)));
    std::vector<Four> arms(count);
    Vec3d momentum{};
    for (std::size_t i = 0; i < count; ++i) {
        offsets[i] -= shift;
        moving[i] -= drift;
        arms[i] = toFour(offsets[i]);
        momentum = momentum + toDouble(cross(offsets[i], moving[i])) * double(part.nodeMass[i]);
    }
    PartMotion out;
    out.motion.center = motion.center + shift;
    out.motion.worldFromBody = motion.worldFromBody;
    out.motion.velocity = motion.velocity + drift;
    const Vec3 spin = out.motion.angularVelocity = solve(inertiaOf(part, arms), toReal(momentum));
    for (std::size_t i = 0; i < count; ++i) {
        out.positions.push_back(bodyFromWorld * offsets[i] + part.center);
        out.velocities.push_back(bodyFromWorld * (moving[i] - cross(spin, offsets[i])));
    }
    return out;
}

}  // namespace sunder::deformable
