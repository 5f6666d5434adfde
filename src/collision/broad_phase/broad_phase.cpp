// The broad phase: proxies, the pairs that moved proxies find, and the upkeep of the trees.
#include "collision/broad_phase/broad_phase.h"

#include <algorithm>

namespace sunder::collision {
namespace {

// Share of the body's largest extent by which fat bounds exceed the tight ones, with a cap: small pieces of a pile must not see
// their neighbours' neighbours, and large bodies gain nothing from a wider margin.
constexpr Real kMarginFraction = Real(0.05);
constexpr Real kLargestMargin = Real(0.1);  // m
// Fat bounds reach this many expected displacements ahead; more means fewer re-insertions but more false pairs.
constexpr Real kLookAhead = 2;
// Bounds are loose where they exceed new ones by this many margins plus this many displacements. A smaller excess is left
// alone: the displacement of a moving body changes too often to follow it.
constexpr Real kLooseMargins = 2, kLooseWays = 4;
// Below this many leaves a tree is never worth rebuilding.
constexpr int kSmallestRebuild = 64;
// Changes of every leaf, on average, between two looks at a tree.
constexpr int kChangesPerLook = 2;
// A tree is rebuilt when the cost of a query has grown by this factor.
constexpr Real kWorstDegradation = Real(1.25);
// A larger count of changes since the last look can only be corrupt data.
constexpr int kMostChanges = 1 << 29;

Real marginOf(const Bounds& tight) {
    const Vec3 extent = tight.high - tight.low;
    return min(kMarginFraction * max(extent.x, max(extent.y, extent.z)), kLargestMargin);
}

}  // namespace

Bounds fatten(const Bounds& tight, const Vec3& displacement) {
    const Vec3 ahead = displacement * kLookAhead;
    const Bounds fat = expand(tight, marginOf(tight));
    return {fat.low + min(ahead, Vec3{}), fat.high + max(ahead, Vec3{})};
}

std::uint32_t BroadPhase::add(Motion motion, const Bounds& fat, std::uint32_t collider) {
    std::uint32_t proxy = free_;
    if (proxy == kNone) {
        proxy = std::uint32_t(proxies_.size());
        proxies_.emplace_back();
    } else {
        free_ = proxies_[proxy].collider;
    }
    proxies_[proxy] = {tree(motion).insert(fat, proxy), collider, kNone, motion};
    // A static or kinematic proxy that nothing overlaps need not look for pairs: whatever comes near will find it.
    if (motion == Motion::Dynamic || overlapsAny(Motion::Dynamic, fat))
        markMoved(proxy);
    // A tree that has doubled is rebuilt at once, so that the first step after loading a world need not do it.
    Upkeep& upkeep = upkeep_[int(motion)];
    if (++upkeep.changes >= tree(motion).leafCount() && tree(motion).leafCount() >= kSmallestRebuild)
        rebuild(*makeSerialRunner(), motion);
    return proxy;
}

void BroadPhase::remove(std::uint32_t proxy) {
    Proxy& removed = proxies_[proxy];
    tree(removed.motion).remove(removed.leaf);
    if (removed.movedSlot != kNone) {
        const std::uint32_t last = moved_.back();
        moved_[removed.movedSlot] = last;
        proxies_[last].movedSlot = removed.movedSlot;
        moved_.pop_back();
    }
    removed = {};
    removed.collider = free_;
    free_ = proxy;
}

bool BroadPhase::move(std::uint32_t proxy, const Bounds& tight, const Vec3& displacement) {
    if (contains(fatBounds(proxy), tight))
        return false;
    refit(proxy, tight, displacement);
    return true;
}

void BroadPhase::refit(std::uint32_t proxy, const Bounds& tight, const Vec3& displacement) {
    const Proxy& moving = proxies_[proxy];
    tree(moving.motion).move(moving.leaf, fatten(tight, displacement));
    ++upkeep_[int(moving.motion)].changes;
    markMoved(proxy);
}

void BroadPhase::refit(TaskRunner& tasks, Motion motion, std::span<Refit> refits) {
    tree(motion).move(tasks, refits);
    upkeep_[int(motion)].changes += static_cast<int>(refits.size());
    for (const Refit& refit : refits)
        markMoved(tree(motion).userIndex(refit.leaf));
}

bool BroadPhase::isLoose(std::uint32_t proxy, const Bounds& tight, const Vec3& displacement) const {
    const Real slack = kLooseMargins * marginOf(tight) + kLooseWays * length(displacement);
    return !contains(expand(fatten(tight, displacement), slack), fatBounds(proxy));
}

void BroadPhase::updatePairs(const PairSet& known, PairBuffer& newPairs) {
    newPairs.clear();
    findPairs(moved_, known, newPairs);
    finishPairs(*makeSerialRunner(), newPairs);
}

void BroadPhase::findPairs(std::span<const std::uint32_t> movedProxies, const PairSet& known, PairBuffer& out) const {
    for (const std::uint32_t self : movedProxies) {
        const Proxy& own = proxies_[self];
        const Bounds& box = fatBounds(self);
        const auto report = [&](std::uint32_t other) {
            const Proxy& partner = proxies_[other];
            // Where both proxies of a pair have moved, both find it; the lower one reports it.
            if (other == self || (partner.movedSlot != kNone && other < self))
                return;
            const std::uint64_t key = pairKey(own.collider, partner.collider);
            if (!known.contains(key))
                out.push_back(key);
        };
        tree(Motion::Dynamic).query(box, report);
        if (own.motion == Motion::Dynamic) {
            tree(Motion::Kinematic).query(box, report);
            tree(Motion::Static).query(box, report);
        }
    }
}

void BroadPhase::finishPairs(TaskRunner& tasks, PairBuffer& pairs) {
    std::sort(pairs.begin(), pairs.end());
    for (const std::uint32_t proxy : moved_)
        proxies_[proxy].movedSlot = kNone;
    moved_.clear();
    for (const Motion motion : {Motion::Static, Motion::Kinematic, Motion::Dynamic})
        maintain(tasks, motion);
}

std::size_t BroadPhase::proxyCount() const {
    return std::count_if(proxies_.begin(), proxies_.end(), [](const Proxy& proxy) { return proxy.leaf != kNone; });
}

bool BroadPhase::isConsistent() const {
    std::array<int, 3> leaves{};
    std::size_t moved = 0;
    for (std::uint32_t index = 0; index < proxies_.size(); ++index) {
        const Proxy& proxy = proxies_[index];
        if (proxy.leaf == kNone)
            continue;
        if (!tree(proxy.motion).holds(proxy.leaf, index))
            return false;
        ++leaves[int(proxy.motion)];
        moved += proxy.movedSlot != kNone;
    }
    for (std::size_t motion = 0; motion < trees_.size(); ++motion)
        if (!trees_[motion].isConsistent() || trees_[motion].leafCount() != leaves[motion] || upkeep_[motion].changes < 0 ||
            upkeep_[motion].changes > kMostChanges)
            return false;
    for (std::uint32_t slot = 0; slot < moved_.size(); ++slot)
        if (moved_[slot] >= proxies_.size() || proxies_[moved_[slot]].leaf == kNone || proxies_[moved_[slot]].movedSlot != slot)
            return false;
    // The free list must end and hold each unused proxy once; a list with a cycle would be longer than their number.
    std::size_t unused = proxies_.size() - proxyCount();
    std::uint32_t next = free_;
    for (; next != kNone && unused > 0; next = proxies_[next].collider, --unused)
        if (next >= proxies_.size() || proxies_[next].leaf != kNone)
            return false;
    return moved == moved_.size() && next == kNone && unused == 0;
}

void BroadPhase::markMoved(std::uint32_t proxy) {
    if (proxies_[proxy].movedSlot != kNone)
        return;
    proxies_[proxy].movedSlot = std::uint32_t(moved_.size());
    moved_.push_back(proxy);
}

// Looks at a tree once its leaves have changed often enough that looking costs little, and rebuilds it where it has decayed.
void BroadPhase::maintain(TaskRunner& tasks, Motion motion) {
    BoundsTree& kept = tree(motion);
    Upkeep& upkeep = upkeep_[int(motion)];
    if (kept.leafCount() >= kSmallestRebuild && upkeep.changes < kChangesPerLook * kept.leafCount())
        return;
    upkeep.changes = 0;
    if (kept.leafCount() < kSmallestRebuild)
        return;
    if (upkeep.goodRatio > 0 && kept.areaRatio() <= kWorstDegradation * upkeep.goodRatio)
        return;
    rebuild(tasks, motion);
}

void BroadPhase::rebuild(TaskRunner& tasks, Motion motion) {
    tree(motion).rebuild(tasks);
    upkeep_[int(motion)] = {0, tree(motion).areaRatio()};
}

bool BroadPhase::overlapsAny(Motion motion, const Bounds& box) const {
    bool any = false;
    tree(motion).query(box, [&](std::uint32_t) { any = true; });
    return any;
}

}  // namespace sunder::collision
