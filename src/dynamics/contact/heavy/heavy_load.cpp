#include "dynamics/contact/heavy/heavy_load.h"

#include <algorithm>
#include <bit>

namespace sunder::dynamics {

namespace {

// Most points of a block, and points from which on it takes no more of its light neighbours' contacts: the cost of a solve
// grows with the cube of their number.
constexpr int kMaxBlockPoints = 24, kMaxGrownPoints = 16;
// A value of inBlock_ while blocks are found, beside 0 and 1: the contact has no load and cannot touch in this step. It stays
// with the ordinary passes, which skip it at little cost.
constexpr std::uint8_t kIdle = 2;
constexpr std::size_t kLoadsPerTask = 1024;  // grain of the tasks

}  // namespace

void HeavyLoads::find(TaskRunner& tasks, std::span<const ContactLink> links, std::span<const ContactConstraint> constraints,
                      std::span<const SolverBody> moving, std::span<const SolverBodyConstants> bodies, Real massRatio, Real h,
                      Real dt) {
    constraints_.clear();
    blockFirst_.assign(1, 0);
    inBlock_.assign(links.size(), 0);
    colorFirst_.assign(1, 0);
    const auto ratioExceeded = [&](const ContactLink& link) {
        const SolverBodyConstants &a = bodies[link.bodyA], &b = bodies[link.bodyB];
        return a.isDynamic && b.isDynamic && max(a.mass, b.mass) > massRatio * min(a.mass, b.mass);
    };
    if (!(massRatio > 0) ||
        !anyInRanges(tasks, links.size(), kLoadsPerTask, [&](std::size_t i) { return ratioExceeded(links[i]); }))
        return;
    for (std::size_t i = 0; i < links.size(); ++i)
        if (links[i].loadedCount == 0 && !mayMeet(constraints[i], moving, 0, dt))
            inBlock_[i] = kIdle;
    listConstraints(links, bodies.size());
    queued_.assign(bodies.size(), 0);
    for (const bool areLoaded : {true, false})
        for (const ContactLink& link : links) {
            if ((link.loadedCount > 0) != areLoaded || !ratioExceeded(link))
                continue;
            const bool aIsLight = bodies[link.bodyA].mass < bodies[link.bodyB].mass;
            const std::uint32_t light = aIsLight ? link.bodyA : link.bodyB;
            const std::uint32_t heavy = aIsLight ? link.bodyB : link.bodyA;
            const SolverBodyConstants& body = bodies[light];
            if (queued_[light])
                continue;
            if (areLoaded ? !(link.load > massRatio * body.mass * length(body.acceleration) * h)
                          : inBlock_[static_cast<std::size_t>(&link - links.data())] == kIdle)
                continue;
            const bool isBetween = collectBlock(links, bodies, light, bodies[heavy].mass / massRatio);
            if (!touchesHeavyBody_ || (!isBetween && !areLoaded))
                dropBlock();
            else if (constraints_.size() > blockFirst_.back())
                blockFirst_.push_back(static_cast<std::uint32_t>(constraints_.size()));
        }
    for (std::uint8_t& inBlock : inBlock_)
        inBlock = inBlock == 1;
    colorBlocks(links, bodies);
}

// Gives each block the lowest colour that none of its bodies has, in the order in which blocks were found. Where no colour is
// left, a block gets one of its own.
void HeavyLoads::colorBlocks(std::span<const ContactLink> links, std::span<const SolverBodyConstants> bodies) {
    constexpr std::uint32_t kColors = 64;  // bits of the word that keeps a body's colours
    const std::size_t count = blockFirst_.size() - 1;
    bodyColors_.assign(bodies.size(), 0);
    colorOf_.resize(count);
    std::uint32_t used = 0, alone = kColors;
    for (std::size_t i = 0; i < count; ++i) {
        const auto forEachBody = [&](auto&& visit) {
            for (std::uint32_t k = blockFirst_[i]; k < blockFirst_[i + 1]; ++k)
                for (const std::uint32_t body : {links[constraints_[k]].bodyA, links[constraints_[k]].bodyB})
                    if (bodies[body].isDynamic)
                        visit(bodyColors_[body]);
        };
        std::uint64_t taken = 0;
        forEachBody([&](std::uint64_t colors) { taken |= colors; });
        const auto free = static_cast<std::uint32_t>(std::countr_one(taken));
        colorOf_[i] = free < kColors ? free : alone++;
        used = std::max(used, free < kColors ? free + 1 : kColors);
        if (free < kColors)
            forEachBody([&](std::uint64_t& colors) { colors |= 1ull << free; });
    }
    colorFirst_.assign(used + (alone - kColors) + 1, 0);
    for (const std::uint32_t color : colorOf_)
        ++colorFirst_[color + 1];
    for (std::size_t color = 1; color < colorFirst_.size(); ++color)
        colorFirst_[color] += colorFirst_[color - 1];
    if (blocks_.size() < count)
        blocks_.resize(count);
    // Filling from the back of each colour moves every end one place down: colorFirst_[c + 1] is then where colour c begins.
    for (std::size_t i = count; i-- > 0;)
        blocks_[--colorFirst_[colorOf_[i] + 1]].begin(
            std::span(constraints_).subspan(blockFirst_[i], blockFirst_[i + 1] - blockFirst_[i]), links, bodies);
    colorFirst_.erase(colorFirst_.begin());
    colorFirst_.push_back(static_cast<std::uint32_t>(count));
}

void HeavyLoads::listConstraints(std::span<const ContactLink> links, std::size_t bodyCount) {
    bodyFirst_.assign(bodyCount + 1, 0);
    for (const ContactLink& link : links) {
        ++bodyFirst_[link.bodyA + 1];
        ++bodyFirst_[link.bodyB + 1];
    }
    for (std::size_t i = 0; i < bodyCount; ++i)
        bodyFirst_[i + 1] += bodyFirst_[i];
    bodyConstraints_.resize(bodyFirst_.back());
    // Filling from the back moves every start one place down: bodyFirst_[b + 1] is then where body b begins.
    for (std::size_t i = links.size(); i-- > 0;) {
        bodyConstraints_[--bodyFirst_[links[i].bodyA + 1]] = static_cast<std::uint32_t>(i);
        bodyConstraints_[--bodyFirst_[links[i].bodyB + 1]] = static_cast<std::uint32_t>(i);
    }
}

// Collects all contacts of the light body, then those of its light neighbours, nearest first. Returns whether these bodies lie
// between at least two other ones.
bool HeavyLoads::collectBlock(std::span<const ContactLink> links, std::span<const SolverBodyConstants> bodies,
                              std::uint32_t lightBody, Real heaviestLight) {
    queue_.assign(1, lightBody);
    queued_[lightBody] = 1;
    int points = 0;
    bool isBetween = false;
    touchesHeavyBody_ = false;
    std::int64_t firstOther = -1;
    for (std::size_t next = 0; next < queue_.size(); ++next) {
        const std::uint32_t body = queue_[next];
        const int most = next == 0 ? kMaxBlockPoints : kMaxGrownPoints;
        const std::uint32_t end =
            body + 2 < bodyFirst_.size() ? bodyFirst_[body + 2] : static_cast<std::uint32_t>(bodyConstraints_.size());
        for (std::uint32_t i = bodyFirst_[body + 1]; i < end; ++i) {
            const std::uint32_t index = bodyConstraints_[i];
            const ContactLink& link = links[index];
            if (inBlock_[index] || points + link.pointCount > most)
                continue;
            inBlock_[index] = 1;
            points += link.pointCount;
            constraints_.push_back(index);
            const std::uint32_t other = link.bodyA == body ? link.bodyB : link.bodyA;
            if (!bodies[other].isDynamic || !(bodies[other].mass < heaviestLight)) {
                touchesHeavyBody_ = touchesHeavyBody_ || bodies[other].isDynamic;
                isBetween = isBetween || (firstOther >= 0 && firstOther != std::int64_t(other));
                firstOther = std::int64_t(other);
            } else if (!queued_[other]) {
                queued_[other] = 1;
                queue_.push_back(other);
            }
        }
    }
    return isBetween;
}

// Gives up the block just collected. The light body that it began with is not tried again; its neighbours may be.
void HeavyLoads::dropBlock() {
    for (std::size_t i = blockFirst_.back(); i < constraints_.size(); ++i)
        inBlock_[constraints_[i]] = 0;
    constraints_.resize(blockFirst_.back());
    for (std::size_t i = 1; i < queue_.size(); ++i)
        queued_[queue_[i]] = 0;
}

}  // namespace sunder::dynamics
