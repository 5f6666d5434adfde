// The motion of every body of a recording, gathered for formats that want it body by body.
#pragma once

#include <vector>

#include "render/palette.h"
#include "sunder/scene/exports.h"

namespace sunder::scene {

// Poses of a track while it is there. Frames at either end in which it does not move are left out but for one, so a body that
// never moves has a single pose.
struct TrackMotion {
    int firstFrame = 0;
    std::vector<Pose> poses;  // neighbouring quaternions lie on the same side
    bool moves() const { return poses.size() > 1; }
};

struct Motions {
    std::vector<TrackMotion> tracks;
    std::vector<render::Look> looks;
    bool finished = false;  // false: progress asked to end
};
Motions gatherMotions(Recording& recording, const ExportProgress& progress);

// A name in which only letters, digits and _ are left.
std::string plainName(const std::string& name);

}  // namespace sunder::scene
