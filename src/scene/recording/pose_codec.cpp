// See pose_codec.h.
#include "scene/recording/pose_codec.h"

#include <cmath>

namespace sunder::scene {

namespace {

constexpr double kTurnScale = 65536;  // units of a quaternion's component in 1
constexpr int kTurnBits = 18;         // of a component, with its sign
// A component at least this large may be left out: computed from the others, its error is then at most twice theirs.
constexpr double kLarge = 0.5;
// Quanta: larger misses of a prediction count as this much, so that sums of them cannot overflow.
constexpr std::uint64_t kLargestMiss = std::uint64_t(1) << 40;

using Turn = std::array<double, 4>;

double roundHalfUp(double x) { return std::floor(x + 0.5); }

Turn toTurn(const RoundedPose& pose) {
    Turn q{};
    double squares = 0;
    for (int i = 0, k = 0; i < 4; ++i)
        if (i != pose.dropped) {
            q[i] = pose.turn[k++] / kTurnScale;
            squares += q[i] * q[i];
        }
    q[pose.dropped] = std::sqrt(squares < 1 ? 1 - squares : 0);
    // Rounding may make the vector of the three components longer than 1.
    const double length = std::sqrt(squares + q[pose.dropped] * q[pose.dropped]);
    for (double& component : q)
        component /= length;
    return q;
}

// The components that are kept, with the sign that makes the dropped one positive.
std::array<std::int32_t, 3> keptComponents(const Turn& q, std::uint8_t dropped) {
    std::array<std::int32_t, 3> kept{};
    const double sign = q[dropped] < 0 ? -1 : 1;
    for (int i = 0, k = 0; i < 4; ++i)
        if (i != dropped)
            kept[k++] = std::int32_t(roundHalfUp(sign * q[i] * kTurnScale));
    return kept;
}

Turn product(const Turn& a, const Turn& b) {
    return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

std::uint64_t distance(std::int64_t a, std::int64_t b) {
    const std::uint64_t d = zigzag(minus(a, b));
    return d < kLargestMiss ? d : kLargestMiss;
}

}  // namespace

RoundedPose roundPose(const Pose& pose, double quantum, std::uint8_t preferred) {
    RoundedPose rounded;
    const double position[3] = {double(pose.position.x), double(pose.position.y), double(pose.position.z)};
    for (int i = 0; i < 3; ++i) {
        const double quanta = roundHalfUp(position[i] / quantum);
        rounded.position[i] = std::int64_t(quanta < -kFarthest ? -kFarthest : (quanta > kFarthest ? kFarthest : quanta));
    }
    Turn q = {double(pose.orientation.x), double(pose.orientation.y), double(pose.orientation.z), double(pose.orientation.w)};
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0))
        q = {0, 0, 0, 1};
    else
        for (double& component : q)
            component /= length;
    rounded.dropped = preferred;
    if (std::fabs(q[preferred]) < kLarge)
        for (std::uint8_t i = 0; i < 4; ++i)
            if (std::fabs(q[i]) > std::fabs(q[rounded.dropped]))
                rounded.dropped = i;
    rounded.turn = keptComponents(q, rounded.dropped);
    return rounded;
}

Pose toPose(const RoundedPose& rounded, double quantum) {
    const Turn q = toTurn(rounded);
    return {{Real(double(rounded.position[0]) * quantum), Real(double(rounded.position[1]) * quantum),
             Real(double(rounded.position[2]) * quantum)},
            {Real(q[0]), Real(q[1]), Real(q[2]), Real(q[3])}};
}

void PoseTrack::start(const RoundedPose& pose) {
    history_.fill(pose);
    turn_ = lastTurn_ = toTurn(pose);
    missed_ = {};
    turnMissed_ = {};
    positionCode_ = turnCode_ = {};
}

void PoseTrack::push(const RoundedPose& pose) {
    lastTurn_ = turn_;
    if (pose.turn != history_[0].turn || pose.dropped != history_[0].dropped)
        turn_ = toTurn(pose);
    history_[2] = history_[1];
    history_[1] = history_[0];
    history_[0] = pose;
}

void PoseTrack::writeStart(BitWriter& out, const RoundedPose& pose) {
    AdaptiveCode code;
    for (const std::int64_t coordinate : pose.position)
        code.write(out, coordinate);
    out.bits(pose.dropped, 2);
    for (const std::int32_t component : pose.turn)
        out.bits(std::uint32_t(component), kTurnBits);
    start(pose);
}

namespace {

void readTurn(BitReader& in, RoundedPose& pose) {
    pose.dropped = std::uint8_t(in.bits(2));
    for (std::int32_t& component : pose.turn)
        component = std::int32_t(std::uint32_t(in.bits(kTurnBits)) << (32 - kTurnBits)) >> (32 - kTurnBits);
}

}  // namespace

void PoseTrack::readStart(BitReader& in) {
    AdaptiveCode code;
    RoundedPose pose;
    for (std::int64_t& coordinate : pose.position)
        coordinate = code.read(in);
    readTurn(in, pose);
    start(pose);
}

std::array<std::int64_t, 3> PoseTrack::predictPosition(int order) const {
    std::array<std::int64_t, 3> predicted{};
    for (int i = 0; i < 3; ++i) {
        const std::int64_t a = history_[0].position[i], b = history_[1].position[i], c = history_[2].position[i];
        const std::int64_t step = minus(a, b), lastStep = minus(b, c);
        predicted[i] = order == 0 ? a : (order == 1 ? plus(a, step) : plus(a, plus(step, minus(step, lastStep))));
    }
    return predicted;
}

// q q_last^-1 q, the newest orientation turned on as it was turned last.
std::array<std::int32_t, 3> PoseTrack::predictTurn() const {
    const Turn back = {-lastTurn_[0], -lastTurn_[1], -lastTurn_[2], lastTurn_[3]};
    return keptComponents(product(product(turn_, back), turn_), history_[0].dropped);
}

int PoseTrack::bestOrder() const {
    int best = 0;
    for (int order = 1; order < 3; ++order)
        if (missed_[order] < missed_[best])
            best = order;
    return best;
}

void PoseTrack::judge(const RoundedPose& pose, const std::array<std::int32_t, 3>& spun) {
    for (int order = 0; order < 3; ++order) {
        const auto predicted = predictPosition(order);
        missed_[order] /= 2;
        for (int i = 0; i < 3; ++i)
            missed_[order] += distance(pose.position[i], predicted[i]);
    }
    turnMissed_[0] /= 2;
    turnMissed_[1] /= 2;
    for (int i = 0; i < 3; ++i) {
        turnMissed_[0] += distance(pose.turn[i], history_[0].turn[i]);
        turnMissed_[1] += distance(pose.turn[i], spun[i]);
    }
}

void PoseTrack::writeMove(BitWriter& out, const RoundedPose& pose) {
    const auto predicted = predictPosition(bestOrder());
    for (int i = 0; i < 3; ++i)
        positionCode_.write(out, minus(pose.position[i], predicted[i]));
    out.bits(pose.dropped != history_[0].dropped, 1);
    const auto spun = predictTurn();
    if (pose.dropped == history_[0].dropped) {
        const auto& turn = turnMissed_[1] < turnMissed_[0] ? spun : history_[0].turn;
        for (int i = 0; i < 3; ++i)
            turnCode_.write(out, pose.turn[i] - turn[i]);
    } else {
        out.bits(pose.dropped, 2);
        for (const std::int32_t component : pose.turn)
            out.bits(std::uint32_t(component), kTurnBits);
    }
    judge(pose, spun);
    push(pose);
}

void PoseTrack::readMove(BitReader& in) {
    RoundedPose pose;
    pose.position = predictPosition(bestOrder());
    for (std::int64_t& coordinate : pose.position)
        coordinate = plus(coordinate, positionCode_.read(in));
    const bool changesChart = in.bits(1) == 1;
    const auto spun = predictTurn();
    if (changesChart) {
        readTurn(in, pose);
    } else {
        pose.dropped = history_[0].dropped;
        const auto& turn = turnMissed_[1] < turnMissed_[0] ? spun : history_[0].turn;
        // A sound file stays within 18 bits; a damaged one must not leave them.
        for (int i = 0; i < 3; ++i)
            pose.turn[i] = std::int32_t(plus(turn[i], turnCode_.read(in)) % (std::int64_t(1) << kTurnBits));
    }
    judge(pose, spun);
    push(pose);
}

}  // namespace sunder::scene
