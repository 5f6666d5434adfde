// The filters themselves, over a life and live: what is held, what is averaged, and what moves a held pose.
#include <algorithm>
#include <cmath>

#include "math/quat.h"
#include "math/trigonometry.h"
#include "sunder/describe.h"
#include "sunder/scene/filters.h"

namespace sunder {

namespace {

constexpr int kMostFrames = 100;

// 0 where the pose is inside the envelope about the held one, else the share of the way to it that brings the held one so near
// that it is.
double shareOutside(const Pose& held, const Pose& pose, const PoseFilter& filter) {
    const double distance = double(length(pose.position - held.position));
    const double angle = double(length(rotationVectorBetween(held.orientation, pose.orientation)));
    double share = 0;
    if (distance > filter.distance)
        share = 1 - filter.distance / distance;
    if (angle > filter.angleDegrees * kDegree)
        share = std::max(share, 1 - filter.angleDegrees * kDegree / angle);
    return share;
}

void moveHeld(Pose& held, const Pose& pose, const PoseFilter& filter) {
    const double share = shareOutside(held, pose, filter);
    if (!(share > 0))
        return;
    if (filter.kind == PoseFilterKind::Envelope) {
        held = pose;
        return;
    }
    const Vec3 turn = rotationVectorBetween(held.orientation, pose.orientation);
    held.position += (pose.position - held.position) * Real(share);
    held.orientation = normalize(quatFromRotationVector(turn * Real(share)) * held.orientation);
}

}  // namespace

std::vector<std::string> validate(const PoseFilter& filter) {
    std::vector<std::string> problems;
    const auto check = [&](const char* name, double value, double high, const char* allowed) {
        if (!(value >= 0 && value <= high))
            problems.push_back(std::string(name) + ": " + numberText(value) + " is not allowed (" + allowed + ")");
    };
    if (filter.kind > PoseFilterKind::Follow)
        problems.push_back("kind: " + std::to_string(int(filter.kind)) + " is not allowed (box, envelope, follow)");
    check("frames", filter.frames, kMostFrames, "0 to 100");
    check("distance", filter.distance, 1e6, "0 to 1e6 m");
    check("angle_degrees", filter.angleDegrees, 180, "0 to 180");
    return problems;
}

std::vector<Pose> filterPoses(std::span<const Pose> poses, const PoseFilter& filter) {
    std::vector<Pose> result(poses.begin(), poses.end());
    if (poses.empty())
        return result;
    if (filter.kind == PoseFilterKind::Box) {
        for (std::size_t i = 0; i < poses.size(); ++i) {
            const std::size_t side = std::min({std::size_t(filter.frames), i, poses.size() - 1 - i});
            result[i] = meanPose(poses.subspan(i - side, 2 * side + 1));
        }
        return result;
    }
    Pose held = poses[0];
    for (std::size_t i = 1; i < poses.size(); ++i) {
        moveHeld(held, poses[i], filter);
        result[i] = held;
    }
    return result;
}

LivePoseFilter::LivePoseFilter(const PoseFilter& filter) : filter_(filter) {
    const std::vector<std::string> problems = validate(filter);
    if (!problems.empty())
        throw Error("filter: " + problems.front());
}

Pose LivePoseFilter::operator()(std::uint64_t key, const Pose& pose) {
    History& history = histories_[key];
    if (filter_.kind != PoseFilterKind::Box) {
        if (!history.isHeld)
            history.held = pose;
        history.isHeld = true;
        moveHeld(history.held, pose, filter_);
        return history.held;
    }
    history.poses.push_back(pose);
    if (history.poses.size() > std::size_t(filter_.frames) + 1)
        history.poses.pop_front();
    const std::vector<Pose> recent(history.poses.begin(), history.poses.end());
    return meanPose(recent);
}

void LivePoseFilter::forget(std::uint64_t key) { histories_.erase(key); }

}  // namespace sunder
