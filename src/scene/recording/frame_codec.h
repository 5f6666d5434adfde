// The poses of one frame: which bodies moved, as lengths of runs, and how.
#pragma once

#include <span>
#include <vector>

#include "scene/recording/pose_codec.h"

namespace sunder::scene {

class FrameCodec {
public:
    explicit FrameCodec(double quantum = 1) : quantum_(quantum) {}

    // One pose per living track, ascending; the last `fresh` of them have just appeared, and in a keyframe all count as such.
    // Poses that are not finite leave their body where it was.
    void write(BinaryWriter& out, std::span<const std::uint32_t> living, std::span<const Pose> poses, std::size_t fresh);
    // False where the bytes cannot be decoded. The frames before it must have been read in order, from a keyframe on.
    bool read(std::span<const std::byte> bytes, std::span<const std::uint32_t> living, std::size_t fresh,
              std::vector<Pose>& poses);

private:
    double quantum_;
    std::vector<PoseTrack> tracks_;  // by number; those that are gone are not used again
    std::vector<RoundedPose> rounded_;
    std::vector<std::uint8_t> moved_;
};

}  // namespace sunder::scene
