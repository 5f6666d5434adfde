// The motion of a part of a solid that has torn: that of its nodes, in a frame of its own.
#pragma once

#include "deformable/frame/rotating_frame.h"

namespace sunder::deformable {

struct PartMotion {
    FrameMotion motion;
    std::vector<Vec3> positions, velocities;  // of the part's nodes, in its frame (see NodeMotion)
};

// nodeFrom: per node of the part that of the whole. The part's frame has the orientation of the whole's; momentum and angular
// momentum of the nodes are kept.
PartMotion motionOfPart(const SolidModel& whole, const FrameMotion& motion, std::span<const Vec3> positions,
                        std::span<const Vec3> velocities, const SolidModel& part, std::span<const std::uint32_t> nodeFrom);

}  // namespace sunder::deformable
