// The pose of one body over time as a stream of small numbers: each frame is predicted from the frames before it, and what the
// prediction misses is written.
//
// Positions are whole numbers of quanta. Of three predictions (it stays, it keeps its velocity, it keeps its acceleration)
// the one with the smallest recent errors is used; the reader knows those errors too, so the choice is not written.
// Orientations are the three components that remain when a large one, kept positive, is left out, in units of 2^-16; they are
// predicted as staying or as turning on at the same rate. Arithmetic is on integers and on doubles with + - * / sqrt floor
// alone: a reader on another machine predicts the same numbers.
#pragma once

#include <array>
#include <cstdint>

#include "scene/recording/bits.h"
#include "sunder/types.h"

namespace sunder::scene {

struct RoundedPose {
    std::array<std::int64_t, 3> position{};  // quanta
    std::array<std::int32_t, 3> turn{};      // components of the quaternion but `dropped`, in 2^-16
    std::uint8_t dropped = 3;
    friend bool operator==(const RoundedPose&, const RoundedPose&) = default;
};

// Leaves out the component `preferred` as long as it is not small, so that a turning body does not change chart often.
RoundedPose roundPose(const Pose& pose, double quantum, std::uint8_t preferred);
Pose toPose(const RoundedPose& rounded, double quantum);

class PoseTrack {
public:
    const RoundedPose& current() const { return history_[0]; }

    // The first pose, or one that must be readable without those before it.
    void writeStart(BitWriter& out, const RoundedPose& pose);
    void readStart(BitReader& in);
    // A pose that differs from current().
    void writeMove(BitWriter& out, const RoundedPose& pose);
    void readMove(BitReader& in);
    void stay() { push(current()); }

private:
    using Turn = std::array<double, 4>;

    std::array<std::int64_t, 3> predictPosition(int order) const;
    std::array<std::int32_t, 3> predictTurn() const;
    void judge(const RoundedPose& pose, const std::array<std::int32_t, 3>& spun);
    int bestOrder() const;
    void start(const RoundedPose& pose);
    void push(const RoundedPose& pose);

    std::array<RoundedPose, 3> history_{};  // newest first
    Turn turn_{}, lastTurn_{};              // quaternions of the newest two
    std::array<std::uint64_t, 3> missed_{};
    std::array<std::uint64_t, 2> turnMissed_{};
    AdaptiveCode positionCode_, turnCode_;
};

}  // namespace sunder::scene
