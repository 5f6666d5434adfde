// The set of known pairs of colliders: open addressing with its own hash, so that it behaves alike with every standard library.
#pragma once

#include <cstdint>

#include "core/pages.h"

namespace sunder::collision {

// The key of an unordered pair; sorting keys sorts by the lower collider, then the higher.
constexpr std::uint64_t pairKey(std::uint32_t a, std::uint32_t b) {
    return a < b ? std::uint64_t(a) << 32 | b : std::uint64_t(b) << 32 | a;
}
constexpr std::uint32_t lowCollider(std::uint64_t key) { return std::uint32_t(key >> 32); }
constexpr std::uint32_t highCollider(std::uint64_t key) { return std::uint32_t(key); }

// Keys must differ from ~0. There is deliberately no way to iterate: the order would depend on the capacity.
class PairSet {
public:
    std::size_t size() const { return size_; }
    bool contains(std::uint64_t key) const { return !slots_.empty() && slots_[find(key)] == key; }
    // Makes room for `count` keys in all.
    void reserve(std::size_t count) {
        std::size_t capacity = kSmallest;
        while (capacity < 2 * count)
            capacity *= 2;
        if (capacity > slots_.size())
            resize(capacity);
    }
    // False where the key was there already.
    bool insert(std::uint64_t key) {
        if (2 * (size_ + 1) > slots_.size())
            resize(slots_.empty() ? kSmallest : 2 * slots_.size());
        const std::size_t slot = find(key);
        if (slots_[slot] == key)
            return false;
        slots_[slot] = key;
        ++size_;
        return true;
    }
    // False where the key was not there.
    bool erase(std::uint64_t key) {
        if (!contains(key))
            return false;
        const std::size_t mask = slots_.size() - 1;
        // Later keys of the run move up into the hole, so that no tombstones gather over a long simulation.
        std::size_t hole = find(key);
        for (std::size_t slot = (hole + 1) & mask; slots_[slot] != kEmpty; slot = (slot + 1) & mask) {
            const std::size_t home = hash(slots_[slot]) & mask;
            if (((slot - home) & mask) >= ((slot - hole) & mask)) {
                slots_[hole] = slots_[slot];
                hole = slot;
            }
        }
        slots_[hole] = kEmpty;
        --size_;
        return true;
    }
    void clear() {
        slots_.clear();
        size_ = 0;
    }

private:
    static constexpr std::uint64_t kEmpty = ~std::uint64_t(0);
    static constexpr std::size_t kSmallest = 16;  // slots, a power of two

    // Multiply and fold twice: every input bit reaches the low bits.
    static constexpr std::size_t hash(std::uint64_t key) {
        key ^= key >> 32;
        key *= 0x9e3779b97f4a7c15u;
        key ^= key >> 29;
        key *= 0xd6e8feb86659fd93u;
        return std::size_t(key ^ key >> 32);
    }
    // The slot that holds the key, or the empty one where it belongs. At least half of the slots are empty.
    std::size_t find(std::uint64_t key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = hash(key) & mask;
        while (slots_[slot] != key && slots_[slot] != kEmpty)
            slot = (slot + 1) & mask;
        return slot;
    }
    void resize(std::size_t capacity) {
        PagedVector<std::uint64_t> old(capacity, kEmpty);
        old.swap(slots_);
        for (const std::uint64_t key : old)
            if (key != kEmpty)
                slots_[find(key)] = key;
    }

    PagedVector<std::uint64_t> slots_;  // a power of two, or none
    std::size_t size_ = 0;
};

}  // namespace sunder::collision
