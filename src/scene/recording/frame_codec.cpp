// See frame_codec.h.
#include "scene/recording/frame_codec.h"

#include "math/quat.h"

namespace sunder::scene {

void FrameCodec::write(BinaryWriter& out, std::span<const std::uint32_t> living, std::span<const Pose> poses,
                       std::size_t fresh) {
    if (!living.empty() && tracks_.size() <= living.back())
        tracks_.resize(living.back() + 1);
    const std::size_t old = living.size() - fresh;
    rounded_.resize(living.size());
    moved_.resize(living.size());
    for (std::size_t i = 0; i < living.size(); ++i) {
        const RoundedPose& last = tracks_[living[i]].current();
        const bool good = isFinite(poses[i].position) && isFinite(poses[i].orientation);
        rounded_[i] = good ? roundPose(poses[i], quantum_, last.dropped) : last;
        moved_[i] = rounded_[i] != last;
    }
    BitWriter stream(out);
    AdaptiveCode runs;
    bool moving = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= old; ++i)
        if (i == old || bool(moved_[i]) != moving) {
            runs.write(stream, std::int64_t(i - begin));
            begin = i;
            moving = !moving;
        }
    for (std::size_t i = 0; i < old; ++i) {
        if (moved_[i])
            tracks_[living[i]].writeMove(stream, rounded_[i]);
        else
            tracks_[living[i]].stay();
    }
    for (std::size_t i = old; i < living.size(); ++i)
        tracks_[living[i]].writeStart(stream, rounded_[i]);
}

bool FrameCodec::read(std::span<const std::byte> bytes, std::span<const std::uint32_t> living, std::size_t fresh,
                      std::vector<Pose>& poses) {
    if (!living.empty() && tracks_.size() <= living.back())
        tracks_.resize(living.back() + 1);
    const std::size_t old = living.size() - fresh;
    moved_.assign(living.size(), 0);
    BitReader stream(bytes);
    AdaptiveCode runs;
    bool moving = false, first = true;
    for (std::size_t i = 0; i < old || first;) {
        const std::int64_t length = runs.read(stream);
        // Only the first run may be empty: every other one ends where the flag changes.
        if (stream.failed() || length < (first ? 0 : 1) || std::uint64_t(length) > old - i)
            return false;
        for (std::int64_t k = 0; k < length; ++k)
            moved_[i++] = moving;
        moving = !moving;
        first = false;
    }
    for (std::size_t i = 0; i < old && !stream.failed(); ++i) {
        if (moved_[i])
            tracks_[living[i]].readMove(stream);
        else
            tracks_[living[i]].stay();
    }
    for (std::size_t i = old; i < living.size() && !stream.failed(); ++i)
        tracks_[living[i]].readStart(stream);
    poses.resize(living.size());
    for (std::size_t i = 0; i < living.size(); ++i)
        poses[i] = toPose(tracks_[living[i]].current(), quantum_);
    return !stream.failed();
}

}  // namespace sunder::scene
