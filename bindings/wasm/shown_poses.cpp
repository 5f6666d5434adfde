// Where bodies are shown: as they are, or behind a filter that hides trembling. See playground.h.
#include "playground.h"

namespace sunder::web {

namespace {

std::uint64_t keyOf(const ListedBody& body) { return (std::uint64_t(body.index) << 32) | body.generation; }

}  // namespace

void Playground::useFilter(const std::optional<PoseFilter>& filter) {
    if (filter && !validate(*filter).empty())
        throw Error("filter: " + validate(*filter).front());
    filter_ = filter;
    livePoses_.reset();
    shown_.clear();
    filteredFrame_ = kNoFrame;
    if (runner_)
        listBodies();
    else if (recording_)
        listRecording();
}

void Playground::beginPoses() {
    poses_.clear();
    states_.clear();
    clearMovers();
    listed_.clear();
    const int frame = recording_ ? recording_->frame() : runner_->frame();
    // A history is one of frames that follow each other.
    if (filter_ && frame != filteredFrame_ && frame != filteredFrame_ + 1) {
        livePoses_.emplace(*filter_);
        shown_.clear();
        filteredFrame_ = frame - 1;
    }
}

// After its state. Called again in the same frame it shows what it showed; bodies that deform, and fixed ones, are shown as
// they are.
void Playground::appendPose(const ListedBody& body, const Pose& pose, bool isRigid) {
    Pose shown = pose;
    if (livePoses_ && isRigid && states_.back() != BodyState::Static) {
        const std::uint64_t key = keyOf(body);
        const int frame = recording_ ? recording_->frame() : runner_->frame();
        const auto known = shown_.find(key);
        shown = frame == filteredFrame_ && known != shown_.end() ? known->second : (*livePoses_)(key, pose);
        listed_[key] = shown;
    }
    const auto& [p, q] = shown;
    poses_.insert(poses_.end(), {float(p.x), float(p.y), float(p.z), float(q.x), float(q.y), float(q.z), float(q.w)});
}

void Playground::endPoses() {
    if (!livePoses_)
        return;
    for (const auto& [key, pose] : shown_)
        if (listed_.find(key) == listed_.end())
            livePoses_->forget(key);
    shown_.swap(listed_);
    filteredFrame_ = recording_ ? recording_->frame() : runner_->frame();
}

}  // namespace sunder::web
