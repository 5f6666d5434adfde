// Which colliders may touch: one tree of fat bounds per motion type, and the pairs whose bounds began to overlap since the last
// update. A collider is a number of the caller's, who knows which body it belongs to (world/record/collider.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/broad_phase/pair_set.h"
#include "collision/broad_phase/tree.h"
#include "sunder/definitions.h"

namespace sunder::collision {

using PairBuffer = std::vector<std::uint64_t>;  // pairKey of two colliders

// Grows tight bounds so that a body which creeps, or keeps its velocity, stays inside for some steps. displacement: how far it
// is expected to move (m); the bounds grow to that side only.
Bounds fatten(const Bounds& tight, const Vec3& displacement);

// Each collider has one proxy. A pair is reported where the fat bounds overlap and at least one is dynamic. The caller keeps
// the pairs in a PairSet and drops one when `overlap` says that its fat bounds have parted.
class BroadPhase {
public:
    std::uint32_t add(Motion motion, const Bounds& fat, std::uint32_t collider);  // returns the proxy
    void remove(std::uint32_t proxy);
    // Gives the proxy new fat bounds if the tight ones have left the old fat ones; returns whether it did.
    bool move(std::uint32_t proxy, const Bounds& tight, const Vec3& displacement);
    // Gives the proxy new fat bounds in any case.
    void refit(std::uint32_t proxy, const Bounds& tight, const Vec3& displacement);
    // Refits many proxies of one motion on all threads: a list of what refitOf says of each, none twice.
    using Refit = BoundsTree::Move;
    Refit refitOf(std::uint32_t proxy, const Bounds& tight, const Vec3& displacement) const {
        return {proxies_[proxy].leaf, fatten(tight, displacement)};
    }
    void refit(TaskRunner& tasks, Motion motion, std::span<Refit> refits);
    // Whether new bounds would be much smaller than the present ones, which date from faster motion: the body would have pairs
    // that cannot touch.
    bool isLoose(std::uint32_t proxy, const Bounds& tight, const Vec3& displacement) const;

    // Searches the proxy's pairs again, as if it had moved.
    void touch(std::uint32_t proxy) { markMoved(proxy); }

    const Bounds& fatBounds(std::uint32_t proxy) const { return tree(proxies_[proxy].motion).fatBounds(proxies_[proxy].leaf); }
    bool overlap(std::uint32_t proxyA, std::uint32_t proxyB) const { return overlaps(fatBounds(proxyA), fatBounds(proxyB)); }

    // Finds the pairs that are not yet known, sorted by (low collider, high collider), each once, and forgets who has moved.
    void updatePairs(const PairSet& known, PairBuffer& newPairs);

    // updatePairs in three steps, so that the middle one can be split over tasks: findPairs for blocks of movedProxies(), each
    // appending to its own buffer; then finishPairs with all buffers concatenated in any order.
    std::span<const std::uint32_t> movedProxies() const { return moved_; }
    std::uint32_t colliderOf(std::uint32_t proxy) const { return proxies_[proxy].collider; }
    void findPairs(std::span<const std::uint32_t> movedProxies, const PairSet& known, PairBuffer& out) const;
    void finishPairs(TaskRunner& tasks, PairBuffer& pairs);

    // False where proxies, trees and the list of moved proxies contradict each other; for data from outside.
    bool isConsistent() const;
    std::size_t proxyCount() const;  // in use
    // Whether `proxy` belongs to `collider`.
    bool holds(std::uint32_t proxy, Motion motion, std::uint32_t collider) const {
        return proxy < proxies_.size() && proxies_[proxy].leaf != kNone && proxies_[proxy].motion == motion &&
               proxies_[proxy].collider == collider;
    }
    // Visits the whole state, for snapshots.
    template <class Self, class Archive>
    static void visitState(Self& self, Archive& archive) {
        auto& [trees, upkeep, proxies, moved, free] = self;
        archive(trees, upkeep, proxies, moved, free);
    }

    // Calls visit(collider) for every collider of that motion whose fat bounds overlap the box.
    template <class Visitor>
    void query(Motion motion, const Bounds& box, Visitor&& visit) const {
        tree(motion).query(box, [&](std::uint32_t proxy) { visit(proxies_[proxy].collider); });
    }
    // See BoundsTree::nearest; visit(collider).
    template <class Key, class Visitor>
    void nearest(Motion motion, double limit, Key&& key, Visitor&& visit) const {
        tree(motion).nearest(limit, key, [&](std::uint32_t proxy) { return visit(proxies_[proxy].collider); });
    }

private:
    static constexpr std::uint32_t kNone = BoundsTree::kNone;

    struct Proxy {
        std::uint32_t leaf = kNone;
        std::uint32_t collider = 0;       // next free proxy where unused
        std::uint32_t movedSlot = kNone;  // index into moved_, kNone while not moved
        Motion motion = Motion::Static;

        template <class Self, class Archive>
        static void visitState(Self& self, Archive& archive) {
            auto& [leaf, collider, movedSlot, motion] = self;
            archive(leaf, collider, movedSlot, motion);
        }
    };
    // When a tree was last known to be good.
    struct Upkeep {
        int changes = 0;     // leaves placed since the last look
        Real goodRatio = 0;  // area ratio after the last rebuild; 0 before the first

        template <class Self, class Archive>
        static void visitState(Self& self, Archive& archive) {
            auto& [changes, goodRatio] = self;
            archive(changes, goodRatio);
        }
    };

    const BoundsTree& tree(Motion motion) const { return trees_[int(motion)]; }
    BoundsTree& tree(Motion motion) { return trees_[int(motion)]; }
    void markMoved(std::uint32_t proxy);
    void maintain(TaskRunner& tasks, Motion motion);
    void rebuild(TaskRunner& tasks, Motion motion);
    bool overlapsAny(Motion motion, const Bounds& box) const;

    std::array<BoundsTree, 3> trees_;  // by Motion
    std::array<Upkeep, 3> upkeep_;
    std::vector<Proxy> proxies_;
    std::vector<std::uint32_t> moved_;
    std::uint32_t free_ = kNone;
};

}  // namespace sunder::collision
