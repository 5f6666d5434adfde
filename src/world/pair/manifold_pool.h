// Manifolds that a search for contacts found, on any thread, until they are made into constraints. A pile that lands finds
// thousands in a step, the same pile at rest a few: they lie in memory that is lent for the search, and where that is not
// enough in chunks of the pool's own, which are given back when they are no longer needed.
#pragma once

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "collision/narrow_phase/manifold/manifold.h"
#include "core/pages.h"

namespace sunder::world {

class ManifoldPool {
public:
    // Forgets all manifolds, and frees chunks that were not used since the last call, but for kKept. lent: memory to use first.
    void begin(std::span<collision::ContactManifold> lent) {
        constexpr std::size_t kKept = 4;  // chunks, the smallest ones
        if (const std::size_t wanted = std::max(used_ + 1, kKept); chunks_.size() > wanted)
            chunks_.resize(wanted);
        used_ = 0;
        next_ = lent.data();
        left_ = lent.size();
    }

    // Copies the manifolds into the pool; from any thread.
    std::span<const collision::ContactManifold> keep(const collision::ManifoldList& manifolds) {
        using collision::ContactManifold;
        if (manifolds.empty())
            return {};
        ContactManifold* to = take(manifolds.size());
        std::copy(manifolds.begin(), manifolds.end(), to);
        return {to, manifolds.size()};
    }

private:
    static constexpr std::size_t kSmallest = 16, kLargest = 2048;  // manifolds per chunk

    collision::ContactManifold* take(std::size_t count) {
        const std::lock_guard lock(mutex_);
        if (count > left_) {
            left_ = std::max(count, std::min(kSmallest << std::min<std::size_t>(used_, 16), kLargest));
            if (used_ == chunks_.size())
                chunks_.emplace_back();
            PagedVector<collision::ContactManifold>& chunk = chunks_[used_++];
            if (chunk.size() < left_)
                chunk = PagedVector<collision::ContactManifold>(left_);
            next_ = chunk.data();
        }
        left_ -= count;
        return std::exchange(next_, next_ + count);
    }

    std::mutex mutex_;
    std::vector<PagedVector<collision::ContactManifold>> chunks_;
    std::size_t used_ = 0;  // chunks
    collision::ContactManifold* next_ = nullptr;
    std::size_t left_ = 0;  // manifolds in the chunk in use
};

}  // namespace sunder::world
