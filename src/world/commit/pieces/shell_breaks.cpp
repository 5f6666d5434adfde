#include "world/commit/pieces/shell_breaks.h"

#include <algorithm>
#include <utility>

#include "world/commit/pieces/make_pieces.h"

namespace sunder::world {

namespace {

// Breaks that are found at once, and the first few where a budget may refuse them: nothing is known of their work before.
constexpr std::size_t kMostAtOnce = 64, kFirstWithinBudget = 4;

}  // namespace

ShellBreaks::ShellBreaks(WorldState& world, std::size_t count, RequestAt requestAt)
    : world_(world), requestAt_(std::move(requestAt)), made_(count), workBefore_(world.breaking.workDone) {}

ShellBreak* ShellBreaks::of(std::size_t number) {
    if (number >= end_)
        findFrom(number);
    ++tried_;
    return made_[number] ? &*made_[number] : nullptr;
}

// As many as would fit if they were like those of the step so far.
std::size_t ShellBreaks::mostAtOnce() const {
    const BreakingState& breaking = world_.breaking;
    const int breaks = static_cast<int>(breaking.count - breaking.countBefore);
    const int pieces = breaks > 0 ? std::max(breaking.piecesMade / breaks, 2) : 2;
    std::size_t most =
        std::min(kMostAtOnce, std::size_t(std::max(world_.def.mostPiecesPerStep - breaking.piecesMade, 0) / pieces));
    if (const double budget = double(world_.def.breakingBudget); budget > 0) {
        const double work = breaking.workDone - workBefore_;
        const double fitting = std::max(budget - breaking.workDone, 0.0) * double(tried_) / std::max(work, 1e-30);
        most = std::min(most, tried_ == 0 ? kFirstWithinBudget : std::size_t(std::min(fitting, double(kMostAtOnce))));
    }
    return most;
}

void ShellBreaks::findFrom(std::size_t number) {
    std::vector<std::size_t> which;
    const auto isAmong = [&](BodyId body) {
        return std::any_of(which.begin(), which.end(), [&](std::size_t i) { return requestAt_(i)->body == body; });
    };
    const std::size_t most = mostAtOnce();
    for (end_ = number; end_ < made_.size() && which.size() < most; ++end_) {
        const BreakRequest* request = requestAt_(end_);
        if (!request || !canBreakBesideOthers(world_, world_.bodies[request->body.index]))
            continue;
        if (isAmong(request->body))  // it depends on what becomes of the body before
            break;
        which.push_back(end_);
    }
    end_ = std::max(end_, number + 1);
    if (which.size() < 2)
        return;
    runTasks(*world_.tasks, int(which.size()), [&](int k) {
        const BreakRequest& request = *requestAt_(which[std::size_t(k)]);
        const auto alone = makeSerialRunner();
        made_[which[std::size_t(k)]] =
            shellBreakOf(world_, world_.bodies[request.body.index], request, world_.def.mostPiecesPerStep, *alone);
    });
}

}  // namespace sunder::world
