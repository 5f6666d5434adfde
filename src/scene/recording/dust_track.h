// Dust in a recording: one body that deforms, of a small tetrahedron for every grain, so that all that draws recordings shows
// it.
#pragma once

#include "sunder/scene/recording.h"
#include "sunder/world.h"

namespace sunder::scene {

class DustTrack {
public:
    // Follows the dust that is in the air. Returns its track while there is any.
    std::uint32_t follow(const World& world, RecordingWriter& writer, std::vector<MovingVertices>& moving);

private:
    std::uint32_t track_ = kNoTrack;
    std::size_t grains_ = 0;
    std::vector<Vec3> positions_;
};

}  // namespace sunder::scene
